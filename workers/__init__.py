"""The work that is done beside the ways in: reading, sending, sweeping.

The same jobs run in Celery workers on many machines and in one process (L1.5); ``jobs`` says what
they do, ``app`` how Celery runs them, ``embedded`` how one process does it all.
"""

"""Events as people take part in them: making, entering, directing, and what happens by itself.

What an event is, is arithmetic (``pbem.tournaments``). Each use case here is one transaction: lock
the event, do acts to it (``open_event``), note who is to be written to (``notices``).
"""

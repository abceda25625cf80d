"""Mail: from bytes to meaning and back.

Reading what a player wrote is ``reply.py`` with ``parts``, ``body``, ``quotes`` and ``classify``.
"""

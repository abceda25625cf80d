"""Use cases: the only code that changes a game.

Pure of any database: what is stored is behind ``ports``; ``now`` and everything random come in
with the caller's ``Surroundings``. Each use case runs in one transaction of the unit it is given.
"""

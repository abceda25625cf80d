"""The errors of the server, for every layer that has to tell them apart.

::

    PbemError
    ├── ConfigError                what the operator has set cannot be used
    └── StoreError                 the database did not do what it was asked
        ├── StoreBusyError         others were in the way: doing it all again may work
        ├── StoreUnavailableError  no database, no space, no permission: somebody has to see to it
        ├── StoreConflictError     contradicts what is stored; again would fail again
        ├── UnstorableError        a value that no database can keep
        └── SchemaError            the tables do not fit this program

Whatever raises one of the store's errors has changed nothing: the unit in which it happened is
undone. The pure parts (notation, games, schedule) raise errors of their own, which are ValueErrors.
"""

from __future__ import annotations


class PbemError(Exception):
    """Everything the server raises on purpose. ``str`` is for developers and operators."""

    @property
    def sentence(self) -> str:
        """What it says, as it stands alone."""
        said = str(self)
        return said[:1].upper() + said[1:]


class ConfigError(PbemError):
    """What the operator has set cannot be used; all faults are listed at once."""


class StoreError(PbemError):
    """The database did not do what it was asked."""


class StoreBusyError(StoreError):
    """Others were in the way (a lock, a deadlock): the whole unit may be done again."""


class StoreUnavailableError(StoreError):
    """The database cannot be reached or cannot write. Answer "try later" (L1.1)."""


class StoreConflictError(StoreError):
    """What was to be stored contradicts what is there."""


class UnstorableError(StoreError):
    """A value that no database can keep: text with a NUL, an instant without a time zone."""


class SchemaError(StoreError):
    """The tables are not those of this program; the message says what to run."""

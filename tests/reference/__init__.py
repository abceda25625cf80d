"""A second engine of Ortus, slow and literal, that the real one is compared with.

It shares no code and no types with the package under test: strings go in, strings and plain
dictionaries come out. Each clause of the rules is one small function that names it.
"""

from tests.reference.engine import Reference
from tests.reference.state import RefusedError

__all__ = ["Reference", "RefusedError"]

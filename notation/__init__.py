"""Ortus as text: orders, plans, standing rules, position lines and records.

Standard library only; knows no rules and no board beyond the names of its hexes. Everything comes
in pairs: ``parse_x`` reads and raises ``NotationError``, ``format_x`` writes canonically.

A public name is loaded with its module when it is first used: whoever reads one order need not
wait for the record reader. A new name goes into ``_HOMES`` and into the import below it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from notation.errors import NotationError
    from notation.orders import Order, Plan, Step
    from notation.reading import find_choice, parse_order, parse_orders, read_orders
    from notation.writing import format_order, format_plan

_HOMES = {
    "errors": ("NotationError",),
    "orders": ("Order", "Plan", "Step"),
    "reading": ("find_choice", "parse_order", "parse_orders", "read_orders"),
    "writing": ("format_order", "format_plan"),
}

__all__ = [
    "NotationError",
    "Order",
    "Plan",
    "Step",
    "find_choice",
    "format_order",
    "format_plan",
    "parse_order",
    "parse_orders",
    "read_orders",
]


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 - only on the first use of a name

            value: object = getattr(import_module(f"notation.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'notation' has no attribute {name!r}")

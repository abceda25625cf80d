"""Ortus as text: orders, plans, standing rules, position lines and records.

Standard library only; knows no rules and no board beyond the names of its hexes. Everything comes
in pairs: ``parse_x`` reads and raises ``NotationError``, ``format_x`` writes canonically.
"""

from notation.errors import NotationError
from notation.orders import Order, Plan, Step
from notation.reading import find_choice, parse_order, parse_orders, read_orders
from notation.writing import format_order, format_plan

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

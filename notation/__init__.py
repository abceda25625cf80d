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
    from notation.position_line import PositionLine, format_position, parse_position
    from notation.reading import find_choice, parse_order, parse_orders, read_orders
    from notation.record import Comment, Played, Record, RecordTurn, make_comment
    from notation.record_reading import ReadGame, decode_record_bytes, parse_record, read_records
    from notation.record_writing import format_record, format_records
    from notation.standing import StandingRule, format_standing, parse_standing
    from notation.writing import format_order, format_plan

_HOMES = {
    "errors": ("NotationError",),
    "orders": ("Order", "Plan", "Step"),
    "position_line": ("PositionLine", "format_position", "parse_position"),
    "reading": ("find_choice", "parse_order", "parse_orders", "read_orders"),
    "record": ("Comment", "Played", "Record", "RecordTurn", "make_comment"),
    "record_reading": ("ReadGame", "decode_record_bytes", "parse_record", "read_records"),
    "record_writing": ("format_record", "format_records"),
    "standing": ("StandingRule", "format_standing", "parse_standing"),
    "writing": ("format_order", "format_plan"),
}

__all__ = [
    "Comment",
    "NotationError",
    "Order",
    "Plan",
    "Played",
    "PositionLine",
    "ReadGame",
    "Record",
    "RecordTurn",
    "StandingRule",
    "Step",
    "decode_record_bytes",
    "find_choice",
    "format_order",
    "format_plan",
    "format_position",
    "format_record",
    "format_records",
    "format_standing",
    "make_comment",
    "parse_order",
    "parse_orders",
    "parse_position",
    "parse_record",
    "parse_standing",
    "read_orders",
    "read_records",
]


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module  # noqa: PLC0415 - only on the first use of a name

            value: object = getattr(import_module(f"notation.{module}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'notation' has no attribute {name!r}")

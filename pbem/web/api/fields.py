"""Fields that take exactly what the document says: marshmallow's own are more forgiving."""

from __future__ import annotations

from datetime import time
from typing import Any

from marshmallow import ValidationError, fields


class Text(fields.String):
    """Text that can be kept: without NUL, and without halves of characters."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> str:
        text = super()._deserialize(value, attr, data, **more)
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise ValidationError("Has characters that cannot be kept.")
        return text


class Number(fields.Integer):
    """A whole number of a body, not one in quotes."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **more)


class Flag(fields.Boolean):
    """True or false, and no other word for them."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid")
        return value


class TimeOfDay(fields.String):
    """A local hour and minute, as ``22:30``."""

    def __init__(self, **more: Any) -> None:
        described = {"pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$", **more.pop("metadata", {})}
        super().__init__(metadata=described, **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **more: Any) -> Any:
        text = super()._deserialize(value, attr, data, **more)
        try:
            hour, minute = (int(part) for part in text.split(":") if len(part) == 2)
            return time(hour, minute)
        except ValueError:
            raise ValidationError("Must be a local hour and minute.") from None

    def _serialize(self, value: Any, attr: Any, obj: Any, **more: Any) -> Any:
        return f"{value:%H:%M}" if isinstance(value, time) else None

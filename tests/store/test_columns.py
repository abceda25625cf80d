"""Values come out of a column as they went in, and nothing that is damaged does."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import sqlite

from pbem.store.columns import Instant, Json, instant_of, json_text, microseconds

DIALECT = sqlite.dialect()
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False).map(str),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def read(text: str | None) -> Any:
    """A text as a column of plain values gives it back."""
    return Json().result_processor(DIALECT, None)(text)


@given(PLAIN)
def test_plain_values_come_back(value: Any) -> None:
    text = json_text(value)
    assert read(text) == value == json.loads(text)


@pytest.mark.parametrize("text", [' {"a": 1}', '{"a":1}\n', "\t[1]", "1 "])
def test_spaces_around_a_value_do_no_harm(text: str) -> None:
    assert read(text) == json.loads(text)


@pytest.mark.parametrize("text", ["", " ", "{", '{"a":1}x', "[1] [2]", "[1,]", "x", '"a', "[x]"])
def test_a_damaged_text_is_no_value(text: str) -> None:
    with pytest.raises(ValueError, match="char"):
        read(text)


def test_nothing_is_nothing() -> None:
    assert read(None) is None
    assert read("null") is None
    assert Instant().result_processor(DIALECT, None)(None) is None


@given(st.datetimes(timezones=st.just(UTC)))
def test_instants_come_back(instant: datetime) -> None:
    number = microseconds(instant)
    found = Instant().result_processor(DIALECT, None)(number)
    assert found == instant_of(number) == instant
    assert found is not None
    assert found.utcoffset() == timedelta()

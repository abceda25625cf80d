"""Times as players are told them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.catalogues import get_tongue
from pbem.mail.dates import Calendar, say_duration

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)


def calendar(language: str = "en", zone: str = "Europe/Amsterdam") -> Calendar:
    return Calendar(get_tongue(language), zone, NOON)


@pytest.mark.parametrize(
    ("language", "zone", "said"),
    [
        ("en", "Europe/Amsterdam", "Monday 16 November, 13:00"),
        ("nl", "Europe/Amsterdam", "maandag 16 november, 13:00"),
        ("en", "Pacific/Auckland", "Tuesday 17 November, 01:00"),
        ("en", "America/St_Johns", "Monday 16 November, 08:30"),
    ],
)
def test_an_instant(language: str, zone: str, said: str) -> None:
    assert calendar(language, zone).instant(NOON) == said


def test_another_year_is_named() -> None:
    assert calendar().instant(datetime(2027, 1, 1, tzinfo=UTC)) == "Friday 1 January 2027, 01:00"
    assert calendar("nl").day(date(2027, 1, 5)) == "dinsdag 5 januari 2027"


def test_whose_time_it_is() -> None:
    assert calendar(zone="America/Argentina/Buenos_Aires").place == "Buenos Aires"
    assert calendar(zone="UTC").place == "UTC"


@pytest.mark.parametrize(
    ("length", "english", "dutch"),
    [
        (timedelta(days=2, hours=23, minutes=59), "2 days 23 hours", "2 dagen 23 uur"),
        (timedelta(days=1), "1 day", "1 dag"),
        (timedelta(days=1, minutes=5), "1 day", "1 dag"),
        (timedelta(hours=1, minutes=1), "1 hour 1 minute", "1 uur 1 minuut"),
        (timedelta(minutes=40, seconds=59), "40 minutes", "40 minuten"),
        (timedelta(seconds=59), "less than a minute", "minder dan een minuut"),
        (timedelta(0), "less than a minute", "minder dan een minuut"),
    ],
)
def test_a_length_of_time(length: timedelta, english: str, dutch: str) -> None:
    assert say_duration(length, get_tongue("en")) == english
    assert say_duration(length, get_tongue("nl")) == dutch


def test_time_that_is_over_is_not_negative() -> None:
    assert calendar().left(NOON - timedelta(days=1)) == "less than a minute"

"""What Postfix lets through to us is what we take (L2.1)."""

from __future__ import annotations

import re

import pytest

from pbem.mail.addresses import SERVICES, find_destination
from tests.functional.postfix import SET_UP

DOMAIN = "play.example.org"
TOKEN = "abcdefghijklmnopqrstuvwxyz"
OURS = (
    *SERVICES,
    "postmaster",
    f"abcd2345.{TOKEN}",
    f"abcd2345.{TOKEN.upper()}",
    f"abcd2345{TOKEN}",
    f"abcd2345+{TOKEN}",
    f"abcd2345.{TOKEN[:12]}",
    f"abcd2345.{TOKEN}====",
    "bounce.17-2500-aaaaaaaaaaaaaaaaaaaa",
    "bounce17-2500-aaaaaaaaaaaaaaaaaaaa",
    "Bounce.17-2500-AAAAAAAAAAAAAAAAAAAA",
)
NOT_OURS = ("ann", "root", "abcd2345", "abcd2345.", ".abc", "a b", "bounce", "play.x", "x!y", "")


def patterns() -> list[re.Pattern[str]]:
    lines = (SET_UP.parent / "recipients").read_text().splitlines()
    found = [re.match(r"/(.*)/\s+ours$", line) for line in lines if not line.startswith("#")]
    return [re.compile(match[1], re.IGNORECASE) for match in found if match]


@pytest.mark.parametrize("local", [*OURS, *NOT_OURS])
def test_postfix_takes_what_we_take(local: str) -> None:
    address = f"{local}@{DOMAIN}"
    is_let_through = any(pattern.search(address) for pattern in patterns())
    assert is_let_through == (local in OURS)
    assert is_let_through == (find_destination(address, DOMAIN) is not None)

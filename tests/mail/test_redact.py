"""No token gets around, and no text of a player's deceives another (L3.4)."""

from __future__ import annotations

import io
import logging
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import bounce_address, reply_address
from pbem.mail.redact import MAX_MESSAGE, REDACTED, RedactingFilter, clean_message, redact
from tests.mail.post import DOMAIN, KEYS, NOON

TOKEN = KEYS.reply_token("0123")


@pytest.mark.parametrize(
    "text",
    [
        TOKEN,
        TOKEN.upper(),
        reply_address("abcd2345", TOKEN, DOMAIN),
        f"abcd2345{TOKEN}@{DOMAIN}",
        f"mailto:abcd2345.{TOKEN}%40{DOMAIN}?body=ok",
        f"=?utf-8?q?{TOKEN}?=",
        f"<{KEYS.message_name('0123')}@{DOMAIN}>",
        bounce_address(KEYS.sign("bounce", 5, until=NOON), DOMAIN),
        f"https://{DOMAIN}/stop/{KEYS.sign('unsubscribe', 5, until=NOON)}",
    ],
)
def test_nothing_is_left_of_what_we_made(text: str) -> None:
    shown = redact(f"before {text} behind")
    assert REDACTED in shown
    assert shown.startswith("before ")
    assert shown.endswith(" behind")
    for secret in (TOKEN, KEYS.sign("bounce", 5, until=NOON).split("-")[-1]):
        assert secret[:8] not in shown.lower()


@given(st.integers(0, 10**6))
def test_every_token_is_taken_out_also_when_it_lost_its_end(number: int) -> None:
    token = KEYS.reply_token(str(number))
    assert redact(f"x.{token}@y") == f"x.{REDACTED}@y"
    if any(char.isdigit() for char in token[:22]):
        assert redact(token[:22]) == REDACTED


@pytest.mark.parametrize(
    "text",
    [
        "F2>G4 x G5; end",
        "aansprakelijkheidsverzeke",
        "https://example.org/games/abcd2345",
        "0123456789abcdef0123456789abcdef",
    ],
)
def test_words_stay(text: str) -> None:
    assert redact(text) == text


def test_a_message_loses_what_acts_or_deceives() -> None:
    text = "Hi\x07 \u202eevil\u2066 \u200bthere\r\n\r\n\r\n\r\nb\u00e4r\ttea\u2028ok\0"
    assert clean_message(text) == "Hi evil there\n\nb\u00e4r tea\nok"
    pilot = "\U0001f469\u200d\U0001f680"
    assert clean_message(pilot) == pilot


def test_a_message_loses_tokens_and_has_an_end() -> None:
    assert clean_message(f"my token is {TOKEN}") == f"my token is {REDACTED}"
    assert len(clean_message("long " * 10_000)) <= MAX_MESSAGE
    # Cut first, and half a token would be left.
    assert TOKEN[:12] not in clean_message("x " * (MAX_MESSAGE // 2 - 7) + TOKEN)


def test_no_towers_of_accents() -> None:
    assert len(clean_message("a" + "\u0301" * 500)) < 10


@given(st.text(max_size=200))
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    once = clean_message(text)
    assert clean_message(once) == once
    unseen = [char for char in once if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn")]
    assert set(unseen) <= {"\n"}
    assert not any("\u202a" <= char <= "\u202e" for char in once)


def test_logs_hold_no_token() -> None:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.addFilter(RedactingFilter())
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger = logging.getLogger("test of redaction")
    logger.propagate = False
    logger.addHandler(handler)
    try:
        logger.warning("mail to %s of %d bytes", reply_address("abcd2345", TOKEN, DOMAIN), 12)
        try:
            raise ValueError(TOKEN)
        except ValueError:
            logger.exception("crashed", stack_info=True)
    finally:
        logger.removeHandler(handler)
    written = out.getvalue()
    assert written.startswith(f"mail to abcd2345.{REDACTED}@{DOMAIN} of 12 bytes\ncrashed\n")
    assert f"ValueError: {REDACTED}" in written
    assert TOKEN not in written

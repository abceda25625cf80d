"""What only we can make, and what our addresses are for (L2.1, L3.1)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.addresses import bounce_address, find_destination, reply_address
from pbem.mail.keys import TOKEN_LENGTH, Keys, claimed_number, token_hash
from tests.mail.post import DOMAIN, KEYS, NOON

DAY = timedelta(days=1)
OTHERS = Keys(b"another secret of 32 bytes......")


def test_a_token_has_at_least_120_bits_in_small_letters() -> None:
    token = KEYS.reply_token("0123")
    assert len(token) == TOKEN_LENGTH
    assert set(token) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert TOKEN_LENGTH * 5 >= 120
    others = {KEYS.reply_token("0124"), OTHERS.reply_token("0123"), KEYS.message_name("0123")[5:]}
    assert len(others | {token}) == 4


def test_a_token_is_the_same_in_capitals() -> None:
    token = KEYS.reply_token("0123")
    assert token_hash(token.upper()) == token_hash(token) != token_hash(token[:-1] + "a")


@pytest.mark.parametrize(
    "change",
    [
        lambda address: address,
        lambda address: address.upper(),
        lambda address: f"<{address}>",
        lambda address: address.replace(".", "+", 1),
        lambda address: address.replace(".", "", 1),
        lambda address: f" {address}. ",
        lambda address: f'"{address.partition("@")[0]}"@{DOMAIN}',
    ],
)
def test_an_address_survives_what_programs_do_to_it(change) -> None:  # type: ignore[no-untyped-def]
    token = KEYS.reply_token("0123")
    found = find_destination(change(reply_address("abcd2345", token, DOMAIN)), DOMAIN)
    assert found is not None
    assert found.key == f"reply/{token_hash(token)}"
    signed = KEYS.sign("bounce", 7, until=NOON)
    back = find_destination(change(bounce_address(signed, DOMAIN)), DOMAIN)
    assert back is not None
    assert KEYS.find_signed("bounce", back.value, now=NOON) == 7


def test_a_stored_destination_names_no_token() -> None:
    token = KEYS.reply_token("0123")
    for address in (f"abcd2345.{token}", f"abcd2345.{token[:-3]}"):
        found = find_destination(f"{address}@{DOMAIN}", DOMAIN)
        assert found is not None
        assert token[:8] not in found.key


@pytest.mark.parametrize(
    "address",
    [
        "ann", "", "@", f"ann@{DOMAIN}", "play@example.org", f"play@x.{DOMAIN}",
        f"{'a' * 65}@{DOMAIN}", f"play@{DOMAIN}.example.net", f"play@{DOMAIN}@example.net",
        f"bounce@{DOMAIN}",
    ],
)  # fmt: skip
def test_other_addresses_are_not_ours(address: str) -> None:
    assert find_destination(address, DOMAIN) is None


@given(st.text(max_size=80), st.booleans())
def test_no_address_raises(text: str, is_at_home: bool) -> None:
    find_destination(f"{text}@{DOMAIN}" if is_at_home else text, DOMAIN)


# -- signed texts -------------------------------------------------------------------------------


def test_a_signed_number_is_good_until_the_end_of_its_day() -> None:
    signed = KEYS.sign("bounce", 12, until=NOON)
    assert KEYS.find_signed("bounce", signed, now=NOON) == 12
    assert KEYS.find_signed("bounce", signed.upper(), now=NOON - DAY) == 12
    assert KEYS.find_signed("bounce", signed, now=NOON + DAY) is None
    assert claimed_number(signed) == 12


def test_no_part_of_a_signed_text_can_be_changed() -> None:
    signed = KEYS.sign("bounce", 12, until=NOON)
    number, day, mac = signed.split("-")
    for changed in (
        f"13-{day}-{mac}", f"{number}-{int(day) + 1}-{mac}", f"{number}-{day}-{mac[::-1]}",
        f"0{number}-{day}-{mac}", f"{number}-{day}-{mac}a", f"{number}-{day}", "", mac,
    ):  # fmt: skip
        assert KEYS.find_signed("bounce", changed, now=NOON) is None
    assert KEYS.find_signed("unsubscribe", signed, now=NOON) is None
    assert OTHERS.find_signed("bounce", signed, now=NOON) is None


@given(st.text(max_size=60))
def test_a_text_that_we_did_not_make_is_no_name_of_ours(text: str) -> None:
    assert KEYS.find_message(text) is None
    assert KEYS.find_signed("bounce", text, now=NOON) is None


def test_message_ids_are_ours_only_whole() -> None:
    name = KEYS.message_name("0123abcd")
    assert KEYS.find_message(name) == "0123abcd"
    assert KEYS.find_message(name.upper()) == "0123abcd"
    for changed in ("0123abcd", name[:-1], name.replace("0", "1"), f"x{name}", f"{name}a"):
        assert KEYS.find_message(changed) is None
    assert OTHERS.find_message(name) is None

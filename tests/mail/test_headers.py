"""What headers say, whatever is written in them (L2.3, L3.1, L3.2)."""

from __future__ import annotations

import email
import email.policy
import string
from email.utils import getaddresses

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.mail.headers import (
    MAX_ADDRESSES,
    Mailbox,
    answered_ids,
    decode_words,
    find_clauses,
    find_sender,
    find_senders,
    own_id,
    read_addresses,
)
from pbem.mail.parts import Message, read_message
from tests.mail.spoofs import FALSE_SENDERS, HONEST_SENDERS, mail, sender

ANN = "ann@example.org"


def read(*headers: tuple[str, str]) -> Message:
    return read_message(mail(*headers))


def sender_of(*values: str) -> object:
    return find_sender(read(*(("From", value) for value in values)))


# -- who wrote it -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HONEST_SENDERS)
def test_ann_is_found_as_mail_programs_write_her(name: str) -> None:
    found = sender_of(sender(HONEST_SENDERS[name]))
    assert isinstance(found, Mailbox)
    assert found.address == ANN


@pytest.mark.parametrize("name", FALSE_SENDERS)
def test_ann_is_not_found_where_she_only_seems_to_be(name: str) -> None:
    found = sender_of(sender(FALSE_SENDERS[name]))
    assert not isinstance(found, Mailbox) or found.address != ANN


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ([], "no_from"),
        ([ANN, ANN], "two_from"),
        ([ANN, ""], "two_from"),
        ([f"{ANN}, {ANN}"], "from_many"),
        ([f"{ANN}, beau@example.net"], "from_many"),
        ([f"{ANN} <beau@example.net>"], "from_many"),
        ([f"<{ANN}> <beau@example.net>"], "from_many"),
        ([f"players: {ANN};"], "from_group"),
        (["nobody:;"], "from_group"),
        ([""], "from_unreadable"),
        (["Ann"], "from_unreadable"),
        (["<>"], "from_unreadable"),
        ([f"<{ANN}"], "from_unreadable"),
        ([f'"{ANN}'], "from_unreadable"),
        (["ann@[127.0.0.1]"], "from_unreadable"),
        (["a" * 5000 + f" <{ANN}>"], "from_unreadable"),
    ],
)
def test_anything_but_one_address_in_one_header_is_a_fault(values: list[str], fault: str) -> None:
    assert sender_of(*values) == fault


@pytest.mark.parametrize("second", ["FROM", "From ", "From\t", "from"])
def test_a_second_from_is_found_in_any_spelling(second: str) -> None:
    assert find_sender(read(("From", ANN), (second, "beau@example.net"))) == "two_from"


def test_who_wrote_cannot_be_told_when_not_all_headers_could_be_read() -> None:
    padding = [("X-Padding", "x" * 900)] * 100
    assert find_sender(read(("From", ANN), *padding, ("From", "beau@example.net"))) == "headers_cut"


@pytest.mark.parametrize(
    "value",
    ["ann@b\u00fccher.example", "ann@bu\u0308cher.example", "Ann <ANN@XN--BCHER-KVA.EXAMPLE>"],
    ids=ascii,
)
def test_a_foreign_domain_has_one_spelling(value: str) -> None:
    found = sender_of(value)
    assert isinstance(found, Mailbox)
    assert found.address == "ann@xn--bcher-kva.example"


@pytest.mark.parametrize(
    "domain", ["\uff45xample.org", "e\u00aaample.org", "x\u2460.org"], ids=ascii
)
def test_a_domain_of_letters_that_stand_for_others_is_none(domain: str) -> None:
    assert sender_of(f"ann@{domain}") == "from_unreadable"


def test_domains_that_dns_keeps_apart_stay_apart() -> None:
    sharp, plain = sender_of("ann@stra\u00dfe.example"), sender_of("ann@strasse.example")
    assert isinstance(sharp, Mailbox)
    assert isinstance(plain, Mailbox)
    assert sharp.address != plain.address


@pytest.mark.parametrize("local", ["\u212aate", "ann\u212a", "\uff41nn"], ids=ascii)
def test_no_letter_becomes_a_plain_one(local: str) -> None:
    found = sender_of(f"{local}@example.org")
    assert not isinstance(found, Mailbox) or not found.address.isascii()
    assert sender_of("kate@\u212aate.example") == "from_unreadable"


def test_the_name_is_decoded_and_shows_nothing_unseen() -> None:
    found = sender_of("=?utf-8?q?=E2=80=AE=C3=84nn?= =?iso-8859-1?b?IPZm?= <ann@example.org>")
    assert found == Mailbox(ANN, "\u00c4nn \u00f6f")


WORD = st.text(string.ascii_letters + string.digits + "!#$%&'*+/=?^_`{|}~-", min_size=1, max_size=8)
LABEL = st.from_regex(r"[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?", fullmatch=True)
ADDRESS = st.builds(
    lambda words, labels: f"{'.'.join(words)}@{'.'.join(labels)}".lower(),
    st.lists(WORD, min_size=1, max_size=3),
    st.lists(LABEL, min_size=2, max_size=3),
)
PHRASE = st.one_of(
    st.text(string.ascii_letters + " ", max_size=10),
    st.text(
        st.characters(codec="utf-8", exclude_characters='\0\r\n"\\', categories=("L", "P", "Z"))
    ).map(lambda text: f'"{text}"'),
)
COMMENT = st.text(string.ascii_letters + "@<>,;: ", max_size=10).map(lambda text: f" ({text})")


@given(PHRASE, ADDRESS, st.sampled_from(["", " (a comment)"]) | COMMENT)
def test_one_address_is_found_whatever_stands_around_it(name: str, at: str, comment: str) -> None:
    found = sender_of(f"{name}{comment} <{at}>{comment}")
    assert isinstance(found, Mailbox)
    assert found.address == at


PIECES = [*'"()<>,;:\\@. \ta[]', "a@b.c", "x@y.z", "<a@b.c>", "<x@y.z>", "=?utf-8?q?a=40b.c?="]


@settings(max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
@example('x@y.z,"a@b.c"')
@example("[<a@b.c>:]<x@y.z>")
@example("a@=?utf-8?q?a=40b.c?=")
def test_where_we_see_one_sender_no_other_program_sees_another(value: str) -> None:
    found = sender_of(value)
    if isinstance(found, Mailbox):
        others = {address.lower() for _, address in getaddresses([value]) if "@" in address}
        parsed = email.message_from_string(f"From: {value}\n\n", policy=email.policy.default)
        others |= {each.addr_spec.lower() for each in parsed["From"].addresses if each.domain}
        assert others <= {found.address}


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_no_header_raises(first: bytes, second: bytes) -> None:
    raw = b"".join(
        name + b": " + value + b"\r\n"
        for name in (b"From", b"To", b"References", b"Message-ID", b"Authentication-Results")
        for value in (first, second)
    )
    message = read_message(raw + b"\r\n")
    find_sender(message)
    find_senders(message)
    answered_ids(message, "play.example.org")
    own_id(message)
    for header in message.headers:
        read_addresses(header.value)
        find_clauses(header.value)
        decode_words(header.value)


# -- other headers ------------------------------------------------------------------------------


def test_lists_of_addresses_are_read_up_to_a_limit() -> None:
    many = ", ".join(f"a{number}@example.org" for number in range(5000))
    assert len(read_addresses(many)) == MAX_ADDRESSES
    found = read_addresses('Ann <ann@example.org>, all: "B, C" <bc@example.net>, d@example.net;')
    assert [each.address for each in found] == [ANN, "bc@example.net", "d@example.net"]


def test_the_nearest_letter_comes_first() -> None:
    message = read(
        ("References", "<one@play.example.org> <x@example.net>\r\n <two@play.example.org>"),
        ("In-Reply-To", "<three@PLAY.example.org>"),
    )
    assert answered_ids(message, "play.example.org") == ("three", "two", "one")


@pytest.mark.parametrize(
    "value", ["<one@play.example.org.example.net>", "one@play.example.org", "<@play.example.org>"]
)
def test_other_ids_are_not_ours(value: str) -> None:
    assert answered_ids(read(("In-Reply-To", value)), "play.example.org") == ()


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("a; b", ["a", "b"]),
        ("a (x; y); b", ["a", "b"]),
        ('a; b="x; c=d"', ["a", "b=x__c_d"]),
        ("a (x", None),
        ('a; "x', None),
    ],
)
def test_no_clause_hides_in_quotes_or_comments(value: str, clauses: list[str] | None) -> None:
    assert find_clauses(value) == clauses


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("=?utf-8?b?w4Q=?=", "\u00c4"),
        ("=?utf-8?b?w4Q=?= =?utf-8?q?_x?=", "\u00c4 x"),
        ("a =?utf-8*en?q?b?= c", "a b c"),
        ("=?utf-8?b?!?=", ""),
        ("=?no-such-set?q?=E4?=", "\u00e4"),
        ("=?utf-8?q?a=0D=0AX-Header:_b?=", "a X-Header: b"),
        ("=?utf-8?q?a=00b?=", "ab"),
        ("=?broken", "=?broken"),
    ],
)
def test_encoded_words(value: str, text: str) -> None:
    assert decode_words(value) == text

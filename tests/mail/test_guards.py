"""Mails of machines are told from mails of people, and unasked answers are limited (L5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.mail.guards import LOOP_HEADER, Machine, judge, may_answer
from pbem.mail.parts import read_message
from pbem.play.ports import Store
from tests.mail.post import DOMAIN, KEYS, NOON, make_inbound, make_office
from tests.mail.spoofs import away, failed, mail, report

OFFICE = make_office()
ANN = ("From", "Ann <ann@example.org>")


def sign_of(*headers: tuple[str, str], sender: str | None = "ann@example.org") -> str | None:
    raw = mail(*headers, body="F2>G4\r\n")
    found = judge(OFFICE, make_inbound(raw, sender=sender), read_message(raw))
    return None if found is None else found.reason


@pytest.mark.parametrize(
    ("header", "value", "sign"),
    [
        ("Auto-Submitted", "auto-replied", "auto_submitted"),
        ("AUTO-SUBMITTED", "Auto-Generated", "auto_submitted"),
        ("Auto-Submitted", 'auto-notified; owner-email="ann@example.org"', "auto_submitted"),
        ("Auto-Submitted", "(no) auto-replied", "auto_submitted"),
        ("Auto-Submitted", "no-longer", "auto_submitted"),
        ("Auto-Submitted", "", "auto_submitted"),
        ("Auto-Submitted", "no (left open", "auto_submitted"),
        ("Precedence", "bulk", "precedence"),
        ("Precedence", "LIST", "precedence"),
        ("Precedence", "junk", "precedence"),
        ("Precedence", "auto_reply", "precedence"),
        ("Precedence", "auto-reply", "precedence"),
        ("List-Id", "<ortus.example.net>", "list"),
        ("X-Autoreply", "yes", "autoreply"),
        ("X-Autorespond", "", "autoreply"),
        ("Content-Type", 'multipart/report; boundary="b"', "report"),
        ("Content-Type", "Multipart/Report (x); report-type=delivery-status", "report"),
        (LOOP_HEADER, DOMAIN.upper(), "own_mail"),
        ("Message-ID", f"<{KEYS.message_name('0123')}@{DOMAIN}>", "own_mail"),
    ],
)
def test_signs_of_a_machine(header: str, value: str, sign: str) -> None:
    assert sign_of(ANN, (header, value)) == sign


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Auto-Submitted", "no"),
        ("Auto-Submitted", "NO; x=y"),
        ("Auto-Submitted", "no (a person)"),
        ("X-Auto-Response-Suppress", "All"),
        ("Precedence", "first-class"),
        ("Precedence", "normal"),
        ("List-Unsubscribe", "<mailto:x@example.org>"),
        ("Content-Type", "multipart/mixed; boundary=report"),
        (LOOP_HEADER, "other.example.org"),
        ("Message-ID", f"<0123@{DOMAIN}>"),
        ("Message-ID", f"<{KEYS.message_name('0123')}@example.org>"),
        ("In-Reply-To", f"<{KEYS.message_name('0123')}@{DOMAIN}>"),
        ("Subject", "Auto-Submitted: auto-replied"),
    ],
)
def test_people_have_none(header: str, value: str) -> None:
    assert sign_of(ANN, (header, value)) is None


def test_one_sign_among_several_headers_is_enough() -> None:
    twice = [("Auto-Submitted", "no"), ("Auto-Submitted", "auto-replied")]
    assert sign_of(ANN, *twice) == "auto_submitted"


@pytest.mark.parametrize("sender", ["", "<>"])
def test_an_empty_return_path(sender: str) -> None:
    assert sign_of(ANN, sender=sender) == "empty_return_path"


def test_where_the_envelope_is_not_known_the_header_tells_it() -> None:
    empty, some = ("Return-Path", "<>"), ("Return-Path", "<ann@example.org>")
    assert sign_of(ANN, sender=None) is None
    assert sign_of(empty, ANN, sender=None) == "empty_return_path"
    assert sign_of(some, ANN, sender=None) is None
    assert sign_of(empty, ANN, sender="ann@example.org") is None


@pytest.mark.parametrize("local", ["play", "join", "POSTMASTER", f"abcd2345.{'a' * 26}"])
def test_our_own_addresses_do_not_write_to_us(local: str) -> None:
    ours = f"{local}@{DOMAIN}"
    assert sign_of(("From", f"Ortus <{ours}>")) == "own_address"
    assert sign_of(("From", f"ann@example.org, {ours}")) == "own_address"
    assert sign_of(ANN, ("From", ours)) == "own_address"
    assert sign_of(ANN, sender=ours) == "own_address"
    assert sign_of(("From", f'"{ours}" <ann@example.org>')) is None


def test_reports_and_people_who_are_away() -> None:
    for raw in (report(failed("ann@example.org")), away()):
        assert judge(OFFICE, make_inbound(raw), read_message(raw)) == Machine("auto_submitted")


# -- limits -------------------------------------------------------------------------------------


def test_a_stranger_is_told_the_same_once_a_day(store: Store) -> None:
    def asked(address: str, reason: str = "unknown", hours: float = 0) -> bool:
        with store.begin() as unit:
            return may_answer(unit, OFFICE, address, reason, NOON + timedelta(hours=hours))

    assert asked("x@example.net")
    assert not asked("x@example.net")
    assert not asked("x+1@example.net", hours=23)
    assert asked("x@example.net", "another reason")
    assert asked("y@example.net")
    assert asked("x@example.net", hours=25)


def test_no_address_gets_more_than_so_many_answers_an_hour(store: Store) -> None:
    office = make_office(answers_an_hour=3)

    def answered(hours: float) -> int:
        with store.begin() as unit:
            now = NOON + timedelta(hours=hours)
            return sum(
                may_answer(unit, office, f"x+{number}@example.net", f"{hours}/{number}", now)
                for number in range(10)
            )

    assert answered(0) == 3
    assert answered(0.5) == 0
    assert answered(1.5) == 3

"""Only the configured server's word on a sender counts, and it cannot be forged (L3.3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.auth_results import find_verdict
from pbem.mail.parts import read_message
from tests.mail.spoofs import AUTHSERV, FALSE_PASSES, HIDDEN_FAILS, mail, results

ANN = "ann@example.org"


def verdict(*values: str, authserv: str | None = AUTHSERV, sender: str | None = ANN) -> str:
    return find_verdict(read_message(mail(*results(values))), authserv, sender)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("{id}; dmarc=pass header.from=example.org", "pass"),
        ("{id}; dkim=pass header.d=x.org; dmarc=pass (p=reject) header.from=EXAMPLE.org", "pass"),
        ("{id} 1; DMARC=Pass", "pass"),
        ('"{id}"; dmarc=pass header.from="example.org"', "pass"),
        ("{id}; dmarc=fail (p=none) header.from=example.org", "fail"),
        ("{id};\r\n\tspf=pass;\r\n\tdmarc=fail", "fail"),
        ("{id}; dmarc=pass header.from=example.net", "fail"),
        ("{id}; dmarc=none header.from=example.org", "unknown"),
        ("{id}; dmarc=temperror", "unknown"),
        ("{id}; spf=pass", "unknown"),
        ("{id}; none", "unknown"),
        ("{id}", "unknown"),
        ("mx.example.net; dmarc=fail", "unknown"),
        ("mx.example.net; dmarc=pass", "unknown"),
    ],
)
def test_what_one_header_says(value: str, found: str) -> None:
    assert verdict(value) == found


@pytest.mark.parametrize("name", HIDDEN_FAILS)
def test_a_fail_cannot_be_hidden(name: str) -> None:
    assert verdict(*HIDDEN_FAILS[name]) == "fail"


@pytest.mark.parametrize("name", FALSE_PASSES)
def test_a_pass_cannot_be_forged(name: str) -> None:
    assert verdict(*FALSE_PASSES[name]) != "pass"


def test_further_down_trust_is_only_taken_away() -> None:
    yes, no = "{id}; dmarc=pass header.from=example.org", "{id}; dmarc=fail"
    assert verdict(yes, yes) == "pass"
    assert verdict(yes, no) == "fail"
    assert verdict(no, yes) == "fail"
    assert verdict("{id}; spf=pass", yes) == "unknown"
    assert verdict("mx.example.net; dmarc=fail", yes) == "pass"


def test_with_no_server_configured_nothing_counts() -> None:
    assert verdict("{id}; dmarc=pass", authserv=None) == "unknown"
    assert verdict("{id}; dmarc=fail", authserv=None) == "unknown"


def test_names_are_compared_without_case_and_foreign_domains_in_one_spelling() -> None:
    assert verdict("{id}; dmarc=fail", authserv=AUTHSERV.upper()) == "fail"
    foreign = "ann@xn--bcher-kva.example"
    assert verdict("{id}; dmarc=pass header.from=b\u00fccher.example", sender=foreign) == "pass"


WORDS = ["dmarc", "=", "fail", ";", " ", "(", ")", '"', "\\", "x@y", "header.from=example.org"]


@given(st.lists(st.sampled_from([*WORDS, "pass"]), max_size=12).map("".join))
def test_what_the_sender_writes_into_our_header_makes_no_pass_of_a_fail(text: str) -> None:
    assert verdict("{id}; spf=pass smtp.mailfrom=" + text + "; dmarc=fail") != "pass"

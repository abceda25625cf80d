"""The same game through a real mail server: Postfix hands our mail to us by LMTP and sends ours.

Skipped, with the reason, where there is no Postfix; ``PBEM_REQUIRE_POSTFIX=1`` makes that a
failure.
"""

from __future__ import annotations

import os
import shutil
import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.functional.house import DOMAIN, House, open_house
from tests.functional.mails import Mail
from tests.functional.postfix import Postfix, running_postfix, why_not
from tests.functional.raw_smtp import hand_over
from tests.functional.sink import Sink
from tests.functional.story import Story
from tests.play.hasty_store import HastyStore


@dataclass
class Behind:
    """A server of ours behind a Postfix."""

    house: House
    postfix: Postfix


@pytest.fixture(scope="module")
def behind(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    reason = why_not()
    if reason is not None:
        if os.environ.get("PBEM_REQUIRE_POSTFIX"):
            pytest.fail(reason)
        pytest.skip(reason)
    file = tmp_path_factory.mktemp("postfix") / "pbem.sqlite3"
    shutil.copy(migrated_sqlite, file)
    store = HastyStore.open(f"sqlite:///{file}")
    with Sink() as sink, open_house(store, sink, protocol="lmtp") as house:
        ports = {"lmtp_port": house.listener.port, "relay_port": sink.port}
        with running_postfix(DOMAIN, **ports) as postfix:
            house.way_in = postfix.port
            house.send_through(postfix.submission_port)
            yield Behind(house, postfix)
    store.dispose()


def refuse_for_good(house: House, go_on: Callable[[], Mail]) -> None:
    """Ann's server knows no such mailbox: Postfix tells us so at the return-path."""
    house.sink.refuse("ann@example.org", "550 5.1.1 there is no such mailbox")
    house.astray += 1
    reported = house.arrivals.count + 2  # what Beau sends, and the report
    go_on()
    house.arrivals.wait_for(reported)
    house.work()


def test_a_whole_game_through_postfix(behind: Behind) -> None:
    Story(behind.house, bounce=refuse_for_good).tell()
    log = behind.postfix.log()
    assert "status=bounced" in log
    assert "fatal" not in log


def test_only_our_addresses_are_taken(behind: Behind) -> None:
    """What we would refuse is refused at the door, and nobody else's mail is carried (L2.1)."""
    with smtplib.SMTP("127.0.0.1", behind.postfix.port, timeout=60) as client:
        client.ehlo("example.net")
        client.mail("mallory@example.net")
        assert client.rcpt(f"play@{DOMAIN}")[0] == 250
        assert client.rcpt(f"nobody@{DOMAIN}")[0] == 550
        assert client.rcpt(f"postmaster@{DOMAIN}")[0] == 250
        # Not even for a neighbour: behind a container's gateway all the world seems to be one.
        assert client.rcpt("somebody@elsewhere.example")[0] == 554
    with smtplib.SMTP("127.0.0.1", behind.postfix.submission_port, timeout=60) as client:
        client.ehlo("example.net")
        client.mail(f"play@{DOMAIN}")
        assert client.rcpt("somebody@elsewhere.example")[0] == 250


def test_nothing_is_smuggled(behind: Behind) -> None:
    """What looks like the end of a mail to some servers is none for Postfix, nor for us (L2.4)."""
    house, ours = behind.house, DOMAIN.encode()
    for ending in (b"\n.\n", b"\n.\r\n", b"\r\n.\n", b"\r.\r"):
        stored, sent = house.arrivals.count, len(house.sink.all_mails())
        hidden = b"MAIL FROM:<ann@example.org>\r\nRCPT TO:<help@%s>\r\nDATA\r\n" % ours
        outer = b"From: mallory@example.net\r\nPrecedence: bulk\r\nX-Ending: %r\r\n\r\nx" % ending
        inner = b"From: ann@example.org\r\n\r\nhelp\r\n"
        raw = outer + ending + hidden + inner
        replies = hand_over(behind.postfix.port, "mallory@example.net", [f"help@{DOMAIN}"], raw)
        assert replies[-1].startswith("250")
        house.arrivals.wait_for(stored + 1)
        house.work()
        assert house.arrivals.count == stored + 1
        assert len(house.sink.all_mails()) == sent


def test_nobody_vouches_for_themselves(behind: Behind) -> None:
    """Results in the name of this host that came in with a mail are dropped (L3.3)."""
    house, ours = behind.house, f"mail.{DOMAIN}"
    stored = house.arrivals.count
    raw = (
        f"Authentication-Results: {ours}; dmarc=pass\r\n"
        f"authentication-results: (a comment)\r\n {ours.upper()} 1; dmarc=pass\r\n"
        "Authentication-Results: mx.example.com; dmarc=pass\r\n"
        "From: mallory@example.net\r\nPrecedence: bulk\r\n\r\nhello\r\n"
    ).encode()
    hand_over(behind.postfix.port, "mallory@example.net", [f"help@{DOMAIN}"], raw)
    house.arrivals.wait_for(stored + 1)
    with house.around.store.read() as unit:
        inbound = unit.find_inbound(house.arrivals.last)
    assert inbound is not None
    kept = inbound.arrival.raw.lower()
    assert kept.count(b"authentication-results:") == 1
    assert b"authentication-results: mx.example.com" in kept

"""The reckoning after faults finds what is lost and what came twice."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import make_url, text

from deploy.load.arranging import arrange
from deploy.load.auditing import Audit, Copies, audit
from deploy.load.breaking import Broken
from deploy.load.players import Noted, Players
from deploy.load.posting import Mail, Post
from deploy.load.servers import DOMAIN, SECRET
from deploy.load.sink import Sink, read_mail
from pbem.bootstrap import make_office, open_surroundings
from pbem.config import Settings
from pbem.mail.keys import Keys
from pbem.mail.office import Office
from pbem.mail.patience import IN_HAND
from pbem.mail.reading import read_waiting
from pbem.mail.receive import receive
from pbem.mail.sending import send_waiting
from pbem.mail.transport import Delivered
from pbem.play.ports import Surroundings
from pbem.store.database import make_engine

ROUNDS = 4


class _Doorstep(Post):
    """Mails of players, stored as a listener stores them; nothing is open."""

    def __init__(self) -> None:
        self.left: list[Mail] = []

    def send(self, mail: Mail) -> None:
        self.left.append(mail)


class _Hands:
    """The way out: straight into the players' hands."""

    players: Players

    def send(self, envelope_from: str, recipient: str, data: bytes) -> Delivered:
        self.players.take(read_mail(data, recipient))
        return Delivered("taken")

    def check(self) -> None:
        pass

    def close(self) -> None:
        pass


@dataclass
class Played:
    """A few turns of one game, by mail, of which nothing went wrong; in a store of its own."""

    players: Players
    database_url: str


@pytest.fixture(scope="module")
def template(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("audit")
    url = f"sqlite:///{shutil.copy(migrated_sqlite, folder / 'pbem.sqlite3')}"
    settings = Settings(folder, url, DOMAIN, f"https://{DOMAIN}", secret=SECRET.encode())
    with open_surroundings(settings) as opened:
        around = replace(opened, entropy=Random("audit").randbytes)
        return Played(_play(around, make_office(settings)), url)


def _play(around: Surroundings, office: Office) -> Players:
    post, hands = _Doorstep(), _Hands()
    hands.players = players = Players(arrange(around, 1, datetime.now(UTC)), post)
    for _ in range(ROUNDS):
        send_waiting(around, office, hands, datetime.now(UTC), 100)
        for mail in post.left:
            receive(
                around,
                office,
                [mail.recipient],
                mail.raw,
                sender=mail.sender,
                via="smtp",
                now=datetime.now(UTC),
            )
            mail.accepted_at = time.monotonic()
            mail.first_tried = mail.last_answered = time.time()
        post.left.clear()
        read_waiting(around, office, datetime.now(UTC), 100)
    send_waiting(around, office, hands, datetime.now(UTC), 100)
    for mail in post.left:
        del players.submissions[mail.message_id]
    return players


@pytest.fixture
def played(template: Played, tmp_path: Path) -> Iterator[Played]:
    """What a test may spoil."""
    original = str(make_url(template.database_url).database)
    copied = shutil.copy(original, tmp_path / "pbem.sqlite3")
    arrivals = template.players.arrivals[:]
    yield Played(template.players, f"sqlite:///{copied}")
    template.players.arrivals[:] = arrivals


def look(
    played: Played,
    *tampering: str,
    unsaid: Sequence[str] = (),
    broken: Sequence[Broken] = (),
) -> Audit:
    """What the reckoning says of a store in which somebody has tampered."""
    sink = Sink(lambda mail: None)
    sink.unsaid.update(unsaid)
    engine = make_engine(played.database_url)
    with engine.begin() as connection:
        for statement in tampering:
            connection.execute(text(statement))
    found = audit(engine, Keys(SECRET.encode()), played.players, sink, broken)
    engine.dispose()
    return found


def test_where_nothing_went_wrong_nothing_is_found(played: Played) -> None:
    found = look(played)
    assert found.accepted == found.played >= ROUNDS
    assert found.mails == len(played.players.arrivals) > ROUNDS
    assert not found.remarks
    assert (found.lost, found.missing, found.waiting, found.dead, found.unknown) == (0,) * 5
    assert (found.unsent, found.mistimed, found.unanswered) == (0,) * 3
    assert found.longest_wait > 0


def test_a_submission_that_is_in_no_log_is_lost(played: Played) -> None:
    cut = "UPDATE log_entries SET key = NULL WHERE number = (SELECT max(number) FROM log_entries)"
    found = look(played, cut, "UPDATE inbound SET state = 'held'")
    assert (found.lost, found.played) == (1, found.accepted - 1)


def test_a_mail_that_was_not_stored_is_lost(played: Played) -> None:
    found = look(played, "DELETE FROM inbound WHERE id = (SELECT max(id) FROM inbound)")
    assert found.lost == 1


def test_what_is_in_a_log_and_nobody_has_sent_is_told(played: Played) -> None:
    submissions = played.players.submissions
    name, newest = next(reversed(submissions.items()))
    del submissions[name]
    try:
        assert look(played).unsent == 1
    finally:
        submissions[name] = newest


def test_a_submission_that_counts_as_of_another_instant_is_told(played: Played) -> None:
    """As of its reading, say, and not of its arrival (L1.6)."""
    newest = list(played.players.submissions.values())[-1].mail
    taken = newest.last_answered
    assert taken is not None
    newest.first_tried = newest.last_answered = taken - 60
    try:
        found = look(played)
    finally:
        newest.first_tried = newest.last_answered = taken
    assert found.mistimed == 1
    assert len(found.remarks) == 1


def test_a_submission_without_an_answer_is_told(played: Played) -> None:
    newest = list(played.players.submissions.values())[-1]
    answered, newest.answered_at = newest.answered_at, None
    try:
        assert look(played).unanswered == 1
    finally:
        newest.answered_at = answered


def test_a_mail_of_ours_that_did_not_arrive_is_missed(played: Played) -> None:
    played.players.arrivals.pop()
    assert look(played).missing == 1


def test_mails_that_are_given_up_or_wait_are_told(played: Played) -> None:
    newest = "(SELECT max(id) FROM notices)"
    dead = look(played, f"UPDATE notices SET state = 'dead' WHERE id = {newest}")
    assert (dead.dead, dead.waiting) == (1, 0)
    waits = look(played, f"UPDATE notices SET state = 'new' WHERE id = {newest}")
    assert (waits.dead, waits.waiting) == (0, 1)


class TestCopies:
    """A mail that came twice has a witness, or is a fault."""

    @pytest.fixture
    def copy(self, played: Played) -> Noted:
        copy = played.players.arrivals[-1]
        played.players.arrivals.append(copy)
        return copy

    def test_without_a_reason_it_is_a_fault(self, played: Played, copy: Noted) -> None:
        assert look(played).copies.without_reason == 1

    def test_kept_and_not_said(self, played: Played, copy: Noted) -> None:
        assert look(played, unsaid=[copy.message_id]).copies == Copies(unsaid=1)
        assert look(played, unsaid=["<another@mail>"]).copies.without_reason == 1
        played.players.arrivals.append(copy)
        once = look(played, unsaid=[copy.message_id]).copies
        assert once == Copies(unsaid=1, without_reason=1)

    def test_killed_before_it_was_noted(self, played: Played, copy: Noted) -> None:
        played.players.arrivals[-1] = replace(copy, at=copy.at + 25)
        killed = Broken("sender", copy.at + 5, copy.at + 7, couriers=1)
        assert look(played, broken=[killed]).copies == Copies(unnoted=1)
        for other in (
            replace(killed, couriers=0),
            replace(killed, began=copy.at - 5),
            replace(killed, began=copy.at + 30),
        ):
            assert look(played, broken=[other]).copies.without_reason == 1

    def test_who_waits_for_a_database_does_not_wait_for_ever(
        self, played: Played, copy: Noted
    ) -> None:
        played.players.arrivals[-1] = replace(copy, at=copy.at + 2 * IN_HAND)
        killed = Broken("sender", copy.at + 1.5 * IN_HAND, copy.at + 1.6 * IN_HAND, couriers=1)
        assert look(played, broken=[killed]).copies.without_reason == 1

    def test_each_courier_has_one_mail_in_hand(self, played: Played, copy: Noted) -> None:
        played.players.arrivals[-1] = replace(copy, at=copy.at + 2)
        another = played.players.arrivals[0]
        played.players.arrivals.append(replace(another, at=copy.at + 2))
        killed = Broken("sender", copy.at + 1, copy.at + 1, couriers=1)
        assert look(played, broken=[killed]).copies == Copies(unnoted=1, without_reason=1)
        two = replace(killed, couriers=2)
        assert look(played, broken=[two]).copies == Copies(unnoted=2)
        assert look(played, broken=[killed, killed]).copies == Copies(unnoted=2)


def test_an_answer_comes_twice_to_a_mail_that_came_twice(played: Played) -> None:
    answered = [each for each in played.players.arrivals if each.subject.find("] Played: ") > 0]
    played.players.arrivals.append(answered[0])
    found = look(played, "UPDATE inbound SET repeats = 1")
    assert found.copies == Copies(wanted=1)
    assert not found.remarks
    played.players.arrivals.append(answered[0])
    assert look(played).copies == Copies(wanted=1, without_reason=1)


def test_mails_that_are_not_ours_are_told(played: Played) -> None:
    other = read_mail(b"Message-ID: <what@is.this>\r\n\r\nHello\r\n", "p0.gold@players.example")
    played.players.take(other)
    assert look(played).unknown == 1

"""Several use cases in one unit: kept together, undone alone when one of them refuses (L1.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from pbem.errors import StoreConflictError, StoreError
from pbem.games.base import OptionsError
from pbem.play import farewell, games, invitations, leave, outages, players
from pbem.play.errors import NotAllowedError, PlayError
from pbem.play.model import Notice, Player, Preferences
from pbem.play.ports import Surroundings
from pbem.play.post import HANDLED, NEW, Arrival
from pbem.schedule.errors import ScheduleError
from tests.ortus.drawing import DEFAULT_SETUP
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, Club, Match, at

SETUP = f"setup {DEFAULT_SETUP}"


@pytest.fixture
def match(club: Club) -> Match:
    return club.study(TWO_ARCHERS, clock="10d")


def test_all_is_kept_together(club: Club, match: Match) -> None:
    gold = match.players[0]
    with club.store.begin() as unit:
        inner = club.around.within(unit)
        players.rename(inner, gold.id, "Ann")
        done = games.submit(inner, match.id, 0, "end", arrived=at(1))
        assert isinstance(done, games.Taken)
        games.write_message(inner, match.id, 0, "your turn", now=at(1))
        with inner.store.read() as reading:
            assert games.get_stored(reading, match.id).entries == 2
    assert match.asked() == [("black", "turn")]
    with club.store.read() as unit:
        found = unit.find_player(gold.id)
        assert found is not None
        assert found.name == "Ann"
        assert len(unit.messages_of(match.id)) == 1
    match.verify()


def test_all_is_undone_together(club: Club, match: Match) -> None:
    before = club.contents()

    def work() -> None:
        with club.store.begin() as unit:
            inner = club.around.within(unit)
            games.submit(inner, match.id, 0, "end", arrived=at(1))
            players.join(inner, "Ann", "ann@example.org", now=NOON)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert club.contents() == before


def too_early(around: Surroundings, player: Player) -> object:
    return leave.take_leave(around, player.id, date(2026, 11, 17), date(2026, 11, 20), now=NOON)


REFUSED: dict[str, tuple[type[Exception], Callable[[Surroundings, Match], object]]] = {
    "play": (
        PlayError,
        lambda around, match: games.submit(around, "none", 0, "end", arrived=at(1)),
    ),
    "options": (
        OptionsError,
        lambda around, match: invitations.invite(
            around, match.players[0].id, None, {"level": "none"}, now=NOON
        ),
    ),
    "schedule": (ScheduleError, lambda around, match: too_early(around, match.players[0])),
    "request": (
        NotAllowedError,
        lambda around, match: games.submit(
            around, match.id, 0, "end", arrived=at(900), request_id="none.0.0"
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_is_undone_alone(club: Club, match: Match, name: str) -> None:
    error, refused = REFUSED[name]
    with club.store.begin() as unit:
        inner = club.around.within(unit)
        players.rename(inner, match.players[0].id, "Before")
        with pytest.raises(error):
            refused(inner, match)
        players.rename(inner, match.players[1].id, "After")
        done = games.submit(inner, match.id, 0, "end", arrived=at(1))
        assert isinstance(done, games.Taken)
    with club.store.read() as unit:
        names = [unit.find_player(player.id) for player in match.players]
        assert [each and each.name for each in names] == ["Before", "After"]
    assert match.texts() == [(0, "end")], "no flag fell for good when the third was refused"
    match.verify()


def test_a_part_that_fails_leaves_nothing(club: Club, match: Match) -> None:
    gold = match.players[0].id

    def fail(around: Surroundings) -> None:
        with around.store.begin() as unit:
            games.submit(around.within(unit), match.id, 0, "end", arrived=at(1))
            unit.add_notice(Notice("cause", gold, "news", NOON))
            raise NotAllowedError

    with club.store.begin() as unit:
        inner = club.around.within(unit)
        with pytest.raises(NotAllowedError):
            fail(inner)
        unit.add_notice(Notice("other", gold, "news", NOON))
        assert unit.notices_for("cause") == []
        done = games.submit(inner, match.id, 0, "end", arrived=at(2))
        assert isinstance(done, games.Taken)
        assert done.entry.at == at(2)
    assert match.notices_for("other")
    assert match.texts() == [(0, "end")]
    match.verify()


def test_a_fault_of_the_store_spoils_it_all(club: Club, match: Match) -> None:
    before = club.contents()

    def fail(around: Surroundings) -> None:
        with around.store.begin() as unit:
            unit.add_notice(Notice("cause", 10**6, "news", NOON))

    def work() -> None:
        with club.store.begin() as unit:
            inner = club.around.within(unit)
            players.rename(inner, match.players[0].id, "Ann")
            with pytest.raises(StoreConflictError):
                fail(inner)
            players.rename(inner, match.players[0].id, "Beau")

    with pytest.raises(StoreError):
        work()
    assert club.contents() == before


def test_every_use_case_works_inside(club: Club) -> None:
    """One unit does it all, as a long mail might."""
    with club.store.begin() as unit:
        around = club.around.within(unit)
        ann, beau, cy = (
            players.join(around, name, f"{name}@example.org", now=NOON, verified=True)
            for name in ("ann", "beau", "cy")
        )
        players.add_address(around, ann.id, "a@example.net", now=NOON)
        players.verify_address(around, ann.id, "a@example.net", now=NOON)
        players.choose_addresses(
            around, ann.id, preferred="a@example.net", fallback="ann@example.org"
        )
        players.drop_address(around, ann.id, "ann@example.org")
        invitation = invitations.invite(around, ann.id, beau.id, {}, now=NOON, host_seat=0)
        game = invitations.accept(around, beau.id, invitation.id, now=NOON)
        other = invitations.invite_address(around, ann.id, "dee@example.org", {}, now=NOON)
        invitations.decline(around, ann.id, other.id, now=NOON)
        for seat in (0, 1):
            done = games.submit(around, game.id, seat, SETUP, arrived=at(1))
            assert isinstance(done, games.Taken)
        players.set_preferences(around, ann.id, Preferences(delivery="none"), now=at(1))
        players.set_general_rules(around, ann.id, "fall all", now=at(1))
        leave.offer_leave(around, ann.id, date(2027, 1, 1), date(2027, 1, 2), now=at(1))
        leave.take_leave(around, ann.id, date(2027, 1, 1), date(2027, 1, 2), now=at(1))
        leave.end_leave(around, ann.id, date(2027, 1, 1), now=at(1))
        leave.stop_clocks(around, beau.id, now=at(1))
        leave.resume_clocks(around, beau.id, now=at(2))
        games.write_note(around, game.id, 0, "note", now=at(2))
        games.write_message(around, game.id, 0, "hello", now=at(2))
        assert games.undo(around, game.id, 0, now=at(2)) is None
        outages.note_pulse(around, at(2), is_well=True)
        games.sweep(around, at(2))
        farewell.merge(around, cy.id, beau.id, now=at(2))
        farewell.export(around, ann.id)
        games.rule(around, game.id, 0, now=at(3))
        rematch = invitations.rematch(around, ann.id, game.id, now=at(3))
        farewell.delete(around, cy.id, now=at(3))
        farewell.forget_guests(around, now=at(24 * 31))
    match = Match(club, game.id, (ann, cy))
    match.verify()
    with club.store.read() as unit:
        withdrawn = unit.find_invitation(rematch.id)
        assert withdrawn is not None
        assert withdrawn.outcome == "withdrawn"
        assert unit.find_address("dee@example.org") is None


# -- a mail is one unit -------------------------------------------------------------------------


def a_mail(club: Club, hours: float) -> int:
    arrival = Arrival("key", "reply/x", "ann@example.org", None, b"end", at(hours), "smtp")
    with club.store.begin() as unit:
        return unit.add_inbound(arrival)


def read_mail(club: Club, number: int, match: Match, text: str) -> bool:
    """As a reader does it; whether anything was done."""
    with club.store.begin() as unit:
        inbound = unit.lock_inbound(number)
        if inbound is None or inbound.state != NEW:
            return False
        if inbound.outcome:
            unit.save_inbound(replace(inbound, state=HANDLED))
            return False
        games.submit(
            club.around.within(unit),
            match.id,
            0,
            text,
            arrived=inbound.arrival.arrived,
            key=f"mail/{inbound.id}",
        )
        outcome = {"answer": [f"mail/{inbound.id}", match.players[0].id, "receipt"]}
        unit.save_inbound(replace(inbound, state=HANDLED, outcome=outcome))
        return True


def test_a_mail_is_played_once_however_often_it_comes(club: Club, match: Match) -> None:
    number = a_mail(club, 1)
    assert read_mail(club, number, match, "end")
    before = match.entries()
    for _ in range(3):
        assert a_mail(club, 5) == number
        assert not read_mail(club, number, match, "end")
        assert not read_mail(club, number, match, "end")
    assert match.entries() == before


def test_what_was_undone_is_not_taken_again(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="10d", correction="2h")
    number = a_mail(club, 1)
    assert read_mail(club, number, match, "end")
    assert match.undo("gold", 2) is not None
    assert a_mail(club, 2) == number
    assert not read_mail(club, number, match, "end")
    assert match.stored.held == ()
    # Nor if somebody handed it in with its key a second time.
    with pytest.raises(NotAllowedError) as caught:
        match.submit("gold", "end", 2, key=f"mail/{number}")
    assert caught.value.code == "submission_undone"
    match.hold("gold", "end", 2, key="another")
    club.sweep(at(4))
    assert match.texts() == [(0, "end")]
    match.verify()


def test_what_was_refused_is_not_tried_again(club: Club, match: Match) -> None:
    """It might have become legal meanwhile."""
    number = a_mail(club, 1)
    assert read_mail(club, number, match, "W1 > A1")
    assert match.texts() == []
    assert a_mail(club, 2) == number
    assert not read_mail(club, number, match, "end")
    assert match.texts() == []

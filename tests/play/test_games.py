"""Games through the use cases, part by part (R2, R6, R8, N1.6–N3, L1.2, L6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from pbem.games.base import Preview, Refused
from pbem.play import games, players
from pbem.play.errors import NoSuchGameError, NotAllowedError
from pbem.play.model import Preferences
from tests.ortus.drawing import HOUSES
from tests.ortus.games import SIX, TWO_ARCHERS, WAVE
from tests.play.club import NOON, TICK, Club, Match, at

HOUR = timedelta(hours=1)
SHOT = "W1 rng I4"


def names(done: games.Taken) -> list[str]:
    return [event.name for event in done.done.events]


# -- the opening --------------------------------------------------------------------------------


def test_setups_are_secret_until_both_are_in(club: Club) -> None:
    match = club.start()
    assert match.asked() == [("gold", "setup"), ("black", "setup")]
    match.send("black", "setup FWEAAEWF", 1)
    assert match.asked() == [("gold", "setup")]
    assert match.notices(1) == {"black": "receipt"}
    assert match.state.view(0).setups == (None, None)
    assert match.refused("black", "setup WFEAAEFW", 2) == "setup_already_in"
    done = match.send("gold", "setup WFEAAEFW", 3)
    assert "setups_shown" in names(done)
    assert match.state.view(0).setups == ("WFEAAEFW", "FWEAAEWF")
    assert [kind for _, kind in match.asked()] == ["turn"]
    match.verify()


def test_bids(club: Club) -> None:
    match = club.start(bid=True, starter="gold")
    match.set_up(1)
    first = match.request()
    assert match.asked() == [("black", "bid")]
    assert match.refused("black", "bid 7", 2) == "bid_not_lower"
    match.send("black", "bid 5", 3, request_id=first.id)
    assert match.asked() == [("gold", "bid")]
    match.send("gold", "bid 4", 4)
    again = match.request()
    assert (again.seat, again.kind, again.id != first.id) == (1, "bid", True)
    match.send("black", "pass", 5)
    assert match.asked() == [("gold", "turn")]
    position = match.state.position
    assert position is not None
    assert position.energy == (4, 14)
    match.verify()


# -- turns, defences, plans ---------------------------------------------------------------------


def test_a_turn_in_parts(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    turn = match.request()
    match.send("gold", "F2>I6", 1)
    assert match.request() == turn, "the same question is still open"
    match.send("gold", SHOT, 2)
    defence = match.request()
    assert match.asked() == [("black", "defence")]
    assert match.notices(2) == {"gold": "receipt", "black": "defence_request"}
    assert match.refused("gold", "end", 3) == "defence_open"
    match.send("black", "I4-", 4)
    going_on = match.request()
    assert match.asked() == [("gold", "turn")]
    assert going_on.id != turn.id
    assert match.notices(3) == {"gold": "turn_request", "black": "receipt"}
    match.send("gold", "end", 5)
    assert match.asked() == [("black", "turn")]
    closed = {row.id: (row.closed_by, row.closed_at) for row in match.requests(only_open=False)}
    assert closed[turn.id] == (2, at(2))
    assert closed[defence.id] == (3, at(4))
    assert closed[going_on.id] == (4, at(5))
    assert match.stored.turns == 1
    assert match.stored.trips.asked == 1
    match.verify()


def test_a_submission_is_all_or_nothing(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    before = club.contents()
    assert match.refused("gold", "F2>I6; W1 str N8", 1) != ""
    assert match.refused("black", "end", 1) == "not_your_turn"
    assert match.refused("gold", "\0\ud800", 1) != ""
    assert club.contents() == before, "a refusal stops nothing (R9.3)"


def test_a_plan_runs_on(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("gold", f"{SHOT} [-: end | +: F2 rng I4 [-: end]]; W1>F5; end", 1)
    match.send("black", "I4+", 2)
    assert match.asked() == [("black", "defence")]
    done = match.send("black", "I4-", 3)
    assert match.asked() == [("black", "turn")]
    assert "turn_ended" in names(done)
    assert match.notices(3) == {"black": "receipt", "gold": "news"}
    assert match.stored.trips.by_plans == 2
    match.verify()


def test_a_plan_stops_at_what_is_illegal(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    taken = match.send("gold", f"{SHOT}; F2 rng I4; end", 1)
    assert len(taken.done.forecasts) == 1, "one outcome in which it cannot all be done"
    done = match.send("black", "I4-", 2)
    (stopped,) = [event for event in done.done.events if event.name == "plan_stopped"]
    assert (stopped.only_for, stopped.facts["reason"]) == (0, "illegal")
    assert match.asked() == [("gold", "turn")]
    assert match.state.waiting is None
    match.verify()


def test_a_plan_stops_at_a_draw_offer(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("gold", f"{SHOT}; end", 1)
    done = match.send("black", "draw?", 2)
    assert "plan_stopped" in names(done)
    match.send("black", "I4-", 3)
    assert match.asked() == [("gold", "turn")]
    assert match.state.view(0).offers == (False, True)
    match.send("gold", "draw+", 4)
    assert match.result() == (None, "agreement")
    match.verify()


@pytest.mark.parametrize("asked_for", [True, False])
def test_a_plan_stops_at_a_message_if_asked_for(club: Club, asked_for: bool) -> None:
    match = club.study(TWO_ARCHERS, gold=club.join(messages_stop_plans=asked_for))
    games.write_message(club.around, match.id, 1, "Nothing waits yet", now=at(0.5))
    assert match.stored.entries == 1
    match.send("gold", f"{SHOT}; end", 1)
    games.write_message(club.around, match.id, 1, "Are you sure?", now=at(2))
    assert match.texts(2) == ([(None, "halt: message")] if asked_for else [])
    match.send("black", "I4-", 3)
    assert match.asked() == ([("gold", "turn")] if asked_for else [("black", "turn")])
    match.verify()


def test_ones_own_message_stops_no_plan(club: Club) -> None:
    both = {house: club.join(messages_stop_plans=True) for house in HOUSES}
    match = club.study(TWO_ARCHERS, **both)
    match.send("gold", f"{SHOT}; end", 1)
    games.write_message(club.around, match.id, 0, "Think well.", now=at(2))
    assert match.stored.entries == 2
    match.send("black", "I4-", 3)
    assert match.asked() == [("black", "turn")]
    with club.store.read() as unit:
        (message,) = unit.messages_of(match.id)
    assert (message.seat, message.entry, message.text) == (0, 1, "Think well.")


def test_standing_rules_answer(club: Club) -> None:
    match = club.study(WAVE)
    done = match.send("black", "standing: fall F2; block all <=1", 1)
    assert match.notices(1) == {"black": "receipt"}
    assert {event.only_for for event in done.done.events} == {1}
    match.send("gold", "A4 wave G6@F6; end", 2)
    assert match.asked() == [("black", "defence")], "of W1 no rule speaks"
    match.send("black", "fall", 3)
    assert match.asked() == [("black", "turn")], "the rest was answered by the rules"
    assert match.stored.trips == match.stored.trips.__class__(asked=1, by_rules=2, by_plans=1)
    match.verify()


def test_several_victims_are_one_question(club: Club) -> None:
    match = club.study({**SIX, "energy": (14, 7)})
    match.send("gold", "A4 six G6@F6 [G6-,F7+: end]", 1)
    assert match.refused("black", "G6+ F7+ G5+", 2) == "saves_too_dear"
    match.send("black", "G6- F7+ G5+", 3)
    assert match.asked() == [("black", "turn")]
    match.verify()


def test_nobody_is_asked_what_cannot_matter(club: Club) -> None:
    match = club.study({**TWO_ARCHERS, "energy": (14, 3)})
    match.send("gold", SHOT, 1)
    assert match.asked() == [("gold", "turn")]
    assert match.notices(1) == {"gold": "receipt", "black": "news"}
    assert match.stored.trips.unaffordable == 1


# -- ends ---------------------------------------------------------------------------------------


def test_resignation_closes_all(club: Club) -> None:
    match = club.start()
    match.send("black", "resign", 1)
    assert match.result() == ("gold", "resignation")
    assert match.asked() == []
    assert match.notices(1) == {"gold": "game_over", "black": "game_over"}
    assert (match.stored.ended_at, match.stored.due) == (at(1), None)
    assert match.refused("gold", "setup WFEAAEFW", 2) == "game_over"
    match.verify()


def test_an_offer_lapses_with_the_next_order(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("black", "draw?", 1)
    assert match.refused("black", "draw?", 2) == "offer_open"
    match.send("gold", "W1>F5", 3)
    assert match.refused("gold", "draw+", 4) == "no_offer"
    match.send("gold", "end; draw?", 5)
    match.send("black", "draw-", 6)
    assert match.refused("black", "draw+", 7) == "no_offer"
    assert match.asked() == [("black", "turn")]


def test_claim(club: Club) -> None:
    match = club.study({**TWO_ARCHERS, "round": 1}, draw_claim=1)
    assert match.refused("gold", "claim draw", 1) == "claim_too_early"
    for hours, house in enumerate(("gold", "black", "gold", "black"), start=2):
        match.send(house, "end", hours)
    match.send("gold", "claim draw", 9)
    assert match.result() == (None, "claim")
    match.verify()


@pytest.mark.parametrize(("winner", "text"), [(None, "ruling draw"), (1, "ruling 1")])
def test_ruling(club: Club, winner: int | None, text: str) -> None:
    match = club.study(TWO_ARCHERS, correction="1d")
    match.hold("gold", SHOT, 1)
    with pytest.raises(NotAllowedError):
        games.rule(club.around, match.id, 2, now=at(2))
    games.rule(club.around, match.id, winner, now=at(2))
    assert match.texts() == [(None, text)]
    assert match.result()[1] == "ruling"
    assert match.stored.held == ()
    with pytest.raises(NotAllowedError) as caught:
        games.rule(club.around, match.id, None, now=at(3))
    assert caught.value.code == "game_over"
    match.verify()


# -- messages and notes -------------------------------------------------------------------------


def test_notes_are_kept_by_turn(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    games.write_note(club.around, match.id, 0, "first thought", now=at(1))
    games.write_note(club.around, match.id, 0, "second thought", now=at(2))
    match.send("gold", "end", 3)
    games.write_note(club.around, match.id, 0, "x" * 9000, now=at(4))
    with club.store.read() as unit:
        mine, others = unit.notes_of(match.id, 0), unit.notes_of(match.id, 1)
    assert [(note.entry, len(note.text)) for note in mine] == [(0, 14), (1, games.MAX_NOTE)]
    assert others == []


@pytest.mark.parametrize("seat", [-1, 2, 99])
def test_there_are_two_seats(club: Club, seat: int) -> None:
    match = club.study(TWO_ARCHERS)
    before = club.contents()
    for act in (games.write_note, games.write_message):
        with pytest.raises(NotAllowedError):
            act(club.around, match.id, seat, "Hello", now=at(1))
    with pytest.raises(NotAllowedError):
        games.submit(club.around, match.id, seat, "end", arrived=at(1))
    with pytest.raises(NotAllowedError):
        games.preview(club.around, match.id, seat, "end")
    assert games.undo(club.around, match.id, seat, now=at(1)) is None
    assert club.contents() == before


def test_there_must_be_a_game(club: Club) -> None:
    for wrong in ("nosuch", "\0", ""):
        with pytest.raises(NoSuchGameError):
            games.submit(club.around, wrong, 0, "end", arrived=NOON)
        with pytest.raises(NoSuchGameError):
            games.preview(club.around, wrong, 0, "end")


def test_preview_changes_nothing(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    before = club.contents()
    shown = games.preview(club.around, match.id, 0, f"{SHOT}; end")
    assert isinstance(shown, Preview)
    assert len(shown.forecasts) == 2
    assert isinstance(games.preview(club.around, match.id, 1, "end"), Refused)
    assert club.contents() == before


# -- once and only once -------------------------------------------------------------------------


def test_an_old_request_is_answered_with_what_happened(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    turn = match.request()
    match.send("gold", SHOT, 1, request_id=turn.id)
    match.send("black", "I4-", 2)
    before = club.contents()
    done = match.submit("gold", "end", 3, request_id=turn.id)
    assert isinstance(done, games.TooLate)
    assert [(entry.number, entry.seat) for entry in done.since] == [(1, 0), (2, 1)]
    assert club.contents() == before


def test_a_request_belongs_to_a_seat_of_a_game(club: Club) -> None:
    match, other = club.study(TWO_ARCHERS), club.study(TWO_ARCHERS)
    wrong = [("black", match.request().id), ("gold", other.request().id)]
    wrong += [("gold", name) for name in (f"{match.id}.99.0", f"{match.id}.x.0", "", ".", "\0")]
    for house, request in wrong:
        with pytest.raises(NotAllowedError):
            match.submit(house, "end", 1, request_id=request)
    assert match.stored.entries == 1


def test_a_key_is_taken_once(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    done = match.send("gold", "W1>F5", 1, key="mail 1")
    before = club.contents()
    for hours in (1, 50):
        again = match.submit("gold", "W1>F5", hours, key="mail 1")
        assert isinstance(again, games.Repeated)
        assert again.entry == done.entry
    assert club.contents() == before
    other = club.study(TWO_ARCHERS)
    other.send("gold", "W1>F5", 1, key="mail 1")


def test_of_two_that_race_one_wins(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    request = match.request().id

    def race(number: int) -> games.Submitted:
        return match.submit("gold", "end", 1, key=f"mail {number}", request_id=request)

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(race, range(4)))
    assert sorted(type(each).__name__ for each in done) == ["Taken"] + ["TooLate"] * 3
    assert match.texts() == [(0, "end")]
    match.verify()


# -- the correction window ----------------------------------------------------------------------


@pytest.fixture
def held(club: Club) -> Match:
    """Gold has sent a shot after one hour, which is held for another."""
    match = club.study(TWO_ARCHERS, clock="4h+1h", correction="1h")
    match.hold("gold", f"{SHOT}; end", 1, key="mail 1")
    return match


def test_what_is_held_nobody_knows(held: Match) -> None:
    assert held.texts() == []
    assert held.asked() == [("gold", "turn")]
    assert held.notices(1) == {}
    assert held.stored.due == at(2)
    assert held.deadline("gold") is None, "its author's clock stands"
    before = held.club.contents()
    again = held.hold("gold", f"{SHOT}; end", 1.5, key="mail 1")
    assert not again.is_new
    second = held.hold("gold", "W1>F5", 1.5, key="mail 2")
    assert (second.is_new, second.held.key) == (False, "mail 1")
    held.sweep(at(2) - TICK)
    assert held.club.contents() == before


def test_held_until_its_instant(held: Match) -> None:
    held.sweep(at(5))
    (entry,) = held.entries(1)
    assert (entry.arrived, entry.at, entry.key) == (at(1), at(2), "mail 1")
    assert held.asked() == [("black", "defence")]
    assert held.bank("gold") == 3 * HOUR, "it has cost the time until it came in"
    assert held.requests()[0].opened_at == at(2)
    assert held.notices(1) == {"gold": "receipt", "black": "defence_request"}
    done = held.submit("gold", "", 5, key="mail 1")
    assert isinstance(done, games.Repeated)
    held.verify()


def test_release_does_not_wait_for_a_sweep(held: Match) -> None:
    held.hold("black", "I4-", 2.5)
    assert held.texts() == [(0, f"{SHOT}; end")]
    held.sweep(at(4))
    assert held.asked() == [("black", "turn")]
    assert held.bank("gold") == 4 * HOUR, "three were left, and one for the turn"
    assert held.bank("black") == 3.5 * HOUR
    held.verify()


def test_undo(held: Match) -> None:
    assert held.undo("black", 1.5) is None
    dropped = held.undo("gold", 1.75)
    assert dropped.text == f"{SHOT}; end"
    assert held.undo("gold", 1.75) is None
    assert held.stored.held == ()
    assert held.deadline("gold") == at(4), "as if it had never stopped"
    held.sweep(at(3))
    assert held.texts() == []
    held.hold("gold", "end", 3)
    held.sweep(at(4))
    assert held.bank("gold") == 2 * HOUR
    held.verify()


def test_undo_too_late(held: Match) -> None:
    assert held.undo("gold", 2) is None
    assert len(held.texts()) == 1


def test_undo_when_time_would_be_over(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="4h", correction="1d")
    match.hold("gold", "end", 3)
    match.sweep(at(20))
    assert not match.stored.is_over
    assert match.undo("gold", 21) is not None
    assert match.result() == ("black", "time")
    assert match.entries()[-1].at == at(4)
    match.verify()


def test_time_stands_for_a_part_that_is_held(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="4h", correction="1d")
    match.hold("gold", "W1>F5", 3)
    match.sweep(at(27.5))
    assert match.texts() == [(0, "W1>F5")]
    assert match.deadline("gold") == at(28), "an hour is left from the release on"
    match.sweep(at(30))
    assert match.result() == ("black", "time")
    assert match.entries()[-1].at == at(28)
    match.verify()


def test_time_does_not_stand_for_rules(club: Club) -> None:
    """Else one could keep a clock from running for ever by setting rules again and again."""
    match = club.study(TWO_ARCHERS, clock="4h", correction="1h")
    match.hold("gold", "standing: fall all", 1)
    match.sweep(at(2))
    assert match.deadline("gold") == at(4)
    match.verify()


def test_what_is_illegal_is_not_held(club: Club) -> None:
    match = club.study(TWO_ARCHERS, correction="1h")
    before = club.contents()
    assert match.refused("gold", "W1 str N8", 1) != ""
    assert match.refused("black", "end", 1) == "not_your_turn"
    assert club.contents() == before


def test_held_and_refused_at_its_release(club: Club) -> None:
    """No way leads there today; if one did, the author is told and the clock has run on."""
    match = club.study(TWO_ARCHERS, clock="9h", correction="1h")
    kept = match.hold("gold", "end", 1)
    with club.store.begin() as unit:
        locked = unit.lock_game(match.id)
        assert locked is not None
        unit.save_game(replace(locked.game, held=(replace(kept.held, text="G4+"),)))
    match.sweep(at(3))
    assert match.texts() == []
    assert match.stored.held == ()
    assert match.deadline("gold") == at(9)
    (notice,) = [row for row in club.contents()["notices"] if "held_dropped" in row]
    assert match.players[0].id in notice
    match.verify()


def test_a_game_that_ends_while_something_is_held_replays(club: Club) -> None:
    match = club.start(clock="4h", correction="1d")
    match.hold("gold", "setup WFEAAEFW", 3)
    match.sweep(at(9))
    assert match.result() == ("gold", "time"), "Black has sent nothing"
    assert match.entries()[-1].at == at(4)
    match.verify()
    other = club.study(TWO_ARCHERS, clock="4h", correction="1d")
    other.hold("gold", SHOT, 3)
    games.rule(club.around, other.id, 1, now=at(20))
    other.verify()


def test_release_at_the_instant_of_anothers_deadline(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="4h", correction="1h")
    match.hold("black", "resign", 3)
    match.sweep(at(9))
    assert match.result() == ("black", "time"), "the deadline itself is already too late"
    match.verify()


# -- who watches --------------------------------------------------------------------------------


def test_spectators_lag_behind(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    for hours, house in enumerate(("gold", "black", "gold", "black"), start=1):
        match.send(house, "end", hours)
    match.send("gold", f"{SHOT}; end", 6)
    stored, entries = match.stored, match.entries()

    def seen(delay: int | None) -> list[int]:
        return [entry.number for entry in games.visible_entries(stored, entries, delay)]

    assert seen(0) == [0, 1, 2, 3, 4, 5]
    assert seen(1) == [0, 1, 2, 3]
    assert seen(4) == [0]
    assert seen(9) == seen(None) == []
    assert not any(entry.text for entry in games.visible_entries(stored, entries, 0))
    match.send("black", "resign", 7)
    after = games.visible_entries(match.stored, match.entries(), 4)
    assert [entry.text for entry in after] == [entry.text for entry in match.entries()]
    assert not games.visible_entries(match.stored, match.entries(), None)


def test_general_rules_set_while_a_defence_is_open(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("gold", SHOT, 1)
    players.set_general_rules(club.around, match.players[1].id, "fall all", now=at(2))
    assert match.asked() == [("black", "defence")], "rules hold for attacks declared afterwards"
    players.set_preferences(club.around, match.players[1].id, Preferences(), now=at(3))
    match.verify()

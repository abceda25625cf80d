"""What a seat keeps to itself reaches nobody else before the game is over (R2.2, N2.4, N3.3)."""

from __future__ import annotations

import json

import pytest

from pbem.games.base import Preview
from pbem.play import farewell, games, leave, players
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import RULES, Club, Match, at

PLAN = "W1 rng I4 [-: F2>I6; end | +: F7>M2; end]; W8>N2; end"
BRANCHES = ("F2>I6", "F7>M2", "W8>N2")


def all_that_reaches(match: Match, seat: int, old_request: str | None = None) -> str:
    """Everything the server gives to one seat of a running game, and to spectators, as text."""
    club, stored = match.club, match.stored
    pieces: list[object] = [
        match.state.view(seat),
        farewell.export(club.around, match.players[seat].id),
        games.visible_entries(stored, match.entries(), 0),
        RULES.scene(match.state, seat),
        RULES.scene(match.state, None),
    ]
    rows = club.contents()["notices"]
    pieces += [row for row in rows if match.players[seat].id in row[1:4]]
    texts = ("W1>F5; end", "I4+", "block all", "fall all", "bid 3", "setup WFEAAEFW", "draw?")
    pieces += [games.preview(club.around, match.id, seat, text) for text in texts]
    if old_request is not None:
        done = games.submit(
            club.around, match.id, seat, "end", arrived=at(50), request_id=old_request
        )
        assert isinstance(done, games.TooLate)
        pieces.append(done.since)
    return "\n".join(map(repr, pieces))


def test_a_lone_setup(club: Club) -> None:
    match = club.start()
    match.send("black", "setup FWEAAEWF", 1)
    games.write_note(club.around, match.id, 1, "surprise", now=at(1))
    assert "FWEAAEWF" in all_that_reaches(match, 1)
    seen = all_that_reaches(match, 0)
    for secret in ("FWEAAEWF", "surprise", match.stored.start.seed.hex(), "starter=1"):
        assert secret not in seen
    assert repr(match.stored.start.seed) not in seen


def test_a_plan(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("black", "draw?", 0.5)
    match.send("gold", PLAN, 1)
    assert all(branch in all_that_reaches(match, 0) for branch in BRANCHES)
    seen = all_that_reaches(match, 1)
    assert not any(branch in seen for branch in BRANCHES)
    request = match.request().id
    match.send("black", "I4-", 2)
    assert match.asked() == [("black", "turn")]
    seen = all_that_reaches(match, 1, old_request=request)
    for branch in ("F7>M2", "W8>N2"):
        assert branch not in seen, "what was not played is not shown"


@pytest.mark.parametrize("general", [True, False])
def test_standing_rules(club: Club, general: bool) -> None:
    match = club.study(TWO_ARCHERS)
    turn = match.request().id
    if general:
        players.set_general_rules(club.around, match.players[1].id, "block A* keep 7", now=at(1))
    else:
        match.send("black", "standing: block A* keep 7", 1)
    without = club.study(TWO_ARCHERS)
    orders = "W1 rng I4 [-: end]; F2 rng I4"
    with_rules = games.preview(club.around, match.id, 0, orders)
    assert isinstance(with_rules, Preview)
    assert with_rules == games.preview(club.around, without.id, 0, orders), "nothing looks ahead"
    done = match.send("gold", "W1 rng I4", 2)
    match.send("gold", "end", 3)
    told = [event for event in done.done.events if event.only_for in (None, 0)]
    seen = all_that_reaches(match, 0, old_request=turn) + repr(told)
    assert "keep=7" not in seen
    assert "keep 7" not in seen
    assert "keep" in all_that_reaches(match, 1)


def test_news_for_an_old_request(club: Club) -> None:
    """Who answers too late is told that much happened, not what others wrote (L3.5)."""
    match = club.study(TWO_ARCHERS)
    turn = match.request().id
    match.send("gold", "W1>F5; end", 1)
    match.send("black", "standing: block A* keep 7", 2)
    players.set_general_rules(club.around, match.players[1].id, "block F* keep 8", now=at(3))
    done = match.submit("gold", "end", 4, request_id=turn)
    assert isinstance(done, games.TooLate)
    assert [(entry.seat, entry.text) for entry in done.since] == [
        (0, "W1>F5; end"),
        (1, ""),
        (None, ""),
    ]
    assert not any(entry.salt for entry in done.since[1:]), "with it a short text could be guessed"
    match.send("black", "resign", 5)
    after = match.submit("gold", "end", 6, request_id=turn)
    assert isinstance(after, games.TooLate)
    assert all(entry.text for entry in after.since)


def test_what_is_held(club: Club) -> None:
    match = club.study(TWO_ARCHERS, correction="1h")
    before = all_that_reaches(match, 1)
    match.hold("gold", PLAN, 1)
    assert all_that_reaches(match, 1) == before
    match.undo("gold", 1.5)
    assert all_that_reaches(match, 1) == before
    assert len(match.entries()) == 1


def test_leave_and_time_zone(club: Club) -> None:
    match = club.study(TWO_ARCHERS, black=club.join(time_zone="Pacific/Chatham"))
    leave.stop_clocks(club.around, match.players[1].id, now=at(1))
    assert "Chatham" not in all_that_reaches(match, 0)


def test_dice_to_come(club: Club) -> None:
    """A preview shows what can be rolled, whatever the seed says (N2.5)."""
    shown = set()
    for _ in range(4):
        match = club.study(TWO_ARCHERS, dice="dicey")
        shown.add(repr(games.preview(club.around, match.id, 0, "W1 rng I4; end")))
    assert len(shown) == 1


def test_all_is_open_when_the_game_is_over(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    match.send("black", "standing: block F2 keep 7", 1)
    match.send("gold", PLAN, 2)
    match.send("black", "resign", 3)
    texts = [entry.text for entry in games.visible_entries(match.stored, match.entries(), 0)]
    assert texts[1:] == ["standing: block F2 keep 7", PLAN, "resign"]
    exported = json.loads(farewell.export(club.around, match.players[0].id))
    assert [entry["text"] for entry in exported["games"][0]["entries"]] == texts

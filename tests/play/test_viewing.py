"""What somebody may see of a game: players, spectators with and without delay, and nobody."""

from __future__ import annotations

import pytest

from pbem.games.base import Rehearsal
from pbem.play import games, leave
from pbem.play.errors import NoSuchGameError
from pbem.play.model import Player
from pbem.play.viewing import GameView, look
from pbem.tongue import ENGLISH
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, Club, Match, at

PLAN = "W1 rng I4 [-: F2>I6; end | +: end]"


def see(match: Match, viewer: Player | None, *, entry: int | None = None) -> GameView | None:
    with match.club.store.read() as unit:
        return look(unit, match.id, viewer, now=at(2), at=entry)


def get(match: Match, viewer: Player | None, *, entry: int | None = None) -> GameView:
    view = see(match, viewer, entry=entry)
    assert view is not None
    return view


def texts(view: GameView) -> list[str]:
    return [text for step in view.steps for text in step.texts]


@pytest.fixture
def match(club: Club) -> Match:
    """Gold has attacked with a plan; both have rules, notes, and a message."""
    match = club.study(TWO_ARCHERS)
    match.send("gold", "standing: block F* <=3", 0.1)
    match.send("black", "standing: fall W* <=1", 0.2)
    games.write_note(club.around, match.id, 0, "gold's own", now=at(0.3))
    games.write_note(club.around, match.id, 1, "black's own", now=at(0.3))
    games.write_message(club.around, match.id, 0, "hello", now=at(0.4))
    match.send("gold", PLAN, 1)
    return match


class TestPlayers:
    def test_they_see_their_own_side(self, match: Match) -> None:
        gold, black = (get(match, player) for player in match.players)
        assert (gold.seat, black.seat) == (0, 1)
        assert [note.text for note in gold.notes] == ["gold's own"]
        assert [note.text for note in black.notes] == ["black's own"]
        assert [message.text for message in gold.messages] == ["hello"]
        assert gold.messages == black.messages
        assert gold.request is None
        assert black.request is not None
        assert black.request.kind == "defence"
        assert gold.asked == black.asked == ((1, "defence"),)
        assert gold.briefing(ENGLISH) is None
        briefing = black.briefing(ENGLISH)
        assert briefing is not None
        assert briefing.kind == "defence"

    def test_rules_of_others_are_no_step(self, match: Match) -> None:
        for player, rules in zip(match.players, ("block F* <=3", "fall W* <=1"), strict=True):
            view = get(match, player)
            holding = view.rehearse(None, ENGLISH)
            assert isinstance(holding, Rehearsal)
            assert holding.text == rules
            seats = [step.seat for step in view.steps if not step.texts and step.number]
            assert seats == [view.seat], "the own rules are a step, those of the other are not"

    def test_the_attack_is_told_without_the_plan(self, match: Match) -> None:
        for player in match.players:
            assert "W1 rng I4" in " ".join(texts(get(match, player)))
        black = get(match, match.players[1])
        assert "I6" not in " ".join(texts(black)) + " ".join(black.told(ENGLISH))

    def test_only_for_the_own_seat(self, match: Match) -> None:
        black = get(match, match.players[1])
        assert black.choose(0, [], ENGLISH) is None
        assert black.preview("I4+", ENGLISH) is not None

    def test_what_is_kept_for_correction(self, club: Club) -> None:
        match = club.study(TWO_ARCHERS, correction="1h")
        match.hold("gold", "W1 rng I4", 0.5)
        gold, black = (get(match, player) for player in match.players)
        assert gold.held is not None
        assert gold.held.text == "W1 rng I4"
        assert black.held is None

    def test_that_something_is_kept_cannot_be_told_from_the_clock(self, club: Club) -> None:
        match = club.study(TWO_ARCHERS, correction="1d")
        gold, black = match.players
        before = get(match, black).clocks, get(match, None).clocks
        match.hold("gold", "end", 1)
        assert (get(match, black).clocks, get(match, None).clocks) == before
        assert get(match, gold).clocks[0].deadline is None
        match.undo("gold", 2)
        assert get(match, gold).clocks == get(match, black).clocks == before[0]

    def test_an_entry_before(self, match: Match) -> None:
        now = get(match, match.players[1])
        before = get(match, match.players[1], entry=0)
        assert (before.at, before.newest, before.is_newest) == (0, now.newest, False)
        assert before.steps == now.steps
        assert before.briefing(ENGLISH) is None
        assert before.scene(ENGLISH) != now.scene(ENGLISH)

    @pytest.mark.parametrize(("entry", "shown"), [(-5, 0), (10**9, None)])
    def test_an_entry_that_is_not_there(self, match: Match, entry: int, shown: int | None) -> None:
        view = get(match, match.players[0], entry=entry)
        assert view.at == (view.newest if shown is None else shown)

    def test_clocks(self, match: Match) -> None:
        gold, black = get(match, None).clocks
        assert (gold.is_running, black.is_running) == (False, True)
        assert black.deadline == match.request().deadline
        assert gold.deadline is None

    def test_a_clock_that_stands_still(self, match: Match) -> None:
        leave.stop_clocks(match.around, match.players[1].id, now=at(1.5))
        assert get(match, None).clocks[1].deadline != match.request().opened_at


class TestSpectators:
    @pytest.fixture
    def cleo(self, club: Club) -> Player:
        return club.join("Cleo")

    def test_they_see_the_board_and_no_more(self, match: Match, cleo: Player) -> None:
        for viewer in (cleo, None):
            view = get(match, viewer)
            assert view.seat is None
            assert not view.notes
            assert not view.messages
            assert view.request is None
            assert view.held is None
            assert view.briefing(ENGLISH) is None
            assert view.preview("I4+", ENGLISH) is None
            assert view.rehearse(None, ENGLISH) is None
            assert view.choose(1, [], ENGLISH) is None
            told = " ".join(texts(view))
            assert "W1 rng I4" in told
            assert "standing" not in told
            assert "I6" not in told

    def test_nothing_of_a_private_game_even_when_it_is_over(self, club: Club, cleo: Player) -> None:
        match = club.study(TWO_ARCHERS, visibility="private")
        match.send("gold", "W1 rng I4", 1)
        assert see(match, cleo) is None
        assert see(match, None) is None
        assert see(match, match.players[0]) is not None
        match.send("black", "resign", 1.5)
        assert see(match, cleo) is None
        assert see(match, None) is None
        view = get(match, match.players[0])
        assert (view.is_over, view.winner, view.termination) == (True, 0, "resignation")
        assert "W1 rng I4" in " ".join(texts(view))

    def test_some_turns_late(self, club: Club, cleo: Player) -> None:
        match = club.study(TWO_ARCHERS, visibility="delayed 2")
        for number, house in enumerate(("gold", "black", "gold"), start=1):
            match.send(house, "end", number)
            turns = match.stored.turns
            view = get(match, cleo)
            assert all(step.round_turns <= max(turns - 2, 0) for step in view.steps)
            assert view.clocks == ()
            assert get(match, match.players[0]).newest > view.newest
        assert get(match, cleo, entry=10**6).at == get(match, cleo).newest
        match.send("black", "resign", 4)
        assert get(match, cleo).newest == match.stored.entries - 1

    def test_what_is_asked_in_a_delayed_game_is_late_too(self, club: Club, cleo: Player) -> None:
        match = club.study(TWO_ARCHERS, visibility="delayed 1")
        match.send("gold", "W1 rng I4", 1)
        assert get(match, cleo).asked == ((0, "turn"),)
        assert get(match, match.players[0]).asked == ((1, "defence"),)

    def test_a_lone_set_up_is_secret(self, club: Club, cleo: Player) -> None:
        match = club.start()
        match.send("black", "setup FWEAAEWF", 1)
        for viewer in (cleo, None, match.players[0]):
            view = get(match, viewer)
            told = " ".join((*texts(view), view.spoken(ENGLISH), repr(view.scene(ENGLISH))))
            assert "FWEAAEWF" not in told
            assert view.scene(ENGLISH).pieces == ()
        assert len(get(match, match.players[1]).scene(ENGLISH).pieces) == 8

    def test_no_such_game(self, club: Club) -> None:
        for name in ("nosuchga", "", "\0", "x" * 1000):
            with club.store.read() as unit, pytest.raises(NoSuchGameError):
                look(unit, name, None, now=NOON)

    def test_looking_changes_nothing(self, match: Match, cleo: Player) -> None:
        before = match.club.contents()
        for viewer in (cleo, None, *match.players):
            get(match, viewer)
        assert match.club.contents() == before

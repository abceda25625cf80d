"""Games that are over come into the archive: once, with their players, private ones in private."""

from __future__ import annotations

import pytest

from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.archive.indexing import read_game
from pbem.play import farewell
from pbem.play.archive import record_of
from pbem.play.archived import ArchivedGame, Filter, NewGame
from pbem.play.archiving import Archived, archive_finished
from pbem.play.library import get_written, search
from tests.play.club import NOON, Club, Match, at

SITE = {"Site": "pbem.example.org"}


def archive(club: Club) -> Archived:
    return archive_finished(club.around, SITE, now=at(9))


def finished(club: Club, **agreement: str) -> Match:
    match = club.start(gold=club.join("Ann"), black=club.join("Ben"), **agreement)
    match.set_up(1)
    match.send("black", "resign", 2)
    return match


def all_games(club: Club, viewer: int | None = None) -> tuple[ArchivedGame, ...]:
    return search(club.around, viewer=viewer).games


def record_now(club: Club, match: Match) -> str:
    with club.around.store.read() as unit:
        return record_of(unit, match.stored, SITE)


def test_a_game_that_is_over(club: Club) -> None:
    match, running = finished(club), club.start()
    assert archive(club) == Archived(1, {}, None)
    [game] = all_games(club)
    assert (game.game_id, game.source, game.visibility) == (match.id, "played", "open")
    assert game.players == match.stored.players
    assert game.added_at == at(9)
    assert (game.facts.gold, game.facts.black, game.facts.result) == ("Ann", "Ben", "1-0")
    record = get_written(club.around, game.number, viewer=None).record
    assert record == record_now(club, match)
    assert facts_of(parse_record(record)) == game.facts
    assert game.facts.site == "pbem.example.org"
    assert running.id not in {each.game_id for each in all_games(club)}


def test_its_positions_can_be_found(club: Club) -> None:
    match = finished(club)
    archive(club)
    index = read_game(parse_record(record_now(club, match))).index
    assert index.positions
    for position in index.positions:
        wanted = Filter(positions=(position.key,))
        assert len(search(club.around, wanted, viewer=None).games) == 1


def test_once_is_enough(club: Club) -> None:
    match = finished(club)
    archive(club)
    before = club.contents()
    assert archive(club) == Archived(0, {}, None)
    assert club.contents() == before
    # A game that is over may still be saved, for a message.
    with club.around.store.begin() as unit:
        locked = unit.lock_game(match.id)
        assert locked is not None
        unit.save_game(locked.game)
    assert archive(club).games == 1
    assert club.contents() == before


def test_batch_after_batch(club: Club) -> None:
    for _ in range(5):
        finished(club)
    counts, after = [], ""
    while True:
        done = archive_finished(club.around, SITE, now=NOON, after=after, limit=2)
        counts.append(done.games)
        if done.after is None:
            break
        after = done.after
    assert counts == [2, 2, 1]
    assert len(all_games(club)) == 5


def test_a_private_game_stays_private(club: Club) -> None:
    match = finished(club, visibility="private")
    archive(club)
    assert all_games(club) == ()
    ann, ben = match.stored.players
    assert [game.visibility for game in all_games(club, ann)] == ["private"]
    assert all_games(club, ben) == all_games(club, ann)
    assert all_games(club, club.join().id) == ()


def test_a_game_that_somebody_imported_before_is_ours(club: Club) -> None:
    match = finished(club, visibility="private")
    text = record_now(club, match).replace('[Gold "Ann"]', '[Gold "A. Nonymous"]')
    record = parse_record(text)
    with club.around.store.begin() as unit:
        index = read_game(record).index
        [number] = unit.add_archived([NewGame(facts_of(record), text, index)], NOON)
    assert len(all_games(club)) == 1
    assert archive(club).failed == {}
    assert all_games(club) == ()
    [game] = all_games(club, match.stored.players[0])
    assert (game.number, game.source, game.game_id) == (number, "played", match.id)
    assert game.facts.gold == "Ann"
    key = index.positions[0].key
    assert search(club.around, Filter(positions=(key,)), viewer=None).games == ()


def test_a_damaged_game_keeps_no_other_waiting(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = sorted(finished(club).id for _ in range(3))

    def damaged(unit: object, stored: object, tags: object) -> str:
        assert hasattr(stored, "id")
        if stored.id == ids[0]:
            raise ValueError("damaged")
        return record_of(unit, stored, tags)  # type: ignore[arg-type]

    monkeypatch.setattr("pbem.play.archiving.record_of", damaged)
    done = archive(club)
    assert (done.games, dict(done.failed)) == (3, {ids[0]: "ValueError: damaged"})
    assert sorted(str(game.game_id) for game in all_games(club)) == ids[1:]
    monkeypatch.undo()
    assert archive(club).games == 1
    assert len(all_games(club)) == 3


def test_the_name_of_who_leaves_goes_and_the_game_stays(club: Club) -> None:
    match = finished(club)
    archive(club)
    [before] = all_games(club)
    farewell.delete(club.around, match.stored.players[0], now=at(10))
    [after] = all_games(club)
    assert (after.facts.gold, after.facts.black) == (farewell.BLANKED, "Ben")
    record = get_written(club.around, after.number, viewer=None).record
    assert "Ann" not in record
    assert facts_of(parse_record(record)) == after.facts
    assert record == record_now(club, match)
    assert after.facts.digest == before.facts.digest
    assert search(club.around, Filter(player="Ann"), viewer=None).games == ()
    assert len(search(club.around, Filter(player=farewell.BLANKED), viewer=None).games) == 1


def test_merged_accounts_have_the_games_of_both(club: Club) -> None:
    match = finished(club, visibility="private")
    archive(club)
    kept, gone = club.join("Anna"), match.stored.players[0]
    farewell.merge(club.around, kept.id, gone, now=at(10))
    assert all_games(club, gone) == ()
    [game] = all_games(club, kept.id)
    assert game.players == match.stored.players

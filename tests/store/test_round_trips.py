"""What is stored comes back the same, on both databases, whatever it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Start
from pbem.play.log import LogEntry, instant_text
from pbem.play.model import Address, Leave, LockedGame, Message, Note, Notice, Preferences
from pbem.play.ports import Store
from tests.store import things
from tests.store.things import NOW, add_game, add_players, fresh

some = settings(max_examples=15)


@some
@given(
    name=things.WORDS,
    preferences=things.preferences(),
    at=things.INSTANTS,
    standing=things.WORDS,
    leaves=st.lists(things.leaves(), max_size=3),
    instants=st.tuples(*[st.none() | things.INSTANTS] * 2),
)
def test_players(
    store: Store,
    name: str,
    preferences: Preferences,
    at: datetime,
    standing: str,
    leaves: list[Leave],
    instants: tuple[datetime | None, datetime | None],
) -> None:
    with store.begin() as unit:
        player = unit.add_player(name, preferences, at)
    with store.begin() as unit:
        assert unit.find_player(player.id) == player
        changed = replace(
            player,
            name=name[::-1],
            standing=standing,
            leaves=tuple(leaves),
            stopped_since=instants[0],
            first_stop=instants[0],
            deleted_at=instants[1],
        )
        unit.save_player(changed)
        assert unit.lock_player(player.id) == changed
    with store.begin() as unit:
        unit.save_player(replace(changed, leaves=changed.leaves[1:]))
        found = unit.find_player(player.id)
        assert found is not None
        assert found.leaves == changed.leaves[1:]


def test_players_have_numbers_of_their_own(store: Store) -> None:
    with store.begin() as unit:
        first, second = add_players(unit)
        assert first.id < second.id
        assert unit.find_player(second.id + 1) is None
        assert unit.find_player(-1) is None
        assert unit.find_player(10**30) is None


def test_players_by_name(store: Store) -> None:
    names = ("Émile", "Ann_", "anna", "ann%", "ANN_", "Ann_", "Émile")
    with store.begin() as unit:
        made = [unit.add_player(name, Preferences(), NOW) for name in names]
        for player in made:
            address = Address(f"{fresh('a')}@example.org", player.id, NOW, verified_at=NOW)
            unit.add_address(address)
        numbers = {player.id: place for place, player in enumerate(made)}

        def find(wanted: str, after: tuple[str, int] = ("", 0), limit: int = 100) -> list[int]:
            found = unit.players_by_name(wanted, after=after, limit=limit)
            return [numbers[player.id] for player in found if player.id in numbers]

        assert find("ann_") == find("ANN_") == [1, 4, 5]
        assert find("ann%") == [3]
        assert find("Émile") == [0, 6]
        assert find("ann_", ("Ann_", made[1].id)) == [4, 5]
        assert find("ann_", ("ann_", made[4].id)) == [5]
        assert find("ann_", ("ann_", made[5].id)) == find("Émile", ("Émile", made[6].id)) == []
        assert find("\0") == find("", ("\0", 0)) == find("", ("a", 10**30)) == []


def test_addresses(store: Store) -> None:
    with store.begin() as unit:
        ours, theirs = add_players(unit)
        old = Address("old@example.org", ours.id, NOW, verified_at=NOW)
        fallback = Address("b@example.org", ours.id, NOW + timedelta(days=2), is_fallback=True)
        new = Address("é@example.org", ours.id, NOW + timedelta(days=1), is_preferred=True)
        for address in (fallback, old, new, Address("x@example.org", theirs.id, NOW)):
            unit.add_address(address)
    with store.begin() as unit:
        assert unit.addresses_of(ours.id) == [new, fallback, old]
        assert unit.find_address("é@example.org") == new
        assert unit.find_address("É@example.org") is None
        assert unit.find_address("nobody\0@example.org") is None
        unit.remove_address("b@example.org")
        unit.save_address(replace(old, player_id=theirs.id))
        assert unit.addresses_of(ours.id) == [new]
        assert [a.address for a in unit.addresses_of(theirs.id)] == [
            "old@example.org",
            "x@example.org",
        ]


def test_one_address_is_preferred_and_one_the_fallback(store: Store) -> None:
    with store.begin() as unit:
        ours, theirs = add_players(unit)
        for player, name in ((ours, "a"), (ours, "b"), (theirs, "c")):
            unit.add_address(
                Address(name, player.id, NOW, is_preferred=True, is_fallback=name != "b")
            )
        assert [(a.address, a.is_preferred, a.is_fallback) for a in unit.addresses_of(ours.id)] == [
            ("b", True, False),
            ("a", False, True),
        ]
        unit.save_address(Address("a", ours.id, NOW, is_preferred=True))
        assert [(a.address, a.is_preferred, a.is_fallback) for a in unit.addresses_of(ours.id)] == [
            ("a", True, False),
            ("b", False, False),
        ]
        found = unit.find_address("c")
        assert found is not None
        assert found.is_preferred


@some
@given(
    options=things.FACTS,
    terms=things.FACTS,
    seed=st.binary(max_size=40),
    created_at=things.INSTANTS,
    first=things.changes(),
    second=things.changes(),
)
def test_games(
    store: Store,
    options: dict[str, Any],
    terms: dict[str, Any],
    seed: bytes,
    created_at: datetime,
    first: dict[str, Any],
    second: dict[str, Any],
) -> None:
    with store.begin() as unit:
        old = add_game(unit)
        game = replace(
            old,
            start=Start(fresh("g"), options, seed),
            terms=terms,
            created_at=created_at,
            rematch_of=old.id,
            **first,
        )
        unit.add_game(game)
    with store.begin() as unit:
        assert unit.find_game(game.id) == game
        assert unit.lock_game(game.id) == LockedGame(game)
        changed = replace(game, **second)
        unit.save_game(changed)
    with store.read() as unit:
        assert unit.find_game(game.id) == changed
        assert unit.find_game(old.id) == old


def test_games_that_are_not_there(store: Store) -> None:
    with store.begin() as unit:
        for game_id in ("none", "", "a\0b", "\ud800"):
            assert unit.find_game(game_id) is None
            assert unit.lock_game(game_id) is None


def test_games_of_a_player(store: Store) -> None:
    with store.begin() as unit:
        first, second, third = add_players(unit, 3)
        # By code point, whatever the database's language thinks of it.
        for game_id in ("b", "a", "B", "é"):
            unit.add_game(things.a_game((first.id, second.id), game_id))
        over = things.a_game((first.id, first.id), "c", ended_at=NOW, termination="wells")
        unit.add_game(over)
        assert unit.games_of(first.id) == ["B", "a", "b", "c", "é"]
        assert unit.games_of(first.id, is_over=True) == ["c"]
        assert unit.games_of(second.id, is_over=False) == ["B", "a", "b", "é"]
        assert unit.games_of(third.id) == []
        assert unit.games_by_end(first.id) == (["B", "a", "b", "é"], ["c"])
        assert unit.games_by_end(third.id) == ([], [])
        unit.change_seat("a", 1, third.id)
        game = unit.find_game("a")
        assert game is not None
        assert game.players == (first.id, third.id)
        assert unit.games_of(third.id) == ["a"]


def test_all_games_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.games._PAGE", 3)
    with store.begin() as unit:
        assert list(unit.all_games()) == []
        for number in reversed(range(8)):
            add_game(unit, f"g{number}")
            assert list(unit.all_games()) == [f"g{n}" for n in range(number, 8)]


def test_due_games(store: Store) -> None:
    with store.begin() as unit:
        for game_id, minutes in (("c", 2), ("b", 1), ("a", 2), ("d", 3), ("e", None)):
            due = None if minutes is None else NOW + timedelta(minutes=minutes)
            add_game(unit, game_id, due=due)
        until = NOW + timedelta(minutes=2)
        assert unit.due_games(until, 10) == ["b", "a", "c"]
        assert unit.due_games(until, 2) == ["b", "a"]
        assert unit.due_games(until - timedelta(microseconds=1), 10) == ["b"]


@some
@given(log=st.integers(0, 4).flatmap(lambda n: st.tuples(*[things.entries(i) for i in range(n)])))
def test_logs(store: Store, log: tuple[LogEntry, ...]) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        other = add_game(unit)
        for entry in log:
            unit.add_entry(game.id, entry)
            unit.add_entry(other.id, entry)
    with store.begin() as unit:
        assert unit.entries(game.id) == list(log)
        assert unit.entries(game.id, since=1) == list(log[1:])
        for key, known in [
            *((entry.key, entry if entry.key else None) for entry in log),
            ("no such key", None),
            ("\0", None),
            ("\ud800", None),
        ]:
            assert unit.lock_game(game.id, key=key) == LockedGame(game, known=known)


def test_a_key_belongs_to_its_game(store: Store) -> None:
    with store.begin() as unit:
        first, second = add_game(unit), add_game(unit)
        entry = things.an_entry(0, key="k")
        unit.add_entry(first.id, entry)
    with store.begin() as unit:
        assert unit.lock_game(first.id, key="k") == LockedGame(first, known=entry)
        assert unit.lock_game(second.id, key="k") == LockedGame(second)


@given(instant=things.INSTANTS)
def test_instants_come_back_exactly_and_in_utc(instant: datetime) -> None:
    # The log's hashes are made of the text of instants: a microsecond off, and a chain breaks.
    from pbem.store.columns import instant_of, microseconds

    back = instant_of(microseconds(instant))
    assert back == instant
    assert back.tzinfo is UTC
    assert instant_text(back) == instant_text(instant)


def test_requests(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        second = things.a_request(game.id, 1, kind="defence", opened_by=0)
        first = things.a_request(game.id, deadline=NOW + timedelta(days=1))
        third = things.a_request(game.id, opened_by=10, mark="2")
        fourth = things.a_request(game.id, opened_by=9, mark="3")
        for request in (third, second, fourth, first):
            unit.open_request(request)
        assert unit.requests_of(game.id) == [first, second, fourth, third]
        assert (first.id, third.id) == (f"{game.id}.0.0", f"{game.id}.10.0")
        assert unit.lock_game(game.id) == LockedGame(game, (first, second, fourth, third))
    with store.begin() as unit:
        moved = replace(first, deadline=NOW + timedelta(days=2))
        unit.save_request(moved)
        assert unit.find_request(first.id) == moved
        closed = replace(moved, closed_by=0, closed_at=NOW)
        unit.save_request(closed)
        unit.add_entry(game.id, things.an_entry(0))
    with store.begin() as unit:
        assert unit.requests_of(game.id) == [second, fourth, third]
        assert unit.lock_game(game.id) == LockedGame(game, (second, fourth, third))
        assert unit.requests_of(game.id, only_open=False) == [closed, second, fourth, third]
        assert unit.find_request(closed.id) == closed


def test_requests_that_are_not_there(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        unit.open_request(things.a_request(game.id))
        for numbers in ("", ".", ".0", ".0.", ".0.1", ".1.0", ".0.0.0", ".00.0", ".-1.0", ".0.x",
                        ".999999999.0", f".{10**30}.0", ".\u0660.0", ".0.0\0"):  # fmt: skip
            assert unit.find_request(game.id + numbers) is None
        for request_id in ("", ".0.0", "none.0.0", "\0.0.0", "\ud800.0.0"):
            assert unit.find_request(request_id) is None
        assert unit.find_request(f"{game.id}.0.0") is not None


def test_requests_are_repaired(store: Store) -> None:
    """What stands in the place of a request gives way to it, closed or open, or was never there."""
    with store.begin() as unit:
        game = add_game(unit)
        unit.add_entry(game.id, things.an_entry(0))
        wrong = things.a_request(game.id, kind="defence", closed_by=0, closed_at=NOW)
        other = things.a_request(game.id, 1)
        for request in (wrong, other):
            unit.open_request(request)
    right = things.a_request(game.id, mark="7", deadline=NOW)
    absent = things.a_request(game.id, 1, opened_by=3, mark="8")
    with store.begin() as unit:
        unit.put_request(right)
        unit.put_request(absent)
        assert unit.requests_of(game.id, only_open=False) == [right, other, absent]
    with store.begin() as unit:
        unit.remove_request(other)
        unit.remove_request(other)
    with store.begin() as unit:
        assert unit.requests_of(game.id, only_open=False) == [right, absent]
        # Opened, removed, and opened in its place again, all in one unit and in this order.
        unit.open_request(other)
        unit.remove_request(other)
        unit.put_request(replace(other, kind="bid"))
        unit.save_request(replace(other, deadline=NOW))
    with store.begin() as unit:
        found = replace(other, kind="bid", deadline=NOW)
        assert unit.requests_of(game.id) == [right, found, absent]


@some
@given(facts=things.FACTS, at=things.INSTANTS, kind=things.WORDS)
def test_notices(store: Store, facts: dict[str, Any], at: datetime, kind: str) -> None:
    cause = fresh("cause")
    with store.begin() as unit:
        game = add_game(unit)
        first, second = game.players
        written = [
            Notice(cause, first, kind, at, game_id=game.id, facts=facts),
            Notice(cause, second, kind, at),
            Notice(cause, second, kind + "!", at),
        ]
        for notice in written:
            unit.add_notice(notice)
    with store.begin() as unit:
        # The same cause again: every mail stays as it was (L1.3).
        for notice in written:
            unit.add_notice(replace(notice, created_at=NOW, facts={"other": 1}))
        unit.add_notice(Notice(cause + "+", first, kind, at))
        assert unit.notices_for(cause) == written


def test_messages_and_notes(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        messages = [Message(game.id, seat, 0, NOW, text) for seat, text in ((0, "hi"), (1, "ho"))]
        for message in messages:
            unit.add_message(message)
        note = Note(game.id, 0, 3, NOW, "first thought")
        for entry in (5, 3):
            unit.save_note(replace(note, entry=entry))
        unit.save_note(Note(game.id, 1, 3, NOW, "theirs"))
        better = replace(note, text="second thought", at=NOW + timedelta(hours=1))
        unit.save_note(better)
    with store.begin() as unit:
        assert unit.messages_of(game.id) == messages
        assert unit.notes_of(game.id, 0) == [better, replace(note, entry=5)]


@some
@given(agreement=things.FACTS, created_at=things.INSTANTS, seat=st.none() | st.integers(0, 1))
def test_invitations(
    store: Store, agreement: dict[str, Any], created_at: datetime, seat: int | None
) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        host, guest = game.players
        direct = things.an_invitation(
            host,
            guest,
            agreement=agreement,
            created_at=created_at,
            host_seat=seat,
            rematch_of=game.id,
        )
        unit.add_invitation(direct)
        assert unit.lock_invitation(direct.id) == direct
        assert unit.open_invitations(host) == [direct]
        assert unit.open_invitations(guest) == [direct]
    with store.begin() as unit:
        accepted = replace(direct, closed_at=NOW, outcome="accepted", game_id=game.id)
        unit.save_invitation(accepted)
        assert unit.lock_invitation(direct.id) == accepted
        assert unit.open_invitations(guest) == []


def test_open_challenges(store: Store) -> None:
    with store.begin() as unit:
        host, guest = (player.id for player in add_players(unit))
        later = things.an_invitation(host, created_at=NOW + timedelta(days=1))
        challenge = things.an_invitation(host)
        for invitation in (later, challenge, things.an_invitation(host, guest)):
            unit.add_invitation(invitation)
        assert unit.open_invitations(None) == [challenge, later]
        assert len(unit.open_invitations(host)) == 3
        unit.save_invitation(replace(challenge, guest_id=guest, closed_at=NOW, outcome="declined"))
        assert unit.open_invitations(None) == [later]
        assert unit.lock_invitation("none") is None

"""Few statements, and small ones: what is looked up at once is what each would have been told."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from pbem.play.model import Address, Leave, Message, Notice
from pbem.play.ports import Store, Unit
from pbem.play.post import HELD, MOOT, AddressHealth, Outgoing, mail_key
from pbem.store.transaction import Transaction
from tests.store.test_post import a_letter
from tests.store.things import NOW, a_request, add_game, add_players, an_arrival, fresh, lock, play

MINUTE = timedelta(minutes=1)
GAMES = 3


@pytest.fixture
def mails(store: Store) -> list[Outgoing]:
    """Mails about several games, to players of whom much is known, a little, and nothing."""
    with store.begin() as unit:
        cause = fresh("cause")
        for number in range(GAMES):
            game = add_game(unit)
            for _ in range(4):
                game = play(unit, lock(unit, game.id))
            unit.open_request(a_request(game.id, seat=number % 2, mark=fresh("m")))
            for seat, player_id in enumerate(game.players):
                _add_post(unit, player_id, game.id, number)
                for entry in (1, 2, 3):
                    facts = {"entry": entry, "seat": seat}
                    name = f"{cause}/{number}/{entry}"
                    unit.add_notice(Notice(name, player_id, "news", NOW, game.id, facts))
        alone = add_players(unit)[0]
        unit.add_notice(Notice(cause, alone.id, "sign_in", NOW, None, {}))
    with store.begin() as unit:
        waiting = unit.claim_notices(NOW, lease=MINUTE, limit=1000)
        ours = [each for each in waiting if each.notice.cause.startswith(cause)]
        assert len(ours) == GAMES * 2 * 3 + 1
        unit.end_notice(ours[1].id, MOOT)
    return ours


def _add_post(unit: Unit, player_id: int, game_id: str, much: int) -> None:
    """``much`` of everything: addresses, days off, messages, mails held, letters."""
    player = unit.find_player(player_id)
    assert player is not None
    today = NOW.date()
    leaves = [
        Leave(today + timedelta(days=day), today + timedelta(days=day), NOW, NOW, NOW)
        for day in range(much)
    ]
    unit.save_player(replace(player, leaves=tuple(leaves)))
    for number in range(much):
        address = f"{fresh('a')}@example.org"
        unit.add_address(Address(address, player_id, NOW, is_preferred=number == 1))
        if number:
            unit.save_health(AddressHealth(address, bounced_at=NOW))
        unit.add_message(Message(game_id, 0, number, NOW, f"message {number}"))
        kept = unit.add_inbound(an_arrival(lane=address))
        found = unit.lock_inbound(kept)
        assert found is not None
        unit.save_inbound(replace(found, state=HELD, player_id=player_id, reason="vacation"))
        for place in range(20 * number + 1):
            unit.save_letter(a_letter(player_id, game_id=game_id, facts={"told": place}))
            unit.save_letter(a_letter(player_id, facts={"place": place}))


def asked_of(unit: Unit, mails: list[Outgoing]) -> list[Any]:
    """The answers to all that the writing of mails asks."""
    answers: list[Any] = []
    for mail in mails:
        notice = mail.notice
        answers += [unit.find_player(notice.player_id), unit.held_for(notice.player_id)]
        answers.append(unit.find_letter_by_message_id(mail.message_id))
        addresses = unit.addresses_of(notice.player_id)
        answers += [addresses, [unit.find_health(each.address) for each in addresses]]
        if notice.game_id is None:
            continue
        answers.append(unit.letter_facts(notice.player_id, None))
        answers.append(unit.letter_facts(notice.player_id, notice.game_id))
        entry = notice.facts["entry"]
        assert isinstance(entry, int)
        answers.append(unit.last_told(notice.game_id, notice.player_id, entry))
        game = unit.find_game(notice.game_id)
        assert game is not None
        answers += [game, [unit.find_player(each) for each in game.players]]
        answers += [unit.messages_of(game.id), unit.requests_of(game.id)]
        answers += [unit.entries(game.id, since=since) for since in (entry - 1, entry, 9)]
    return answers


def test_what_is_foreseen_is_what_is_found(store: Store, mails: list[Outgoing]) -> None:
    with store.begin() as unit:
        unit.save_letter(a_letter(mails[0].notice.player_id, message_id=mails[0].message_id))
    with store.read() as unit:
        found = asked_of(unit, mails)
    with store.read() as unit:
        unit.foresee_mails(mails)
        assert asked_of(unit, mails) == found


def test_nothing_of_it_is_looked_up_again(
    store: Store, mails: list[Outgoing], monkeypatch: pytest.MonkeyPatch
) -> None:
    trips: list[object] = []
    fetch: Callable[..., Any] = Transaction._fetch

    def counted(self: Transaction, *wanted: Any) -> Any:
        trips.append(wanted)
        return fetch(self, *wanted)

    monkeypatch.setattr(Transaction, "_fetch", counted)
    with store.read() as unit:
        unit.foresee_mails(mails)
        foreseen = len(trips)
        asked_of(unit, mails)
    assert foreseen == 2
    assert len(trips) == foreseen


def test_what_is_written_afterwards_is_seen(store: Store, mails: list[Outgoing]) -> None:
    player_id = mails[0].notice.player_id
    with store.begin() as unit:
        unit.foresee_mails(mails)
        before = unit.find_player(player_id)
        assert before is not None
        changed = replace(before, name="Another")
        unit.save_player(changed)
        assert unit.find_player(player_id) == changed


def test_a_mail_that_only_plays_has_its_game_locked_with_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        mail = unit.lock_inbound(unit.add_inbound(an_arrival()))
        assert mail is not None
    with store.begin() as unit:
        unit.lock_to_act(mail, game.players[0], game.id, locks_game=True)
        monkeypatch.delattr(Transaction, "_fetch")  # nothing more is asked
        locked = unit.lock_game(game.id, mail_key(mail.id))
        assert locked is not None
        assert locked.game == unit.find_game(game.id) == game


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that are sent, as they come."""
    found: list[str] = []
    run: Callable[..., Any] = Transaction._run

    def noted(self: Transaction, statements: Any) -> Any:
        found.extend(prepared.text for prepared, _ in statements)
        return run(self, statements)

    monkeypatch.setattr(Transaction, "_run", noted)
    return found


def test_a_part_in_which_nothing_is_written_is_no_savepoint(store: Store, sent: list[str]) -> None:
    with store.begin() as unit:
        game = add_game(unit)
    with store.begin() as unit, unit.nested():
        unit.find_player(game.players[0])
    assert not any("SAVEPOINT" in each for each in sent)
    with store.begin() as unit:
        with suppress(ValueError), unit.nested():
            locked = lock(unit, game.id)
            play(unit, locked)
            assert len(unit.entries(game.id)) == 1
            raise ValueError
        assert unit.entries(game.id) == []
    assert [each.split()[0] for each in sent].count("SAVEPOINT") == 1


@pytest.mark.parametrize("is_sent", [True, False])
def test_parts_that_begin_together_are_one_savepoint_and_undone_by_themselves(
    store: Store, sent: list[str], is_sent: bool
) -> None:
    with store.begin() as unit:
        game = add_game(unit)

    def note(unit: Unit, text: str) -> None:
        unit.add_message(Message(game.id, 0, 0, NOW, text))
        if is_sent:
            unit.messages_of(game.id)

    with store.begin() as unit:
        with unit.nested():
            with suppress(ValueError), unit.nested():
                note(unit, "undone")
                raise ValueError
            note(unit, "first")
            with suppress(ValueError), unit.nested():
                note(unit, "undone alone")
                raise ValueError
        with suppress(ValueError), unit.nested():
            with unit.nested():
                note(unit, "undone with the part around it")
            raise ValueError
        with unit.nested(), unit.nested():
            note(unit, "last")
    with store.read() as unit:
        assert [each.text for each in unit.messages_of(game.id)] == ["first", "last"]
    assert [each.split()[0] for each in sent].count("SAVEPOINT") == (4 if is_sent else 3)


def test_statements_stay_prepared_from_one_unit_to_the_next(
    store: Store, database_url: str
) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("it has no such statements")
    counted = text("SELECT count(*) FROM pg_prepared_statements")
    for begin in (store.read, store.begin):
        for _ in range(10):
            with begin() as unit:
                unit.find_player(1)
        with begin() as unit:
            assert isinstance(unit, Transaction)
            assert unit._connection.execute(counted).scalar_one() > 0


def test_a_list_of_any_length_is_planned_once_for_all(store: Store, database_url: str) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("it plans each statement when it meets it")
    plans = text(
        "SELECT custom_plans, generic_plans FROM pg_prepared_statements"
        " WHERE statement LIKE '%unnest%' AND statement LIKE '%token_hash%'"
    )
    with store.begin() as unit:
        assert isinstance(unit, Transaction)
        for length in range(2, 32):
            unit.games_of_letters([fresh("token") for _ in range(length)])
        [planned] = unit._connection.execute(plans).all()
    assert planned.custom_plans == 5  # with which PostgreSQL compares the one for all
    assert planned.generic_plans > 5

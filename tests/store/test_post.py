"""The post as it is kept: mails that came in, the outbox, letters, limits (L1)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from pbem.errors import StoreConflictError
from pbem.play.model import Notice, Outage, Pulse
from pbem.play.ports import Store, Unit
from pbem.play.post import (
    DEAD,
    HANDLED,
    HELD,
    MOOT,
    NEW,
    QUARANTINED,
    SENT,
    AddressHealth,
    Arrival,
    Inbound,
    Letter,
)
from tests.store.things import NOW, add_game, add_players, an_arrival, fresh

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


def add(store: Store, *arrivals: Arrival) -> list[int]:
    with store.begin() as unit:
        return [unit.add_inbound(arrival) for arrival in arrivals]


def claim(store: Store, now: datetime = NOW, limit: int = 10) -> list[int]:
    with store.begin() as unit:
        return [each.id for each in unit.claim_inbound(now, lease=MINUTE, limit=limit)]


def finish(store: Store, number: int, **changed: Any) -> None:
    with store.begin() as unit:
        unit.save_inbound(replace(get(unit, number), **{"state": HANDLED, **changed}))


def get(unit: Unit, number: int) -> Inbound:
    found = unit.lock_inbound(number)
    assert found is not None
    return found


# -- mails that came in -------------------------------------------------------------------------


def test_a_mail_comes_back_as_it_came_in(store: Store) -> None:
    arrival = an_arrival(sender=None)
    [number] = add(store, arrival)
    with store.begin() as unit:
        assert unit.find_inbound(number) == Inbound(number, arrival)
        assert unit.find_inbound(number + 1) is None
        assert unit.find_inbound(-1) is None
        assert unit.lock_inbound(10**30) is None
        player = add_players(unit)[0]
        game = add_game(unit)
        changed = Inbound(
            number,
            arrival,
            state=HELD,
            attempts=2,
            reason="dmarc",
            is_confirmed=True,
            player_id=player.id,
            game_id=game.id,
            outcome={"answer": ["c", 1, "receipt"], "sections": [], "é": None},
        )
        unit.save_inbound(changed)
    with store.read() as unit:
        assert unit.find_inbound(number) == changed
        listed = replace(changed, arrival=replace(arrival, raw=b""))
        assert unit.held_for(player.id) == [listed]
        assert unit.held_for(player.id + 1) == []
        assert unit.inbound_in_state(HELD) == [listed]
        assert unit.inbound_in_state(QUARANTINED) == []


def test_the_same_mail_is_one_row(store: Store) -> None:
    first = an_arrival()
    again = replace(first, raw=b"other", arrived=NOW + DAY, via="imap")
    elsewhere = replace(first, destination="service/join")
    numbers = add(store, first, again, elsewhere, first)
    assert numbers[0] == numbers[1] == numbers[3] != numbers[2]
    with store.read() as unit:
        assert unit.find_inbound(numbers[0]) == Inbound(numbers[0], first, repeats=2)


def test_an_answered_mail_that_comes_again_is_new_with_its_outcome(store: Store) -> None:
    arrival = an_arrival()
    [number] = add(store, arrival)
    assert claim(store) == [number]
    finish(store, number, outcome={"answer": ["c", 1, "receipt"]})
    assert claim(store, NOW + DAY) == []
    add(store, replace(arrival, arrived=NOW + DAY))
    with store.read() as unit:
        found = unit.find_inbound(number)
        assert found is not None
        assert (found.state, found.attempts, found.repeats) == (NEW, 0, 1)
        assert found.outcome == {"answer": ["c", 1, "receipt"]}
        assert found.arrival == arrival
        assert unit.oldest_unread() is None  # it was read before
    assert claim(store, NOW + DAY) == [number]


@pytest.mark.parametrize("state", [HANDLED, HELD, QUARANTINED])
def test_a_mail_without_an_answer_stays_as_it_is(store: Store, state: str) -> None:
    arrival = an_arrival()
    [number] = add(store, arrival)
    finish(store, number, state=state)
    add(store, arrival)
    with store.read() as unit:
        found = unit.find_inbound(number)
        assert found is not None
        assert (found.state, found.repeats) == (state, 1)


def test_claims_are_leased_and_counted(store: Store) -> None:
    later, earlier = add(store, an_arrival("b@x.org", NOW + MINUTE), an_arrival("a@x.org"))
    with store.begin() as unit:
        claimed = unit.claim_inbound(NOW, lease=MINUTE, limit=1)
        assert [(each.id, each.attempts) for each in claimed] == [(earlier, 1)]
    assert claim(store) == [later]
    assert claim(store, NOW + MINUTE / 2) == []
    assert claim(store, NOW + MINUTE) == [earlier]
    assert claim(store, NOW + MINUTE) == [later]
    with store.read() as unit:
        found = unit.find_inbound(earlier)
        assert found is not None
        assert found.attempts == 2


def test_a_lane_is_read_in_order(store: Store) -> None:
    second, first, third = add(
        store, an_arrival(at=NOW + MINUTE), an_arrival(at=NOW), an_arrival(at=NOW + MINUTE)
    )
    assert claim(store) == [first]
    assert claim(store) == []
    finish(store, first)
    assert claim(store) == [second]
    finish(store, second, state=HELD)
    assert claim(store) == [third]


def test_a_mail_that_crashes_its_reader_is_quarantined(store: Store) -> None:
    bad, good = add(store, an_arrival(), an_arrival(at=NOW + MINUTE))
    now = NOW
    for _ in range(3):
        assert claim(store, now) == [bad]
        with store.read() as unit:
            assert unit.oldest_unread() == NOW
        now += MINUTE
    assert claim(store, now) == [good]
    with store.read() as unit:
        assert [each.id for each in unit.inbound_in_state(QUARANTINED)] == [bad]
        assert unit.oldest_unread() == NOW + MINUTE


def test_what_a_reader_has_under_lock_nobody_else_gets(database_url: str, store: Store) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("a unit on SQLite has the whole file to itself")
    first, second = add(store, an_arrival(), an_arrival("b@x.org"))
    with store.begin() as reading:
        get(reading, first)
        for _ in range(4):
            assert claim(store, NOW + DAY) == [second]
            finish(store, second, state=NEW, attempts=0)
    assert claim(store, NOW + DAY) == [first, second]


def test_who_is_ended_with_many_mails_costs_none_of_them(store: Store) -> None:
    numbers = add(store, *(an_arrival(f"{name}@x.org") for name in "abc"))
    new = an_arrival("d@x.org", NOW + MINUTE)
    assert claim(store) == numbers
    numbers += add(store, new)
    # Somebody ended that reader; one of the three may be the reason, the others are not.
    assert claim(store, NOW + MINUTE) == numbers[:1]
    for number in numbers[1:3]:
        assert claim(store, NOW + MINUTE) == [number]
        finish(store, number)
    assert claim(store, NOW + MINUTE) == numbers[3:]
    assert claim(store, NOW + 2 * MINUTE) == numbers[:1]
    assert claim(store, NOW + 3 * MINUTE) == numbers[3:]
    with store.read() as unit:
        assert [each.id for each in unit.inbound_in_state(QUARANTINED)] == numbers[:1]


def test_two_who_claim_at_once_get_different_mails(database_url: str, store: Store) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("a unit on SQLite has the whole file to itself")
    numbers = add(store, an_arrival("a@x.org"), an_arrival("b@x.org"), an_arrival("a@x.org"))
    with store.begin() as one, store.begin() as other:
        first = one.claim_inbound(NOW, lease=MINUTE, limit=1)
        rest = other.claim_inbound(NOW, lease=MINUTE, limit=5)
    assert [each.id for each in (*first, *rest)] == numbers[:2]


def test_many_readers_and_senders_at_once(store: Store) -> None:
    mails = add(store, *(an_arrival(f"{number % 8}@x.org") for number in range(8)))
    with store.begin() as unit:
        player = add_players(unit)[0].id
        for number in range(8):
            unit.add_notice(a_notice(player, str(number)))

    def work(_: int) -> tuple[list[int], list[int]]:
        read: list[int] = []
        sent: list[int] = []
        while len(read) < 8:
            with store.begin() as unit:
                claimed = unit.claim_inbound(NOW, lease=MINUTE, limit=2)
                outgoing = unit.claim_notices(NOW, lease=MINUTE, limit=2)
            if not (claimed or outgoing):
                break
            read += [each.id for each in claimed]
            sent += [each.id for each in outgoing]
        return read, sent

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(work, range(4)))
    assert sorted(number for read, _ in done for number in read) == sorted(mails)
    sent = [number for _, numbers in done for number in numbers]
    assert len(sent) == len(set(sent)) == 8


# -- the outbox ---------------------------------------------------------------------------------


def a_notice(player_id: int, cause: str = "c", at: datetime = NOW, **changed: Any) -> Notice:
    return replace(Notice(cause, player_id, "receipt", at), **changed)


def test_the_outbox_hands_out_each_mail_once(store: Store) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0]
        for cause, at in (("late", NOW + DAY), ("b", NOW), ("a", NOW - DAY)):
            unit.add_notice(a_notice(player.id, cause, at))
    with store.begin() as unit:
        claimed = unit.claim_notices(NOW, lease=MINUTE, limit=5)
        assert [each.notice.cause for each in claimed] == ["a", "b"]
        assert claimed[0].notice == a_notice(player.id, "a", NOW - DAY)
        assert len({each.message_id for each in claimed}) == 2
        assert unit.claim_notices(NOW, lease=MINUTE, limit=5) == []
    with store.begin() as unit:
        [first, second] = unit.claim_notices(NOW + MINUTE, lease=MINUTE, limit=5)
        assert (first.attempts, first.since) == (0, NOW)
        unit.end_notice(first.id, SENT)
        unit.retry_notice(second.id, NOW + 2 * MINUTE, is_counted=True, reason="450 later")
        assert unit.notices_in_state(NEW)[0] == (replace(second, attempts=1), "450 later")
    with store.begin() as unit:
        [again] = unit.claim_notices(NOW + 2 * MINUTE, lease=MINUTE, limit=5)
        assert (again.id, again.attempts, again.since) == (second.id, 1, NOW)
        unit.retry_notice(again.id, NOW + 3 * MINUTE, is_counted=False)
        unit.end_notice(again.id, DEAD, "550 no such user")
        assert unit.notices_in_state(DEAD) == [(again, "550 no such user")]
        assert unit.replay_notice(again.id, NOW + 4 * MINUTE)
        assert not unit.replay_notice(first.id, NOW)
        assert not unit.replay_notice(10**6, NOW)
    with store.begin() as unit:
        [again] = unit.claim_notices(NOW + 4 * MINUTE, lease=MINUTE, limit=5)
        assert (again.attempts, again.since) == (0, NOW + 4 * MINUTE)


def test_a_mail_can_be_asked_for_again(store: Store) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0]
        unit.add_notice(a_notice(player.id))
        [sent] = unit.claim_notices(NOW, lease=MINUTE, limit=5)
        assert unit.requeue_notice("c", player.id, "receipt", NOW)  # waits: stays claimed
        assert unit.claim_notices(NOW, lease=MINUTE, limit=5) == []
        for state in (SENT, MOOT, DEAD):
            unit.end_notice(sent.id, state)
            assert unit.claim_notices(NOW + DAY, lease=MINUTE, limit=5) == []
            assert unit.requeue_notice("c", player.id, "receipt", NOW)
            [again] = unit.claim_notices(NOW, lease=MINUTE, limit=5)
            assert (again.id, again.message_id) == (sent.id, sent.message_id)
        assert not unit.requeue_notice("c", player.id, "news", NOW)
        assert not unit.requeue_notice("d", player.id, "receipt", NOW)
        assert unit.find_outgoing(sent.message_id) == again
        assert unit.find_outgoing("nothing\0") is None


def test_a_mail_that_ended_is_not_tried_again(store: Store) -> None:
    with store.begin() as unit:
        unit.add_notice(a_notice(add_players(unit)[0].id))
        [sent] = unit.claim_notices(NOW, lease=MINUTE, limit=5)
        unit.end_notice(sent.id, SENT)
    with pytest.raises(StoreConflictError), store.begin() as unit:
        unit.retry_notice(sent.id, NOW, is_counted=True)


def test_two_senders_get_different_mails(database_url: str, store: Store) -> None:
    if database_url.startswith("sqlite"):
        pytest.skip("a unit on SQLite has the whole file to itself")
    with store.begin() as unit:
        player = add_players(unit)[0]
        for cause in "abc":
            unit.add_notice(a_notice(player.id, cause))
    with store.begin() as one, store.begin() as other:
        first = one.claim_notices(NOW, lease=MINUTE, limit=1)
        rest = other.claim_notices(NOW, lease=MINUTE, limit=5)
    assert [each.notice.cause for each in (*first, *rest)] == ["a", "b", "c"]


def test_what_a_player_was_told_last(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        player, other = game.players
        for entry, whom in ((0, player), (2, player), (3, other), (5, player), (7, player)):
            unit.add_notice(
                a_notice(whom, f"{game.id}/{entry}", game_id=game.id, facts={"entry": entry})
            )
        unit.add_notice(a_notice(player, "else", game_id=game.id, facts={"seat": 0}))
        told = [unit.last_told(game.id, player, before) for before in (0, 1, 2, 3, 6, 99)]
        assert told == [-1, 0, 0, 2, 5, 7]
        rows = {
            each.notice.facts.get("entry"): each.id
            for each in unit.claim_notices(NOW, lease=MINUTE, limit=9)
        }
        unit.end_notice(rows[7], MOOT)
        unit.end_notice(rows[5], DEAD)
        unit.end_notice(rows[2], SENT)
        assert unit.last_told(game.id, player, 99) == 2
        assert unit.last_told("none", player, 99) == -1


# -- letters ------------------------------------------------------------------------------------


def a_letter(player_id: int, **changed: Any) -> Letter:
    name = fresh("m")
    letter = Letter(
        message_id=name,
        token_hash=f"hash of {name}",
        kind="turn_request",
        player_id=player_id,
        address="ann@example.org",
        made_at=NOW,
        facts={"invitation": "x", "é": [1, None]},
        prints=bytes(range(256)),
    )
    return replace(letter, **changed)


def test_letters_are_found_by_all_their_names(store: Store) -> None:
    with store.begin() as unit:
        game = add_game(unit)
        player = game.players[0]
        kept = unit.save_letter(
            a_letter(player, game_id=game.id, seat=0, request_id=f"{game.id}.0.0")
        )
        bare = unit.save_letter(a_letter(player, prints=b"", facts={}))
    assert kept.id is not None
    with store.read() as unit:
        assert unit.find_letter(kept.token_hash) == kept
        assert unit.find_letter_by_message_id(kept.message_id) == kept
        assert unit.find_letter_by_id(kept.id) == kept
        assert unit.find_letter(bare.token_hash) == bare
        assert unit.find_letter("\0") is None
        assert unit.find_letter_by_message_id("nothing") is None
        assert unit.find_letter_by_id(-1) is None
        assert unit.prints_to(player, game.id) == [kept.prints]
        assert unit.prints_to(player, None) == [b""]
        assert unit.prints_to(player + 1, None) == []
        assert [each.message_id for each in unit.letter_facts(player, None)] == [bare.message_id]


def test_only_the_newest_letters_are_found_again(store: Store) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0].id
        letters = [
            unit.save_letter(a_letter(player, prints=b"%08d" % number)) for number in range(21)
        ]
        newest = letters[:0:-1]
        assert unit.prints_to(player, None) == [each.prints for each in newest]
        assert [each.id for each in unit.letter_facts(player, None)] == [each.id for each in newest]


def test_what_a_unit_has_written_it_finds(store: Store) -> None:
    with store.begin() as unit:
        ann = add_players(unit)[0].id
        letter = a_letter(ann)
        assert unit.find_letter_by_message_id(letter.message_id) is None
        kept = unit.save_letter(letter)
        assert unit.find_letter_by_message_id(letter.message_id) == kept


def test_the_same_mail_written_again_replaces_its_letter(store: Store) -> None:
    with store.begin() as unit:
        player = add_players(unit)[0].id
        first = unit.save_letter(a_letter(player))
        again = unit.save_letter(replace(first, id=None, address="second@example.org"))
        newer = unit.save_letter(a_letter(player, prints=b"newer..."))
        assert again.id == first.id
        assert unit.find_letter_by_message_id(first.message_id) == again
        assert unit.prints_to(player, None) == [newer.prints, again.prints]
        assert [each.id for each in unit.letter_facts(player, None)] == [newer.id, again.id]


# -- addresses, limits, the pulse ---------------------------------------------------------------


def test_the_health_of_an_address(store: Store) -> None:
    sick = AddressHealth("a@example.org", NOW, 1.5, NOW - DAY, NOW + DAY)
    with store.begin() as unit:
        assert unit.find_health("a@example.org") is None
        unit.save_health(sick)
        assert unit.find_health("a@example.org") == sick
        unit.save_health(replace(sick, bounced_at=None))
        assert unit.find_health("a@example.org") == replace(sick, bounced_at=None)
        unit.save_health(AddressHealth("a@example.org"))
        assert unit.find_health("a@example.org") is None
        assert unit.find_health("\0") is None


def test_addresses_that_get_no_mail(store: Store) -> None:
    first, second, third = (f"{fresh('a')}@example.org" for _ in range(3))
    with store.begin() as unit:
        for at, address in ((NOW, first), (NOW + DAY, second)):
            unit.save_health(AddressHealth(address, bounced_at=at))
        unit.save_health(AddressHealth(third, soft_score=2.0, soft_at=NOW, unsubscribed_at=NOW))
        found = [each.address for each in unit.suspended_addresses(limit=100)]
        assert [each for each in found if each in (first, second, third)] == [second, first]
        assert len(unit.suspended_addresses(limit=1)) == 1


def test_counting(store: Store) -> None:
    with store.begin() as unit:
        assert [unit.count_event("a", NOW, DAY) for _ in range(3)] == [1, 2, 3]
        assert unit.count_event("b", NOW, DAY) == 1
    with store.begin() as unit:
        assert unit.count_event("a", NOW + DAY - MINUTE, DAY) == 4
        assert unit.count_event("a", NOW + DAY, DAY) == 1  # a window begins with the first
        assert unit.count_event("a", NOW + DAY + MINUTE, DAY) == 2


def test_a_nonce_is_used_once(store: Store) -> None:
    with store.begin() as unit:
        assert unit.use_nonce("n", NOW)
        assert not unit.use_nonce("n", NOW)
    with store.begin() as unit:
        assert not unit.use_nonce("n", NOW + DAY)
        assert unit.find_nonce("n") == NOW
        assert unit.find_nonce("m") is None
        assert unit.find_nonce("\0") is None
        assert unit.use_nonce("m", NOW)


def test_the_pulse(store: Store) -> None:
    with store.begin() as unit:
        assert unit.find_pulse() is None
        assert unit.beat(NOW) is None
        assert unit.beat(NOW + MINUTE) == NOW
        assert unit.beat(NOW) == NOW + MINUTE
        assert unit.find_pulse() == Pulse(NOW + MINUTE)
        later = Outage(NOW + DAY, NOW + 2 * DAY)
        outage = Outage(NOW, NOW + MINUTE)
        unit.save_outage(later)
        unit.save_outage(outage)
        unit.save_outage(replace(outage, after="game"))
    with store.read() as unit:
        assert unit.outages() == [replace(outage, after="game"), later]
        periods = ((NOW, NOW + MINUTE), (NOW + DAY, NOW + 2 * DAY))
        assert unit.find_pulse() == Pulse(NOW + MINUTE, periods)
    with store.begin() as unit:
        unit.end_outage(outage)
        assert unit.outages() == [later]


# -- forgetting ---------------------------------------------------------------------------------


def test_what_is_old_is_forgotten(store: Store) -> None:
    old, new, unread = add(
        store, an_arrival(), an_arrival(at=NOW + DAY), an_arrival("b@example.org")
    )
    finish(store, old, outcome={"a": 1})
    finish(store, new)
    with store.begin() as unit:
        over = add_game(unit, ended_at=NOW, termination="flag")
        runs = add_game(unit)
        letters = [
            unit.save_letter(a_letter(over.players[0], game_id=over.id)),
            unit.save_letter(a_letter(runs.players[0], game_id=runs.id)),
            unit.save_letter(a_letter(runs.players[0])),
            unit.save_letter(a_letter(runs.players[0], made_at=NOW + DAY)),
        ]
        unit.count_event("a", NOW, MINUTE)
        unit.use_nonce("n", NOW)
        assert unit.forget_post(NOW + DAY) == 5
        assert unit.forget_post(NOW + DAY) == 0
        assert [bool(get(unit, number).arrival.raw) for number in (old, new, unread)] == [
            False,
            True,
            True,
        ]
        assert get(unit, old).outcome == {"a": 1}
        found = [unit.find_letter_by_message_id(letter.message_id) for letter in letters]
        assert found == [None, letters[1], None, letters[3]]
        assert unit.use_nonce("n", NOW)


def test_the_mail_of_one_who_left_is_forgotten_but_not_taken_again(store: Store) -> None:
    arrival = an_arrival()
    [number] = add(store, arrival)
    with store.begin() as unit:
        player = add_players(unit)[0].id
        letter = unit.save_letter(a_letter(player))
        unit.save_inbound(
            replace(get(unit, number), state=HELD, player_id=player, outcome={"secret": 1})
        )
        unit.add_notice(a_notice(player, "c", facts={"address": "ann@example.org"}))
        unit.add_notice(a_notice(player, "d", facts={"entry": 3}))
        unit.forget_mail_of(player)
        assert [each.facts for each in (*unit.notices_for("c"), *unit.notices_for("d"))] == [
            {},
            {"entry": 3},
        ]
        assert [each.notice.cause for each in unit.claim_notices(NOW, lease=MINUTE, limit=5)] == [
            "d"
        ]
        assert unit.find_letter(letter.token_hash) is None
        unit.add_inbound(arrival)
        found = get(unit, number)
        assert (found.state, found.outcome, found.arrival.raw) == (HANDLED, {}, b"")
        assert found.arrival.lane == ""
        assert found.arrival.sender is None


def test_mail_changes_hands_with_its_player(store: Store) -> None:
    [number] = add(store, an_arrival())
    with store.begin() as unit:
        gone, kept = add_players(unit)
        letter = unit.save_letter(a_letter(gone.id))
        unit.save_inbound(replace(get(unit, number), player_id=gone.id, state=HELD))
        unit.readdress_letters(gone.id, kept.id)
        unit.readdress_inbound(gone.id, kept.id)
        assert unit.prints_to(kept.id, None) == [letter.prints]
        assert unit.find_letter(letter.token_hash) == replace(letter, player_id=kept.id)
        assert [each.id for each in unit.held_for(kept.id)] == [number]

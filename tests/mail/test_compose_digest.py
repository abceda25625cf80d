"""When mails go out, and several in one: digests, no mail at all (L6)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.sample_mails import MIDDLE
from pbem.cli.stage import OFFICE, Stage, at
from pbem.mail.compose import compose, when_to_send
from pbem.play import games, players
from pbem.play.model import Notice, Player, Preferences
from pbem.play.post import AddressHealth, Outgoing
from tests.mail.stages import Sketches
from tests.play.hasty_store import HastyStore

QUICK = replace(OFFICE, drawings=Sketches())


@pytest.fixture
def digest(new_store: HastyStore) -> Stage:
    """Ben wants one mail a day."""
    stage = Stage(new_store, office=QUICK)
    chosen = replace(stage.ben.preferences, delivery="digest")
    stage.ben = players.set_preferences(stage.around, stage.ben.id, chosen, now=at(0))
    return stage


def outgoing(player: Player, kind: str, made: datetime) -> Outgoing:
    return Outgoing(1, Notice("cause", player.id, kind, made), "0" * 32)


def find_time(stage: Stage, player: Player, kind: str, made: datetime) -> datetime | None:
    with stage.around.store.read() as unit:
        return when_to_send(unit, player, outgoing(player, kind, made), made)


@pytest.mark.parametrize(
    ("made", "zone", "sent"),
    [
        (datetime(2026, 11, 16, 5, 59, tzinfo=UTC), "Europe/Amsterdam", (16, 6, 0)),
        (datetime(2026, 11, 16, 6, 0, tzinfo=UTC), "Europe/Amsterdam", (17, 6, 0)),
        (datetime(2026, 11, 16, 20, 0, tzinfo=UTC), "Europe/Amsterdam", (17, 6, 0)),
        (datetime(2026, 11, 16, 20, 0, tzinfo=UTC), "Asia/Tokyo", (16, 22, 0)),
        (datetime(2026, 11, 16, 20, 0, tzinfo=UTC), "Asia/Kathmandu", (17, 1, 15)),
    ],
)
def test_a_digest_goes_out_in_the_morning(
    digest: Stage, made: datetime, zone: str, sent: tuple[int, int, int]
) -> None:
    player = replace(digest.ben, preferences=Preferences(delivery="digest", time_zone=zone))
    day, hour, minute = sent
    expected = datetime(2026, 11, day, hour, minute, tzinfo=UTC)
    assert find_time(digest, player, "turn_request", made) == expected


@pytest.mark.parametrize(
    "kind", ["receipt", "answer", "game_over", "reminder", "address_confirmation", "confirm_mail"]
)
def test_what_does_not_wait(digest: Stage, kind: str) -> None:
    assert find_time(digest, digest.ben, kind, at(1)) == at(1)


@pytest.mark.parametrize(
    ("kind", "is_sent"),
    [
        ("receipt", True),
        ("answer", True),
        ("address_confirmation", True),
        ("turn_request", False),
        ("game_over", False),
        ("reminder", False),
        ("invitation", False),
    ],
)
def test_who_wants_only_answers(new_store: HastyStore, kind: str, is_sent: bool) -> None:
    stage = Stage(new_store, office=QUICK)
    silent = replace(stage.ben, preferences=Preferences(delivery="none"))
    assert (find_time(stage, silent, kind, at(1)) is not None) is is_sent
    with stage.around.store.begin() as unit:
        unit.save_health(AddressHealth("ben@example.net", unsubscribed_at=at(0)))
    assert (find_time(stage, stage.ben, kind, at(1)) is not None) is is_sent


def test_all_that_waits_is_one_mail(digest: Stage) -> None:
    ids = [digest.start(hours, position=MIDDLE, level="master") for hours in (0, 1)]
    for hours, game_id in enumerate(ids, start=2):
        digest.send(game_id, 0, "F2>I7; end", hours)
    games.write_message(digest.around, ids[0], 0, "Good morning", now=at(4))
    (mail,) = [mail for mail in digest.post(18) if mail.letter.player_id == digest.ben.id]
    assert mail.letter.kind == "bundle"
    with digest.around.store.read() as unit:
        asked = [row.id for game_id in ids for row in unit.requests_of(game_id)]
    assert mail.letter.facts["requests"] == asked
    assert mail.subject == "2 games wait for you"
    for game_id in ids:
        assert f"Game {game_id} with Ann" in mail.text
    assert mail.text.count("Fire 2 walked from I6 to I7") == len(ids)
    assert "Good morning" in mail.text
    assert mail.letter.game_id is None
    assert mail.letter.request_id is None


def test_a_message_about_a_game_that_is_over_comes_with_the_digest(digest: Stage) -> None:
    game_id = digest.start(0, position=MIDDLE, level="master")
    digest.send(game_id, 0, "resign", 1)
    digest.post(2)
    games.write_message(digest.around, game_id, 0, "Thanks for the game!", now=at(4))
    (mail,) = [mail for mail in digest.post(18) if mail.letter.player_id == digest.ben.id]
    assert mail.letter.kind == "bundle"
    assert "Thanks for the game!" in mail.text
    assert "Time left" not in mail.text
    assert digest.post(42) == []


def test_the_next_mail_goes_on_where_the_digest_ended(digest: Stage) -> None:
    game_id = digest.start(0, position=MIDDLE, level="master")
    digest.send(game_id, 0, "F2>I7; end", 1)
    digest.post(18)
    digest.send(game_id, 1, "end", 19)
    (receipt,) = [mail for mail in digest.post(19) if mail.letter.kind == "receipt"]
    assert "walked from I6 to I7" not in receipt.text
    digest.send(game_id, 0, "F2>I6; end", 20)
    (second,) = [mail for mail in digest.post(44) if mail.letter.kind == "bundle"]
    assert "walked from I7 to I6" in second.text
    assert "walked from I6 to I7" not in second.text


def test_a_digest_written_twice_is_the_same(digest: Stage) -> None:
    game_id = digest.start(0, position=MIDDLE, level="master")
    digest.send(game_id, 0, "F2>I7; end", 1)
    with digest.around.store.begin() as unit:
        rows = unit.claim_notices(at(18), lease=timedelta(minutes=1), limit=50)
    written = []
    for row in rows:
        if row.notice.player_id != digest.ben.id:
            continue
        mail = compose(digest.around, QUICK, row, at(18))
        if mail is not None:
            with digest.around.store.begin() as unit:
                unit.save_letter(mail.letter)
            written.append((row, mail))
    ((row, mail),) = written
    assert compose(digest.around, QUICK, row, at(18)) == mail

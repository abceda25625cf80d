"""What else a player does by mail: correct a turn, answer several games at once, read Dutch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.play.games import get_stored
from pbem.play.log import LogEntry
from pbem.store.database import SqlStore
from tests.functional.house import House, open_house
from tests.functional.mailbox import MailPlayer
from tests.functional.sink import Sink


@pytest.fixture
def house(request: pytest.FixtureRequest, store: SqlStore) -> Iterator[House]:
    seed = request.node.name  # no two games of a process are the same
    with Sink() as sink, open_house(store, sink, seed=seed) as opened:
        yield opened


def sign_up(house: House, name: str, address: str, client: str) -> MailPlayer:
    player = MailPlayer(house, name, address, client=client)
    player.write(f"join@{house.office.domain}", "")
    player.reply(player.latest("address_confirmation"), "ok")
    return player


def begin(house: House, host: MailPlayer, guest: MailPlayer, wanted: str) -> str:
    """A game that the guest has accepted; its id."""
    host.reply(host.latest("answer"), f"invite {guest.address} {wanted}")
    guest.reply(guest.latest("invitation"), "accept")
    return house.letter_of(guest.latest("setup_request")).game_id or ""


def log_of(house: House, game_id: str) -> list[LogEntry]:
    with house.around.store.read() as unit:
        return list(unit.entries(game_id))


def test_a_turn_is_corrected_before_anybody_knows(house: House) -> None:
    """Held, undone, sent again, and played when the window is over (L6)."""
    ann = sign_up(house, "Ann", "ann@example.org", "gmail")
    beau = sign_up(house, "Beau", "beau@example.net", "phone")
    game = begin(house, ann, beau, "master 14d correction 2h as gold starter gold")
    beau.reply(beau.latest("setup_request"), "setup WFEAFAEW")
    house.let_pass(hours=3, step_hours=1)
    before, heard = log_of(house, game), len(beau.inbox)

    house.keep_secret(ann.address, "AAFFEEWW", "WFEAEAFW")
    ann.reply(ann.latest("setup_request"), "setup AAFFEEWW")
    assert log_of(house, game) == before
    assert "AAFFEEWW" in ann.latest("answer").text
    house.let_pass(hours=1, step_hours=1)
    ann.reply(ann.latest("answer"), "undo")
    assert "AAFFEEWW" in ann.latest("answer").text
    ann.reply(ann.latest("setup_request"), "setup WFEAEAFW")
    assert log_of(house, game) == before
    house.let_pass(hours=1.5, step_hours=0.5)
    assert log_of(house, game) == before
    assert len(beau.inbox) == heard, "somebody heard of what was held"

    house.secrets.clear()  # now both are in, and shown
    house.let_pass(hours=1, step_hours=0.5)
    assert log_of(house, game)[-1].text == "setup WFEAEAFW"
    assert "WFEAEAFW" in ann.latest("receipt").text
    # Too late to take it back.
    ann.reply(ann.latest("receipt"), "undo")
    assert log_of(house, game)[-1].text == "setup WFEAEAFW"


def test_two_games_are_answered_in_one_mail(house: House) -> None:
    ann = sign_up(house, "Ann", "ann@example.org", "gmail")
    beau = sign_up(house, "Beau", "beau@example.net", "apple_mail")
    games = [begin(house, ann, beau, "apprentice 14d as gold starter gold") for _ in range(2)]
    beau.reply(beau.latest("setup_request"), "bundle")
    bundle = beau.latest("answer")
    assert all(game in bundle.text for game in games)
    first, second = games
    beau.reply(bundle, f"{first}: setup WFEAFAEW\n{second}: setup WFEAEAFW")
    assert log_of(house, first)[-1].text == "setup WFEAFAEW"
    assert log_of(house, second)[-1].text == "setup WFEAEAFW"
    # One token for both, but each answered once.
    before = [log_of(house, game) for game in games]
    beau.reply(bundle, f"{first}: setup AAFFEEWW")
    assert [log_of(house, game) for game in games] == before


def test_a_game_in_dutch(house: House) -> None:
    ann = sign_up(house, "Ann", "ann@example.org", "outlook")
    beau = sign_up(house, "Beau", "beau@example.net", "thunderbird")
    beau.reply(beau.latest("answer"), "instellingen taal nl, bord tekst")
    game = begin(house, ann, beau, "apprentice 14d as black starter gold")
    asked = beau.latest("setup_request")
    assert "antwoord boven deze regel" in asked.text
    beau.reply(asked, "opstelling WFEAAEFW")
    ann.reply(ann.latest("setup_request"), "setup WFEAAEFW")
    beau.reply(
        beau.latest("turn_request"), "F2 naar I3\neinde\n\nVeel plezier!", client="html_only"
    )
    entries = log_of(house, game)
    if entries[-1].text != "F2>I3; end":  # in Dutch as in English an arrow is always understood
        beau.reply(beau.latest("turn_request"), "vuur 2 > I3; einde\n\nVeel plezier!")
    assert log_of(house, game)[-1].text == "F2>I3; end"
    assert any("Veel plezier!" in mail.text for mail in ann.inbox[-2:])
    ann.reply(ann.latest("turn_request"), "resign")
    with house.around.store.read() as unit:
        stored = get_stored(unit, game)
    assert (stored.winner, stored.termination) == (0, "resignation")
    over = beau.latest("game_over")
    assert "partij" in over.text.lower()
    assert list(over.attachments) == [f"{game}.ogn"]

"""Sets the scene that hostile mails are aimed at: games that run, with mails that were sent."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from pbem.mail.bounces import return_path
from pbem.play import games, invitations, players
from pbem.play.model import Player, Preferences
from tests.functional.house import House
from tests.functional.mails import Mail, read_mail
from tests.mail.hostile.cases import World
from tests.ortus.games import line

ARCHERS: dict[str, Any] = {"gold": "W1@F4 F2@I7", "black": "A4@I4 E3@N8", "energy": (14, 14)}
CLOCK = "1000d"


def set_the_scene(house: House) -> World:
    """Ann is to move in one game, is asked about a defence in another, and has lost a third."""
    names = World()
    ann, beau = join(house, "Ann", names.ann), join(house, "Beau", names.beau)
    cleo, dirk = join(house, "Cleo", "cleo@example.org"), join(house, "Dirk", "dirk@example.org")
    players.add_address(house.around, ann.id, names.ann_unverified, now=house.clock.now)

    turn = start(house, ann, beau)
    old = latest(house, names.ann, turn)
    submit(house, turn, 0, "W1>F5; end")
    submit(house, turn, 1, "A4>I5; end")
    asked = latest(house, names.ann, turn)
    beaus = latest(house, names.beau, turn)

    defence = start(house, beau, ann)
    submit(house, defence, 0, "W1 rng I4; end")
    defending = latest(house, names.ann, defence)

    over = start(house, ann, beau)
    lost = latest(house, names.ann, over)
    submit(house, over, 0, "resign")

    others = start(house, cleo, dirk)
    theirs = latest(house, "cleo@example.org", others)

    letter = house.letter_of(asked)
    return World(
        domain=house.office.domain,
        game=turn,
        order="F2>J7; end",
        wrong="F2>H8; end",
        reply=asked.reply_to,
        message_id=asked.message_id,
        old_reply=old.reply_to,
        old_message_id=old.message_id,
        beau_reply=beaus.reply_to,
        beau_message_id=beaus.message_id,
        other_reply=theirs.reply_to,
        other_message_id=theirs.message_id,
        over_reply=lost.reply_to,
        defence_reply=defending.reply_to,
        defence_message_id=defending.message_id,
        requests=tuple(
            request for mail in (asked, defending) if (request := house.letter_of(mail).request_id)
        ),
        bounce=return_path(house.office, letter, house.clock.now + timedelta(days=100)),
        old_bounce=return_path(house.office, letter, house.clock.now - timedelta(days=100)),
        subject=asked.subject,
        text=asked.text,
        html=asked.html or "",
        raw=asked.delivered.raw,
    )


def join(house: House, name: str, address: str) -> Player:
    """A player with a verified address."""
    return players.join(
        house.around,
        name,
        address,
        now=house.clock.now,
        preferences=Preferences(board="text"),
        verified=True,
    )


def start(house: House, gold: Player, black: Player) -> str:
    """A game from a position; its id."""
    agreement = {"position": line(**ARCHERS), "clock": CLOCK}
    now = house.clock.now
    offered = invitations.invite(house.around, gold.id, black.id, agreement, now=now, host_seat=0)
    stored = invitations.accept(house.around, black.id, offered.id, now=now)
    house.work()
    return stored.id


def submit(house: House, game_id: str, seat: int, text: str) -> None:
    """Orders that are played, and the mails that follow."""
    house.clock.now += timedelta(minutes=5)
    done = games.submit(house.around, game_id, seat, text, arrived=house.clock.now)
    assert isinstance(done, games.Taken), (text, done)
    house.work()


def latest(house: House, address: str, game_id: str) -> Mail:
    """The newest mail to somebody about a game."""
    mails = [read_mail(each) for each in house.sink.mails_to(address)]
    return [mail for mail in mails if house.letter_of(mail).game_id == game_id][-1]

"""The simulated players, without a server: what they write, and how mail goes to and fro."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random

from deploy.load.arranging import write_game
from deploy.load.posting import Mail, Post
from deploy.load.sink import Arrived, Fault, Sink, read_mail
from pbem.games.base import Refused, Start
from pbem.games.ortus.game import Ortus
from tests.load.apart import run_apart

RAW = (
    b'From: "Ann" <ann@players.example>\r\n'
    b'To: "Ortus" <play@play.example.org>\r\n'
    b'Reply-To: "Ortus by mail"\r\n <abc.xyz@play.example.org>\r\n'
    b"Subject: [abc] Your turn: round 1,\r\n 7 Energy\r\n"
    b"Message-ID: <1@players.example>\r\n"
    b"In-Reply-To: <0@players.example>\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"\r\n"
    b".a line that begins with a dot\r\n"
    b"a last one"
)


def test_a_game_is_written_to_its_end_with_attacks_answers_and_plans() -> None:
    game = Ortus()
    texts = []
    for number in range(4):
        start = Start(f"game{number}", {"level": "master"}, bytes([number]) * 32)
        state = game.start(start)
        for seat, text in write_game(Random(number), start):
            done = game.submit(state, seat, text)
            assert not isinstance(done, Refused)
            state = done.state
            texts.append(text)
        assert game.find_result(state) is not None
    assert any("[" in text for text in texts), "no plan"
    assert any(text.endswith(("+", "-")) for text in texts), "no answer to an attack"
    assert any(text.count(";") >= 2 for text in texts), "no turn of several orders"


def test_what_a_player_looks_at() -> None:
    mail = read_mail(RAW, "ann@players.example")
    assert mail.reply_to == "abc.xyz@play.example.org"
    assert mail.subject == "[abc] Your turn: round 1, 7 Energy"
    assert (mail.message_id, mail.answers) == ("<1@players.example>", "<0@players.example>")
    assert not mail.has_picture


def exchange(*faults: Fault | None) -> tuple[Mail, list[Arrived], Sink, int]:
    """One mail sent to a sink that has these faults, one for each try, and then none."""
    left = list(faults)
    arrived: list[Arrived] = []

    async def go() -> tuple[Mail, list[Arrived], Sink, int]:
        sink = Sink(arrived.append, lambda recipient: left.pop(0) if left else None)
        post = Post(connections=1)
        post.open(await sink.open())
        mail = Mail("ann@players.example", "play@play.example.org", "<1@players.example>", RAW)
        post.send(mail)
        await _soon(lambda: mail.accepted_at is not None or mail.refusal is not None)
        assert post.is_empty
        await post.close()
        await sink.close()
        return mail, arrived, sink, post.tried_again

    return run_apart(go())


async def _soon(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not is_so():
            await asyncio.sleep(0.01)


def test_a_mail_arrives_as_it_was_sent() -> None:
    mail, [arrived], _, tried_again = exchange()
    assert arrived.raw.replace(b"\r\n..", b"\r\n.") == RAW + b"\r\n"
    assert arrived.recipient == "play@play.example.org"
    assert tried_again == 0
    assert mail.tries == 1


def test_what_is_not_taken_for_now_or_breaks_off_comes_again() -> None:
    mail, arrived, sink, tried_again = exchange("later", "cut")
    assert len(arrived) == 1
    assert (mail.tries, tried_again) == (3, 2)
    assert not sink.unsaid


def test_what_is_taken_and_not_said_comes_twice_and_is_known() -> None:
    _, arrived, sink, _ = exchange("unsaid")
    assert [each.message_id for each in arrived] == ["<1@players.example>"] * 2
    assert sink.unsaid == {"<1@players.example>": 1}


def test_what_is_gone_with_the_connection_comes_once() -> None:
    mail, arrived, sink, tried_again = exchange("gone")
    assert len(arrived) == 1
    assert (mail.tries, tried_again) == (2, 1)
    assert not sink.unsaid


def test_what_is_refused_for_good_does_not_come_again() -> None:
    mail, arrived, _, tried_again = exchange("never")
    assert arrived == []
    assert mail.refusal is not None
    assert mail.refusal.startswith("550")
    assert tried_again == 0

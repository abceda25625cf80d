"""A run in which anything went wrong is not told as a good one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from deploy.load.arranging import Arranged
from deploy.load.players import Players, Submission
from deploy.load.playing import Measured, _Window, _with_totals
from deploy.load.posting import Mail, Post
from deploy.load.reckoning import quickness, slower_run, speed, wholeness
from deploy.load.sink import read_mail
from pbem.games.base import Start

LIMIT = 300.0
GAMES = 3


class _Nobody:
    """A server without processes."""

    children = ()

    def start(self) -> int:
        raise AssertionError("it is never started")

    def stop(self) -> None:
        raise AssertionError("it is never started")


class _Drawer(Post):
    """Where mails of players stay."""

    def send(self, mail: Mail) -> None:
        pass


def some_games() -> list[Arranged]:
    start = Start("game", {}, b"")
    return [
        Arranged(
            f"game{number}",
            start,
            (f"gold{number}@players.example", f"black{number}@players.example"),
            (f"gold{number}@other.example", f"black{number}@other.example"),
            (["end"] * 9, ["end"] * 9),
        )
        for number in range(GAMES)
    ]


class Run:
    """A run in which the server does what a test says: each of its steps is one turn of a game."""

    def __init__(self) -> None:
        self.players = Players(some_games(), _Drawer())
        self.held: dict[int, Callable[[], None]] = {}
        self.players.pace = self._hold
        self.number = 0
        self.game = 0
        self.logged = 0
        for game in range(GAMES):
            self.game = game
            self.arrive("Your turn: round 1")
        self.window = _Window(_Nobody(), self.players)

    def _hold(self, send: Callable[[], None]) -> None:
        self.held[self.game] = send

    def arrive(self, subject: str, *, answers: str = "", late: float = 0.0, times: int = 1) -> None:
        self.number += 1
        raw = (
            f"Subject: [game] {subject}\r\nMessage-ID: <{self.number}@server>\r\n"
            f"In-Reply-To: {answers}\r\n\r\n"
        ).encode()
        for _ in range(times):
            mail = read_mail(raw, f"gold{self.game}@players.example")
            self.players.take(replace(mail, at=self._accepted(answers, mail.at) + late))

    def _accepted(self, message_id: str, now: float) -> float:
        """When the submission was taken that is answered: what this program takes is no matter."""
        answered = self.players.submissions.get(message_id)
        return now if answered is None else answered.mail.accepted_at or now

    def submit(self, game: int = 0) -> Submission:
        """The player of a game answers what is asked."""
        self.game = game
        self.held.pop(game)()
        return list(self.players.submissions.values())[-1]

    def accept(self, submission: Submission) -> None:
        submission.mail.accepted_at = time.monotonic()

    def play(self, submission: Submission, *, late: float = 0.0, times: int = 1) -> None:
        self.logged += 1
        self.arrive(
            "Received. Your turn: round 2",
            answers=submission.mail.message_id,
            late=late,
            times=times,
        )

    def turn(self, game: int = 0, *, late: float = 0.0, times: int = 1) -> None:
        submission = self.submit(game)
        self.accept(submission)
        self.play(submission, late=late, times=times)

    def end(self) -> tuple[Measured, int]:
        measured = self.window.close()
        return _with_totals(measured, self.window, self.players), self.logged


def is_quick(run: Run) -> bool:
    measured, logged = run.end()
    return all(each.ok for each in quickness("any", measured, 0, LIMIT, logged))


def is_whole(run: Run) -> bool:
    measured, logged = run.end()
    others = [*speed("any", measured, 0, logged), *slower_run("any", measured, logged)]
    told = {each.ok for each in others if "lost" in each.name}
    told.add(wholeness("any", (measured, logged)).ok)
    assert len(told) == 1, "one of them looks away"
    return told.pop()


def test_a_run_in_which_all_goes_well() -> None:
    run = Run()
    for game in range(GAMES):
        run.turn(game)
    assert is_quick(run)
    assert is_whole(run)


def test_answers_that_come_when_the_measured_time_is_over_are_slow() -> None:
    run = Run()
    measured = run.window.close()
    submission = run.submit()
    submission.mail.accepted_at = run.window.began
    run.play(submission, late=12.0)
    measured = _with_totals(measured, run.window, run.players)
    assert max(measured.latencies) >= 12
    assert [each.ok for each in quickness("any", measured, 0, LIMIT, 1)] == [
        True,
        True,
        False,
        True,
    ]


def test_an_answer_that_never_comes_is_slow() -> None:
    run = Run()
    run.accept(run.submit())
    assert not is_quick(run)


def test_without_a_mail_nothing_is_quick() -> None:
    assert not is_quick(Run())


def test_too_few_turns_are_no_tenth_of_the_load() -> None:
    run = Run()
    run.turn()
    measured, logged = run.end()
    rate = 2 * measured.speed
    assert not quickness("any", measured, rate, LIMIT, logged)[0].ok


def refuse(run: Run) -> None:
    run.submit().mail.refusal = "554 5.7.1 no"


def lose(run: Run) -> None:
    run.accept(run.submit())


def lose_one_and_play_one_unheard(run: Run) -> None:
    run.accept(run.submit(0))
    run.play(run.submit(1))


def play_twice(run: Run) -> None:
    run.turn()
    run.logged += 1


def send_twice(run: Run) -> None:
    run.turn(times=2)


def ask_nobody(run: Run) -> None:
    submission = run.submit()
    run.accept(submission)
    run.logged += 1
    run.arrive("Received. Black is asked", answers=submission.mail.message_id)


def answer_strangely(run: Run) -> None:
    submission = run.submit()
    run.accept(submission)
    run.logged += 1
    run.arrive("Not played yet", answers=submission.mail.message_id)


@pytest.mark.parametrize(
    "go_wrong",
    [
        refuse,
        lose,
        lose_one_and_play_one_unheard,
        play_twice,
        send_twice,
        ask_nobody,
        answer_strangely,
    ],
)
def test_what_goes_wrong_is_told(go_wrong: Callable[[Run], None]) -> None:
    run = Run()
    run.turn(2)
    go_wrong(run)
    assert not is_whole(run)

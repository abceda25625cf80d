"""The simulated players: who is asked answers, by mail, with what was arranged.

They know no more than a player: a subject says what is asked, Reply-To where the answer goes, the
text is quoted below it. Every mail is noted with its instant, for the reckoning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from email.utils import formatdate
from random import Random
from uuid import uuid4

from deploy.load.arranging import HOME, Arranged
from deploy.load.posting import Mail, Post
from deploy.load.sink import Arrived

REMARKS = (
    "Well met!",
    "That was not what I had hoped for.",
    "Sorry, I was away for a few days.",
    "Nice one. Greetings from a rainy place.",
)
REMARKED = 0.15
"""How many mails have a word for the opponent in them."""
SAMPLES = 200
_ASKS = ("Your set-up", "Your bid", "Your turn", "Save ")
_RECEIVED, _PLAYED = "Received. ", "Played: "
_OVER = ("You have won", "You have lost", "Your game with")


@dataclass(eq=False, slots=True)
class Game:
    """A game under way: what is still to be written, by seat."""

    arranged: Arranged
    waiting: tuple[list[str], list[str]]
    last: Submission | None = None
    """The newest submission that was taken."""
    asked: int = 0
    """Questions that are not answered yet."""
    ended: set[int] = field(default_factory=set)
    """The seats that were told of its end."""
    upset: str | None = None
    """The subject of an answer that nobody expected; then it is not played on."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return len(self.ended) == 2 or self.upset is not None

    @property
    def is_stuck(self) -> bool:
        """Whether it is not over and nobody is asked: a mail is on its way, or lost."""
        return not self.is_over and not self.asked


@dataclass(eq=False, slots=True)
class Submission:
    """A mail with orders, from its sending to the receipt."""

    game: Game
    seat: int
    text: str
    mail: Mail
    answered_at: float | None = None
    is_played: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """What is kept of a mail that arrived: when, how long after what brought it about."""

    at: float
    message_id: str
    recipient: str
    subject: str
    size: int
    has_picture: bool
    seconds: float | None


class Players:
    """All of them. ``pace`` is handed every answer when it could be sent, and sends it."""

    def __init__(self, games: Sequence[Arranged], post: Post, *, seed: int = 1) -> None:
        self.games = [Game(each, (each.orders[0][:], each.orders[1][:])) for each in games]
        self.submissions: dict[str, Submission] = {}
        self.arrivals: list[Noted] = []
        self.copies: Counter[str] = Counter()
        """Mails that came before, by their Message-ID."""
        self.samples: list[bytes] = []
        self.pace: Callable[[Callable[[], None]], None] = lambda send: send()
        self._post = post
        self._rng = Random(seed)
        self._seen: set[str] = set()
        self._seats = {
            address: (game, seat)
            for game in self.games
            for addresses in (game.arranged.addresses, game.arranged.others)
            for seat, address in enumerate(addresses)
        }
        self.by_http = 0.0
        """The share of mails that go over HTTP."""

    @property
    def running(self) -> int:
        """How many games go on."""
        return sum(not game.is_over for game in self.games)

    @property
    def unanswered(self) -> int:
        """Submissions that were taken and have not been answered."""
        return sum(
            each.mail.accepted_at is not None and each.answered_at is None
            for each in self.submissions.values()
        )

    @property
    def is_quiet(self) -> bool:
        """Whether everything was answered, and nothing can come before somebody writes."""
        return not self.unanswered and not any(game.is_stuck for game in self.games)

    def find_amiss(self) -> list[str]:
        """All that is lost, doubled, refused or unexpected now that nothing is on its way."""
        amiss = [game.upset for game in self.games if game.upset is not None]
        amiss += [f"stuck: {game.arranged.game_id}" for game in self.games if game.is_stuck]
        for each in self.submissions.values():
            if each.mail.accepted_at is None:
                amiss.append(f"not taken ({each.mail.refusal}): {each.text}")
            elif each.answered_at is None:
                amiss.append(f"not answered: {each.text}")
        return amiss + [f"came again: {message_id}" for message_id in self.copies.elements()]

    def find_waits(self, since: float, until: float, most: float) -> list[float]:
        """How long after a submission that was taken between two instants each mail came that
        follows from it; ``most`` for an answer that did not come."""
        waits = [
            each.seconds
            for each in self.arrivals
            if each.seconds is not None and since <= each.at - each.seconds < until
        ]
        missing = [
            each
            for each in self.submissions.values()
            if each.answered_at is None and since <= (each.mail.accepted_at or 0) < until
        ]
        return waits + [most] * len(missing)

    def take(self, mail: Arrived) -> None:
        """A mail has come."""
        game, seat = self._seats[mail.recipient]
        answered = self.submissions.get(mail.answers)
        self._note(mail, answered or game.last)
        if mail.message_id in self._seen:
            self.copies[mail.message_id] += 1
            return
        self._seen.add(mail.message_id)
        told = mail.subject.partition("] ")[2]
        if answered is not None and answered.answered_at is None:
            answered.answered_at = mail.at
            answered.is_played = told.startswith((_RECEIVED, _PLAYED, *_OVER))
            if not answered.is_played:
                game.upset = mail.subject
        if told.startswith(_OVER):
            game.ended.add(seat)
        is_asked = told.removeprefix(_RECEIVED).startswith(_ASKS)
        if is_asked and not game.is_over:
            game.asked += 1
            self.pace(lambda: self._answer(game, seat, mail))

    def _note(self, mail: Arrived, cause: Submission | None) -> None:
        seconds = None
        if cause is not None and cause.mail.accepted_at is not None:
            seconds = max(0.0, mail.at - cause.mail.accepted_at)
        elif cause is not None:  # it was quicker than the word that ours was taken
            seconds = 0.0
        has_picture = mail.has_picture
        if has_picture and len(self.samples) < SAMPLES and cause is not None:
            self.samples.append(mail.raw)
        self.arrivals.append(
            Noted(
                mail.at,
                mail.message_id,
                mail.recipient,
                mail.subject,
                len(mail.raw),
                has_picture,
                seconds,
            )
        )

    def _answer(self, game: Game, seat: int, asked: Arrived) -> None:
        orders = game.waiting[seat]
        game.asked -= 1
        if not orders:
            game.upset = f"asked once too often: {asked.subject}"
            return
        text = orders.pop(0)
        sender = game.arranged.addresses[seat]
        message_id = f"<{uuid4().hex}@{HOME}>"
        raw = self._write(asked, sender, message_id, text)
        by_http = self._rng.random() < self.by_http
        mail = Mail(sender, asked.reply_to, message_id, raw, by_http=by_http)
        submission = Submission(game, seat, text, mail)
        self.submissions[message_id] = submission
        game.last = submission
        self._post.send(mail)

    def _write(self, asked: Arrived, sender: str, message_id: str, text: str) -> bytes:
        """The mail: orders, now and then a remark, and below it what is answered."""
        remark = ""
        if self._rng.random() < REMARKED:
            # Never the same twice: what stands in a mail of ours is taken for a quote of it.
            remark = f"\r\n\r\n{self._rng.choice(REMARKS)} My day {len(self.submissions)} of this."
        date = formatdate()
        head = (
            f"Received: from mail.{HOME} by play.example.org; {date}\r\n"
            f'From: "{sender.partition("@")[0]}" <{sender}>\r\n'
            f"To: <{asked.reply_to}>\r\n"
            f"Subject: Re: {asked.subject}\r\n"
            f"Date: {date}\r\n"
            f"Message-ID: {message_id}\r\n"
            f"In-Reply-To: {asked.message_id}\r\n"
            f"References: {asked.answers} {asked.message_id}\r\n"
            "User-Agent: Simulated Player\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: 8bit\r\n"
            "\r\n"
        )
        said = text.replace("\n", "\r\n")
        attribution = f"\r\n\r\nOn {date}, Ortus by mail <{asked.reply_to}> wrote:\r\n\r\n"
        quoted = b"> " + asked.text.rstrip().replace(b"\n", b"\n> ")
        return (head + said + remark + attribution).encode() + quoted

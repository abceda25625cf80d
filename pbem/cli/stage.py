"""A stage on which samples of mails are played: a store with Ann and Ben in it.

Nothing on it is random: dice, ids and times are the same every time. What is played is
``sample_mails``, for looking at; tests of composing play scenes of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final

from pbem.diagrams.for_mail import MailDrawings
from pbem.mail.answers import ANSWER, Section
from pbem.mail.compose import compose
from pbem.mail.composing.model import Composed
from pbem.mail.keys import Keys
from pbem.mail.office import Office
from pbem.play import games, invitations, players
from pbem.play.model import Notice, Player, Preferences
from pbem.play.ports import Store, Surroundings
from pbem.play.post import HANDLED, SENT, Arrival, Inbound

NOON: Final = datetime(2026, 11, 16, 12, tzinfo=UTC)
OFFICE: Final = Office(
    domain="play.example.org",
    site_url="https://play.example.org",
    keys=Keys(b"a secret that everybody may know"),
    director="director@example.org",
    drawings=MailDrawings(),
)
LEASE: Final = timedelta(minutes=1)


def at(hours: float) -> datetime:
    """So many hours after noon on a Monday."""
    return NOON + timedelta(hours=hours)


@dataclass(frozen=True, slots=True)
class Sample:
    """A mail, and the name of the file it is kept in."""

    name: str
    mail: Composed


class Stage:
    """A store with Ann and Ben in it."""

    def __init__(
        self, store: Store, *, language: str = "en", board: str = "image", office: Office = OFFICE
    ) -> None:
        self.office = office
        self.around = Surroundings(store, Random(4).randbytes)
        chosen = Preferences(language=language, board=board, time_zone="Europe/Amsterdam")
        self.ann, self.ben = (
            players.join(self.around, name, address, now=NOON, preferences=chosen, verified=True)
            for name, address in (("Ann", "ann@example.org"), ("Ben", "ben@example.net"))
        )
        self._mails_in = 0
        self._answers: dict[str, int] = {}

    # -- what players do ------------------------------------------------------------------------

    def start(self, hours: float = 0, **agreement: object) -> str:
        """A game that Ann plays with Gold; the invitation has been accepted."""
        invitation = invitations.invite(
            self.around, self.ann.id, self.ben.id, agreement, now=at(hours), host_seat=0
        )
        begun = invitations.accept(self.around, self.ben.id, invitation.id, now=at(hours))
        return begun.id

    def send(self, game_id: str, seat: int, text: str, hours: float) -> None:
        """Orders that came by mail and are played."""
        inbound = self.mail_in(text, (self.ann, self.ben)[seat], hours, game_id=game_id)
        done = games.submit(
            self.around, game_id, seat, text, arrived=at(hours), key=f"mail/{inbound}"
        )
        assert isinstance(done, games.Taken), done

    def finish(self, game_id: str, hours: float) -> None:
        """End a game whose mails have been seen."""
        games.submit(self.around, game_id, 0, "resign", arrived=at(hours))
        self.post(hours)

    def mail_in(
        self,
        text: str,
        player: Player,
        hours: float,
        *,
        game_id: str | None = None,
        state: str = HANDLED,
        reason: str | None = None,
    ) -> int:
        """A mail that has come in; its number."""
        self._mails_in += 1
        name = f"{self._mails_in}@mail.example"
        raw = f"Message-ID: <{name}>\r\nFrom: {player.name}\r\n\r\n{text}\r\n".encode()
        arrival = Arrival(name, "reply/sample", name, "", raw, at(hours), "smtp")
        with self.around.store.begin() as unit:
            number = unit.add_inbound(arrival)
            unit.save_inbound(
                Inbound(
                    number,
                    arrival,
                    state=state,
                    reason=reason,
                    player_id=player.id,
                    game_id=game_id,
                )
            )
        return number

    def notice(self, notice: Notice) -> None:
        """A mail to be written."""
        with self.around.store.begin() as unit:
            unit.add_notice(notice)

    def answer(self, player: Player, game_id: str | None, hours: float, *parts: Section) -> None:
        """The answer to a mail that was not played."""
        number = self.mail_in("…", player, hours, game_id=game_id)
        facts: dict[str, object] = {
            "inbound": number,
            "sections": [part.to_plain() for part in parts],
        }
        if game_id is not None:
            with self.around.store.read() as unit:
                stored = games.get_stored(unit, game_id)
            facts |= {"seat": stored.find_seat(player.id), "entry": stored.entries - 1}
        self.notice(Notice(f"mail/{number}", player.id, ANSWER, at(hours), game_id, facts))

    def answered(
        self,
        part: Section,
        hours: float,
        game_id: str | None,
        *,
        player: Player | None = None,
        name: str = "",
    ) -> Sample:
        """The answer with one section."""
        reader = player or self.ann
        self.answer(reader, game_id, hours, part)
        self._answers[part.name] = number = self._answers.get(part.name, 0) + 1
        called = f"answer_{part.name}{number if number > 1 else ''}"
        return Sample(name or called, self.pick(ANSWER, hours, to=reader))

    # -- what is sent ---------------------------------------------------------------------------

    def post(self, hours: float) -> list[Composed]:
        """Write all mails that are due, in order."""
        now, written = at(hours), []
        with self.around.store.begin() as unit:
            due = unit.claim_notices(now, lease=LEASE, limit=1000)
        for outgoing in due:
            mail = compose(self.around, self.office, outgoing, now)
            with self.around.store.begin() as unit:
                if mail is None:
                    unit.end_notice(outgoing.id, "moot")
                    continue
                unit.save_letter(mail.letter)
                unit.end_notice(outgoing.id, SENT)
                written.append(mail)
        return written

    def pick(self, kind: str, hours: float, *, to: Player | None = None) -> Composed:
        """The last mail of a kind among those that are due."""
        reader = None if to is None else to.id
        found = [
            mail
            for mail in self.post(hours)
            if mail.letter.kind == kind and reader in (None, mail.letter.player_id)
        ]
        return found[-1]

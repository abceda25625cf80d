"""A post room for tests: a club whose players write mails to the server, bytes in and rows out.

Letters of ours are written by hand here, with the facts that composing gives them; what they look
like to a reader is tested with composing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Final

from pbem.mail.addresses import reply_address
from pbem.mail.keys import Keys, token_hash
from pbem.mail.known_lines import prints_of
from pbem.mail.office import Office
from pbem.mail.reading import read_waiting
from pbem.mail.receive import receive
from pbem.play.model import Notice, Player
from pbem.play.post import HANDLED, NEW, Inbound, Letter
from tests.ortus.drawing import HOUSES
from tests.play.club import Club, Match, at
from tests.play.hasty_store import HastyStore

DOMAIN: Final = "play.example.org"
KEYS: Final = Keys(b"a secret that only tests know")
DEFAULT: Final = "setup WFEAAEFW"


class Room(Club):
    """A club with a post office."""

    _opened = count()

    def __init__(self, store: HastyStore, **chosen: Any) -> None:
        # Each room has games of its own: what a game came to is remembered by its id.
        super().__init__(store, f"room {next(self._opened)}")
        self.office = Office(DOMAIN, f"https://{DOMAIN}", KEYS, **chosen)
        self._letters = 0
        self._mails = 0

    # -- our letters ----------------------------------------------------------------------------

    def letter(
        self,
        player: Player,
        match: Match | None = None,
        *,
        kind: str = "turn_request",
        lines: Sequence[str] = (),
        asks: bool = True,
        **facts: Any,
    ) -> Letter:
        """A letter to a player, as composing would keep it now."""
        self._letters += 1
        name = f"letter{self._letters}"
        seat = request_id = None
        if match is not None:
            seat = match.stored.find_seat(player.id)
            mine = [row.id for row in match.requests() if row.seat == seat]
            request_id = mine[-1] if mine and asks else None
            facts.setdefault("entry", match.stored.entries - 1)
        letter = Letter(
            message_id=name,
            token_hash=token_hash(KEYS.reply_token(name)),
            kind=kind,
            player_id=player.id,
            address=self.address(player),
            made_at=at(),
            game_id=None if match is None else match.id,
            seat=seat,
            request_id=request_id,
            facts=facts,
            prints=prints_of(lines),
        )
        with self.store.begin() as unit:
            return unit.save_letter(letter)

    def answer_letter(self, inbound: Inbound, match: Match | None = None) -> Letter:
        """The letter that answers a mail."""
        notice = self.answer_to(inbound)
        facts: dict[str, Any] = {"inbound": inbound.id}
        if "requests" in notice.facts:
            facts["requests"] = notice.facts["requests"]
        with self.store.read() as unit:
            player = unit.find_player(notice.player_id)
        assert player is not None
        return self.letter(player, match, kind="answer", **facts)

    def address(self, player: Player) -> str:
        with self.store.read() as unit:
            return unit.addresses_of(player.id)[0].address

    # -- their mails ----------------------------------------------------------------------------

    def write(
        self,
        body: str,
        *,
        sender: str,
        to: Letter | str,
        subject: str = "Re: your game",
        now: datetime | None = None,
        headers: Mapping[str, str] | None = None,
        message_id: str | None = None,
    ) -> int:
        """A mail is stored; its number."""
        self._mails += 1
        recipient = to
        if isinstance(to, Letter):
            recipient = reply_address("game", KEYS.reply_token(to.message_id), DOMAIN)
        elif "@" not in to:
            recipient = f"{to}@{DOMAIN}"
        fields = {
            "From": sender,
            "To": recipient,
            "Subject": subject,
            "Message-ID": message_id or f"<mail{self._mails}@example.net>",
            "MIME-Version": "1.0",
            "Content-Type": "text/plain; charset=utf-8",
            "Content-Transfer-Encoding": "8bit",
            **(headers or {}),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        raw = (head + "\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()
        assert isinstance(recipient, str)
        (receipt,) = receive(
            self.around,
            self.office,
            [recipient],
            raw,
            sender=headers.get("Return-Path", sender) if headers else sender,
            via="smtp",
            now=now or at(),
        )
        assert receipt.inbound_id is not None, receipt
        return receipt.inbound_id

    def read(self, now: datetime | None = None) -> None:
        while read_waiting(self.around, self.office, now or at()):
            pass

    def mail(
        self,
        player: Player | str,
        body: str,
        to: Letter | str,
        *,
        twice: bool = True,
        **more: Any,
    ) -> Inbound:
        """A mail is stored and read; what became of it. Reading once more changes nothing."""
        sender = player if isinstance(player, str) else self.address(player)
        number = self.write(body, sender=sender, to=to, **more)
        self.read(more.get("now"))
        if not twice:
            return self.inbound(number)
        once = self.contents()
        self.read(more.get("now"))
        assert self.contents() == once
        return self.inbound(number)

    # -- what is there --------------------------------------------------------------------------

    def stored(self, number: int) -> Inbound:
        """A mail that may not have been read yet."""
        with self.store.read() as unit:
            found = unit.find_inbound(number)
        assert found is not None
        return found

    def inbound(self, number: int) -> Inbound:
        """A mail that was read."""
        found = self.stored(number)
        assert found.state != NEW
        return found

    def answer_to(self, inbound: Inbound) -> Notice:
        """The one notice that answers a mail."""
        assert inbound.state == HANDLED, (inbound.state, inbound.reason)
        answer: Any = inbound.outcome["answer"]
        cause, player_id, kind = answer
        with self.store.read() as unit:
            (found,) = [
                notice
                for notice in unit.notices_for(cause)
                if (notice.player_id, notice.kind) == (player_id, kind)
            ]
        assert found.player_id == inbound.player_id or inbound.player_id is None
        return found

    def notices(self) -> Iterator[tuple[str, int, str]]:
        """Cause, player and kind of every row of the outbox."""
        for row in self.contents()["notices"]:
            yield row[1], row[2], row[3]


def sections(inbound: Inbound) -> list[str]:
    """The names of the sections of an answer."""
    return [str(section["name"]) for section in inbound.outcome["sections"]]  # type: ignore[attr-defined]


def facts(inbound: Inbound, name: str) -> dict[str, Any]:
    """The facts of the only section of a name."""
    (found,) = [
        section["facts"]
        for section in inbound.outcome["sections"]  # type: ignore[attr-defined]
        if section["name"] == name
    ]
    assert isinstance(found, dict)
    return found


def house_of(match: Match, player: Player) -> str:
    return HOUSES[match.players.index(player)]

"""What is at hand while one mail is written: the store, the player, the player's language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote

from pbem.games.scene import Scene
from pbem.mail.addresses import reply_address
from pbem.mail.composing.model import Picture, Thread
from pbem.mail.dates import Calendar
from pbem.mail.mime import find_message_id, message_id
from pbem.mail.office import Office
from pbem.mail.parts import read_headers
from pbem.play.model import Notice, Player
from pbem.play.ports import Unit
from pbem.play.post import Inbound, LetterFacts, Outgoing, mail_number
from pbem.tongue import Tongue


class Folder:
    """What gathers while one mail is written: its pictures, and what was looked up for it."""

    def __init__(self) -> None:
        self.token = ""
        self.pictures: list[Picture] = []
        self.players: dict[int, Player | None] = {}
        self.letters: dict[str | None, list[LetterFacts]] = {}

    def add_picture(self, scene: Scene) -> str:
        """One more picture; its name."""
        name = f"board{len(self.pictures) + 1}"
        self.pictures.append(Picture(name, scene))
        return name


@dataclass(frozen=True, slots=True)
class Desk:
    """One mail in the making."""

    unit: Unit
    office: Office
    outgoing: Outgoing
    player: Player
    address: str
    tongue: Tongue
    now: datetime
    folder: Folder = field(default_factory=Folder)

    @property
    def notice(self) -> Notice:
        """Why it is written."""
        return self.outgoing.notice

    @property
    def facts(self) -> Mapping[str, object]:
        """What the notice says about it."""
        return self.outgoing.notice.facts

    @property
    def dates(self) -> Calendar:
        """Times as this player is told them."""
        return Calendar(self.tongue, self.player.preferences.time_zone, self.now)

    def find_player(self, player_id: int) -> Player | None:
        """A player, looked up once."""
        known = self.folder.players
        if player_id not in known:
            known[player_id] = self.unit.find_player(player_id)
        return known[player_id]

    def earlier_letters(self, game_id: str | None) -> list[LetterFacts]:
        """Letters about a game (None: about none or several) before this one, which may be written
        for the second time; newest first."""
        known = self.folder.letters
        if game_id not in known:
            mark = self.outgoing.message_id
            own = self.unit.find_letter_by_message_id(mark)
            known[game_id] = [
                letter
                for letter in self.unit.letter_facts(self.player.id, game_id)
                if letter.message_id != mark
                and (own is None or own.id is None or letter.id < own.id)
            ]
        return known[game_id]

    @property
    def token(self) -> str:
        """The token of this mail (L3.1)."""
        if not self.folder.token:
            self.folder.token = self.office.keys.reply_token(self.outgoing.message_id)
        return self.folder.token

    def reply_to(self, about: str) -> str:
        """Where replies to this mail go."""
        return reply_address(about, self.token, self.office.domain)

    def answer_link(self, about: str, subject: str, text: str) -> str:
        """A link that opens a reply with its text filled in; only for the HTML part (L3.4)."""
        fields = f"subject={quote('Re: ' + subject, safe='')}&body={quote(text, safe='')}"
        return f"mailto:{self.reply_to(about)}?{fields}"

    # -- threads (L5) ---------------------------------------------------------------------------

    def thread(self, root: str | None, answered: Inbound | None = None) -> Thread:
        """Where this mail belongs: all mails about one thing hang on one root, which is no mail."""
        references = () if root is None else (message_id(root, self.office),)
        if answered is None:
            return Thread(references)
        headers = read_headers(answered.arrival.raw)
        named = next((each.value for each in headers if each.name == "message-id"), "")
        theirs = find_message_id(named)
        return Thread((*references, *((theirs,) if theirs else ())), is_answer=True)

    def find_answered(self) -> Inbound | None:
        """The mail that is the cause of this one, or that its notice names."""
        number = self.facts.get("inbound")
        if number is None:
            return self.find_mail(self.notice.cause)
        return self.unit.find_inbound(number) if isinstance(number, int) else None

    def find_mail(self, key: str | None) -> Inbound | None:
        """A mail that came in, by the name it has as a cause and as the key of orders."""
        number = mail_number(key)
        return None if number is None else self.unit.find_inbound(number)

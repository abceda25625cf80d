"""The commands of mails (L6): which line is one, and what it asks for.

Owns the words, English and Dutch, and the shape of a line that counts: a command is a whole line,
its word first and nothing behind it that does not belong there. "Leave him alone" and "help me!"
are messages. What stands behind ``settings`` and ``invite`` is read by ``settings_text`` and
``invitation_text``; words that are orders (``resign``, ``draw?``, ``standing:``) are the game's.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from pbem.mail.classify import is_order_like
from pbem.mail.near_orders import is_near_orders
from pbem.mail.settings_text import NOTE_WORDS

_SPELLINGS: Final[dict[str, str]] = {
    "help": "help hulp ? commands opdrachten",
    "status": "status stand",
    "board": "board bord",
    "history": "history verloop geschiedenis",
    "games": "games partijen spellen",
    "try": "try probeer",
    "undo": "undo terugnemen",
    "leave": "leave verlof vakantie",
    "invite": "invite uitnodigen",
    "accept": "accept accepteer aanvaard",
    "decline": "decline weiger",
    "withdraw": "withdraw intrekken terugtrekken",
    "rematch": "rematch revanche",
    "notes": "notes notities",
    "settings": "settings setting instellingen instelling",
    "bundle": "bundle bundel",
    "stop": "stop unsubscribe uitschrijven afmelden",
    "start": "start subscribe inschrijven aanmelden",
    "events": "events evenementen toernooien",
    "enter": "enter meedoen deelnemen",
    "here": "here present aanwezig",
    "table": "table standings tabel ranglijst",
    "why": "why waarom",
    "challenge": "challenge uitdagen",
    "statement": "statement verklaring",
    "open": "open openen",
    "close": "close sluit sluiten",
    "begin": "begin beginnen",
    "pause": "pause pauze pauzeer",
    "resume": "resume hervat",
    "extend": "extend verleng",
    "warn": "warn waarschuw",
    "disqualify": "disqualify diskwalificeer",
    "substitute": "substitute vervang vervangen",
    "correct": "correct corrigeer",
    "annul": "annul annuleer",
}

RULES: Final = "rules"
"""``standing all: …``: rules for all games; those for one game are an order (N3.1)."""

NAMES: Final = (*_SPELLINGS, RULES)
WORDS: Final = {spelling: name for name, words in _SPELLINGS.items() for spelling in words.split()}

ABOUT_A_GAME: Final = frozenset(
    {"status", "board", "history", "undo", "try", "rematch", "notes", "statement"}
)
"""Commands behind which the id of a game may stand; without one it is the game of the mail."""

_BEFORE_IT_BEGINS: Final = frozenset({"open", "close", "begin"})
_WITH_REASON: Final = frozenset(
    {"pause", "resume", "extend", "warn", "disqualify", "substitute", "correct", "annul"}
)
ABOUT_AN_EVENT: Final = (
    frozenset({"enter", "here", "table", "why", "challenge"}) | _BEFORE_IT_BEGINS | _WITH_REASON
)
"""Commands behind which the id of an event must stand, so that no sentence is one; what may stand
behind that is ``_behind_event``'s."""

_ONLY_TELL: Final = frozenset(
    {"help", "status", "board", "history", "games", "try", "bundle", "events", "table", "why"}
)
_INVITATIONS: Final = frozenset({"accept", "decline"})
_KEEP_MARKS: Final = frozenset({"try", "settings", "statement"}) | _WITH_REASON

_OFF: Final = frozenset({"off", "uit", "end", "einde"})
OK_WORDS: Final = frozenset({"ok", "okay", "yes", "ja", "confirm", "akkoord", "oke", "oké"})
_POLITE: Final = frozenset(
    {"please", "thanks", "thank", "you", "sure", "graag", "prima", "goed", "dank", "je", "bedankt"}
)
EVERYBODY: Final = frozenset({"anyone", "anybody", "everybody", "everyone", "iedereen"})

MAX_LINE: Final = 1000
_MAX_SETTINGS_WORDS: Final = 40
_ORNAMENT: Final = " \t*_`\"'“”‘’"
_LINE: Final = re.compile(r"(\?|[^\W\d_]+)(?:\s*:\s*|\s+|$)(.*)", re.DOTALL)
_ID: Final = re.compile(r"[a-z2-7]{8}", re.IGNORECASE)
_EVENT_ID: Final = re.compile(r"(?=.*[2-7])[a-z2-7]{8}", re.IGNORECASE)
_DAYS: Final = re.compile(r"\d{1,3}\s*(?:d|days?|dag(?:en)?)?\b.*", re.IGNORECASE | re.DOTALL)
_RULES: Final = re.compile(
    r"standing\s+(?:for\s+|voor\s+)?(?:all|alle|alles)(?:\s+(?:games|partijen))?\s*:(.*)",
    re.IGNORECASE,
)
_RESIGN: Final = re.compile(r"\b(?:resign|opgeven|geef (?:het |de partij )?op)\b", re.IGNORECASE)
_RESIGN_ASKED: Final = re.compile(r"\W*(?:resign|opgeven)\s*\?[\s?!]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Command:
    """What a line asks for. ``argument`` is what stands behind its word, as it was written."""

    name: str
    text: str
    """The whole line."""
    argument: str = ""
    game_id: str | None = None

    @property
    def changes_something(self) -> bool:
        """Whether more follows from it than an answer to its writer."""
        if self.name in _ONLY_TELL:
            return False
        if self.name == "leave":
            return self.is_off or self.is_confirmed
        return bool(self.argument) if self.name in {"settings", "notes"} else True

    @property
    def is_off(self) -> bool:
        """``leave off``"""
        return self.name == "leave" and self.words[:1] != [] and self.words[0] in _OFF

    @property
    def is_confirmed(self) -> bool:
        """Whether the last word says that it is meant: ``leave 2026-12-20 2027-01-05 ok``."""
        return bool(self.words) and self.words[-1] in OK_WORDS

    @property
    def event_id(self) -> str:
        """The id of an event behind the word."""
        return self.argument.split()[0].rstrip(":").lower() if self.argument else ""

    @property
    def behind_event(self) -> str:
        """What stands behind the id of an event."""
        return self.argument.partition(" ")[2].strip()

    @property
    def words(self) -> list[str]:
        """The words of the argument, in small letters."""
        return self.argument.lower().split()


def find_command(line: str, *, games: Collection[str] = ()) -> Command | None:
    """The command that a line is; ``games`` are the ids of the writer's games."""
    text = line.strip(_ORNAMENT)
    if not text or len(text) > MAX_LINE:
        return None
    rules = _RULES.fullmatch(text)
    if rules is not None:
        return Command(RULES, text, rules[1].strip().rstrip("."))
    # A mark at the end does no harm: ``help?`` and ``Accept!`` are commands too.
    found = _LINE.fullmatch(text) or _LINE.fullmatch(text.rstrip(" .!?"))
    name = WORDS.get(found[1].lower()) if found else None
    if found is None or name is None:
        return None
    rest = found[2].strip()
    if name not in _KEEP_MARKS:
        rest = rest.rstrip(" .!?")
    return _with_argument(name, text, rest, {game.lower() for game in games})


def _with_argument(name: str, text: str, rest: str, games: Collection[str]) -> Command | None:
    game_id = None
    first, _, behind = rest.partition(" ")
    if name in ABOUT_A_GAME and first.lower().rstrip(":") in games:
        game_id, rest = first.lower().rstrip(":"), behind.strip()
    if name == "statement":
        # Only with a game: it goes to directors, and words alone to the opponent.
        return Command(name, text, rest.lstrip(": "), game_id) if game_id and rest else None
    if name in ABOUT_AN_EVENT:
        fits = bool(_EVENT_ID.fullmatch(first.rstrip(":"))) and _behind_event(name, behind.strip())
        return Command(name, text, rest) if fits else None
    if not _fits(name, rest):
        return None
    return Command(name, text, rest, game_id)


def _behind_event(name: str, rest: str) -> bool:
    """Whether what stands behind the id of an event belongs to the command."""
    match name:
        case "here" | "table" | "why" | "open" | "close" | "begin":
            return not rest
        case "challenge" | "warn" | "disqualify" | "substitute" | "correct" | "annul":
            return bool(rest)
        case "extend":
            return _DAYS.fullmatch(rest) is not None
    return True


def _fits(name: str, rest: str) -> bool:
    """Whether what stands behind the word of a command belongs to it."""
    words = rest.lower().split()
    if name == "settings":
        return len(words) <= _MAX_SETTINGS_WORDS
    if not words:
        return True
    if name == "try":
        return is_order_like(rest) or is_order_like(rest + "]") or is_near_orders(rest)
    match name:
        case "notes":
            fits = words[0] in NOTE_WORDS and len(words) == 1
        case "withdraw":
            fits = _ID.fullmatch(words[0]) is not None and set(words[1:]) <= OK_WORDS
        case "leave":
            fits = rest[0].isdigit() or words[0] in _OFF
        case "invite":
            fits = "@" in words[0] or words[0] in EVERYBODY
        case _:
            fits = name in _INVITATIONS and bool(_ID.fullmatch(rest))
    return fits


def command_finder(games: Collection[str] = ()) -> Callable[[str], bool]:
    """Whether a line is a command, for those who sort lines."""
    return lambda line: find_command(line, games=games) is not None


def nearest_commands(line: str) -> list[str]:
    """The commands whose words look like the first of a short line; the best first."""
    words = line.strip(_ORNAMENT + ".!?:").lower().split()
    if not 1 <= len(words) <= 3 or len(words[0]) < 4:
        return []
    close = difflib.get_close_matches(words[0], WORDS, n=3, cutoff=0.75)
    return list(dict.fromkeys(WORDS[word] for word in close))


def is_nearly_command(line: str) -> bool:
    """Whether a short line was hardly meant for an opponent: ``stauts``. Words of events are
    everybody's, as in "Correct!" and "Here we go": they count only with an id behind them."""
    names_event = any(_EVENT_ID.fullmatch(word.strip(".!?:")) for word in line.split())
    return any(names_event or name not in ABOUT_AN_EVENT for name in nearest_commands(line))


def is_ok(line: str) -> bool:
    """Whether a line only agrees: ``ok``, ``Yes please!``, ``ja graag``."""
    words = re.findall(r"[^\W\d_]+", line.lower())
    is_plain = re.fullmatch(r"(?:[^\W\d]|[\s.,!*'\"-]){1,40}", line.strip()) is not None
    return is_plain and bool(words) and words[0] in OK_WORDS and set(words[1:]) <= _POLITE


def asks_about_resigning(line: str) -> bool:
    """``resign?``: the notation reads it as an order, a person may mean a question."""
    return _RESIGN_ASKED.fullmatch(line) is not None


def speaks_of_resigning(text: str) -> bool:
    """Whether a sentence may mean that its writer resigns."""
    return _RESIGN.search(text) is not None

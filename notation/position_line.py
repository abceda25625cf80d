"""Position lines (N4): a whole position at the start of the Manoeuvring phase, in one line.

Owns the type, its reading with every check of N4, and its writing. Which arenas exist, and what
can be done in the position, is ``pbem.games.ortus``.

Reading is forgiving about space, line breaks of mail and capitals; writing is canonical.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from notation.errors import NotationError
from notation.hexes import CORE, HEX_NAMES

LEVELS: Final = ("apprentice", "wind", "earth", "water", "master")
"""The words for the levels of M, each with the rules of those before it."""

MAX_TEXT: Final = 1024
MAX_ROUND: Final = 9999
# N4 does not check Energy; the bound only keeps out figures no board could show.
MAX_ENERGY: Final = 999

ERROR_CODES: Final = frozenset(
    {
        "bad_arena",
        "bad_energy",
        "bad_hex",
        "bad_honour",
        "bad_level",
        "bad_round",
        "bad_side",
        "bad_warrior",
        "element_count",
        "fallen_not_to_move",
        "field_count",
        "field_size",
        "guide_distance",
        "guide_missing",
        "guide_without_honour",
        "hex_taken",
        "in_opposing_haven",
        "off_board",
        "on_core",
        "position_too_long",
        "slot_order",
    }
)

_WORD: Final = re.compile(r"[^\s|]+|\|")
_ARENA: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_WARRIOR: Final = re.compile(r"([WEAF])([1-8])@(.+)")
_HEX: Final = re.compile(r"[A-O](?:[1-9]|1[0-5])")
_FIELDS: Final = (
    "arena, level, side and round",
    "the Energy of Gold and Black",
    "the honour of Gold and Black",
    "the Guides of Gold and Black, - for none",
    "Gold's eight warriors",
    "Black's eight warriors",
)
_FIELD_SIZES: Final = (4, 2, 2, 2, 8, 8)


@dataclass(frozen=True, slots=True)
class PositionLine:
    """The six fields of a position line; pairs are Gold, Black.

    ``side`` is ``g`` or ``b``. A House is its eight warriors in slot order, each with its name and
    its hex (None for a Fallen).
    """

    arena: str
    level: str
    side: str
    round: int
    energy: tuple[int, int]
    honour: tuple[int, int]
    guide: tuple[str | None, str | None]
    gold: tuple[tuple[str, str | None], ...]
    black: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int


def parse_position(text: str) -> PositionLine:
    """Read a position line and check all that N4 lists.

    Raises:
        NotationError: at the first fault, with a code of its own for each kind of fault.
    """
    return _Reader(text).read()


def format_position(position: PositionLine) -> str:
    """Write a position line canonically."""
    energy = f"{position.energy[0]} {position.energy[1]}"
    honour = f"{position.honour[0]} {position.honour[1]}"
    guides = f"{position.guide[0] or '-'} {position.guide[1] or '-'}"
    gold = " ".join(f"{name}@{hex_name or 'x'}" for name, hex_name in position.gold)
    black = " ".join(f"{name}@{hex_name or 'x'}" for name, hex_name in position.black)
    return (
        f"{position.arena} {position.level} {position.side} {position.round}"
        f" | {energy} | {honour} | {guides} | {gold} | {black}"
    )


def distance_to_core(hex_name: str) -> int:
    """The steps from a hex to the Core (R1.1)."""
    q, r = ord(hex_name[0]) - ord("H"), int(hex_name[1:]) - 8
    return max(abs(q), abs(r), abs(q + r))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> PositionLine:
        general, energy, honour, guides, gold, black = self.split()
        arena = general[0].text
        if not _ARENA.fullmatch(arena):
            self.fail("bad_arena", general[0], "an arena name of letters, digits, - and _")
        level = general[1].text.lower()
        if level not in LEVELS:
            self.fail("bad_level", general[1], "apprentice, wind, earth, water or master")
        side = general[2].text.lower()
        if side not in {"g", "b"}:
            self.fail("bad_side", general[2], "g or b, the side to move")
        honours = tuple(self.number("bad_honour", word, 0, 7) for word in honour)
        taken: dict[str, str] = {}
        return PositionLine(
            arena=arena,
            level=level,
            side=side,
            round=self.number("bad_round", general[3], 1, MAX_ROUND),
            energy=(
                self.number("bad_energy", energy[0], 0, MAX_ENERGY),
                self.number("bad_energy", energy[1], 0, MAX_ENERGY),
            ),
            honour=(honours[0], honours[1]),
            guide=(self.guide(guides[0], honours[0]), self.guide(guides[1], honours[1])),
            gold=self.house(gold, "g", moves=side == "g", taken=taken),
            black=self.house(black, "b", moves=side == "b", taken=taken),
        )

    def split(self) -> list[list[_Word]]:
        if len(self.text) > MAX_TEXT:
            end = _Word(self.text[MAX_TEXT : MAX_TEXT + 60], MAX_TEXT)
            self.fail("position_too_long", end, f"at most {MAX_TEXT} characters")
        fields: list[list[_Word]] = [[]]
        for match in _WORD.finditer(self.text):
            word = _Word(match.group(), match.start())
            if word.text != "|":
                fields[-1].append(word)
                continue
            self.check_size(fields, word)
            if len(fields) == len(_FIELDS):
                self.fail("field_count", word, "six fields and no more")
            fields.append([])
        end = _Word("", len(self.text.rstrip()))
        self.check_size(fields, end)
        if len(fields) < len(_FIELDS):
            self.fail("field_count", end, f"| and {_FIELDS[len(fields)]}")
        return fields

    def check_size(self, fields: list[list[_Word]], behind: _Word) -> None:
        """Check the last field, of which ``behind`` is the bar or the end that closes it."""
        field, index = fields[-1], len(fields) - 1
        size = _FIELD_SIZES[index]
        if len(field) < size:
            self.fail("field_size", behind, f"{_FIELDS[index]} ({len(field)} of {size} are there)")
        if len(field) > size:
            self.fail("field_size", field[size], f"| after {_FIELDS[index]}")

    def number(self, code: str, word: _Word, least: int, most: int) -> int:
        digits = word.text
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)):
            value = int(digits)
            if least <= value <= most:
                return value
        self.fail(code, word, f"a whole number from {least} to {most}")

    def guide(self, word: _Word, honour: int) -> str | None:
        if word.text == "-":
            if honour:
                self.fail("guide_missing", word, f"a hex, for there is honour ({honour})")
            return None
        hex_name = self.hex_name(word)
        if not honour:
            self.fail("guide_without_honour", word, "- while there is no honour")
        if distance_to_core(hex_name) != 8 - honour:
            expected = f"a hex {8 - honour} from the Core, for the honour is {honour}"
            self.fail("guide_distance", word, expected)
        return hex_name

    def house(
        self, words: list[_Word], side: str, *, moves: bool, taken: dict[str, str]
    ) -> tuple[tuple[str, str | None], ...]:
        warriors: list[tuple[str, str | None]] = []
        elements = ""
        for slot, word in enumerate(words, start=1):
            match = _WARRIOR.fullmatch(word.text.upper())
            if match is None:
                self.fail("bad_warrior", word, f"a warrior and its hex, such as W{slot}@F6")
            element, number, _ = match.groups()
            if int(number) != slot:
                self.fail("slot_order", word, f"the warrior of slot {slot}")
            elements += element
            if elements.count(element) > 2:
                self.fail("element_count", word, f"two of each element, and a third {element}")
            where = _Word(word.text[3:], word.start + 3)
            warriors.append((element + number, self.stand(where, side, moves=moves, taken=taken)))
        return tuple(warriors)

    def stand(self, word: _Word, side: str, *, moves: bool, taken: dict[str, str]) -> str | None:
        """Where one warrior stands, None for a Fallen."""
        if word.text.lower() == "x":
            if not moves:
                self.fail("fallen_not_to_move", word, "a hex: only the side to move has Fallen")
            return None
        hex_name = self.hex_name(word)
        if hex_name == CORE:
            self.fail("on_core", word, "a hex other than the Core")
        if hex_name[1:] == ("15" if side == "g" else "1"):
            self.fail("in_opposing_haven", word, "a hex outside the opposing Haven")
        if hex_name in taken:
            self.fail("hex_taken", word, f"an empty hex; {taken[hex_name]} stands here")
        taken[hex_name] = "a warrior of " + ("Gold" if side == "g" else "Black")
        return hex_name

    def hex_name(self, word: _Word) -> str:
        name = word.text.upper()
        if not _HEX.fullmatch(name):
            self.fail("bad_hex", word, "a hex such as F6")
        if name not in HEX_NAMES:
            self.fail("off_board", word, "a hex on the board")
        return name

    def fail(self, code: str, word: _Word, expected: str) -> NoReturn:
        line = self.text.count("\n", 0, word.start) + 1
        column = word.start - self.text.rfind("\n", 0, word.start)
        raise NotationError(code, line=line, column=column, found=word.text, expected=expected)

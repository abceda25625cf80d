"""The card box of a static site: which games there are, by player, event and year.

It lies on disk while a site is written and is gone afterwards, so that an archive of any size takes
the same memory. Owns how names become file names and words to search by.
"""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from pbem.archive.facts import folded as folded_name
from pbem.archive.facts import is_known
from pbem.play.archived import ArchivedGame

KINDS: Final = ("players", "events", "years")

_MOST_WORDS: Final = 12
_TABLES: Final = """
CREATE TABLE cards (
    number INTEGER PRIMARY KEY, gold TEXT, black TEXT, event TEXT, date TEXT, day INTEGER,
    result TEXT, turns INTEGER
);
CREATE TABLE entries (
    kind TEXT, folded TEXT, name TEXT, number INTEGER, PRIMARY KEY (kind, folded, number)
) WITHOUT ROWID;
CREATE TABLE words (key TEXT, kind TEXT, folded TEXT, PRIMARY KEY (key, kind, folded))
WITHOUT ROWID;
CREATE TABLE files (path TEXT PRIMARY KEY) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class Card:
    """A game in a list."""

    number: int
    gold: str
    black: str
    event: str
    date: str
    result: str
    turns: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A player, an event or a year with how many games there are."""

    kind: str
    folded: str
    name: str
    games: int

    @property
    def file(self) -> str:
        """The name of its page, without its ending."""
        return name_file(self.name, self.folded)


class CardBox:
    """Cards, in the order they are asked for."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.executescript(_TABLES)

    def add(self, game: ArchivedGame) -> None:
        """A card for a game, under all its headings."""
        facts, execute = game.facts, self._connection.execute
        execute(
            "INSERT INTO cards VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game.number,
                facts.gold,
                facts.black,
                facts.event if is_known(facts.event) else "",
                facts.date,
                facts.day,
                facts.result,
                facts.turns,
            ),
        )
        named = [("players", facts.gold), ("players", facts.black), ("events", facts.event)]
        named.append(("years", facts.date[:4]))
        for kind, name in named:
            if is_known(name):
                folded = folded_name(name)
                execute(
                    "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)",
                    (kind, folded, name, game.number),
                )
                for key in search_keys(name) if kind != "years" else ():
                    execute("INSERT OR IGNORE INTO words VALUES (?, ?, ?)", (key, kind, folded))

    def has(self, number: int) -> bool:
        """Whether there is a card for a game."""
        asked = self._connection.execute("SELECT 1 FROM cards WHERE number = ?", (number,))
        return asked.fetchone() is not None

    def count(self) -> int:
        """How many games there are."""
        (games,) = self._connection.execute("SELECT count(*) FROM cards").fetchone()
        return int(games)

    def newest(self) -> Iterator[Card]:
        """All games, newest first."""
        yield from self._cards("FROM cards ORDER BY day DESC, number DESC", ())

    def under(self, heading: Heading) -> Iterator[Card]:
        """The games of a heading, newest first."""
        yield from self._cards(
            "FROM entries JOIN cards USING (number) WHERE kind = ? AND folded = ?"
            " ORDER BY day DESC, number DESC",
            (heading.kind, heading.folded),
        )

    def _cards(self, where: str, facts: tuple[str, ...]) -> Iterator[Card]:
        columns = "number, gold, black, event, date, result, turns"
        for row in self._connection.execute(f"SELECT {columns} {where}", facts):
            yield Card(*row)

    def headings(self, kind: str) -> Iterator[Heading]:
        """Everything of a kind, by name; years newest first."""
        order = "DESC" if kind == "years" else "ASC"
        rows = self._connection.execute(
            "SELECT kind, folded, min(name), count(*) FROM entries WHERE kind = ?"
            f" GROUP BY folded ORDER BY folded {order}",
            (kind,),
        )
        for row in rows:
            yield Heading(*row)

    def search_rows(self) -> Iterator[tuple[str, Heading]]:
        """Under which key each heading is found, in the order of the keys."""
        rows = self._connection.execute(
            "SELECT key, kind, folded, min(name), count(*)"
            " FROM words JOIN entries USING (kind, folded)"
            " GROUP BY key, kind, folded ORDER BY key, count(*) DESC, folded"
        )
        for key, *heading in rows:
            yield key, Heading(*heading)

    def note_file(self, path: str) -> None:
        """A file belongs to the site."""
        self._connection.execute("INSERT OR IGNORE INTO files VALUES (?)", (path,))

    def has_file(self, path: str) -> bool:
        """Whether a file belongs to the site."""
        asked = self._connection.execute("SELECT 1 FROM files WHERE path = ?", (path,))
        return asked.fetchone() is not None


@contextmanager
def open_card_box() -> Iterator[CardBox]:
    """An empty box on disk that nobody else sees."""
    with closing(sqlite3.connect("", isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("PRAGMA cache_size = -8000")
        connection.execute("BEGIN")
        yield CardBox(connection)


def bare_letters(name: str) -> str:
    """A name in small letters without accents: what is typed into a search, and what a file name
    can have. Whose name it is, is the archive's to say (``folded``)."""
    plain = unicodedata.normalize("NFKD", name)
    return "".join(mark for mark in plain if not unicodedata.combining(mark)).lower().strip()


def name_file(name: str, folded: str) -> str:
    """A file name that can be read, and is another one for every name."""
    bare = bare_letters(name).encode("ascii", "ignore").decode()
    readable = re.sub(r"[^a-z0-9]+", "-", bare)[:40].strip("-")
    return f"{readable}-{sha256(folded.encode()).hexdigest()[:10]}".lstrip("-")


def search_keys(name: str) -> set[str]:
    """The first two letters of each word, as numbers, so that any script makes a file name.

    Where a letter may be a word, outside ASCII, the first one too.
    """
    words = re.findall(r"[^\W_]+", bare_letters(name))[:_MOST_WORDS]
    parts = {word[:2] for word in words} | {word[0] for word in words if not word[0].isascii()}
    return {"-".join(f"{ord(letter):x}" for letter in part) for part in parts}

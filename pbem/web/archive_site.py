"""The archive as a static web site: the open games, lists of them, and a search by name.

It works from disk, with no server: pages hold what they show, and the search reads small scripts.
Replays are the pages of the server, from the same templates and with the same script.

Written again, only what has changed is written. A game's page names what it was made of, so that
nothing has to be remembered elsewhere; every file takes its place at once or not at all. What no
longer belongs to the site goes, but nothing that is not ours: a folder with other files is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import groupby, islice
from pathlib import Path
from typing import Final, TypeVar

from jinja2 import Environment

import pbem
from notation.record_writing import format_record
from pbem.archive.facts_told import show_result
from pbem.archive.framing import make_document
from pbem.archive.signs import show_signs
from pbem.diagrams.page_theme import theme_css
from pbem.games.base import Fault
from pbem.games.ortus.messages import explain
from pbem.play.annotating import read_joined
from pbem.play.archived import ArchivedGame
from pbem.play.exporting import exported
from pbem.play.ports import Surroundings, Unit
from pbem.tongue import N_, Tongue
from pbem.web.loose_pages import WEB, loose_pages
from pbem.web.replays import Replay, mark_code
from pbem.web.site_cards import KINDS, CardBox, Heading, open_card_box
from pbem.web.site_folder import SiteFolder

ON_A_PAGE: Final = 200
MARK_BYTES: Final = 600
"""Within so many bytes of a page is what it was made of."""

TITLES: Final = {"players": N_("Players"), "events": N_("Events"), "years": N_("Years")}

_ASSETS: Final = ("site.css", "replay.css", "replay.js", "site_search.js", "icon.svg")
_MADE_OF: Final = ("archive/*.py", "diagrams/*.py", "games/ortus/*.py", "locale/*/*.po")

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class SiteWritten:
    """What was done: games there are, pages of games made now, files removed."""

    games: int
    made: int
    removed: int


def write_site(
    around: Surroundings,
    folder: Path,
    *,
    title: str,
    tongue: Tongue,
    watch: Callable[[Iterable[ArchivedGame]], Iterable[ArchivedGame]] = lambda games: games,
) -> SiteWritten:
    """Write the site of all open games; ``watch`` is handed the games as they come.

    Raises SiteFolderError if the folder holds something else.
    """
    with open_card_box() as cards:
        site = SiteFolder.open(folder, keep=cards.note_file)
        writer = _Writer(site, cards, title, tongue)
        writer.write_assets()
        made = 0
        for game in watch(written.game for written in exported(around, viewer=None)):
            with around.store.read() as unit:
                made += writer.write_game(unit, game)
        writer.write_lists()
        writer.write_search()
        return SiteWritten(cards.count(), made, site.remove_others(cards.has_file))


class _Writer:
    """Makes the pages of one site."""

    def __init__(self, site: SiteFolder, cards: CardBox, title: str, tongue: Tongue) -> None:
        self._site = site
        self._cards = cards
        self._title = title
        self._tongue = tongue
        self._pages = _environment(tongue)

    def _render(self, template: str, *, up: str, **values: object) -> bytes:
        page = self._pages.get_template(f"archive/site/{template}.html")
        return page.render(up=up, site=self._title, kinds=self._kinds(), **values).encode()

    def _kinds(self) -> list[tuple[str, str]]:
        return [(kind, self._tongue.say(TITLES[kind])) for kind in KINDS]

    def write_assets(self) -> None:
        """Style sheets and scripts."""
        for name in _ASSETS:
            self._site.write(name, (WEB / "static" / name).read_bytes())
        self._site.write("boards.css", theme_css().encode())

    # -- games ----------------------------------------------------------------------------------

    def write_game(self, unit: Unit, game: ArchivedGame) -> bool:
        """A game's page and record, if they are not there as they are now; whether they were."""
        self._cards.add(game)
        record = read_joined(unit, game.number).record
        text = format_record(record)
        page, file = f"games/{game.number}.html", f"games/{game.number}.ogn"
        made_of = (_version(), self._tongue.language, self._title, text)
        mark = sha256("\0".join(made_of).encode()).hexdigest()
        if mark.encode() in self._site.read_head(page, MARK_BYTES) and self._site.has(file):
            self._site.keep(page, file)
            return False
        self._site.write(file, text.encode())
        replay = Replay(make_document(record), self._tongue)
        rendered = self._render(
            "replay",
            up="../",
            replay=replay,
            moment=replay.find_moment(""),
            number=game.number,
            mark=mark,
            href="#",
            anchor="",
        )
        self._site.write(page, rendered)
        return True

    # -- lists ----------------------------------------------------------------------------------

    def write_lists(self) -> None:
        """All games; players, events and years; and the games of each."""
        self._write_games("index", self._cards.newest(), up="", name=None)
        for kind in KINDS:
            self._write_headings(kind)
            for heading in self._cards.headings(kind):
                path = f"{kind}/{heading.file}"
                self._write_games(path, self._cards.under(heading), up="../", name=heading)

    def _write_games(
        self, path: str, cards: Iterator[object], *, up: str, name: Heading | None
    ) -> None:
        for number, games, is_last in _paged(cards):
            page = self._render(
                "games",
                up=up,
                heading=name,
                total=self._cards.count() if name is None else name.games,
                games=games,
                **_neighbours(path, number, is_last=is_last),
            )
            self._site.write(_page_file(path, number), page)

    def _write_headings(self, kind: str) -> None:
        for number, headings, is_last in _paged(self._cards.headings(kind)):
            page = self._render(
                "headings",
                up="../",
                kind=kind,
                name=self._tongue.say(TITLES[kind]),
                headings=headings,
                **_neighbours("index", number, is_last=is_last),
            )
            self._site.write(_page_file(f"{kind}/index", number), page)

    # -- searching ------------------------------------------------------------------------------

    def write_search(self) -> None:
        """For the first two letters of every word of a name: a script with those names."""
        for key, rows in groupby(self._cards.search_rows(), key=lambda row: row[0]):
            found = [
                [heading.name, f"{heading.kind}/{heading.file}.html", heading.games]
                for _, heading in rows
            ]
            written = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
            self._site.write(f"search/{key}.js", f'siteFound("{key}",{written});\n'.encode())


def _paged(items: Iterator[Item]) -> Iterator[tuple[int, list[Item], bool]]:
    """Pages with their numbers from 1, and whether there is none behind; one at least."""
    page, number = list(islice(items, ON_A_PAGE)), 1
    while True:
        following = list(islice(items, ON_A_PAGE))
        yield number, page, not following
        if not following:
            return
        page, number = following, number + 1


def _page_file(path: str, number: int) -> str:
    return f"{path}.html" if number == 1 else f"{path}-page-{number}.html"


def _neighbours(path: str, number: int, *, is_last: bool) -> dict[str, str | None]:
    name = path.rpartition("/")[2]
    return {
        "earlier": _page_file(name, number - 1) if number > 1 else None,
        "later": None if is_last else _page_file(name, number + 1),
    }


def _environment(tongue: Tongue) -> Environment:
    """The templates, with what those of a replay ask for."""

    def explain_fault(fault: Fault) -> str:
        return explain(fault, tongue=tongue)

    made = loose_pages(tongue)
    made.globals.update(
        explain=explain_fault, signs=show_signs, coded=mark_code, shown_result=show_result
    )
    return made


@cache
def _version() -> str:
    """Another one whenever pages may look different."""
    package = Path(pbem.__file__).parent
    files = [path for pattern in _MADE_OF for path in package.glob(pattern)]
    files += [*(WEB / "templates" / "archive").rglob("*.html"), *WEB.glob("*.py")]
    made = sha256()
    for path in sorted(files):
        made.update(path.read_bytes())
    return made.hexdigest()

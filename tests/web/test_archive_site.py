"""The archive as a static site: whole, light on the second writing, and never half written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from pathlib import Path

import pytest

from pbem.archive.facts import folded
from pbem.catalogues import get_tongue
from pbem.play import annotating, players
from pbem.play.archived import ArchivedGame
from pbem.web import archive_site
from pbem.web.archive_site import SiteWritten, write_site
from pbem.web.site_cards import name_file, search_keys
from pbem.web.site_folder import MARK, SiteFolderError
from tests.archive.annotated import ANNOTATED
from tests.play.club import NOON
from tests.play.shelf import new_game, shelve
from tests.web.club_site import ClubSite

RECORD = ANNOTATED.replace("     2b. E3>K1; end)", "     2b. E3>F11; end)")


@pytest.fixture
def games(club_site: ClubSite) -> list[int]:
    return shelve(
        club_site.around,
        new_game("one", record=RECORD, gold="Zoë Ångström", black="Ben <u>", event="Winter Cup"),
        new_game("two", record=RECORD, gold="zoe angström", black="東京 太郎", event="?"),
        new_game("three", record=RECORD, date="2025.??.??"),
        new_game("secret", record=RECORD, visibility="private"),
    )


def write(site: ClubSite, folder: Path, *, language: str = "en") -> SiteWritten:
    return write_site(site.around, folder, title="The <i>Club</i>", tongue=get_tongue(language))


def files(folder: Path) -> dict[str, int]:
    """Every file with the instant it was written."""
    return {
        path.relative_to(folder).as_posix(): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_every_open_game_is_there_and_no_link_leads_nowhere(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    folder = tmp_path / "a new" / "site"
    assert write(club_site, folder) == SiteWritten(games=3, made=3, removed=0)
    there = files(folder)
    assert sorted(path for path in there if path.startswith("games/")) == sorted(
        f"games/{number}.{ending}" for number in games[:3] for ending in ("html", "ogn")
    )
    seen = 0
    for path in there:
        if path.endswith(".html"):
            page = (folder / path).read_text(encoding="utf-8")
            assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
            for address in re.findall(r'(?:href|src)="([^"#][^"]*)"', page):
                assert (folder / path).parent.joinpath(unescape(address)).resolve().is_file()
                seen += 1
    assert seen > 100
    assert not any("<u>" in (folder / path).read_text() for path in there if path.endswith("html"))


def test_the_record_beside_a_page_is_the_game(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    write(club_site, tmp_path)
    assert (tmp_path / f"games/{games[0]}.ogn").read_text(encoding="utf-8") == RECORD


def test_whose_name_it_is_is_told_as_the_archive_tells_it_and_found_without_accents(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    write(club_site, tmp_path)
    for name, number in (("ZOE\u0308 Ångström", games[0]), ("Zoe Angström", games[1])):
        file = tmp_path / f"players/{name_file(name, folded(name))}.html"
        page = file.read_text(encoding="utf-8")
        assert re.findall(r"games/(\d+)\.html", page) == [str(number)]
    found = (tmp_path / "search/7a-6f.js").read_text(encoding="utf-8")
    assert found.startswith('siteFound("7a-6f",[[')
    assert "Zoë Ångström" in found
    assert "zoe angström" in found
    assert (tmp_path / "search/6771.js").is_file()
    assert search_keys("J. van der Ærø!") >= {"6a", "76-61", "64-65"}


def test_again_only_what_has_changed_is_written(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    write(club_site, tmp_path)
    before = files(tmp_path)
    assert write(club_site, tmp_path) == SiteWritten(games=3, made=0, removed=0)
    after = files(tmp_path)
    assert {path for path in after if after[path] != before[path]} <= {MARK}
    cleo = players.join(club_site.around, "Cleo", "c@example.org", now=NOON, verified=True)
    annotating.take_text(club_site.around, cleo.id, games[1], "1g. {Well begun.}", now=NOON)
    assert write(club_site, tmp_path).made == 1
    last = files(tmp_path)
    assert {path for path in last if last[path] != after[path]} <= {
        MARK,
        f"games/{games[1]}.html",
        f"games/{games[1]}.ogn",
    }
    assert "Well begun." in (tmp_path / f"games/{games[1]}.html").read_text(encoding="utf-8")
    assert write(club_site, tmp_path, language="nl").made == 3


def test_what_no_longer_belongs_to_it_goes(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    write(club_site, tmp_path)
    gone = f"games/{max(games) + 1}.html"
    for path in (gone, "games/1.html.part", "players/nobody-12.html"):
        (tmp_path / path).write_text("old")
    (tmp_path / "notes.txt").write_text("somebody's own")
    assert write(club_site, tmp_path).removed == 3
    assert (tmp_path / "notes.txt").exists()
    assert gone not in files(tmp_path)


def test_a_folder_with_other_things_is_refused(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(SiteFolderError, match="other files"):
        write(club_site, tmp_path)
    assert files(tmp_path).keys() == {"index.html"}
    with pytest.raises(SiteFolderError):
        write(club_site, tmp_path / "index.html")


def test_a_writing_that_is_broken_off_leaves_whole_files(
    club_site: ClubSite, games: list[int], tmp_path: Path
) -> None:
    def broken(found: Iterable[ArchivedGame]) -> Iterable[ArchivedGame]:
        for number, game in enumerate(found):
            if number == 2:
                raise KeyboardInterrupt
            yield game

    with pytest.raises(KeyboardInterrupt):
        write_site(club_site.around, tmp_path, title="x", tongue=get_tongue("en"), watch=broken)
    pages = list(tmp_path.glob("games/*.html"))
    assert len(pages) == 2
    assert all(page.read_text().rstrip().endswith("</html>") for page in pages)
    assert not list(tmp_path.rglob("*.part"))


def test_long_lists_have_pages(
    club_site: ClubSite, games: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_site, "ON_A_PAGE", 2)
    write(club_site, tmp_path)
    first = (tmp_path / "index.html").read_text()
    second = (tmp_path / "index-page-2.html").read_text()
    listed = re.findall(r"games/(\d+)\.html", first + second)
    assert listed == [str(number) for number in (games[1], games[0], games[2])]
    assert 'href="index-page-2.html"' in first
    assert 'href="index.html"' in second
    monkeypatch.undo()
    assert write(club_site, tmp_path).removed >= 1
    assert not (tmp_path / "index-page-2.html").exists()


def test_an_empty_archive_is_a_site(club_site: ClubSite, tmp_path: Path) -> None:
    assert write(club_site, tmp_path) == SiteWritten(games=0, made=0, removed=0)
    assert (tmp_path / "index.html").is_file()

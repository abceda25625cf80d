"""``pbem archive booklet`` and ``pbem archive words`` on files of games."""

from __future__ import annotations

import io
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from pbem.cli import main
from tests.archive.test_booklet import annotated


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ogn"
    second = annotated().replace("Adrian", "Second <i>")
    path.write_text(f"{annotated('[%diagram]')}\n{second}", encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["archive", *map(str, arguments)])


def test_several_games_become_one_pdf(file: Path) -> None:
    target = file.with_suffix(".pdf")
    done = run("booklet", file, "-o", target, "--title", "Winter", "--paper", "a5")
    assert (done.exit_code, done.output) == (0, f"{target}: 2 games\n")
    reader = PdfReader(io.BytesIO(target.read_bytes()))
    assert reader.metadata is not None
    assert reader.metadata.title == "Winter"
    assert "2. Second <i>" in " ".join(reader.pages[0].extract_text().split())


@pytest.mark.parametrize("ending", ["pdf", "html"])
def test_no_file_is_overwritten(file: Path, ending: str) -> None:
    target = file.with_suffix(f".{ending}")
    target.write_text("my thesis")
    done = run("booklet", file, "-o", target)
    assert done.exit_code == 1
    assert f"{target} is there already." in done.output
    assert target.read_text() == "my thesis"


def test_a_booklet_may_have_its_games_in_words_too(file: Path) -> None:
    said = "Black's Wind 2 on G2 shot at Gold's Wind 1 on H7."
    for name, is_told in (("plain.html", False), ("told.html", True)):
        target = file.with_name(name)
        run("booklet", file, "-o", target, *(["--words"] if is_told else []))
        page = target.read_text(encoding="utf-8").replace("&#39;", "'")
        assert (said in page) is is_told
        assert page.count("The game in words") == 2 * is_told
    done = run("booklet", file, "-o", file.with_suffix(".pdf"), "--words")
    assert done.exit_code == 0
    pages = PdfReader(io.BytesIO(file.with_suffix(".pdf").read_bytes())).pages
    told = " ".join(" ".join(page.extract_text() for page in pages).split())
    assert told.count("The game in words") == 2
    assert said in told


class _Page(HTMLParser):
    """What a page loads, its ids, and where its links lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.loads += [str(found[name]) for name in ("src", "data") if name in found]
        if "href" in found:
            (self.links if tag == "a" else self.loads).append(str(found["href"]))
        if "id" in found:
            self.ids.append(str(found["id"]))


def test_several_games_become_one_page_that_loads_nothing(file: Path) -> None:
    target = file.with_suffix(".html")
    assert run("booklet", file, "-o", target, "--language", "nl").exit_code == 0
    text = target.read_text(encoding="utf-8")
    page = _Page(text)
    assert page.loads == []
    assert len(page.ids) == len(set(page.ids))
    assert page.links
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "Second &lt;i&gt;" in text
    assert "Goud gaf op: Zwart wint." in text


def test_a_game_in_words(file: Path) -> None:
    done = run("words", file)
    assert done.exit_code == 0
    assert "Black's Wind 2 on G2 shot at Gold's Wind 1 on H7." in done.output
    assert done.output.count("Round 2\n") == 2
    dutch = run("words", file, "--language", "nl", "--boards")
    assert "Het bord na beurt 2b:" in dutch.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("booklet", "games.txt", "-o", "x.doc"), "written as .pdf or as .html"),
        (("booklet", "nowhere.ogn", "-o", "x.pdf"), "No such file"),
        (("words", "nowhere.ogn"), "No such file"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.exit_code != 0
    assert said in done.output


def test_an_empty_file_makes_no_booklet(tmp_path: Path) -> None:
    empty = tmp_path / "empty.ogn"
    empty.write_text("")
    done = run("booklet", empty, "-o", tmp_path / "x.pdf")
    assert done.exit_code == 1
    assert "There are no games in this." in done.output
    assert not (tmp_path / "x.pdf").exists()


def test_a_file_of_something_else_makes_no_booklet(tmp_path: Path) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("Dear Ben,\n\nhow are you?\n", encoding="utf-8")
    done = run("booklet", other, "-o", tmp_path / "letter.pdf")
    assert done.exit_code == 1
    assert f"{other}:1: This is no record of a game." in done.output
    assert not (tmp_path / "letter.pdf").exists()

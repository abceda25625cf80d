"""Every clause has its heading, what is cited exists, and links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games.ortus.arena import ArenaError, parse_arena
from pbem.games.ortus.illegal import CLAUSES
from tests.docs.pages import DOCS, PAGES, ROOT

RULES = {"R1": 6, "R2": 5, "R3": 3, "R4": 3, "R5": 6, "R6": 4, "R7": 3, "R8": 3, "R9": 6}
MASTER = {"M1": 0, "M2": 3, "M3": 2, "M4": 2, "M5": 3}
NOTATION = {"N1": 8, "N2": 5, "N3": 4, "N4": 0, "N5": 6}

_HEADING = re.compile(r"^##+ ([RMN][0-9]?(?:\.[0-9])?)(?= )", re.MULTILINE)
_CITED = re.compile(r"(?<![\w.@>/+-])[RMN][1-9](?:\.[1-9])?(?![\w@.]*\w)")


def _clauses(counts: dict[str, int]) -> list[str]:
    return [
        clause
        for group, count in counts.items()
        for clause in ([f"{group}.{number}" for number in range(1, count + 1)] or [group])
    ]


def _headings(name: str) -> list[str]:
    return _HEADING.findall((DOCS / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("page", "counts"), [("rules.md", RULES | MASTER), ("notation.md", NOTATION)]
)
def test_every_clause_has_one_heading_and_no_other_has(page: str, counts: dict[str, int]) -> None:
    found = [clause for clause in _headings(page) if "." in clause or clause in ("M1", "N4")]
    assert sorted(found) == sorted(_clauses(counts))


def test_every_clause_that_a_refusal_cites_has_a_heading() -> None:
    headings = set(_headings("rules.md") + _headings("notation.md"))
    assert set(CLAUSES.values()) <= headings


@pytest.mark.parametrize("folder", ["pbem", "notation", "docs"])
def test_every_clause_cited_in_code_and_pages_has_a_heading(folder: str) -> None:
    headings = set(_headings("rules.md") + _headings("notation.md"))
    # A whole element of the Master game may be cited by its letter and number.
    headings |= {"M2", "M3", "M4", "M5"}
    # Hexes such as M1 and N4 are written like clauses, so whole groups are not looked for there.
    cited = {
        (clause, path.relative_to(ROOT).as_posix())
        for suffix in ("py", "md")
        for path in (ROOT / folder).rglob(f"*.{suffix}")
        for clause in _CITED.findall(path.read_text(encoding="utf-8"))
        if "." in clause
    }
    assert cited, "something is cited"
    assert [found for found in sorted(cited) if found[0] not in headings] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_and_picture_leads_to_a_file(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if not target.startswith(("https://", "#"))]
    missing = [target for target in local if not (page.parent / target.split("#")[0]).is_file()]
    assert missing == []


GOOD_WELLS = 'wells = ["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"]'
BAD_ARENAS = (
    "x" * 70_000,
    'name = "cut off',
    "name = 1\nwells = 3\ncuts = 4\nrows = 5",
    'name = "a b"\nwells = ["P3", "K1", "F6", "F6", "E5", "I6", "L6", "B8"]\ncuts = ["F6"]',
    f'name = "x"\n{GOOD_WELLS}\ncuts = ["H2", "G2", "H14", "I14", "A9", "B7", "O7", "N9", "B8"]',
)


def _shape(text: str) -> str:
    """A message without what differs from file to file."""
    text = (
        text.replace("cut ", "Well ", 1).replace("`cuts`", "`wells`").replace("Black's", "Gold's")
    )
    text = re.sub(r"'[^']*'", "'…'", text)
    text = re.sub(r"\b[A-P][0-9]{1,2}\b", "hex", text)
    return re.sub(r"[0-9]+", "0", re.sub(r"(no walk to|TOML file:) .*", r"\1", text))


def test_every_fault_of_an_arena_is_explained() -> None:
    table = (DOCS / "arenas.md").read_text(encoding="utf-8").replace("\\`", "`")
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", table, re.MULTILINE)
    explained = {_shape(message) for row in rows for message in row.split(", `cuts`")}
    met = set()
    for text in BAD_ARENAS:
        with pytest.raises(ArenaError) as caught:
            parse_arena(text)
        met |= {_shape(fault) for fault in caught.value.faults}
    assert met <= explained
    assert len(met) == 14, "every kind of fault was met"

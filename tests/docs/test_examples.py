"""Whatever the documentation shows as text can be read, and where it can be played it is legal."""

from __future__ import annotations

import json
import re

import pytest

from docs.draw_pictures import RIFT, get_picture
from notation import (
    orders,
    position_line,
    reading,
    record,
    record_reading,
    record_tags,
    standing,
    words,
)
from notation.position_line import format_position, parse_position
from notation.reading import parse_orders
from notation.record_reading import parse_record, read_records
from notation.record_writing import format_record
from notation.standing import format_standing, parse_standing
from notation.writing import format_plan
from pbem.diagrams.text import scene_text
from pbem.games.base import Refused, Start
from pbem.games.ortus import plans
from pbem.games.ortus.arena import parse_arena
from pbem.games.ortus.drawing import draw_position
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.plans import check_plan
from pbem.games.ortus.replaying import replay
from tests.docs.pages import DOCS, ROOT, Block, blocks


def _place(block: Block) -> str:
    return block.place


def test_there_are_examples_of_every_kind() -> None:
    for kind in ("orders", "readings", "position", "record", "standing", "toml", "json"):
        assert blocks(kind), kind


@pytest.mark.parametrize("block", blocks("orders"), ids=_place)
def test_orders_can_be_read_and_are_canonical_up_to_line_breaks(block: Block) -> None:
    plan = parse_orders(block.text)
    one_line = re.sub(r"\s*\n\s*(?=@|G6|I6)", "", block.text.strip()).replace("\n", "; ")
    assert format_plan(plan) == one_line


@pytest.mark.parametrize(
    "block", [block for block in blocks("orders") if block.picture], ids=_place
)
def test_orders_are_legal_in_the_picture_they_belong_to(block: Block) -> None:
    position = get_picture(block.picture).find_position()
    assert position is not None
    check = check_plan(position, parse_orders(block.text))
    assert check.impossible == []
    assert check.unreached == []
    assert [outcome.stopped for outcome in check.outcomes if outcome.stopped] == []


@pytest.mark.parametrize("block", blocks("readings"), ids=_place)
def test_forgiving_spellings_read_as_what_is_printed_beside_them(block: Block) -> None:
    for line in block.text.splitlines():
        written, canonical = line.rsplit("=>", 1)
        assert format_plan(parse_orders(written)) == canonical.strip(), written


@pytest.mark.parametrize("block", blocks("position"), ids=_place)
def test_position_lines_can_be_read_and_are_canonical(block: Block) -> None:
    line = block.text.strip()
    assert format_position(parse_position(line)) == line
    assert line == get_picture("position-line").line


@pytest.mark.parametrize("block", blocks("standing"), ids=_place)
def test_standing_rules_can_be_read_and_are_canonical(block: Block) -> None:
    assert format_standing(parse_standing(block.text)) == block.text.strip()


@pytest.mark.parametrize("block", blocks("record"), ids=_place)
def test_records_can_be_read_strictly_and_are_canonical(block: Block) -> None:
    assert len(list(read_records(block.text))) == 1
    assert format_record(parse_record(block.text)) == block.text


@pytest.mark.parametrize("block", blocks("record"), ids=_place)
def test_records_are_legal_with_all_their_variations(block: Block) -> None:
    assert replay(parse_record(block.text)).faults == ()


def test_the_arena_of_the_page_on_arenas_is_the_one_drawn_there() -> None:
    (block,) = blocks("toml")
    assert parse_arena(block.text) == RIFT


def test_steps_of_the_page_on_vectors_are_json() -> None:
    (block,) = blocks("json")
    act, decision = map(json.loads, block.text.splitlines())
    text = (DOCS / "conformance.md").read_text(encoding="utf-8")
    for key in {*act, *decision}:
        assert f"| `{key}` |" in text


def test_the_limits_are_those_of_the_code() -> None:
    text = (DOCS / "notation.md").read_text(encoding="utf-8")
    table = text.partition("## Limits")[2]
    printed = [
        int(number) for number in re.findall(r"\| ([0-9]+)(?: \w+)? \|$", table, re.MULTILINE)
    ]
    assert printed == [
        reading.MAX_BYTES,
        reading.MAX_ORDERS,
        reading.MAX_BRANCHES,
        reading.MAX_DEPTH,
        orders.MAX_VICTIMS,
        plans.MAX_LEAVES,
        standing.MAX_RULES,
        standing.MAX_NUMBER,
        position_line.MAX_TEXT,
        position_line.MAX_ROUND,
        position_line.MAX_ENERGY,
        record_tags.MAX_TAGS,
        record_tags.MAX_VALUE,
        record.MAX_NESTING,
        record.MAX_VARIATIONS,
        record.MAX_COMMENTS,
        record.MAX_NAG,
        record_reading.MAX_LINE,
        record_reading.MAX_GAME,
    ]


def test_the_words_are_those_of_the_code() -> None:
    """Every verb in the table reads as its canonical form (N1.3)."""
    text = (DOCS / "notation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([a-z, ]+) \|$", text, re.MULTILINE)
    assert len(rows) == 21
    for canonical, spellings in rows:
        for spelling in spellings.split(", "):
            assert words.WORDS[spelling] == canonical, spelling


@pytest.mark.parametrize(("answer", "asked"), [("-", (0, "turn")), ("+", (1, "turn"))])
def test_the_game_in_five_mails_can_be_played(answer: str, asked: tuple[int, str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    story = text.partition("## A game in five mails")[2].partition("\n## ")[0]
    written = re.findall(r"`((?:setup|[WF]\d).*?)`", story.replace("\n   ", " "))
    game = Ortus()
    state = game.start(Start("readme", {"level": "master", "starter": "black"}, bytes(32)))
    for seat, submission in zip((0, 1, 1, 0, 1, 0), [*written, answer], strict=True):
        done = game.submit(state, seat, submission)
        assert not isinstance(done, Refused), (submission, done)
        state = done.state
    assert [(request.seat, request.kind) for request in game.requests(state)] == [asked]


def test_the_readme_shows_its_board_as_text_too() -> None:
    position = get_picture("readme-board").find_position()
    assert position is not None
    board = scene_text(draw_position(position)).partition("\n\n")[0]
    assert board in (ROOT / "README.md").read_text(encoding="utf-8")

"""A chapter of a booklet: text, diagrams where they belong, footnotes, and nothing lost unsaid."""

from __future__ import annotations

from random import Random

import pytest

from notation.record import Comment, Record
from notation.record_reading import parse_record, read_records
from pbem.archive import booklet
from pbem.archive.booklet import APART, Chapter, Diagram, Paragraph, make_chapter
from pbem.archive.framing import make_document
from pbem.catalogues import get_tongue
from pbem.games.base import Start
from pbem.games.ortus.game import Ortus
from pbem.games.ortus.sampling import random_game
from pbem.tongue import ENGLISH, Tongue
from tests.ortus.games import VARIANTS, random_table

ANNOTATED = """\
[Event "Winter Cup"]
[Site "?"]
[Date "2026.11.??"]
[Round "-"]
[Gold "Adrian"]
[Black "東京 Жанна"]
[Result "0-1"]
[Termination "resignation"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "black"]
[StarterEnergy "7"]
[GoldSetup "WFEAAEFW"]
[BlackSetup "FWEAAEWF"]
[GoldRating "1650"]

{Played over three weeks. [%by Cleo]}
1b. W2:kite>G2; E3>F13; end
1g. W1:kite>H7!; F2>I3; end {Looks at I6. [%clk 29d4h] [%draw offer] [%by Daan]}
2b. W2 rng H7=- {Falls at once. [%standing block W* <=2] MARKED}
    (W2:kite>A8?; end {Too slow.})
    (W2 rng H7=+; end {[%plan]})
    ({Or} A4>D13! $14; end
     2g. E3>G4; end
        (E3>G5; end {Slower still.}))
    guide>E15; end
2g. F2>I4; end
0-1
"""


def chapter(text: str, *, tongue: Tongue = ENGLISH) -> Chapter:
    return make_chapter(make_document(parse_record(text)), tongue=tongue)


def annotated(marked: str = "") -> str:
    return ANNOTATED.replace(" MARKED", f" {marked}" if marked else "")


def captions(shown: Chapter) -> list[str]:
    return [block.caption for block in shown.blocks if isinstance(block, Diagram)]


def paragraphs(shown: Chapter) -> list[Paragraph]:
    return [block for block in shown.blocks if isinstance(block, Paragraph)]


def text_of(paragraph: Paragraph) -> str:
    return " ".join([paragraph.label, *(run.text for run in paragraph.runs)]).strip()


def test_a_whole_annotated_game() -> None:
    shown = chapter(annotated())
    assert [
        (block.caption if isinstance(block, Diagram) else text_of(block)) for block in shown.blocks
    ] == [
        "Played over three weeks. Cleo",
        "The beginning",
        "1b. W2:kite>G2; E3>F13; end",
        "1g. W1:kite>H7!; F2>I3; end Gold offered a draw. Looks at I6. Daan",
        "2b. W2 rng H7=- 1 2 Falls at once. guide>E15; end",
        "After 2b",
        "Instead of W2 rng H7=-: W2:kite>A8?; end Too slow.",
        "Instead of W2 rng H7=-: Or A4>D13! +=; end 2g. E3>G4; end",
        "Instead of the turn 2g: E3>G5; end Slower still.",
        "2g. F2>I4; end",
        "The end",
    ]
    assert shown.notes == (
        "A standing rule answered: block W* <=2.",
        "Planned and not played: W2 rng H7=+; end",
    )
    assert shown.title == "Adrian – 東京 Жанна"
    assert (shown.result, shown.ending) == ("0–1", "Gold resigned: Black wins.")
    assert shown.left_out == ()
    assert shown.chart is not None


def test_facts_that_are_not_known_are_left_out() -> None:
    facts = dict(chapter(annotated()).facts)
    assert facts["Gold"] == "Adrian (1650)"
    assert facts["Annotated by"] == "Cleo, Daan"
    assert facts["Date"] == "2026.11.??"
    assert not {"Played at", "Round", "Dice"} & set(facts)


def test_variations_stand_deeper_than_what_they_vary() -> None:
    assert [paragraph.depth for paragraph in paragraphs(chapter(annotated()))][4:7] == [1, 1, 2]


def test_diagrams_stand_where_an_annotator_wants_them_and_nowhere_else() -> None:
    assert captions(chapter(annotated("[%diagram]"))) == [
        "The beginning",
        "In 2b, after W2 rng H7=-",
        "The end",
    ]
    before = annotated().replace("1g. W1", "1g. {[%diagram]} W1")
    assert captions(chapter(before)) == ["The beginning", "Before 1g", "The end"]
    varied = annotated().replace("{Slower still.}", "{Slower still. [%diagram]}")
    assert captions(chapter(varied)) == [
        "The beginning",
        "After 2b",
        "Variation: After 2g",
        "The end",
    ]


def test_a_long_game_without_comments_has_more_text_than_boards() -> None:
    start = Start("long", {"level": "master"}, bytes(32))
    text = Ortus().record(start, random_game(Random(11), start), {})
    shown = chapter(text)
    between, turns = [], 0
    for block in shown.blocks:
        if isinstance(block, Diagram):
            between.append(turns)
            turns = 0
        else:
            turns += 1
    assert len(between) > 3
    assert min(between[1:-1]) >= APART
    assert sum(between) == len(parse_record(text).turns)


def test_a_diagram_shows_what_the_turn_did_and_what_is_pointed_at() -> None:
    shown = chapter(annotated("[%diagram] [%mark H7] [%arrow I3 I6]"))
    diagrams = {block.place: block for block in shown.blocks if isinstance(block, Diagram)}
    scene = diagrams["2b.1"].scene
    assert {(arrow.source, arrow.target) for arrow in scene.arrows} == {("G2", "H7"), ("I3", "I6")}
    assert scene.struck == scene.noted == ("H7",)
    assert "Fallen: Wind 1." in scene.description


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_order_of_a_game_is_in_its_booklet_in_both_languages(
    options: dict[str, object],
) -> None:
    text = random_table(7, options, entries=160).record(Gold="Ann", Black="Ben")
    record = parse_record(text)
    for language in ("en", "nl"):
        shown = chapter(text, tongue=get_tongue(language))
        labelled = [paragraph for paragraph in paragraphs(shown) if paragraph.label]
        assert len(labelled) == len(record.turns)
        for paragraph, turn in zip(labelled, record.turns, strict=True):
            orders = [run for run in paragraph.runs if run.kind == "order"]
            assert len(orders) == len(turn.orders)


def test_dutch_has_no_english_left() -> None:
    shown = chapter(annotated("[%diagram]"), tongue=get_tongue("nl"))
    assert captions(shown) == ["Het begin", "In 2b, na W2 rng H7=-", "Het einde"]
    assert shown.ending == "Goud gaf op: Zwart wint."
    assert dict(shown.facts)["Begint"] == "Zwart, met 7 Energie"
    assert "In plaats van W2 rng H7=-:" in text_of(paragraphs(shown)[4])


def test_a_record_that_breaks_the_rules_is_printed_with_what_is_wrong() -> None:
    text = annotated().replace("2g. F2>I4", "2g. F2>H8")
    shown = make_chapter(make_document(next(read_records(text, mode="recover")).record))
    assert "This order could not be played" in text_of(paragraphs(shown)[-1])
    assert captions(shown)[-1] == "The last board that could be reached"


def test_a_game_without_a_board_has_facts_and_an_end() -> None:
    record = Record({"Gold": "?", "Result": "1-0", "Termination": "time"}, (), "1-0")
    shown = make_chapter(make_document(record))
    assert shown.title == "Gold – Black"
    assert shown.ending == "The time of Black was over: Gold wins."
    assert shown.blocks == ()
    assert shown.chart is None


def test_what_is_too_much_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    record = parse_record(random_table(9, {"level": "master"}, entries=120).record())
    for turn in record.turns:
        turn.orders[0].comments += (Comment("[%diagram] " + "word " * 20_000),)
    monkeypatch.setattr(booklet, "MOST_DIAGRAMS", 3)
    shown = make_chapter(make_document(record))
    assert captions(shown)[0] == "The beginning"
    assert captions(shown)[-1] == "The end"
    assert len(captions(shown)) == 4
    assert len(shown.left_out) == 2
    assert "comments are left out here" in shown.left_out[0]
    assert "diagrams are left out" in shown.left_out[1]

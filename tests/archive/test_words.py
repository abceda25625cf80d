"""A game in words: every turn told, headings to jump to, both languages, no sign left unsaid."""

from __future__ import annotations

import pytest

from notation.record import Record
from notation.record_reading import parse_record
from pbem.archive.framing import make_document
from pbem.archive.words import GameTold, tell_game, write_words
from pbem.catalogues import get_tongue
from tests.archive.test_booklet import annotated
from tests.ortus.games import VARIANTS, random_table


def told(text: str, language: str = "en") -> GameTold:
    return tell_game(make_document(parse_record(text)), tongue=get_tongue(language))


def test_a_game_is_told_round_by_round() -> None:
    game = told(annotated())
    assert game.title == "Adrian – 東京 Жанна"
    assert game.introduction == ("Cleo comments: Played over three weeks.",)
    assert [
        (round_.heading, [turn.heading for turn in round_.turns]) for round_ in game.rounds
    ] == [
        ("Round 1", ["Black, turn 1b", "Gold, turn 1g"]),
        ("Round 2", ["Black, turn 2b", "Gold, turn 2g"]),
    ]
    assert game.ending == "Gold resigned: Black wins."


def test_a_turn_is_told_with_what_came_of_it_and_what_is_said_about_it() -> None:
    turn = told(annotated()).rounds[1].turns[0]
    assert turn.sentences == (
        "Black began round 2 with 14 Energy.",
        "Black's Wind 2 on G2 shot at Gold's Wind 1 on H7.",
        "Gold's Wind 1 on H7 fell.",
        "A standing rule answered: block W* <=2.",
        "Black now stands at 1 of 8 honour.",
        "Comment: Falls at once.",
        "Variation. Instead of W2 rng H7=-:",
        "Black's Wind 2 flew from G2 to A8.",
        "A mistake.",
        "Black ended the turn.",
        "Comment: Too slow.",
        "End of the variation.",
        "Planned and not played: W2 rng H7=+; end",
        "Variation. Instead of W2 rng H7=-:",
        "Comment: Or",
        "Black's Water 4 walked from E15 to D13.",
        "A good order.",
        "Sign number 14.",
        "Black ended the turn.",
        "Gold's Earth 3 walked from J1 to G4.",
        "Gold ended the turn.",
        "Variation. Instead of the turn 2g:",
        "Gold's Earth 3 walked from J1 to G5.",
        "Gold ended the turn.",
        "Comment: Slower still.",
        "End of the variation.",
        "End of the variation.",
        "Black's Guide went to E15.",
        "Black ended the turn.",
    )
    assert turn.board_heading == "The board after turn 2b"
    assert turn.board[0] == "Round 2. Gold is to move."


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_turn_of_every_kind_of_game_is_told(
    options: dict[str, object], language: str
) -> None:
    text = random_table(21, options, entries=80).record()
    game = told(text, language)
    turns = [turn for round_ in game.rounds for turn in round_.turns]
    assert len(turns) == len(parse_record(text).turns)
    assert all(len(turn.sentences) >= 2 for turn in turns)
    assert all(turn.board for turn in turns)


def test_dutch() -> None:
    turn = told(annotated(), "nl").rounds[1].turns[0]
    assert turn.heading == "Zwart, beurt 2b"
    assert "Commentaar: Falls at once." in turn.sentences
    assert "Een fout." in turn.sentences
    assert told(annotated(), "nl").rounds[0].heading == "Ronde 1"


def test_as_plain_text_boards_come_on_request() -> None:
    game = told(annotated())
    short, long = write_words(game), write_words(game, with_boards=True)
    assert "\n\nRound 2\n\nBlack, turn 2b\nBlack began round 2" in short
    assert "The board after turn 2b:" not in short
    assert "The board after turn 2b:\nRound 2. Gold is to move.\n" in long
    assert short.endswith("Gold resigned: Black wins.\n")


def test_a_game_without_a_board_is_told_too() -> None:
    record = Record({"Gold": "Ann", "Result": "*"}, (), "*")
    game = tell_game(make_document(record))
    assert (game.title, game.rounds, game.board) == ("Ann – Black", (), ())
    assert write_words(game)

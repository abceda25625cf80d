"""Games of others: the good ones come in, the bad ones are listed with place and reason."""

from __future__ import annotations

import pickle
import re
from collections import Counter

import pytest

from notation.record_reading import GameLines, split_records
from pbem.play.archived import Filter
from pbem.play.exporting import exported, ogn_bytes
from pbem.play.importing import Judged, Manner, Outcome, judge, take
from pbem.play.library import get_written, search
from tests.archive.files import in_one, records
from tests.play.club import NOON, Club

FORGIVING, STRICT = Manner(), Manner(strict=True)


def judged(text: str, manner: Manner = FORGIVING) -> list[Judged]:
    return [judge(lines, manner) for lines in split_records(text)]


def bring(club: Club, text: str, manner: Manner = FORGIVING) -> list[Outcome]:
    return take(club.around, judged(text, manner), now=NOON)


def fates(outcomes: list[Outcome]) -> Counter[str]:
    return Counter(outcome.fate for outcome in outcomes)


def all_text(club: Club) -> str:
    return b"".join(ogn_bytes(exported(club.around, viewer=None))).decode()


@pytest.mark.parametrize("manner", [FORGIVING, STRICT])
def test_what_comes_in_goes_out_as_the_same_bytes(club: Club, manner: Manner) -> None:
    text = in_one(*records(6))
    outcomes = bring(club, text, manner)
    assert [outcome.fate for outcome in outcomes] == ["added"] * 6
    assert [outcome.line for outcome in outcomes] == _lines_of(text)
    assert all_text(club) == text
    number = outcomes[2].number
    assert number is not None
    written = get_written(club.around, number, viewer=None)
    assert written.record == records(6)[2]
    assert (written.game.source, written.game.players) == ("imported", (None, None))


def _lines_of(text: str) -> list[int]:
    lines = text.split("\n")
    return [number for number, line in enumerate(lines, 1) if line.startswith("[Event ")]


def test_names_never_become_accounts(club: Club) -> None:
    before = club.contents()["players"]
    bring(club, records(1)[0])
    assert club.contents()["players"] == before


def test_positions_and_patterns_come_in(club: Club) -> None:
    [one] = judged(records(1)[0])
    take(club.around, [one], now=NOON)
    assert one.game is not None
    assert len(one.game.index.positions) > 3
    for position in one.game.index.positions:
        assert len(search(club.around, Filter(positions=(position.key,)), viewer=None).games) == 1
    for pattern, _ in one.game.index.patterns:
        assert len(search(club.around, Filter(pattern=pattern), viewer=None).games) == 1


def test_a_game_comes_in_once(club: Club) -> None:
    first, second = records(2)
    [outcome] = bring(club, first)
    again = bring(club, in_one(second, first, second))
    assert [each.fate for each in again] == ["added", "duplicate", "duplicate"]
    assert again[1].number == outcome.number
    assert again[2].number == again[0].number
    annotated = re.sub(r"; end", "!? {A good end.}; end", first, count=1)
    assert annotated != first
    assert [each.fate for each in bring(club, annotated)] == ["duplicate"]
    assert all_text(club) == in_one(first, second)


def test_an_illegal_order_in_the_middle(club: Club) -> None:
    texts = list(records(5))
    texts[3], line = _broken(texts[3])
    outcomes = bring(club, in_one(*texts))
    assert [each.fate for each in outcomes] == ["added"] * 3 + ["refused", "added"]
    [fault] = outcomes[3].faults
    assert fault.line == outcomes[3].line + line
    assert fault.column == 5
    assert re.search(r"\[[RM][0-9.]+ \w+\]$", fault.sentence), fault
    assert all_text(club) == in_one(*texts[:3], texts[4])


def _broken(text: str) -> tuple[str, int]:
    """A game whose first order cannot be carried out, and on which of its lines that is."""
    lines = text.split("\n")
    first = next(number for number, line in enumerate(lines) if line.startswith("1"))
    label = lines[first][:4]
    lines[first] = f"{label}guide>H8; end"
    return "\n".join(lines), first


@pytest.mark.parametrize("manner", [FORGIVING, STRICT])
def test_carriage_returns(club: Club, manner: Manner) -> None:
    text = in_one(*records(3))
    outcomes = bring(club, text.replace("\n", "\r\n"), manner)
    if manner.strict:
        assert fates(outcomes) == {"refused": 3}
        assert all("carriage_return" in each.faults[0].sentence for each in outcomes)
    else:
        assert fates(outcomes) == {"added": 3}
        assert all_text(club) == text


def test_two_encodings_in_one_file(club: Club) -> None:
    texts = [text for text in records(12) if "Zoë" in text][:2]
    assert len(texts) == 2
    raw = texts[0].encode() + b"\n" + texts[1].encode("cp1252")
    text = raw.decode("utf-8", "surrogateescape")
    strict = judged(text, STRICT)
    assert [each.game is not None for each in strict] == [True, False]
    assert "bad_encoding" in strict[1].faults[0].sentence
    assert fates(bring(club, text)) == {"added": 2}
    assert all_text(club) == in_one(*texts)
    assert len(search(club.around, Filter(player="ZOË"), viewer=None).games) == 2


def test_a_file_that_was_cut(club: Club) -> None:
    text = in_one(*records(3))
    last = records(3)[2]
    for cut in range(len(text) - 1, len(text) - len(last), -37):
        found = judged(text[:cut])
        assert all(each.game is not None for each in found[:2])
        for each in found[2:]:
            assert each.game is None or each.game.record == last
            assert each.faults
    outcomes = bring(club, text[: len(text) - len(last) // 2])
    assert [each.fate for each in outcomes] == ["added", "added", "refused"]
    assert all_text(club) == in_one(*records(3)[:2])


def test_spelling_is_mended_or_refused(club: Club) -> None:
    good = records(1)[0]
    lax = good.replace("; end", " ;  END")
    assert [each.game for each in judged(lax, STRICT)] == [None]
    [outcome] = bring(club, lax)
    assert outcome.fate == "added"
    assert outcome.faults
    assert all_text(club) == good


def test_what_cannot_be_understood_is_refused(club: Club) -> None:
    good = records(1)[0]
    for bad in (
        good.replace("; end", "; jump", 1),
        good.replace('[Level "', '[Level "x'),
        good.replace("\n1-0\n", "\n0-1\n").replace("\n0-1\n", "\n1/2-1/2\n"),
        "nonsense\n",
        '[Event "?"]\n',
        "[" * 5000 + "\n",
    ):
        for each in judged(bad):
            assert each.game is None, bad
            assert each.faults, bad
    assert all_text(club) == ""


def test_a_game_that_is_not_over_is_refused() -> None:
    good = records(1)[0]
    text = re.sub(r'(?m)^(\[Result ")[^"]*|^(\[Termination ")[^"]*', _unfinished, good)
    text = re.sub(r"(?m)^(1-0|0-1|1/2-1/2)$", "*", text)
    text = re.sub(r'(?m)^\[Seed ".*\n', "", text)
    assert [each.faults[-1].sentence for each in judged(text)] == [
        "the game is not over [unfinished]"
    ]


def _unfinished(match: re.Match[str]) -> str:
    return f"{match[1]}*" if match[1] else f"{match[2]}unfinished"


def test_one_enormous_line(club: Club) -> None:
    texts = records(3)
    monster = texts[1].replace("; end", "; " + "x" * 2_000_000, 1)
    outcomes = bring(club, in_one(texts[0], monster, texts[2]))
    assert [each.fate for each in outcomes] == ["added", "refused", "added"]
    assert any("line_too_long" in fault.sentence for fault in outcomes[1].faults)
    assert all_text(club) == in_one(texts[0], texts[2])


def test_an_event_for_games_that_name_none(club: Club) -> None:
    named, unnamed = records(2)
    unnamed = re.sub(r'\[Event "[^"]*"\]', '[Event "?"]', unnamed)
    bring(club, in_one(named, unnamed), Manner(event="Club evening"))
    assert all_text(club) == in_one(named, unnamed.replace('Event "?"', 'Event "Club evening"'))


def test_games_travel_between_processes() -> None:
    good = records(1)[0]
    for text in (good, good.replace("; end", "; jump", 1), good.replace("\n", "\r\n")):
        for lines in split_records(text):
            there: GameLines = pickle.loads(pickle.dumps(lines))
            found = judge(there, FORGIVING)
            assert pickle.loads(pickle.dumps(found)) == found
            assert found == judge(lines, FORGIVING)

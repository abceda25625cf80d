"""Tie-breaks equal figures that others have published.

The tables and figures are those of "Exercises in Tie-Breaking" by the Technical Commission of FIDE
(https://tec.fide.com/2024/03/18/tie-break-exercise/): a Swiss event of 16 players and 5 rounds with
byes, forfeits, absences and a withdrawal (page 5), a round robin of 6 with a forfeit (page 6), and
four who are level in a longer Swiss event (page 43).
"""

from __future__ import annotations

import pytest

from pbem.tournaments import direct, tie_breaks
from pbem.tournaments.charter import TIE_BREAKS, TieBreak
from pbem.tournaments.tie_breaks import show_figure
from tests.tournaments.crosstables import read_sheet

SWISS = """
1  +w9  =b13 =w2  +b15 =w4
2  +b10 +w7  =b1  +w16 =b3
3  =w11 +b6  +w8  =b4  =w2
4  +b12 =out +w13 =w3  =b1
5  -w13 -b15 +w11 =b7  +w10
6  -b14 -w3  +bye +w10 +b8
7  +w15 -b2  -b16 =w5  -b11
8  =b16 +w14 -b3  +w13 -w6
9  -b1  -w10 =out -f11 +bye
10 -w2  +b9  -w15 -b6  -b5
11 =b3  -w16 -b5  +f9  +w7
12 -w4  +bye +f14 -out -out
13 +b5  =w1  -b4  -b8  -w14
14 +w6  -b8  -f12 -out +b13
15 -b7  +w5  +b10 -w1  -b16
16 =w8  +b11 +w7  -b2  +w15
"""
ROBIN = """
1 =w5 +w2 +b3 -w4 +b6
2 +w6 -b1 +w5 =w3 +b4
3 +w4 +b6 -w1 =b2 +w5
4 -b3 -b5 =w6 +b1 -w2
5 =b1 +w4 -b2 -f6 -b3
6 -b2 -w3 =b4 +f5 -w1
"""
LEVEL = """
1 =b2 =w4 =b6
2 =w1 =w4 -w6
4 =b1 =b2 =b6
6 =w1 +b2 =w4
"""


def halves(figures: dict[int, float], unit: int = 2) -> dict[int, int]:
    return {number: round(figure * unit) for number, figure in figures.items()}


def test_points_of_the_exercise() -> None:
    points = {1: 3.5, 2: 4, 3: 3.5, 4: 3.5, 5: 2.5, 6: 3, 7: 1.5, 8: 2.5}
    points |= {9: 1.5, 10: 1, 11: 2.5, 12: 2, 13: 1.5, 14: 2, 15: 2, 16: 3.5}
    assert read_sheet(SWISS).points == halves(points)


def test_who_has_left_is_seen_with_draws() -> None:
    sheet = read_sheet(SWISS)
    changed = {
        number: points
        for number, points in tie_breaks.seen_points(sheet).items()
        if points != sheet.points[number]
    }
    assert changed == halves({12: 3})


def test_buchholz() -> None:
    published = {1: 12.5, 2: 13, 3: 15.5, 4: 15, 5: 8.5, 6: 12, 7: 14.5, 8: 13.5}
    published |= {9: 9, 10: 13, 11: 13.5, 12: 11.5, 13: 14, 14: 11, 15: 12, 16: 12.5}
    assert tie_breaks.buchholz(read_sheet(SWISS)) == halves(published)


def test_buchholz_without_the_lowest() -> None:
    published = {1: 11, 3: 13, 4: 11.5, 5: 7.5, 7: 12.5, 8: 12, 9: 7.5}
    published |= {11: 12, 12: 9.5, 13: 12, 14: 9, 15: 11, 16: 11}
    found = tie_breaks.buchholz_cut(read_sheet(SWISS))
    assert {number: found[number] for number in published} == halves(published)


def test_the_median_leaves_out_the_highest_of_the_rest_too() -> None:
    """By the points of the same table: 3 met those with 2½, 3, 2½, 3½ and 4."""
    found = tie_breaks.buchholz_median(read_sheet(SWISS))
    assert found[3] == 2 * (3 + 2.5 + 3.5)
    assert found[14] == 2 * (11 - 2 - 3)  # not being paired goes first, and not the lowest, 1½


def test_what_was_cut_away_as_the_lowest_is_not_the_highest_of_the_rest() -> None:
    sheet = read_sheet("1 +w2 +w3 -out\n2 -b1 =w3 =out\n3 -b1 =b2 -out")
    assert tie_breaks.buchholz(sheet)[1] == 4 + tie_breaks.seen_points(sheet)[2] + 2
    assert tie_breaks.buchholz_cut(sheet)[1] == tie_breaks.seen_points(sheet)[2] + 2
    assert tie_breaks.buchholz_median(sheet)[1] == 2


def test_sonneborn_berger() -> None:
    published = {1: 8, 2: 9.5, 3: 10.5, 4: 9.75, 5: 4.25, 6: 6.5, 7: 3.25, 8: 5.25}
    published |= {9: 2.25, 10: 1.5, 11: 5.75, 12: 4, 13: 4.25, 14: 4.5, 15: 3.5, 16: 7.25}
    assert tie_breaks.sonneborn_berger(read_sheet(SWISS)) == halves(published, unit=4)


def test_wins_with_and_without_playing() -> None:
    published = {1: 2, 2: 3, 3: 2, 4: 2, 5: 2, 6: 3, 7: 1, 8: 2}
    published |= {9: 1, 10: 1, 11: 2, 12: 2, 13: 1, 14: 2, 15: 2, 16: 3}
    assert tie_breaks.wins(read_sheet(SWISS)) == published


def test_games_played_with_black() -> None:
    published = {1: 2, 2: 3, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3, 8: 2}
    published |= {9: 1, 10: 3, 11: 2, 12: 0, 13: 3, 14: 2, 15: 3, 16: 2}
    assert tie_breaks.black_starts(read_sheet(SWISS)) == published


def test_sonneborn_berger_of_a_round_robin() -> None:
    published = {1: 9.25, 2: 6.25, 3: 6.25, 4: 4.25, 5: 3.25, 6: 2.25}
    found = tie_breaks.sonneborn_berger(read_sheet(ROBIN, is_fixed=True))
    assert found == halves(published, unit=4)


def test_koya() -> None:
    published = {1: 2, 2: 0.5, 3: 0.5, 4: 1, 5: 0.5, 6: 0}
    assert tie_breaks.koya(read_sheet(ROBIN, is_fixed=True)) == halves(published)


@pytest.mark.parametrize(
    ("group", "classes"),
    [((1, 2, 3), ((1,), (2, 3))), ((4, 5, 6), ((6,), (5,), (4,)))],
)
def test_the_direct_encounter_of_a_round_robin_counts_forfeits(
    group: tuple[int, ...], classes: tuple[tuple[int, ...], ...]
) -> None:
    assert direct.order(read_sheet(ROBIN, is_fixed=True), group).classes == classes


def test_the_direct_encounter_of_four_who_have_all_met() -> None:
    assert direct.order(read_sheet(LEVEL), (1, 2, 4, 6)).classes == ((6,), (1, 4), (2,))


def test_two_who_stay_level_in_a_group_are_looked_at_by_themselves() -> None:
    sheet = read_sheet(
        """
        1 +w2 -w3 +w4
        2 -w1 +w3 +w4
        3 +w1 -w2 -w4
        4 -w1 -w2 +w3
        """
    )
    found = direct.order(sheet, (1, 2, 3, 4))
    assert found.classes == ((1,), (2,), (4,), (3,))
    assert [seam.group for seam in found.seams] == [(1, 2), (1, 2, 3, 4), (3, 4)]


def test_who_is_first_whatever_missing_games_bring_is_first() -> None:
    sheet = read_sheet(
        """
        1 +w2 +b3
        2 -b1 =w9
        3 -w1 =w9
        9 =b2 =b3
        """
    )
    found = direct.order(sheet, (1, 2, 3))
    assert found.classes == ((1,), (2, 3))
    assert not found.seams[0].have_all_met


def test_nobody_is_first_if_a_missing_game_could_change_it() -> None:
    sheet = read_sheet("1 +w2 =w9\n2 -b1 =w9\n3 =w9 =w9\n9 =b1 =b2")
    assert direct.order(sheet, (1, 2, 3)).classes == ((1, 2, 3),)


def test_who_could_be_caught_up_with_is_not_first() -> None:
    sheet = read_sheet("1 +w2 =w9\n2 -b1 +w3\n3 =w9 -b2\n9 =b3 =b1")
    assert direct.order(sheet, (1, 2, 3)).classes == ((1, 2, 3),)


def test_several_games_with_one_opponent_count_by_their_average() -> None:
    sheet = read_sheet(
        """
        1 +w2 +w2 =w3
        2 -b1 -b1 +w3
        3 =b1 -b2
        """
    )
    assert direct.scores(sheet, (1, 2, 3))[1].average == 3 * direct.PARTS
    assert direct.order(sheet, (1, 2, 3)).classes == ((1,), (2,), (3,))


def test_a_forfeit_is_no_encounter_where_pairings_follow_results() -> None:
    sheet = read_sheet("1 +f2\n2 -f1")
    assert direct.order(sheet, (1, 2)).classes == ((1, 2),)


def test_every_tie_break_has_a_figure_or_is_the_direct_encounter() -> None:
    assert {*tie_breaks.FIGURES, "direct"} == set(TIE_BREAKS) == set(tie_breaks.UNITS)


@pytest.mark.parametrize(
    ("tie_break", "figure", "shown"),
    [
        ("sonneborn_berger", 39, "9¾"),
        ("sonneborn_berger", 0, "0"),
        ("sonneborn_berger", 1, "¼"),
        ("buchholz", 25, "12½"),
        ("wins", 3, "3"),
        ("direct", None, "–"),
    ],
)
def test_figures_are_shown_as_people_write_them(
    tie_break: TieBreak, figure: int | None, shown: str
) -> None:
    assert show_figure(tie_break, figure) == shown

"""The help pages: every clause is there with a true example, in both languages, and light."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from itsdangerous import TimestampSigner
from werkzeug.test import TestResponse

from notation.position_line import format_position, parse_position
from notation.reading import parse_order, parse_orders
from notation.writing import format_plan
from pbem.catalogues import get_tongue
from pbem.games.ortus.geometry import share_hexline
from pbem.games.ortus.hexes import get_hex
from pbem.games.ortus.illegal import CLAUSES
from pbem.games.ortus.legality import check
from pbem.games.ortus.orders import to_action
from pbem.games.ortus.plans import check_plan
from pbem.mail.commands import NAMES, WORDS, find_command
from pbem.tongue import ENGLISH
from pbem.web import forms
from pbem.web.help import RULES
from pbem.web.manual.figures import draw_figure, figure_scene, find_refusal, play_figure
from pbem.web.manual.mail_texts import COMMANDS
from pbem.web.manual.model import Clause, Figure, Section
from pbem.web.manual.notation_texts import NOTATION
from tests.docs.pages import DOCS
from tests.play.club import Club
from tests.web.club_site import ClubSite, words

MAX_PAGE = 300 << 10
NOT_DRAWN = {"R8.3", "R9.3", "R9.5", "N3.3", "N5.1", "N5.2", "N5.4", "N5.5", "N5.6"}
"""Clauses about clocks, proofs and files: they have a table or a text as their example."""

_HEADING = re.compile(r"^##+ ([RMN][0-9](?:\.[0-9])?)(?= )", re.MULTILINE)


def parts() -> Iterator[Clause | Section]:
    for section in (*RULES, *NOTATION):
        yield section
        yield from section.clauses


def figures() -> list[tuple[str, Figure]]:
    return [(part.number, part.figure) for part in parts() if part.figure is not None]


def figure_of(number: str) -> Figure:
    return dict(figures())[number]


def read(site: ClubSite, path: str, language: str = "en", **headers: str) -> TestResponse:
    """A page as a visitor sees it."""
    return site.visitor().get(path, headers={"Accept-Language": language, **headers})


# -- completeness ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("page", "sections"), [("rules.md", RULES), ("notation.md", NOTATION)])
def test_every_clause_of_the_documentation_is_there_once(
    page: str, sections: tuple[Section, ...]
) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    documented = set(_HEADING.findall(text))
    shown = [section.number for section in sections]
    shown += [clause.number for section in sections for clause in section.clauses]
    assert len(shown) == len(set(shown))
    assert documented <= set(shown)
    # Whole elements of the Master game have no heading of their own in the documentation.
    assert set(shown) - documented <= {"M", "M2", "M3", "M4", "M5"}


def test_every_clause_has_a_drawn_example_or_says_why_not() -> None:
    clauses = [part for part in parts() if isinstance(part, Clause)]
    undrawn = {clause.number for clause in clauses if clause.figure is None}
    assert undrawn == NOT_DRAWN
    assert all(
        clause.table or clause.code or clause.rules
        for clause in clauses
        if clause.number in NOT_DRAWN
    )


def test_what_a_refusal_cites_has_an_anchor(club_site: ClubSite) -> None:
    pages = read(club_site, "/help/rules").text + read(club_site, "/help/notation").text
    anchors = set(re.findall(r' id="([RMN][0-9.]*)"', pages))
    assert set(CLAUSES.values()) <= anchors
    assert {part.number for part in parts()} <= anchors


def test_every_command_of_mails_is_explained(club_site: ClubSite) -> None:
    assert set(COMMANDS) == set(NAMES)
    page = words(read(club_site, "/help/mail"))
    assert all(f" {word} " in page for word in WORDS)


@pytest.mark.parametrize(
    ("name", "example"), [(name, example) for name, (_, example) in COMMANDS.items() if example]
)
def test_the_example_of_a_command_is_one(name: str, example: str) -> None:
    found = find_command(example, games=("k5u2jn56",))
    assert found is not None
    assert found.name == name


# -- the examples are true ------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "figure"), figures(), ids=lambda value: str(value)[:5])
def test_orders_of_an_example_are_legal(number: str, figure: Figure) -> None:
    played = play_figure(figure)
    if figure.orders:
        assert check_plan(played.before, parse_orders(figure.orders)).impossible == []
        scene = figure_scene(figure)
        assert scene.arrows or scene.highlighted, "it is drawn"


@pytest.mark.parametrize(
    ("number", "figure"), [(n, f) for n, f in figures() if f.refused], ids=lambda v: str(v)[:5]
)
def test_what_an_example_says_is_refused_is_refused_by_that_clause(
    number: str, figure: Figure
) -> None:
    refused = find_refusal(figure)
    assert refused is not None
    assert [fault.clause for fault in refused.faults] == ["R3.2" if number == "N1.7" else number]


@pytest.mark.parametrize(
    ("number", "figure"), [(n, f) for n, f in figures() if f.lines], ids=lambda v: str(v)[:5]
)
def test_dotted_lines_are_hexlines(number: str, figure: Figure) -> None:
    if figure.empty:
        return  # lines of the board
    played = play_figure(figure)
    position = played.after if figure.after else played.before
    for pair in figure.lines.split():
        a, b = pair.split("-")
        assert share_hexline(position, get_hex(a), get_hex(b)), pair


# The first turn collects nothing.
@pytest.mark.parametrize(
    ("number", "figure"),
    [(n, f) for n, f in figures() if not f.empty and f.round > 1],
    ids=lambda v: str(v)[:5],
)
def test_the_side_to_move_has_what_its_wells_give(number: str, figure: Figure) -> None:
    position = play_figure(figure).before
    active = position.active
    given = position.rules.collecting[active][position.wells_held(active)]
    assert position.energy[active] == given


@pytest.mark.parametrize(
    ("number", "order", "cost"),
    [
        ("R2.5", "F2>I6", 5),
        ("R4.2", "F2>I6", 6),
        ("R5.4", "W1 rng F8", 3),
        ("R5.4", "F2 rng H10", 5),
        ("R5.5", "E3 chg F8@E8", 3),
        ("R5.6", "W1 rng F8", 3),
        ("R9.4", "F2>I6", 5),
        ("M3.2", "E3 chg G7@G8", 8),
    ],
)
def test_an_order_costs_what_the_words_say(number: str, order: str, cost: int) -> None:
    position = play_figure(figure_of(number)).before
    assert check(position, to_action(position, parse_order(order))) == cost


def test_a_fall_is_drawn_where_nobody_could_pay() -> None:
    assert figure_scene(figure_of("R6.2")).struck == ("F8",)
    assert play_figure(figure_of("R6.2")).after.honour == (1, 0)


def test_the_kite_ends_where_outlined() -> None:
    position = play_figure(figure_of("M2.1")).before
    for hex_ in figure_of("M2.1").path.split():
        check(position, to_action(position, parse_order(f"W1:kite>{hex_}")))


def test_the_wave_goes_from_one_to_the_next() -> None:
    scene = figure_scene(figure_of("M4.1"))
    attacks = [(arrow.source, arrow.target) for arrow in scene.arrows if arrow.kind == "attack"]
    assert sorted(attacks) == [("F10", "F9"), ("F7", "F4"), ("F9", "F7")]


def test_six_streams_hit_three() -> None:
    after = play_figure(figure_of("M4.2")).after
    assert after.question is not None
    assert len(after.question.victims) == 3


def test_readings_and_lines_shown_as_code_are_right() -> None:
    codes = {part.number: part.code for part in parts()}
    for number in ("N1.3", "N5.5"):
        for reading in codes[number].splitlines():
            written, _, canonical = reading.partition("=>")
            assert format_plan(parse_orders(written)) == canonical.strip()
    one_line = " ".join(codes["N4"].split())
    assert format_position(parse_position(one_line)) == one_line
    for number in ("N1.1", "N2", "N2.1", "N2.2", "N2.3"):
        assert parse_orders(codes[number])


def test_a_picture_says_its_caption_to_those_who_do_not_see_it() -> None:
    figure = figure_of("R5.3")
    dutch = get_tongue("nl")
    assert f"<title>{figure.caption}</title>" in draw_figure(figure, tongue=ENGLISH)
    assert f"<title>{dutch.say(figure.caption)}</title>" in draw_figure(figure, tongue=dutch)


# -- the pages ------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("page", ["/help", "/help/rules", "/help/notation", "/help/mail"])
def test_a_page_is_light_and_need_not_be_fetched_twice(
    club_site: ClubSite, page: str, language: str
) -> None:
    response = read(club_site, page, language)
    assert response.status_code == 200
    assert f'<html lang="{language}"' in response.text
    assert len(response.data) <= MAX_PAGE
    again = read(club_site, page, language, **{"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert not again.data


def test_a_process_that_has_shown_a_browser_other_tokens_knows_its_pages(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = club_site.visitor()
    visitor.get("/help")
    kept = visitor.get("/help").headers["ETag"]
    at = int(time.time()) + 60
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda _: at)
    assert visitor.get("/help", headers={"If-None-Match": kept}).status_code == 304
    forms._sign.cache_clear()  # as where another process is asked
    assert visitor.get("/help", headers={"If-None-Match": kept}).status_code == 304


def test_dutch_pages_have_no_english_clause(club_site: ClubSite) -> None:
    page = words(read(club_site, "/help/rules", "nl"))
    for part in parts():
        for text in part.texts:
            assert get_tongue("nl").find(text) != text, text
    assert "Rij 1 is de Rust van Goud" in page
    assert "Row 1 is Gold's Haven" not in page


def test_ids_on_a_page_are_unique(club_site: ClubSite) -> None:
    for path in ("/help/rules", "/help/notation"):
        page = read(club_site, path).text
        ids = re.findall(r' id="([^"]+)"', page)
        assert len(ids) == len(set(ids))
        referred = set(re.findall(r'href="#([^"]+)"', page))
        assert referred <= set(ids)


def test_a_refusal_leads_to_its_clause(club: Club, club_site: ClubSite) -> None:
    match = club.study({"gold": "F2@G6", "black": "A4@G8"})
    browser = club_site.browser(match.players[0])
    response = browser.post(f"/games/{match.id}/turn", {"text": "F2 str G8"})
    assert response.status_code == 422
    assert 'href="/help/rules#R5.3"' in response.text

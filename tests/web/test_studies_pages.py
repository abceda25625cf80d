"""The pages of studies and puzzles."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pbem.archive import solving
from pbem.diagrams import film
from pbem.diagrams.film import Film
from pbem.web import limits, replays
from tests.ortus.games import TWO_ARCHERS, line
from tests.play.shelf import shelve
from tests.web.club_site import ClubSite, words
from tests.web.test_archive_pages import archived

LINE = line(**TWO_ARCHERS, energy=(6, 4))
SOLUTION = "W1 rng I4=-; end {Well aimed.} (W1 rng I4=+; F2 rng I4=-; end)"
FORM: dict[str, Any] = {"title": "Two archers", "line": LINE, "text": SOLUTION}
PUZZLE = {**FORM, "kind": "honour", "count": "1"}


def make(club_site: ClubSite, form: dict[str, Any], name: str = "Ann") -> str:
    """Make a study; the path of its page."""
    browser = club_site.browser(club_site.club.join(name))
    done = browser.post("/archive/studies/new", form)
    assert done.status_code == 303, words(done)
    return str(done.location)


def test_a_study_is_made_listed_and_gone_through(club_site: ClubSite) -> None:
    visitor = club_site.visitor()
    assert "There is no study yet" in words(visitor.get("/archive/studies"))
    path = make(club_site, FORM)
    assert f'href="{path}"' in visitor.get("/archive/studies").text
    page = visitor.get(path)
    assert page.text.count("<h1") == 1
    assert "Well aimed." in words(page)
    assert "F2 rng I4" in words(page)
    record = visitor.get(f"{path}.ogn")
    assert record.mimetype == "text/plain"
    assert f'[Position "{LINE}"]' in record.text


def test_a_puzzle_hides_its_solution_until_it_is_asked_for(club_site: ClubSite) -> None:
    path = make(club_site, PUZZLE)
    visitor = club_site.visitor()
    page = visitor.get(path)
    assert "Gold is to gain 1 honour in this turn." in words(page)
    assert "Well aimed" not in page.text
    assert "F2 rng I4" not in page.text
    assert "Well aimed." in words(visitor.get(f"{path}?reveal=1"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("F2 rng I4 [+: W1 rng I4]; end", "Solved!"),
        ("W1 rng I4; end", "The defender has an answer to it."),
        ("end", "The goal is not reached."),
        ("W1 rng H8; end", "Nobody stands on H8."),
        ("nonsense", "Line 1, column 1"),
    ],
)
def test_trying_a_puzzle(club_site: ClubSite, text: str, said: str) -> None:
    path = make(club_site, PUZZLE)
    page = club_site.visitor().post(f"{path}/try", {"text": text})
    assert page.status_code == 200
    assert said in words(page)
    assert text in page.text


def test_other_solutions_are_looked_for_once(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make(club_site, {**PUZZLE, "text": SOLUTION.replace("Well", "Once")})
    looked = []

    def find(*args: Any, **named: Any) -> tuple[str, ...] | None:
        looked.append(args)
        return solving.find_first_attacks(*args, **named)

    monkeypatch.setattr("pbem.play.studies.find_first_attacks", find)
    form = {"text": "F2 rng I4 [+: W1 rng I4]; end"}
    pages = [club_site.visitor().post(f"{path}/try", form) for _ in range(3)]
    assert all("Solved!" in words(page) for page in pages)
    assert len(looked) == 1


def test_attempts_at_puzzles_are_counted(club_site: ClubSite) -> None:
    path, visitor = make(club_site, PUZZLE), club_site.visitor()
    most = int(limits.DRAWINGS.split()[0])
    answers = [visitor.post(f"{path}/try", {"text": ""}).status_code for _ in range(most + 1)]
    assert answers == [303] * most + [429]


def test_studies_that_are_refused_are_counted(club_site: ClubSite) -> None:
    browser = club_site.browser(club_site.club.join("Ann"))
    most = int(limits.DRAWINGS.split()[0])
    form = {**FORM, "text": "nonsense"}
    answers = [browser.post("/archive/studies/new", form).status_code for _ in range(most + 1)]
    assert answers == [422] * most + [429]
    assert browser.get("/archive/studies/new").status_code == 200


def test_the_replay_of_a_study_is_made_once(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes as long as that of a game."""
    path = make(club_site, {**FORM, "text": SOLUTION.replace("Well", "Once")})
    made = []

    def make_film(*args: Any, **named: Any) -> Film:
        made.append(args)
        return film.make_film(*args, **named)

    monkeypatch.setattr(replays, "make_film", make_film)
    pages = [club_site.visitor().get(path).text for _ in range(3)]
    assert all("Once aimed." in page for page in pages)
    assert len(made) == 1


def test_what_is_wrong_with_a_study_is_said(club_site: ClubSite) -> None:
    browser = club_site.browser(club_site.club.join("Ann"))

    def refused(**changed: Any) -> str:
        done = browser.post("/archive/studies/new", {**PUZZLE, **changed})
        assert done.status_code == 422
        return words(done)

    assert "title of up to 120" in refused(title=" ")
    assert "A number from 1 to 8." in refused(count="9")
    assert "Line 1, column 1: Nobody stands on H8." in refused(text="W1 rng H8=-; end")
    assert "when it goes like this: W1 rng I4=I4+" in refused(text="W1 rng I4=-; end")
    assert "There is no study yet" in words(browser.get("/archive/studies"))


@pytest.mark.parametrize(
    ("changed", "field", "label"),
    [
        ({"title": ""}, "title", "Title"),
        ({"line": "origin master g 5 | nothing"}, "line", "Position line"),
        ({"text": "W1 rng H8=-; end"}, "text", "Orders, comments and variations"),
        ({"count": "0"}, "count", "How many"),
    ],
)
def test_what_is_wrong_is_said_beside_the_field_it_is_in(
    club_site: ClubSite, changed: dict[str, str], field: str, label: str
) -> None:
    browser = club_site.browser(club_site.club.join("Ann"))
    page = browser.post("/archive/studies/new", {**PUZZLE, **changed}).text
    notice = page[page.index('role="alert"') :].partition("</div>")[0]
    assert re.findall(r'<a href="#(\w+)">([^<]*)', notice)[0][0] == field
    assert f">{label}" in notice
    assert page.count(f'id="{field}-error"') == 1
    assert page.count('aria-invalid="true"') == 1
    wrong = re.search(rf'<(?:input|textarea) id="{field}"[^>]*>', page)
    assert wrong is not None
    assert f'aria-describedby="{field}-error' in wrong[0]


def test_who_is_not_signed_in_learns_that_studies_can_be_made(club_site: ClubSite) -> None:
    said = "to make studies and puzzles of your own."
    page = club_site.visitor().get("/archive/studies").text
    assert said in page
    assert "/sign-in?next=/archive/studies/new" in page
    ann = club_site.browser(club_site.club.join("Ann"))
    assert said not in ann.get("/archive/studies").text


def test_versions_and_who_may_make_them(club_site: ClubSite) -> None:
    ann, ben = club_site.club.join("Ann"), club_site.club.join("Ben")
    path = make(club_site, PUZZLE, "Cleo")
    number = path.rpartition("/")[2]
    other = club_site.browser(ben)
    assert other.post("/archive/studies/new", {**FORM, "replaces": number}).status_code == 409
    own = club_site.browser(ann)
    mine = str(own.post("/archive/studies/new", {**PUZZLE, "private": "1"}).location)
    number = mine.rpartition("/")[2]
    form = own.get(f"/archive/studies/new?replaces={number}").text
    assert re.search(r'<option value="honour" selected>', form)
    again = own.post("/archive/studies/new", {**PUZZLE, "title": "Better", "replaces": number})
    assert "There is a newer version." in words(own.get(mine))
    assert "The version before" in words(own.get(str(again.location)))
    for page in (mine, f"{mine}.ogn", f"/archive/studies/new?replaces={number}"):
        assert other.get(page).status_code == 404
    assert other.post(f"{mine}/try", {"text": "end"}).status_code == 404


def test_a_study_can_begin_from_a_turn_of_a_game(club_site: ClubSite) -> None:
    [number] = shelve(club_site.around, archived(4))
    browser = club_site.browser(club_site.club.join("Ann"))
    page = browser.get(f"/archive/studies/new?game={number}&at=2g").text
    assert "origin master g 2 |" in page
    assert club_site.visitor().get("/archive/studies/new").status_code == 303

"""Annotating beside the replayed game: plain forms, escaped words, private games their players'."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from notation.record_reading import parse_record
from pbem.archive.facts import facts_of
from pbem.play import annotating, games
from pbem.play.archived import NewGame
from pbem.play.archiving import archive_finished
from pbem.play.model import Player
from tests.archive.test_remarks import BASE
from tests.play.club import NOON
from tests.play.shelf import shelve
from tests.web.club_site import Browser, ClubSite

NASTY = '<script>alert("1")</script>'


class Desk:
    """An archived game, its players and a reader, each with a browser."""

    def __init__(self, site: ClubSite, **chosen: Any) -> None:
        self.site = site
        club = site.club
        self.ann, self.ben, self.cas = club.join("Ann"), club.join("Ben"), club.join("Cas")
        game = NewGame(
            facts=facts_of(parse_record(BASE)),
            record=BASE,
            players=(self.ann.id, self.ben.id),
            **chosen,
        )
        [self.number] = shelve(club.around, game)
        self.path = f"/archive/{self.number}"

    def browser(self, player: Player) -> Browser:
        return self.site.browser(player)

    def post(self, player: Player, where: str, **form: str) -> Any:
        return self.browser(player).post(f"{self.path}/{where}", form)

    def page(self, at: str, player: Player | None = None, more: str = "") -> str:
        browser = self.site.visitor() if player is None else self.browser(player)
        return str(browser.get(f"{self.path}?{more}at={at}").text)

    def stands(self) -> list[tuple[str, str, str, str]]:
        with self.site.store.read() as unit:
            found = annotating.remarks_that_stand(unit, self.number)
        return [(each.author, each.place, each.kind, each.text) for each in found]


@pytest.fixture
def desk(club_site: ClubSite) -> Desk:
    return Desk(club_site)


def panel_of(page: str) -> str:
    """The text of the panel, as it is read."""
    inside = page[page.index('id="remarks"') : page.index("replay-more")]
    return html.unescape(re.sub(r"<[^>]+>", " ", inside))


def test_a_comment_a_sign_and_a_variation_by_forms(desk: Desk) -> None:
    assert desk.post(desk.cas, "remarks", at="1g.2", comment="Bold. [%mark J6]").status_code == 303
    assert desk.post(desk.cas, "remarks", at="1g.2", comment="", sign="!?").status_code == 303
    done = desk.post(desk.cas, "remarks", at="1g.4", variation="E4>K3; einde")
    assert done.location.endswith(f"{desk.path}?at=1g.4#remarks")
    desk.post(desk.cas, "remarks", text="2b. ? {Hm.}")
    assert desk.stands() == [
        ("Cas", "1g.2", "comment", "Bold. [%mark J6]"),
        ("Cas", "1g.2", "sign", "!?"),
        ("Cas", "1g.4", "variation", "E4>K3; end"),
        ("Cas", "2b.3", "sign", "?"),
        ("Cas", "2b.3", "comment", "Hm."),
    ]
    record = desk.site.visitor().get(f"{desk.path}/annotated.ogn").text
    assert "F3>J6! $5 {[%by Cas] Bold. [%mark J6]} {[%by Cas] [%sign !?]}" in record
    page = desk.page("1g.2")
    assert "Cas: Bold. [%mark J6]" in " ".join(panel_of(page).split())
    assert "Cas:</b> Bold.</p>" in page


def test_what_is_refused_comes_back_with_what_was_written(desk: Desk) -> None:
    answer = desk.post(desk.cas, "remarks", at="1g.4", variation="E4>A15; end")
    assert answer.status_code == 422
    assert "E4&gt;A15; end" in answer.text
    answer = desk.post(desk.cas, "remarks", at="1g.2", comment=f"{NASTY} [%by Ann]")
    assert answer.status_code == 422
    assert html.escape(NASTY, quote=False) in answer.text.replace("&#34;", '"')
    assert desk.post(desk.cas, "remarks", at="1g.2", comment=" ").status_code == 422
    assert desk.post(desk.cas, "remarks", at="9g.2", comment="x").status_code == 422
    answer = desk.post(desk.cas, "remarks", text="1g. !\n9b. {Never played.}")
    assert answer.status_code == 422
    assert "Line 2, column 5: There is no turn 9b" in answer.text
    assert desk.stands() == []


def test_nothing_that_is_said_is_markup(desk: Desk) -> None:
    desk.post(desk.cas, "remarks", at="1g.2", comment=NASTY)
    desk.post(desk.cas, "discussion", at="1g.2", text=NASTY)
    for page in (desk.page("1g.2"), desk.page("1g.2", desk.cas)):
        assert NASTY not in page
        assert page.count("&lt;script&gt;") >= 3
    remark = re.search(r"/remarks/(\d+)", desk.page("1g.2"))
    assert remark is not None
    assert NASTY not in desk.site.visitor().get(f"{desk.path}/remarks/{remark[1]}").text


def test_changing_and_withdrawing_keep_every_version(desk: Desk) -> None:
    desk.post(desk.cas, "remarks", at="1g.2", comment="Bold.")
    found = re.search(r"/remarks/(\d+)", desk.page("1g.2", desk.cas))
    assert found is not None
    where = f"remarks/{found[1]}"
    desk.post(desk.ann, where, at="1g.2", text="Mine.", do="change")
    assert desk.stands()[0][3] == "Bold."
    desk.post(desk.cas, where, at="1g.2", text="Too bold.", do="change")
    newest = re.search(r"/remarks/(\d+)", desk.page("1g.2", desk.cas))
    assert newest is not None
    desk.post(desk.cas, f"remarks/{newest[1]}", at="1g.2", do="withdraw")
    assert desk.stands() == []
    shown = desk.site.visitor().get(f"{desk.path}/{where}").text
    assert all(text in shown for text in ("Bold.", "Too bold.", "withdrawn"))


def test_annotators_can_be_left_out(desk: Desk) -> None:
    desk.post(desk.cas, "remarks", at="1g.2", comment="From Cas.")
    desk.post(desk.ann, "remarks", at="1g.2", comment="From Ann.")
    assert "From Cas." in desk.page("1g.2")
    assert "From Ann." in desk.page("1g.2")
    only = desk.page("1g.2", more="by=&by=Ann&")
    assert "From Ann." in only
    assert "From Cas." not in only
    assert 'href="?by=&amp;by=Ann&amp;at=1g.1"' in only
    assert "From" not in desk.page("1g.2", more="by=&")


def test_a_private_game_is_its_players(club_site: ClubSite) -> None:
    desk = Desk(club_site, visibility="private")
    assert desk.post(desk.ann, "remarks", at="1g.2", comment="Ours.").status_code == 303
    for where in ("", "/annotated.ogn", "/remarks?at=1g.2", "/remarks/1", "/vary?at=1g.2"):
        assert desk.browser(desk.cas).get(desk.path + where).status_code == 404
    for where in ("remarks", "remarks/1", "discussion", "notes", "choices"):
        assert desk.post(desk.cas, where, at="1g.2", text="x", comment="x").status_code == 404
    assert "Ours." in desk.page("1g.2", desk.ben)


def test_discussion(desk: Desk) -> None:
    done = desk.post(desk.cas, "discussion", at="1g.2", text="Why not E4>K4?\nHm.")
    assert done.location.endswith("#discussion")
    page = desk.page("1g.1")
    assert "Why not E4&gt;K4?<br>Hm." in page
    assert "Why not" not in desk.page("1b.1")
    assert desk.post(desk.cas, "discussion", at="1g.2", text=" ").status_code == 422


def test_a_board_to_vary_on(desk: Desk) -> None:
    page = desk.browser(desk.cas).get(f"{desk.path}/vary?at=2b.3").text
    assert f'data-choices="{desk.path}/choices?at=2b.3"' in page
    found = desk.browser(desk.cas).call(f"{desk.path}/choices?at=2b.3", path=["W2 rng H7"])
    told = found.get_json()
    assert {fork["guard"] for fork in told["forks"]} == {"+", "-"}
    text = "W2 rng H7 [-: end | +: A1 ret H15; end]"
    desk.post(desk.cas, "remarks", at="2b.3", variation=text)
    assert [each[3] for each in desk.stands()] == [
        "W2 rng H7=-; end",
        "W2 rng H7=+; A1 ret H15; end",
    ]
    nowhere = desk.browser(desk.cas).get(f"{desk.path}/vary?at=start")
    assert nowhere.status_code == 404


def test_what_is_refused_counts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging it takes as long as if it were taken."""
    monkeypatch.setattr(annotating, "REMARKS_A_DAY", 3)
    refused = ({"comment": "[%no]"}, {"sign": "$999"}, {"variation": "W2>A1; end"})
    for form in refused:
        assert desk.post(desk.cas, "remarks", at="1b.1", **form).status_code == 422
    late = desk.post(desk.cas, "remarks", at="1b.1", comment="Good.")
    assert "You have made 3 remarks today." in late.text
    assert desk.stands() == []


def test_private_notes_join_by_the_page(club_site: ClubSite) -> None:
    match = club_site.club.study({"gold": "W1@F4 F2@I7", "black": "A4@I4 E3@N8"})
    games.write_note(match.around, match.id, 0, "He looks tired.", now=NOON)
    match.send("gold", "F2>I8; end")
    match.send("black", "resign")
    archive_finished(match.around, {"Site": "?"}, now=NOON)
    with club_site.store.read() as unit:
        archived = unit.find_archived_game(match.id)
    assert archived is not None
    gold, black = (club_site.browser(player) for player in match.players)
    path = f"/archive/{archived.number}"
    assert "tired" not in black.get(f"{path}?at=5g.1").text
    assert 'name="wish"' not in black.get(f"{path}?at=5g.1").text  # who has no notes is not asked
    assert 'name="wish"' in gold.get(f"{path}?at=5g.1").text
    gold.post(f"{path}/notes", {"wish": "after", "at": "5g.1"})
    assert "He looks tired." in black.get(f"{path}?at=5g.1").text


def test_programs_annotate(desk: Desk) -> None:
    program = desk.site.program(desk.cas)
    path = f"/api/v1{desk.path}"

    def call(method: str, where: str, **body: Any) -> Any:
        return program.client.open(
            path + where,
            method=method,
            base_url="https://play.example.org",
            headers=program.headers,
            json=body or None,
        )

    made = call("POST", "/remarks", place="1g.2", kind="comment", text="Bold.")
    assert made.status_code == 201
    [kept] = made.get_json()["remarks"]
    assert (kept["author"], kept["place"], kept["text"]) == ("Cas", "1g.2", "Bold.")
    changed = call("PUT", f"/remarks/{kept['id']}", text="Too bold.").get_json()
    assert changed["replaces"] == kept["id"]
    assert [each["text"] for each in call("GET", "/remarks").get_json()["remarks"]] == ["Too bold."]
    assert call("DELETE", f"/remarks/{changed['id']}").get_json()["text"] == ""
    found = call("GET", f"/remarks/{kept['id']}").get_json()["remarks"]
    assert [each["text"] for each in found] == ["Bold.", "Too bold.", ""]
    refused = call("POST", "/remarks", text="1g. !\n9g. !")
    assert refused.status_code == 422
    assert refused.get_json()["faults"][0]["line"] == 2
    assert call("POST", "/remarks", place="x", kind="sign", text="!").status_code == 422
    assert call("POST", "/discussion", turn="1g", text="Hm.").status_code == 201
    assert [each["text"] for each in call("GET", "/discussion?turn=1g").get_json()["posts"]] == [
        "Hm."
    ]

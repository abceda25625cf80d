"""What of events can be taken along, and where else they are told of: files, feeds, other pages."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest

from pbem.play.model import Player
from pbem.web.events import files
from pbem.web.feeds import feed_link
from tests.web.club_site import Browser, ClubSite, words
from tests.web.fair import Fair, build_fair


@pytest.fixture
def fair(club_site: ClubSite) -> Fair:
    return build_fair(club_site.around, club_site.now)


@pytest.fixture
def ann(club_site: ClubSite, fair: Fair) -> Browser:
    return club_site.browser(fair.ann)


@pytest.fixture
def table(fair: Fair) -> str:
    """A small round robin in which some games are over."""
    event_id = fair.make("Lent table", "round_robin", max_entrants=4, meeting="single")
    fair.enter(event_id, fair.players[:4])
    fair.start(event_id)
    fair.play_round(event_id, but=2)
    return event_id


class TestFiles:
    def test_csv_and_json_have_every_line(self, table: str, ann: Browser) -> None:
        rows = list(csv.DictReader(io.StringIO(ann.get(f"/events/{table}/table.csv").text)))
        assert len(rows) == 4
        assert {row["name"] for row in rows} == {"Ann", "Ben", "Emil", "Fenna"}
        cross = list(csv.reader(io.StringIO(ann.get(f"/events/{table}/crosstable.csv").text)))
        assert len(cross) == 5
        found = json.loads(ann.get(f"/events/{table}/table.json").text)
        assert "Ann" in json.dumps(found)
        answer = ann.get(f"/events/{table}/table.csv")
        assert f'filename="event-{table}.csv"' in answer.headers["Content-Disposition"]

    def test_html_needs_nothing_else_and_tells_the_whole_table(
        self, table: str, ann: Browser
    ) -> None:
        answer = ann.get(f"/events/{table}/table.html")
        assert f'filename="event-{table}.html"' in answer.headers["Content-Disposition"]
        for name in ("Ann", "Ben", "Emil", "Fenna"):
            assert answer.text.count(f'class="name">{name}</th>') == 2  # standings, crosstable
        assert "Lent table" in answer.text
        for needed in ("<link", "<script", "<img", "src=", "href="):
            assert needed not in answer.text

    def test_html_of_teams_begins_with_their_table(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Towns", "teams", boards=1, meeting="single")
        fair.enter(event_id, fair.players[:2], in_teams=True)
        fair.start(event_id)
        text = ann.get(f"/events/{event_id}/table.html").text
        assert text.index('class="name">Team A</th>') < text.index('class="name">Ann</th>')

    def test_pdf(self, table: str, ann: Browser) -> None:
        answer = ann.get(f"/events/{table}/table.pdf")
        assert answer.mimetype == "application/pdf"
        assert answer.data.startswith(b"%PDF-")

    def test_pdf_is_drawn_once_until_something_happens(
        self, fair: Fair, table: str, ann: Browser, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[str] = []
        files._papers.clear()

        def draw(title: str, parts: object, **more: object) -> bytes:
            drawn.append(title)
            return b"%PDF-" + bytes([len(drawn)])

        monkeypatch.setattr("pbem.diagrams.event_pdf.event_pdf", draw)
        first = ann.get(f"/events/{table}/table.pdf").data
        assert ann.get(f"/events/{table}/table.pdf").data == first
        fair.resign(fair.rows(table)[0], 0)
        fair.advance(table)
        assert ann.get(f"/events/{table}/table.pdf").data != first
        assert len(drawn) == 2
        files._papers.clear()

    def test_of_no_stage_and_before_it_begins_there_is_none(
        self, fair: Fair, table: str, ann: Browser
    ) -> None:
        assert ann.get(f"/events/{table}/table.csv?stage=Z").status_code == 404
        waiting = fair.make("Cup", "knockout")
        for name in (
            "table.csv",
            "table.json",
            "table.html",
            "table.pdf",
            "crosstable.csv",
            "chances",
        ):
            assert ann.get(f"/events/{waiting}/{name}").status_code == 404


def test_who_can_still_win_and_when_it_ends(table: str, ann: Browser) -> None:
    said = words(ann.get(f"/events/{table}/chances"))
    assert "first" in said
    assert "This is exact" in said
    assert "When it will end" in said


class TestCalendar:
    def feed(self, site: ClubSite, player: Player) -> str:
        link = feed_link(site.office, player, "events.ics")
        return site.visitor().get(link.partition("example.org")[2]).text

    def test_it_has_the_start_and_the_end_of_a_round(self, club_site: ClubSite, fair: Fair) -> None:
        starts = fair.now + timedelta(days=3)
        event_id = fair.make(
            "Cup; with, signs", "knockout", starts_at=starts.isoformat(), round_days=30
        )
        fair.enter(event_id, [fair.ann, fair.ben])
        text = self.feed(club_site, fair.ann)
        assert "SUMMARY:Cup\\; with\\, signs begins" in text
        assert f"DTEND:{starts:%Y%m%dT%H%M%SZ}" in text
        assert f"/events/{event_id}" in text.replace("\r\n ", "")
        fair.start(event_id)
        text = self.feed(club_site, fair.ann)
        assert "Round 1 of Cup" in text
        assert "begins" not in text
        assert "Cup" not in self.feed(club_site, fair.cleo)

    def test_a_link_of_nobody(self, club_site: ClubSite) -> None:
        assert club_site.visitor().get("/feeds/nonsense/events.ics").status_code == 404

    def test_settings_lead_to_it(self, ann: Browser) -> None:
        assert "/events.ics" in ann.get("/settings").text


class TestOtherPages:
    def test_games_say_of_which_event_they_are(
        self, club_site: ClubSite, fair: Fair, table: str, ann: Browser
    ) -> None:
        mine = words(ann.get("/games"))
        assert "Lent table, round" in mine
        row = fair.rows(table)[0]
        for browser in (ann, club_site.visitor()):
            page = browser.get(f"/games/{row.game_id}")
            assert f'href="/events/{table}"' in page.text
            assert f"/events/{table}/encounters/{row.encounter}" in page.text
        assert "Ask the director to rule" not in words(club_site.visitor().get("/games"))

    def test_a_game_of_no_event_says_nothing(
        self, club_site: ClubSite, fair: Fair, ann: Browser
    ) -> None:
        plain = club_site.club.start(gold=fair.ann, black=fair.ben).id
        assert 'class="of-event"' not in ann.get(f"/games/{plain}").text

    def test_players_of_an_event_are_told_how_to_ask_for_a_ruling(
        self, club_site: ClubSite, fair: Fair
    ) -> None:
        event_id = fair.make("Cup", "knockout")
        fair.enter(event_id, [fair.ann, fair.ben])
        fair.start(event_id)
        row = fair.rows(event_id)[0]
        assert f"/events/{event_id}/games/1/0/statement" in (
            club_site.browser(fair.ann).get(f"/games/{row.game_id}").text
        )
        assert "/statement" not in club_site.browser(fair.cleo).get(f"/games/{row.game_id}").text

    def test_the_page_of_a_player_lists_their_events(
        self, club_site: ClubSite, fair: Fair, table: str
    ) -> None:
        page = club_site.visitor().get(f"/players/{fair.ann.id}")
        assert f'href="/events/{table}"' in page.text
        assert f'href="/events/{table}"' in club_site.visitor().get(f"/players/{fair.dora.id}").text
        assert "Lent table" not in words(club_site.visitor().get(f"/players/{fair.cleo.id}"))

    def test_a_leave_tells_its_effect_on_events_before_it_is_taken(
        self, table: str, ann: Browser
    ) -> None:
        said = words(ann.get("/settings/leave?first=2026-11-20&last=2026-12-04"))
        assert "In your events Lent table : the round would end about" in said
        assert "Who waits longer: Ben." in said
        assert "In your events" not in words(ann.get("/settings/leave"))

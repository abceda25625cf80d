"""The pages of events: finding one, entering it, who plays whom and why, who stands where."""

from __future__ import annotations

import re

import pytest

from pbem.play import games
from pbem.play.events import challenging, entering, making
from pbem.play.model import Player
from tests.web.club_site import Browser, ClubSite, words
from tests.web.fair import TERMS, Fair, build_fair


@pytest.fixture
def fair(club_site: ClubSite) -> Fair:
    return build_fair(club_site.around, club_site.now)


@pytest.fixture
def ann(club_site: ClubSite, fair: Fair) -> Browser:
    return club_site.browser(fair.ann)


@pytest.fixture
def dora(club_site: ClubSite, fair: Fair) -> Browser:
    return club_site.browser(fair.dora)


def names_on(page: str) -> list[str]:
    """The names in the list of entrants."""
    listed = page.partition('class="entrants"')[2].partition("</ol>")[0]
    return re.findall(r'players/\d+">([^<]+)<', listed)


class TestFinding:
    def test_open_running_and_over_are_listed_and_drafts_are_not(
        self, club_site: ClubSite, fair: Fair
    ) -> None:
        small = fair.make("Small", "swiss", rounds=1)
        fair.enter(small, fair.players[:2])
        fair.start(small)
        fair.make("Open <b>", "knockout")
        making.make(
            fair.around,
            fair.dora.id,
            {"title": "Secret draft", "format": "swiss", "agreement": TERMS},
            now=fair.now,
        )
        page = club_site.visitor().get("/events")
        said = words(page)
        assert "Open <b>" in said
        assert "<b>" not in page.text
        assert "Small Swiss Running · 2 players · round 1" in said
        assert "Secret draft" not in said
        fair.play_round(small)
        assert "Over Small Swiss" in words(club_site.visitor().get("/events"))

    def test_a_draft_is_its_directors_alone(
        self, club_site: ClubSite, fair: Fair, ann: Browser, dora: Browser
    ) -> None:
        draft = making.make(
            fair.around,
            fair.dora.id,
            {"title": "Draft", "format": "swiss", "agreement": TERMS},
            now=fair.now,
        )
        for path in ("", "/log", "/rounds"):
            assert ann.get(f"/events/{draft.id}{path}").status_code == 404
            assert club_site.visitor().get(f"/events/{draft.id}{path}").status_code == 404
            assert dora.get(f"/events/{draft.id}{path}").status_code == 200
        assert "you direct it" in words(dora.get("/events"))

    def test_nothing_is_where_no_event_is(self, ann: Browser) -> None:
        for path in ("nothing", "nothing/log", "nothing/table", "nothing/rounds", "a\0b"):
            assert ann.get(f"/events/{path}").status_code == 404

    def test_every_page_leads_to_events(self, club_site: ClubSite, ann: Browser) -> None:
        for browser in (club_site.visitor(), ann):
            assert 'href="/events"' in browser.get("/challenges").text


class TestEntering:
    def test_with_one_button(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Cup", "knockout")
        assert ann.post(f"/events/{event_id}/enter").location == f"/events/{event_id}"
        page = ann.get(f"/events/{event_id}")
        assert names_on(page.text) == ["Ann"]
        assert "You are in." in words(page)
        ann.post(f"/events/{event_id}/enter")
        assert "takes part in this event already" in words(ann.get(f"/events/{event_id}"))
        ann.post(f"/events/{event_id}/leave")
        page = ann.get(f"/events/{event_id}")
        assert names_on(page.text) == []
        assert "Would you like to take part?" in words(page)

    def test_visitors_sign_in_first_and_come_back(self, club_site: ClubSite, fair: Fair) -> None:
        event_id = fair.make("Cup", "knockout")
        visitor = club_site.visitor()
        page = visitor.get(f"/events/{event_id}")
        assert f"/sign-in?next=/events/{event_id}" in page.text
        assert visitor.post(f"/events/{event_id}/enter").location.startswith("/sign-in")
        assert names_on(visitor.get(f"/events/{event_id}").text) == []

    def test_a_form_of_another_site_is_refused(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Cup", "knockout")
        for act in ("enter", "leave", "check-in", "desk/start"):
            sent = ann.client.post(f"/events/{event_id}/{act}", base_url="https://play.example.org")
            assert sent.status_code == 400
        assert names_on(ann.get(f"/events/{event_id}").text) == []

    def test_the_waiting_list(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Cup", "knockout", max_entrants=2)
        fair.enter(event_id, [fair.ben, fair.others[0], fair.others[1]])
        ann.post(f"/events/{event_id}/enter")
        said = words(ann.get(f"/events/{event_id}"))
        assert "You are number 2 on the waiting list." in said
        entering.leave(fair.around, event_id, fair.ben.id, now=fair.now)
        fair.advance(event_id)
        assert "You are number 1 on the waiting list." in words(ann.get(f"/events/{event_id}"))

    def test_checking_in(self, club_site: ClubSite, fair: Fair, ann: Browser) -> None:
        starts = club_site.now.replace(hour=20).isoformat()
        event_id = fair.make("Cup", "knockout", starts_at=starts, check_in_hours=24)
        fair.enter(event_id, [fair.ann])
        fair.advance(event_id)
        assert "Say that you are there" in words(ann.get(f"/events/{event_id}"))
        ann.post(f"/events/{event_id}/check-in")
        page = ann.get(f"/events/{event_id}")
        assert "we know that you are there" in words(page)
        assert "/check-in" not in page.text

    def test_in_a_team(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Match", "teams", boards=2)
        ann.post(f"/events/{event_id}/enter", {"team": "  "})
        assert "for which team" in words(ann.get(f"/events/{event_id}"))
        ann.post(f"/events/{event_id}/enter", {"team": "North <b>", "board": "2"})
        assert "Ann North <b>, board 2" in words(ann.get(f"/events/{event_id}"))

    def test_withdrawing_asks_once_more_and_says_what_is_lost(
        self, fair: Fair, ann: Browser
    ) -> None:
        event_id = fair.make("Cup", "knockout")
        fair.enter(event_id, [fair.ann, fair.ben])
        fair.start(event_id)
        asked = words(ann.get(f"/events/{event_id}/withdraw"))
        assert "2 games of yours that are not over are lost by it." in asked
        ann.post(f"/events/{event_id}/leave", {"reason": "A new job"})
        log = words(ann.get(f"/events/{event_id}/log"))
        assert "Ann withdrew. A new job" in log
        assert ann.get(f"/events/{event_id}/withdraw").location == f"/events/{event_id}"


class TestRounds:
    def test_who_plays_whom_who_starts_and_why(
        self, club_site: ClubSite, fair: Fair, ann: Browser
    ) -> None:
        event_id = fair.make("Swiss", "swiss", rounds=2, meeting="single")
        fair.enter(event_id, fair.players[:5])
        fair.start(event_id)
        mine = words(ann.get(f"/events/{event_id}/rounds"))
        assert re.search(r"Why do I play \w+\?", mine)
        assert "upper half of the seeding meets the lower half" in mine
        assert "5 players cannot all be paired." in mine
        assert "①" in mine
        others = words(club_site.visitor().get(f"/events/{event_id}/rounds"))
        assert "Why do I play" not in others
        assert "Why these two?" in others
        assert ann.get(f"/events/{event_id}/rounds/2").status_code == 404

    def test_why_not_somebody_else(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Swiss", "swiss", rounds=2)
        fair.enter(event_id, fair.players[:4])
        fair.start(event_id)
        fair.play_round(event_id)
        page = ann.get(f"/events/{event_id}/encounters/1")
        (pair,) = [
            (int(a), int(b)) for a, b in [re.findall(r'<option value="(\d)"', page.text)[:2]]
        ]
        other = next(n for n in (1, 2, 3, 4) if n not in pair)
        query = f"who={pair[0]}&instead={other}"
        said = words(ann.get(f"/events/{event_id}/encounters/1?{query}"))
        assert "Why not? If they met" in said or "have been" in said or "Both have" in said
        assert ann.get(f"/events/{event_id}/encounters/99").status_code == 404
        assert (
            ann.get(f"/events/{event_id}/encounters/1?who={pair[0]}&instead=99").status_code == 404
        )


class TestTable:
    def test_each_two_neighbours_are_explained_and_starts_are_shown(
        self, club_site: ClubSite, fair: Fair
    ) -> None:
        event_id = fair.make("Table", "round_robin", max_entrants=4, meeting="single")
        fair.enter(event_id, fair.players[:4])
        fair.start(event_id)
        fair.play_round(event_id)
        page = club_site.visitor().get(f"/events/{event_id}/table")
        said = words(page)
        assert said.count(" is above ") + said.count(" share a place") == 2 * 3
        assert "Starts" in said
        assert page.text.count('class="between"') == 3

    def test_before_it_begins_there_is_none(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Table", "round_robin", max_entrants=4)
        assert ann.get(f"/events/{event_id}/table").status_code == 404

    def test_a_bracket(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Cup", "knockout")
        fair.enter(event_id, fair.players[:3])
        fair.start(event_id)
        said = words(ann.get(f"/events/{event_id}/table"))
        assert "Semi-finals" in said
        assert "Final" in said

    def test_groups_have_tables_of_their_own(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Groups", "round_robin", group_size=3, finalists=1)
        fair.enter(event_id, fair.players[:6])
        fair.start(event_id)
        said = words(ann.get(f"/events/{event_id}/table"))
        assert "Group A" in said
        assert "Group B" in said
        assert "Group B" not in words(ann.get(f"/events/{event_id}/table?stage=A"))
        assert ann.get(f"/events/{event_id}/table?stage=Z").status_code == 404

    def test_divisions_of_a_league(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("League", "league", size=3, movers=1, rounds=2)
        fair.enter(event_id, fair.players[:6])
        fair.start(event_id)
        said = words(ann.get(f"/events/{event_id}/table"))
        assert "Season 1, division 1" in said
        assert "Season 1, division 2" in said
        assert "division 2" in words(ann.get(f"/events/{event_id}/rounds"))
        assert ann.get(f"/events/{event_id}/chances").status_code == 200
        fair.play_round(event_id)
        later = words(ann.get(f"/events/{event_id}/table"))
        assert later.index("Season 2, division 1") < later.index("Season 1, division 1")

    def test_teams_have_a_table_and_their_players_another(self, fair: Fair, ann: Browser) -> None:
        event_id = fair.make("Match", "teams", boards=2, meeting="single")
        fair.enter(event_id, fair.players[:4], in_teams=True)
        fair.start(event_id)
        fair.play_round(event_id, but=1)
        said = words(ann.get(f"/events/{event_id}/table"))
        assert "Match points" in said
        assert "Team A" in said
        assert "Team B" in words(ann.get(f"/events/{event_id}/chances"))


class TestLadder:
    @pytest.fixture
    def ladder(self, fair: Fair) -> str:
        event_id = fair.make("Ladder", "ladder", reach=1)
        fair.enter(event_id, [fair.ben, fair.ann, fair.others[0]])
        fair.start(event_id)
        return event_id

    def test_only_who_can_be_challenged_has_a_button(self, ladder: str, ann: Browser) -> None:
        page = ann.get(f"/events/{ladder}/table")
        assert re.findall(r"/challenge/(\d)", page.text) == ["1"]

    def test_challenging_and_accepting(
        self, club_site: ClubSite, fair: Fair, ladder: str, ann: Browser
    ) -> None:
        ann.post(f"/events/{ladder}/challenge/1")
        assert "You have challenged Ben" in words(ann.get(f"/events/{ladder}"))
        ben = club_site.browser(fair.ben)
        assert "Ann has challenged you." in words(ben.get(f"/events/{ladder}"))
        assert ann.post(f"/events/{ladder}/challenges/1", {"answer": "eat"}).status_code == 400
        ann.post(f"/events/{ladder}/challenges/1", {"answer": "accept"})
        assert "for another player" in words(ann.get(f"/events/{ladder}"))
        ben.post(f"/events/{ladder}/challenges/1", {"answer": "accept"})
        fair.advance(ladder)
        assert "Ann challenged Ben, who had place 1." in words(ben.get(f"/events/{ladder}/rounds"))
        assert "Ben accepted the challenge of Ann." in words(ben.get(f"/events/{ladder}/log"))

    def test_declining_with_a_reason(self, club_site: ClubSite, fair: Fair, ladder: str) -> None:
        challenging.challenge(fair.around, ladder, fair.ann.id, 1, now=fair.now)
        ben = club_site.browser(fair.ben)
        ben.post(f"/events/{ladder}/challenges/1", {"answer": "decline", "reason": "A wedding"})
        said = words(ben.get(f"/events/{ladder}/log"))
        assert "Ben declined the challenge of Ann. A wedding" in said
        table = words(ben.get(f"/events/{ladder}/table"))
        assert table.index("Ben") < table.index("Ann")


def test_my_games_in_events(fair: Fair, ann: Browser) -> None:
    assert "You take part in no event." in words(ann.get("/events/mine"))
    event_id = fair.make("Swiss", "swiss", rounds=1)
    fair.enter(event_id, [fair.ann, fair.ben])
    fair.start(event_id)
    said = words(ann.get("/events/mine"))
    assert "Swiss 0 points" in said
    assert said.count("Ben") == 2
    assert "Your move 14 days" in said
    first, _ = fair.rows(event_id)
    fair.resign(first, 0)
    fair.advance(event_id)
    said = words(ann.get("/events/mine"))
    assert "0–1" in said


def test_nothing_secret_of_running_games_is_on_a_page(
    club_site: ClubSite, fair: Fair, ann: Browser
) -> None:
    event_id = fair.make("Cup", "knockout", agreement={**TERMS, "visibility": "delayed 3"})
    fair.enter(event_id, [fair.ann, fair.ben])
    fair.start(event_id)
    row = fair.rows(event_id)[0]
    before = {path: others(club_site, fair, event_id, path) for path in PAGES}
    games.submit(fair.around, row.game_id or "", 0, "setup AFEWWEFA", arrived=fair.now)
    assert {path: others(club_site, fair, event_id, path) for path in PAGES} == before


PAGES = ("", "/rounds", "/table", "/log", "/encounters/1")


def others(site: ClubSite, fair: Fair, event_id: str, path: str) -> str:
    """A page as somebody reads it who plays no game of it."""
    cleo: Player = fair.cleo
    return words(site.browser(cleo).get(f"/events/{event_id}{path}"))

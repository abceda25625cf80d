"""The director's desk: who may use it, what it does, and that all of it stands in the log."""

from __future__ import annotations

from typing import Final

import pytest

from pbem.play import games
from pbem.play.events import entering, making, statements
from pbem.play.events.open_event import get_event
from pbem.tournaments.event import Event
from pbem.web.events.charter_forms import USUAL
from tests.web.club_site import Browser, ClubSite, words
from tests.web.fair import TERMS, Fair, build_fair
from tests.web.town import POSITION


@pytest.fixture
def fair(club_site: ClubSite) -> Fair:
    return build_fair(club_site.around, club_site.now)


@pytest.fixture
def dora(club_site: ClubSite, fair: Fair) -> Browser:
    return club_site.browser(fair.dora)


@pytest.fixture
def ann(club_site: ClubSite, fair: Fair) -> Browser:
    return club_site.browser(fair.ann)


@pytest.fixture
def cup(fair: Fair) -> str:
    """Ann and Ben play, and their games go on."""
    event_id = fair.make("Cup", "knockout", round_days=30)
    fair.enter(event_id, [fair.ann, fair.ben])
    fair.start(event_id)
    return event_id


def event(fair: Fair, event_id: str) -> Event:
    with fair.around.store.read() as unit:
        return get_event(unit, event_id)


FORM: Final = {
    "format": "swiss",
    "title": "Autumn <b>",
    "meeting": "single",
    "level": "wind",
    "clock": TERMS["clock"],
    "rounds": "3",
    "min_entrants": "2",
    "bye_worth": "win",
    "tie_1": "buchholz",
    "tie_2": "wins",
    "starts_at": "2026-12-01T18:00",
    "rated": "1",
}


class TestMaking:
    def test_a_format_is_chosen_and_its_form_has_its_fields(self, dora: Browser) -> None:
        chosen = dora.get("/events/new")
        assert "/events/new?format=ladder" in chosen.text
        swiss = dora.get("/events/new?format=swiss").text
        assert 'name="rounds"' in swiss
        assert 'name="reach"' not in swiss
        assert 'name="reach"' in dora.get("/events/new?format=ladder").text

    @pytest.mark.parametrize(
        "format_", ["round_robin", "swiss", "knockout", "league", "ladder", "teams"]
    )
    def test_what_stands_in_a_new_form_can_be_sent(self, dora: Browser, format_: str) -> None:
        usual = {
            "format": format_,
            "title": "As it comes",
            "meeting": "pair",
            "level": "apprentice",
            "bye_worth": "win",
            "pace": "together",
            "cycles": "1",
            "finalists": "2",
            "min_entrants": "2",
            **USUAL[format_],
        }
        assert dora.post("/events/new", usual).status_code == 303

    def test_it_is_made_as_it_was_filled_in_and_opened(
        self, club_site: ClubSite, fair: Fair
    ) -> None:
        amsterdam = club_site.club.join("Wim", time_zone="Europe/Amsterdam")
        browser = club_site.browser(amsterdam)
        where = browser.post("/events/new", FORM).location
        event_id = where.rpartition("/")[2]
        made = event(fair, event_id).charter
        assert (made.title, made.meeting, made.rounds) == ("Autumn <b>", "single", 3)
        assert made.tie_breaks == ("buchholz", "wins")
        assert made.agreement["level"] == "wind"
        assert made.starts_at is not None
        assert made.starts_at.isoformat() == "2026-12-01T17:00:00+00:00"
        assert "Only directors see this yet." in words(browser.get(where))
        browser.post(f"{where}/open")
        assert "Autumn <b>" in words(club_site.visitor().get("/events"))
        form = browser.get(f"{where}/change").text
        assert 'value="2026-12-01T18:00"' in form

    def test_every_fault_stands_at_its_field_and_what_was_written_is_kept(
        self, dora: Browser
    ) -> None:
        bad = {
            **FORM,
            "title": " ",
            "rounds": "many",
            "clock": "soon",
            "tie_2": "buchholz",
            "starts_at": "2026-01-01T00:00",
            "min_rating": "2000",
            "max_rating": "1000",
        }
        answer = dora.post("/events/new", bad)
        assert answer.status_code == 422
        for name in ("title", "rounds", "clock", "tie_breaks"):
            assert f'id="{name}-error"' in answer.text
        assert 'value="many"' in answer.text
        fixed = {**bad, "title": "A", "rounds": "3", "clock": TERMS["clock"], "tie_2": ""}
        assert 'id="max_rating-error"' in dora.post("/events/new", fixed).text
        late = {**fixed, "min_rating": ""}
        assert 'id="starts_at-error"' in dora.post("/events/new", late).text

    def test_a_thematic_position_says_level_and_arena(self, fair: Fair, dora: Browser) -> None:
        where = dora.post("/events/new", {**FORM, "position": POSITION}).location
        agreement = event(fair, where.rpartition("/")[2]).charter.agreement
        assert agreement["position"] == POSITION
        assert "level" not in agreement

    def test_changing_what_was_announced_gives_a_reason(
        self, fair: Fair, dora: Browser, ann: Browser
    ) -> None:
        event_id = fair.make("Plain", "swiss", rounds=3)
        sent = {**FORM, "title": "Fancy", "reason": "A better name"}
        assert dora.post(f"/events/{event_id}/change", sent).status_code == 303
        said = words(ann.get(f"/events/{event_id}/log"))
        assert "Dora changed what was announced. A better name" in said
        assert ann.post(f"/events/{event_id}/change", sent).status_code == 403


class TestWhoMay:
    DEEDS = ("close", "start", "pause", "extend", "cancel", "warn", "put-out", "add-director")

    def test_only_directors(self, club_site: ClubSite, fair: Fair, cup: str, ann: Browser) -> None:
        before = event(fair, cup)
        assert ann.get(f"/events/{cup}/desk").status_code == 403
        for deed in self.DEEDS:
            sent = {"reason": "why not", "entrant": "2", "days": "3", "player": str(fair.ann.id)}
            assert ann.post(f"/events/{cup}/desk/{deed}", sent).status_code == 403
        assert ann.get(f"/events/{cup}/games/1/0").status_code == 403
        ruled = ann.post(f"/events/{cup}/games/1/0", {"ruling": "gold", "reason": "mine"})
        assert ruled.status_code == 403
        assert event(fair, cup) == before
        visitor = club_site.visitor()
        assert visitor.get(f"/events/{cup}/desk").location.startswith("/sign-in")
        assert "Director's desk" not in words(ann.get(f"/events/{cup}"))

    def test_a_director_who_plays_does_not_rule_on_the_own_game(
        self, fair: Fair, cup: str, ann: Browser
    ) -> None:
        making.add_director(fair.around, cup, fair.dora.id, fair.ann.id, now=fair.now)
        assert "another director has to rule" in words(ann.get(f"/events/{cup}/games/1/0"))
        ann.post(f"/events/{cup}/games/1/0", {"ruling": "gold", "reason": "mine"})
        assert event(fair, cup).encounter(1).games[0].result is None

    def test_no_deed_of_another_name(self, cup: str, dora: Browser) -> None:
        assert dora.post(f"/events/{cup}/desk/dance").status_code == 404


class TestDeeds:
    def test_opening_closing_and_starting(self, fair: Fair, dora: Browser) -> None:
        event_id = fair.make("Cup", "knockout")
        dora.post(f"/events/{event_id}/desk/start")
        assert "it takes 2 to begin" in words(dora.get(f"/events/{event_id}/desk"))
        fair.enter(event_id, [fair.ann, fair.ben])
        dora.post(f"/events/{event_id}/desk/close")
        assert "Entries are closed" in words(dora.get(f"/events/{event_id}"))
        dora.post(f"/events/{event_id}/desk/start")
        assert event(fair, event_id).phase == "running"

    def test_pausing_extending_and_warning_stand_in_the_public_log(
        self, club_site: ClubSite, fair: Fair, cup: str, dora: Browser
    ) -> None:
        desk = f"/events/{cup}/desk"
        dora.post(f"{desk}/pause", {"reason": "A storm"})
        dora.post(f"{desk}/resume", {"reason": "It is over"})
        dora.post(f"{desk}/extend", {"days": "7", "reason": "Lost time"})
        dora.post(f"{desk}/extend", {"days": "long"})
        dora.post(f"{desk}/warn", {"entrant": "1", "reason": "Rude <b>words</b>"})
        dora.post(f"{desk}/warn", {"entrant": "1", "reason": " "})
        log = club_site.visitor().get(f"/events/{cup}/log")
        said = words(log)
        for line in (
            "Dora paused the event. A storm",
            "Dora let the event go on. It is over",
            "Dora prolonged the round by 7 days. Lost time",
            "Dora warned Ann. Rude <b>words</b>",
        ):
            assert line in said
        assert "<b>words" not in log.text
        assert event(fair, cup).entrant(1).warnings == 1
        assert event(fair, cup).extra_days >= 7

    def test_disqualifying_loses_the_games_or_annuls_them(
        self, fair: Fair, cup: str, dora: Browser
    ) -> None:
        sent = {"entrant": "1", "how": "disqualify", "annul": "1", "reason": "Two accounts"}
        dora.post(f"/events/{cup}/desk/put-out", sent)
        assert event(fair, cup).entrant(1).standing == "disqualified"
        results = [game.result for game in event(fair, cup).encounter(1).games]
        assert [result.ending for result in results if result] == ["void", "void"]

    def test_a_substitute_is_asked_and_takes_over(
        self, club_site: ClubSite, fair: Fair, cup: str, dora: Browser
    ) -> None:
        sent = {"entrant": "1", "player": str(fair.cleo.id), "reason": "Ann is ill"}
        dora.post(f"/events/{cup}/desk/substitute", sent)
        cleo = club_site.browser(fair.cleo)
        assert "asked to take over the place of Ann" in words(cleo.get(f"/events/{cup}"))
        cleo.post(f"/events/{cup}/place", {"answer": "accept"})
        assert event(fair, cup).entrant(1).player_id == fair.cleo.id
        assert "Cleo took over from Ann" in words(cleo.get(f"/events/{cup}"))
        log = words(cleo.get(f"/events/{cup}/log"))
        assert "Dora asked Cleo to take over the place of Ann." in log

    def test_directors_come_and_go(self, fair: Fair, cup: str, dora: Browser) -> None:
        desk = f"/events/{cup}/desk"
        dora.post(f"{desk}/remove-director", {"player": str(fair.dora.id)})
        assert "name another one first" in words(dora.get(desk))
        dora.post(f"{desk}/add-director", {"player": str(fair.cleo.id)})
        dora.post(f"{desk}/remove-director", {"player": str(fair.dora.id)})
        assert event(fair, cup).directors == (fair.cleo.id,)
        assert dora.get(desk).status_code == 403

    def test_late_entry_is_the_directors_to_allow(self, fair: Fair, dora: Browser) -> None:
        event_id = fair.make("Swiss", "swiss", rounds=3)
        fair.enter(event_id, fair.players[:4])
        fair.start(event_id)
        dora.post(f"/events/{event_id}/desk/late", {"allows": "0", "reason": "Enough"})
        assert not event(fair, event_id).charter.allows_late
        dora.post(f"/events/{event_id}/desk/late", {"allows": "1"})
        entering.enter(fair.around, event_id, fair.cleo.id, now=fair.now)

    def test_calling_it_off_needs_a_reason(self, fair: Fair, cup: str, dora: Browser) -> None:
        dora.post(f"/events/{cup}/desk/cancel", {"reason": ""})
        assert event(fair, cup).phase == "running"
        dora.post(f"/events/{cup}/desk/cancel", {"reason": "A flood"})
        assert event(fair, cup).phase == "cancelled"


class TestDossier:
    @pytest.fixture
    def themed(self, fair: Fair) -> str:
        """A thematic event whose games are under way."""
        terms = {**TERMS, "position": POSITION, "visibility": "delayed 3"}
        event_id = fair.make("Theme", "round_robin", max_entrants=4, agreement=terms)
        fair.enter(event_id, [fair.ann, fair.ben])
        fair.start(event_id)
        for row in fair.rows(event_id):
            assert row.game_id is not None
            games.submit(fair.around, row.game_id, 0, "A5>L3; end", arrived=fair.now)
        return event_id

    def test_it_shows_the_present_position_figures_clocks_and_statements(
        self, fair: Fair, themed: str, dora: Browser, ann: Browser
    ) -> None:
        said = "I am winning & Ben is silent"
        ann.post(f"/events/{themed}/games/1/0/statement", {"text": said})
        page = dora.get(f"/events/{themed}/games/1/0")
        read = words(page)
        for word in ("Energy", "Honour", "Wells", "Clocks", said, "A5>L3"):
            assert word in read
        assert "<svg" in page.text
        for path in ("", "/rounds", "/log", "/encounters/1"):
            assert said not in words(ann.get(f"/events/{themed}{path}"))

    def test_a_director_who_plays_sees_others_games_no_earlier_than_anybody(
        self, club_site: ClubSite, fair: Fair, themed: str
    ) -> None:
        fair_play = club_site.browser(fair.cleo)
        making.add_director(fair.around, themed, fair.dora.id, fair.cleo.id, now=fair.now)
        assert "A5>L3" in words(fair_play.get(f"/events/{themed}/games/1/0"))
        other = fair.make(
            "Theme",
            "swiss",
            rounds=1,
            agreement={**TERMS, "position": POSITION, "visibility": "delayed 3"},
        )
        fair.enter(other, [fair.ann, fair.ben, fair.cleo])
        making.add_director(fair.around, other, fair.dora.id, fair.cleo.id, now=fair.now)
        fair.start(other)
        for row in fair.rows(other):
            assert row.game_id is not None
            games.submit(fair.around, row.game_id, 0, "A5>L3; end", arrived=fair.now)
        whole = event(fair, other)
        mine = whole.find_entrant(fair.cleo.id)
        assert mine is not None
        foreign = next(
            each for each in whole.encounters if mine.number not in each.entrants and each.games
        )
        assert "A5>L3" not in words(fair_play.get(f"/events/{other}/games/{foreign.number}/0"))

    def test_ruled_by_one_click(self, fair: Fair, themed: str, dora: Browser) -> None:
        sent = {"ruling": "black", "reason": "Gold has left"}
        assert dora.post(f"/events/{themed}/games/1/0", sent).location.endswith("/desk")
        result = event(fair, themed).encounter(1).games[0].result
        assert result is not None
        assert (result.gold, result.black, result.ending) == (0, 2, "adjudicated")
        log = words(dora.get(f"/events/{themed}/log"))
        assert "Dora ruled" in log
        assert "0–1. Gold has left" in log

    def test_a_result_is_corrected_with_a_reason_only(
        self, fair: Fair, themed: str, dora: Browser
    ) -> None:
        fair.resign(fair.rows(themed)[0], 0)
        fair.advance(themed)
        where = f"/events/{themed}/games/1/0"
        dora.post(where, {"ruling": "draw", "reason": ""})
        assert "Say why" in words(dora.get(where))
        dora.post(where, {"ruling": "draw", "reason": "The wrong button"})
        result = event(fair, themed).encounter(1).games[0].result
        assert result is not None
        assert (result.gold, result.black, result.ending) == (1, 1, "corrected")
        dora.post(where, {"ruling": "annul", "reason": "Never played"})
        result = event(fair, themed).encounter(1).games[0].result
        assert result is not None
        assert result.ending == "void"

    def test_what_cannot_be(self, themed: str, dora: Browser, ann: Browser) -> None:
        assert dora.get(f"/events/{themed}/games/99/0").status_code == 404
        assert dora.get(f"/events/{themed}/games/1/7").status_code == 404
        assert dora.post(f"/events/{themed}/games/1/0", {"ruling": "cake"}).status_code == 400

    def test_only_the_two_players_state_anything(
        self, club_site: ClubSite, fair: Fair, themed: str
    ) -> None:
        cleo = club_site.browser(fair.cleo)
        cleo.post(f"/events/{themed}/games/1/0/statement", {"text": "I know better"})
        with fair.around.store.read() as unit:
            found = statements.statements_for(unit, themed, 1, 0, viewer=fair.dora.id)
        assert list(found) == []

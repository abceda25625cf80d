"""Settings: what is changed there, sessions and tokens, taking everything along, and leaving."""

from __future__ import annotations

import json
import re

import pytest

from pbem.play import access, players
from pbem.play.model import Player
from tests.web.club_site import Browser, ClubSite, Program, words

OWN = "player1@example.org"


@pytest.fixture
def ann(club_site: ClubSite) -> Player:
    return club_site.club.join("Ann")


@pytest.fixture
def browser(club_site: ClubSite, ann: Player) -> Browser:
    return club_site.browser(ann)


def form(**changed: str) -> dict[str, str]:
    return {
        "name": "Ann",
        "language": "en",
        "time_zone": "UTC",
        "board": "image",
        "delivery": "each",
        **changed,
    }


def find(site: ClubSite, player: Player) -> Player:
    with site.around.store.read() as unit:
        found = unit.find_player(player.id)
    assert found is not None
    return found


class TestPreferences:
    def test_they_are_saved_together(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        sent = form(name="Anna", language="nl", time_zone="Europe/Amsterdam", quiet_from="22:30")
        answer = browser.post("/settings", {**sent, "quiet_to": "07:00", "weekends": "1"})
        assert answer.status_code == 303
        saved = find(club_site, ann)
        assert (saved.name, saved.preferences.language) == ("Anna", "nl")
        assert saved.preferences.rests_on_weekends
        assert not saved.preferences.messages_stop_plans
        assert str(saved.preferences.quiet_from) == "22:30:00"
        assert "Bewaard" in words(browser.get("/settings"))

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("name", ""),
            ("language", "xx"),
            ("time_zone", "Mars/Olympus"),
            ("board", "smell"),
            ("quiet_from", "25:00"),
            ("quiet_from", "22:00"),
        ],
    )
    def test_all_or_nothing(
        self, club_site: ClubSite, browser: Browser, ann: Player, name: str, value: str
    ) -> None:
        answer = browser.post("/settings", form(name="Other") | {name: value})
        assert answer.status_code == 422
        assert "not right yet" in words(answer)
        assert find(club_site, ann) == ann

    def test_rules_for_all_games(self, club_site: ClubSite, browser: Browser, ann: Player) -> None:
        assert browser.post("/settings/rules", {"rules": "block  F* <=4"}).status_code == 303
        assert find(club_site, ann).standing == "block F* <=4"
        answer = browser.post("/settings/rules", {"rules": "<b>nonsense"})
        assert answer.status_code == 422
        assert "<b>nonsense" not in answer.text
        assert find(club_site, ann).standing == "block F* <=4"


class TestAddresses:
    def add(self, browser: Browser, address: str) -> str:
        answer = browser.post("/settings/addresses", {"do": "add", "address": address})
        assert answer.status_code == 303
        return words(browser.get("/settings"))

    def test_a_new_one_counts_once_it_is_confirmed(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        assert "mailed a link" in self.add(browser, "Second@Example.org")
        (mail,) = club_site.mails("address_confirmation")
        assert mail.facts == {"address": "second@example.org"}
        assert "second@example.org" not in browser.get("/settings").text
        players.verify_address(club_site.around, ann.id, "second@example.org", now=club_site.now)
        assert "second@example.org" in browser.get("/settings").text
        browser.post("/settings/addresses", {"do": "prefer", "address": "second@example.org"})
        browser.post("/settings/addresses", {"do": "fallback", "address": OWN})
        with club_site.around.store.read() as unit:
            first, second = unit.addresses_of(ann.id)
        assert (first.address, first.is_preferred) == ("second@example.org", True)
        assert (second.address, second.is_fallback) == (OWN, True)
        browser.post("/settings/addresses", {"do": "drop", "address": OWN})
        answer = browser.post("/settings/addresses", {"do": "drop", "address": first.address})
        assert answer.status_code == 303
        assert "only confirmed address" in words(browser.get("/settings"))

    def test_one_of_another_player_is_answered_like_any_other(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        ben = club_site.club.join("Ben")
        taken = self.add(browser, "player2@example.org")
        free = self.add(browser, "free@example.org")
        assert taken == free
        assert browser.get("/settings").text.count("@example.org") == browser.get(
            "/settings"
        ).text.count(OWN)
        (mail,) = club_site.mails("sign_in")
        assert mail.player_id == ben.id

    @pytest.mark.parametrize("address", ["player2@example.org", "free@example.org"])
    def test_nor_do_other_pages_tell_whose_it_is(
        self, club_site: ClubSite, browser: Browser, ann: Player, address: str
    ) -> None:
        club_site.club.join("Ben")
        browser.post("/new", {"guest": address})
        self.add(browser, address)
        told = browser.get("/settings/export").get_json()
        assert [each["address"] for each in told["addresses"]] == [OWN]
        (offered,) = told["invitations"]
        assert (offered["guest_id"], offered["address"]) == (None, address)
        browser.post("/settings/addresses", {"do": "drop", "address": address})
        assert "Saved." in words(browser.get("/settings"))

    def test_nor_does_having_too_many(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        club_site.club.join("Ben")
        for number in range(9):
            more = f"more{number}@example.org"
            players.add_address(club_site.around, ann.id, more, now=club_site.now)
            players.verify_address(club_site.around, ann.id, more, now=club_site.now)
        taken = self.add(browser, "player2@example.org")
        assert "mailed a link" not in taken
        assert taken == self.add(browser, "free@example.org")

    def test_nobody_can_be_spammed(self, club_site: ClubSite, browser: Browser) -> None:
        for _ in range(5):
            club_site.later(minutes=2)
            self.add(browser, "victim@example.org")
        assert len(club_site.mails("address_confirmation")) == 3
        for number in range(15):
            self.add(browser, f"victim{number}@example.org")
        assert len(club_site.mails("address_confirmation")) == 10

    def test_many_that_were_never_confirmed_are_in_nobodys_way(
        self, club_site: ClubSite, browser: Browser
    ) -> None:
        for day in range(2):
            for number in range(8):
                self.add(browser, f"slip{day}{number}@example.org")
            club_site.later(days=2)
        assert len(club_site.mails("address_confirmation")) == 16

    @pytest.mark.parametrize("address", ["nowhere", "play@play.example.org", ""])
    def test_what_cannot_be_one(self, browser: Browser, address: str) -> None:
        answer = browser.post("/settings/addresses", {"do": "add", "address": address})
        assert answer.status_code == 422
        assert "must be a mail address" in words(answer)


class TestSessionsAndTokens:
    def test_sessions_are_listed_and_can_be_ended(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        other = club_site.browser(ann)
        page = words(browser.get("/settings"))
        assert page.count("a browser") == 2
        assert "this one" in page
        numbers = re.findall(r"/settings/passes/(\d+)/end", browser.get("/settings").text)
        newest = max(numbers, key=int)
        assert browser.post(f"/settings/passes/{newest}/end").status_code == 303
        assert other.get("/games").status_code == 303
        assert browser.get("/games").status_code == 200

    def test_those_of_others_cannot(self, club_site: ClubSite, browser: Browser) -> None:
        ben = club_site.club.join("Ben")
        theirs = access.begin_session(club_site.around, ben.id, browser="b", now=club_site.now)
        browser.post(f"/settings/passes/{theirs.kept.id}/end")
        found = access.find_owner(club_site.around, "session", theirs.secret, now=club_site.now)
        assert found is not None

    def test_a_token_is_shown_once_and_works(self, club_site: ClubSite, browser: Browser) -> None:
        sent = {"name": "<b>My</b> program", "scopes": ["read"]}
        answer = browser.post("/settings/tokens", sent)
        found = re.search(r"<code>([a-z2-7]{32})</code>", answer.text)
        assert found is not None
        assert "<b>My</b>" not in answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        assert found[1] not in browser.get("/settings").text
        program = Program(club_site.app.test_client(), found[1])
        assert program.get("/me").get_json()["name"] == "Ann"

    def test_a_token_needs_a_name_and_a_use(self, browser: Browser) -> None:
        answer = browser.post("/settings/tokens", {"name": " "})
        assert answer.status_code == 422
        assert "token_name-error" in answer.text
        assert "token_scopes-error" in answer.text


class TestDaysOff:
    def test_the_effect_is_shown_before(self, club_site: ClubSite, browser: Browser) -> None:
        answer = browser.get("/settings/leave?first=2026-12-20&last=2026-12-24")
        assert "25" in words(answer)
        assert (
            browser.post(
                "/settings/leave", {"first": "2026-12-20", "last": "2026-12-24"}
            ).status_code
            == 303
        )
        assert "20 December" in words(browser.get("/settings/leave"))
        browser.post("/settings/leave", {"do": "end", "first": "2026-12-20"})
        assert "Your leave has ended" in words(browser.get("/settings/leave"))

    @pytest.mark.parametrize(
        "query", ["first=x&last=y", "first=2026-12-24&last=2026-12-20", "first=0001-01-01"]
    )
    def test_days_that_cannot_be(self, browser: Browser, query: str) -> None:
        assert browser.get(f"/settings/leave?{query}").status_code == 200


class TestLeaving:
    def test_everything_is_taken_along(self, browser: Browser) -> None:
        answer = browser.get("/settings/export")
        assert json.loads(answer.text)["player"]["name"] == "Ann"
        assert "attachment" in answer.headers["Content-Disposition"]
        assert answer.headers["Cache-Control"] == "no-store"

    def test_only_by_writing_the_name(
        self, club_site: ClubSite, browser: Browser, ann: Player
    ) -> None:
        assert browser.post("/settings/delete", {"name": "Anna"}).status_code == 422
        assert find(club_site, ann).deleted_at is None
        assert browser.post("/settings/delete", {"name": "Ann"}).location == "/"
        assert find(club_site, ann).deleted_at == club_site.now
        assert browser.get("/games").status_code == 303


def test_settings_are_kept_nowhere(browser: Browser) -> None:
    for path in ("/settings", "/settings/leave", "/settings/delete"):
        assert browser.get(path).headers["Cache-Control"] == "no-store"
    assert browser.get("/games").headers["Cache-Control"] == "private, no-cache"

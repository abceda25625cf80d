"""Signing in by a mailed link, signing up, and out: nobody learns which addresses are known."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from pbem.play import farewell, players
from pbem.play.access import SESSION_LASTS
from pbem.play.model import Player
from pbem.web.signing_in import PURPOSE
from tests.web.club_site import Browser, ClubSite, words

ADDRESS = "player1@example.org"


@pytest.fixture
def ann(club_site: ClubSite) -> Player:
    return club_site.club.join("Ann")


def ask(site: ClubSite, browser: Browser, address: str = ADDRESS, **more: str) -> None:
    answer = browser.post("/sign-in", {"address": address, **more})
    assert (answer.status_code, answer.location) == (303, "/sign-in/sent")


def link(site: ClubSite) -> str:
    """The link in the newest mail."""
    number = site.mails("sign_in")[0].facts["pass"]
    assert isinstance(number, int)
    return "/sign-in/" + site.office.keys.sign(PURPOSE, number, until=site.now + timedelta(days=1))


class TestSigningIn:
    def test_by_the_mail_as_it_is_sent(self, club_site: ClubSite, ann: Player) -> None:
        browser = club_site.visitor()
        ask(club_site, browser)
        ((recipient, text),) = club_site.send_mails()
        assert recipient == ADDRESS
        found = re.search(r"https://play\.example\.org(/sign-in/[\w-]+)", text)
        assert found is not None
        assert words(browser.get(found[1])).startswith("Sign in")
        answer = browser.post(found[1])
        assert (answer.status_code, answer.location) == (303, "/games")
        assert browser.get("/games").status_code == 200

    def test_opening_the_link_does_nothing(self, club_site: ClubSite, ann: Player) -> None:
        ask(club_site, club_site.visitor())
        scanner, browser = club_site.visitor(), club_site.visitor()
        before = club_site.club.contents()
        for _ in range(3):
            answer = scanner.get(link(club_site))
            assert answer.status_code == 200
            cookies = scanner.client._cookies or {}
            assert "pbem" not in {cookie.key for cookie in cookies.values()}
        scanner.client.head(link(club_site), base_url="https://play.example.org")
        assert club_site.club.contents() == before
        assert browser.post(link(club_site)).status_code == 303

    def test_it_works_once_and_for_minutes(self, club_site: ClubSite, ann: Player) -> None:
        ask(club_site, club_site.visitor())
        first = link(club_site)
        assert club_site.visitor().post(first).status_code == 303
        for answer in (club_site.visitor().post(first), club_site.visitor().get(first)):
            assert answer.status_code == 410
            assert "works once" in words(answer)
        ask(club_site, club_site.visitor())
        second = link(club_site)
        club_site.later(minutes=15)
        assert club_site.visitor().get(second).status_code == 410
        assert club_site.visitor().post(second).status_code == 410

    @pytest.mark.parametrize("signed", ["x", "1-2-abc", "1-2500-abcdefghijklmnopqrst", "é" * 50])
    def test_a_link_that_is_not_ours(self, club_site: ClubSite, ann: Player, signed: str) -> None:
        ask(club_site, club_site.visitor())
        assert club_site.visitor().get(f"/sign-in/{signed}").status_code == 410
        assert club_site.visitor().post(f"/sign-in/{signed}").status_code == 410

    def test_a_form_of_another_site_does_nothing(self, club_site: ClubSite, ann: Player) -> None:
        ask(club_site, club_site.visitor())
        there = link(club_site)
        answer = club_site.app.test_client().post(there, base_url="https://play.example.org")
        assert answer.status_code == 400
        assert club_site.visitor().get(there).status_code == 200

    def test_the_cookie(self, club_site: ClubSite, ann: Player) -> None:
        ask(club_site, club_site.visitor())
        (cookie,) = [
            value
            for value in club_site.visitor().post(link(club_site)).headers.getlist("Set-Cookie")
            if value.startswith("__Host-pbem=")
        ]
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert f"Max-Age={int(SESSION_LASTS.total_seconds())}" in cookie

    @pytest.mark.parametrize(
        ("wanted", "there"),
        [
            ("/challenges?x=1", "/challenges?x=1"),
            ("//evil.example/", "/games"),
            ("https://evil.example/", "/games"),
            ("/\\evil.example", "/games"),
            ("/\tevil", "/games"),
        ],
    )
    def test_one_comes_back_to_where_one_was(
        self, club_site: ClubSite, ann: Player, wanted: str, there: str
    ) -> None:
        browser = club_site.visitor()
        ask(club_site, browser, next=wanted)
        assert browser.post(link(club_site)).location == there

    def test_pages_for_players_ask_to_sign_in(self, club_site: ClubSite) -> None:
        browser = club_site.visitor()
        answer = browser.get("/settings")
        assert (answer.status_code, answer.location) == (303, "/sign-in?next=/settings")
        assert browser.post("/settings/delete").location == "/sign-in"

    def test_signing_out_ends_the_session(self, club_site: ClubSite, ann: Player) -> None:
        browser = club_site.browser(ann)
        cookie = browser.client.get_cookie("__Host-pbem", "play.example.org")
        assert cookie is not None
        assert browser.post("/sign-out").location == "/"
        assert browser.get("/games").status_code == 303
        browser.client.set_cookie(
            "__Host-pbem", cookie.value, domain="play.example.org", secure=True
        )
        assert browser.get("/games").status_code == 303

    def test_who_left_is_signed_out(self, club_site: ClubSite, ann: Player) -> None:
        browser = club_site.browser(ann)
        farewell.delete(club_site.around, ann.id, now=club_site.now)
        assert browser.get("/games").location == "/sign-in?next=/games"


class TestNobodyLearnsAddresses:
    @pytest.mark.parametrize("address", [ADDRESS, "nobody@example.org", "no address", ""])
    def test_asking_says_the_same(self, club_site: ClubSite, ann: Player, address: str) -> None:
        answer = club_site.visitor().post("/sign-in", {"address": address})
        assert (answer.status_code, answer.location) == (303, "/sign-in/sent")
        cookies = {value.partition("=")[0] for value in answer.headers.getlist("Set-Cookie")}
        assert cookies <= {"pbem_form"}

    def test_signing_up_says_the_same(self, club_site: ClubSite, ann: Player) -> None:
        players.join(club_site.around, "Gus", "asked@example.org", now=club_site.now)
        pages = []
        for address in (ADDRESS, "asked@example.org", "new@example.org"):
            browser = club_site.visitor()
            answer = browser.post("/sign-up", {"name": "Eve", "address": address})
            assert (answer.status_code, answer.location) == (303, "/sign-up/sent")
            pages.append(words(browser.get(answer.location)))
        assert len(set(pages)) == 1
        assert address not in pages[0]

    def test_the_owner_gets_a_link_instead(self, club_site: ClubSite, ann: Player) -> None:
        club_site.visitor().post("/sign-up", {"name": "Eve", "address": ADDRESS})
        assert club_site.mails("address_confirmation") == []
        (mail,) = club_site.mails("sign_in")
        assert mail.player_id == ann.id


class TestSigningUp:
    def test_a_newcomer_is_asked_to_confirm(self, club_site: ClubSite) -> None:
        browser = club_site.visitor()
        browser.post("/sign-up", {"name": "Eve", "address": "Eve@Example.org"})
        (mail,) = club_site.mails("address_confirmation")
        assert mail.facts == {"address": "eve@example.org"}
        with club_site.around.store.read() as unit:
            address = unit.find_address("eve@example.org")
        assert address is not None
        assert address.verified_at is None
        assert club_site.visitor().get(f"/players/{address.player_id}").status_code == 404

    def test_all_faults_at_the_fields(self, club_site: ClubSite) -> None:
        form = {"name": " ", "address": "nowhere"}
        answer = club_site.visitor().post("/sign-up", form)
        assert answer.status_code == 422
        assert "name-error" in answer.text or "address-error" in answer.text
        assert 'value="nowhere"' in answer.text

    def test_our_own_addresses_are_nobodys(self, club_site: ClubSite) -> None:
        form = {"name": "Eve", "address": "play@play.example.org"}
        assert club_site.visitor().post("/sign-up", form).status_code == 422

    def test_one_source_cannot_sign_up_many(self, club_site: ClubSite) -> None:
        statuses = []
        for number in range(12):
            club_site.later(minutes=11)
            form = {"name": "Eve", "address": f"victim{number}@example.org"}
            statuses.append(club_site.visitor().post("/sign-up", form).status_code)
        assert statuses == [303] * 10 + [429] * 2
        assert len(club_site.mails("address_confirmation")) == 10

    def test_one_address_is_not_asked_often(self, club_site: ClubSite) -> None:
        for number in range(5):
            form = {"name": f"Eve {number}", "address": "victim@example.org"}
            assert club_site.visitor().post("/sign-up", form).status_code == 303
        assert len(club_site.mails("address_confirmation")) == 3

"""New games on pages: inviting, challenging, answering; and nobody learns whose an address is."""

from __future__ import annotations

import re

import pytest

from pbem.play import invitations
from pbem.play.model import Invitation, Player
from tests.web.club_site import Browser, ClubSite, words

OFFER = {"level": "apprentice", "clock": "14d+12h cap 30d defence 2d fall"}


@pytest.fixture
def ann(club_site: ClubSite) -> Player:
    return club_site.club.join("Ann")


@pytest.fixture
def ben(club_site: ClubSite) -> Player:
    return club_site.club.join("Ben <b>")


@pytest.fixture
def browser(club_site: ClubSite, ann: Player) -> Browser:
    return club_site.browser(ann)


def open_ones(site: ClubSite, player: Player | None) -> list[Invitation]:
    with site.around.store.read() as unit:
        return list(unit.open_invitations(None if player is None else player.id))


def test_inviting_by_number_and_accepting(
    club_site: ClubSite, browser: Browser, ann: Player, ben: Player
) -> None:
    page = browser.get(f"/new?with={ben.id}")
    assert f'value="{ben.id}"' in page.text
    form = {**OFFER, "guest": str(ben.id), "seat": "black", "visibility": "private", "rated": "1"}
    assert browser.post("/new", form).location == "/challenges"
    (made,) = open_ones(club_site, ben)
    assert (made.host_id, made.guest_id, made.host_seat) == (ann.id, ben.id, 1)
    assert made.agreement["visibility"] == "private"
    theirs = club_site.browser(ben)
    assert "Ann" in words(theirs.get("/challenges"))
    answer = theirs.post(f"/invitations/{made.id}", {"answer": "accept"})
    assert re.fullmatch(r"/games/[a-z2-7]{8}", answer.location)
    assert theirs.get(answer.location).status_code == 200
    assert club_site.visitor().get(answer.location).status_code == 404


def test_a_challenge_to_everybody(club_site: ClubSite, browser: Browser, ben: Player) -> None:
    browser.post("/new", OFFER)
    (made,) = open_ones(club_site, None)
    assert "Ann" in words(club_site.visitor().get("/challenges"))
    refused = browser.post(f"/invitations/{made.id}", {"answer": "accept"})
    assert refused.location == "/challenges"
    assert "against themselves" in words(browser.get("/challenges"))
    assert (
        club_site.browser(ben)
        .post(f"/invitations/{made.id}", {"answer": "accept"})
        .location.startswith("/games/")
    )


def test_declining_and_withdrawing(
    club_site: ClubSite, browser: Browser, ann: Player, ben: Player
) -> None:
    for who in (club_site.browser(ben), browser):
        browser.post("/new", {**OFFER, "guest": str(ben.id)})
        (made,) = open_ones(club_site, ben)
        who.post(f"/invitations/{made.id}", {"answer": "decline"})
        assert open_ones(club_site, ben) == []


def test_others_cannot_answer(club_site: ClubSite, browser: Browser, ben: Player) -> None:
    browser.post("/new", {**OFFER, "guest": str(ben.id)})
    (made,) = open_ones(club_site, ben)
    cleo = club_site.browser(club_site.club.join("Cleo"))
    for answer in ("accept", "decline"):
        cleo.post(f"/invitations/{made.id}", {"answer": answer})
        assert "for another player" in words(cleo.get("/challenges"))
    assert cleo.post(f"/invitations/{made.id}", {"answer": "eat"}).status_code == 400
    assert cleo.post("/invitations/nothing", {"answer": "accept"}).status_code == 303
    assert open_ones(club_site, ben) == [made]
    assert made.id not in cleo.get("/challenges").text


def test_all_faults_are_shown_and_what_was_written_is_kept(browser: Browser) -> None:
    form = {"level": "none", "clock": "<soon>", "guest": "999999", "handicap": "much"}
    answer = browser.post("/new", form)
    assert answer.status_code == 422
    for field in ("level", "clock", "handicap"):
        assert f"{field}-error" in answer.text
    assert 'value="999999"' in answer.text
    assert "<soon>" not in answer.text


@pytest.mark.parametrize("guest", ["nowhere@", "play@play.example.org", "999999", "Ben", "²"])
def test_guests_that_cannot_be(browser: Browser, ben: Player, guest: str) -> None:
    answer = browser.post("/new", {**OFFER, "guest": guest})
    assert answer.status_code == 422
    assert "guest-error" in answer.text


class TestAddresses:
    def test_a_known_one_is_shown_like_an_unknown_one(
        self, club_site: ClubSite, browser: Browser, ann: Player, ben: Player
    ) -> None:
        pages = {}
        for address in ("player2@example.org", "unknown2@example.org"):
            for made in open_ones(club_site, ann):
                invitations.decline(club_site.around, ann.id, made.id, now=club_site.now)
            browser.post("/new", {**OFFER, "guest": address})
            page = browser.get("/challenges")
            assert address in page.text
            pages[address] = re.sub(r"invitations/\w+", "", words(page)).replace(address, "x")
        assert len(set(pages.values())) == 1
        assert "Ben" not in page.text

    def test_nor_by_inviting_the_same_player_by_number(
        self, club_site: ClubSite, browser: Browser, ann: Player, ben: Player
    ) -> None:
        browser.post("/new", {**OFFER, "guest": str(ben.id)})
        browser.post("/new", {**OFFER, "guest": "player2@example.org"})
        assert len(open_ones(club_site, ann)) == 2

    def test_nor_by_being_refused(self, club_site: ClubSite, browser: Browser, ben: Player) -> None:
        statuses: dict[str, list[int]] = {}
        for address in ("player2@example.org", "unknown@example.org"):
            statuses[address] = [
                browser.post("/new", {"level": level, "guest": address}).status_code
                for level in ("apprentice", "wind", "earth", "water", "master")
            ]
        known, unknown = statuses.values()
        assert known == unknown == [303, 303, 303, 422, 422]

    def test_nor_in_the_api(self, club_site: ClubSite, ann: Player, ben: Player) -> None:
        program = club_site.program(ann)
        for address in ("player2@example.org", "unknown@example.org"):
            made = program.post("/invitations", address=address).get_json()
            assert (made["guest"], made["address"]) == (None, address)
        listed = program.get("/invitations").get_json()["invitations"]
        assert {each["guest"] for each in listed} == {None}
        (theirs,) = club_site.program(ben).get("/invitations").get_json()["invitations"]
        assert (theirs["guest"], theirs["address"]) == (ben.id, None)

    def test_nor_when_it_is_declined(
        self, club_site: ClubSite, browser: Browser, ann: Player, ben: Player
    ) -> None:
        browser.post("/new", {**OFFER, "guest": "player2@example.org"})
        (made,) = open_ones(club_site, ben)
        invitations.decline(club_site.around, ben.id, made.id, now=club_site.now)
        (text,) = [text for to, text in club_site.send_mails() if to == "player1@example.org"]
        assert "player2@example.org" in text
        assert "Ben" not in text


def test_a_rematch(club_site: ClubSite, ann: Player, ben: Player) -> None:
    match = club_site.club.start(gold=ann, black=ben)
    browser = club_site.browser(ann)
    browser.post(f"/games/{match.id}/rematch")
    assert "not over yet" in words(browser.get(f"/games/{match.id}"))
    match.send("gold", "resign")
    browser.post(f"/games/{match.id}/rematch")
    (made,) = open_ones(club_site, ben)
    assert (made.rematch_of, made.host_seat) == (match.id, 1)

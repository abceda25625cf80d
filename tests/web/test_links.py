"""The pages that links in mails lead to: GET shows, POST acts (L3.6)."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from werkzeug.test import TestResponse

from pbem.mail.links import address_url, confirm_url, unsubscribe_url
from pbem.play import players
from pbem.play.errors import NotAllowedError
from pbem.play.model import Player, Preferences
from pbem.play.post import HANDLED, HELD, NEW, QUARANTINED, Arrival, Inbound, Letter
from tests.mail.post import KEYS, NOON, make_letter
from tests.play.hasty_store import HastyStore
from tests.web.site import Site

MAIL = b"""From: Ann <ann@example.org>
Subject: =?utf-8?q?My_turn_=E2=80=93_g7=2E%s?=
Message-ID: <one@example.org>

E7 <script>alert(1)</script>
g7.%s@play.example.org

On Mon, 16 Nov 2026 at 11:00, Ortus by mail <play@play.example.org> wrote:
> your turn
""".replace(b"%s", KEYS.reply_token("0123456789abcdef").encode())


@pytest.fixture
def site(club_store: HastyStore) -> Site:
    club_store.empty()
    return Site(club_store)


def join(site: Site, address: str = "ann@example.org", **chosen: Any) -> Player:
    verified = chosen.pop("verified", True)
    wishes = Preferences(**chosen)
    return players.join(
        site.around, "Ann <Ann>", address, now=NOON, preferences=wishes, verified=verified
    )


def hold(site: Site, player: Player, state: str = HELD) -> int:
    with site.store.begin() as unit:
        number = unit.add_inbound(Arrival("key", "service/play", "lane", "", MAIL, NOON, "smtp"))
        row = unit.lock_inbound(number)
        assert row is not None
        unit.save_inbound(replace(row, state=state, reason="dmarc", player_id=player.id))
        return number


def held(site: Site, number: int) -> Inbound:
    with site.store.read() as unit:
        row = unit.find_inbound(number)
        assert row is not None
        return row


def write(site: Site, player: Player, **chosen: Any) -> Letter:
    with site.store.begin() as unit:
        return unit.save_letter(make_letter(player.id, "ann@example.org", **chosen))


def path(url: str) -> str:
    assert url.startswith("https://play.example.org/mail/")
    return url.removeprefix("https://play.example.org")


def text(response: TestResponse) -> str:
    """What is read on a page."""
    body = response.text.partition("<main")[2]
    return html.unescape(" ".join(re.sub(r"<[^>]*>", " ", body).split()))


def contents(site: Site) -> object:
    """What could have been changed."""
    with site.store.read() as unit:
        return (
            unit.find_health("ann@example.org"),
            unit.find_address("ann@example.org"),
            [(row.id, row.state, row.is_confirmed) for row in unit.inbound_in_state(HELD)],
            [row.id for row in unit.inbound_in_state(NEW)],
            unit.find_player(1),
        )


class TestConfirm:
    @pytest.fixture
    def number(self, site: Site) -> int:
        return hold(site, join(site, time_zone="Europe/Amsterdam"))

    @pytest.fixture
    def link(self, site: Site, number: int) -> str:
        return path(confirm_url(site.office, number, since=NOON))

    def test_it_shows_the_mail_without_any_token(self, site: Site, link: str) -> None:
        response = site.client.get(link)
        assert response.status_code == 200
        read = text(response)
        assert "arrived on Monday 16 November, 13:00" in read
        assert "My turn – g7" in read
        assert "E7 <script>alert(1)</script>" in read
        assert "<script" not in response.text
        assert KEYS.reply_token("0123456789abcdef") not in response.text
        assert "your turn" not in read

    def test_looking_changes_nothing(self, site: Site, link: str) -> None:
        before = contents(site)
        for _ in range(2):
            assert site.client.get(link).status_code == 200
            assert site.client.head(link).status_code == 200
        assert contents(site) == before
        assert site.nudged == []

    def test_the_button_lets_it_be_read(self, site: Site, link: str, number: int) -> None:
        response = site.client.post(link)
        assert (response.status_code, "Thank you" in text(response)) == (200, True)
        row = held(site, number)
        assert (row.state, row.is_confirmed, row.reason) == (NEW, True, None)
        assert row.arrival.arrived == NOON
        assert site.nudged == [number]

    def test_pressed_again_it_changes_nothing(self, site: Site, link: str, number: int) -> None:
        site.client.post(link)
        with site.store.begin() as unit:
            row = unit.lock_inbound(number)
            assert row is not None
            unit.save_inbound(replace(row, state=HANDLED, outcome={"answer": None}))
        before = held(site, number)
        assert site.client.post(link).status_code == 200
        assert "Thank you" in text(site.client.get(link))
        assert held(site, number) == before

    @pytest.mark.parametrize("state", [HANDLED, QUARANTINED, NEW])
    def test_only_what_is_held_can_be_confirmed(self, site: Site, state: str) -> None:
        number = hold(site, join(site), state)
        site.client.post(path(confirm_url(site.office, number, since=NOON)))
        assert (held(site, number).state, held(site, number).is_confirmed) == (state, False)

    def test_too_late(self, site: Site, link: str, number: int) -> None:
        site.later(days=16)
        for response in (site.client.get(link), site.client.post(link)):
            assert response.status_code == 410
            assert "This link leads nowhere" in text(response)
        assert held(site, number).state == HELD

    def test_a_mail_that_is_gone(self, site: Site) -> None:
        link = path(confirm_url(site.office, 999, since=NOON))
        assert site.client.get(link).status_code == site.client.post(link).status_code == 410


class TestAddress:
    def test_it_is_confirmed_by_the_button(self, site: Site) -> None:
        player = join(site, verified=False)
        letter = write(site, player, kind="address_confirmation")
        link = path(address_url(site.office, letter.message_id))
        before = contents(site)
        assert "Ann <Ann> wants to play with the address ann@example.org" in text(
            site.client.get(link)
        )
        assert site.client.head(link).status_code == 200
        assert contents(site) == before
        site.later(days=2)
        assert "The address is confirmed" in text(site.client.post(link))
        with site.store.read() as unit:
            address = unit.find_address("ann@example.org")
        assert address is not None
        assert address.verified_at == site.now
        # Again, it stays as it was.
        site.later(days=1)
        assert "The address is confirmed" in text(site.client.get(link))
        assert "The address is confirmed" in text(site.client.post(link))

    def test_an_address_beside_the_one_it_was_asked_at(self, site: Site) -> None:
        player = join(site)
        players.add_address(site.around, player.id, "ann@example.net", now=NOON)
        letter = write(
            site, player, kind="address_confirmation", facts={"address": "ann@example.net"}
        )
        site.client.post(path(address_url(site.office, letter.message_id)))
        with site.store.read() as unit:
            address = unit.find_address("ann@example.net")
        assert address is not None
        assert address.verified_at == NOON

    def test_an_address_that_is_somebody_elses_by_now(self, site: Site) -> None:
        ann = join(site, verified=False)
        letter = write(site, ann, kind="address_confirmation")
        link = path(address_url(site.office, letter.message_id))
        bob = join(site)  # it was verified for nobody
        assert site.client.get(link).status_code == 410
        assert site.client.post(link).status_code == 410
        with pytest.raises(NotAllowedError):
            players.verify_address(site.around, ann.id, "ann@example.org", now=NOON)
        with site.store.read() as unit:
            assert [each.player_id for each in unit.addresses_of(bob.id)] == [bob.id]

    def test_too_late(self, site: Site) -> None:
        player = join(site, verified=False)
        letter = write(site, player, kind="address_confirmation")
        link = path(address_url(site.office, letter.message_id))
        site.later(days=31)
        assert site.client.get(link).status_code == site.client.post(link).status_code == 410
        with site.store.read() as unit:
            address = unit.find_address("ann@example.org")
        assert address is not None
        assert address.verified_at is None


class TestUnsubscribe:
    def link(self, site: Site, player: Player) -> str:
        return path(unsubscribe_url(site.office, write(site, player).message_id))

    def state(self, site: Site, player: Player) -> tuple[object, str]:
        with site.store.read() as unit:
            health = unit.find_health("ann@example.org")
            found = unit.find_player(player.id)
            assert found is not None
            return health and health.unsubscribed_at, found.preferences.delivery

    @pytest.mark.parametrize(
        "sent",
        [
            {"data": {"List-Unsubscribe": "One-Click"}},
            {
                "data": {"List-Unsubscribe": "One-Click"},
                "content_type": "multipart/form-data",
            },
            {"data": b"", "headers": {"Origin": "https://mail.example.net"}},
        ],
    )
    def test_one_click_without_cookies(self, site: Site, sent: dict[str, Any]) -> None:
        player = join(site)
        response = site.app.test_client(use_cookies=False).post(self.link(site, player), **sent)
        assert response.status_code == 200
        assert "Set-Cookie" not in response.headers
        assert self.state(site, player) == (NOON, "none")

    def test_looking_changes_nothing(self, site: Site) -> None:
        player = join(site)
        link = self.link(site, player)
        before = contents(site)
        page = site.client.get(link)
        site.client.head(link)
        assert contents(site) == before
        assert "a…@example.org" in text(page)
        assert "ann@example.org" not in page.text

    def test_a_slip_can_be_undone(self, site: Site) -> None:
        player = join(site)
        link = self.link(site, player)
        done = site.client.post(link)
        assert "You get no more mail" in text(done)
        assert f'action="{link}/undo"' in done.text
        assert "You get no more mail" in text(site.client.get(link))
        site.later(hours=1)
        assert site.client.post(link).status_code == 200
        assert self.state(site, player) == (NOON, "none")
        assert "You get mail again" in text(site.client.post(f"{link}/undo"))
        assert self.state(site, player) == (None, "each")
        assert site.client.get(f"{link}/undo").status_code == 405

    def test_who_was_only_named_ends_no_mail_to_who_named_them(self, site: Site) -> None:
        player = join(site, "other@example.org")
        players.add_address(site.around, player.id, "ann@example.org", now=NOON)
        link = self.link(site, player)
        assert site.client.post(link).status_code == 200
        assert self.state(site, player) == (NOON, "each")

    def test_it_never_expires(self, site: Site) -> None:
        player = join(site)
        link = self.link(site, player)
        site.later(days=2000)
        assert site.client.post(link).status_code == 200


class TestLinks:
    def test_no_other_link_leads_anywhere(self, site: Site) -> None:
        player = join(site)
        number = hold(site, player)
        letter = write(site, player)
        before = contents(site)
        urls = {
            "confirm": confirm_url(site.office, number, since=NOON),
            "address": address_url(site.office, letter.message_id),
            "unsubscribe": unsubscribe_url(site.office, letter.message_id),
        }
        keys = {name: url.rpartition("/")[2] for name, url in urls.items()}
        for name, key in keys.items():
            wrong = [key[:-1], key + "a", key[1:], "x", "%00", "٣-1-" + "a" * 20, "a" * 5000]
            wrong += [other for purpose, other in keys.items() if purpose != name]
            for forged in wrong:
                for send in (site.client.get, site.client.post):
                    response = send(f"/mail/{name}/{forged}")
                    assert response.status_code == 404, (name, forged)
                    assert "This link leads nowhere" in text(response)
        assert contents(site) == before

    def test_they_are_the_players_language(self, site: Site) -> None:
        player = join(site, language="nl")
        number = hold(site, player)
        letter = write(site, player)
        dutch = {
            confirm_url(site.office, number, since=NOON): "Is deze mail van jou?",
            unsubscribe_url(site.office, letter.message_id): "Geen mail meer?",
        }
        for url, title in dutch.items():
            response = site.client.get(path(url), headers={"Accept-Language": "en"})
            assert title in text(response)
            assert '<html lang="nl">' in response.text
            assert response.headers["Content-Language"] == "nl"

    def test_where_nobody_is_known_the_browsers(self, site: Site) -> None:
        for wanted, title in (
            ("nl-BE, en;q=0.5", "Deze link leidt nergens heen"),
            ("fr", "This link leads nowhere"),
        ):
            response = site.client.get("/mail/confirm/x", headers={"Accept-Language": wanted})
            assert title in text(response)

    def test_what_every_page_forbids(self, site: Site) -> None:
        player = join(site)
        number = hold(site, player)
        for link in (path(confirm_url(site.office, number, since=NOON)), "/mail/confirm/x"):
            headers = site.client.get(link).headers
            policy = headers["Content-Security-Policy"]
            assert policy.startswith("default-src 'none'; style-src 'self'")
            assert "script-src" not in policy
            assert "unsafe" not in policy
            assert "frame-ancestors 'none'" in policy
            assert headers["Referrer-Policy"] == "no-referrer"
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cache-Control"] == "no-store"
            assert headers["Strict-Transport-Security"]
            assert "Set-Cookie" not in headers

    def test_games_that_are_not_over_are_a_warning(self, site: Site) -> None:
        from pbem.play import invitations

        ann, bob = join(site), join(site, "bob@example.org")
        letter = write(site, ann)
        link = path(unsubscribe_url(site.office, letter.message_id))
        assert "clock" not in text(site.client.get(link))
        around = replace(site.around, entropy=lambda size: b"7" * size)
        offer = invitations.invite(around, ann.id, bob.id, {}, now=NOON)
        invitations.accept(around, bob.id, offer.id, now=NOON + timedelta(minutes=1))
        assert "You are in 1 game that is not over. Its clock goes on" in text(
            site.client.get(link)
        )

"""How often one may ask, how much one may send, and what every answer says to browsers."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from pbem.config import Settings
from pbem.play.ports import Surroundings
from pbem.web import create_app, limits
from tests.mail.post import make_office
from tests.web.club_site import URL, Browser, ClubSite, Program, words


def test_mails_are_not_asked_for_too_often(club_site: ClubSite) -> None:
    browser = club_site.visitor()
    answers = [browser.post("/sign-in", {"address": "a@example.org"}) for _ in range(12)]
    assert [answer.status_code for answer in answers] == [303] * 10 + [429] * 2
    assert "Too often" in words(answers[-1])
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert browser.get("/sign-in").status_code == 200


def test_who_has_a_whole_network_is_one_visitor(club_site: ClubSite) -> None:
    """Nearly everybody has 64 bits of an IPv6 address to themselves."""
    browser = club_site.visitor()

    def ask(path: str, source: str) -> int:
        form = {"name": "Eve", "address": f"{source.rpartition(':')[2]}@example.org"}
        there = {"REMOTE_ADDR": source}
        return browser.post(path, form, environ_overrides=there).status_code

    for path in ("/sign-in", "/sign-up"):
        answers = [ask(path, f"2001:db8:1:2::{number}") for number in range(11)]
        assert answers == [303] * 10 + [429]
        assert ask(path, "2001:db8:1:3::1") == 303


@pytest.fixture
def strict(club_site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The same site, where nobody may ask for much."""
    monkeypatch.setattr(limits, "PAGES", "5 per minute")
    monkeypatch.setattr(limits, "CALLS", "3 per minute")
    settings = Settings(Path("/nowhere"), "")
    return create_app(Surroundings(club_site.store, bytes), make_office(), settings)


def test_pages_are_not_asked_for_too_often(strict: Flask) -> None:
    client = strict.test_client()
    answers = [client.get("/sign-up") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    for _ in range(10):
        assert client.get("/health/live").status_code == 200
        assert client.get("/mail/address/x").status_code == 404
        with client.get("/static/site.css") as style:
            assert style.status_code == 200


def test_pages_are_counted_while_the_broker_is_away(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "PAGES", "5 per minute")
    settings = Settings(Path("/nowhere"), "", broker_url="redis://127.0.0.1:1/0")
    app = create_app(Surroundings(club_site.store, bytes), make_office(), settings)
    answers = [app.test_client().get("/sign-up") for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_calls_are_counted_by_token(club_site: ClubSite, strict: Flask) -> None:
    tokens = [club_site.program(club_site.club.join()).headers for _ in range(2)]

    def ask(number: int) -> TestResponse:
        return strict.test_client().get("/api/v1/me", headers=tokens[number])

    answers = [ask(0) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 3 + [429]
    assert answers[-1].get_json()["code"] == "too_often"
    assert answers[-1].mimetype == "application/problem+json"
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert ask(1).status_code == 200


def test_a_new_token_each_time_does_not_help(strict: Flask) -> None:
    def ask(number: int) -> int:
        headers = {"Authorization": f"Bearer guess{number}"}
        return strict.test_client().get("/api/v1/me", headers=headers).status_code

    assert [ask(number) for number in range(6)] == [401] * 5 + [429]


@pytest.mark.parametrize(
    ("proxies", "same", "different"),
    [
        (0, ["1.1.1.1", "2.2.2.2"], []),
        (1, ["9.9.9.9, 1.1.1.1", "1.1.1.1"], ["1.1.1.1", "2.2.2.2"]),
        (2, ["1.1.1.1, 2.2.2.2", "1.1.1.1, 3.3.3.3"], ["1.1.1.1, 2.2.2.2", "4.4.4.4, 2.2.2.2"]),
    ],
)
def test_visitors_are_told_apart_behind_proxies(
    club_site: ClubSite, proxies: int, same: list[str], different: list[str]
) -> None:
    app = create_app(
        Surroundings(club_site.store, bytes),
        make_office(),
        Settings(Path("/nowhere"), "", proxies=proxies),
    )

    def statuses(sources: list[str]) -> list[int]:
        for limiter in app.extensions["limiter"]:
            limiter.reset()
        browser = Browser(app.test_client())
        return [
            browser.post(
                "/sign-in", {"address": "x"}, headers={"X-Forwarded-For": sources[turn % 2]}
            ).status_code
            for turn in range(12)
        ]

    assert 429 in statuses(same)
    if different:
        assert 429 not in statuses(different)


def test_too_much_at_once(club_site: ClubSite) -> None:
    browser = club_site.visitor()
    answer = browser.post("/sign-in", {"address": "x" * 300_000})
    assert answer.status_code == 413
    assert "too much" in words(answer)


@pytest.mark.parametrize(
    "headers",
    [
        {"Referer": "https://evil.example/"},
        {"Origin": "https://evil.example"},
        {"Origin": "https://evil.example", "Referer": f"{URL}/"},
        {"Origin": "null", "Referer": "https://play.example.org.evil.example/"},
        {"Origin": "https://play.example.org@evil.example"},
        {"Origin": "https://[broken"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": URL},
    ],
)
def test_forms_of_other_sites_are_refused(club_site: ClubSite, headers: dict[str, str]) -> None:
    ann = club_site.club.join("Ann")
    browser = club_site.browser(ann)
    for path in ("/settings", "/settings/delete", "/sign-out", "/new"):
        for said in ({}, headers):
            assert browser.client.post(path, base_url=URL, headers=said).status_code == 400
    # Even one that has come by the token.
    answer = browser.post("/settings/delete", {"name": "Ann"}, headers=headers)
    assert answer.status_code == 400
    assert browser.get("/games").status_code == 200


def test_tokens_are_of_one_browser_and_do_not_last_for_ever(
    club_site: ClubSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, other = club_site.visitor(), club_site.visitor()
    tokens = [browser.form_token() for _ in range(3)]
    assert len(set(tokens)) == 1
    assert other.form_token() != tokens[0]
    cookie = browser.client.get_cookie("pbem_form", domain="play.example.org")
    assert cookie is not None
    for written in (cookie.value[:-1], f"{cookie.value}A", f"A{cookie.value}"):
        other.client.set_cookie("pbem_form", written, domain="play.example.org")
        assert other.form_token() != tokens[0]
    later = time.time() + 32 * 24 * 3600
    monkeypatch.setattr(time, "time", lambda: later)
    assert browser.form_token() != tokens[0]


def test_whose_form_was_refused_is_still_signed_in(club_site: ClubSite) -> None:
    browser = club_site.browser(club_site.club.join("Ann", language="nl"))
    answer = browser.client.post("/look", base_url=URL, data={"csrf_token": "old"})
    assert answer.status_code == 400
    assert 'href="/games"' in answer.text
    assert 'lang="nl"' in answer.text


@pytest.mark.parametrize("kind", ["text/plain", "application/json"])
def test_calls_of_other_sites_are_refused(club_site: ClubSite, kind: str) -> None:
    browser = club_site.browser(club_site.club.join("Ann"))
    for path in ("/settings/delete", "/tutorial/preview", "/sign-out"):
        answer = browser.client.post(path, base_url=URL, data="{}", content_type=kind)
        assert answer.status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {},  # as pages with the policy no-referrer let browsers send it
        {"Origin": "null"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
        {"Origin": URL},
        {"Referer": f"{URL}/games"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_forms_of_our_own_are_taken(club_site: ClubSite, headers: dict[str, str]) -> None:
    browser = club_site.browser(club_site.club.join("Ann"))
    assert browser.post("/look", {"theme": "dark"}, headers=headers).status_code == 303


def test_a_proxy_may_call_us_by_another_name(club_site: ClubSite) -> None:
    client, there = club_site.app.test_client(), "https://backend:8080"
    found = re.search(
        r'name="csrf_token"[^>]* value="([^"]+)"', client.get("/", base_url=there).text
    )
    assert found is not None
    answer = client.post(
        "/look", base_url=there, data={"csrf_token": found[1]}, headers={"Origin": URL}
    )
    assert answer.status_code == 303


@pytest.mark.parametrize(
    "path", ["/", "/nothing", "/api/v1/docs", "/api/v1/players", "/boards.css"]
)
def test_headers_of_every_answer(club_site: ClubSite, path: str) -> None:
    headers = club_site.visitor().get(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer" or "origin" in headers["Referrer-Policy"]
    assert headers["Strict-Transport-Security"]


def test_health(club_site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.errors import StoreUnavailableError

    client = club_site.app.test_client()
    assert client.get("/health/live").status_code == 200
    well = {"status": "ok", "database": "ok", "broker": "ok", "process": "ok"}
    assert client.get("/health/ready").get_json() == well

    def fail(*args: object) -> None:
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(type(club_site.store), "read", fail)
    assert client.get("/health/live").status_code == 200
    assert client.get("/health/ready").status_code == 503
    answer = Program(client).client.get("/players", base_url=URL)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]

"""Every route, as everybody: who may do what, and that nobody is told what is another's alone.

The table says what a visitor, a spectator (Cleo), the opponent (Ben) and the player (Ann) get, one
letter each; a route that is not in it fails the test. Games are those of the town; where one of
them is different, its letters follow its name.

    o  it is shown or done          s  asked to sign in     n  nothing there, or not for you
    r  done or refused, the next    f  a token is needed    b  what was sent cannot be done
       page says which              g  the link is over
"""

from __future__ import annotations

import base64
import html
import re
import warnings
from collections.abc import Iterator
from typing import Any, Final

import pytest
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from pbem.web.api import feed
from tests.mail.post import KEYS
from tests.web import town as known
from tests.web.club_site import URL, ClubSite, Program
from tests.web.town import Town

ROLES: Final = ("nobody", "cleo", "ben", "ann")
PACKED: Final = ("application/pdf", "image/png")
"""Of these nothing can be read without unpacking it."""
TABLE: Final = {
    "GET /": "orrr",
    "GET /api/v1/archive": "oooo",
    "GET /api/v1/archive/position": "bbbb",
    "GET /api/v1/archive/setups": "oooo",
    "GET /api/v1/archive/<int:number>/discussion": "bbbb",
    "POST /api/v1/archive/<int:number>/discussion": "fooo private_over:fnoo",
    "GET /api/v1/archive/<int:number>/remarks": "oooo private_over:nnoo",
    "POST /api/v1/archive/<int:number>/remarks": "fooo private_over:fnoo",
    "GET /api/v1/archive/<int:number>/remarks/<int:remark>": "nnnn",
    "PUT /api/v1/archive/<int:number>/remarks/<int:remark>": "fbbb private_over:fnbb",
    "DELETE /api/v1/archive/<int:number>/remarks/<int:remark>": "fbbb private_over:fnbb",
    "GET /api/v1/docs": "oooo",
    "GET /api/v1/events": "oooo",
    "GET /api/v1/events/<event_id>": "oooo",
    "DELETE /api/v1/events/<event_id>/entry": "fbob",
    "POST /api/v1/events/<event_id>/entry": "fobo",
    "GET /api/v1/events/<event_id>/log": "oooo",
    "GET /api/v1/events/<event_id>/pairings": "oooo",
    "GET /api/v1/events/<event_id>/standings": "nnnn",
    "GET /api/v1/games": "fooo",
    "GET /api/v1/games/<game_id>": "oooo private:nnoo private_over:nnoo",
    "GET /api/v1/games/<game_id>/board.svg": "oooo private:nnoo private_over:nnoo",
    "POST /api/v1/games/<game_id>/choices": "fnoo",
    "GET /api/v1/games/<game_id>/events": "oooo private:nnoo private_over:nnoo",
    "DELETE /api/v1/games/<game_id>/held": "fnbb kept:fnbo",
    "GET /api/v1/games/<game_id>/log": "nnnn over:oooo private_over:nnoo",
    "GET /api/v1/games/<game_id>/messages": "fnoo",
    "POST /api/v1/games/<game_id>/messages": "fnoo",
    "GET /api/v1/games/<game_id>/notes": "fnoo",
    "POST /api/v1/games/<game_id>/notes": "fnoo",
    "POST /api/v1/games/<game_id>/preview": "fnbb turn:fnbo kept:fnbo",
    "GET /api/v1/games/<game_id>/record": "nnnn over:oooo private_over:nnoo",
    "POST /api/v1/games/<game_id>/rehearsal": "fnoo",
    "POST /api/v1/games/<game_id>/rematch": "fnbb over:fnoo private_over:fnoo",
    "POST /api/v1/games/<game_id>/submissions": "fnbb turn:fnbo",
    "GET /api/v1/invitations": "fooo",
    "POST /api/v1/invitations": "fooo",
    "DELETE /api/v1/invitations/<invitation_id>": "fbob",
    "POST /api/v1/invitations/<invitation_id>/accept": "fbbo",
    "GET /api/v1/me": "fooo",
    "GET /api/v1/me/addresses": "fooo",
    "PUT /api/v1/me/addresses": "fbbo",
    "DELETE /api/v1/me/addresses/<address>": "foob",
    "GET /api/v1/me/export": "fooo",
    "GET /api/v1/me/leave": "fooo",
    "POST /api/v1/me/leave": "fooo",
    "GET /api/v1/me/leave-offer": "fbbb",
    "DELETE /api/v1/me/leave/<first>": "fbbo",
    "PUT /api/v1/me/name": "fooo",
    "GET /api/v1/me/passes": "fooo",
    "DELETE /api/v1/me/passes/<int:number>": "fbbo",
    "PATCH /api/v1/me/preferences": "fooo",
    "PUT /api/v1/me/rules": "fooo",
    "GET /api/v1/openapi.json": "oooo",
    "GET /api/v1/players": "oooo",
    "GET /api/v1/players/<int:number>": "oooo",
    "GET /api/v1/players/<int:number>/games": "oooo",
    "GET /api/v1/players/<int:number>/ratings": "oooo",
    "GET /api/v1/ratings/<level>": "oooo",
    "GET /archive": "oooo",
    "GET /archive/position": "oooo",
    "GET /archive/setups": "oooo",
    "GET /archive/studies": "oooo",
    "GET /archive/studies/<int:number>": "nnnn",
    "GET /archive/studies/<int:number>.ogn": "nnnn",
    "POST /archive/studies/<int:number>/try": "nnnn",
    "GET /archive/studies/new": "sooo",
    "POST /archive/studies/new": "sbbb",
    "GET /archive/<int:number>": "oooo private_over:nnoo",
    "GET /archive/<int:number>.log": "oooo private_over:nnoo",
    "GET /archive/<int:number>.ogn": "oooo private_over:nnoo",
    "GET /archive/games.ogn": "oooo",
    "GET /archive/games.zip": "oooo",
    "GET /archive/<int:number>/embed": "oooo private_over:nnnn",
    "GET /archive/<int:number>.pdf": "oooo private_over:nnoo",
    "GET /archive/<int:number>/booklet": "oooo private_over:nnoo",
    "GET /archive/<int:number>/card.png": "oooo private_over:nnoo",
    "GET /archive/<int:number>/words": "oooo private_over:nnoo",
    "GET /archive/<int:number>/annotated.ogn": "oooo private_over:nnoo",
    "POST /archive/<int:number>/choices": "snnn",
    "POST /archive/<int:number>/discussion": "srrr private_over:snrr",
    "POST /archive/<int:number>/notes": "snrr",
    "GET /archive/<int:number>/remarks": "oooo private_over:nnoo",
    "POST /archive/<int:number>/remarks": "srrr private_over:snrr",
    "GET /archive/<int:number>/remarks/<int:remark>": "nnnn",
    "POST /archive/<int:number>/remarks/<int:remark>": "srrr private_over:snrr",
    "GET /archive/<int:number>/vary": "snnn",
    "GET /boards.css": "oooo",
    "GET /challenges": "oooo",
    "GET /events": "oooo",
    "GET /events/<event_id>": "oooo",
    "GET /events/<event_id>/change": "sffo",
    "POST /events/<event_id>/change": "sffb",
    "POST /events/<event_id>/challenge/<int:rival>": "srrr",
    "POST /events/<event_id>/challenges/<int:number>": "srrr",
    "POST /events/<event_id>/check-in": "srrr",
    "GET /events/<event_id>/desk": "sffo",
    "POST /events/<event_id>/desk/<deed>": "sffr",
    "GET /events/<event_id>/encounters/<int:number>": "nnnn",
    "POST /events/<event_id>/enter": "srrr",
    "GET /events/<event_id>/games/<int:number>/<int:index>": "sffn",
    "POST /events/<event_id>/games/<int:number>/<int:index>": "sffr",
    "POST /events/<event_id>/games/<int:number>/<int:index>/statement": "srrr",
    "POST /events/<event_id>/leave": "srrr",
    "GET /events/<event_id>/log": "oooo",
    "POST /events/<event_id>/open": "sffr",
    "POST /events/<event_id>/place": "srrr",
    "GET /events/<event_id>/rounds": "oooo",
    "GET /events/<event_id>/rounds/<int:number>": "nnnn",
    "GET /events/<event_id>/chances": "nnnn",
    "GET /events/<event_id>/crosstable.csv": "nnnn",
    "GET /events/<event_id>/table": "nnnn",
    "GET /events/<event_id>/table.csv": "nnnn",
    "GET /events/<event_id>/table.json": "nnnn",
    "GET /events/<event_id>/table.html": "nnnn",
    "GET /events/<event_id>/table.pdf": "nnnn",
    "GET /events/<event_id>/withdraw": "sror",
    "GET /events/mine": "sooo",
    "GET /events/new": "sooo",
    "POST /events/new": "sbbb",
    "GET /feeds/<link>/deadlines.ics": "nnnn",
    "GET /feeds/<link>/events.ics": "nnnn",
    "GET /feeds/<link>/news.atom": "nnnn",
    "GET /games": "sooo",
    "GET /games/<game_id>": "oooo private:nnoo private_over:nnoo",
    "GET /games/<game_id>.log": "nnnn over:oooo private_over:nnoo",
    "GET /games/<game_id>.ogn": "nnnn over:oooo private_over:nnoo",
    "POST /games/<game_id>/choices": "snoo",
    "POST /games/<game_id>/messages": "snrr",
    "POST /games/<game_id>/notes": "snrr",
    "POST /games/<game_id>/preview": "snoo",
    "POST /games/<game_id>/rematch": "srrr",
    "GET /games/<game_id>/replay": "nnnn over:rrrr private:snnn private_over:snrr",
    "GET /games/<game_id>/resign": "snoo",
    "GET /games/<game_id>/standing": "snoo",
    "POST /games/<game_id>/standing": "snoo over:snbb private_over:snbb",
    "POST /games/<game_id>/turn": "snbb turn:snbr kept:snbr",
    "POST /games/<game_id>/undo": "snrr",
    "GET /health/live": "oooo",
    "GET /health/ready": "oooo",
    "GET /help": "oooo",
    "GET /help/mail": "oooo",
    "GET /help/notation": "oooo",
    "GET /help/rules": "oooo",
    "POST /invitations/<invitation_id>": "srrr",
    "POST /look": "rrrr",
    "GET /mail/address/<link>": "nnnn",
    "POST /mail/address/<link>": "nnnn",
    "GET /mail/confirm/<link>": "nnnn",
    "POST /mail/confirm/<link>": "nnnn",
    "GET /mail/unsubscribe/<link>": "nnnn",
    "POST /mail/unsubscribe/<link>": "nnnn",
    "POST /mail/unsubscribe/<link>/undo": "nnnn",
    "GET /new": "sooo",
    "POST /new": "srrr",
    "GET /players": "oooo",
    "GET /players/<int:number>": "oooo",
    "GET /players/<int:number>/ratings/<level>": "oooo",
    "GET /ratings": "rrrr",
    "GET /ratings/<level>": "oooo",
    "GET /settings": "sooo",
    "POST /settings": "srrr",
    "POST /settings/addresses": "srrr",
    "GET /settings/delete": "sooo",
    "POST /settings/delete": "sbbb",
    "GET /settings/export": "sooo",
    "GET /settings/leave": "sooo",
    "POST /settings/leave": "srrr",
    "POST /settings/passes/<int:number>/end": "srrr",
    "POST /settings/rules": "srrr",
    "POST /settings/tokens": "sooo",
    "GET /sign-in": "orrr",
    "POST /sign-in": "rrrr",
    "GET /sign-in/<signed>": "gggg",
    "POST /sign-in/<signed>": "gggg",
    "GET /sign-in/sent": "oooo",
    "POST /sign-out": "rrrr",
    "GET /sign-up": "oooo",
    "POST /sign-up": "rrrr",
    "GET /sign-up/sent": "oooo",
    "GET /static/<path:filename>": "oooo",
    "GET /tutorial": "oooo",
    "POST /tutorial/choices": "oooo",
    "GET /tutorial/play": "oooo",
    "POST /tutorial/play": "rrrr",
    "POST /tutorial/preview": "oooo",
}
PROVIDERS: Final = "POST /inbound/"
"""Ways in for mail prove themselves by signatures and know no players: ``test_inbound``."""

FORMS: Final[dict[str, dict[str, Any]]] = {
    "games.submit": {"text": "end"},
    "games.write_message": {"text": "hello"},
    "games.write_note": {"text": "mine"},
    "standing.save": {"text": "ask all", "try": "1"},
    "arranging.offer": {"guest": "", "level": "wind"},
    "arranging.answer": {"answer": "accept"},
    "annotating.add": {"at": "7g.1", "sign": "!"},
    "annotating.change": {"at": "7g.1", "text": "mine"},
    "annotating.join_notes": {"wish": "never"},
    "annotating.say": {"at": "7g.1", "text": "hello"},
    "account.save": {"name": "Somebody", "language": "en", "time_zone": "UTC"},
    "account.set_rules": {"rules": "off"},
    "account.change_addresses": {"do": "prefer", "address": "ann@example.org"},
    "account.change_leave": {"first": "2027-03-01", "last": "2027-03-02"},
    "account.make_token": {"name": "mine", "scopes": "read"},
    "account.delete": {"name": "not my name"},
    "events.answer_challenge": {"answer": "accept"},
    "events.answer_place": {"answer": "accept"},
    "events.rule": {"ruling": "gold", "reason": "so it is"},
    "signing_in.send_link": {"address": "ann@example.org"},
    "signing_up.send": {"address": "ann@example.org", "name": "Ann"},
    "tutorial.send": {"text": "F2>I6"},
}
CALLS: Final[dict[str, dict[str, Any]]] = {
    "annotating.choices": {"path": []},
    "games.choices": {"path": []},
    "games.preview": {"text": "end"},
    "tutorial.choices": {"path": []},
    "tutorial.preview": {"text": "end"},
}
BODIES: Final[dict[str, dict[str, Any]]] = {
    "api_remarks.add": {"place": "7g.1", "kind": "sign", "text": "!"},
    "api_remarks.change": {"text": "mine"},
    "api_remarks.say": {"turn": "7g", "text": "hello"},
    "api_playing.choices": {"path": []},
    "api_playing.preview": {"text": "end"},
    "api_playing.rehearse": {},
    "api_playing.submit": {"text": "end"},
    "api_writing.write_message": {"text": "hello"},
    "api_writing.write_note": {"text": "mine"},
    "api_invitations.invite": {"agreement": {"level": "wind"}},
    "api_me.choose_addresses": {"preferred": "ann@example.org"},
    "api_me.take_leave": {"first": "2027-03-01", "last": "2027-03-02"},
    "api_me.rename": {"name": "Somebody"},
    "api_me.set_preferences": {"language": "en"},
    "api_me.set_rules": {"rules": "off"},
}


# -- asking -------------------------------------------------------------------------------------


class Visit:
    """One of the four, with a browser and a program."""

    def __init__(self, site: ClubSite, town: Town, role: str) -> None:
        if role == "nobody":
            self._browser, self._program = site.visitor(), Program(site.app.test_client())
        else:
            player = getattr(town, role)
            self._browser, self._program = site.browser(player), site.program(player)

    def ask(self, rule: Rule, method: str, path: str) -> tuple[str, str]:
        """The letter of an answer, and everything that was read: the next page as well."""
        response = self._ask(rule, method, path)
        body, letter = response.get_data().decode(errors="replace"), _letter(response)
        if response.mimetype in PACKED:
            body = ""
        response.close()
        if letter == "r":
            body += self._browser.get(response.location).get_data(as_text=True)
        return letter, body + str(response.headers)

    def _ask(self, rule: Rule, method: str, path: str) -> TestResponse:
        if path.startswith("/api/v1/"):
            body = BODIES.get(rule.endpoint)
            program = self._program
            return program.client.open(
                path, method=method, base_url=URL, headers=program.headers, json=body
            )
        if method == "GET":
            return self._browser.get(path)
        if rule.endpoint in CALLS:
            return self._browser.call(path, **CALLS[rule.endpoint])
        return self._browser.post(path, FORMS.get(rule.endpoint))


def _letter(response: TestResponse) -> str:
    status = response.status_code
    assert status < 500, response.text
    if 300 <= status < 400:
        return "s" if re.search(r"/sign-in(\?|$)", response.location) else "r"
    others = {401: "f", 403: "f", 404: "n", 410: "g"}
    return "o" if status < 300 else others.get(status, "b")


def routes(site: ClubSite) -> dict[str, tuple[Rule, str]]:
    """All routes by method and rule."""
    return {
        f"{method} {rule.rule}": (rule, method)
        for rule in site.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def paths(rule: Rule, town: Town) -> Iterator[tuple[str, str]]:
    """A route filled in: once for each game, or once for all."""
    numbers = {"passes": town.token_number, "archive": town.archived}
    facts = {
        "invitation_id": town.to_ann,
        "number": next((numbers[part] for part in numbers if part in rule.rule), town.ben.id),
        "address": "ann@example.org",
        "first": "2026-12-06",
        "remark": 99,
        "filename": "site.css",
        "level": "master",
        "link": "nonsense",
        "signed": "nonsense",
        "event_id": town.event,
        "deed": "close",
        "rival": 1,
        "index": 0,
    }
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
    games = town.games if "game_id" in rule.arguments else {"": ""}
    for name, game_id in games.items():
        yield name, path.format(game_id=game_id, **facts)
    if "/archive/<int:number>" in rule.rule:
        yield "private_over", path.format(**{**facts, "number": town.archived_private})


def expected(name: str, game: str) -> str:
    """The letters for a route, in a game."""
    usual, *others = TABLE[name].split()
    return dict(each.split(":") for each in others).get(game, usual)


# -- what nobody else may read --------------------------------------------------------------------


ANNS: Final = (
    known.ANNS_RULES,
    known.ANNS_GENERAL_RULES,
    known.ANNS_NOTE,
    known.PLANNED,
    known.KEPT,
    known.ANNS_SETUP,
    "ann@example.org",
    "My notebook",
)
BENS: Final = (
    known.BENS_RULES,
    known.BENS_GENERAL_RULES,
    known.BENS_NOTE,
    "ben@example.org",
)
OF_BOTH: Final = (known.MESSAGE,)
HIDDEN: Final = {
    "nobody": (*ANNS, *BENS, *OF_BOTH, "cleo@example.org"),
    "cleo": (*ANNS, *BENS, *OF_BOTH),
    "ben": (*ANNS, "cleo@example.org"),
    "ann": (*BENS, "cleo@example.org"),
}


@pytest.fixture
def of_nobody(club_site: ClubSite, town: Town) -> list[str]:
    """What no answer holds, whoever asks: seeds and salts of running games, keys, tokens."""
    found: list[str | bytes] = [town.token, KEYS.secret]
    with club_site.store.read() as unit:
        for name, game_id in town.games.items():
            stored = unit.find_game(game_id)
            assert stored is not None
            if name not in ("over", "private_over"):
                found.append(stored.start.seed)
                found += [entry.salt for entry in unit.entries(game_id) if entry.salt]
        for player in (town.ann, town.ben, town.cleo):
            found += [each.hash for each in unit.passes_of(player.id, "session")]
    return [form for each in found for form in _forms(each)]


@pytest.fixture
def of_the_two(club_site: ClubSite, town: Town) -> list[str]:
    """What only Ann and Ben are told: which private games there are, and the seed of one."""
    with club_site.store.read() as unit:
        stored = unit.find_game(town.private_over)
    assert stored is not None
    return [town.private, town.private_over, *_forms(stored.start.seed)]


def _forms(secret: str | bytes) -> list[str]:
    if isinstance(secret, str):
        return [secret]
    return [secret.hex(), base64.b64encode(secret).decode(), repr(secret)[2:-1]]


def readings(body: str) -> str:
    """A body as it is, and as a browser or a program reads it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a zip may hold a backslash
        unescaped = body.encode().decode("unicode_escape", "ignore")
    return "\n".join((body, html.unescape(body), unescaped))


# -- the tests ------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "STREAM_SECONDS", 0.0)


def test_every_route_is_in_the_table(club_site: ClubSite) -> None:
    known_routes = {name for name in routes(club_site) if not name.startswith(PROVIDERS)}
    assert known_routes == set(TABLE)


@pytest.mark.parametrize("name", TABLE)
def test_who_may_do_what_and_is_told_what(
    club_site: ClubSite, town: Town, of_nobody: list[str], of_the_two: list[str], name: str
) -> None:
    rule, method = routes(club_site)[name]
    got: dict[str, str] = {}
    for role in ROLES:
        visit = Visit(club_site, town, role)
        for game, path in paths(rule, town):
            letter, body = visit.ask(rule, method, path)
            got[game] = got.get(game, "") + letter
            read = readings(body)
            hidden = [*HIDDEN[role], *of_nobody]
            if role in ("nobody", "cleo"):
                hidden += [each for each in of_the_two if each not in path]
            assert [each for each in hidden if each in read] == [], f"{role}, {path}"
    assert got == {game: expected(name, game) for game, _ in paths(rule, town)}

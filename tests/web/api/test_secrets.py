"""No call tells anybody what is another's alone: rules, plans, set-ups, notes, addresses."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from werkzeug.test import TestResponse

from pbem.web.api import feed
from tests.web import town as secrets
from tests.web.club_site import ClubSite, Program
from tests.web.town import Town

ANNS: Final = (
    secrets.ANNS_RULES,
    secrets.ANNS_GENERAL_RULES,
    secrets.ANNS_NOTE,
    secrets.PLANNED,
    secrets.KEPT,
    secrets.ANNS_SETUP,
    "ann@example.org",
)
BENS: Final = (
    secrets.BENS_RULES,
    secrets.BENS_GENERAL_RULES,
    secrets.BENS_NOTE,
    "ben@example.org",
)
BODIES: Final[dict[str, dict[str, Any]]] = {
    "preview": {"text": "end"},
    "choices": {"path": []},
    "rehearsal": {},
}


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "STREAM_SECONDS", 0.0)


def everything(program: Program, town: Town) -> str:
    """Whatever a program is told about running games by calls that change nothing."""
    document = program.get("/openapi.json").get_json()
    told = [
        _told(program.get(f"/games/{town.attacked}", query_string={"at": entry}))
        for entry in range(8)
    ]
    for path, found in document["paths"].items():
        there = path.removeprefix("/api/v1")
        body = BODIES.get(there.rpartition("/")[2])
        method = "GET" if "get" in found else "POST" if body is not None else None
        if method is None:
            continue
        for filled in {
            there.format(
                game_id=game, number=number, remark=99, level="master", event_id=town.event
            )
            for name, game in town.games.items()
            if name not in ("over", "private_over")
            for number in (town.ann.id, town.ben.id)
        }:
            query = {"first": "2026-12-20", "last": "2026-12-21"} if "offer" in there else {}
            answer = program.call(method, filled, json=body, query_string=query)
            assert answer.status_code in (200, 401, 404, 422), filled
            told.append(_told(answer))
    return "\n".join(told)


def _told(answer: TestResponse) -> str:
    """The text of an answer, without the signs for which JSON has others, and without games that
    are over: everybody may see those."""
    text = answer.text
    answer.close()
    if not answer.is_json:
        return text
    told = json.loads(text)
    if isinstance(told, dict) and "games" in told:
        told["games"] = [game for game in told["games"] if game.get("result") is None]
    return json.dumps(told, ensure_ascii=False)


def test_players_see_their_own_and_not_the_others(club_site: ClubSite, town: Town) -> None:
    ann = everything(club_site.program(town.ann), town)
    ben = everything(club_site.program(town.ben), town)
    # The plan itself is in no view; its author knows it.
    for secret in set(ANNS) - {secrets.PLANNED, secrets.KEPT}:
        assert secret in ann
    for secret in ANNS:
        assert secret not in ben
    for secret in BENS:
        assert secret in ben
        assert secret not in ann
    assert secrets.MESSAGE in ann
    assert secrets.MESSAGE in ben


@pytest.mark.parametrize("who", ["cleo", "nobody"])
def test_others_see_nothing_of_it(club_site: ClubSite, town: Town, who: str) -> None:
    program = (
        club_site.program(town.cleo) if who == "cleo" else Program(club_site.app.test_client())
    )
    told = everything(program, town)
    for secret in (*ANNS, *BENS, secrets.MESSAGE):
        assert secret not in told
    assert "W1 rng G11" in told  # what happened on the board is no secret


def test_a_private_game_is_as_if_there_were_none(club_site: ClubSite, town: Town) -> None:
    cleo = club_site.program(town.cleo)
    none = cleo.get("/games/nosuchga")
    hidden = cleo.get(f"/games/{town.private}")
    assert (hidden.status_code, hidden.data) == (none.status_code, none.data)


def test_a_delayed_game_is_shown_late(club_site: ClubSite, town: Town) -> None:
    late = club_site.program(town.cleo).get(f"/games/{town.delayed}").get_json()
    now = club_site.program(town.ben).get(f"/games/{town.delayed}").get_json()
    assert late["newest"] < now["newest"]
    assert late["clocks"] == []
    assert "W1 rng G11" not in json.dumps(late)

"""Every call does what the document says, whatever it is sent (schemathesis).

Only one answer is not described by a schema: whether orders, rules or dates can be taken. So what
fits the document may be refused (422), and ``positive_data_acceptance`` is not checked.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from pbem.web.api import feed
from tests.web.club_site import ClubSite, Program
from tests.web.town import Town

PARTS: Final = 10
"""All calls take too long for one test; so each tries some, and several run at once."""
EXAMPLES: Final = 4
STRANGE_EXAMPLES: Final = 2
"""With ids of nothing there is: most of them end alike."""
DOCUMENT: Final = "/api/v1/openapi.json"
Operation = APIOperation[Any, Any, Any, Any]
SETTINGS: Final = settings(
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def ids(town: Town) -> dict[str, Any]:
    """What there is, by the names of parameters."""
    return {
        "event_id": town.event,
        "game_id": town.turn,
        "level": "master",
        "invitation_id": town.to_ann,
        "number": town.ben.id,
        "first": town.ann.leaves[0].first.isoformat() if town.ann.leaves else "2026-12-06",
        "address": "ann@example.org",
        "remark": 1,
    }


@pytest.fixture(scope="session")
def operations(kept_site: ClubSite) -> list[Operation]:
    """Every call of the document."""
    schema = schemathesis.openapi.from_wsgi(DOCUMENT, kept_site.app)
    found = []
    for each in schema.get_all_operations():
        assert isinstance(each, Ok)
        found.append(each.ok())
    assert len(found) > 30
    return found


@pytest.mark.parametrize("part", range(PARTS))
def test_calls_do_what_the_document_says(
    operations: list[Operation],
    town: Town,
    ids: dict[str, Any],
    part: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(feed, "STREAM_SECONDS", 0.0)
    token = {"Authorization": f"Bearer {town.token}"}

    def check(case: Case[Any]) -> None:
        # Tokens are tested beside this.
        case.call_and_validate(
            headers=token, excluded_checks=[positive_data_acceptance, ignored_auth]
        )

    def try_some(cases: SearchStrategy[Case[Any]], examples: int = EXAMPLES) -> None:
        settings(SETTINGS, max_examples=examples)(given(cases)(check))()

    for operation in operations[part::PARTS]:
        own = {name: ids[name] for name in _names(operation.path_parameters)}
        try_some(operation.as_strategy(path_parameters=own))
        if own:
            try_some(operation.as_strategy(), STRANGE_EXAMPLES)
        if _can_be_wrong(operation):
            try_some(operation.as_strategy(GenerationMode.NEGATIVE, path_parameters=own))


def _names(parameters: Any) -> list[str]:
    return [parameter.name for parameter in parameters]


def _can_be_wrong(operation: Operation) -> bool:
    return bool(_names(operation.query)) or bool(list(operation.body))


def test_there_is_a_call_for_everything_in_the_document(club_site: ClubSite) -> None:
    document = club_site.app.test_client().get(DOCUMENT).get_json()
    calls = {
        (method.upper(), path) for path, found in document["paths"].items() for method in found
    } - {("PARAMETERS", path) for path in document["paths"]}
    rules = {
        (method, str(rule).replace("<int:", "<").replace("<", "{").replace(">", "}"))
        for rule in club_site.app.url_map.iter_rules()
        if str(rule).startswith("/api/v1/") and rule.endpoint.startswith("api_")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert calls == rules - {("GET", "/api/v1/docs"), ("GET", DOCUMENT)}


def test_methods_that_a_call_does_not_take(club_site: ClubSite, ids: dict[str, Any]) -> None:
    program = Program(club_site.app.test_client())
    document = program.get("/openapi.json").get_json()
    for path, found in document["paths"].items():
        there = path.removeprefix("/api/v1").format_map(ids)
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - {
            name.upper() for name in found
        }:
            answer = program.call(method, there)
            assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
            assert answer.mimetype == "application/problem+json"
            assert answer.headers["Allow"]


def test_the_page_shows_every_call(club_site: ClubSite) -> None:
    document = club_site.app.test_client().get(DOCUMENT).get_json()
    page = club_site.visitor().get("/api/v1/docs").text
    for path in document["paths"]:
        assert path in page

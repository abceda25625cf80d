"""What programs can do: tokens and their scopes, pages of lists, ETags, and problems."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.mail.named_addresses import name_address
from pbem.play import access, farewell, players
from pbem.play.log import parse_log
from pbem.play.verification import replay_log
from tests.play.club import NOON
from tests.web.club_site import ClubSite, Program
from tests.web.town import POSITION, Town


@pytest.fixture
def ann(club_site: ClubSite, town: Town) -> Program:
    return club_site.program(town.ann)


@pytest.fixture
def ben(club_site: ClubSite, town: Town) -> Program:
    return club_site.program(town.ben)


@pytest.fixture
def nobody(club_site: ClubSite) -> Program:
    return Program(club_site.app.test_client())


def problem(answer: Any) -> tuple[int, str]:
    assert answer.mimetype == "application/problem+json"
    told = answer.get_json()
    assert told["status"] == answer.status_code
    return answer.status_code, told["code"]


def choices(program: Program, game: str, *path: str) -> Any:
    return program.call("POST", f"/games/{game}/choices", json={"path": path})


class TestTokens:
    def test_a_token_is_needed(self, club_site: ClubSite, town: Town, nobody: Program) -> None:
        for program in (
            nobody,
            Program(club_site.app.test_client(), "abcdefghijklmnop"),
            Program(club_site.app.test_client(), ""),
        ):
            for path in ("/me", "/games", f"/games/{town.turn}/notes", "/invitations"):
                answer = program.get(path)
                assert problem(answer) == (401, "no_token")
                assert answer.headers["WWW-Authenticate"].startswith("Bearer")

    def test_a_bad_token_is_not_the_same_as_none(self, club_site: ClubSite, town: Town) -> None:
        stale = Program(club_site.app.test_client(), "abcdefghijklmnop")
        assert problem(stale.get(f"/games/{town.turn}")) == (401, "no_token")

    @pytest.mark.parametrize(
        ("scope", "method", "path", "body"),
        [
            ("read", "GET", "/me", None),
            ("read", "GET", "/games/{turn}", None),
            ("read", "POST", "/games/{turn}/preview", {"text": "end"}),
            ("play", "POST", "/games/{turn}/messages", {"text": "Hello"}),
            ("play", "POST", "/invitations", {"agreement": {}}),
            ("account", "PUT", "/rules", {"rules": "off"}),
            ("account", "GET", "/addresses", None),
            ("account", "GET", "/passes", None),
        ],
    )
    def test_it_does_what_its_scopes_say(
        self, club_site: ClubSite, town: Town, scope: str, method: str, path: str, body: Any
    ) -> None:
        there = path.format_map(town.games)
        if scope == "account":
            there = f"/me{there}"
        others = [each for each in access.SCOPES if each != scope]
        answer = club_site.program(town.ann, *others).call(method, there, json=body)
        assert problem(answer) == (403, "scope_missing")
        assert answer.get_json()["scope"] == scope
        answer = club_site.program(town.ann, scope).call(method, there, json=body)
        assert answer.status_code in (200, 201)

    def test_it_is_good_until_it_is_ended(self, club_site: ClubSite, town: Town) -> None:
        first, second = club_site.program(town.ann), club_site.program(town.ann)
        club_site.later(days=1000)
        assert first.get("/me").get_json()["name"] == "Ann"
        listed = {each["number"] for each in second.get("/me/passes").get_json()}
        number = max(listed) - 1
        assert second.call("DELETE", f"/me/passes/{number}").status_code == 204
        assert problem(first.get("/me")) == (401, "no_token")
        assert second.get("/me").status_code == 200
        assert number not in {each["number"] for each in second.get("/me/passes").get_json()}

    def test_nobody_ends_those_of_others(self, town: Town, ben: Program) -> None:
        answer = ben.call("DELETE", f"/me/passes/{town.token_number}")
        assert problem(answer) == (409, "no_such_pass")

    def test_a_player_who_left_has_none(self, club_site: ClubSite, town: Town) -> None:
        program = club_site.program(town.ann)
        farewell.delete(club_site.around, town.ann.id, now=NOON)
        assert problem(program.get("/me")) == (401, "no_token")

    def test_a_session_is_no_token(self, club_site: ClubSite, town: Town) -> None:
        given = access.begin_session(club_site.around, town.ann.id, browser="b", now=NOON)
        stolen = Program(club_site.app.test_client(), given.secret)
        assert problem(stolen.get("/me")) == (401, "no_token")
        browser = club_site.browser(town.ann)
        assert browser.get("/api/v1/me").status_code == 401
        assert browser.get(f"/api/v1/games/{town.private}").status_code == 404


class TestLists:
    def test_games_page_by_page(self, ann: Program, town: Town) -> None:
        found: list[str] = []
        after = ""
        while after is not None:
            page = ann.get("/games", query_string={"limit": 2, "after": after}).get_json()
            assert len(page["games"]) <= 2
            found += [game["id"] for game in page["games"]]
            after = page["next"]
        assert found == sorted(town.games.values())

    def test_games_by_state(self, ann: Program, ben: Program, town: Town) -> None:
        def ids(program: Program, state: str) -> set[str]:
            answer = program.get("/games", query_string={"state": state})
            return {game["id"] for game in answer.get_json()["games"]}

        assert ids(ann, "over") == {town.over, town.private_over}
        assert ids(ann, "running") == set(town.games.values()) - {town.over, town.private_over}
        assert ids(ben, "waiting") == {town.opening, town.attacked, town.private, town.delayed}

    def test_messages_page_by_page(self, ann: Program, ben: Program, town: Town) -> None:
        for number in range(3):
            assert ben.post(f"/games/{town.turn}/messages", text=f"{number}").status_code == 201
        first = ann.get(f"/games/{town.turn}/messages", query_string={"limit": 3}).get_json()
        rest = ann.get(
            f"/games/{town.turn}/messages", query_string={"after": first["next"]}
        ).get_json()
        told = [each["text"] for each in first["messages"] + rest["messages"]]
        assert told[1:] == ["0", "1", "2"]
        assert rest["next"] is None

    def test_players_page_by_page(self, club_site: ClubSite, town: Town, nobody: Program) -> None:
        page = nobody.get("/players", query_string={"limit": 2}).get_json()
        assert [each["name"] for each in page["players"]] == ["Ann", "Ben"]
        rest = nobody.get("/players", query_string={"after": page["next"]}).get_json()
        assert [each["name"] for each in rest["players"]] == ["Cleo"]
        assert rest["next"] is None

    def test_players_of_one_name_are_all_on_some_page(
        self, club_site: ClubSite, nobody: Program
    ) -> None:
        names = ("Émile", "cleo", "Cleo", "Ben", "Cleo", "émile", "CLEO")
        made = [
            players.join(
                club_site.around, name, f"p{number}@example.org", now=NOON, verified=True
            ).id
            for number, name in enumerate(names)
        ]
        seen, after = [], ""
        while True:
            page = nobody.get("/players", query_string={"limit": 1, "after": after}).get_json()
            seen += [each["number"] for each in page["players"]]
            if page["next"] is None:
                break
            after = page["next"]
        assert sorted(seen) == sorted(made)
        assert seen[:5] == [made[3], made[1], made[2], made[4], made[6]]

    def test_a_place_that_is_none_is_the_beginning(self, nobody: Program, town: Town) -> None:
        for place, found in (("Ann", 3), ("²", 3), ("-1 Ann", 3), ("9" * 60, 0)):
            page = nobody.get("/players", query_string={"after": place})
            assert len(page.get_json()["players"]) == found, place

    def test_only_those_who_have_answered_are_players(
        self, club_site: ClubSite, town: Town, nobody: Program
    ) -> None:
        guest = players.join(club_site.around, "Gus", "gus@example.org", now=NOON)
        farewell.delete(club_site.around, town.cleo.id, now=NOON)
        for number in (guest.id, town.cleo.id, 10**18, 10**40):
            assert problem(nobody.get(f"/players/{number}")) == (404, "not_found")
        assert nobody.get("/players", query_string={"find": "gu"}).get_json()["players"] == []

    def test_games_of_a_player_that_everybody_may_see(self, nobody: Program, town: Town) -> None:
        page = nobody.get(f"/players/{town.ann.id}/games").get_json()
        open_games = set(town.games.values()) - {town.private, town.private_over}
        assert {game["id"] for game in page["games"]} == open_games
        assert {"turns", "asked", "deadline", "is_held"}.isdisjoint(page["games"][0])
        waiting = nobody.get(f"/players/{town.ann.id}/games", query_string={"state": "waiting"})
        assert problem(waiting) == (422, "invalid")

    @pytest.mark.parametrize("query", [{"limit": "0"}, {"limit": "x"}, {"state": "all of it"}])
    def test_what_cannot_be_asked(self, ann: Program, query: dict[str, str]) -> None:
        answer = ann.get("/games", query_string=query)
        assert problem(answer) == (422, "invalid")
        assert set(answer.get_json()["faults"]["query"]) == set(query)


class TestTags:
    def test_what_has_not_changed_is_not_sent_again(
        self, club_site: ClubSite, ann: Program, ben: Program, town: Town
    ) -> None:
        path = f"/games/{town.turn}"
        tag = ann.get(path).headers["ETag"]
        again = ann.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        assert ben.get(path, headers={"If-None-Match": tag}).status_code == 200
        assert ann.post(f"{path}/submissions", text="end").status_code == 201
        assert ann.get(path, headers={"If-None-Match": tag}).status_code == 200

    def test_answers_are_for_the_caller_alone(self, ann: Program, town: Town) -> None:
        answer = ann.get(f"/games/{town.turn}")
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer.headers["Vary"]

    @pytest.mark.parametrize("path", ["board.svg", "messages", "notes"])
    def test_everything_has_one(self, ann: Program, town: Town, path: str) -> None:
        first = ann.get(f"/games/{town.turn}/{path}")
        again = ann.get(
            f"/games/{town.turn}/{path}", headers={"If-None-Match": first.headers["ETag"]}
        )
        assert (first.status_code, again.status_code) == (200, 304)


class TestBodies:
    def test_what_is_no_json(self, ann: Program, town: Town) -> None:
        path = f"/games/{town.turn}/preview"
        broken = ann.call("POST", path, data=b'{"text": ', content_type="application/json")
        assert problem(broken) == (400, "not_json")
        for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
            other = ann.call("POST", path, data=b'{"text": "end"}', content_type=kind)
            assert problem(other) == (415, "not_json")

    def test_no_body_is_not_an_empty_one(self, ann: Program, club_site: ClubSite) -> None:
        before = club_site.club.contents()["invitations"]
        assert problem(ann.call("POST", "/invitations")) == (415, "not_json")
        assert club_site.club.contents()["invitations"] == before

    def test_too_much(self, ann: Program, town: Town) -> None:
        answer = ann.post(f"/games/{town.turn}/preview", text="x" * 300_000)
        assert problem(answer) == (413, "too_large")

    @pytest.mark.parametrize(
        "body",
        [
            {},
            {"text": 1},
            {"text": ""},
            {"text": None},
            {"text": "a\0b"},
            {"text": "a\ud800b"},
            {"text": "end", "more": 1},
            {"text": "x" * 20_001},
            [],
            "end",
        ],
    )
    def test_what_does_not_fit(self, ann: Program, town: Town, body: Any) -> None:
        answer = ann.call("POST", f"/games/{town.turn}/submissions", json=body)
        assert problem(answer) == (422, "invalid")
        assert answer.get_json()["faults"]

    def test_nothing_there(self, ann: Program, nobody: Program) -> None:
        for program in (ann, nobody):
            assert problem(program.get("/nothing")) == (404, "not_found")
            assert problem(program.get("/games/nosuchga")) == (404, "not_found")


class TestPlaying:
    def test_orders_are_taken_once_by_their_key(self, ann: Program, town: Town) -> None:
        path = f"/games/{town.turn}/submissions"
        first = ann.post(path, text="F7>I5; end", key="mine")
        again = ann.post(path, text="F7>I5; end", key="mine")
        assert (first.status_code, first.get_json()["outcome"]) == (201, "played")
        assert (again.status_code, again.get_json()["outcome"]) == (201, "repeated")
        assert first.get_json()["entry"] == again.get_json()["entry"]

    def test_a_key_is_its_owners_alone(self, ann: Program, ben: Program, town: Town) -> None:
        path = f"/games/{town.turn}/submissions"
        assert ann.post(path, text="end", key="same").get_json()["outcome"] == "played"
        assert ben.post(path, text="end", key="same").get_json()["outcome"] == "played"

    def test_orders_for_a_request_that_is_closed(self, ann: Program, town: Town) -> None:
        path = f"/games/{town.turn}"
        asked = ann.get(path).get_json()["request"]
        assert ann.post(f"{path}/submissions", text="end", request=asked).status_code == 201
        late = ann.post(f"{path}/submissions", text="F7>I5", request=asked)
        assert problem(late) == (409, "too_late")

    def test_a_request_of_another(self, ann: Program, ben: Program, town: Town) -> None:
        asked = ben.get(f"/games/{town.attacked}").get_json()["request"]
        answer = ann.post(f"/games/{town.attacked}/submissions", text="G11-", request=asked)
        assert problem(answer) == (409, "not_allowed")

    def test_orders_that_are_refused(self, ann: Program, town: Town) -> None:
        for call in ("submissions", "preview"):
            answer = ann.post(f"/games/{town.turn}/{call}", text="F7>I5; W1 rng G12")
            assert problem(answer) == (422, "refused")
            (fault,) = answer.get_json()["faults"]
            assert (fault["line"], fault["column"]) == (1, 8)
            assert fault["detail"]
            suggestions = answer.get_json()["suggestions"]
            assert suggestions
            assert all(each["submission"].startswith("F7>I5") for each in suggestions)
        assert ann.get(f"/games/{town.turn}").get_json()["request"] is not None

    def test_what_orders_would_do(self, ann: Program, town: Town) -> None:
        before = ann.get(f"/games/{town.turn}").get_json()["newest"]
        answer = ann.post(f"/games/{town.turn}/preview", text="W1 rng G11; end")
        assert answer.get_json()["text"] == "W1 rng G11; end"
        assert answer.get_json()["forecasts"]
        assert ann.get(f"/games/{town.turn}").get_json()["newest"] == before

    def test_what_may_follow(self, ann: Program, ben: Program, town: Town) -> None:
        found = choices(ann, town.turn).get_json()
        orders = {each["order"] for each in found["choices"]}
        assert "F7>I5" in orders
        there = choices(ann, town.turn, "F7>I5").get_json()
        assert {each["order"] for each in there["choices"]} != orders
        wrong = choices(ann, town.turn, "F7>I5", "F7>O15").get_json()
        assert (wrong["step"], bool(wrong["fault"])) == (1, True)
        assert choices(ben, town.turn).get_json()["choices"] == []

    def test_kept_for_correction_and_taken_back(self, ann: Program, town: Town) -> None:
        path = f"/games/{town.kept}"
        assert ann.get(path).get_json()["held"]["text"].startswith("F7>I5")
        assert problem(ann.post(f"{path}/submissions", text="end")) == (409, "already_kept")
        assert ann.call("DELETE", f"{path}/held").status_code == 204
        assert problem(ann.call("DELETE", f"{path}/held")) == (409, "nothing_to_undo")
        again = ann.post(f"{path}/submissions", text="end").get_json()
        assert (again["outcome"], again["entry"]) == ("kept", None)

    def test_standing_rules_are_tried(self, ann: Program, ben: Program, town: Town) -> None:
        path = f"/games/{town.attacked}/rehearsal"
        holding = ben.post(path).get_json()
        assert holding["rules"] == "fall W* <=1; ask all"
        tried = ben.post(path, rules="block all <=4").get_json()
        ((attack, would),) = [(each["attack"], each["would"]) for each in tried["attacks"]]
        assert (attack, would) == ("W1 rng G11", ["save"])
        assert problem(ben.post(path, rules="block everything")) == (422, "refused")

    def test_a_whole_affair(
        self, club_site: ClubSite, ann: Program, ben: Program, town: Town
    ) -> None:
        offered = ann.post(
            "/invitations", player=town.ben.id, seat=0, agreement={"position": POSITION}
        )
        assert offered.status_code == 201
        name = offered.get_json()["id"]
        assert name in {each["id"] for each in ben.get("/invitations").get_json()["invitations"]}
        game = ben.call("POST", f"/invitations/{name}/accept").get_json()["game"]
        again = ben.call("POST", f"/invitations/{name}/accept").get_json()
        assert again == {"game": game}
        assert ann.post(f"/games/{game}/submissions", text="resign").status_code == 201
        shown = ben.get(f"/games/{game}").get_json()
        assert (shown["is_over"], shown["winner"]) == (True, 1)
        assert ben.get(f"/games/{game}/record").text.startswith("[")
        log, first = ben.get(f"/games/{game}/log").text, f"/games/{game}?at=0"
        assert ben.get(first).get_json()["log_hash"] in log
        assert f'[SeedHash "{shown["seed_hash"]}"]' in ben.get(f"/games/{game}/record").text
        assert replay_log(*parse_log(log.splitlines()))[1] in ben.get(f"/games/{game}/record").text

    def test_a_rematch(self, ann: Program, ben: Program, town: Town) -> None:
        offer = ann.call("POST", f"/games/{town.over}/rematch")
        assert offer.status_code == 201
        assert problem(ann.call("POST", f"/games/{town.turn}/rematch")) == (409, "game_not_over")
        game = ben.call("POST", f"/invitations/{offer.get_json()['id']}/accept").get_json()["game"]
        assert ann.get(f"/games/{game}").get_json()["seat"] == 1

    def test_invitations_of_others(self, club_site: ClubSite, ann: Program, town: Town) -> None:
        cleo = club_site.program(town.cleo)
        assert problem(cleo.call("DELETE", f"/invitations/{town.to_ann}"))[0] == 409
        assert ann.call("DELETE", f"/invitations/{town.to_ann}").status_code == 204
        assert problem(ann.call("DELETE", "/invitations/nothing")) == (404, "no_such_invitation")

    def test_all_faults_of_an_agreement(self, ann: Program) -> None:
        answer = ann.post("/invitations", agreement={"level": "none", "clock": "soon", "x": 1})
        assert problem(answer) == (422, "invalid")
        assert {"level", "clock"} <= set(answer.get_json()["faults"])


class TestAccount:
    def test_preferences(self, club_site: ClubSite, ann: Program, town: Town) -> None:
        sent = {"language": "nl", "quiet_from": "22:30", "quiet_to": "07:00"}
        changed = ann.call("PATCH", "/me/preferences", json=sent).get_json()["preferences"]
        assert changed == {**changed, **sent}
        assert "Ann" in ann.get(f"/games/{town.turn}").get_json()["players"]
        assert problem(ann.call("PATCH", "/me/preferences", json={"quiet_to": None}))[0] == 422
        assert problem(ann.call("PATCH", "/me/preferences", json={"quiet_to": "7:00"}))[0] == 422

    def test_name_and_rules(self, ann: Program) -> None:
        assert ann.call("PUT", "/me/name", json={"name": " Anna "}).get_json()["name"] == "Anna"
        assert problem(ann.call("PUT", "/me/name", json={"name": " \u200b "})) == (422, "invalid")
        rules = ann.call("PUT", "/me/rules", json={"rules": "block all <=2"}).get_json()
        assert rules["standing"] == "block all <=2"
        assert problem(ann.call("PUT", "/me/rules", json={"rules": "?"})) == (422, "invalid")

    def test_days_off(self, club_site: ClubSite, ben: Program) -> None:
        days = {"first": "2026-12-20", "last": "2026-12-24"}
        offer = ben.get("/me/leave-offer", query_string=days).get_json()
        assert offer["days_left"]["2026"] == 25
        assert {"deadline", "deadline_then", "game"} == set(offer["games"][0])
        assert ben.get("/me/leave").get_json() == []
        assert ben.post("/me/leave", **days).status_code == 201
        assert problem(ben.post("/me/leave", **days)) == (422, "invalid")
        assert [each["first"] for each in ben.get("/me/leave").get_json()] == ["2026-12-20"]
        assert ben.call("DELETE", "/me/leave/2026-12-20").status_code == 204
        assert problem(ben.call("DELETE", "/me/leave/2026-12-20")) == (409, "no_such_leave")
        assert problem(ben.call("DELETE", "/me/leave/soon")) == (404, "not_found")

    def test_addresses(self, club_site: ClubSite, ann: Program, town: Town) -> None:
        players.add_address(club_site.around, town.ann.id, "ann@example.net", now=NOON)
        (mine,) = ann.get("/me/addresses").get_json()
        assert mine["address"] == "ann@example.org"
        players.verify_address(club_site.around, town.ann.id, "ann@example.net", now=NOON)
        chosen = {"preferred": "ann@example.net", "fallback": "ann@example.org"}
        there = ann.call("PUT", "/me/addresses", json=chosen).get_json()
        assert [(each["address"], each["is_preferred"]) for each in there] == [
            ("ann@example.net", True),
            ("ann@example.org", False),
        ]
        assert ann.call("DELETE", "/me/addresses/ann@example.org").status_code == 204
        assert problem(ann.call("DELETE", "/me/addresses/ann@example.net")) == (409, "last_address")

    def test_whose_an_address_is_is_not_told(
        self, club_site: ClubSite, ann: Program, town: Town
    ) -> None:
        told = []
        for address in ("ben@example.org", "free@example.org"):
            name_address(club_site.around, club_site.office, town.ann.id, address, now=NOON)
            answers = [
                ann.get("/me/addresses"),
                ann.get("/me/export"),
                ann.call("DELETE", f"/me/addresses/{address}"),
                ann.call("DELETE", f"/me/addresses/{address}"),
            ]
            told.append([(answer.status_code, answer.text) for answer in answers])
        assert told[0] == told[1]
        assert [status for status, _ in told[0]] == [200, 200, 204, 204]

    def test_a_lost_token_opens_no_other_way_in(self, club_site: ClubSite, ann: Program) -> None:
        """Whoever can sign in at an address of their own is the player for good."""
        answer = ann.post("/me/addresses", address="thief@example.net")
        assert answer.status_code == 405
        assert club_site.mails("address_confirmation") == []

    def test_taking_everything_along(self, ann: Program) -> None:
        answer = ann.get("/me/export")
        assert answer.get_json()["player"]["name"] == "Ann"


def test_a_store_that_is_away(
    club_site: ClubSite, nobody: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.errors import StoreUnavailableError

    def fail(*args: object) -> None:
        raise StoreUnavailableError("gone")

    monkeypatch.setattr(type(club_site.store), "read", fail)
    answer = nobody.get("/players")
    assert problem(answer) == (503, "unavailable")
    assert answer.headers["Retry-After"]

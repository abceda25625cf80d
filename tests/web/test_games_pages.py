"""The pages of games: looking, playing, writing, stepping through; what is not one's own is not
there."""

from __future__ import annotations

import hashlib
import re

import pytest

from pbem.play import games as play
from pbem.play.log import parse_log
from pbem.play.verification import replay_log
from tests.web.club_site import URL, Browser, ClubSite, words
from tests.web.town import ANNS_NOTE, BENS_NOTE, MESSAGE, Town


@pytest.fixture
def ann(club_site: ClubSite, town: Town) -> Browser:
    return club_site.browser(town.ann)


@pytest.fixture
def ben(club_site: ClubSite, town: Town) -> Browser:
    return club_site.browser(town.ben)


def hidden(page: str, name: str) -> str:
    """The value of a hidden field of the last form that has it."""
    return str(re.findall(rf'name="{name}" value="([^"]*)"', page)[-1])


def log(site: ClubSite, game: str) -> list[str]:
    with site.around.store.read() as unit:
        return [entry.text for entry in unit.entries(game)]


class TestTellingSenders:
    def test_what_changes_something_may_bring_mail(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        club_site.waits.clear()
        ann.post(f"/games/{town.turn}/messages", {"text": "Hello"})
        assert len(club_site.waits) == 1

    def test_looking_and_trying_bring_none(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        ann.form_token()
        club_site.waits.clear()
        ann.get(f"/games/{town.turn}")
        ann.call(f"/games/{town.turn}/preview", text="end")
        ann.call(f"/games/{town.turn}/choices", path=[])
        assert club_site.waits == []


class TestLooking:
    def test_mine_waits_for_me_first(self, ann: Browser, ben: Browser, town: Town) -> None:
        page = ben.get("/games").text
        waiting, idle = page.index(f"/games/{town.attacked}"), page.index(f"/games/{town.turn}")
        assert waiting < idle
        assert town.private in page

    def test_everybody_sees_what_is_open(self, club_site: ClubSite, town: Town) -> None:
        visitor = club_site.visitor()
        for name, game in town.games.items():
            expected = 404 if name.startswith("private") else 200
            assert visitor.get(f"/games/{game}").status_code == expected
        assert visitor.get("/games/nosuchga").status_code == 404
        assert visitor.get("/games/nosuchga%00").status_code == 404

    def test_any_entry(self, ann: Browser, town: Town) -> None:
        start = words(ann.get(f"/games/{town.attacked}?at=0"))
        assert "as it was then" in start
        assert "data-builder" not in ann.get(f"/games/{town.attacked}?at=0").text
        for at in ("-1", "99999", "x", "1e9"):
            assert ann.get(f"/games/{town.attacked}", query_string={"at": at}).status_code == 200

    def test_notes_are_ones_own(self, ann: Browser, ben: Browser, town: Town) -> None:
        for browser, own, others in ((ann, ANNS_NOTE, BENS_NOTE), (ben, BENS_NOTE, ANNS_NOTE)):
            page = words(browser.get(f"/games/{town.turn}"))
            assert own in page
            assert others not in page
            assert MESSAGE in page

    def test_the_record_of_a_game_that_is_over(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        answer = club_site.visitor().get(f"/games/{town.over}.ogn")
        assert answer.mimetype == "text/plain"
        assert answer.text.startswith("[")
        assert ann.get(f"/games/{town.turn}.ogn").status_code == 404

    def test_its_log_is_offered_beside_it(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        path = f"/games/{town.over}.log"
        assert f'href="{path}"' in ann.get(f"/games/{town.over}").text
        assert f'href="/games/{town.turn}.log"' not in ann.get(f"/games/{town.turn}").text
        answer = club_site.visitor().get(path)
        assert f'filename="{town.over}.log"' in answer.headers["Content-Disposition"]
        course, head = replay_log(*parse_log(answer.text.splitlines()))
        assert course.start.game_id == town.over
        assert head in club_site.visitor().get(f"/games/{town.over}.ogn").text

    def test_r9_5_what_is_promised_of_the_seed_and_the_log(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        with club_site.around.store.read() as unit:
            seed = unit.find_game(town.delayed).start.seed  # type: ignore[union-attr]
            entries = unit.entries(town.delayed)
        promised, path = hashlib.sha256(seed).hexdigest(), f"/games/{town.delayed}"
        mine, others = ann.get(path).text, club_site.visitor().get(path).text
        for page in (mine, others):
            assert promised in page
            assert seed.hex() not in page
        assert entries[-1].hash in mine
        assert entries[-1].hash not in others, "a spectator knows no more of the log than is shown"
        assert entries[0].hash in others


class TestPlaying:
    def send(self, browser: Browser, game: str, text: str, **more: str) -> str:
        page = browser.get(f"/games/{game}").text
        form = {"text": text, "key": hidden(page, "key"), "request": hidden(page, "request")}
        answer = browser.post(f"/games/{game}/turn", {**form, **more})
        assert answer.status_code == 303
        return words(browser.get(f"/games/{game}"))

    def test_a_turn_and_its_defence(
        self, club_site: ClubSite, ann: Browser, ben: Browser, town: Town
    ) -> None:
        self.send(ann, town.turn, "W1 rng G11; end")
        assert log(club_site, town.turn)[-1] == "W1 rng G11; end"
        page = ben.get(f"/games/{town.turn}").text
        assert 'value="-"' in page or 'value="fall G11"' in page or 'value="G11-"' in page
        self.send(ben, town.turn, "-")
        assert log(club_site, town.turn)[-1] == "G11-"

    def test_a_double_click_is_one_turn(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        page = ann.get(f"/games/{town.turn}").text
        form = {"text": "F7>I5", "key": hidden(page, "key"), "request": hidden(page, "request")}
        before = len(log(club_site, town.turn))
        for _ in range(2):
            assert ann.post(f"/games/{town.turn}/turn", form).status_code == 303
        assert len(log(club_site, town.turn)) == before + 1

    def test_a_form_that_is_old(self, club_site: ClubSite, ann: Browser, town: Town) -> None:
        old = hidden(ann.get(f"/games/{town.turn}").text, "request")
        self.send(ann, town.turn, "end")
        before = log(club_site, town.turn)
        answer = ann.post(f"/games/{town.turn}/turn", {"text": "F7>I5", "request": old})
        assert answer.status_code == 303
        assert "gone on meanwhile" in words(ann.get(f"/games/{town.turn}"))
        assert log(club_site, town.turn) == before

    def test_a_refusal_keeps_what_was_written(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        before = log(club_site, town.turn)
        answer = ann.post(f"/games/{town.turn}/turn", {"text": "W1 rng G12 <b>"})
        assert answer.status_code == 422
        assert "W1 rng G12 &lt;b&gt;" in answer.text
        answer = ann.post(f"/games/{town.turn}/turn", {"text": "W1 rng G12"})
        assert "Nobody stands on G12" in words(answer)
        assert "W1 rng G11" in words(answer)
        assert log(club_site, town.turn) == before

    def test_only_trying(self, club_site: ClubSite, ann: Browser, town: Town) -> None:
        before = log(club_site, town.turn)
        answer = ann.post(f"/games/{town.turn}/turn", {"text": "W1 rng G11", "try": "1"})
        assert answer.status_code == 200
        assert log(club_site, town.turn) == before
        shown = ann.call(f"/games/{town.turn}/preview", text="W1 rng G11").get_json()
        assert "G11" in shown["html"]
        refused = ann.call(f"/games/{town.turn}/preview", text="W1 rng G12").get_json()
        assert "Nobody stands on G12" in refused["html"]

    def test_what_the_board_asks(self, ann: Browser, ben: Browser, town: Town) -> None:
        found = ann.call(f"/games/{town.turn}/choices", path=[]).get_json()
        assert found["svg"].startswith("<svg")
        assert "F7>I5" in {each["order"] for each in found["choices"]}
        assert ben.call(f"/games/{town.turn}/choices", path=[]).get_json()["choices"] == []
        for path in ("x", [1], None, {"a": 1}):
            assert ann.call(f"/games/{town.turn}/choices", path=path).status_code == 400

    def test_undo(self, club_site: ClubSite, ann: Browser, town: Town) -> None:
        assert "Kept for correction" in words(ann.get(f"/games/{town.kept}"))
        ann.post(f"/games/{town.kept}/undo")
        assert "Undone" in words(ann.get(f"/games/{town.kept}"))
        ann.post(f"/games/{town.kept}/undo")
        assert "nothing to undo" in words(ann.get(f"/games/{town.kept}"))

    def test_resigning_asks_first(self, club_site: ClubSite, ann: Browser, town: Town) -> None:
        before = log(club_site, town.turn)
        page = ann.get(f"/games/{town.turn}/resign")
        assert page.status_code == 200
        assert log(club_site, town.turn) == before
        form = {"text": "resign", "key": hidden(page.text, "key")}
        ann.post(f"/games/{town.turn}/turn", form)
        assert "Ben has won" in words(ann.get(f"/games/{town.turn}"))

    def test_messages_and_notes(
        self, club_site: ClubSite, ann: Browser, ben: Browser, town: Town
    ) -> None:
        text = "<script>alert(1)</script> & more"
        ann.post(f"/games/{town.turn}/messages", {"text": text})
        ann.post(f"/games/{town.turn}/notes", {"text": "mine <b>"})
        page = ben.get(f"/games/{town.turn}").text
        assert "<script>alert" not in page
        assert "&lt;script&gt;alert" in page
        assert "mine" not in page
        assert "mine &lt;b&gt;" in ann.get(f"/games/{town.turn}").text
        before = page.count("<li")
        ann.post(f"/games/{town.turn}/messages", {"text": "  "})
        assert ben.get(f"/games/{town.turn}").text.count("<li") == before

    def test_text_that_nobody_can_keep(self, ann: Browser, town: Town) -> None:
        for path in ("messages", "notes", "turn"):
            answer = ann.post(f"/games/{town.turn}/{path}", {"text": "a\0b"})
            assert answer.status_code in (303, 400, 422)


@pytest.mark.parametrize(
    "path",
    ["turn", "messages", "notes", "undo", "standing"],
)
def test_others_can_do_nothing(club_site: ClubSite, town: Town, path: str) -> None:
    cleo, visitor = club_site.browser(town.cleo), club_site.visitor()
    before = club_site.club.contents()
    for game in (town.turn, town.private):
        assert cleo.post(f"/games/{game}/{path}", {"text": "end"}).status_code == 404
        assert visitor.post(f"/games/{game}/{path}", {"text": "end"}).location == "/sign-in"
    assert club_site.club.contents() == before


def test_pages_of_scripts_for_others(club_site: ClubSite, town: Town) -> None:
    cleo = club_site.browser(town.cleo)
    for path in ("choices", "preview"):
        assert cleo.call(f"/games/{town.turn}/{path}", path=[], text="end").status_code == 404


class TestWriting:
    DECEIVING = "pay\u202egnp.exe\x07 with abcdefghij2345abcdefghij23\u2028now"

    def test_words_are_cleaned_as_those_of_mails_are(
        self, club_site: ClubSite, ann: Browser, town: Town
    ) -> None:
        """No token, no signs that turn the writing round, by whichever way they come."""
        path = f"/games/{town.turn}/messages"
        ann.post(path, {"text": self.DECEIVING})
        club_site.program(town.ann).post(path, text=self.DECEIVING)
        with club_site.around.store.read() as unit:
            written = [each.text for each in unit.messages_of(town.turn)][-2:]
        assert written == ["paygnp.exe with […]\nnow"] * 2

    def test_words_that_nobody_can_see(self, club_site: ClubSite, ann: Browser, town: Town) -> None:
        path = f"/games/{town.turn}/messages"
        assert ann.post(path, {"text": "\u202e \x07"}).status_code == 303
        assert club_site.program(town.ann).post(path, text="\u202e").status_code == 422
        with club_site.around.store.read() as unit:
            assert [each.text for each in unit.messages_of(town.turn)] == [MESSAGE]

    def test_nobody_is_buried_in_messages(
        self, club_site: ClubSite, ben: Browser, town: Town, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(play, "MESSAGES_A_DAY", 3)
        path = f"/games/{town.turn}/messages"
        answers = [ben.post(path, {"text": f"Hello {number}"}) for number in range(3)]
        assert [answer.status_code for answer in answers] == [303, 303, 409]
        assert "Please go on tomorrow" in words(answers[-1])
        club_site.later(days=1)
        assert ben.post(path, {"text": "Hello again"}).status_code == 303


class TestNonsense:
    @pytest.mark.parametrize("sent", ["[" * 100_000, '{"path":' + "[" * 100_000, "[" + "9" * 5000])
    def test_what_cannot_be_read(
        self, club_site: ClubSite, ann: Browser, town: Town, sent: str
    ) -> None:
        headers = {"X-CSRFToken": ann.form_token()}
        there = {"base_url": URL, "data": sent, "content_type": "application/json"}
        for path in (f"/games/{town.turn}/choices", "/tutorial/choices"):
            assert ann.client.post(path, headers=headers, **there).status_code == 400
        program = club_site.program(town.ann)
        for path in (f"/games/{town.turn}/preview", "/invitations"):
            answer = program.call("POST", path, data=sent, content_type="application/json")
            assert answer.status_code == 400
            assert answer.get_json()["code"] == "not_json"

"""``pbem trace``: what can be proved of a game by mail, of a refusal, of the same mail twice."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from email import message_from_bytes
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.load.ports import free_port
from pbem.cli import main
from pbem.cli.showing import open_console
from pbem.mail.tracing import Step, find_trail, mask
from pbem.play.model import Notice
from pbem.store.database import SqlStore
from tests.functional.house import DOMAIN, SECRET, House, open_house
from tests.functional.sink import Sink
from tests.functional.story import GOLD_SETUP, Story
from workers import jobs

Run = Callable[..., Result]


@pytest.fixture
def house(request: pytest.FixtureRequest, store: SqlStore) -> Iterator[House]:
    with Sink() as sink, open_house(store, sink, seed=request.node.name) as opened:
        yield opened


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in list(os.environ):
        if name.startswith("PBEM_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PBEM_DATABASE_URL", database_url)
    monkeypatch.setenv("PBEM_MAIL_DOMAIN", DOMAIN)
    monkeypatch.setenv("PBEM_SITE_URL", f"https://{DOMAIN}")
    monkeypatch.setenv("PBEM_SECRET", SECRET.decode())
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> Result:
        return CliRunner().invoke(main, ["trace", *words])

    return call


@pytest.fixture
def story(house: House) -> Story:
    told = Story(house)
    told.sign_up()
    told.second_address()
    told.invite()
    return told


def trail(house: House, wanted: str) -> list[Step]:
    with house.around.store.read() as unit:
        return find_trail(unit, house.office.keys, wanted)


def whats(steps: list[Step]) -> list[str]:
    return [step.what for step in steps]


def test_a_turn_that_was_played(house: House, story: Story, run: Run) -> None:
    arrived = house.clock.now + timedelta(minutes=1)
    story.set_up()
    (number,) = [
        (entry.key or "").removeprefix("mail/") for entry in story.log if GOLD_SETUP in entry.text
    ]
    steps = trail(house, number)
    assert whats(steps) == [
        f"mail {number} stored",
        "read",
        f"entry {steps[2].what.split()[1]} of game {story.game_id}",
        "mail handed over",
    ]
    assert steps[0].at == arrived
    assert "by smtp, from a…@example.org" in steps[0].details
    assert f"by mail {number}" in steps[2].details
    assert "receipt to player" in steps[3].details
    assert steps[3].at == arrived
    # By its Message-ID it is the same; and our mail leads back to it.
    key = next(
        f"ann-{each}@example.org"
        for each in range(1, 30)
        if whats(trail(house, f"<ann-{each}@example.org>"))[:1] == [steps[0].what]
    )
    assert trail(house, key) == steps
    receipt = story.ann.latest("receipt")
    ours = trail(house, receipt.message_id)
    assert whats(ours) == [steps[2].what, "mail handed over"]
    name = receipt.message_id.strip("<>").partition(".")[0]
    assert trail(house, name) == ours

    shown = run(number)
    assert shown.exit_code == 0, shown.output
    assert GOLD_SETUP not in shown.output
    assert "ann@" not in shown.output
    assert GOLD_SETUP in run(number, "--text").output
    rows = [json.loads(line) for line in run(number, "--json").output.splitlines()]
    assert [row["what"] for row in rows] == whats(steps)
    everything = shown.output + run(story.game_id, "--text").output
    for token in house.tokens:
        assert token not in everything


def test_the_hash_of_a_token_is_cut(house: House, story: Story) -> None:
    story.set_up()
    sent = story.ann.reply(story.ann.latest("turn_request"), "status")
    stored, *_ = trail(house, str(message_from_bytes(sent)["Message-ID"]))
    assert re.search(r", to reply/[0-9a-f]{8}…(,|$)", stored.details)


def test_a_refusal_and_the_same_mail_twice(house: House, story: Story, run: Run) -> None:
    story.set_up()
    story.refusal_mended_by_number()
    before = len(story.log)
    story.duplicate()
    steps = trail(house, str(house.arrivals.last))
    assert len(story.log) == before
    assert whats(steps) == [
        f"mail {house.arrivals.last} stored",
        "read",
        "answered: refusal",
        "mail handed over",
    ]
    assert "came once more, and counts as one" in steps[0].details
    assert steps[2].text.startswith("W1:kite>Z9")
    assert steps[2].details == "syntax_bad_hex, clause N1"
    assert "answer to player" in steps[3].details

    whole = trail(house, story.game_id)
    entries = [step.what for step in whole if step.what.startswith("entry ")]
    assert entries == [f"entry {each} of game {story.game_id}" for each in range(len(story.log))]
    assert steps[2] in whole, "a refused mail belongs to the story of a game"
    instants = [step.at for step in whole if step.what.startswith(("entry", "mail 1"))]
    assert instants == sorted(instants)  # type: ignore[type-var]

    shown = run(str(house.arrivals.last)).output
    assert "answered: refusal" in shown
    assert "syntax_bad_hex, clause N1" in shown
    assert "Z9" not in shown, "why it was refused, and not what was ordered"


def test_a_message_id_is_whole_in_a_table_that_no_screen_shows(story: Story, run: Run) -> None:
    name = story.ann.latest().message_id.strip("<>").partition(".")[0]
    [line] = [line for line in run(story.game_id).output.splitlines() if name in line]
    assert f"Message-ID {name}…" in line
    assert line.split()[2:5] == ["mail", "handed", "over"], "with what it was"


def test_a_table_on_a_screen_is_as_wide_as_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert open_console().width == 80
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert open_console().width > 1000


def test_a_message_id_as_a_table_shortens_it(house: House, story: Story) -> None:
    ours = [mail.message_id.strip("<>").partition(".")[0] for mail in story.ann.inbox]
    steps = trail(house, ours[-1])
    assert steps
    assert trail(house, f"<{ours[-1]}…>") == trail(house, f"{ours[-1]}…,") == steps
    assert trail(house, f"{ours[-1][:9].upper()}…") == trail(house, f"{ours[-1]}.abc…") == steps

    number = next(mail for mail in range(1, 30) if trail(house, f"ann-{mail}@example.org"))
    inbound = f"ann-{number}@example.org"
    assert trail(house, f"{inbound}…") == trail(house, inbound)
    stored = f"{house.arrivals.last:019d}"
    assert trail(house, stored)
    assert trail(house, f"{stored}…") == [], "half a Message-ID is no number"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("wanted", ["ann-…", "…", f"{'a' * 33}…", "\x00…", "1…" * 50])
def test_half_a_message_id_says_nothing_of_what_was_stored(run: Run, wanted: str) -> None:
    done = run(wanted)
    assert done.exit_code == 1
    assert "never stored" not in done.output
    assert "all of its Message-ID" in done.output


def test_several_mails_that_begin_alike(house: House, story: Story, run: Run) -> None:
    with house.around.store.begin() as unit:
        [player_id, *_] = unit.find_game(story.game_id).players  # type: ignore[union-attr]
        for each in range(16 * 6 + 1):  # so that some figure begins seven of them
            unit.add_notice(Notice(f"a/{each}", player_id, "news", house.clock.now))
    with house.around.store.read() as unit:
        names = sorted(
            posted.outgoing.message_id
            for each in range(16 * 6 + 1)
            for posted in unit.posted_for(f"a/{each}")
        )
        figure = next(name[0] for name in names if sum(n[0] == name[0] for n in names) > 6)
        begins = [
            posted.outgoing.message_id for posted in unit.posted_beginning(figure, limit=1000)
        ]
        assert set(begins) >= {name for name in names if name[0] == figure}
        assert begins == sorted(begins)
        assert {name[0] for name in begins} == {figure}
    done = run(f"{figure}…")
    assert done.exit_code == 1
    assert f"Several mails begin so: {begins[0]}…, {begins[1]}…" in done.output
    assert "and others. Give more" in done.output
    assert begins[5] not in done.output


def test_a_mail_that_is_held_and_one_that_waits(house: House, story: Story) -> None:
    story.set_up()
    story.refusal_mended_by_number()
    story.rules_message_and_note()
    story.out_of_office()
    held = trail(house, str(house.arrivals.last))
    assert whats(held)[1] == "held: neither played nor answered"
    assert held[1].details
    assert held[0] in trail(house, story.game_id)

    closed = free_port()
    house.send_through(closed)
    raw = b"From: <ann@example.org>\r\nMessage-ID: <late@x>\r\n\r\nstatus\r\n"
    house.deliver("ann@example.org", [f"play@{DOMAIN}"], raw)
    assert whats(trail(house, "late@x"))[1] == "it waits to be read, after 0 tries"
    jobs.read(house.desk)
    jobs.send(house.desk)
    *_, last = trail(house, "late@x")
    assert last.what == "mail waits, next try"
    assert "refused" in last.details.lower()
    house.clock.now += timedelta(hours=1)
    house.send_through(house.sink.port)
    jobs.send(house.desk)
    *_, last = trail(house, "late@x")
    assert (last.what, last.at) == ("mail handed over", house.clock.now)


def test_a_mail_that_was_given_up(house: House, story: Story) -> None:
    story.set_up()
    house.sink.refuse(story.beau.address, "550 5.1.1 no such user")
    story.ann.reply(story.ann.latest("turn_request"), "F2>I3; end")
    given_up = [step for step in trail(house, story.game_id) if step.what == "mail given up"]
    assert given_up
    assert "no such user" in given_up[-1].details
    assert "b…@example.net" in given_up[-1].details
    assert "bounced (hard)" in given_up[-1].details


@pytest.mark.parametrize(
    "wanted", ["99999999", "9" * 40, "nobody@example.org", "ZZZZZZ", "<>", "\x00"]
)
def test_what_was_never_stored(run: Run, wanted: str) -> None:
    done = run(wanted)
    assert done.exit_code == 1
    assert "was never stored" in done.output


def test_a_trail_needs_no_settings_of_mail(
    story: Story, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PBEM_MAIL_DOMAIN")
    monkeypatch.delenv("PBEM_SITE_URL")
    assert story.game_id in run(story.game_id).stdout


def test_a_trail_needs_no_secret_and_makes_none(
    story: Story, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = story.ann.latest("setup_request").message_id
    with_it = run(name).stdout
    monkeypatch.delenv("PBEM_SECRET")
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path / "data"))
    assert story.game_id in run(story.game_id).stdout
    assert "mail handed over" in with_it
    assert run(name).stdout == with_it
    assert not (tmp_path / "data").exists()


def test_masks() -> None:
    assert mask("ann@example.org") == "a…@example.org"
    assert "@" not in mask(hashlib.sha256(b"x").hexdigest())

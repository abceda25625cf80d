"""Whole mails: our own fixtures of many programs, and a corpus of real ones if it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli.mailcheck import mailcheck
from pbem.mail.reply import read_reply
from pbem.mail.scoring import IndexFault, Read, read_index, score
from pbem.mail.text_lines import fold

OWN = Path(__file__).parents[1] / "data" / "mails"
CORPUS = Path(__file__).parents[2].parent / "shared" / "corpus" / "replies"

ENTRIES = {entry.file: entry for entry in read_index(OWN)}


def read(mail: bytes) -> Read:
    reply = read_reply(mail)
    return Read(reply.text, asks=not reply.is_certain)


@pytest.mark.parametrize("file", ENTRIES)
def test_own_fixtures(file: str) -> None:
    entry = ENTRIES[file]
    reply = read_reply((OWN / file).read_bytes())
    assert reply.text.split() == (entry.expected or "").split()
    assert reply.is_certain
    for other in entry.must_not_contain:
        assert fold(other) not in fold(reply.text)


def test_every_fixture_is_in_the_index() -> None:
    assert {path.name for path in OWN.glob("*.eml")} == set(ENTRIES)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus of real replies is not here")
def test_the_corpus() -> None:
    found = score("pbem", read, CORPUS, read_index(CORPUS))
    assert found.mails > 100
    assert (found.failures, found.lost, found.leaked) == ([], [], [])
    assert (found.orders_lost, found.orders_foreign) == ([], [])
    assert found.orders_found > 100
    assert len(found.orders_asked) <= 3
    assert found.exact >= 102


def test_scores_tell_good_readers_from_bad() -> None:
    entries = list(ENTRIES.values())
    nothing = score("nothing", lambda _: Read(""), OWN, entries)
    everything = score("all", lambda mail: Read(mail.decode("utf-8", "replace")), OWN, entries)
    assert len(nothing.lost) == len(entries)
    assert not nothing.leaked
    assert len(everything.leaked) > len(entries) / 2

    def fail(_: bytes) -> Read:
        raise RuntimeError

    assert len(score("fails", fail, OWN, entries).failures) == len(entries)


def folder(tmp_path: Path, **entry: object) -> Path:
    text = "My answer\n\nOn 5 May 2026 at 20:14, Bob wrote:\n> Old text\n> and more\n"
    (tmp_path / "mail.txt").write_text(text, encoding="utf-8")
    given = {"file": "mail.txt", "format": "text", **entry}
    (tmp_path / "INDEX.json").write_text(json.dumps({"entries": [given]}), encoding="utf-8")
    return tmp_path


def test_the_command(tmp_path: Path) -> None:
    good = folder(tmp_path, must_contain=["My answer"], must_not_contain=["Old text"])
    result = CliRunner().invoke(mailcheck, [str(good), "--json", "--alone"])
    assert result.exit_code == 0
    (figures,) = json.loads(result.output)
    assert figures["mails"] == 1
    assert figures["orders"]["found"] == 1
    result = CliRunner().invoke(mailcheck, [str(good)])
    assert result.exit_code == 0
    assert "quoted text leaked" in result.output


def test_the_command_says_when_a_rule_is_broken(tmp_path: Path) -> None:
    bad = folder(tmp_path, must_contain=["Old text"])
    result = CliRunner().invoke(mailcheck, [str(bad), "--alone"])
    assert result.exit_code == 1
    assert "text lost: mail.txt" in result.output


def test_a_missing_mail_is_a_failure(tmp_path: Path) -> None:
    result = CliRunner().invoke(mailcheck, [str(folder(tmp_path, file="none.txt")), "--alone"])
    assert result.exit_code == 1


@pytest.mark.parametrize("text", ["", "[1]", "{}", '{"entries": 3}', '{"entries": [{}]}'])
def test_an_index_that_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "INDEX.json").write_text(text, encoding="utf-8")
    with pytest.raises(IndexFault):
        read_index(tmp_path)
    assert CliRunner().invoke(mailcheck, [str(tmp_path)]).exit_code == 1

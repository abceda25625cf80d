"""The worked example of docs/verifying.md: every figure in it is the one that comes out."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from contextlib import redirect_stdout
from io import StringIO

from notation.record_reading import parse_record
from pbem.play.archive import write_record
from pbem.play.log import parse_log, seal
from pbem.play.proof import logged_digest, prove_log
from pbem.play.verification import replay_chapters
from tests.docs.pages import DOCS, blocks
from tests.reference import verifier

TEXT = (DOCS / "verifying.md").read_text(encoding="utf-8")
(LOG,) = blocks("log")
(RECORD,) = [block for block in blocks("record") if block.place.startswith("verifying.md")]
SEED, ENTRIES = parse_log(LOG.text.splitlines())


def test_log_and_record_are_sound_and_of_one_game() -> None:
    proof = prove_log(SEED, ENTRIES)
    assert proof.digest == logged_digest(parse_record(RECORD.text))
    names = {"Site": "pbem.example.org", "Gold": "Mira", "Black": "Teun"}
    assert write_record(replay_chapters(SEED, ENTRIES), names) == RECORD.text


def test_the_other_verifier_says_so_too() -> None:
    found, faults = verifier.check_log(LOG.text.splitlines())
    assert (faults, verifier.check_record(RECORD.text, found)) == ([], [])


def test_the_seal_and_the_hash_that_are_worked_out() -> None:
    entry = ENTRIES[1]
    sealed = seal(entry.text, entry.salt)
    assert f"`{sealed}`" in TEXT
    assert len(entry.text.encode()) == 40
    (chained,) = blocks("chained")
    assert chained.text.splitlines()[-1] == sealed
    assert hashlib.sha256(chained.text.rstrip("\n").encode()).hexdigest() == entry.hash
    assert f"`{entry.hash[:8]}…{entry.hash[-4:]}`" in TEXT
    assert f"`{entry.salt.hex()[:8]}…{entry.salt.hex()[-4:]}`" in TEXT


def test_the_die_and_the_lot_that_are_worked_out() -> None:
    promised = hashlib.sha256(SEED).hexdigest()
    assert f"`{promised[:8]}…{promised[-4:]}`" in TEXT
    digest = hmac.new(SEED, b"example/1", "sha256").hexdigest()
    assert f"`{digest[:12]}…{digest[-4:]}`" in TEXT
    assert bytes.fromhex(digest)[0] == 229
    assert 229 % 6 == 1
    assert "W1 rng I4(3)" in RECORD.text
    assert hmac.new(SEED, b"example/0", "sha256").digest()[0] == 99


def test_the_times_of_the_table_are_those_of_the_record() -> None:
    table = re.findall(r"`\[%d?clk (\w+)\]`", TEXT[TEXT.index("**The clocks.**") :])
    assert sorted(table) == sorted(re.findall(r"\[%d?clk (\w+)\]", RECORD.text))


def test_the_program_on_the_page_runs() -> None:
    (program,) = [block for block in blocks("python") if block.place.startswith("verifying.md")]
    said = StringIO()
    with redirect_stdout(said):
        exec(program.text, {"lines": LOG.text.splitlines()})
    assert said.getvalue().strip() == ENTRIES[-1].hash


def test_the_first_entry_has_the_names_that_are_told() -> None:
    first = TEXT[TEXT.index("## The first entry") : TEXT.index("## Lots and dice")]
    assert set(json.loads(ENTRIES[0].text)) == set(re.findall(r"^\| `(\w+)` \|", first, re.M))

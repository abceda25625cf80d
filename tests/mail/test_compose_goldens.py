"""Whole mails as they are sent, held against stored ones, in every language.

``PBEM_WRITE_GOLDENS=1 pytest tests/mail/test_compose_goldens.py`` writes them anew; look at what
changed before you keep it. Of a picture the stored mail has only a hash of what it shows.
"""

from __future__ import annotations

import os
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Final

import pytest

from pbem.cli.sample_mails import play_samples
from pbem.cli.stage import OFFICE, Sample, Stage
from pbem.mail.html_lines import html_lines
from pbem.mail.known_lines import prints_of
from pbem.mail.mime import to_bytes
from pbem.mail.office import Office
from pbem.mail.own_lines import own_lines
from pbem.play.players import LANGUAGES
from tests.mail.stages import Sketches, parsed
from tests.play.hasty_store import HastyStore

GOLDENS: Final = Path(__file__).parent / "goldens"
TEXTS: Final = "texts.txt"
WHOLE_ANSWERS: Final = (
    "answer_refusal",
    "answer_refusal2",
    "answer_what_if",
    "answer_kept",
    "answer_too_late",
    "answer_help",
    "answer_settings",
    "answer_bundle",
    "answer_held",
)
"""Answers whose whole mail is stored; of the others the text is, all in one file."""

ONLY_TEXT: Final = (
    "receipt_setup",
    "first_turn",
    "news_begun",
    "receipt_rules",
    "receipt_attack",
    "game_over_lost",
)
"""Further cases of kinds of which a whole mail is stored."""


def written(message: EmailMessage) -> str:
    """A mail as a text that can be read: all headers, and each part decoded."""
    lines = [f"{name}: {value}".replace("\r\n", "\n") for name, value in message.raw_items()]
    if not message.is_multipart():
        content = message.get_content()
        shown = content if isinstance(content, str) else f"[picture of {content.hex()}]"
        return "\n".join([*lines, "", shown.replace("\r\n", "\n").rstrip("\n")])
    parts = [written(each) for each in message.iter_parts() if isinstance(each, EmailMessage)]
    return "\n".join([*lines, *(f"\n{'~' * 80}\n{each}" for each in parts)])


def is_whole(sample: Sample) -> bool:
    if sample.name.startswith("answer_"):
        return sample.name in WHOLE_ANSWERS
    return sample.name not in ONLY_TEXT


def stored_forms(samples: list[Sample], office: Office) -> dict[str, str]:
    """What is stored, by file name."""
    files: dict[str, str] = {}
    texts = []
    for sample in samples:
        if is_whole(sample):
            files[f"{sample.name}.mail"] = written(parsed(sample.mail, office)) + "\n"
        else:
            texts.append(f"## {sample.name}\n\n{sample.mail.subject}\n\n{sample.mail.text}")
    files[TEXTS] = "\n".join(texts)
    return files


@pytest.mark.parametrize("language", LANGUAGES)
def test_mails_are_as_stored(language: str, new_store: HastyStore) -> None:
    office = replace(OFFICE, drawings=Sketches())
    samples = list(play_samples(Stage(new_store, language=language, office=office)))
    for sample in samples:
        data = to_bytes(sample.mail, office)
        assert data.isascii()
        assert not set(data.replace(b"\r\n", b"")) & {10, 13}, "lines end with CRLF and only so"
        assert max(map(len, data.split(b"\r\n"))) < 200
        found = prints_of(line.text for line in html_lines(sample.mail.html)[0])
        assert prints_of(own_lines(sample.mail.html)) == found
    made = stored_forms(samples, office)
    folder = GOLDENS / language
    if os.environ.get("PBEM_WRITE_GOLDENS"):
        folder.mkdir(parents=True, exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        for name, text in made.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    stored = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()}
    assert sorted(made) == sorted(stored)
    changed = [name for name in made if made[name] != stored[name]]
    for name in changed[:1]:
        assert made[name] == stored[name]
    assert changed == []

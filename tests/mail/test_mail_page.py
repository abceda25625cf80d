"""The page for players shows what works: every example is read as it says (L6)."""

from __future__ import annotations

import re

import pytest

from pbem.mail.classify import find_orders
from pbem.mail.commands import NAMES, find_command
from pbem.mail.invitation_text import parse_invitation
from pbem.mail.settings_text import KEYS, parse_settings
from pbem.play.terms import parse_agreement
from tests.docs.pages import DOCS, blocks

PAGE = (DOCS / "mail.md").read_text(encoding="utf-8")
GAMES = ("k3f7abcd",)
_TABLE = re.compile(r"^\| English \|.*?\n((?:\|.*\n)+)", re.MULTILINE)
_SETTINGS = re.compile(r"^\| setting \|.*?\n((?:\|.*\n)+)", re.MULTILINE)


def rows(table: re.Pattern[str]) -> list[list[str]]:
    found = table.search(PAGE)
    assert found is not None
    return [line.strip("| ").split(" | ") for line in found[1].splitlines()[1:]]


def examples() -> list[str]:
    found = [line for block in blocks("commands") for line in block.text.splitlines()]
    for english, dutch, _ in rows(_TABLE):
        found += re.findall(r"`([^`]+)`", f"{english} {dutch}")
    return found


@pytest.mark.parametrize("line", examples())
def test_examples_are_understood(line: str) -> None:
    command = find_command(line, games=GAMES)
    if command is None:
        assert find_orders(line) is not None
    elif command.name == "invite":
        parse_agreement(parse_invitation(command.argument).agreement)
    elif command.name == "settings" and command.argument:
        parse_settings(command.argument)


def test_the_table_has_every_command() -> None:
    found = (find_command(line, games=GAMES) for line in examples())
    shown = {command.name for command in found if command is not None}
    assert shown == set(NAMES)


def test_both_columns_say_the_same() -> None:
    for english, dutch, _ in rows(_TABLE):
        names = [
            [
                "" if (command := find_command(line, games=GAMES)) is None else command.name
                for line in re.findall(r"`([^`]+)`", column)
            ]
            for column in (english, dutch)
        ]
        assert names[0] == names[1] or not names[1], (english, dutch)


def test_every_setting_is_explained() -> None:
    shown = rows(_SETTINGS)
    words = [word.strip("`") for row in shown for word in row[:2]]
    assert set(words) <= set(KEYS)
    assert {KEYS[word] for word in words} == set(KEYS.values())

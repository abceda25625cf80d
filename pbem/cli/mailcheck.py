"""``pbem mailcheck``: how well replies are read, on a folder of mails whose replies are known."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import click
from rich.console import Console
from rich.table import Table

from pbem.cli.progress import with_progress
from pbem.mail.body import read_body
from pbem.mail.parts import read_message
from pbem.mail.reply import read_reply
from pbem.mail.scoring import IndexFault, Read, Reader, Score, read_index, score

_ROWS: Final[tuple[tuple[str, Callable[[Score], object]], ...]] = (
    ("mails", lambda found: found.mails),
    ("failures", lambda found: len(found.failures)),
    ("text lost", lambda found: len(found.lost)),
    ("quoted text leaked", lambda found: len(found.leaked)),
    ("elided tails kept", lambda found: len(found.tails)),
    ("exact matches", lambda found: f"{found.exact} of {found.expected}"),
    ("with orders written in", lambda found: found.orders_tried),
    ("  found", lambda found: found.orders_found),
    ("  asked about", lambda found: len(found.orders_asked)),
    ("  lost", lambda found: len(found.orders_lost)),
    ("  others read too", lambda found: len(found.orders_foreign)),
    ("over 100 ms", lambda found: len(found.slow)),
    ("slowest mail", lambda found: f"{found.slowest[0] * 1000:.1f} ms"),
    ("all mails", lambda found: f"{found.seconds:.2f} s"),
)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The figures and the files behind them.")
@click.option("--alone", is_flag=True, help="Do not measure other libraries beside it.")
def mailcheck(folder: Path, as_json: bool, alone: bool) -> None:
    """Score the reading of replies on the mails in FOLDER.

    FOLDER has an INDEX.json with a list "entries": for each mail its "file", "format" ("text",
    "html" or "eml"), what it "must_contain" and "must_not_contain", and if known the "expected"
    text and the "elided_tail", the last line that does not belong to it.

    The reply text of each mail is also replaced by orders, which have to be found, and nothing
    else. Where mail-parser-reply and email-reply-parser are installed (the extra "mailcheck") they
    are measured in the same run.

    The exit code is 1 when text was lost, quoted text leaked, or a mail failed or took too long.
    """
    try:
        entries = read_index(folder)
    except IndexFault as fault:
        raise click.ClickException(f"{fault}.") from None
    readers: dict[str, Reader] = {"pbem": _read}
    if not alone:
        readers |= _others()
    scores = [
        score(name, read, folder, list(with_progress(entries, name)))
        for name, read in readers.items()
    ]
    if as_json:
        click.echo(json.dumps([_plain(found) for found in scores], indent=1, ensure_ascii=False))
    else:
        _show(scores)
    if scores[0].is_hard_rule_broken:
        sys.exit(1)


def _read(mail: bytes) -> Read:
    reply = read_reply(mail)
    return Read(reply.text, asks=not reply.is_certain)


def _others() -> dict[str, Reader]:
    """The libraries that are installed; they read text, so they get the text of the mail."""
    found: dict[str, Reader] = {}
    if find_spec("mailparser_reply"):
        languages = ["en", "de", "cs", "da", "es", "fr", "it", "ja", "ko", "nl", "pl", "sv", "zh"]
        parser = import_module("mailparser_reply").EmailReplyParser(languages=languages)
        found["mail-parser-reply"] = lambda mail: Read(
            str(parser.parse_reply(text=_text_of(mail)) or "")
        )
    if find_spec("email_reply_parser"):
        other = import_module("email_reply_parser").EmailReplyParser
        found["email-reply-parser"] = lambda mail: Read(str(other.parse_reply(_text_of(mail))))
    return found


def _text_of(mail: bytes) -> str:
    return "\n".join(line.raw for line in read_body(read_message(mail)).lines)


def _plain(found: Score) -> dict[str, Any]:
    return {
        "reader": found.reader,
        "mails": found.mails,
        "hard_rule_broken": found.is_hard_rule_broken,
        "failures": found.failures,
        "lost": found.lost,
        "leaked": found.leaked,
        "tails_kept": found.tails,
        "exact": found.exact,
        "expected": found.expected,
        "orders": {
            "tried": found.orders_tried,
            "found": found.orders_found,
            "asked": found.orders_asked,
            "lost": found.orders_lost,
            "others_read": found.orders_foreign,
        },
        "over_100_ms": found.slow,
        "slowest_ms": round(found.slowest[0] * 1000, 2),
        "slowest_file": found.slowest[1],
        "seconds": round(found.seconds, 3),
    }


def _show(scores: list[Score]) -> None:
    table = Table(show_lines=False, pad_edge=False)
    table.add_column("")
    for found in scores:
        table.add_column(found.reader, justify="right")
    for heading, figure in _ROWS:
        table.add_row(heading, *(str(figure(found)) for found in scores))
    Console().print(table)
    first = scores[0]
    for heading, files in (
        ("failed", first.failures),
        ("text lost", first.lost),
        ("quoted text leaked", first.leaked),
        ("orders lost", first.orders_lost),
        ("other orders read", first.orders_foreign),
        ("over 100 ms", first.slow),
    ):
        for file in files:
            click.echo(f"{heading}: {file}")

"""``pbem ingest``: a mail on standard input, from the pipe of a mail server."""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NoReturn

import click

_OK: Final = 0
_DATA_ERROR: Final = 65
_NO_USER: Final = 67
_TRY_LATER: Final = 75
_NOBODY: Final = ("MAILER-DAEMON", "<>")


class _LaterError(click.UsageError):
    """A fault in the words of the command."""

    exit_code = _TRY_LATER


class _Patient(click.Command):
    """A command that a mail server runs: what the operator wrote wrongly must not cost a mail."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """As always, but a fault in the words is one to try again after."""
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            raise _LaterError(error.message, error.ctx) from None


@click.command(cls=_Patient)
@click.option("--recipient", "recipients", multiple=True, metavar="ADDRESS", help="Whom it is for.")
@click.option("--sender", metavar="ADDRESS", help='Whom it is from; "" for the empty return-path.')
def ingest(recipients: tuple[str, ...], sender: str | None) -> NoReturn:
    """Take a mail from standard input and store it.

    For the pipe of a mail server, which is told by the exit code what to do: 0 the mail is stored,
    75 try again later, 67 there is no such recipient, 65 the mail is too large.

    Without --recipient it is what Postfix or Exim tell in the environment, or else stands in the
    headers Delivered-To, X-Original-To and To. Without --sender it is $SENDER or Return-Path.
    """
    try:
        code, told = _take(sys.stdin.buffer, recipients, sender)
    except Exception as error:  # whatever it is, the mail server has the mail and keeps it
        code, told = _TRY_LATER, f"try again later: {type(error).__name__}: {error}"
    if code:
        click.echo(told, err=True)
    sys.exit(code)


def _take(file: Any, recipients: tuple[str, ...], sender: str | None) -> tuple[int, str]:
    from datetime import UTC, datetime  # noqa: PLC0415

    from pbem.bootstrap import make_office, open_surroundings  # noqa: PLC0415
    from pbem.config import read_settings  # noqa: PLC0415
    from pbem.mail.envelope import recipients_in, sender_in  # noqa: PLC0415
    from pbem.mail.parts import MAX_MAIL, read_headers  # noqa: PLC0415
    from pbem.mail.receive import receive  # noqa: PLC0415

    raw = file.read(MAX_MAIL + 1)
    settings = read_settings()
    office = make_office(settings)
    headers = read_headers(raw)
    recipients = recipients or _told_recipients() or recipients_in(headers, office)
    told = os.environ.get("SENDER") if sender is None else sender
    if told is not None and told.upper() in _NOBODY:
        told = ""
    with open_surroundings(settings) as around:
        receipts = receive(
            around,
            office,
            recipients,
            raw,
            sender=sender_in(headers) if told is None else told,
            via="pipe",
            now=datetime.now(UTC),
        )
    verdicts = {receipt.verdict for receipt in receipts}
    if "later" in verdicts:
        return _TRY_LATER, "the mail could not be stored now"
    if "too_large" in verdicts:
        return _DATA_ERROR, f"the mail has more than {MAX_MAIL} bytes"
    return (_OK, "") if "stored" in verdicts else (_NO_USER, "there is no such recipient here")


def _told_recipients() -> tuple[str, ...]:
    """The recipient in the environment: Postfix's original one, or Exim's parts of it."""
    environ = os.environ
    told = environ.get("ORIGINAL_RECIPIENT") or environ.get("RECIPIENT")
    if not told and environ.get("LOCAL_PART") and environ.get("DOMAIN"):
        told = "".join(
            (
                environ.get("LOCAL_PART_PREFIX", ""),
                environ["LOCAL_PART"],
                environ.get("LOCAL_PART_SUFFIX", ""),
                "@",
                environ["DOMAIN"],
            )
        )
    return (told,) if told else ()

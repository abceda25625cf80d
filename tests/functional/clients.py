"""How mail programs write a reply: each with its own way of quoting, taken from their habits.

A client gets what the player wrote and the mail it answers, and makes a whole mail of it: Reply-To,
In-Reply-To, References, text and HTML. Nothing of the server under test is used here.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from tests.functional.mails import Mail


@dataclass(frozen=True)
class Sheet:
    """Who writes what, when, in answer to which mail."""

    name: str
    address: str
    text: str
    at: datetime
    message_id: str
    original: Mail

    @property
    def sender(self) -> str:
        """The sender of the original as programs show it."""
        return f"{self.original.from_name} <{self.original.from_address}>"


Client = Callable[[Sheet], EmailMessage]


def _reply(sheet: Sheet) -> EmailMessage:
    """The headers that every client writes."""
    message = EmailMessage(policy=policy.SMTP)
    original = sheet.original
    message["From"] = f"{sheet.name} <{sheet.address}>"
    message["To"] = original.reply_to
    subject = original.subject
    message["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    message["Date"] = format_datetime(sheet.at)
    message["Message-ID"] = sheet.message_id
    message["In-Reply-To"] = original.message_id
    message["References"] = f"{original.references} {original.message_id}".strip()
    return message


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" if line else ">" for line in text.splitlines())


def _paragraphs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())


def _inner_html(original: Mail) -> str:
    """What a client copies of the original: the body, without its head."""
    if original.html is None:
        return f"<pre>{html.escape(original.text)}</pre>"
    found = re.search(r"<body[^>]*>(.*)</body>", original.html, re.DOTALL | re.IGNORECASE)
    return found[1] if found else original.html


def gmail(sheet: Sheet) -> EmailMessage:
    """Gmail on the web: text on top, attribution, the original marked below."""
    message = _reply(sheet)
    stamp = f"{sheet.at:%a, %b} {sheet.at.day}, {sheet.at:%Y at %I:%M %p}".replace(" 0", " ")
    attribution = f"On {stamp} {sheet.sender}\nwrote:"
    message.set_content(f"{sheet.text}\n\n{attribution}\n\n{_quoted(sheet.original.text)}\n")
    message.add_alternative(
        f'<div dir="ltr">{_paragraphs(sheet.text)}</div><br>'
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">'
        f"{html.escape(attribution)}<br></div>"
        '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;'
        'border-left:1px solid rgb(204,204,204);padding-left:1ex">'
        f"{_inner_html(sheet.original)}</blockquote></div>\n",
        subtype="html",
    )
    return message


def outlook(sheet: Sheet) -> EmailMessage:
    """Outlook: text on top, a block of headers, the original unmarked below."""
    message = _reply(sheet)
    original = sheet.original
    stamp = f"{sheet.at:%A, %B} {sheet.at.day}, {sheet.at:%Y %I:%M %p}"
    block = [
        ("From", sheet.sender),
        ("Sent", stamp),
        ("To", f"{sheet.name} <{sheet.address}>"),
        ("Subject", original.subject),
    ]
    lines = "\n".join(f"{name}: {value}" for name, value in block)
    message.set_content(f"{sheet.text}\n\n{'_' * 32}\n{lines}\n\n{original.text}\n")
    shown = "<br>".join(f"<b>{name}:</b> {html.escape(value)}" for name, value in block)
    message.add_alternative(
        f'<html><body><div class="WordSection1">{_paragraphs(sheet.text)}</div>'
        '<hr style="display:inline-block;width:98%" tabindex="-1">'
        f'<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">{shown}</font></div>'
        f"<div>{_inner_html(original)}</div></body></html>\n",
        subtype="html",
    )
    return message


def apple_mail(sheet: Sheet) -> EmailMessage:
    """Apple Mail: the attribution itself is marked."""
    message = _reply(sheet)
    attribution = f"On {sheet.at.day} {sheet.at:%b %Y, at %H:%M}, {sheet.sender} wrote:"
    marked = _quoted(f"{attribution}\n\n{sheet.original.text}")
    message.set_content(f"{sheet.text}\n\n\n{marked}\n")
    message.add_alternative(
        '<html><head></head><body style="overflow-wrap: break-word;">'
        f'{_paragraphs(sheet.text)}<div><br><blockquote type="cite"><div>'
        f"{html.escape(attribution)}</div><br><div>{_inner_html(sheet.original)}</div>"
        "</blockquote></div><br></body></html>\n",
        subtype="html",
    )
    return message


def thunderbird(sheet: Sheet) -> EmailMessage:
    """Thunderbird, plain text, with the answer below the quote."""
    message = _reply(sheet)
    attribution = f"On {sheet.at:%m/%d/%y %H:%M}, {sheet.original.from_name} wrote:"
    body = f"{attribution}\n{_quoted(sheet.original.text)}\n\n{sheet.text}\n"
    message.set_content(body, cte="quoted-printable")
    message.set_param("format", "flowed")
    return message


def phone(sheet: Sheet) -> EmailMessage:
    """A phone: one alternative less, a signature nobody wrote, the original marked."""
    message = _reply(sheet)
    attribution = f"On {sheet.at.day} {sheet.at:%b %Y, at %H:%M}, {sheet.sender} wrote:"
    marked = _quoted(f"{attribution}\n\n{sheet.original.text}")
    message.set_content(f"{sheet.text}\n\nSent from my iPhone\n\n{marked}\n", cte="base64")
    return message


def html_only(sheet: Sheet) -> EmailMessage:
    """A web mail that writes no plain text at all."""
    message = _reply(sheet)
    message.set_content(
        f"<html><body>{_paragraphs(sheet.text)}"
        f'<div class="yahoo_quoted"><div>On {sheet.at:%A, %B %d, %Y}, {html.escape(sheet.sender)} '
        f"wrote:</div><div>{_inner_html(sheet.original)}</div></div></body></html>\n",
        subtype="html",
    )
    return message


def bare(sheet: Sheet) -> EmailMessage:
    """No quote at all, as a mail that a link has begun."""
    message = _reply(sheet)
    message.set_content(f"{sheet.text}\n")
    return message


CLIENTS: Final[dict[str, Client]] = {
    each.__name__: each
    for each in (gmail, outlook, apple_mail, thunderbird, phone, html_only, bare)
}

"""A mail of ours as a mail program sees it: headers, text, HTML, pictures, attachments, links."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from functools import cached_property, lru_cache
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urlsplit

from tests.functional.sink import Delivered


@dataclass(frozen=True)
class Mailto:
    """A link that begins a mail."""

    address: str
    subject: str
    body: str


@dataclass(frozen=True)
class Mail:
    """One delivered mail. What is asked for and missing is an empty text, as in a program."""

    delivered: Delivered
    message: EmailMessage = field(init=False, repr=False)

    def __post_init__(self) -> None:
        message = message_from_bytes(self.delivered.raw, policy=policy.default)
        object.__setattr__(self, "message", message)

    def header(self, name: str) -> str:
        """A header as it is shown."""
        return str(self.message.get(name, ""))

    @property
    def subject(self) -> str:
        return self.header("Subject")

    @property
    def message_id(self) -> str:
        return self.header("Message-ID")

    @property
    def references(self) -> str:
        return self.header("References")

    @property
    def from_name(self) -> str:
        return parseaddr(self.header("From"))[0]

    @property
    def from_address(self) -> str:
        return parseaddr(self.header("From"))[1]

    @property
    def reply_to(self) -> str:
        """Where a program sends the answer."""
        return parseaddr(self.header("Reply-To") or self.header("From"))[1]

    @cached_property
    def text(self) -> str:
        """The plain text."""
        part = self.message.get_body(("plain",))
        return "" if part is None else str(part.get_content()).replace("\r\n", "\n")

    @cached_property
    def html(self) -> str | None:
        """The HTML."""
        part = self.message.get_body(("html",))
        return None if part is None else str(part.get_content())

    @cached_property
    def attachments(self) -> dict[str, bytes]:
        """What hangs on the mail, by name."""
        found = {}
        for part in self.message.iter_attachments():
            name = part.get_filename()
            if name is not None and part.get_content_disposition() == "attachment":
                found[name] = part.get_payload(decode=True) or b""
        return found  # type: ignore[return-value]

    @cached_property
    def links(self) -> list[str]:
        """Where the HTML leads."""
        reader = _Links()
        reader.feed(self.html or "")
        return reader.found

    @property
    def mailtos(self) -> list[Mailto]:
        """The links that begin a mail."""
        return [read_mailto(link) for link in self.links if link.startswith("mailto:")]

    @property
    def pages(self) -> list[str]:
        """The links that open a page, of both parts, each once."""
        urls = [link for link in self.links if link.startswith("http")]
        urls += re.findall(r"https?://[^\s<>\"]+", self.text)
        return list(dict.fromkeys(urls))

    @cached_property
    def words(self) -> str:
        """All that can be read in it: subject, text, and the HTML without its tags."""
        reader = _Words()
        reader.feed(self.html or "")
        return "\n".join((self.subject, self.text, *reader.found))


@lru_cache(maxsize=10_000)
def read_mail(delivered: Delivered) -> Mail:
    """The mail in what was delivered; taken apart once."""
    return Mail(delivered)


def read_mailto(link: str) -> Mailto:
    """What a mail program makes of a link."""
    parts = urlsplit(link)
    query = parse_qs(parts.query.replace("+", "%2B"))
    return Mailto(
        unquote(parts.path), "".join(query.get("subject", [])), "".join(query.get("body", []))
    )


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.found += [value for name, value in attrs if name == "href" and value]


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in ("style", "script")
        self.found += [value for name, value in attrs if name in ("alt", "title") and value]

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._hidden and data.strip():
            self.found.append(data.strip())

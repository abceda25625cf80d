"""Mails that nearly are what they say, as small builders: senders, results of servers, reports.

Every value is a header or a mail as some program writes it, or as
somebody writes it who knows how others read.
"""

from __future__ import annotations

from collections.abc import Sequence

AUTHSERV = "mx.play.example.org"
"""The server whose results count in these tests."""

HONEST_SENDERS = {
    "bare": "{ann}",
    "with name": "Ann <{ann}>",
    "capitals": "ANN <{ANN}>",
    "name in quotes": '"Ann, the \\"Fox\\"" <{ann}>',
    "comment behind": "{ann} (Ann)",
    "comment in comment": "Ann (the (old) one) <{ann}>",
    "address as its own name": "{ann} <{ann}>",
    "address as its own name in quotes": '"{ann}" <{ann}>',
    "encoded name": "=?utf-8?q?=C3=84nn?= <{ann}>",
    "name with a comma": "Smith, Ann <{ann}>",
    "local part in quotes": '"{local}"@{host}',
    "blanks in the angles": "Ann < {ann} >",
    "folded": "Ann\r\n <{ann}>",
    "bytes above ASCII": "\u00c4nn <{ann}>",
}
"""Ann, as mail programs write her."""

FALSE_SENDERS = {
    "a letter that becomes another": "{local}@\u017fomething.example.org",
    "name that is another address": "{ann} <mallory@example.net>",
    "angles inside an encoded word": "=?utf-8?q?<{ann}>?= <mallory@example.net>",
    "comment inside the address": "{local}(x)@{host}",
    "comment across the at": "{local}@(x){host}",
    "blank inside the address": "{local} @{host}",
    "escaped bracket": "mallory@example.net (\\) <{ann}>",
    "comment left open": "{ann} (mallory@example.net",
    "NUL in the domain": "{local}@exa\0mple.org",
    "full width dot": "{local}@example\uff0eorg",
    "letters above each other": "{local}@example\u0301.org",
    "group inside angles": "<x: {ann};>",
    "quoted at": '"{ann}"',
    "newline in quotes": '"{local}\n"@{host}',
}


def sender(pattern: str, address: str = "ann@example.org") -> str:
    """A From of one of the patterns above."""
    local, _, host = address.partition("@")
    return pattern.format(ann=address, ANN=address.upper(), local=local, host=host)


HIDDEN_FAILS = {
    "behind a thousand signatures": [
        "{id}; " + "dkim=pass header.d=example.net; " * 1000 + "dmarc=fail"
    ],
    "behind a bracket of the sender's": ["{id}; spf=pass smtp.mailfrom=x)@example.net; dmarc=fail"],
    "behind a quote of the sender's": ['{id}; spf=pass smtp.mailfrom=x"@example.net; dmarc=fail'],
    "twice, the first a pass": ["{id}; dmarc=pass; dmarc=fail"],
    "below a header without DMARC": ["{id}; spf=pass", "{id}; dmarc=fail"],
    "comment between": ["{id}; (x) dmarc (y) = (z) fail"],
    "name in quotes": ['"{id}"; dmarc=fail'],
}
"""Values of Authentication-Results in which the fail must be found."""

FALSE_PASSES = {
    "in the quoted sender of the envelope": [
        '{id}; spf=pass smtp.mailfrom="x; dmarc=pass"@example.net'
    ],
    "in a comment": ["{id}; spf=pass (; dmarc=pass)"],
    "below ours": ["{id}; spf=pass", "{id}; dmarc=pass"],
    "of a longer name": ["{id}.example.net; dmarc=pass"],
    "of a name before": ["example.net {id}; dmarc=pass"],
    "of another method": ["{id}; x-dmarc=pass"],
    "of another result": ["{id}; dmarc=pass-by-default", "{id}; dmarc=bestguesspass"],
    "of no server": ["; dmarc=pass"],
}
"""Values that must not count as a pass."""


def results(values: Sequence[str], authserv: str = AUTHSERV) -> list[tuple[str, str]]:
    """Headers of one of the values above, the topmost first."""
    return [("Authentication-Results", value.format(id=authserv)) for value in values]


def mail(*headers: tuple[str, str], body: str = "") -> bytes:
    """A mail of these headers."""
    block = "".join(f"{name}: {value}\r\n" for name, value in headers)
    return f"{block}\r\n{body}".encode("utf-8", "surrogatepass")


def report(
    *recipients: str, reporter: str = "dns; mx.example.org", more: Sequence[tuple[str, str]] = ()
) -> bytes:
    """A delivery report; each recipient is a group of fields, with line breaks between."""
    groups = "".join(f"{group.strip()}\r\n\r\n" for group in recipients)
    return mail(
        ("From", "MAILER-DAEMON@mx.example.org"),
        ("Subject", "Undelivered Mail Returned to Sender"),
        ("Auto-Submitted", "auto-replied"),
        ("MIME-Version", "1.0"),
        ("Content-Type", 'multipart/report; report-type=delivery-status; boundary="b"'),
        *more,
        body=(
            "--b\r\nContent-Type: text/plain\r\n\r\nIt did not arrive.\r\n"
            "--b\r\nContent-Type: message/delivery-status\r\n\r\n"
            f"Reporting-MTA: {reporter}\r\n\r\n{groups}"
            "--b\r\nContent-Type: message/rfc822\r\n\r\n"
            "Subject: Your turn\r\n\r\nStatus: 5.9.9\r\n--b--\r\n"
        ),
    )


def failed(address: str, status: str = "5.1.1", action: str = "failed") -> str:
    """One recipient of a report."""
    return f"Final-Recipient: rfc822; {address}\r\nAction: {action}\r\nStatus: {status}"


def qmail_bounce() -> bytes:
    """A bounce of a server that knows no reports."""
    return mail(
        ("From", "MAILER-DAEMON@mx.example.org"),
        ("Subject", "failure notice"),
        body="Hi. This is the qmail-send program at mx.example.org.\r\nI'm afraid I wasn't able to "
        "deliver your message.\r\n\r\n<ann@example.org>:\r\nuser unknown\r\n",
    )


def exim_bounce(address: str = "ann@example.org") -> bytes:
    """A bounce of an old server that says it is an automatic reply."""
    return mail(
        ("From", "Mail Delivery System <Mailer-Daemon@mx.example.org>"),
        ("Auto-Submitted", "auto-replied"),
        ("X-Failed-Recipients", address),
        ("Subject", "Mail delivery failed: returning message to sender"),
        body="This message was created automatically by mail delivery software.\r\n",
    )


def away(address: str = "ann@example.org", *, says_so: bool = True) -> bytes:
    """Somebody is away; some programs do not say that a program wrote it."""
    marks = [("Auto-Submitted", "auto-replied (vacation)")] if says_so else []
    return mail(
        ("From", f"Ann <{address}>"),
        ("Subject", "Out of office: your turn"),
        *marks,
        body="I am away until Monday.\r\n",
    )

"""Mails by machines (L5): automatic answers, lists, loops, bounces that were never ours. Most hold
a legal order and come from Ann's address with her token: a machine still may not play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.mail.hostile.cases import Case, Headers, Recipients, World, mail, multipart

Make = Callable[[World], bytes]

SIGNS: dict[str, Headers] = {
    "Auto-Submitted auto-replied": [("Auto-Submitted", "auto-replied")],
    "Auto-Submitted auto-generated": [("Auto-Submitted", "auto-generated")],
    "Auto-Submitted auto-notified": [
        ("Auto-Submitted", 'auto-notified; owner-email="x@y.example"')
    ],
    "Auto-Submitted in capitals": [("AUTO-SUBMITTED", "AUTO-REPLIED")],
    "Auto-Submitted with parameters": [("Auto-Submitted", "auto-replied (vacation); x=y")],
    "Auto-Submitted with comment first": [("Auto-Submitted", "(no) auto-replied")],
    "Auto-Submitted folded": [("Auto-Submitted", "\r\n auto-replied")],
    "Auto-Submitted unknown": [("Auto-Submitted", "yes")],
    "Auto-Submitted twice": [("Auto-Submitted", "no"), ("Auto-Submitted", "auto-replied")],
    "Auto-Submitted no longer": [("Auto-Submitted", "no-longer")],
    "Precedence bulk": [("Precedence", "bulk")],
    "Precedence list": [("Precedence", "list")],
    "Precedence junk": [("Precedence", "junk")],
    "Precedence auto_reply": [("Precedence", "auto_reply")],
    "Precedence in capitals": [("PRECEDENCE", "Bulk")],
    "List-Id": [("List-Id", "A list <list.example.com>")],
    "List-Id without name": [("List-ID", "<list.example.com>")],
    "X-Autoreply": [("X-Autoreply", "yes")],
    "X-Autorespond": [("X-Autorespond", "out of office")],
    "X-Autoreply empty": [("X-Autoreply", "")],
}


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    for name, headers in SIGNS.items():
        yield Case(f"machine: {name}", _signed(headers), sender="ann@example.org", may_hear=())
    yield Case("machine: empty return-path", mail, sender="", may_hear=())
    yield Case(
        "machine: out of office",
        lambda world: mail(
            world,
            f"I am away until 20 November.\n\n{world.order}\n",
            Subject=f"Automatic reply: {world.subject}",
            more=[("Auto-Submitted", "auto-replied"), ("X-Auto-Response-Suppress", "All")],
        ),
        sender="",
        may_hear=(),
    )
    yield from _loops()
    yield from _bounces()


def _signed(headers: Headers) -> Make:
    return lambda world: mail(world, more=headers)


def _loops() -> Iterator[Case]:
    """What we sent comes back."""
    for name, sender in (("as it is", "ann@example.org"), ("with no return-path", "")):
        yield Case(
            f"loop: our own mail {name}", lambda world: world.raw, sender=sender, may_hear=()
        )
    yield Case(
        "loop: our own mail, resent by Ann",
        lambda world: b"Resent-From: ann@example.org\r\n" + world.raw,
        sender="ann@example.org",
        may_hear=(),
    )
    for local in ("play", "join", "help", "director", "postmaster", "abuse"):
        yield Case(
            f"loop: from {local} to play",
            _from_service(local),
            to=lambda world: [f"play@{world.domain}"],
            sender=f"{local}@play.example.org",
            may_hear=(),
        )
    yield Case(
        "loop: from play to Ann's token",
        _from_service("play"),
        sender="play@play.example.org",
        may_hear=("ann",),
    )
    for local in ("mailer-daemon", "noreply", "no-reply", "postmaster"):
        yield Case(
            f"loop: from {local} elsewhere",
            _from_stranger(local),
            to=lambda world: [f"help@{world.domain}"],
            sender="",
            may_hear=(),
        )
    yield Case(
        "loop: the same automatic answer fifty times",
        _signed([("Auto-Submitted", "auto-replied")]),
        sender="",
        may_hear=(),
        times=50,
    )
    yield Case(
        "loop: somebody else with Ann's token, fifty times",
        lambda world: mail(world, From="Mallory <mallory@example.net>"),
        times=50,
    )


def _from_service(local: str) -> Make:
    return lambda world: mail(world, From=f"{local}@{world.domain}")


def _from_stranger(local: str) -> Make:
    return lambda world: mail(world, From=f"{local}@example.com", In_Reply_To=None, References=None)


def report(
    world: World, *, status: str = "5.1.1", action: str = "failed", recipient: str | None = None
) -> bytes:
    """A delivery report as mail servers write them."""
    told = (
        "Reporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; {recipient or world.ann}\nAction: {action}\nStatus: {status}\n"
    )
    return multipart(
        world,
        [
            ("Content-Type: text/plain", "Your mail could not be delivered."),
            ("Content-Type: message/delivery-status", told),
            ("Content-Type: text/rfc822-headers", f"Message-ID: {world.message_id}\n"),
        ],
        kind='report; report-type="delivery-status"',
        From="MAILER-DAEMON@example.org",
        Subject="Undelivered Mail Returned to Sender",
        In_Reply_To=None,
        References=None,
        Auto_Submitted="auto-replied",
    )


def _bounces() -> Iterator[Case]:
    """Delivery reports that nobody's server wrote about a mail of ours."""

    def wrong_mac(world: World) -> list[str]:
        local, _, host = world.bounce.partition("@")
        return [f"{local[:-1]}{'b' if local[-1] == 'a' else 'a'}@{host}"]

    def other_letter(world: World) -> list[str]:
        head, number, rest = _split(world.bounce)
        return [f"{head}.{number + 1}-{rest}"]

    def later_day(world: World) -> list[str]:
        head, number, rest = _split(world.bounce)
        day, _, mac = rest.partition("-")
        return [f"{head}.{number}-{int(day) + 30}-{mac}"]

    addresses: dict[str, Recipients] = {
        "wrong seal": wrong_mac,
        "another letter's number": other_letter,
        "a later day": later_day,
        "expired": lambda world: [world.old_bounce],
        "no seal": lambda world: [f"bounce.1-2500@{world.domain}"],
        "nonsense": lambda world: [f"bounce.nonsense@{world.domain}"],
        "huge number": lambda world: [f"bounce.{'9' * 18}-999999-{'a' * 20}@{world.domain}"],
        "Ann's token": lambda world: [world.reply],
        "a service address": lambda world: [f"play@{world.domain}"],
        "postmaster": lambda world: [f"postmaster@{world.domain}"],
    }
    for name, to in addresses.items():
        for sender in ("", "mailer-daemon@example.net"):
            shown = "empty" if not sender else "some"
            yield Case(
                f"bounce: to {name}, {shown} return-path",
                report,
                to=to,
                sender=sender,
                may_hear=(),
            )
    contents: dict[str, Make] = {
        "orders instead of a report": mail,
        "delivered": lambda world: report(world, status="2.0.0", action="delivered"),
        "relayed": lambda world: report(world, status="2.0.0", action="relayed"),
        "status is nonsense": lambda world: report(world, status="five", action="?"),
    }
    for name, make in contents.items():
        yield Case(
            f"bounce: right address, {name}",
            make,
            to=lambda world: [world.bounce],
            sender="",
            may_hear=(),
            may_change=("address_health",),  # what cannot be read counts as a failure for now
        )


def _split(address: str) -> tuple[str, int, str]:
    head, _, signed = address.partition(".")
    number, _, rest = signed.partition("-")
    return head, int(number), rest

"""Mails by others than they say (L3): a legal order each time, and none may be played. Only Ann, at
her verified addresses, may hear of a mail that has her token.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from tests.mail.hostile.cases import MALLORY, Case, Headers, Recipients, World, mail

Make = Callable[[World], bytes]

SENDERS: dict[str, str] = {
    "somebody else": "Mallory <mallory@example.net>",
    "the opponent": "Beau <{beau}>",
    "address not verified": "Ann <{unverified}>",
    "address as name": '"{ann}" <mallory@example.net>',
    "address as name without quotes": "{ann} <mallory@example.net>",
    "address as comment": "mallory@example.net ({ann})",
    "comment first": "({ann}) mallory@example.net",
    "address in encoded word": "=?utf-8?q?Ann_=3C{ann_q}=3E?= <mallory@example.net>",
    "whole address encoded": "=?utf-8?q?{ann_q}?=",
    "encoded inside angles": "<=?utf-8?q?{ann_q}?=>",
    "two addresses": "Ann <{ann}>, mallory@example.net",
    "two addresses, other first": "mallory@example.net, Ann <{ann}>",
    "the same address twice": "{ann}, {ann}",
    "group": "players: {ann};",
    "group of two": "players: {ann}, mallory@example.net;",
    "group without members": "{ann}:;",
    "angles in angles": "<<{ann}>>",
    "two pairs of angles": "<{ann}> <mallory@example.net>",
    "angles after angles": "Ann <mallory@example.net><{ann}>",
    "quote left open": '"Ann <{ann}> <mallory@example.net>',
    "escaped quote": '"\\" <{ann}>" <mallory@example.net>',
    "route": "<@example.net,@example.com:{ann}.evil.example>",
    "longer domain": "{ann}.evil.example",
    "longer local part": "x{ann}",
    "plus in local part": "{local}+x@{host}",
    "dot in local part": "a.nn@{host}",
    "no domain": "{local}",
    "empty domain": "{local}@",
    "no local part": "@{host}",
    "domain literal": "{local}@[127.0.0.1]",
    "percent": "{local}%{host}@example.net",
    "bang": "{host}!{local}@example.net",
    "NUL before domain": "{ann}\0@example.net",
    "NUL behind": "mallory@example.net\0 <{ann}>",
    "Cyrillic letter": "Ann <\u0430nn@{host}>",
    "full width": "Ann <\uff41nn@{host}>",
    "zero width": "Ann <a\u200bnn@{host}>",
    "soft hyphen": "Ann <a\u00adnn@{host}>",
    "direction override": "Ann <\u202egro.elpmaxe@nna\u202c>",
    "domain in other letters": "Ann <{local}@ex\u00e4mple.org>",
    "domain in punycode": "Ann <{local}@xn--exmple-cua.org>",
    "other at signs": "Ann <{local}\uff20{host}>",
    "empty": "",
    "empty angles": "<>",
    "only a name": "Ann",
    "semicolon": "{ann}; mallory@example.net",
    "source route of ours": "<@play.example.org:{ann}@example.net>",
    "a list's rewriting": "Ann via list <list@example.com>",
    "postmaster of ours": "postmaster@play.example.org",
    "service address of ours": "play@play.example.org",
    "reply address of ours": "{reply}",
}

SECOND_FROM: dict[str, Headers] = {
    "two From, other first": [("From", MALLORY)],
    "two From, the same": [("From", "Ann <ann@example.org>")],
    "two From, other case": [("FROM", MALLORY)],
    "two From, blank before colon": [("From ", MALLORY)],
    "two From, tab before colon": [("From\t", MALLORY)],
    "two From, empty": [("From", "")],
    "three From": [("From", MALLORY), ("from", "x@example.com")],
}

ELSEWHERE: dict[str, Headers] = {
    name: [(name, "Ann <ann@example.org>")]
    for name in ("Sender", "Reply-To", "Resent-From", "X-Original-From", "Return-Path",
                 "X-Sender", "Errors-To", "X-Envelope-From", "Resent-Sender", "X-Google-Sender")
}  # fmt: skip

DAMAGES: dict[str, Callable[[str], str]] = {
    "first letter": lambda token: ("b" if token[0] == "a" else "a") + token[1:],
    "last letter": lambda token: token[:-1] + ("b" if token[-1] == "a" else "a"),
    "one missing": lambda token: token[:-1],
    "one more": lambda token: token + "a",
    "half": lambda token: token[:13],
    "reversed": lambda token: token[::-1],
    "all the same": lambda token: "a" * len(token),
    "figures for letters": lambda token: token.translate(str.maketrans("oil", "017")),
    "shifted": lambda token: token[1:] + token[0],
    "equals signs": lambda token: token + "====",
}


def from_header(value: str) -> Make:
    """A legal order under another sender's name."""

    def make(world: World) -> bytes:
        local, _, host = world.ann.partition("@")
        shown = value.format(
            ann=world.ann,
            ann_q=world.ann.replace("@", "=40"),
            beau=world.beau,
            unverified=world.ann_unverified,
            local=local,
            host=host,
            reply=world.reply,
        )
        return mail(world, From=shown)

    return make


def damaged(how: Callable[[str], str]) -> Recipients:
    """An address with a token that nearly is one."""
    return lambda world: [f"{world.stem}.{how(world.token)}@{world.domain}"]


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    for name, value in SENDERS.items():
        yield Case(f"spoof: {name}", from_header(value))
        if name in ("somebody else", "address as name", "two addresses"):
            right = f"spoof: {name}, right envelope"
            yield Case(right, from_header(value), sender="ann@example.org")
    for name, headers in SECOND_FROM.items():
        yield Case(f"spoof: {name}", _more(headers))
    for name, headers in ELSEWHERE.items():
        yield Case(f"spoof: Ann only in {name}", _more(headers, From=MALLORY))
    yield Case("spoof: no From", lambda world: mail(world, From=None), sender="ann@example.org")
    yield from _wrong_tokens()
    yield from _threads()
    yield from _results()


def _more(headers: Headers, **changed: str) -> Make:
    return lambda world: mail(world, more=headers, **changed)


def _wrong_tokens() -> Iterator[Case]:
    """Ann herself, or somebody in her name, with a token that does not open what she wants."""
    # Who writes to a service address may be somebody who wants to join, and is asked.
    joining: dict[str, Any] = {"may_hear": (MALLORY,), "may_change": ("players", "addresses")}
    no_thread: dict[str, Any] = {"In_Reply_To": None, "References": None}
    for name, how in DAMAGES.items():
        yield Case(
            f"token: {name}",
            lambda world: mail(world, **no_thread),
            to=damaged(how),
            sender="ann@example.org",
        )
        yield Case(
            f"token: {name}, somebody else",
            lambda world: mail(world, From=MALLORY, **no_thread),
            to=damaged(how),
        )
    closed: dict[str, Recipients] = {
        "of a closed request": lambda world: [world.old_reply],
        "of a game that is over": lambda world: [world.over_reply],
        "of the opponent": lambda world: [world.beau_reply],
        "of another game": lambda world: [world.other_reply],
    }
    for name, to in closed.items():
        for who in ("ann", "beau", "mallory"):
            may_hear = {"of the opponent": ("beau",), "of another game": ("other",)}
            yield Case(
                f"token {name}, from {who}",
                _from(who, **no_thread),
                to=to,
                may_hear=("ann", *may_hear.get(name, ())),
            )
    yield Case(
        "token: in the subject only",
        lambda world: mail(world, From=MALLORY, Subject=world.reply, **no_thread),
        to=lambda world: [f"play@{world.domain}"],
        **joining,
    )
    yield Case(
        "token: in the text only",
        lambda world: mail(world, f"{world.reply}\n{world.order}\n", From=MALLORY, **no_thread),
        to=lambda world: [f"play@{world.domain}"],
        **joining,
    )
    for name in ("To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To"):
        yield Case(
            f"token: in {name} only",
            _more_to(name),
            to=lambda world: [f"play@{world.domain}"],
            **joining,
        )
    yield Case(
        "token: Ann's and Beau's at once",
        lambda world: mail(world, From=MALLORY),
        to=lambda world: [world.reply, world.beau_reply],
        may_hear=("ann", "beau"),
    )
    yield Case(
        "token: twenty guesses in one mail",
        lambda world: mail(world, From=MALLORY, **no_thread),
        to=lambda world: [
            f"{world.stem}.{'abcdefghijklmnopqrstuvwxyz234567'[number % 32] * 26}@{world.domain}"
            for number in range(20)
        ],
        may_hear=(),
    )


def _from(who: str, **changed: Any) -> Make:
    def make(world: World) -> bytes:
        known = {"ann": world.ann, "beau": world.beau, "mallory": MALLORY}
        return mail(world, From=known[who], **changed)

    return make


def _more_to(name: str) -> Make:
    def make(world: World) -> bytes:
        return mail(
            world, From=MALLORY, To=None, In_Reply_To=None, References=None,
            more=[(name, world.reply)],
        )  # fmt: skip

    return make


def _threads() -> Iterator[Case]:
    """The address says nothing, and In-Reply-To or References lead to a letter."""
    to_service: Recipients = lambda world: [f"play@{world.domain}"]  # noqa: E731
    for field in ("In_Reply_To", "References"):
        for letter in ("message_id", "beau_message_id", "other_message_id"):
            yield Case(
                f"thread: {field} of {letter}, from somebody else",
                _thread(field, letter, MALLORY),
                to=to_service,
                may_hear=("ann", "beau", "other"),
            )
        yield Case(
            f"thread: {field} of the opponent's letter, from Ann",
            _thread(field, "beau_message_id", "ann@example.org"),
            to=to_service,
            may_hear=("ann", "beau"),
        )
        yield Case(
            f"thread: {field} of a closed request, from Ann",
            _thread(field, "old_message_id", "ann@example.org"),
            to=to_service,
        )
    yield Case(
        "thread: damaged token and the thread of another",
        _thread("In_Reply_To", "beau_message_id", "ann@example.org"),
        to=damaged(DAMAGES["half"]),
        may_hear=("ann", "beau"),
    )


def _thread(field: str, letter: str, sender: str) -> Make:
    def make(world: World) -> bytes:
        changed: dict[str, Any] = {"In_Reply_To": None, "References": None}
        changed[field] = str(getattr(world, letter))
        return mail(world, From=sender, To=None, **changed)

    return make


RESULTS: dict[str, list[str]] = {
    "fail": ["{id}; dmarc=fail header.from=example.org"],
    "fail in capitals": ["{id}; DMARC=FAIL header.from=example.org"],
    "fail with version": ["{id} 1; dmarc=fail header.from=example.org"],
    "fail with reason": ['{id}; dmarc=fail reason="p=reject" header.from=example.org'],
    "fail with comment": ["{id} (our filter); dmarc (x) = (y) fail header.from=example.org"],
    "fail folded": ["{id};\r\n dkim=pass header.d=example.com;\r\n\tdmarc=fail\r\n header.from=x"],
    "fail last of many": ["{id}; spf=pass; dkim=pass; arc=pass; dmarc=fail"],
    "fail, and a pass from elsewhere above": ["evil.example; dmarc=pass", "{id}; dmarc=fail"],
    "fail, and a pass from elsewhere below": ["{id}; dmarc=fail", "evil.example; dmarc=pass"],
    "fail, and a forged pass below": ["{id}; dmarc=fail", "{id}; dmarc=pass"],
    "fail, and a forged pass above": ["{id}; dmarc=pass", "{id}; dmarc=fail"],
    "fail, and a pass in a comment": ["{id}; dmarc=fail (dmarc=pass)"],
    "fail, and a pass in a reason": ['{id}; dmarc=fail reason="; dmarc=pass"'],
    "fail in capitals of the id": ["{ID}; dmarc=fail"],
}


def _results() -> Iterator[Case]:
    """Authentication-Results (L3.3): those of our server hold a mail, nobody's raise trust."""
    for name, values in RESULTS.items():
        yield Case(
            f"results: {name}",
            _with_results(values, "Ann <ann@example.org>"),
            sender="ann@example.org",
            trust="token+from+dmarc",
            has_authserv=True,
        )
    for name, values in {
        "pass for somebody else": ["{id}; dmarc=pass header.from=example.net"],
        "pass by somebody else": ["evil.example; dmarc=pass header.from=example.org"],
        "pass without a name": ["; dmarc=pass header.from=example.org"],
        "pass, id in a comment": ["evil.example ({id}); dmarc=pass"],
    }.items():
        for has_authserv in (True, False):
            shown = "" if has_authserv else ", none configured"
            yield Case(
                f"results: {name}{shown}",
                _with_results(values, "Mallory <mallory@example.net>"),
                trust="token+from+dmarc" if has_authserv else "token+from",
                has_authserv=has_authserv,
            )


def _with_results(values: list[str], sender: str) -> Make:
    def make(world: World) -> bytes:
        shown = [value.format(id=world.authserv, ID=world.authserv.upper()) for value in values]
        return mail(world, From=sender, more=[("Authentication-Results", each) for each in shown])

    return make

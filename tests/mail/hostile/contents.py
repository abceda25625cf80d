"""Orders that Ann did not write now (L4.4), in mails that are hers in all other respects, and text
that tries to become something else: headers, links, mails to third parties.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator

from tests.mail.hostile.cases import VICTIM, Case, World, mail, multipart

Make = Callable[[World], bytes]

ATTRIBUTION = "On Mon, 16 Nov 2026 at 12:00, Ortus by mail <play@play.example.org> wrote:"

QUOTES: dict[str, str] = {
    "marked": "> {order}\n",
    "marked twice": ">> {order}\n> > {order}\n",
    "marked without blank": ">{order}\n",
    "below an attribution": "\n{attribution}\n\n> {order}\n",
    "unmarked below an attribution": "{attribution}\n\n{order}\n",
    "unmarked below Outlook's headers": (
        "From: Ortus <play@play.example.org>\nSent: Monday, 16 November 2026 12:00\n"
        "To: Ann\nSubject: Your turn\n\n{order}\n"
    ),
    "below Original Message": "-----Original Message-----\nFrom: Ortus\n\n{order}\n",
    "below a forward": "---------- Forwarded message ---------\nFrom: Beau\n\n{order}\n",
    "marked by a bar": "| {order}\n| {order}\n",
    "our whole text, unmarked": "{text}",
    "our whole text, marked": "{quoted}",
    "our line alone": "{line}\n",
    "our text and then nothing": "{attribution}\n{quoted}\n\n\n",
}

HIDDEN: dict[str, str] = {
    "comment": "<!-- {order} -->",
    "comment that looks closed": "<!-- > --!> {order} -->",
    "style": "<style>{order}</style>",
    "script": "<script>{order}</script>",
    "title": "<html><head><title>{order}</title></head><body></body></html>",
    "template": "<template>{order}</template>",
    "attribute hidden": "<div hidden>{order}</div>",
    "display none": '<div style="display:none">{order}</div>',
    "display none in capitals": '<div STYLE="DISPLAY : NONE !important">{order}</div>',
    "display none, escaped": '<div style="dis\\70lay:none">{order}</div>',
    "visibility hidden": '<span style="visibility:hidden">{order}</span>',
    "no size": '<span style="font-size:0">{order}</span>',
    "no size in px": '<span style="font-size:0px;line-height:0">{order}</span>',
    "no height": '<div style="max-height:0;overflow:hidden">{order}</div>',
    "not opaque": '<div style="opacity:0">{order}</div>',
    "for Outlook only": '<div style="mso-hide:all">{order}</div>',
    "alternative text": '<img src="x.png" alt="{order}">',
    "title of a link": '<a href="https://example.com" title="{order}"></a>',
    "value of a field": '<input value="{order}">',
    "text area": "<textarea>{order}</textarea>",
    "blockquote": "<blockquote>{order}</blockquote>",
    "gmail's quote": '<div class="gmail_quote">{order}</div>',
    "outlook's quote": '<div id="divRplyFwdMsg">From: x</div><div>{order}</div>',
    "frame": '<iframe srcdoc="{order}"></iframe>',
    "svg": "<svg><text>{order}</text></svg>",
    "xml": "<xml>{order}</xml>",
    "hidden in hidden": '<div style="display:none"><div style="display:block">{order}</div></div>',
}

DEFENCES: dict[str, str] = {
    "signature mark first": "--\nAnn\n",
    "signature mark with blank first": "-- \nAnn\n",
    "signature": "- Ann\n",
    "telephone number": "+31 20 555 0100\n",
    "original message": "-----Original Message-----\nFrom: Ortus\n\n-\n",
    "quoted minus": "> -\n",
    "quoted fall": "> fall\n",
    "minus below an attribution": "{attribution}\n\n-\n",
    "both": "+\n-\n",
    "both in words": "block\nfall\n",
    "in a sentence": "I would rather fall asleep than block this.\n",
    "a list of things": "- first\n- second\n",
    "plus one": "+1\n",
    "rule of dashes": "-------------\n",
    "nothing but blanks": " \n\t\n",
}


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    for name, body in QUOTES.items():
        yield Case(f"quote: {name}", _quoting(body), sender="ann@example.org")
    for name, markup in HIDDEN.items():
        yield Case(f"hidden: {name}", _html(markup), sender="ann@example.org")
        yield Case(f"hidden: {name}, beside blank text", _html(markup, with_blank=True),
                   sender="ann@example.org")  # fmt: skip
    for name, body in DEFENCES.items():
        yield Case(
            f"defence: {name}",
            _defence(body),
            to=lambda world: [world.defence_reply],
            sender="ann@example.org",
            may_hear=("ann", "beau"),
            may_change=("messages",),  # a sentence is a message for the opponent
        )
    yield from _attached()
    yield from _injected()


def _quoting(body: str) -> Make:
    def make(world: World) -> bytes:
        quoted = "\n".join(f"> {line}" for line in world.text.splitlines())
        ours = [line for line in world.text.splitlines() if world.order.split(";")[0] in line]
        return mail(
            world,
            body.format(
                order=world.order,
                attribution=ATTRIBUTION,
                text=world.text,
                quoted=quoted,
                line=ours[0] if ours else world.text.splitlines()[0],
            ),
        )

    return make


def _defence(body: str) -> Make:
    return lambda world: mail(
        world,
        body.format(attribution=ATTRIBUTION),
        To=world.defence_reply,
        In_Reply_To=world.defence_message_id,
        References=world.defence_message_id,
    )


def _html(markup: str, *, with_blank: bool = False) -> Make:
    def make(world: World) -> bytes:
        shown = markup.format(order=world.order.replace(">", "&gt;"))
        if not with_blank:
            return mail(world, shown, Content_Type="text/html; charset=utf-8")
        return multipart(
            world,
            [("Content-Type: text/plain", " \n\n"), ("Content-Type: text/html", shown)],
            kind="alternative",
        )

    return make


def _attached() -> Iterator[Case]:
    """Orders in what hangs on a mail."""
    headers = {
        "text": "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt",
        "text with a name": "Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment",
        "mail": "Content-Type: message/rfc822",
        "mail by name": "Content-Type: application/octet-stream; name=a.eml",
        "web page": "Content-Type: text/html\nContent-Disposition: attachment; filename=a.html",
        "record": "Content-Type: application/x-ogn; name=game.ogn",
        "headers": "Content-Type: text/rfc822-headers",
        "calendar": "Content-Type: text/calendar",
        "csv": "Content-Type: text/csv",
        "rich text": "Content-Type: text/rtf",
        "enriched": "Content-Type: text/enriched",
        "report": "Content-Type: message/delivery-status",
        "picture": "Content-Type: image/png\nContent-Transfer-Encoding: base64",
    }
    for name, head in headers.items():
        yield Case(f"attached: {name}", _attaching(head), sender="ann@example.org")


def _attaching(head: str) -> Make:
    def make(world: World) -> bytes:
        content = f"{world.order}\n"
        if "rfc822" in head:
            content = f"From: {world.ann}\nTo: {world.reply}\n\n{content}"
        if "base64" in head:
            content = base64.encodebytes(content.encode()).decode()
        return multipart(world, [("Content-Type: text/plain", "\n"), (head, content)])

    return make


INJECTED = f"Bcc: {VICTIM}"
NAMES: dict[str, str] = {
    "newline": "=?utf-8?q?Eve=0D=0ABcc=3A_victim=40example=2Ecom?=",
    "newline in base64": "=?utf-8?b?"
    + base64.b64encode(f"Eve\r\n{INJECTED}\r\n\r\nhello".encode()).decode()
    + "?=",
    "line separator": "=?utf-8?q?Eve=E2=80=A8Bcc=3A_victim=40example=2Ecom?=",
    "address in the name": '"victim@example.com," ',
    "angle in the name": '"Eve <victim@example.com>"',
    "encoded word as text": '"=?utf-8?q?Eve?= <victim@example.com>,"',
    "link": '"Win at https://evil.example/ now"',
    "very long": '"' + "x" * 20_000 + '"',
    "directions": '"\u202eevE\u202c"',
    "markup": '"<b onclick=x>Eve</b>"',
}


INVITING = ("invitations", "players", "addresses")
HIDDEN_SIGN = "vict\u202eim@example.com"
FAIR = (f"{VICTIM}\nBcc: {VICTIM}", "victim", f"{VICTIM}\0", HIDDEN_SIGN)


def _injected() -> Iterator[Case]:
    """Text that wants to be a header, or a mail to somebody else."""
    for name, shown in NAMES.items():
        yield Case(
            f"inject: sign-up with {name} as name",
            _signing_up(shown),
            to=lambda world: [f"join@{world.domain}"],
            sender="eve@example.com",
            may_hear=("eve@example.com",),
            may_change=("players", "addresses"),
        )
    addresses = (
        f"{VICTIM}\nBcc: {VICTIM}",
        f"{VICTIM},other@example.com",
        f"<{VICTIM}> other@example.com",
        f"{VICTIM}%0d%0aBcc:other@example.com",
        "victim",
        "@example.com",
        f'"{VICTIM}"@[127.0.0.1]',
        "play@play.example.org",
        "{reply}",
        f"{VICTIM}\0",
        "victim@@example.com",
        "victim@localhost",
        "x" * 300 + "@example.com",
        HIDDEN_SIGN,
    )
    fair = {addresses.index(address) for address in addresses if address in FAIR}
    for number, address in enumerate(addresses):
        # Some may well be an invitation to the victim, who is invited decently, or mere words.
        yield Case(
            f"inject: invitation {number}",
            _inviting(address),
            sender="ann@example.org",
            may_hear=("ann", "beau", VICTIM) if number in fair else ("ann",),
            may_change=(*INVITING, "messages") if number in fair else (),
        )
    for line in (
        "settings name \u202e\u200b\u2800",
        "settings address victim@example.com\\nplay@play.example.org",
        "settings language ../../etc/passwd",
        "settings zone ../../../etc/passwd",
        "settings zone Europe/Amsterdam/../../etc/passwd",
        "settings quiet 99:99 99:99",
        "leave 9999-99-99 0000-00-00",
        "leave 2026-12-20 99999999999-01-01",
        "try " + "W1 rng I4 [-: " * 500,
        "history " + "9" * 5000,
        "standing: " + "block all <=3; " * 2000,
        "undo undo undo",
        "accept nosuchthing",
        "accept ../../x",
        "invite",
    ):
        yield Case(
            f"inject: {line[:40]!r}",
            _commanding(line),
            sender="ann@example.org",
        )


def _signing_up(shown: str) -> Make:
    return lambda world: mail(
        world,
        "join\n",
        From=f"{shown} <eve@example.com>",
        To=f"join@{world.domain}",
        Subject=f"join\r\n {INJECTED}",
        In_Reply_To=None,
        References=None,
    )


def _inviting(address: str) -> Make:
    return lambda world: mail(
        world, f"invite {address.format(reply=world.reply)} master origin 14d\n"
    )


def _commanding(line: str) -> Make:
    return lambda world: mail(world, f"{line}\n")

"""From a composed mail to bytes that any mail program reads the same way (L5, L6)."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notation.record_reading import parse_record
from pbem.cli.stage import OFFICE, Stage, at
from pbem.mail.addresses import find_destination
from pbem.mail.composing.model import Attachment, Composed, Picture, Thread
from pbem.mail.guards import judge
from pbem.mail.keys import token_hash
from pbem.mail.mime import find_message_id, to_bytes
from pbem.mail.parts import read_message
from pbem.play import games
from pbem.play.post import Letter
from tests.diagrams.scenes import middle_game
from tests.mail.post import make_inbound
from tests.mail.stages import parsed, part

LETTER = Letter(
    message_id="0123456789abcdef0123456789abcdef",
    token_hash="",
    kind="news",
    player_id=1,
    address="ann@example.org",
    made_at=datetime(2026, 11, 16, 12, tzinfo=UTC),
)
MAIL = Composed(
    letter=LETTER,
    name="Ann",
    language="en",
    subject="[k3f9abcd] Your turn",
    text="Hello\n",
    html="<p>Hello</p>\n",
    reply_to=f"k3f9abcd.{OFFICE.keys.reply_token(LETTER.message_id)}@play.example.org",
    unsubscribe_url="https://play.example.org/mail/unsubscribe/1",
)
KNOWN = {
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-PBEM-Loop",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "Content-Language",
    "MIME-Version",
    "Content-Type",
}


def test_headers() -> None:
    message = parsed(MAIL, OFFICE)
    assert set(message.keys()) == KNOWN
    assert message["From"].addresses[0].addr_spec == "play@play.example.org"
    assert message["To"].addresses[0].addr_spec == "ann@example.org"
    assert message["To"].addresses[0].display_name == "Ann"
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["List-Unsubscribe"] == "<https://play.example.org/mail/unsubscribe/1>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "List-Id" not in message, "or replies would look like a list's"
    assert message["Date"].datetime == LETTER.made_at


def test_a_mail_is_the_same_bytes_whatever_zone_its_instant_is_told_in() -> None:
    elsewhere = LETTER.made_at.astimezone(timezone(timedelta(hours=5, minutes=45)))
    moved = replace(MAIL, letter=replace(LETTER, made_at=elsewhere + timedelta(microseconds=7)))
    assert to_bytes(moved, OFFICE) == to_bytes(MAIL, OFFICE)
    assert b"\r\nDate: Mon, 16 Nov 2026 12:00:00 +0000\r\n" in to_bytes(moved, OFFICE)


def test_the_reply_address_leads_to_the_letter() -> None:
    address = parsed(MAIL, OFFICE)["Reply-To"].addresses[0].addr_spec
    found = find_destination(address.upper(), OFFICE.domain)
    assert found is not None
    token = OFFICE.keys.reply_token(LETTER.message_id)
    assert found.key == f"reply/{token_hash(token)}"


def test_the_message_id_is_one_that_only_we_can_make() -> None:
    value = str(parsed(MAIL, OFFICE)["Message-ID"]).strip("<>")
    assert OFFICE.keys.find_message(value.partition("@")[0]) == LETTER.message_id


def test_our_own_mail_is_known_for_one() -> None:
    data = to_bytes(MAIL, OFFICE)
    assert judge(OFFICE, make_inbound(data), read_message(data)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "Ann\r\nBcc: everybody@example.org",
        "Ann\nX: y",
        'Ann" <evil@example.org>, "',
        "Ann <evil@example.org>",
        "=?utf-8?q?Ann=0D=0ABcc:_x@example.org?=",
        "Ünn, Änn; (Onn)",
        "\u202eevil\u202c",
        "安娜" * 20,
        "a" * 60,
        "",
    ],
)
def test_no_name_gets_out_of_its_header(name: str) -> None:
    mail = replace(MAIL, name=name, subject=f"[k3f9abcd] {name} writes")
    message = parsed(mail, OFFICE)
    assert set(message.keys()) == KNOWN
    (to,) = message["To"].addresses
    assert to.addr_spec == "ann@example.org"
    assert "\n" not in to.display_name
    assert message["Subject"].startswith("[k3f9abcd]")


@given(st.text(max_size=200), st.text(max_size=80))
def test_whatever_the_words_are(subject: str, name: str) -> None:
    data = to_bytes(replace(MAIL, subject=f"[k3f9abcd] {subject}", name=name), OFFICE)
    head = data.split(b"\r\n\r\n", 1)[0]
    assert head.isascii()
    assert b"\n" not in head.replace(b"\r\n", b"")
    names = [line.split(b":")[0].decode() for line in re.split(rb"\r\n(?![ \t])", head)]
    assert set(names) == KNOWN
    assert len(names) == len(KNOWN)
    assert all(len(line) < 200 for line in head.split(b"\r\n"))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=300))
def test_texts_come_out_as_they_went_in(text: str) -> None:
    said = "".join(line + "\n" for line in text.split("\n"))
    mail = replace(MAIL, text=f"From me\n.\n{said}", html=f"<p>{said}</p>")
    message = parsed(mail, OFFICE)
    assert part(message, "text/plain") == mail.text
    assert part(message, "text/html").rstrip("\n") == mail.html
    assert b"\r\nFrom " not in to_bytes(mail, OFFICE)


def test_an_address_may_have_any_letters() -> None:
    data = to_bytes(replace(MAIL, letter=replace(LETTER, address="jürgen@example.org")), OFFICE)
    assert '\r\nTo: "Ann" <jürgen@example.org>\r\n'.encode() in data


def test_a_whole_tree_of_parts() -> None:
    mail = replace(
        MAIL,
        pictures=(Picture("board1", middle_game()),),
        attachments=(Attachment("k3f9abcd.ogn", '[Gold "Ann"]\n\n1g. end *\n'),),
        thread=Thread(("<root@play.example.org>", "<theirs@mail.example>"), is_answer=True),
    )
    message = parsed(mail, OFFICE)
    kinds = [each.get_content_type() for each in message.walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/plain",
    ]
    (record,) = list(message.iter_attachments())
    assert record.get_filename() == "k3f9abcd.ogn"
    assert record.get_content() == '[Gold "Ann"]\n\n1g. end *\n'
    assert message["In-Reply-To"] == "<theirs@mail.example>"
    assert str(message["References"]).split() == [
        "<root@play.example.org>",
        "<theirs@mail.example>",
    ]
    assert message["Auto-Submitted"] == "auto-replied"
    assert not message.defects


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("<a.b@example.org>", "<a.b@example.org>"),
        ("  <a@b> (comment)", "<a@b>"),
        ("a@b", None),
        ("<a b@c>", None),
        ("<a\r\nBcc: x@y>", None),
        ("<" + "a" * 300 + "@b>", None),
        ("", None),
    ],
)
def test_only_a_plain_message_id_is_repeated(value: str, found: str | None) -> None:
    assert find_message_id(value) == found


def test_all_mails_of_a_game_are_one_thread(stage: Stage) -> None:
    game_id = stage.start(0)
    mails = stage.post(0)
    for hours, seat in ((1, 0), (2, 1)):
        stage.send(game_id, seat, "setup WFEAAEFW", hours)
        mails += stage.post(hours)
    games.write_message(stage.around, game_id, 0, "Hello", now=at(3))
    mails = [mail for mail in [*mails, *stage.post(3)] if mail.letter.game_id == game_id]
    assert len(mails) == 6
    roots = {mail.thread.references[0] for mail in mails}
    assert len(roots) == 1
    assert len({mail.letter.message_id for mail in mails}) == len(mails)


def test_the_record_goes_along_with_the_last_mail(stage: Stage) -> None:
    game_id = stage.start(0)
    for hours, seat in ((1, 0), (2, 1)):
        stage.send(game_id, seat, "setup WFEAAEFW", hours)
    stage.send(game_id, 0, "resign", 3)
    last = [mail for mail in stage.post(3) if mail.letter.kind == "game_over"]
    assert [mail.letter.player_id for mail in last] == [stage.ann.id, stage.ben.id]
    for mail in last:
        (record,) = mail.attachments
        assert record.name == f"{game_id}.ogn"
        assert parse_record(record.text).result == "0-1"

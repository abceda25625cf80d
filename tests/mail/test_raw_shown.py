"""What an operator is shown of a mail: no token, whatever it is encoded in (L3.4)."""

from __future__ import annotations

import base64
import quopri
import tracemalloc
from collections.abc import Callable

import pytest

from pbem.mail.parts import MAX_MAIL
from pbem.mail.raw_shown import MAX_SHOWN_PARTS, show_raw
from pbem.mail.redact import REDACTED
from tests.mail.post import DOMAIN, KEYS, NOON

TOKEN = KEYS.reply_token("0123")
UNSUBSCRIBE = KEYS.sign("unsubscribe", 5, until=NOON)
NAME = KEYS.message_name("0123456789abcdef0123456789abcdef")
MAC = NAME.partition(".")[2]
SECRETS = (TOKEN, UNSUBSCRIBE.rpartition("-")[2], MAC)
BODY = f"Zum Abmelden: größer\r\nhttps://{DOMAIN}/stop/{UNSUBSCRIBE}\r\n> ort1.{TOKEN}@{DOMAIN}\r\n"
TEXT = "Content-Type: text/plain; charset=utf-8\r\n"
IN_BASE64 = "Content-Transfer-Encoding: base64\r\n"
IN_QP = "Content-Transfer-Encoding: quoted-printable\r\n"


def encoded(text: str, charset: str = "utf-8") -> str:
    return base64.encodebytes(text.encode(charset)).decode().replace("\n", "\r\n")


def show(raw: str) -> str:
    """What is shown; nothing of a token is in it, nor in the base64 that is in it."""
    shown = show_raw(raw.encode("utf-8")).decode("utf-8")
    for secret in SECRETS:
        for half in (secret[:10], secret[-10:]):
            assert half not in "".join(shown.lower().split())
        for shift in range(3):
            inside = base64.b64encode(b" " * shift + secret.encode()).decode()[4:-4]
            assert inside not in "".join(shown.split())
    return shown


def test_a_text_in_base64_is_decoded() -> None:
    shown = show(f"From: a@b.c\r\n{TEXT}{IN_BASE64}\r\n{encoded(BODY)}")
    assert shown == (
        f"From: a@b.c\r\n{TEXT}{IN_BASE64}\r\n[decoded from base64]\r\n"
        f"Zum Abmelden: größer\r\nhttps://{DOMAIN}/stop/{UNSUBSCRIBE.rpartition('-')[0]}-{REDACTED}"
        f"\r\n> ort1.{REDACTED}@{DOMAIN}\r\n"
    )


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-be", "iso-8859-1", "nonsense"])
@pytest.mark.parametrize("kind", ["plain", "html", "calendar; name=a.ics"])
def test_whatever_the_charset(charset: str, kind: str) -> None:
    data = encoded(BODY, "utf-8" if charset == "nonsense" else charset)
    head = f'Content-Type: text/{kind}; charset="{charset}"\r\n{IN_BASE64}'
    assert f"ort1.{REDACTED}@" in show(f"{head}\r\n{data}")


def test_base64_that_goes_on_behind_its_end() -> None:
    for first in ("x", "xy", "xyz"):
        data = f"{encoded(first)}\r\n!?\r\n{encoded(BODY)}"
        assert f"ort1.{REDACTED}@" in show(f"{TEXT}{IN_BASE64}\r\n{data}")


def test_base64_in_lines_of_any_length() -> None:
    letters = "".join(encoded(BODY).split())
    for width in (1, 2, 3, 5, 75):
        lines = "\r\n".join(letters[at : at + width] for at in range(0, len(letters), width))
        assert f"ort1.{REDACTED}@{DOMAIN}\r\n" in show(f"{TEXT}{IN_BASE64}\r\n{lines}")


def test_what_stands_behind_the_last_part_is_none_of_it() -> None:
    head = f"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{TEXT}{IN_BASE64}\r\n"
    shown = show(f"{head}{encoded('Hallo')}--b--\r\nepilogue\r\n")
    assert shown == f"{head}[decoded from base64]\r\nHallo\r\n--b--\r\nepilogue\r\n"


@pytest.mark.parametrize("at", range(1, 26))
@pytest.mark.parametrize("soft", ["=\r\n", "=\n", "= \r\n"])
def test_a_soft_break_inside_a_token(at: int, soft: str) -> None:
    body = f"caf=C3=A9 t=3D{TOKEN[:at]}{soft}{TOKEN[at:]}@{DOMAIN}\r\n-- =\r\nAnn\r\n"
    shown = show(f"{TEXT}{IN_QP}\r\n{body}")
    assert shown.endswith(
        f"[decoded from quoted-printable]\r\ncafé t={REDACTED}@{DOMAIN}\r\n-- Ann\r\n"
    )
    unannounced = show(f"{TEXT}\r\nt {TOKEN[:at]}{soft}{TOKEN[at:]}@{DOMAIN}\r\n")
    assert unannounced == f"{TEXT}\r\nt {REDACTED}@{DOMAIN}\r\n"


def test_letters_that_are_encoded_one_by_one() -> None:
    odd = "".join(f"={ord(char):02X}" for char in TOKEN)
    assert REDACTED in show(f"{TEXT}{IN_QP}\r\nx {odd} y\r\n")
    assert quopri.decodestring(odd).decode() == TOKEN


@pytest.mark.parametrize("at", range(1, 26))
@pytest.mark.parametrize("fold", ["\r\n ", "\n\t", "\r\n  \t "])
def test_a_fold_inside_a_message_id(at: int, fold: str) -> None:
    name = NAME.partition(".")[0]
    shown = show(
        f"From: a@b.c\r\nIn-Reply-To: <{name}.{MAC[:at]}{fold}{MAC[at:]}@{DOMAIN}>\r\n"
        f"References: <one@x>\r\n <{NAME}@{DOMAIN}>\r\nSubject: two\r\n lines\r\n\r\nHallo\r\n"
    )
    assert shown == (
        f"From: a@b.c\r\nIn-Reply-To: <{name}.{REDACTED}@{DOMAIN}>\r\n"
        f"References: <one@x>\r\n <{name}.{REDACTED}@{DOMAIN}>\r\n"
        "Subject: two\r\n lines\r\n\r\nHallo\r\n"
    )


def test_words_of_a_header() -> None:
    clean = "=?utf-8?b?R3LDvMOfZSBhdXMgZGVtIFNjaHdhcnp3YWxkIHVuZCBkZXIgUGZhbHo=?="
    first, second = (
        f"=?utf-8?B?{base64.b64encode(half.encode()).decode()}?="
        for half in (f"Grüße {TOKEN[:13]}", f"{TOKEN[13:]} da")
    )
    odd = "".join(f"={ord(char):02X}" for char in TOKEN)
    shown = show(
        f"Subject: {clean}\r\nTo: {first}\r\n {second} <a@b.c>\r\n"
        f"X-A: =?utf-8*de?q?{odd}?=\r\nX-B: =?utf-16be?b?{encoded(TOKEN, 'utf-16-be')[:76]}?=\r\n"
        f"X-C: =?utf-8?b?{TOKEN}\r\n\r\n"
    )
    assert shown.startswith(f"Subject: {clean}\r\nTo: Grüße {REDACTED} da <a@b.c>\r\nX-A: […]\r\n")


def test_each_part_for_itself() -> None:
    inner = f"--i\r\n{TEXT}{IN_QP}\r\n{TOKEN[:9]}=\r\n{TOKEN[9:]}\r\n--i--\r\n"
    mail = (
        'From: a@b.c\r\nContent-Type: multipart/mixed;\r\n boundary="o o"\r\n\r\npreamble\r\n'
        f"--o o\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n{inner}"
        f"--o o  \r\n{TEXT}\r\nclear {TOKEN}\r\n"
        f"--o o\r\nContent-Type: image/png\r\n{IN_BASE64}\r\n{encoded(BODY)}\r\n"
        f"--o o\r\nContent-Type: message/rfc822\r\n\r\nSubject: in it\r\n{IN_BASE64}\r\n"
        f"{encoded(BODY)}\r\n--o o\r\n\r\nno headers\r\n--o o--\r\nepilogue\r\n"
    )
    shown = show(mail)
    assert shown.count("[decoded from") == 2
    assert f"[decoded from quoted-printable]\r\n{REDACTED}\r\n--i--\r\n--o o\x20\x20\r\n" in shown
    assert f"clear {REDACTED}\r\n" in shown
    assert (
        f"\r\n\r\n[not shown: {len(encoded(BODY)) + 2} bytes, image/png in base64]\r\n--" in shown
    )
    assert f"Subject: in it\r\n{IN_BASE64}\r\n[decoded from base64]\r\nZum" in shown
    assert shown.endswith("--o o\r\n\r\nno headers\r\n--o o--\r\nepilogue\r\n")


@pytest.mark.parametrize(
    "encoding", ["x-uuencode", "base-64", f"x-{TOKEN}", "base64\r\n" + IN_QP.rstrip(), "\x1b[2J"]
)
def test_an_encoding_that_is_not_known(encoding: str) -> None:
    shown = show(f"{TEXT}Content-Transfer-Encoding: {encoding}\r\n\r\n{encoded(BODY)}")
    assert "\r\n\r\n[not shown: " in shown
    assert shown.endswith("]\r\n")
    assert "Zum" not in shown


@pytest.mark.parametrize("before", ["", "no header\r\n\r\n", "\r\n", "A: b\r\n\r\n> quoted\r\n"])
@pytest.mark.parametrize("mark", ["", "> ", "  "])
def test_base64_that_nobody_announces(before: str, mark: str) -> None:
    lines = "".join(f"{mark}{line}\r\n" for line in encoded(BODY).split())
    assert show(f"{before}{lines}\r\nbehind\r\n") == f"{before}{REDACTED}\r\n\r\nbehind\r\n"
    for cut in ("a", "ab", "abc"):
        shown = show(f"{before}-\r\n{mark}{cut}{lines[len(mark) :]}")
        assert shown == f"{before}-\r\n{REDACTED}\r\n"


@pytest.mark.parametrize("width", [16, 32, 34])
def test_base64_in_short_lines_that_nobody_announces(width: int) -> None:
    letters = "".join(encoded(BODY).split())
    for shift in range(4):
        lines = [letters[at : at + width] for at in range(shift, len(letters), width)]
        show("A: b\r\n\r\n-\r\n" + "\r\n".join(lines))


@pytest.mark.parametrize(
    "around",
    ["attached: {} .", "X-Data: {}", "data:text/plain;base64,{}", "| {}.", "<a href='{}'>", "{}."],
)
@pytest.mark.parametrize("how", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("where", ["", "A: b\r\n\r\n"])
def test_base64_in_a_line(where: str, around: str, how: Callable[[bytes], bytes]) -> None:
    for shift in range(3):
        for secret in (TOKEN, MAC):
            inside = how(b"\xff?>" * 9 + b"." * shift + secret.encode() + b"\xff?>" * 9).decode()
            assert REDACTED in show(f"{where}{around.format(inside)}\r\n")


def test_words_of_a_header_in_a_body() -> None:
    first, second = (
        f"=?utf-8?B?{base64.b64encode(half.encode()).decode()}?="
        for half in (TOKEN[:13], TOKEN[13:])
    )
    head = "Content-Type: text/rfc822-headers\r\n\r\n"
    assert show(f"{head}Subject: {first}\r\n {second}\r\n") == f"{head}Subject: {REDACTED}\r\n"


@pytest.mark.parametrize("at", range(1, 26))
@pytest.mark.parametrize("split", ["!\r\n ", "=\r\n> ", '";\r\n name*1="', ";\n name*1*="])
def test_other_breaks_inside_a_token(at: int, split: str) -> None:
    assert REDACTED in show(f"X: x\r\n\r\nname*0={TOKEN[:at]}{split}{TOKEN[at:]}\r\n")


@pytest.mark.parametrize(
    "head",
    [
        "Content-Type: application/gzip\r\nContent-Transfer-Encoding: binary\r\n",
        "Content-Type: image/png\r\n",
        "Content-Type: text/plain; charset=UTF-7\r\n",
    ],
)
def test_what_cannot_be_looked_into_is_left_out(head: str) -> None:
    assert show(f"{head}\r\nwhatever\r\n").startswith(f"{head}\r\n[not shown: 10 bytes, ")


def test_what_is_no_secret_stays() -> None:
    mail = (
        "Received: from mail.example.org (mail.example.org [192.0.2.1])\r\n\tby x; now\r\n"
        f"{TEXT}\r\nF2>G4 x G5; end\r\n-- \r\nAnn\r\n--\r\n--not a boundary\r\n"
        "    aansprakelijkheid\r\n0123456789abcdef0123456789abcdef01234567\r\n"
    )
    assert show(mail) == mail
    assert show_raw(b"A: b\r\n\r\n\xff\x00\r\r\n") == b"A: b\r\n\r\n\xff\x00\r\r\n"
    assert show_raw(b"") == b""


def test_a_text_that_could_change_the_screen() -> None:
    shown = show(f"{TEXT}{IN_BASE64}\r\n{encoded(chr(27) + '[2J' + chr(0x9B) + 'tab' + chr(9))}")
    assert shown.endswith("]\r\n?[2J?tab\t\r\n")


def test_zero_bytes_between_letters() -> None:
    wide = f"A: b\r\n\r\nx {TOKEN} y".encode("utf-16-be")
    assert b"\0".join(bytes([byte]) for byte in TOKEN.encode()) in wide
    shown = show_raw(b"A: b\r\n\r\n" + wide)
    assert TOKEN[:6].encode() not in shown.replace(b"\0", b"")


def test_many_parts() -> None:
    part = "--b\r\n\r\nx\r\n"
    shown = show(f"Content-Type: multipart/mixed; boundary=b\r\n\r\n{part * (MAX_SHOWN_PARTS + 1)}")
    assert shown.count("--b") == MAX_SHOWN_PARTS
    assert shown.endswith(f"[not shown: {len(part)} bytes, too many parts]\r\n")


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("", "a"),
        ("", "\n"),
        ("", "A: b\n"),
        ("A: b\n\n", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"),
        ("A: b\n\n", "a=\n"),
        ("A: b\n\n", "abcdefghijklmnopq\n   "),
        ("A: b\n\n", "abcdefghijklmnopqrstuv\n" + " " * 5000),
        ("", "A: =?a?b?"),
        ("A: ", "=?utf-8?q?a?= "),
        ("Content-Transfer-Encoding: base64\n\n", "a=\n"),
        ("Content-Transfer-Encoding: base64\n\n", "a\n"),
        ("Content-Transfer-Encoding: quoted-printable\n\n", "="),
        ("", "Content-Type: message/rfc822\n\n"),
        ("", "Content-Type: multipart/mixed; boundary=b\n\n--b\n"),
        ("Content-Type: multipart/mixed; boundary=b\n\n", "--b-\n"),
        ("Content-Type: text/plain", "; boundary"),
    ],
)
def test_no_mail_takes_much_memory(head: str, piece: str) -> None:
    """How long it takes is measured in ``deploy/bench/hostile.py``."""
    size = MAX_MAIL // 160
    tracemalloc.start()
    try:
        show_raw((head + piece * (size // len(piece))).encode())
        assert tracemalloc.get_traced_memory()[1] < 400 * size
    finally:
        tracemalloc.stop()

"""Mails that carry our signature: it holds, and it breaks when the mail is changed (L5)."""

from __future__ import annotations

import base64
from pathlib import Path

import dkim
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

from pbem.errors import ConfigError
from pbem.mail.signing import OVERSIGNED, SIGNED, Signer, load_signer

MAIL = (
    b'From: "Ortus by mail" <play@play.example.org>\r\n'
    b"To: ann@example.net\r\n"
    b"Reply-To: <ort1.aaaa@play.example.org>\r\n"
    b"Subject: Your turn\r\n"
    b" in ort1\r\n"
    b"Date: Mon, 16 Nov 2026 12:00:00 +0000\r\n"
    b"Message-ID: <0123@play.example.org>\r\n"
    b"List-Unsubscribe: <https://play.example.org/u>\r\n"
    b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"
    b"MIME-Version: 1.0\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"\r\n"
    b"It is your turn.\r\n"
    b".\r\n"
)
PEM = serialization.Encoding.PEM
RAW = serialization.Encoding.Raw
SPKI = serialization.PublicFormat.SubjectPublicKeyInfo


class Keys:
    """A key in a file, and what DNS would say of it."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.file = folder / "dkim.key"
        if kind.startswith("rsa"):
            key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
            form = {
                "rsa": serialization.PrivateFormat.TraditionalOpenSSL,
                "rsa-pkcs8": serialization.PrivateFormat.PKCS8,
            }[kind]
            self.file.write_bytes(key.private_bytes(PEM, form, serialization.NoEncryption()))
            public = key.public_key().public_bytes(serialization.Encoding.DER, SPKI)
            self.record = b"v=DKIM1; k=rsa; p=" + base64.b64encode(public)
            return
        seed = ed25519.Ed25519PrivateKey.generate()
        if kind == "ed25519":
            written = seed.private_bytes(
                PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        else:
            raw = seed.private_bytes(
                RAW, serialization.PrivateFormat.Raw, serialization.NoEncryption()
            )
            written = base64.b64encode(raw) + b"\n"
        self.file.write_bytes(written)
        public = seed.public_key().public_bytes(RAW, serialization.PublicFormat.Raw)
        self.record = b"v=DKIM1; k=ed25519; p=" + base64.b64encode(public)

    def signer(self) -> Signer:
        return load_signer("play.example.org", "post", self.file)

    def holds(self, mail: bytes) -> bool:
        def find_txt(name: bytes, timeout: int = 5) -> bytes | None:
            return self.record if name == b"post._domainkey.play.example.org." else None

        return bool(dkim.verify(mail, dnsfunc=find_txt))


@pytest.fixture(params=["rsa", "rsa-pkcs8", "ed25519", "ed25519-bare"])
def keys(request: pytest.FixtureRequest, tmp_path: Path) -> Keys:
    return Keys(tmp_path, request.param)


def test_the_signature_holds(keys: Keys) -> None:
    signed = keys.signer().sign(MAIL)
    assert signed.endswith(MAIL)
    assert signed.startswith(b"DKIM-Signature: ")
    assert keys.holds(signed)
    assert b"\n" not in signed.replace(b"\r\n", b"")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"It is your turn.", b"It is my turn."),
        (b"ort1.aaaa@", b"evil.aaaa@"),
        (b"Subject: Your turn", b"Subject: Buy this"),
        (b"Message-ID: <0123@", b"Message-ID: <9999@"),
        (b"https://play.example.org/u", b"https://evil.example.org/u"),
        (b"To: ann@example.net\r\n", b"To: ann@example.net\r\nTo: eve@example.net\r\n"),
        (b"MIME-Version", b"From: <evil@example.org>\r\nMIME-Version"),
        (b"MIME-Version", b"Reply-To: <evil@example.org>\r\nMIME-Version"),
        (b"MIME-Version", b"Subject: Buy this\r\nMIME-Version"),
    ],
)
def test_a_change_breaks_it(tmp_path: Path, before: bytes, after: bytes) -> None:
    keys = Keys(tmp_path, "ed25519")
    signed = keys.signer().sign(MAIL)
    assert before in signed
    assert not keys.holds(signed.replace(before, after))


def test_servers_on_the_way_may_fold_and_add(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "ed25519")
    signed = keys.signer().sign(MAIL)
    moved = b"Received: from here by there\r\n" + signed.replace(b"turn\r\n in", b"turn in")
    assert keys.holds(moved)


def test_every_header_is_signed_and_some_once_more(tmp_path: Path) -> None:
    signed = Keys(tmp_path, "ed25519").signer().sign(MAIL)
    header = signed[: -len(MAIL)].replace(b"\r\n", b"").decode()
    fields = dict(part.strip().split("=", 1) for part in header.partition(":")[2].split(";"))
    names = [name.strip() for name in fields["h"].split(":")]
    for name in SIGNED:
        is_there = f"{name.lower()}:" in MAIL.decode().lower()
        assert names.count(name.lower()) == is_there + (name in OVERSIGNED), name
    assert fields["d"] == "play.example.org"
    assert fields["s"] == "post"
    assert "l" not in fields


@pytest.mark.parametrize(
    "text",
    [b"", b"nonsense", b"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"],
)
def test_what_is_no_key_is_said_and_not_shown(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "dkim.key"
    file.write_bytes(text)
    with pytest.raises(ConfigError, match="holds no key") as caught:
        load_signer("play.example.org", "post", file)
    assert "AAAA" not in str(caught.value)
    with pytest.raises(ConfigError, match="No such file"):
        load_signer("play.example.org", "post", tmp_path / "none")


def test_a_signer_does_not_show_its_key(tmp_path: Path) -> None:
    keys = Keys(tmp_path, "ed25519-bare")
    assert keys.file.read_text().strip() not in repr(keys.signer())

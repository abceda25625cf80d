"""Signing our mails (DKIM, RFC 6376 and 8463): that a mail is ours, and what of it is.

Every header that tells a reader something is signed, and From once more than it occurs, so that
nobody can add a second one. The key is RSA, or Ed25519 as PEM or as its 32 bytes in base64. dkimpy,
which is large, is loaded only where mails are signed.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Final

from pbem.errors import ConfigError

SIGNED: Final = (
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Reply-To",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
)
OVERSIGNED: Final = ("From", "To", "Subject", "Date", "Reply-To", "Content-Type")
"""Signed as absent beyond what is there: one that is added breaks the signature."""

_MIN_BITS: Final = 1024
_PEM: Final = re.compile(rb"-----BEGIN (?:RSA )?PRIVATE KEY-----\s(.+?)-----END ", re.DOTALL)
_ED25519_DER: Final = bytes.fromhex("302e020100300506032b657004220420")
_SEED: Final = 32


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs mails of one domain with one key."""

    domain: str
    selector: str
    algorithm: str
    key: bytes = field(repr=False)
    """As dkimpy wants it: PEM, or base64 of the 32 bytes."""

    def sign(self, data: bytes) -> bytes:
        """The same mail with the signature before it. Its lines end with CR LF."""
        mail = import_module("dkim").DKIM(
            data, signature_algorithm=self.algorithm.encode(), minkey=_MIN_BITS
        )
        present = {name.lower() for name, _ in mail.headers}
        # dkimpy takes each mention of a name for one more occurrence; what is not there is
        # signed as absent.
        names = [name for name in SIGNED if name.lower().encode() in present]
        names += OVERSIGNED
        signature: bytes = mail.sign(
            self.selector.encode(),
            self.domain.encode(),
            self.key,
            canonicalize=(b"relaxed", b"relaxed"),
            include_headers=[name.lower().encode() for name in names],
        )
        return signature + data


def load_signer(domain: str, selector: str, file: Path) -> Signer:
    """The signer whose key is in a file. Raises ConfigError, which shows nothing of the key."""
    try:
        text = file.read_bytes()
    except OSError as error:
        raise ConfigError(f"PBEM_DKIM_KEY_FILE {file}: {error.strerror}") from None
    seed = _find_seed(text)
    if seed is not None:
        return Signer(domain, selector, "ed25519-sha256", base64.b64encode(seed))
    signer = Signer(domain, selector, "rsa-sha256", text)
    try:
        signer.sign(b"From: <postmaster@example.org>\r\n\r\n\r\n")
    except (import_module("dkim").DKIMException, ValueError, IndexError, TypeError):
        raise ConfigError(f"PBEM_DKIM_KEY_FILE {file} holds no key that can sign") from None
    return signer


def _find_seed(text: bytes) -> bytes | None:
    """The 32 bytes of an Ed25519 key; None if it is another kind."""
    found = _PEM.search(text)
    try:
        der = base64.b64decode(b"".join((found[1] if found else text).split()), validate=True)
    except binascii.Error:
        return None
    if found is None:
        return der if len(der) == _SEED else None
    is_ours = der.startswith(_ED25519_DER) and len(der) == len(_ED25519_DER) + _SEED
    return der[-_SEED:] if is_ours else None

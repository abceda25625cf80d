"""The names of the mail domain in DNS: where its mail goes, and who may send in its name."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal

from pbem.cli.checkups.findings import Finding, fault, ok, warning
from pbem.config import Settings
from pbem.errors import ConfigError, PbemError
from pbem.mail.signing import Signer, load_signer

Kind = Literal["MX", "TXT"]
Lookup = Callable[[str, Kind], Sequence[str]]
"""The records of a name, as text; none if there are none. Raises CannotAskError."""

_PATIENCE: Final = 5.0
_KEY: Final = re.compile(r"(?:^|;)\s*p\s*=\s*([^;]*)")
_POLICY: Final = re.compile(r"(?:^|;)\s*p\s*=\s*(\w+)")


class CannotAskError(PbemError):
    """No server of names answers."""


def ask_dns(name: str, kind: Kind) -> Sequence[str]:
    """Ask the servers that this machine is set to."""
    import dns.exception  # noqa: PLC0415
    import dns.resolver  # noqa: PLC0415

    try:
        found = dns.resolver.resolve(name, kind, lifetime=_PATIENCE)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as error:
        raise CannotAskError(str(error)) from None
    if kind == "TXT":
        return [b"".join(each.strings).decode("ascii", "replace") for each in found]
    return [f"{each.preference} {each.exchange}" for each in found]


def check_names(settings: Settings, lookup: Lookup = ask_dns) -> Iterator[Finding]:
    """MX, SPF, DKIM and DMARC of the domain that our addresses are at."""
    domain = settings.mail_domain
    if domain is None:
        return
    try:
        yield _check_mx(settings, domain, lookup)
        yield _check_spf(domain, lookup)
        yield _check_dkim(settings, domain, lookup)
        yield _check_dmarc(domain, lookup)
    except CannotAskError as error:
        advice = "ask the doctor where DNS can be asked; all else was looked at"
        yield warning("DNS", f"cannot be asked: {error}", advice)


def _check_mx(settings: Settings, domain: str, lookup: Lookup) -> Finding:
    found = sorted(lookup(domain, "MX"))
    if found and found != ["0 ."]:
        return ok("DNS: MX", f"mail to {domain} goes to {', '.join(found)}")
    advice = f"add: {domain}. MX 10 the-host-that-takes-mail."
    if settings.listen_smtp is None and settings.listen_lmtp is None:
        return warning("DNS: MX", f"{domain} has none", advice)
    return fault("DNS: MX", f"{domain} has none: no mail can come", advice)


def _check_spf(domain: str, lookup: Lookup) -> Finding:
    found = [text for text in lookup(domain, "TXT") if text.lower().split()[:1] == ["v=spf1"]]
    if len(found) > 1:
        return fault("DNS: SPF", f"{domain} has {len(found)}: none counts", "keep one of them")
    if not found:
        advice = f'add: {domain}. TXT "v=spf1 mx -all", with whatever hosts send'
        return warning("DNS: SPF", f"{domain} has none: many servers refuse our mail", advice)
    if found[0].lower().split()[-1] == "+all":
        return fault("DNS: SPF", f"{found[0]} lets everybody send in our name", "end it with -all")
    return ok("DNS: SPF", found[0])


def _check_dkim(settings: Settings, domain: str, lookup: Lookup) -> Finding:
    selector, file = settings.dkim_selector, settings.dkim_key_file
    if selector is None or file is None:
        advice = "set PBEM_DKIM_SELECTOR and PBEM_DKIM_KEY_FILE"
        return warning("DNS: DKIM", "our mails are not signed", advice)
    try:
        signer = load_signer(domain, selector, file)
    except ConfigError as error:
        return fault("DNS: DKIM", str(error), "name a file with a private key, PEM")
    name = f"{selector}._domainkey.{domain}"
    wanted = public_key(signer)
    kind = "ed25519" if signer.algorithm.startswith("ed25519") else "rsa"
    advice = f'add: {name}. TXT "v=DKIM1; k={kind}; p={wanted}"'
    found = [_KEY.search(text) for text in lookup(name, "TXT")]
    keys = ["".join(each[1].split()) for each in found if each is not None]
    if not keys:
        return fault("DNS: DKIM", f"{name} has no key: our signatures fail", advice)
    if wanted not in keys:
        return fault("DNS: DKIM", f"{name} has another key: our signatures fail", advice)
    return ok("DNS: DKIM", f"{name} has our key")


def public_key(signer: Signer) -> str:
    """What is published of a key: base64, as it stands in DNS."""
    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (  # noqa: PLC0415
        Ed25519PrivateKey,
    )

    if signer.algorithm.startswith("ed25519"):
        key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(signer.key))
        return base64.b64encode(key.public_key().public_bytes_raw()).decode()
    private = serialization.load_pem_private_key(signer.key, password=None)
    der = private.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return base64.b64encode(der).decode()


def _check_dmarc(domain: str, lookup: Lookup) -> Finding:
    name = f"_dmarc.{domain}"
    found = [text for text in lookup(name, "TXT") if text.lower().startswith("v=dmarc1")]
    if not found:
        # The record of the domain above counts for names below it.
        above = domain.partition(".")[2]
        if "." in above:
            higher = f"_dmarc.{above}"
            found = [text for text in lookup(higher, "TXT") if text.lower().startswith("v=dmarc1")]
            name = higher if found else name
    if not found:
        advice = f'add: {name}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}"'
        return warning("DNS: DMARC", "there is none: large providers want one", advice)
    policy = _POLICY.search(found[0].partition(";")[2])
    if policy is None:
        return fault("DNS: DMARC", f"{found[0]} has no policy", "add p=quarantine")
    return ok("DNS: DMARC", f"{name}: {policy[1]}")

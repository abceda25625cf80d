"""The post: whether mail goes out, whether it comes in, and whether pages are shown.

Servers are asked as far as they can be without a mail being sent.
"""

from __future__ import annotations

import http.client
import smtplib
from collections.abc import Iterator
from typing import Final, Literal

from pbem.broker import is_shared
from pbem.cli.checkups.findings import Finding, fault, ok, warning
from pbem.config import Settings
from pbem.endpoints import Endpoint
from pbem.mail.transport import RelayDownError, SmtpTransport

_PATIENCE: Final = 10.0
_EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
_WEB: Final = "gunicorn --config deploy/gunicorn_conf.py wsgi:app"
_TAKEN: Final = 250
_READY: Final = 220


def check_way_out(settings: Settings) -> Iterator[Finding]:
    """Where our mails are handed over."""
    if settings.relay is None:
        return
    way = SmtpTransport(settings.relay, name=settings.mail_domain or "localhost", timeout=_PATIENCE)
    try:
        way.check()
    except RelayDownError as error:
        said = str(error).removeprefix(f"{settings.relay}: ")
        yield fault("mail out", f"{settings.relay}: {said}", "look at PBEM_SMTP_URL")
    else:
        yield ok("mail out", f"{settings.relay} takes our mails")
    finally:
        way.close()


def check_ways_in(settings: Settings) -> Iterator[Finding]:
    """Where mail is taken: listeners, a mailbox, and what providers post to."""
    domain = settings.mail_domain
    start = _start(settings, "pbem listen")
    if settings.listen_smtp is not None and domain is not None:
        yield _check_listener("smtp", settings.listen_smtp, domain, start)
    if settings.listen_lmtp is not None and domain is not None:
        yield _check_listener("lmtp", settings.listen_lmtp, domain, start)
    if settings.mailbox is not None:
        yield _check_mailbox(settings)
    if settings.webhooks:
        yield ok("mail in by HTTP", f"open for {', '.join(sorted(settings.webhooks))}")


def _start(settings: Settings, own: str) -> str:
    """What to do where nobody answers; ``own`` is what has a process of its own there, if not all
    is in one."""
    command = own if is_shared(settings.broker_url) else "pbem serve"
    return f"start {command}; if it runs elsewhere, ask the doctor there"


def _check_listener(
    protocol: Literal["smtp", "lmtp"], endpoint: Endpoint, domain: str, start: str
) -> Finding:
    """Greet a listener and ask whether it would take mail to postmaster; none is sent."""
    name = f"mail in by {protocol.upper()}"
    if endpoint.port == 0:
        return warning(name, "at any free port", "name a port, or nobody knows where to send")
    host = _EVERYWHERE.get(endpoint.host, endpoint.host)
    kind = smtplib.LMTP if protocol == "lmtp" else smtplib.SMTP
    link = kind(timeout=_PATIENCE, local_hostname="localhost")
    try:
        code, said = link.connect(host, endpoint.port)
        if code != _READY:
            return fault(name, f"{endpoint} says {code} {_text(said)}", "see what listens there")
        link.ehlo_or_helo_if_needed()
        link.mail(f"postmaster@{domain}")
        code, said = link.rcpt(f"postmaster@{domain}")
        link.rset()
        if code != _TAKEN:
            advice = "see whether it is this server, and PBEM_MAIL_DOMAIN the same"
            return fault(name, f"{endpoint} does not take postmaster: {code} {_text(said)}", advice)
    except smtplib.SMTPException as error:
        return fault(
            name, f"{endpoint} does not speak {protocol.upper()}: {error}", "see what does"
        )
    except OSError as error:
        return warning(name, f"nobody answers at {endpoint}: {error}", start)
    finally:
        link.close()
    return ok(name, f"{endpoint} answers and takes mail to postmaster")


def _text(said: bytes | str) -> str:
    return said.decode("ascii", "replace") if isinstance(said, bytes) else said


def _check_mailbox(settings: Settings) -> Finding:
    from pbem.mail.imap import ImapError, count_unread  # noqa: PLC0415

    assert settings.mailbox is not None
    try:
        waiting = count_unread(settings.mailbox)
    except ImapError as error:
        return fault("mail in by IMAP", f"{settings.mailbox}: {error}", "look at PBEM_IMAP_URL")
    return ok("mail in by IMAP", f"{settings.mailbox} has {waiting} unread")


def check_pages(settings: Settings) -> Iterator[Finding]:
    """Whether pages are shown where they should be."""
    endpoint = settings.listen_http
    if endpoint is None or endpoint.port == 0:
        return
    host = _EVERYWHERE.get(endpoint.host, endpoint.host)
    link = http.client.HTTPConnection(host, endpoint.port, timeout=_PATIENCE)
    try:
        link.request("GET", "/health/ready")
        status = link.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        advice = _start(settings, _WEB)
        yield warning("pages", f"nobody answers at {endpoint}: {error}", advice)
        return
    finally:
        link.close()
    if status == http.client.OK:
        yield ok("pages", f"{endpoint} is ready")
    else:
        yield fault("pages", f"{endpoint} says {status}", "see what the server's log says")

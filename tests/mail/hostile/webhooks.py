"""Requests over HTTP that bring a mail of Ann's nobody we know has signed: forged, changed on the
way, too old, or used once before (L2). The mail in them is honest, so whatever is stored plays.
"""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlencode

from tests.mail.hostile.cases import Case, World, mail

SECRETS = {
    "raw": "the secret of raw requests",
    "mailgun": "the signing key of Mailgun",
    "postmark": "the password of Postmark",
    "sendgrid": "the password of SendGrid",
    "ses": "arn:aws:sns:eu-west-1:123456789012:mail",
}


@dataclass(frozen=True)
class Post:
    """A request."""

    path: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)


Posts = Callable[[World], list[Post]]
MINUTE = timedelta(minutes=1)


def raw_post(
    world: World,
    *,
    age: timedelta = timedelta(0),
    timestamp: str | None = None,
    nonce: str = "a-nonce-of-ours",
    key: str = SECRETS["raw"],
    signed_recipient: str | None = None,
    signed_body: bytes | None = None,
    **headers: str,
) -> Post:
    """As our own program would send it, but for what is changed."""
    body = mail(world)
    stamp = timestamp or str(int((world.now - age).timestamp()))
    told = [stamp, nonce, world.ann, signed_recipient or world.reply]
    signed = "".join(f"{each}\n" for each in told).encode()
    signature = hmac.new(key.encode(), signed + (signed_body or body), "sha256").hexdigest()
    known = {
        "X-Pbem-Timestamp": stamp,
        "X-Pbem-Nonce": nonce,
        "X-Pbem-Sender": world.ann,
        "X-Pbem-Recipient": world.reply,
        "X-Pbem-Signature": signature,
        "Content-Type": "message/rfc822",
    }
    changed = {f"X-Pbem-{name.capitalize()}": value for name, value in headers.items()}
    return Post("/inbound/raw", body, {**known, **changed})


def mailgun_post(
    world: World,
    *,
    content: bytes | None = None,
    age: timedelta = timedelta(0),
    key: str = SECRETS["mailgun"],
    token: str = "a-token-of-mailgun",
    shown_token: str | None = None,
    **fields: str,
) -> Post:
    """As Mailgun would send it, but for what is changed."""
    stamp = str(int((world.now - age).timestamp()))
    signature = hmac.new(key.encode(), f"{stamp}{token}".encode(), "sha256").hexdigest()
    form = {
        "timestamp": stamp,
        "token": shown_token or token,
        "signature": signature,
        "recipient": world.reply,
        "sender": world.ann,
        "body-mime": (content or mail(world)).decode("latin-1"),
        **fields,
    }
    kind = "application/x-www-form-urlencoded"
    body = urlencode(form, encoding="latin-1").encode()
    return Post("/inbound/mailgun/mime", body, {"Content-Type": kind})


def postmark_post(world: World, password: str | None, **changed: object) -> Post:
    """As Postmark would send it, but for what is changed."""
    told = {
        "RawEmail": mail(world).decode("latin-1"),
        "OriginalRecipient": world.reply,
        "MessageID": "a-message-of-postmark",
        **changed,
    }
    return Post("/inbound/postmark", json.dumps(told).encode(), _basic(password))


def sendgrid_post(world: World, password: str | None, envelope: str | None = None) -> Post:
    """As SendGrid would send it, but for what is changed."""
    told = json.dumps({"to": [world.reply], "from": world.ann}) if envelope is None else envelope
    form = {"email": mail(world).decode("latin-1"), "envelope": told}
    headers = {"Content-Type": "application/x-www-form-urlencoded", **_basic(password)}
    body = urlencode(form, encoding="latin-1").encode()
    return Post("/inbound/sendgrid", body, headers)


def ses_post(world: World, **changed: str) -> Post:
    """As SNS would send it, with a signature that is none."""
    content = {
        "content": mail(world).decode("latin-1"),
        "receipt": {"recipients": [world.reply]},
        "mail": {"source": world.ann},
    }
    told = {
        "Type": "Notification",
        "MessageId": "a-message-of-sns",
        "TopicArn": SECRETS["ses"],
        "Timestamp": world.now.isoformat(),
        "Message": json.dumps(content),
        "SignatureVersion": "2",
        "Signature": base64.b64encode(b"x" * 256).decode(),
        "SigningCertURL": "https://sns.evil.example/SimpleNotificationService-00000000.pem",
        **changed,
    }
    return Post("/inbound/ses", json.dumps(told).encode(), {"Content-Type": "text/plain"})


def _basic(password: str | None) -> dict[str, str]:
    if password is None:
        return {}
    told = base64.b64encode(f"any:{password}".encode()).decode()
    return {"Authorization": f"Basic {told}"}


def _machine(world: World) -> bytes:
    return mail(world, "nothing", Auto_Submitted="auto-generated")


def _bare(world: World, path: str, body: bytes, kind: str = "application/json") -> list[Post]:
    return [Post(path, body, {"Content-Type": kind, **_basic(SECRETS["postmark"])})]


MADE: dict[str, Posts] = {
    "raw, no signature": lambda world: [Post("/inbound/raw", mail(world))],
    "raw, empty signature": lambda world: [raw_post(world, signature="")],
    "raw, another key": lambda world: [raw_post(world, key="guess")],
    "raw, signature in two": lambda world: [raw_post(world, signature="0" * 64)],
    "raw, signature not ASCII": lambda world: [raw_post(world, signature="\u00e4" * 64)],
    "raw, another mail was signed": lambda world: [raw_post(world, signed_body=b"x")],
    "raw, another recipient was signed": lambda world: [
        raw_post(world, signed_recipient=world.beau_reply)
    ],
    "raw, six minutes old": lambda world: [raw_post(world, age=6 * MINUTE)],
    "raw, six minutes early": lambda world: [raw_post(world, age=-6 * MINUTE)],
    "raw, a year old": lambda world: [raw_post(world, age=timedelta(days=365))],
    "raw, time is nonsense": lambda world: [raw_post(world, timestamp="now")],
    "raw, time is huge": lambda world: [raw_post(world, timestamp="9" * 400)],
    "raw, time with another behind it": lambda world: [
        raw_post(world, timestamp=f"{int(world.now.timestamp())} 1")
    ],
    "raw, no nonce": lambda world: [raw_post(world, nonce="")],
    "mailgun, no signature": lambda world: [mailgun_post(world, signature="")],
    "mailgun, another key": lambda world: [mailgun_post(world, key="guess")],
    "mailgun, six minutes old": lambda world: [mailgun_post(world, age=6 * MINUTE)],
    "mailgun, time moved": lambda world: [mailgun_post(world, timestamp="1")],
    "mailgun, token used for another mail": lambda world: [
        mailgun_post(world, content=_machine(world), token="used-before"),
        mailgun_post(world, token="used-before"),
    ],
    "mailgun, figures moved from token to time": lambda world: [
        mailgun_post(
            world,
            token="1token",
            shown_token="token",
            timestamp=f"{int(world.now.timestamp())}1",
        )
    ],
    "mailgun, not a form": lambda world: _bare(world, "/inbound/mailgun/mime", b"x", "text/plain"),
    "mailgun, thousand fields": lambda world: _bare(
        world,
        "/inbound/mailgun/mime",
        b"&".join(b"a%d=b" % number for number in range(1000)),
        "application/x-www-form-urlencoded",
    ),
    "mailgun, boundary without parts": lambda world: _bare(
        world, "/inbound/mailgun/mime", b"--x" * 100_000, "multipart/form-data; boundary=x"
    ),
    "postmark, no password": lambda world: [postmark_post(world, None)],
    "postmark, another password": lambda world: [postmark_post(world, "guess")],
    "postmark, empty password": lambda world: [postmark_post(world, "")],
    "postmark, no mail in it": lambda world: [
        postmark_post(world, SECRETS["postmark"], RawEmail=None)
    ],
    "postmark, recipients are numbers": lambda world: [
        postmark_post(world, SECRETS["postmark"], OriginalRecipient=[1, 2])
    ],
    "postmark, deep JSON": lambda world: _bare(world, "/inbound/postmark", b"[" * 200_000),
    "postmark, not JSON": lambda world: _bare(world, "/inbound/postmark", b"\xff\xfe{}"),
    "sendgrid, no password": lambda world: [sendgrid_post(world, None)],
    "sendgrid, another password": lambda world: [sendgrid_post(world, "guess")],
    "sendgrid, envelope is nonsense": lambda world: [
        sendgrid_post(world, SECRETS["sendgrid"], envelope="[[[")
    ],
    "sendgrid, envelope elsewhere": lambda world: [
        sendgrid_post(world, SECRETS["sendgrid"], envelope='{"to": ["ann@example.org"]}')
    ],
    "ses, another topic": lambda world: [ses_post(world, TopicArn="arn:aws:sns:x:1:evil")],
    "ses, certificate elsewhere": lambda world: [ses_post(world)],
    "ses, certificate at a longer name": lambda world: [
        ses_post(
            world,
            SigningCertURL="https://sns.eu-west-1.amazonaws.com.evil.example/"
            "SimpleNotificationService-00000000.pem",
        )
    ],
    "ses, certificate in a bucket": lambda world: [
        ses_post(world, SigningCertURL="https://s3.eu-west-1.amazonaws.com/x/y.pem")
    ],
    "ses, certificate in a file": lambda world: [
        ses_post(world, SigningCertURL="file:///etc/passwd")
    ],
    "ses, subscription elsewhere": lambda world: [
        ses_post(world, Type="SubscriptionConfirmation", SubscribeURL="http://127.0.0.1/")
    ],
    "ses, no signature": lambda world: [ses_post(world, Signature="")],
    "unknown provider": lambda world: [Post("/inbound/nobody", mail(world))],
}


def cases() -> Iterator[Case]:
    """Everything of this kind."""
    for name, posts in MADE.items():
        yield Case(
            f"webhook: {name}",
            _last_body(posts),
            may_hear=(),
            way="webhook",
            facts={"posts": posts},
        )


def _last_body(posts: Posts) -> Callable[[World], bytes]:
    return lambda world: posts(world)[-1].body

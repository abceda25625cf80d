"""Mail that comes in over HTTP: who is believed, what is answered, what is stored (L1.1, L2)."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import NameOID
from werkzeug.test import TestResponse

from pbem.errors import StoreUnavailableError
from pbem.play.ports import Store, Unit
from pbem.play.post import Inbound
from pbem.store.database import open_store
from pbem.web.providers import ses
from tests.mail.post import DOMAIN, NOON
from tests.play.hasty_store import HastyStore
from tests.web.site import PLAY, Site

# Bytes that are no text in any encoding but their own.
MAIL = b"From: ann@example.org\r\nMessage-ID: <one@example.org>\r\n\r\nZ\xfc & = % + E7\r\n"
OTHER = b"From: ann@example.org\r\nMessage-ID: <two@example.org>\r\n\r\nF2>G4\r\n"
TEXT = MAIL.replace(b"\xfc", "ü".encode())
SECRET = "a secret of the provider's"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail"
SENDGRID_KEY = ec.generate_private_key(ec.SECP256R1())
SNS_KEY = rsa.generate_private_key(65537, 2048)
CERTIFICATE_URL = (
    "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem"
)


@dataclass
class Post:
    """A request of a provider."""

    path: str
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)

    def to(self, site: Site) -> TestResponse:
        return site.client.post(self.path, data=self.body, headers=self.headers)


def raw(site: Site, mail: bytes = MAIL, **changed: str) -> Post:
    told = {
        "timestamp": site.seconds(),
        "nonce": "nonce-0001",
        "sender": "ann@example.org",
        "recipient": PLAY,
        **changed,
    }
    signed = "".join(f"{told[name]}\n" for name in ("timestamp", "nonce", "sender", "recipient"))
    signature = hmac.new(SECRET.encode(), signed.encode() + mail, "sha256").hexdigest()
    headers = {f"X-Pbem-{name.title()}": value for name, value in told.items()}
    headers |= {"X-Pbem-Signature": signature, "Content-Type": "message/rfc822"}
    return Post("/inbound/raw", mail, headers)


def mailgun(site: Site, mail: bytes = MAIL, **changed: str) -> Post:
    told = {
        "timestamp": site.seconds(),
        "token": "t" * 50,
        "recipient": PLAY,
        "sender": "ann@example.org",
        "subject": "Züg",
        **changed,
    }
    signed = f"{told['timestamp']}{told['token']}".encode()
    told["signature"] = hmac.new(SECRET.encode(), signed, "sha256").hexdigest()
    body = urlencode(told).encode() + b"&body-mime=" + urlencode({"": mail}).encode()[1:]
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return Post("/inbound/mailgun/mime", body, kind)


def postmark(site: Site, mail: bytes = TEXT, **changed: Any) -> Post:
    told = {
        "MessageID": "22c74902-a0c1-4511-804f2-341342852c90",
        "OriginalRecipient": PLAY,
        "From": "ann@example.org",
        "RawEmail": mail.decode(),
        **changed,
    }
    return Post("/inbound/postmark", json.dumps(told).encode(), {"Authorization": basic(SECRET)})


def basic(password: str) -> str:
    return "Basic " + base64.b64encode(f"anybody:{password}".encode()).decode()


def form(**fields: bytes) -> tuple[bytes, dict[str, str]]:
    body = b"".join(
        b'--edge\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
        % (name.encode(), value)
        for name, value in fields.items()
    )
    return body + b"--edge--\r\n", {"Content-Type": "multipart/form-data; boundary=edge"}


def sendgrid(site: Site, mail: bytes = MAIL, **changed: str) -> Post:
    envelope = json.dumps({"to": [PLAY], "from": "ann@example.org"}).encode()
    body, headers = form(to=b"Play <x@example.org>", email=mail, envelope=envelope)
    return Post("/inbound/sendgrid", body, headers | {"Authorization": basic(SECRET)})


def signed_sendgrid(site: Site, mail: bytes = MAIL, **changed: str) -> Post:
    post = sendgrid(site, mail)
    timestamp = changed.get("timestamp", site.seconds())
    signature = SENDGRID_KEY.sign(timestamp.encode() + post.body, ec.ECDSA(SHA256()))
    del post.headers["Authorization"]
    post.headers["X-Twilio-Email-Event-Webhook-Timestamp"] = timestamp
    post.headers["X-Twilio-Email-Event-Webhook-Signature"] = base64.b64encode(signature).decode()
    return post


def sns(site: Site, message: str, *, version: str = "2", **changed: str) -> dict[str, str]:
    """A message of SNS, signed as SNS signs."""
    told = {
        "Type": "Notification",
        "MessageId": "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
        "TopicArn": TOPIC,
        "Subject": "Amazon SES Email Receipt Notification",
        "Message": message,
        "Timestamp": site.now.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "SignatureVersion": version,
        "SigningCertURL": CERTIFICATE_URL,
        **changed,
    }
    names = sorted(told.keys() - {"SignatureVersion", "SigningCertURL", "UnsubscribeURL"})
    signed = "".join(f"{name}\n{told[name]}\n" for name in names).encode()
    hashing = SHA256() if version == "2" else SHA1()
    signature = SNS_KEY.sign(signed, padding.PKCS1v15(), hashing)
    return {**told, "Signature": base64.b64encode(signature).decode()}


def notification(mail: str, **changed: Any) -> str:
    told = {
        "notificationType": "Received",
        "receipt": {"recipients": [PLAY], "action": {"type": "SNS", "topicArn": TOPIC}},
        "mail": {"source": "ann@example.org", "destination": [PLAY]},
        "content": mail,
        **changed,
    }
    return json.dumps(told)


def amazon(site: Site, mail: bytes = MAIL, **changed: str) -> Post:
    message = notification(base64.b64encode(mail).decode())
    body = json.dumps(sns(site, message, **changed)).encode()
    return Post("/inbound/ses", body, {"Content-Type": "text/plain; charset=UTF-8"})


def subscription(site: Site, url: str) -> Post:
    """A message that asks to confirm a subscription; it has no subject."""
    kind = "SubscriptionConfirmation"
    told = sns(site, "You have chosen", Type=kind, Token="1", SubscribeURL=url)
    del told["Subject"]
    names = sorted(told.keys() - {"SignatureVersion", "SigningCertURL", "Signature"})
    signed = "".join(f"{name}\n{told[name]}\n" for name in names).encode()
    signature = SNS_KEY.sign(signed, padding.PKCS1v15(), SHA256())
    told["Signature"] = base64.b64encode(signature).decode()
    return Post("/inbound/ses", json.dumps(told).encode())


def certificate(*, days: tuple[int, int] = (-1, 1)) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(SNS_KEY.public_key())
        .serial_number(1)
        .not_valid_before(NOON + timedelta(days=days[0]))
        .not_valid_after(NOON + timedelta(days=days[1]))
        .sign(SNS_KEY, SHA256())
    )
    return made.public_bytes(Encoding.PEM)


PUBLIC = base64.b64encode(
    SENDGRID_KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
).decode()
WAYS: dict[str, tuple[Callable[..., Post], str]] = {
    "raw": (raw, SECRET),
    "mailgun": (mailgun, SECRET),
    "postmark": (postmark, SECRET),
    "sendgrid": (sendgrid, SECRET),
    "signed_sendgrid": (signed_sendgrid, PUBLIC),
    "ses": (amazon, TOPIC),
}
WITH_TIME = ("raw", "mailgun", "signed_sendgrid", "ses")
WITH_NONCE = ("raw", "mailgun", "postmark", "signed_sendgrid", "ses")


def make_site(store: Store, way: str) -> Site:
    site = Site(store, webhooks={way.removeprefix("signed_"): WAYS[way][1]})
    site.files[CERTIFICATE_URL] = certificate()
    ses._certificate.cache_clear()
    return site


@pytest.fixture
def store(club_store: HastyStore) -> HastyStore:
    club_store.empty()
    return club_store


@pytest.fixture(params=list(WAYS))
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def site(store: HastyStore, way: str) -> Site:
    return make_site(store, way)


@pytest.fixture
def make(way: str) -> Callable[..., Post]:
    return WAYS[way][0]


def only(site: Site) -> Inbound:
    (row,) = site.stored()
    return row


class TestEveryWay:
    def test_a_mail_is_stored_as_it_is(
        self, site: Site, make: Callable[..., Post], way: str
    ) -> None:
        response = make(site).to(site)
        assert (response.status_code, response.text) == (200, "stored\n")
        row = only(site)
        assert row.arrival.raw == (TEXT if way == "postmark" else MAIL)
        assert (row.arrival.destination, row.arrival.via) == ("service/play", "webhook")
        assert row.arrival.sender == (None if way == "postmark" else "ann@example.org")
        assert site.nudged == [row.id]
        assert response.headers["Cache-Control"] == "no-store"

    def test_no_other_way_is_open(self, site: Site, way: str) -> None:
        for other, (make, _) in WAYS.items():
            if other.removeprefix("signed_") != way.removeprefix("signed_"):
                assert make(site).to(site).status_code == 404
        assert site.stored() == []

    def test_it_only_takes_posts(self, site: Site, make: Callable[..., Post]) -> None:
        assert site.client.get(make(site).path).status_code == 405

    def test_what_is_not_signed_is_not_believed(
        self, site: Site, make: Callable[..., Post], way: str
    ) -> None:
        post = make(site)
        forged = replace(
            post,
            body=post.body.replace(b"signature=", b"signature=0").replace(
                b'"Signature": "', b'"x":"'
            ),
            headers={
                name: value
                for name, value in post.headers.items()
                if "signature" not in name.lower() and name != "Authorization"
            },
        )
        response = forged.to(site)
        assert response.status_code == 401
        assert site.stored() == []

    def test_a_store_that_is_down_is_to_be_tried_later(
        self, store: HastyStore, way: str, make: Callable[..., Post]
    ) -> None:
        breaking = Breaking(store)
        site = make_site(breaking, way)
        for error in (StoreUnavailableError("no disk"), RuntimeError("a fault")):
            breaking.error = error
            response = make(site).to(site)
            assert response.status_code == 503
            assert response.headers["Retry-After"]
        breaking.error = None
        assert make(site).to(site).status_code == 200  # the same request, nonce and all
        assert len(site.stored()) == 1

    def test_it_is_not_stored_twice(self, site: Site, make: Callable[..., Post], way: str) -> None:
        for _ in range(3):
            assert make(site).to(site).status_code == 200
        assert only(site).repeats == (0 if way in WITH_NONCE else 2)

    def test_a_recipient_that_is_not_ours(
        self, site: Site, make: Callable[..., Post], way: str
    ) -> None:
        post = make(site)
        if way in ("raw", "mailgun"):
            post = make(site, recipient="nobody@example.net")
        elif way == "ses":
            message = notification(MAIL.decode("latin-1"), receipt={"recipients": ["a@b.example"]})
            post = replace(post, body=json.dumps(sns(site, message)).encode())
        elif way == "postmark":
            post = make(site, OriginalRecipient="nobody@example.net")
        else:
            return
        status = 403 if way == "postmark" else 406
        assert post.to(site).status_code == status
        assert site.stored() == []

    def test_rubbish(self, site: Site, make: Callable[..., Post]) -> None:
        post = make(site)
        for body in (b"", b"\0" * 1000, b"{}", b"[" * 100_000, b'{"a":' * 100_000, b"=&" * 50_000):
            response = replace(post, body=body).to(site)
            assert response.status_code in (401, 403, 406)
        assert site.stored() == []


@pytest.mark.parametrize("way", WITH_TIME, indirect=True)
class TestTime:
    @pytest.mark.parametrize("minutes", [-4.9, 4.9])
    def test_within_five_minutes(
        self, site: Site, make: Callable[..., Post], minutes: float
    ) -> None:
        post = make(site)
        site.later(minutes=minutes)
        assert post.to(site).status_code == 200

    @pytest.mark.parametrize("minutes", [-6, 6, 60 * 24 * 365])
    def test_farther_off_nothing_is_stored(
        self, site: Site, make: Callable[..., Post], way: str, minutes: float
    ) -> None:
        site.files[CERTIFICATE_URL] = certificate(days=(-1000, 1000))
        post = make(site)
        site.later(minutes=minutes)
        assert post.to(site).status_code == 503
        assert site.stored() == []

    def test_a_time_that_is_none(self, site: Site, make: Callable[..., Post], way: str) -> None:
        for time in ("", "-1", "1e9", "9" * 30, "١٢٣"):
            name = "Timestamp" if way == "ses" else "timestamp"
            assert make(site, **{name: time}).to(site).status_code in (401, 406, 503)
        assert site.stored() == []


@pytest.mark.parametrize("way", ["raw", "mailgun", "postmark", "ses"], indirect=True)
def test_a_nonce_is_good_for_one_mail(site: Site, make: Callable[..., Post]) -> None:
    assert make(site).to(site).status_code == 200
    assert make(site, OTHER).to(site).status_code == 409
    assert only(site).repeats == 0


def test_on_both_databases(database_url: str) -> None:
    store = open_store(database_url)
    site = make_site(store, "mailgun")
    for _ in range(2):
        assert mailgun(site).to(site).status_code == 200
    assert mailgun(site, OTHER).to(site).status_code == 409
    assert only(site).arrival.raw == MAIL
    store.dispose()


class Breaking:
    """A real store that can be out of order."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner
        self.error: Exception | None = None

    @contextmanager
    def begin(self) -> Iterator[Unit]:
        with self.inner.begin() as unit:
            yield unit
            if self.error is not None:
                raise self.error

    def read(self) -> Any:
        return self.inner.read()


# -- what is special about each ------------------------------------------------------------------


@pytest.mark.parametrize("way", ["raw"], indirect=True)
class TestRaw:
    @pytest.mark.parametrize("name", ["Timestamp", "Nonce", "Sender", "Recipient"])
    def test_everything_is_signed(self, site: Site, name: str) -> None:
        post = raw(site)
        post.headers[f"X-Pbem-{name}"] += "1"
        assert post.to(site).status_code == 401
        assert replace(raw(site), body=OTHER).to(site).status_code == 401

    def test_several_recipients_and_no_sender(self, site: Site) -> None:
        recipients = f"{PLAY}, postmaster@{DOMAIN},nobody@example.net"
        assert raw(site, sender="", recipient=recipients).to(site).status_code == 200
        rows = site.stored()
        assert [row.arrival.destination for row in rows] == ["postmaster", "service/play"]
        assert {row.arrival.sender for row in rows} == {""}

    @pytest.mark.parametrize("nonce", ["", "short", "with space", "x" * 201])
    def test_a_nonce_that_is_none(self, site: Site, nonce: str) -> None:
        assert raw(site, nonce=nonce).to(site).status_code == 406

    def test_the_largest_mail(self, site: Site) -> None:
        largest = b"\r\n" + b"x" * ((10 << 20) - 2)
        assert raw(site, largest).to(site).status_code == 200
        assert raw(site, largest + b"x", nonce="nonce-0002").to(site).status_code == 413
        assert len(site.stored()) == 1


@pytest.mark.parametrize("way", ["mailgun"], indirect=True)
class TestMailgun:
    def test_in_a_form_of_parts(self, site: Site) -> None:
        signed = f"{site.seconds()}token".encode()
        body, headers = form(
            timestamp=site.seconds().encode(),
            token=b"token",
            signature=hmac.new(SECRET.encode(), signed, "sha256").hexdigest().encode(),
            recipient=PLAY.encode(),
            **{"body-mime": MAIL},
        )
        assert Post("/inbound/mailgun", body, headers).to(site).status_code == 200
        assert only(site).arrival.raw == MAIL
        assert only(site).arrival.sender is None

    def test_a_mail_that_was_taken_apart(self, site: Site) -> None:
        post = mailgun(site)
        response = replace(post, body=post.body.replace(b"body-mime", b"body-plain")).to(site)
        assert response.status_code == 406
        assert "/mime" in response.text

    def test_too_large(self, site: Site) -> None:
        assert mailgun(site, b"x" * ((10 << 20) + 1)).to(site).status_code == 406


@pytest.mark.parametrize("way", ["postmark"], indirect=True)
class TestPostmark:
    def test_the_secret_in_a_header(self, site: Site) -> None:
        post = replace(postmark(site), headers={"X-Pbem-Secret": SECRET})
        assert post.to(site).status_code == 200

    @pytest.mark.parametrize(
        "authorization",
        ["", "Basic", "Basic !!!", "Bearer x", basic(""), basic(SECRET + "x"), "Basic \xff"],
    )
    def test_no_other_secret(self, site: Site, authorization: str) -> None:
        post = replace(postmark(site), headers={"Authorization": authorization})
        assert post.to(site).status_code == 401

    @pytest.mark.parametrize(
        ("path", "sender"),
        [("<>", ""), ("<Bounce@Example.org>", "bounce@example.org"), ("?", None)],
    )
    def test_the_return_path_is_read_from_the_mail(
        self, site: Site, path: str, sender: str | None
    ) -> None:
        mail = f"Return-Path: {path}\r\n".encode() + TEXT
        assert postmark(site, mail).to(site).status_code == 200
        assert only(site).arrival.sender == sender

    @pytest.mark.parametrize("changed", [{"RawEmail": None}, {"RawEmail": 7}])
    def test_without_the_raw_mail(self, site: Site, changed: dict[str, Any]) -> None:
        response = postmark(site, **changed).to(site)
        assert response.status_code == 403
        assert "RawEmail" in response.text


@pytest.mark.parametrize("way", ["signed_sendgrid"], indirect=True)
class TestSendgrid:
    def test_a_password_is_not_enough_where_it_is_to_be_signed(self, site: Site) -> None:
        post = replace(sendgrid(site), headers={**sendgrid(site).headers})
        assert post.to(site).status_code == 401

    def test_what_was_changed_on_the_way(self, site: Site) -> None:
        post = signed_sendgrid(site)
        assert replace(post, body=post.body.replace(b"E7", b"E8")).to(site).status_code == 401
        for signature in ("", "!!", base64.b64encode(b"x" * 70).decode()):
            headers = {**post.headers, "X-Twilio-Email-Event-Webhook-Signature": signature}
            assert replace(post, headers=headers).to(site).status_code == 401
        assert site.stored() == []


@pytest.mark.parametrize("way", ["ses"], indirect=True)
class TestSes:
    def test_a_mail_that_is_not_in_base64(self, site: Site) -> None:
        body = json.dumps(sns(site, notification(TEXT.decode()))).encode()
        assert Post("/inbound/ses", body).to(site).status_code == 200
        assert only(site).arrival.raw == TEXT

    def test_the_older_signature(self, site: Site) -> None:
        assert amazon(site, version="1").to(site).status_code == 200

    @pytest.mark.parametrize(
        "url",
        [
            "https://sns.eu-west-1.amazonaws.com.example.net/SimpleNotificationService-01234567.pem",
            "https://example.net/SimpleNotificationService-0123456789.pem",
            "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789.pem",
            "https://sns.eu-west-1.amazonaws.com@example.net/SimpleNotificationService-01234567.pem",
            "https://sns.eu-west-1.amazonaws.com/other.pem",
            "https://s3.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789.pem",
            "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789.pem\n",
            "file:///etc/passwd",
            "",
        ],
    )
    def test_a_certificate_from_elsewhere_is_not_even_fetched(self, site: Site, url: str) -> None:
        site.files[url] = certificate()
        assert amazon(site, SigningCertURL=url).to(site).status_code == 401
        assert site.fetched == []

    def test_another_topic(self, site: Site) -> None:
        assert amazon(site, TopicArn=TOPIC + "x").to(site).status_code == 401
        assert site.fetched == []

    def test_what_was_changed_on_the_way(self, site: Site) -> None:
        told = json.loads(amazon(site).body)
        told["Message"] = notification(OTHER.decode())
        assert Post("/inbound/ses", json.dumps(told).encode()).to(site).status_code == 401

    def test_a_certificate_that_cannot_be_had_now(self, site: Site) -> None:
        site.files.clear()
        assert amazon(site).to(site).status_code == 503
        site.files[CERTIFICATE_URL] = certificate()
        assert amazon(site).to(site).status_code == 200
        assert amazon(site).to(site).status_code == 200
        assert len(site.fetched) == 2  # once in vain, then it is known

    @pytest.mark.parametrize("found", [b"", b"rubbish", certificate(days=(-9, -8))])
    def test_a_certificate_that_is_none(self, site: Site, found: bytes) -> None:
        site.files[CERTIFICATE_URL] = found
        assert amazon(site).to(site).status_code == 401

    def test_a_mail_that_is_not_in_the_notification(self, site: Site) -> None:
        body = json.dumps(sns(site, notification("", content=None))).encode()
        response = Post("/inbound/ses", body).to(site)
        assert response.status_code == 406
        assert "SNS action" in response.text

    def test_a_subscription_confirms_itself(self, site: Site) -> None:
        query = f"Action=ConfirmSubscription&TopicArn={TOPIC}&Token=1"
        url = f"https://sns.eu-west-1.amazonaws.com/?{query}"
        site.files[url] = b"<ok/>"
        assert subscription(site, url).to(site).status_code == 200
        assert site.fetched[-1] == url
        assert site.stored() == []

    def test_but_only_at_an_address_of_sns(self, site: Site) -> None:
        url = "https://example.net/?Action=ConfirmSubscription&Token=1"
        assert subscription(site, url).to(site).status_code == 406
        assert url not in site.fetched

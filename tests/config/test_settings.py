"""What an operator may set, every fault told at once, and nothing secret shown."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import get_args

import pytest

from pbem.bootstrap import find_secret, get_secret, make_office
from pbem.config import TRUST_POLICIES, Settings, Trust, read_settings
from pbem.endpoints import Endpoint, Server, is_local, read_endpoint, read_mailbox, read_relay
from pbem.errors import ConfigError

COMPLETE = {
    "HOME": "/home/me",
    "PBEM_MAIL_DOMAIN": "Play.Example.org.",
    "PBEM_SITE_URL": "https://play.example.org/",
    "PBEM_NAME": "  Ortus   for all ",
    "PBEM_SECRET": "0123456789abcdef0123456789abcdef-hunter2",
    "PBEM_SMTP_URL": "smtp://me:hunter2@mail.example.org",
    "PBEM_LISTEN_SMTP": "0.0.0.0:25",
    "PBEM_LISTEN_LMTP": "[::1]:24",
    "PBEM_LISTEN_HTTP": "off",
    "PBEM_IMAP_URL": "imaps://me:hunter2@mail.example.org/Games",
    "PBEM_WEBHOOK_RAW": "hunter2",
    "PBEM_WEBHOOK_MAILGUN": "hunter2",
    "PBEM_TRUST": "token+from+dmarc",
    "PBEM_AUTHSERV_ID": "mx.example.org",
    "PBEM_DIRECTOR": "director@example.org",
    "PBEM_DKIM_SELECTOR": "post",
    "PBEM_DKIM_KEY_FILE": "/etc/pbem/dkim.key",
    "PBEM_TLS_CERT_FILE": "/etc/pbem/cert.pem",
    "PBEM_TLS_KEY_FILE": "/etc/pbem/key.pem",
    "PBEM_BROKER_URL": "redis://:hunter2@broker/0",
    "PBEM_LOG": "json",
}


class TestSettings:
    def test_everything(self) -> None:
        settings = read_settings(COMPLETE, is_serving=True)
        assert settings.mail_domain == "play.example.org"
        assert settings.site_url == "https://play.example.org"
        assert settings.name == "Ortus for all"
        assert settings.relay == Server(
            "smtp", "mail.example.org", 587, "starttls", "me", "hunter2"
        )
        assert settings.mailbox is not None
        assert (settings.mailbox.folder, settings.mailbox.port) == ("Games", 993)
        assert settings.listen_smtp == Endpoint("0.0.0.0", 25)
        assert settings.listen_lmtp == Endpoint("::1", 24)
        assert str(settings.listen_lmtp) == "[::1]:24"
        assert settings.listen_http is None
        assert settings.webhooks == {"raw": "hunter2", "mailgun": "hunter2"}
        assert settings.trust == "token+from+dmarc"
        assert settings.dkim_key_file == Path("/etc/pbem/dkim.key")
        assert settings.log_style == "json"

    def test_no_secret_is_shown(self) -> None:
        settings = read_settings(COMPLETE)
        shown = f"{settings!r} {settings} {settings.relay} {settings.mailbox}"
        assert "hunter2" not in shown

    def test_by_default_little_is_set(self) -> None:
        settings = read_settings({"HOME": "/home/me"})
        assert settings.trust == "token+from"
        assert settings.broker_url == "memory://"
        assert settings.listen_http == Endpoint("127.0.0.1", 8080)
        assert (settings.relay, settings.listen_smtp, settings.secret) == (None, None, None)

    def test_all_faults_are_told_at_once_and_none_shows_a_secret(self) -> None:
        wrong = {name: "hunter2 : // \n" for name in COMPLETE if name.startswith("PBEM_")}
        wrong |= {
            "PBEM_SMTP_URL": "smtp://me:hunter2@mail.example.org?tls=none",
            "PBEM_IMAP_URL": "imap://mail.example.org#hunter2",
            "PBEM_WEBHOOK_OTHER": "hunter2",
            "PBEM_BROKER_URL": "filesystem://hunter2",
            "PBEM_DKIM_SELECTOR": "",
        }
        del wrong["PBEM_WEBHOOK_RAW"], wrong["PBEM_WEBHOOK_MAILGUN"], wrong["PBEM_NAME"]
        with pytest.raises(ConfigError) as caught:
            read_settings(wrong, is_serving=True)
        told = str(caught.value)
        assert "hunter2" not in told
        for name in wrong:
            assert name in told, name

    @pytest.mark.parametrize("name", ["PBEM_MAIL_DOMAIN", "PBEM_SITE_URL", "PBEM_SMTP_URL"])
    def test_what_a_server_needs(self, name: str) -> None:
        without = {key: value for key, value in COMPLETE.items() if key != name}
        read_settings(without)
        with pytest.raises(ConfigError, match=f"{name} is not set"):
            read_settings(without, is_serving=True)

    def test_a_server_needs_a_way_in_or_the_word_that_it_has_none(self) -> None:
        ways = ("PBEM_LISTEN_SMTP", "PBEM_LISTEN_LMTP", "PBEM_IMAP_URL", "PBEM_WEBHOOK_RAW")
        closed = {k: v for k, v in COMPLETE.items() if not k.startswith((*ways, "PBEM_WEBHOOK"))}
        with pytest.raises(ConfigError, match="no way in is set"):
            read_settings(closed, is_serving=True)
        for way in ways:
            read_settings({**closed, way: COMPLETE[way]}, is_serving=True)
        settings = read_settings({**closed, "PBEM_LISTEN_SMTP": "off"}, is_serving=True)
        assert settings.listen_smtp is None

    @pytest.mark.parametrize(
        ("wrong", "told"),
        [
            ({"PBEM_DKIM_KEY_FILE": ""}, "must be set together"),
            ({"PBEM_AUTHSERV_ID": ""}, "needs PBEM_AUTHSERV_ID"),
            ({"PBEM_TLS_CERT_FILE": ""}, "needs PBEM_TLS_CERT_FILE"),
            ({"PBEM_SECRET": "short"}, "at least 32"),
            ({"PBEM_SITE_URL": "play.example.org"}, "PBEM_SITE_URL"),
            ({"PBEM_SITE_URL": "https://a@play.example.org"}, "PBEM_SITE_URL"),
            ({"PBEM_SITE_URL": "https://play.example.org/?x"}, "PBEM_SITE_URL"),
            ({"PBEM_MAIL_DOMAIN": "play example"}, "PBEM_MAIL_DOMAIN"),
            ({"PBEM_MAIL_DOMAIN": "a@b"}, "PBEM_MAIL_DOMAIN"),
            ({"PBEM_NAME": "x" * 61}, "PBEM_NAME"),
            ({"PBEM_NAME": "a\x07b"}, "PBEM_NAME"),
            ({"PBEM_DIRECTOR": "nobody"}, "PBEM_DIRECTOR"),
            ({"PBEM_DKIM_KEY_FILE": "key"}, "absolute"),
        ],
    )
    def test_faults(self, wrong: dict[str, str], told: str) -> None:
        with pytest.raises(ConfigError, match=told):
            read_settings({**COMPLETE, **wrong})

    def test_the_policies_are_those_of_the_type(self) -> None:
        assert get_args(Trust) == TRUST_POLICIES


class TestServers:
    @pytest.mark.parametrize(
        ("text", "server"),
        [
            ("smtp://localhost", Server("smtp", "localhost", 25, "none")),
            ("smtp://127.0.0.1:2525", Server("smtp", "127.0.0.1", 2525, "none")),
            ("smtp://[::1]:2525", Server("smtp", "::1", 2525, "none")),
            ("smtp://mail.example.org", Server("smtp", "mail.example.org", 587, "starttls")),
            ("smtps://mail.example.org", Server("smtp", "mail.example.org", 465, "implicit")),
            (
                "smtp://mail.example.org?tls=implicit",
                Server("smtp", "mail.example.org", 465, "implicit"),
            ),
            (
                "smtp://mail.example.org:25?tls=none",
                Server("smtp", "mail.example.org", 25, "none"),
            ),
            (
                "smtp://a%40b:c%3Ad%2F@localhost?ca=/etc/ca.pem&tls=starttls",
                Server("smtp", "localhost", 587, "starttls", "a@b", "c:d/", "/etc/ca.pem"),
            ),
            ("lmtp://localhost", Server("lmtp", "localhost", 24, "none")),
        ],
    )
    def test_relays(self, text: str, server: Server) -> None:
        assert read_relay(text) == server

    @pytest.mark.parametrize(
        "text",
        [
            "mail.example.org",
            "http://mail.example.org",
            "smtp://",
            "smtp://:25",
            "smtp://mail.example.org:0",
            "smtp://mail.example.org:99999",
            "smtp://mail.example.org:x",
            "smtp://mail.example.org/path",
            "smtp://mail.example.org?tls=maybe",
            "smtps://mail.example.org?tls=none",
            "smtp://mail.example.org?tsl=none",
            "smtp://me:pa@ss@mail.example.org",
            "smtp://me:hunter2@mail.example.org?tls=none",
            "smtp://[::1",
            "lmtp://me:x@localhost",
            "lmtp://localhost?tls=starttls",
        ],
    )
    def test_what_is_no_relay(self, text: str) -> None:
        with pytest.raises(ConfigError) as caught:
            read_relay(text)
        assert "hunter2" not in str(caught.value)

    @pytest.mark.parametrize(
        "text",
        [
            "imaps://mail.example.org",
            'imaps://me:x@mail.example.org/a"b',
            "imap://me:x@mail.example.org?tls=none",
            "pop3://me:x@mail.example.org",
        ],
    )
    def test_what_is_no_mailbox(self, text: str) -> None:
        with pytest.raises(ConfigError):
            read_mailbox(text)

    @pytest.mark.parametrize("text", ["", "here", ":25", "host:", "host:x", "host:65536", "a b:1"])
    def test_what_is_no_endpoint(self, text: str) -> None:
        with pytest.raises(ConfigError):
            read_endpoint(text)

    def test_what_is_this_machine(self) -> None:
        assert all(map(is_local, ("localhost", "127.0.0.1", "127.3.2.1", "::1", "LOCALHOST.")))
        assert not any(map(is_local, ("localhost.example.org", "10.0.0.1", "::2", "")))


class TestSecret:
    @pytest.fixture
    def settings(self, tmp_path: Path) -> Settings:
        return read_settings(
            {
                "PBEM_DATA_DIR": str(tmp_path / "data"),
                "PBEM_MAIL_DOMAIN": "play.example.org",
                "PBEM_SITE_URL": "https://play.example.org",
                "PBEM_NAME": "A club",
            }
        )

    def test_it_is_made_once_and_for_its_owner_only(self, settings: Settings) -> None:
        made = get_secret(settings)
        file = settings.data_dir / "secret"
        assert file.stat().st_mode & 0o777 == 0o600
        assert len(bytes.fromhex(made.decode())) == 32
        assert get_secret(settings) == made
        assert os.listdir(settings.data_dir) == ["secret"]

    def test_copied_into_the_environment_it_is_the_same(self, settings: Settings) -> None:
        made = get_secret(settings)
        text = (settings.data_dir / "secret").read_text()
        assert get_secret(read_settings({"HOME": "/", "PBEM_SECRET": text})) == made

    def test_who_only_looks_makes_none(self, settings: Settings) -> None:
        assert find_secret(settings) is None
        assert not settings.data_dir.exists()
        assert get_secret(settings) == find_secret(settings)
        text = "a secret of at least 32 characters"
        assert find_secret(read_settings({"HOME": "/", "PBEM_SECRET": text})) == text.encode()

    def test_of_many_who_make_it_one_wins(self, settings: Settings) -> None:
        found: set[bytes] = set()
        threads = [
            threading.Thread(target=lambda: found.add(get_secret(settings))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(found) == 1

    def test_an_empty_file_is_no_secret(self, settings: Settings) -> None:
        settings.data_dir.mkdir()
        (settings.data_dir / "secret").write_text("\n")
        with pytest.raises(ConfigError, match="at least 32"):
            get_secret(settings)

    def test_where_nothing_can_be_written_it_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        settings = read_settings({"PBEM_DATA_DIR": str(tmp_path / "file" / "data")})
        with pytest.raises(ConfigError, match="secret: "):
            get_secret(settings)

    def test_the_office_has_it(self, settings: Settings) -> None:
        office = make_office(settings)
        assert office.keys.secret == get_secret(settings)
        assert (office.domain, office.name) == ("play.example.org", "A club")
        assert get_secret(settings).decode() not in repr(office)
        with pytest.raises(ConfigError, match="PBEM_MAIL_DOMAIN"):
            make_office(read_settings({"HOME": "/"}))

"""``pbem doctor`` finds what is wrong, with real servers on the loopback and names of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from deploy.load.ports import free_port
from pbem.bootstrap import open_surroundings
from pbem.broker import find_place
from pbem.cli import main
from pbem.cli.checkups import machine, names
from pbem.cli.checkups.findings import Finding
from pbem.cli.checkups.names import CannotAskError, Kind, public_key
from pbem.cli.doctor import examine
from pbem.config import Settings, read_leniently
from pbem.mail.signing import load_signer
from tests.functional.sink import Sink
from workers.embedded import Embedded

DOMAIN = "play.example.org"
Names = dict[tuple[str, Kind], list[str]]
GOOD: Names = {
    (DOMAIN, "MX"): ["10 mx.example.org."],
    (DOMAIN, "TXT"): ["hello", "v=spf1 mx -all"],
    (f"_dmarc.{DOMAIN}", "TXT"): ["v=DMARC1; p=quarantine"],
}


@pytest.fixture
def environ(tmp_path: Path, migrated_sqlite: Path) -> dict[str, str]:
    """All that a server needs; nobody listens anywhere yet."""
    shutil.copy(migrated_sqlite, tmp_path / "pbem.sqlite3")
    return {
        "PBEM_DATA_DIR": str(tmp_path),
        "PBEM_MAIL_DOMAIN": DOMAIN,
        "PBEM_SITE_URL": "http://127.0.0.1:8080",
        "PBEM_SMTP_URL": f"smtp://127.0.0.1:{free_port()}",
        "PBEM_LISTEN_SMTP": f"127.0.0.1:{free_port()}",
        "PBEM_LISTEN_HTTP": f"127.0.0.1:{free_port()}",
    }


def look_up(known: Names) -> names.Lookup:
    def lookup(name: str, kind: Kind) -> Sequence[str]:
        return known.get((name, kind), [])

    return lookup


def findings(environ: dict[str, str], known: Names | None = None) -> list[Finding]:
    settings, faults = read_leniently(environ, is_serving=True)
    return list(examine(settings, faults, lookup=look_up(GOOD if known is None else known)))


def verdicts(found: Sequence[Finding]) -> dict[str, str]:
    return {finding.name: finding.verdict for finding in found}


def one(found: Sequence[Finding], name: str) -> Finding:
    (finding,) = [finding for finding in found if finding.name == name]
    return finding


def test_all_is_well_with_a_server_that_runs(environ: dict[str, str], tmp_path: Path) -> None:
    with Sink() as sink:
        environ["PBEM_SMTP_URL"] = f"smtp://127.0.0.1:{sink.port}"
        environ["PBEM_LISTEN_LMTP"] = f"127.0.0.1:{free_port()}"
        settings, faults = read_leniently(environ, is_serving=True)
        with Embedded(settings):
            found = findings(environ)
        assert sink.all_mails() == [], "the doctor sends nothing"
    assert faults == []
    told = verdicts(found)
    assert told.pop("DNS: DKIM") == "warning"
    assert set(told.values()) == {"ok"}
    assert {"database", "mail out", "mail in by SMTP", "mail in by LMTP", "pages"} <= set(told)
    with open_surroundings(settings) as around, around.store.read() as unit:
        assert unit.find_inbound(1) is None


def test_every_fault_of_the_settings(environ: dict[str, str]) -> None:
    del environ["PBEM_SITE_URL"]
    environ |= {"PBEM_SMTP_URL": "http://x", "PBEM_TRUST": "all", "PBEM_PROXIES": "many"}
    told = [finding.found for finding in findings(environ) if finding.name == "settings"]
    assert len(told) == 4
    assert all(any(name in said for said in told) for name in ("SITE", "SMTP", "TRUST", "PROXIES"))


def test_nobody_runs_yet(environ: dict[str, str]) -> None:
    found = findings(environ)
    told = verdicts(found)
    assert (told["mail in by SMTP"], told["pages"]) == ("warning", "warning")
    assert told["mail out"] == "fault"
    assert "hunter2" not in repr(findings(environ | {"PBEM_SMTP_URL": secret_url(environ)}))


def test_what_to_start_depends_on_the_broker(environ: dict[str, str]) -> None:
    environ["PBEM_LISTEN_LMTP"] = f"127.0.0.1:{free_port()}"

    def advised() -> tuple[str, ...]:
        found = findings(environ)
        ways = ("mail in by SMTP", "mail in by LMTP", "pages")
        return tuple(one(found, name).advice.partition(";")[0] for name in ways)

    assert set(advised()) == {"start pbem serve"}
    environ["PBEM_BROKER_URL"] = f"redis://127.0.0.1:{free_port()}/0"
    smtp, lmtp, pages = advised()
    assert (smtp, lmtp) == ("start pbem listen", "start pbem listen")
    assert pages == "start gunicorn --config deploy/gunicorn_conf.py wsgi:app"


def secret_url(environ: dict[str, str]) -> str:
    return environ["PBEM_SMTP_URL"].replace("//", "//me:hunter2@") + "?tls=none"


class TestDatabase:
    def test_without_tables(self, environ: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "pbem.sqlite3").unlink()
        finding = one(findings(environ), "database")
        assert (finding.verdict, finding.advice) == ("fault", "pbem db upgrade")
        assert not (tmp_path / "pbem.sqlite3").exists()

    def test_damaged(self, environ: dict[str, str], tmp_path: Path) -> None:
        (tmp_path / "pbem.sqlite3").write_bytes(b"no database at all" * 1000)
        assert one(findings(environ), "database").verdict == "fault"

    def test_out_of_reach(self, environ: dict[str, str]) -> None:
        port = free_port()
        environ["PBEM_DATABASE_URL"] = f"postgresql://me:hunter2@127.0.0.1:{port}/x"
        found = findings(environ)
        assert one(found, "database").verdict == "fault"
        assert "hunter2" not in repr(found)

    def test_postgresql(self, environ: dict[str, str], migrated_postgres: str) -> None:
        environ["PBEM_DATABASE_URL"] = migrated_postgres
        told = verdicts(findings(environ))
        assert (told["database"], told["time of the database"]) == ("ok", "ok")


class TestBroker:
    def test_redis(self, environ: dict[str, str]) -> None:
        with talking(like_redis) as port:
            environ["PBEM_BROKER_URL"] = f"redis://127.0.0.1:{port}/0"
            assert one(findings(environ), "broker").verdict == "ok"

    @pytest.mark.parametrize("kind", ["redis", "amqp"])
    def test_out_of_reach(self, environ: dict[str, str], kind: str) -> None:
        environ["PBEM_BROKER_URL"] = f"{kind}://me:hunter2@127.0.0.1:{free_port()}/0"
        finding = one(findings(environ), "broker")
        assert finding.verdict == "fault"
        assert "hunter2" not in repr(finding)
        assert "nothing is read or sent" in finding.advice

    @pytest.mark.parametrize(
        ("url", "place"),
        [
            ("redis://me:hunter2@127.0.0.1:{port}/0?client_name=hunter2", "127.0.0.1:{port}"),
            ("redis://me:hun@ter2@127.0.0.1:{port}", "127.0.0.1:{port}"),
            ("amqp://me:hunter2@127.0.0.1:{port}/hunter2", "127.0.0.1:{port}"),
        ],
    )
    def test_where_it_should_be_is_told(
        self, environ: dict[str, str], url: str, place: str
    ) -> None:
        port = free_port()
        environ["PBEM_BROKER_URL"] = url.format(port=port)
        finding = one(findings(environ), "broker")
        kind = url.partition(":")[0]
        assert finding.found.startswith(f"{kind} at {place.format(port=port)} cannot be reached")
        assert not re.search(r"hun|ter2|\bme\b", repr(finding))

    @pytest.mark.parametrize(
        ("url", "place"),
        [
            ("redis://:hunter2@oak", "oak:6379"),
            ("rediss:///0", "localhost:6379"),
            ("redis://[::1]:6380/0", "[::1]:6380"),
            ("amqp://me:hunter2@oak//", "oak:5672"),
            ("amqps://oak", "oak:5671"),
            # What is no address as it should be may have the password anywhere.
            ("redis://:123/hunter2@oak:6379", None),
            ("redis://:123?hunter2@oak:6379", None),
            ("redis://me:123#hunter2@oak:6379", None),
            ("redis://me:[hunter2@oak:6379", None),
            ("redis://oak:hunter2", None),
            ("amqp://me:hunter2@oak;amqp://me:hunter2@elm", None),
        ],
    )
    def test_what_is_told_of_an_address(self, url: str, place: str | None) -> None:
        found = find_place(url)
        assert (found if found is None else str(found)) == place

    def test_with_sqlite_it_is_for_one_machine(self, environ: dict[str, str]) -> None:
        name = "database and broker"
        assert name not in verdicts(findings(environ))
        environ["PBEM_BROKER_URL"] = f"redis://127.0.0.1:{free_port()}/0"
        finding = one(findings(environ), name)
        assert finding.verdict == "warning"
        assert "PBEM_DATABASE_URL" in finding.advice
        environ["PBEM_DATABASE_URL"] = f"postgresql://127.0.0.1:{free_port()}/x"
        assert name not in verdicts(findings(environ))


@contextmanager
def talking(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that talks to one visitor in its own way; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            peer, _ = listening.accept()
            with peer:
                talk(peer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield int(listening.getsockname()[1])
        thread.join(60)


def like_redis(peer: socket.socket) -> None:
    answers = {b"HELLO": b"%1\r\n+proto\r\n:3\r\n", b"PING": b"+PONG\r\n"}
    while data := peer.recv(4096):
        for command in re.findall(rb"\*\d+\r\n\$\d+\r\n(\w+)", data):
            peer.sendall(answers.get(command.upper(), b"+OK\r\n"))


class TestMail:
    def test_a_listener_that_is_none_of_ours(self, environ: dict[str, str]) -> None:
        with Sink() as sink:
            sink.refuse(f"postmaster@{DOMAIN}", "550 not here")
            environ["PBEM_LISTEN_SMTP"] = f"127.0.0.1:{sink.port}"
            finding = one(findings(environ), "mail in by SMTP")
            assert sink.all_mails() == []
        assert finding.verdict == "fault"
        assert "550" in finding.found

    def test_a_listener_that_speaks_something_else(self, environ: dict[str, str]) -> None:
        with talking(lambda peer: peer.sendall(b"HTTP/1.1 400 What?\r\n\r\n")) as port:
            environ["PBEM_LISTEN_SMTP"] = f"127.0.0.1:{port}"
            finding = one(findings(environ), "mail in by SMTP")
        assert finding.verdict == "fault"

    def test_any_free_port_is_no_place_to_send_to(self, environ: dict[str, str]) -> None:
        environ["PBEM_LISTEN_SMTP"] = "127.0.0.1:0"
        assert one(findings(environ), "mail in by SMTP").verdict == "warning"

    def test_a_mailbox_out_of_reach(self, environ: dict[str, str]) -> None:
        environ["PBEM_IMAP_URL"] = f"imap://me:hunter2@127.0.0.1:{free_port()}/INBOX?tls=none"
        finding = one(findings(environ), "mail in by IMAP")
        assert finding.verdict == "fault"
        assert "hunter2" not in repr(finding)


class TestNames:
    def check(self, environ: dict[str, str], known: Names) -> dict[str, Finding]:
        settings, _ = read_leniently(environ)
        found = names.check_names(settings, look_up(known))
        return {finding.name.removeprefix("DNS: "): finding for finding in found}

    def test_nothing_there(self, environ: dict[str, str]) -> None:
        found = self.check(environ, {})
        told = {name: finding.verdict for name, finding in found.items()}
        assert told == {"MX": "fault", "SPF": "warning", "DKIM": "warning", "DMARC": "warning"}
        assert all(finding.advice for finding in found.values())
        environ["PBEM_LISTEN_SMTP"] = "off"
        assert self.check(environ, {})["MX"].verdict == "warning"

    def test_a_domain_that_takes_no_mail(self, environ: dict[str, str]) -> None:
        assert self.check(environ, {(DOMAIN, "MX"): ["0 ."]})["MX"].verdict == "fault"

    @pytest.mark.parametrize(
        ("records", "verdict"),
        [
            (["v=spf1 mx -all"], "ok"),
            (["V=SPF1 ip4:192.0.2.1 ~all", "other"], "ok"),
            (["v=spf1 +all"], "fault"),
            (["v=spf1 mx -all", "v=spf1 a -all"], "fault"),
            (["v=spf10 mx -all", ""], "warning"),
        ],
    )
    def test_spf(self, environ: dict[str, str], records: list[str], verdict: str) -> None:
        assert self.check(environ, {(DOMAIN, "TXT"): records})["SPF"].verdict == verdict

    @pytest.mark.parametrize("algorithm", ["ed25519", "rsa"])
    def test_dkim(self, environ: dict[str, str], tmp_path: Path, algorithm: str) -> None:
        file = tmp_path / "key.pem"
        made: ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey = (
            rsa.generate_private_key(65537, 1024)
            if algorithm == "rsa"
            else ed25519.Ed25519PrivateKey.generate()
        )
        file.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        environ |= {"PBEM_DKIM_SELECTOR": "post", "PBEM_DKIM_KEY_FILE": str(file)}
        name = f"post._domainkey.{DOMAIN}"
        missing = self.check(environ, {})["DKIM"]
        assert missing.verdict == "fault"
        key = public_key(load_signer(DOMAIN, "post", file))
        assert f"p={key}" in missing.advice
        published = f"v=DKIM1; k={algorithm}; p={key[:20]} {key[20:]}"
        assert self.check(environ, {(name, "TXT"): [published]})["DKIM"].verdict == "ok"
        other = self.check(environ, {(name, "TXT"): ["v=DKIM1; p=abcd"]})["DKIM"]
        assert (other.verdict, "another key" in other.found) == ("fault", True)
        file.write_text("no key")
        assert self.check(environ, {})["DKIM"].verdict == "fault"

    @pytest.mark.parametrize(
        ("name", "record", "verdict"),
        [
            (f"_dmarc.{DOMAIN}", "v=DMARC1; p=none", "ok"),
            ("_dmarc.example.org", "v=DMARC1; sp=none; p=reject", "ok"),
            (f"_dmarc.{DOMAIN}", "v=DMARC1; rua=mailto:x@example.org", "fault"),
            (f"_dmarc.{DOMAIN}", "hello", "warning"),
        ],
    )
    def test_dmarc(self, environ: dict[str, str], name: str, record: str, verdict: str) -> None:
        assert self.check(environ, {(name, "TXT"): [record]})["DMARC"].verdict == verdict

    def test_when_dns_cannot_be_asked(self, environ: dict[str, str]) -> None:
        def lookup(name: str, kind: Kind) -> Sequence[str]:
            raise CannotAskError("no server answers")

        settings, _ = read_leniently(environ)
        (finding,) = names.check_names(settings, lookup)
        assert (finding.name, finding.verdict) == ("DNS", "warning")
        assert "cannot be asked: no server answers" in finding.found


class TestMachine:
    @pytest.fixture
    def settings(self, environ: dict[str, str]) -> Settings:
        return read_leniently(environ)[0]

    def test_a_secret_that_others_can_read(self, settings: Settings) -> None:
        assert machine.check_secret(settings).verdict == "ok"
        file = settings.data_dir / "secret"
        file.write_text("x" * 64)
        for mode, verdict in ((0o644, "fault"), (0o640, "fault"), (0o600, "ok")):
            file.chmod(mode)
            finding = machine.check_secret(settings)
            assert finding.verdict == verdict
            assert "xxxx" not in repr(finding)
        file.write_text("short")
        assert machine.check_secret(settings).verdict == "fault"

    @pytest.mark.parametrize(
        ("free", "verdict", "said"),
        [
            (5 << 30, "ok", "5.0 GiB free"),
            (500 << 20, "warning", "500 MiB free"),
            (1 << 20, "fault", "1 MiB free"),
        ],
    )
    def test_free_space(
        self,
        settings: Settings,
        free: int,
        verdict: str,
        said: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
        finding = machine.check_disk(settings)
        assert finding.verdict == verdict
        assert finding.found.startswith(said)

    @pytest.mark.parametrize(
        ("seconds", "verdict"), [(0, "ok"), (10, "warning"), (-10, "warning"), (600, "fault")]
    )
    def test_clocks_that_differ(self, settings: Settings, seconds: int, verdict: str) -> None:
        theirs = datetime.now(UTC) + timedelta(seconds=seconds)
        database, disk = machine.check_times(settings, theirs)
        assert (database.verdict, disk.verdict) == (verdict, "ok")

    def test_rules_of_zones_get_old(self) -> None:
        assert machine.check_zones(datetime.now(UTC)).verdict == "ok"
        assert machine.check_zones(datetime(2040, 1, 1, tzinfo=UTC)).verdict == "warning"

    @pytest.mark.parametrize(
        ("url", "proxies", "verdict"),
        [
            ("https://play.example.org", "1", "ok"),
            ("https://play.example.org", "", "warning"),
            ("http://play.example.org", "", "warning"),
            ("http://localhost:8080", "", "ok"),
        ],
    )
    def test_pages(self, environ: dict[str, str], url: str, proxies: str, verdict: str) -> None:
        settings, _ = read_leniently(environ | {"PBEM_SITE_URL": url, "PBEM_PROXIES": proxies})
        (finding,) = machine.check_web(settings)
        assert finding.verdict == verdict


class TestCommand:
    @pytest.fixture
    def run(
        self, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
    ) -> Callable[..., Result]:
        for name in [name for name in os.environ if name.startswith("PBEM_")]:
            monkeypatch.delenv(name)
        for name, value in environ.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("COLUMNS", "120")
        return lambda *words: CliRunner().invoke(main, ["doctor", "--no-dns", *words])

    def test_a_table(self, run: Callable[..., Result]) -> None:
        result = run()
        assert result.exit_code == 1
        assert "look at PBEM_SMTP_URL" in result.output
        assert len(re.findall(r"smtp://", result.output)) == 1, "where it leads is said once"
        assert re.search(r"\b1 fault\b", result.output)

    def test_json(self, run: Callable[..., Result]) -> None:
        result = run("--json")
        assert result.exit_code == 1
        rows = [json.loads(line) for line in result.output.splitlines()]
        assert {"name", "verdict", "found", "advice"} == set(rows[0])
        assert {row["verdict"] for row in rows} == {"ok", "warning", "fault"}

    def test_no_fault(self, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
        with Sink() as sink:
            monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{sink.port}")
            result = run()
        assert result.exit_code == 0

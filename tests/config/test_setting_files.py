"""Secrets from files, as containers and systemd hand them over."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.config import WEBHOOKS, read_leniently, read_settings
from pbem.errors import ConfigError
from pbem.setting_files import SECRETS

SECRET = "0123456789abcdef0123456789abcdef-hunter2"


def test_a_file_counts_as_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(f"{SECRET}\n")
    (tmp_path / "url").write_text("postgresql://me:hunter2@db/pbem\n")
    (tmp_path / "raw").write_text("hunter2")
    settings = read_settings(
        {
            "HOME": str(tmp_path),
            "PBEM_SECRET_FILE": str(tmp_path / "secret"),
            "PBEM_DATABASE_URL_FILE": str(tmp_path / "url"),
            "PBEM_WEBHOOK_RAW_FILE": str(tmp_path / "raw"),
        }
    )
    assert settings.secret == SECRET.encode()
    assert settings.database_url == "postgresql+psycopg://me:hunter2@db/pbem"
    assert settings.webhooks == {"raw": "hunter2"}


def test_all_that_is_secret_may_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hunter2"
    file.write_text("hunter2")
    _, faults = read_leniently({"HOME": "/", **{f"{name}_FILE": str(file) for name in SECRETS}})
    assert not [fault for fault in faults if "_FILE" in fault]
    assert {f"PBEM_WEBHOOK_{name.upper()}" for name in WEBHOOKS} < set(SECRETS)


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("relative", "must be an absolute path"),
        ("{}/nothing", "cannot be read: No such file"),
        ("{}/empty", "must name a file that is neither empty nor long"),
        ("{}/binary", "must name a file of text"),
        ("{}", "cannot be read: Is a directory"),
    ],
)
def test_faults_name_the_variable(tmp_path: Path, named: str, told: str) -> None:
    (tmp_path / "empty").write_text("\n")
    (tmp_path / "binary").write_bytes(b"\xff\xfehunter2")
    with pytest.raises(ConfigError) as caught:
        read_settings({"HOME": "/", "PBEM_SECRET_FILE": named.format(tmp_path)})
    assert f"PBEM_SECRET_FILE {told}" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_both_at_once_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    with pytest.raises(ConfigError, match="must not both be set"):
        read_settings(
            {"HOME": "/", "PBEM_SECRET": SECRET, "PBEM_SECRET_FILE": str(tmp_path / "secret")}
        )

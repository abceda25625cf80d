"""Settings come from the environment with every fault told; errors are as they are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import errors
from pbem.config import read_settings
from pbem.errors import ConfigError, PbemError


def test_the_tree_of_errors_is_as_drawn() -> None:
    def draw(kind: type[Exception], indent: str = "") -> list[str]:
        kinds = [k for k in kind.__subclasses__() if k.__module__ == errors.__name__]
        lines = []
        for child in kinds:
            last = child is kinds[-1]
            lines.append(f"{indent}{'└── ' if last else '├── '}{child.__name__}")
            lines += draw(child, indent + ("    " if last else "│   "))
        return lines

    assert errors.__doc__ is not None
    drawn = re.findall(r"^    ((?:[│├└─ ]*)\w+Error)", errors.__doc__, re.MULTILINE)
    assert drawn == ["PbemError", *draw(PbemError)]


@pytest.mark.parametrize(
    ("environ", "data_dir", "url"),
    [
        (
            {"HOME": "/home/me"},
            "/home/me/.local/share/pbem",
            "sqlite:////home/me/.local/share/pbem/pbem.sqlite3",
        ),
        (
            {"HOME": "/home/me", "XDG_DATA_HOME": "/data"},
            "/data/pbem",
            "sqlite:////data/pbem/pbem.sqlite3",
        ),
        (
            {"PBEM_DATA_DIR": "/srv/pbem", "HOME": "/home/me"},
            "/srv/pbem",
            "sqlite:////srv/pbem/pbem.sqlite3",
        ),
        (
            {"PBEM_DATA_DIR": "/srv/pbem", "PBEM_DATABASE_URL": "postgresql://me@db/pbem"},
            "/srv/pbem",
            "postgresql+psycopg://me@db/pbem",
        ),
        (
            {"PBEM_DATA_DIR": "/srv/pbem", "PBEM_DATABASE_URL": "postgres:///pbem?host=/run"},
            "/srv/pbem",
            "postgresql+psycopg:///pbem?host=/run",
        ),
        (
            {"PBEM_DATA_DIR": "/srv/pbem", "PBEM_DATABASE_URL": "sqlite:////tmp/x.db"},
            "/srv/pbem",
            "sqlite:////tmp/x.db",
        ),
    ],
)
def test_settings(
    environ: dict[str, str], data_dir: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.config.sys.platform", "linux")
    settings = read_settings(environ)
    assert settings.data_dir == Path(data_dir)
    assert settings.database_url == url


def test_all_faults_at_once_and_no_password() -> None:
    with pytest.raises(ConfigError) as caught:
        read_settings({"PBEM_DATA_DIR": "here", "PBEM_DATABASE_URL": "mysql://me:hunter2@db/x"})
    assert "PBEM_DATA_DIR" in str(caught.value)
    assert "PBEM_DATABASE_URL" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    settings = read_settings({"HOME": "/", "PBEM_DATABASE_URL": "postgresql://me:hunter2@db/x"})
    assert "hunter2" not in repr(settings)

"""Processes that share the work of a command have its settings."""

from __future__ import annotations

import os

import pytest

from pbem.cli.processes import start_processes


def test_every_pool_has_the_settings_of_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for url in ("sqlite:///one.sqlite3", "sqlite:///other.sqlite3"):
        monkeypatch.setenv("PBEM_DATABASE_URL", url)
        with start_processes(1) as pool:
            assert pool.submit(os.getenv, "PBEM_DATABASE_URL").result(30) == url

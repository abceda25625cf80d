"""What processes of workers are started with, and what those need that have nothing to do."""

from __future__ import annotations

import os
from pathlib import Path

from workers.desk import Desk

TOP = Path(__file__).parents[2]
BROKER = {"PBEM_BROKER_URL": "redis://127.0.0.1:1/0"}
"""One that is away."""
OFFICE = {
    "PBEM_MAIL_DOMAIN": "play.example.org",
    "PBEM_SITE_URL": "https://play.example.org",
    "PBEM_SMTP_URL": "smtp://127.0.0.1:9",
}


def environ(folder: Path, **more: str) -> dict[str, str]:
    """Nothing but this is set in it."""
    path, python_path = os.environ["PATH"], os.environ.get("PYTHONPATH", "")
    home = {"HOME": str(folder), "PBEM_DATA_DIR": str(folder)}
    secret = "a secret of at least 32 characters"
    return {"PATH": path, "PYTHONPATH": python_path, **home, "PBEM_SECRET": secret, **more}


def open_no_desk() -> Desk:
    """For apps whose jobs are not run."""
    raise AssertionError("no job runs here")

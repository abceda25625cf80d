"""What a checkup has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: how it is, and what to do about it."""

    name: str
    verdict: Verdict
    found: str
    advice: str = ""


def ok(name: str, found: str) -> Finding:
    """All is well."""
    return Finding(name, "ok", found)


def warning(name: str, found: str, advice: str) -> Finding:
    """It works, but somebody should know."""
    return Finding(name, "warning", found, advice)


def fault(name: str, found: str, advice: str) -> Finding:
    """It does not work."""
    return Finding(name, "fault", found, advice)

"""All hostile mails together."""

from __future__ import annotations

from tests.mail.hostile import (
    contents,
    dialogues,
    forms,
    machines,
    sizes,
    spoofing,
    webhooks,
)
from tests.mail.hostile.cases import Case


def all_cases() -> list[Case]:
    """Every case; no two have one name."""
    cases = [
        case
        for part in (sizes, forms, spoofing, machines, contents, dialogues, webhooks)
        for case in part.cases()
    ]
    assert len({case.file_name for case in cases}) == len(cases), "two cases with one name"
    return cases

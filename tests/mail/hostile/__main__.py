"""Writes all hostile mails into a folder to look at: ``python -m tests.mail.hostile DIR``.

Mails become ``.eml`` files, SMTP dialogues ``.smtp`` files, the bodies
of requests ``.http`` files; ``INDEX.json`` has their envelopes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.mail.hostile.cases import World
from tests.mail.hostile.folder import all_cases

ENDINGS = {"mail": "eml", "dialogue": "smtp", "webhook": "http"}


def main() -> None:
    """Write the folder."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.mail.hostile DIR")
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    world = World()
    index = {}
    for case in all_cases():
        name = f"{case.file_name}.{ENDINGS[case.way]}"
        (folder / name).write_bytes(case.make(world))
        index[name] = {
            "name": case.name,
            "from": case.sender,
            "to": list(case.to(world)),
            "may_hear": case.may_hear,
            "times": case.times,
        }
    (folder / "INDEX.json").write_text(json.dumps(index, indent=1, ensure_ascii=True) + "\n")
    print(f"{len(index)} hostile mails in {folder}")


if __name__ == "__main__":
    main()

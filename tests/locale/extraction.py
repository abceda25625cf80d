"""Every text for players in the code and in the templates, found the way gettext's tools do.

``python -m tests.locale.extraction`` prints entries for those that no Dutch catalogue has yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from pbem.catalogues import LOCALE_DIR

ROOT: Final = Path(__file__).parents[2]
KEYWORDS: Final = {
    "N_": None,
    "_": None,
    "say": None,
    "gettext": None,
    "count": (1, 2),
    "n_": (1, 2),
    "ngettext": (1, 2),
}
METHODS: Final = [
    ("**/templates/**.txt", "jinja2.ext.babel_extract"),
    ("**/templates/**.html", "jinja2.ext.babel_extract"),
    ("**/templates/**.jinja", "jinja2.ext.babel_extract"),
    ("**.py", "python"),
]


@dataclass(frozen=True, slots=True)
class Text:
    """A text, or the two forms of one that counts, and where it stands."""

    id: str | tuple[str, str]
    place: str

    @property
    def forms(self) -> tuple[str, ...]:
        """Its English forms."""
        return (self.id,) if isinstance(self.id, str) else self.id


@cache
def collect_texts() -> list[Text]:
    """All texts, each once for each place."""
    found = []
    for package in ("pbem", "workers"):
        for file, line, text, _, _ in extract_from_dir(
            ROOT / package, method_map=METHODS, keywords=KEYWORDS, comment_tags=()
        ):
            id_ = text if isinstance(text, str) else (text[0], text[1])
            found.append(Text(id_, f"{package}/{file}:{line}"))
    return [text for text in found if any(form.strip() for form in text.forms)]


def read_catalogues(language: str) -> dict[str, Catalog]:
    """The catalogues of a language, by file name."""
    found = {}
    for path in sorted(LOCALE_DIR.joinpath(language).glob("*.po")):
        with path.open("rb") as file:
            found[path.name] = read_po(file, locale=language, abort_invalid=True)
    return found


@cache
def entries(language: str) -> list[tuple[str, Message]]:
    """Every entry of a language with the name of its catalogue."""
    return [
        (name, message)
        for name, catalogue in read_catalogues(language).items()
        for message in catalogue
        if message.id
    ]


def first_form(message: Message) -> str:
    """What an entry is found by: the text, or its singular."""
    return message.id if isinstance(message.id, str) else message.id[0]


def _print_missing() -> None:
    known = {first_form(message) for _, message in entries("nl")}
    for text in collect_texts():
        if text.forms[0] in known:
            continue
        known.add(text.forms[0])
        print(f"#: {text.place.rpartition(':')[0]}")
        one, *many = (form.replace("\\", "\\\\").replace('"', '\\"') for form in text.forms)
        one, *many = (form.replace("\n", "\\n") for form in (one, *many))
        print(f'msgid "{one}"')
        if many:
            print(f'msgid_plural "{many[0]}"\nmsgstr[0] ""\nmsgstr[1] ""\n')
        else:
            print('msgstr ""\n')


if __name__ == "__main__":
    _print_missing()

"""The font of the pictures, taken from an installed package; none is kept in this repository.

resvg draws no text at all when it has no font, and says nothing. So it is asked here, once,
whether letters come out.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import resvg

PACKAGE: Final = "font_source_sans_pro"
DISTRIBUTION: Final = "font-source-sans-pro"
FILES: Final = ("SourceSansPro-Semibold.ttf", "SourceSansPro-Bold.ttf")

_here: Final = threading.local()


class FontMissingError(RuntimeError):
    """The pictures have no font to write with."""


def font_files(package: str = PACKAGE, names: Sequence[str] = FILES) -> tuple[Path, ...]:
    """The files of some weights, by default those that pictures use. Raises FontMissingError."""
    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec else []
    if not folders:
        raise FontMissingError(
            f"pictures need the font package {DISTRIBUTION!r}, which is not installed: "
            f"pip install {DISTRIBUTION}"
        )
    files = tuple(Path(folders[0], "files", name) for name in names)
    lost = [file.name for file in files if not file.is_file()]
    if lost:
        raise FontMissingError(
            f"the installed {DISTRIBUTION!r} lacks {', '.join(lost)}; install it anew"
        )
    return files


def render_options() -> resvg.usvg.Options:
    """Options for resvg with our font loaded and tried. Raises FontMissingError.

    Each thread has its own, made once: resvg panics when another uses them.
    """
    options: resvg.usvg.Options | None = getattr(_here, "options", None)
    if options is None:
        options = _here.options = _load_options()
    return options


def _load_options() -> resvg.usvg.Options:
    options = resvg.usvg.Options.default()
    for file in font_files(names=FILES):
        # Not load_font_file, with which resvg maps the file anew for every letter it draws.
        options.load_font_data(file.read_bytes())
    families = options.list_fonts()
    if not families:
        raise FontMissingError(f"resvg could not read the font files of {DISTRIBUTION!r}")
    options.font_family = families[0]
    return options

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.diagrams import fonts
from pbem.diagrams.fonts import FontMissingError, font_files, render_options
from pbem.diagrams.raster import render_svg

LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<text x="5" y="30" font-size="30" font-family="Source Sans Pro">W</text></svg>'
)


def test_letters_come_out() -> None:
    assert render_svg(LETTER).getbbox() is not None


def test_a_missing_package_is_named() -> None:
    with pytest.raises(FontMissingError, match="pip install font-source-sans-pro"):
        font_files("no_such_font_package")


def test_a_package_without_its_files_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "hollow_font").mkdir()
    (tmp_path / "hollow_font" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(FontMissingError, match=r"SourceSansPro-Semibold\.ttf"):
        font_files("hollow_font")


def test_drawing_without_a_font_fails_instead_of_leaving_the_words_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fonts, "FILES", ())
    render_options.cache_clear()
    try:
        with pytest.raises(FontMissingError):
            render_svg(LETTER)
    finally:
        render_options.cache_clear()

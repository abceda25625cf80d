from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pbem.diagrams import fonts
from pbem.diagrams.fonts import FontMissingError, font_files
from pbem.diagrams.raster import render_svg

LETTER = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<text x="5" y="30" font-size="30" font-family="Source Sans Pro">W</text></svg>'
)


def test_letters_come_out() -> None:
    assert render_svg(LETTER).getbbox() is not None


def test_letters_come_out_on_every_thread() -> None:
    expected = render_svg(LETTER).tobytes()
    with ThreadPoolExecutor(2) as threads:
        assert [threads.submit(render_svg, LETTER).result().tobytes() for _ in range(3)] == (
            [expected] * 3
        )


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
    monkeypatch.setattr(fonts, "_here", threading.local())
    with pytest.raises(FontMissingError):
        render_svg(LETTER)

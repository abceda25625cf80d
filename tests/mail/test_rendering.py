"""Paragraphs of the plain text part, in lines."""

from __future__ import annotations

import textwrap

from hypothesis import example, given
from hypothesis import strategies as st

from pbem.mail.composing.rendering import COLUMNS, wrap

INDENTS = st.sampled_from(["", "  ", "    ", " " * 30, " " * (COLUMNS + 1)])


@given(st.text(alphabet="abcdefgh-  \t", max_size=400), INDENTS, INDENTS)
@example("a" * (COLUMNS + 1), "", "")
@example("  " + "a" * (COLUMNS + 1) + "  b", "", "  ")
@example("a" * (COLUMNS - 1) + " b", "", "")
@example("a" * (COLUMNS - 2) + " b", "", "")
@example("b " + "a" * (COLUMNS - 2) + " b", "", "")
@example("   ", "  ", "  ")
def test_lines_are_cut_as_the_standard_library_cuts_them(text: str, indent: str, hang: str) -> None:
    cut = textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=hang,
        break_long_words=False,
        break_on_hyphens=False,
    )
    assert wrap(text, indent, hang).splitlines() == cut


def test_each_line_is_cut_by_itself_and_code_is_not_cut() -> None:
    code = "`" + "one two " * 12 + "`"
    assert wrap(f"first\n\n{code} end", "- ", "  ") == f"- first\n\n  {code}\n  end"

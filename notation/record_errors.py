"""The codes of the errors that reading a record can give.

An order in a record also has the codes of ``reading.py``, a ``Position`` tag those of
``position_line.py``.
"""

from __future__ import annotations

from typing import Final

ERROR_CODES: Final = frozenset(
    {
        "bad_comment",
        "bad_label",
        "bad_layout",
        "bad_nag",
        "bad_roll",
        "bad_separator",
        "bad_tag",
        "bad_tag_value",
        "bad_verdict",
        "byte_order_mark",
        "carriage_return",
        "comment_not_closed",
        "control_character",
        "cut_off",
        "empty_turn",
        "game_too_long",
        "label_sequence",
        "line_too_long",
        "missing_label",
        "missing_order",
        "missing_result",
        "missing_roll",
        "missing_tag",
        "missing_verdict",
        "nesting_too_deep",
        "not_canonical",
        "not_in_record",
        "one_game",
        "order_behind_end",
        "order_too_long",
        "position_mismatch",
        "result_mismatch",
        "setup_with_position",
        "tag_order",
        "tag_twice",
        "termination_mismatch",
        "text_behind_result",
        "too_many_comments",
        "too_many_errors",
        "too_many_tags",
        "too_many_variations",
        "turn_not_ended",
        "unexpected",
        "unopened_bracket",
        "variation_lost",
        "verdict_without_attack",
    }
)

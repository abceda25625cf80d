"""Reads decisions (N1.5) and the guards of a plan (N2.1), which are written alike.

``G4+ G5-``, ``block G4, fall G5``, ``block all``, a bare ``fall``. Owns no separators and no
brackets: those are ``reading.py``.
"""

from __future__ import annotations

from notation.cursor import Cursor
from notation.orders import MAX_VICTIMS, Decision, Guard

A_SIGN = "`+` (saved) or `-` (falls) behind the hex"
A_GUARD = "a guard: `-` (fell), `+` (saved), `*` (always) or hexes such as `G4-,G5+`"
_COMMAS = (",", "&")
_STOPS = frozenset({"break", "end", ";", "!", "."})


def is_decision_ahead(cursor: Cursor) -> bool:
    """Whether the next tokens begin a decision (or dragons, which look alike at first)."""
    token = cursor.token
    if token.kind == "word":
        return token.value in ("block", "fall")
    if token.kind in ("+", "-"):
        return _is_bare_sign(cursor)
    if token.kind in ("number", "element"):
        ahead = 2 if token.kind == "element" else 1
        return cursor.ahead(ahead).kind == "+"
    return (token.kind == "name" and cursor.ahead(1).kind in ("+", "-")) or _is_sign_below(cursor)


def _is_sign_below(cursor: Cursor) -> bool:
    """``G4`` and its sign on the next line; a hex alone is not complete (N1.1)."""
    return cursor.ahead(1).kind == "break" and cursor.ahead(2).kind in ("+", "-")


def _is_bare_sign(cursor: Cursor) -> bool:
    """A bare ``+`` or ``-`` counts only as the first line that is not blank (N1.5)."""
    return (
        cursor.at == 0
        and cursor.token.line == cursor.first_line
        and cursor.ahead(1).kind in _STOPS - {";"}
    )


def read_decisions(cursor: Cursor) -> tuple[Decision, ...]:
    """Read decisions up to the next separator.

    Raises:
        NotationError: a hex has no sign, or is no hex.
    """
    if cursor.kind in ("+", "-"):
        saved = cursor.kind == "+"
        cursor.at += 1
        return (Decision(None, saved),)
    decisions: list[Decision] = []
    while True:
        is_signed = cursor.kind == "name"
        start = cursor.at
        decisions.extend(_read_verdicts(cursor))
        if decisions[-1].victim is None:
            _check_bare(cursor, start=start, is_first=len(decisions) == 1)
        if cursor.kind in _COMMAS or cursor.is_word("and"):
            cursor.at += 1
            if cursor.kind in _STOPS:
                return tuple(decisions)
        elif cursor.is_word("block", "fall") and is_signed:
            # "G4 - block" must not be read as a fall.
            expected = f"`,` before `{cursor.token.value}`, or only a sign behind the hex"
            raise cursor.error("separator_missing", expected)
        elif cursor.kind != "name" and not cursor.is_word("block", "fall"):
            return tuple(decisions)


def _check_bare(cursor: Cursor, *, start: int, is_first: bool) -> None:
    """A bare ``block`` or ``fall`` is an answer only by itself (N1.5)."""
    if is_first and cursor.is_word("block", "fall"):
        raise cursor.error("two_verbs", "one of `block` and `fall`, and then a hex")
    if not is_first or cursor.kind in _COMMAS or cursor.is_word("and"):
        word = cursor.tokens[start].value
        raise cursor.error("victim_missing", f"a hex behind it, as in `{word} G4`", at=start)


def _read_verdicts(cursor: Cursor) -> list[Decision]:
    """``G4+``, ``block``, ``block all``, or ``block G4, G5``."""
    if not cursor.is_word("block", "fall"):
        victim = cursor.take_hex("a hex and its sign, such as `G4+`")
        cursor.skip_breaks()
        if cursor.kind not in ("+", "-"):
            raise cursor.missing("sign_missing", A_SIGN)
        saved = cursor.kind == "+"
        cursor.at += 1
        return [Decision(victim, saved)]
    saved = cursor.token.value == "block"
    cursor.at += 1
    if cursor.is_word("all"):
        cursor.at += 1
        return [Decision("all", saved)]
    if cursor.kind not in ("name", "number", "element", "other"):
        return [Decision(None, saved)]
    decisions = [Decision(cursor.take_hex("a hex such as G4, or `all`"), saved)]
    while cursor.kind in _COMMAS or cursor.is_word("and"):
        ahead = 2 if cursor.ahead(1).kind == "break" else 1
        if cursor.ahead(ahead).kind != "name" or cursor.ahead(ahead + 1).kind in ("+", "-"):
            break
        cursor.at += ahead
        decisions.append(Decision(cursor.take_hex(), saved))
    return decisions


def read_guard(cursor: Cursor) -> Guard:
    """Read what a branch waits for, and the colon behind it.

    Raises:
        NotationError: it is no guard.
    """
    cursor.skip_breaks()
    verdicts: list[tuple[str | None, bool]] = []
    always = False
    if cursor.kind == "*":
        cursor.at += 1
        cursor.skip_breaks()
        always = cursor.kind == ":"
    while not always:
        cursor.skip_breaks()
        start = cursor.at
        if cursor.kind in ("+", "-"):
            verdicts.append((None, cursor.kind == "+"))
            cursor.at += 1
        elif cursor.kind == "name" or cursor.is_word("block", "fall"):
            for decision in _read_verdicts(cursor):
                if decision.victim == "all":
                    raise cursor.error("bad_guard", A_GUARD, at=cursor.at - 1)
                verdicts.append((decision.victim, decision.saved))
        else:
            raise cursor.missing("bad_guard", A_GUARD)
        if len(verdicts) > MAX_VICTIMS:
            expected = f"at most {MAX_VICTIMS} hexes in a guard: no attack hits more"
            raise cursor.error("bad_guard", expected, at=start)
        cursor.skip_breaks()
        if cursor.kind == ",":
            cursor.at += 1
        elif cursor.kind != "name":
            break
    if cursor.kind != ":":
        raise cursor.missing("bad_guard", "`:` behind the guard")
    cursor.at += 1
    return Guard(tuple(verdicts))

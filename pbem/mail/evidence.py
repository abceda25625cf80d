"""What single lines say about quoting: attributions, header blocks, markers, signatures (L4.2).

Owns recognising each kind of evidence at a place in the mail; answers are ranges of lines. What
is cut on it, and what is only doubted, is ``quotes.py``. The words are in ``languages.py``.

No line is looked at beyond a few hundred characters, and every pattern runs in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pbem.mail.languages import (
    device_pattern,
    field_kinds,
    field_pattern,
    old_mail_phrases,
    other_sentinel_pattern,
    sent_from_pattern,
    sentinel_cores,
    wrote_pattern,
)
from pbem.mail.text_lines import Line

_SEEN: Final = 600
_MAX_ATTRIBUTION: Final = 500
_MAX_FIELDS: Final = 14

_ADDRESS: Final = re.compile(r"[\w.+%=-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}")
_TIME: Final = re.compile(
    r"(?<!\d)\d{1,2}\s?[:.h：時点时시]\s?\d{2}(?!\d)"
    r"|(?<!\d)\d{1,2}\s?(?:am|pm|a\.m|p\.m|uhr|uur|h)(?!\w)"
)
_DATE: Final = re.compile(
    r"(?<!\d)\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{1,4}(?!\d)|\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
)
# Years of four calendars; a day beside one makes a date in any language.
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20|25|13|14)\d{2}(?!\d)")
_DAY: Final = re.compile(r"(?<!\d)\d{1,2}(?!\d)")
_DATE_FIRST: Final = re.compile(r"\W{0,4}\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d)")
_ZONE: Final = re.compile(r"(?:gmt|utc)\s?[+-]\d|[+-]\d{2}:?\d{2}(?!\d)")
_CLOSING_ANGLE: Final = re.compile(r"\s{0,3}>[^<>]{0,40}[:：]")
_BETWEEN_ANGLES: Final = re.compile(r">{2,} [^<>]{1,80}(?:<[^<>]{1,100}> )?[^<>]{0,60}\d{2} ?>{2,}")
_DATE_SOON: Final = re.compile(r"\W{0,3}(?:\w{1,12}\W{1,3}){0,3}\d")
_COLON: Final = re.compile(r"[:：][\s*_]*$")
_FIELD: Final = re.compile(r"\W{0,4}([^:：]{1,24}?)[\s*_]*[:：][\s*_]*(.*)", re.DOTALL)
_MARKER: Final = re.compile(r"[\s*>]{0,4}([-_=*~#]{2,60}\s?)([^\W\d_].{2,60}?)\s?[:*]?[-_=*~#]{2}")
_RULE: Final = re.compile(r"[\s*]*(?:--|([-_=*#~+–—•.])\1{2,}|(?:[-–—_=*] ?){3,}|ᐧ+)[\s*]*")
_DASHED_TITLE: Final = re.compile(r"\s*[*_]?[-_=*]{3,}[^-_=]{2,60}[-_=*]{3,}[*_]?\s*")
_LINK: Final = re.compile(r"https?://|www\.|@\w")


def is_sentinel(line: Line) -> bool:
    """Whether this is the line on top of our own mails, whatever became of its dashes."""
    if len(line.text) > 120:
        return False
    core = re.sub(r"^\W+|\W+$", "", line.text).casefold()
    if core in sentinel_cores():
        return True
    # Of other servers only with the ornaments around it: players may write about this line.
    is_ornate = not line.text[0].isalnum() if line.text else False
    return is_ornate and other_sentinel_pattern().search(core) is not None


def is_rule(line: Line) -> bool:
    """A line of dashes or the like. One sign alone is a decision (N1.5), not a rule."""
    return bool(line.text) and _RULE.fullmatch(line.text[:200]) is not None


def has_link(text: str) -> bool:
    """Whether a web or mail address is in the text."""
    return _LINK.search(text[:_SEEN]) is not None


# --- attribution lines ------------------------------------------------------------------------


def may_end_attribution(line: Line) -> bool:
    """Whether a marked line is worth a look: of those with one mark only a colon at its end makes
    an attribution, of others only marks do."""
    return line.raw[:_SEEN].endswith((":", "：") if line.depth == 1 else ">")


def find_attribution(lines: Sequence[Line], end: int, *, first: int, above_quote: bool) -> int:
    """Where the attribution begins that ends with line ``end``; -1 when there is none.

    ``first`` is the first line that may belong to it; ``above_quote`` says that what follows is
    marked as quoted, so that less evidence is needed.
    """
    last = lines[end]
    raw = last.raw[:_SEEN]
    if last.depth > 1 and _BETWEEN_ANGLES.fullmatch(raw):
        return end  # ">>> Ann 05/05/2026 20:14 >>>", above unmarked lines
    closes_angle = last.depth == 1 and _CLOSING_ANGLE.fullmatch(raw) is not None
    if last.depth and not closes_angle:
        return -1
    low = raw.casefold()
    has_end = _COLON.search(raw) is not None or low.rstrip(" *_").endswith("--")
    if not has_end:
        return end if _is_open_ended(lines, end) else -1
    if not above_quote and not _has_any(lines[max(first, end - 5) : end + 1]):
        return -1
    weak = -1
    text = ""
    for start in range(end, max(first, end - 5) - 1, -1):
        line = lines[start]
        is_begun = _is_end_of_attribution(text)
        if not line.raw and is_begun:
            continue
        if not line.raw or (line.depth and start != end) or line.role == "cut":
            break
        text = f"{line.raw[:_SEEN]} {text}".casefold()
        if len(text) > _MAX_ATTRIBUTION:
            break
        if closes_angle and text.count("<") < text.count(">"):
            continue
        # A line that is nearly enough by itself takes in one above it only with the verb in it.
        may_grow = weak < 0 or is_begun or wrote_pattern().search(line.raw[:_SEEN].casefold())
        if may_grow and _is_attribution(text, several=start < end):
            return _extended(lines, start, first=first, text=text)
        if start == end and _is_weak_attribution(text, above_quote=above_quote):
            weak = _extended(lines, start, first=first, text=text)
    return weak


def _has_any(lines: Sequence[Line]) -> bool:
    """Whether there is anything that could be evidence, before it is looked at line by line."""
    text = " ".join(line.raw[:_SEEN] for line in lines).casefold()
    return "@" in text or _TIME.search(text) is not None or _has_date(text)


def _is_end_of_attribution(text: str) -> bool:
    """Only ``wrote:``, or an address and that: the rest stands above, even above a blank line."""
    text = re.sub(r"<[^<>]{3,100}>", "", text).strip()
    return 1 < len(text) < 25 and wrote_pattern().match(text) is not None


def _is_attribution(text: str, *, several: bool) -> bool:
    has_address = _ADDRESS.search(text) is not None
    has_moment = _TIME.search(text) is not None or _has_date(text)
    # Several lines of prose with a date somewhere in them are no attribution: it has the date or
    # the address near its beginning.
    if several and not (re.search(r"\d", text[:40]) or _ADDRESS.search(text[:130])):
        return False
    if has_moment and has_address:
        return True
    return (has_moment or has_address) and wrote_pattern().search(text) is not None


def _is_weak_attribution(text: str, *, above_quote: bool) -> bool:
    """Enough for one line: date and time first, then "wrote" in a language we do not know.

    Directly above marked lines, which are cut anyway, less is enough.
    """
    has_both = _TIME.search(text) is not None and _has_date(text)
    if above_quote:
        return has_both or wrote_pattern().search(text) is not None
    return has_both and _DATE_SOON.match(text) is not None


def _has_date(text: str) -> bool:
    if _DATE.search(text):
        return True
    year = _YEAR.search(text)
    return year is not None and _DAY.search(
        text[: year.start()] + " " + text[year.end() :]
    ) is not (None)


def _extended(lines: Sequence[Line], start: int, *, first: int, text: str) -> int:
    """Take in lines above that hold what is still missing: the date, the time, the address."""
    for _ in range(3):
        above = start - 1
        if above < first or lines[above].depth or lines[above].role:
            break
        gap = not lines[above].text
        if gap:
            above -= 1
            if above < first or lines[above].depth or not lines[above].text:
                break
        line = lines[above].text[:_SEEN].casefold()
        gives_date = _has_date(line) and not _has_date(text)
        gives_time = _TIME.search(line) is not None and not _TIME.search(text)
        gives_address = line.endswith(">") and not _ADDRESS.search(text)
        is_sentence = line.endswith((".", "!", "?")) or len(line) > 120
        if is_sentence or not (
            (gives_date and gives_time)  # across a blank line nothing less will do (L4.2)
            or (not gap and (gives_date or gives_time or (gives_address and _ADDRESS.search(line))))
        ):
            break
        text = f"{line} {text}"
        start = above
    return start


def _is_open_ended(lines: Sequence[Line], at: int) -> bool:
    """An attribution without a colon at its end: date first, or the old text behind it."""
    text = lines[at].text[:_SEEN].casefold().strip()
    verb = None
    for match in wrote_pattern().finditer(text):
        if re.match(r"\s*[:：]", text[match.end() :]):
            verb = match
            break
    if verb is not None:
        before = text[: verb.start()]
        has_place = _ADDRESS.search(before) or _TIME.search(before)
        return bool(_has_date(before) and has_place and re.search(r"\d", before[:40]))
    stands_alone = at + 1 == len(lines) or not lines[at + 1].text or lines[at + 1].depth > 0
    if not stands_alone or not _DATE_FIRST.match(text) or len(text) > 200:
        return False
    ends_in_address = re.search(r"@[\w.-]{1,100}>$", text) is not None
    return ends_in_address or bool(_TIME.search(text) and _ZONE.search(text))


# --- header blocks and markers ----------------------------------------------------------------


def _find_field(line: Line) -> tuple[str, str] | None:
    match = _FIELD.match(line.text[:_SEEN])
    if match is None:
        return None
    kind = field_kinds().get(match[1].strip(" *_-•").casefold())
    return None if kind is None else (kind, match[2])


def find_header_block(lines: Sequence[Line], start: int) -> int:
    """Behind which line a header block ends that begins here; -1 when there is none."""
    first = _find_field(lines[start])
    if first is None or first[0] in ("cc", "other"):
        return -1
    if len(_kinds_in_one_line(lines[start])) >= 3:
        return start + 1
    kinds = {first[0]}
    values = first[1]
    end = at = start + 1
    while at < min(len(lines), start + _MAX_FIELDS) and not lines[at].role:
        if not lines[at].text:  # each field a paragraph: the next has to follow
            at += 1
            if at >= len(lines) or _find_field(lines[at]) is None:
                break
        field = _find_field(lines[at])
        at += 1
        if field is not None:
            kinds.add(field[0])
            values += " " + field[1]
            end = at
        elif at - end > 2:  # a value may go on below, but not for long
            break
    low = values.casefold()
    has_moment = _has_date(low) or _TIME.search(low) is not None
    has_evidence = _ADDRESS.search(low) is not None or (has_moment and "sent" in kinds)
    is_block = len(kinds) >= 3 or (len(kinds) == 2 and has_evidence)
    if is_block and kinds & {"from", "sent"}:
        return end
    stands_alone = (start == 0 or not lines[start - 1].text) and (
        end == len(lines) or not lines[end].text
    )
    if first[0] == "from" and stands_alone and re.search(r"<[^<>]{1,80}@[^<>]{1,80}>", first[1]):
        return end
    return -1


def _kinds_in_one_line(line: Line) -> set[str]:
    """The fields of a block whose line breaks were lost."""
    found = field_pattern().finditer(line.text[:_SEEN].casefold())
    kinds = {field_kinds()[match[1]] for match in found}
    return kinds if kinds & {"from", "sent"} and "subject" in kinds else set()


def find_old_mail_marker(lines: Sequence[Line], at: int) -> bool:
    """``-----Original Message-----`` and its kin, or ``Begin forwarded message:``."""
    text = lines[at].text[:_SEEN].strip()
    if not text or len(text) > 200:
        return False
    match = _MARKER.match(text)
    if match is not None:
        phrase = match[2].strip(" *_:").casefold()
        return phrase in old_mail_phrases() or phrase.startswith(
            ("forwarded by", "forwarded message")
        )
    bare = text.strip(" *_-:：>").casefold()
    if bare not in old_mail_phrases():
        return False
    if _COLON.search(text):
        return True
    below = at + 1
    while below < len(lines) and below < at + 3 and not lines[below].text:
        below += 1
    return below < len(lines) and find_header_block(lines, below) > 0


def is_title_between_dashes(line: Line) -> bool:
    """A line that could stand above a header block in a language we do not know."""
    return _DASHED_TITLE.fullmatch(line.text[:200]) is not None


# --- signatures -------------------------------------------------------------------------------


def is_signature_mark(line: Line) -> bool:
    """``-- `` alone on a line (RFC 3676), or the long dash that phones make of it."""
    return line.text.strip() in ("--", "—", "- -")


def is_device_line(line: Line) -> bool:
    """The line that a telephone or a program adds: "Sent from my …" in many languages."""
    text = re.sub(r"<?\(?https?://\S{1,200}|[\[\]]", "", line.text[:_SEEN]).casefold()
    text = text.strip(" *_-—<>()")
    if not text or len(text) > 140:
        return False
    if len(text) < 70 and "outlook" in text and ("android" in text or "ios" in text):
        return True  # "Get Outlook for iOS" in any language
    clause = re.split(r"[,.;!]\s|\s-\s", text, maxsplit=1)[0]
    match = sent_from_pattern().search(clause)
    if match is None:
        return False
    # In scripts and languages that put the verb last the words come behind the device.
    if match.start() > 0 and (len(clause) > 60 or (clause.isascii() and "iphone" not in clause)):
        return False
    rest = clause[: match.start()] + " " + clause[match.end() :]
    if device_pattern().search(rest) or device_pattern().search(match.group()):
        return True
    return (
        match.start() == 0
        and text == clause
        and len(clause.split()) <= 7
        and (clause.startswith("sent from my "))
    )

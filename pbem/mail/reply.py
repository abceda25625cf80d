"""Reads what a player wrote: from the bytes of a mail to the lines of the reply (L4).

Owns putting the steps together, comparing with what we sent ourselves, and the verdict: a reply
is certain, or it is doubtful and the caller has to ask before anything is played or passed on
(L4.4). The steps are ``parts``, ``body``, ``quotes`` and ``classify``; who wrote, and what is done
about it, is for others.

    reply = read_reply(raw, sent=KnownLines(letter.prints, the_one_before.prints))
    if reply.is_certain:
        sorted_lines = classify(reply.sure_texts)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from notation.orders import Decision, Plan
from notation.reading import find_choice
from notation.writing import format_plan
from pbem.mail.body import read_body
from pbem.mail.classify import (
    Kind,
    classify,
    find_orders,
    is_lone_sign,
    is_order_like,
    reads_as_orders,
)
from pbem.mail.known_lines import NOTHING_KNOWN, KnownLines
from pbem.mail.parts import Message, read_message
from pbem.mail.quotes import Doubt, Sorting, Why, sort_lines
from pbem.mail.text_lines import fold

# A line of ours is a sign of a copied mail only when nobody would write it by chance.
_DISTINCTIVE = 12


@dataclass(frozen=True, slots=True)
class ReplyLine:
    """A line that the player wrote, as far as can be told."""

    text: str
    number: int
    """Its place in the text of the mail, from 1."""
    block: int
    """Lines with quoted text between them are in different blocks."""
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line on which something was cut."""

    why: Why
    number: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a player wrote."""

    lines: tuple[ReplyLine, ...]
    doubts: tuple[Doubt, ...]
    """Why to ask; empty when the reply is certain, but for lines with a doubt of their own."""
    evidence: tuple[Evidence, ...]
    """What was cut and where: the first line of each stretch."""
    below: tuple[str, ...]
    """Lines below an unmarked cut that read as orders and were not sent by us."""
    notes: tuple[str, ...]
    """What the reader of the mail left out or guessed (``Message.notes``)."""

    @property
    def is_certain(self) -> bool:
        """Whether the orders in ``sure_texts`` may be played and its message text passed on."""
        return not self.doubts

    @property
    def texts(self) -> tuple[str, ...]:
        """The lines, for ``classify``."""
        return tuple(line.text for line in self.lines)

    @property
    def sure_texts(self) -> tuple[str, ...]:
        """The lines without those that may be old text: what may be played and passed on."""
        return tuple(line.text for line in self.lines if line.doubt is None)

    @property
    def text(self) -> str:
        """The reply as one text."""
        return "\n".join(self.texts)


def read_reply(
    raw: bytes | Message,
    *,
    sent: KnownLines = NOTHING_KNOWN,
    is_command: Callable[[str], bool] = lambda _: False,
    has_headings: bool = False,
) -> Reply:
    """What the writer of a mail wrote in it. Never raises.

    ``sent`` knows the lines of the mails we sent in this thread: they are never message text, and
    an order or a command among them counts only where it cannot be part of a copy. With
    ``has_headings`` the reply is about several games (L6): the same orders may stand there twice.
    """

    def is_meant(text: str) -> bool:
        return is_order_like(text) or is_command(text)

    message = raw if isinstance(raw, Message) else read_message(raw)
    body = read_body(message)
    sorting = sort_lines(body.lines, quoted_in_html=body.quoted_in_html)
    if sent:
        _take_sent(sorting, sent, is_command)
    lines = _kept_lines(sorting)
    below = _orders_below(sorting, sent)
    sets = {} if has_headings else _order_sets(lines)
    # Doubt about message text only keeps it from being passed on; about an order it asks.
    is_sure = any(line.text and line.doubt is None for line in lines)
    doubts = {
        line.doubt: None
        for line in lines
        if line.doubt is not None and (not is_sure or is_meant(line.text))
    }
    has_orders = any(is_order_like(line.text) for line in lines)
    if below and not has_orders:
        doubts[Doubt.ORDERS_BELOW] = None
    if _are_different(sets, is_top=_begins_on_top(lines, sorting)):
        doubts[Doubt.TWO_SETS] = None
    if body.is_cut and not _is_old_at_end(sorting, has_orders=has_orders):
        doubts[Doubt.TEXT_CUT] = None
    return Reply(
        _without_repeated(lines, sets), tuple(doubts), _evidence(sorting), below, message.notes
    )


def _is_old_at_end(sorting: Sorting, *, has_orders: bool) -> bool:
    """Whether what is missing at the end of a mail can only be the rest of an old one.

    Threads grow as each mail quotes the one before, so this is common. An answer below a marked
    quote could be missing, but hardly one that has orders above it too.
    """
    if sorting.below is not None:
        return True
    last = next((at for at in range(len(sorting.why) - 1, -1, -1) if sorting.lines[at].text), None)
    return has_orders and last is not None and sorting.why[last] is Why.MARKED


def _take_sent(sorting: Sorting, sent: KnownLines, is_command: Callable[[str], bool]) -> None:
    """Take out what we sent ourselves, which some programs copy without any mark (L4.4, L4.5)."""
    lines = sorting.lines
    kept = [at for at, why in enumerate(sorting.why) if why is None and lines[at].text]
    ours = {at for at in kept if lines[at].text in sent}
    orders = {at for at in ours if _may_be_meant(lines[at].text, is_command)}
    telling = [at for at in ours - orders if len(fold(lines[at].text)) >= _DISTINCTIVE]
    for at in ours - orders:
        sorting.why[at] = Why.SENT
    if not telling:
        return
    start = min(telling)
    for at in kept:
        if at >= start and at in orders:
            sorting.why[at] = Why.SENT
        elif at >= start and at not in ours:
            sorting.doubts[at] = Doubt.COPY_OF_SENT
    # An order of ours directly above the copy may be its first line or the player's last.
    for at in reversed([at for at in kept if at < start]):
        if at not in ours:
            break
        if at in orders:
            sorting.doubts[at] = Doubt.COPY_OF_SENT


def _may_be_meant(text: str, is_command: Callable[[str], bool]) -> bool:
    """Whether a line that stands in a mail of ours may be what its reader answers with."""
    if is_lone_sign(text) or reads_as_orders(text):
        return True
    return find_choice(text) is not None or is_command(text)


def _kept_lines(sorting: Sorting) -> tuple[ReplyLine, ...]:
    """The lines that are left, without blank ones at both ends and between blocks doubled."""
    kept: list[ReplyLine] = []
    block = 0
    has_gap = False
    for at, line in enumerate(sorting.lines):
        if sorting.why[at] is not None or line.role == "cut":
            has_gap = has_gap or sorting.why[at] not in (Why.RULE, Why.SIGNATURE, Why.FOOTER)
            continue
        if has_gap and kept and line.text:
            block += 1
        if line.text:
            has_gap = False
        text = line.raw if line.depth else line.text
        kept.append(ReplyLine(text, at + 1, block, sorting.doubts[at] if line.text else None))
    while kept and not kept[-1].text:
        kept.pop()
    first = next((at for at, line in enumerate(kept) if line.text), len(kept))
    return tuple(kept[first:])


def _orders_below(sorting: Sorting, sent: KnownLines) -> tuple[str, ...]:
    if sorting.below is None:
        return ()
    below = (line for line in sorting.lines[sorting.below :] if line.text and not line.depth)
    return tuple(
        line.text for line in below if reads_as_orders(line.text) and line.text not in sent
    )


def _order_sets(lines: tuple[ReplyLine, ...]) -> dict[int, Plan]:
    """The orders of each block that has any."""
    sets: dict[int, Plan] = {}
    for block in dict.fromkeys(line.block for line in lines):
        found = classify([line.text for line in lines if line.block == block])
        text = "\n".join(item.text for item in found.of(Kind.ORDERS))
        plan = find_orders(text) if text else None
        if plan is not None:
            sets[block] = plan
    return sets


def _begins_on_top(lines: tuple[ReplyLine, ...], sorting: Sorting) -> bool:
    """Whether the reply begins above everything that is quoted."""
    return bool(lines) and not any(sorting.why[: lines[0].number - 1])


def _are_different(sets: dict[int, Plan], *, is_top: bool) -> bool:
    """Whether two blocks say different things (L4.7).

    Answers between the lines of a quoted mail are one set. Orders above it and other orders in or
    below it are two, unless they are decisions about different hexes.
    """
    plans = list(sets.values())
    orders = [step.order for plan in plans for step in plan]
    decisions = [order for order in orders if isinstance(order, Decision)]
    if len(plans) > 1 and len(decisions) == len(orders):
        saved = {order.victim for order in decisions if order.saved}
        fallen = {order.victim for order in decisions if not order.saved}
        return bool(saved & fallen) or (bool(saved and fallen) and None in saved | fallen)
    return is_top and 0 in sets and len({format_plan(plan) for plan in plans}) > 1


def _without_repeated(lines: tuple[ReplyLine, ...], sets: dict[int, Plan]) -> tuple[ReplyLine, ...]:
    """Orders that stand above and again below are read once."""
    seen: set[str] = set()
    repeated = set()
    for block, plan in sets.items():
        text = format_plan(plan)
        if text in seen:
            repeated.add(block)
        seen.add(text)
    return tuple(
        line for line in lines if line.block not in repeated or not is_order_like(line.text)
    )


def _evidence(sorting: Sorting) -> tuple[Evidence, ...]:
    found: list[Evidence] = []
    last: Why | None = None
    for at, why in enumerate(sorting.why):
        if why is not None and why is not last:
            found.append(Evidence(why, at + 1))
        if why is not None or sorting.lines[at].text:
            last = why
    return tuple(found)

"""The rules of a clock, and how they are written in an invitation and in a record's Clock tag.

    rules   = bank ["+" increment] ["/" cap] {word}
    word    = "cap" duration | "longest" duration
            | "defence" duration ["fall" | "save"]
            | "remind" ("never" | percent {"," percent})

So ``14d`` is a bank of fourteen days and nothing else (L6), and the canonical text of a rich clock
is ``30d+12h cap 60d longest 14d defence 3d fall``. ``remind`` is written only where it differs
from 50, 80 and 95 per cent, which is part of the grammar and therefore never changes.
What the rules lead to is left to ``clock``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from pbem.schedule.durations import LONGEST, format_duration, parse_duration
from pbem.schedule.errors import ClockRulesError, DurationError, Fault, shown
from pbem.schedule.plain import PlainReader, plain_duration

Default = Literal["fall", "save"]

USUAL_REMINDERS: Final = (50, 80, 95)
MOST_REMINDERS: Final = 10
MOST_CHARACTERS: Final = 300
NOTHING: Final = timedelta(0)

_TOKEN: Final = re.compile(r"[+/]|[^\s+/]+")


@dataclass(frozen=True, slots=True)
class ClockRules:
    """What two or more players agreed on. Raises ClockRulesError with every fault listed.

    ``bank`` is what each player begins with, ``increment`` is added when a turn ends, and the bank
    never rises over ``cap``. ``longest`` bounds one decision. ``defence`` is a clock of its own
    for one defence decision; without it a defence uses the bank. When it is over, standing rules
    answer and then ``defence_default``. ``reminders`` are per cents of the time for a decision.
    """

    bank: timedelta
    increment: timedelta = NOTHING
    cap: timedelta | None = None
    longest: timedelta | None = None
    defence: timedelta | None = None
    defence_default: Default = "fall"
    reminders: tuple[int, ...] = USUAL_REMINDERS

    def __post_init__(self) -> None:
        faults = list(self._faults())
        if faults:
            raise ClockRulesError(faults)

    def _faults(self) -> Iterator[Fault]:
        for name in ("bank", "increment", "cap", "longest", "defence"):
            value = getattr(self, name)
            if value is None:
                continue
            if value < NOTHING or (value == NOTHING and name != "increment"):
                yield Fault("not_positive", name, "must be more than nothing")
            elif value > LONGEST:
                yield Fault("too_long", name, "must be at most 1000 days")
            elif value.microseconds:
                yield Fault("not_whole_seconds", name, "must be a number of whole seconds")
        if self.cap is not None and self.cap < self.bank:
            yield Fault("cap_below_bank", "cap", "must not be below the bank")
        if self.defence is not None and self.defence > self.bank:
            yield Fault("defence_over_bank", "defence", "must not be longer than the bank")
        if self.defence_default not in ("fall", "save"):
            text = f"must be fall or save, not {shown(self.defence_default)}"
            yield Fault("bad_default", "defence_default", text)
        elif self.defence is None and self.defence_default == "save":
            text = "needs a defence clock to take effect"
            yield Fault("default_without_defence", "defence_default", text)
        if len(self.reminders) > MOST_REMINDERS:
            yield Fault("too_many_reminders", "reminders", f"at most {MOST_REMINDERS}")
        elif not all(0 < percent < 100 for percent in self.reminders):
            yield Fault("bad_percent", "reminders", "must be from 1 to 99 per cent")
        elif list(self.reminders) != sorted(set(self.reminders)):
            yield Fault("reminders_unordered", "reminders", "must rise")

    def to_plain(self) -> dict[str, object]:
        """As JSON-shaped data, with nothing left to a default."""
        return {
            "bank": plain_duration(self.bank),
            "increment": plain_duration(self.increment),
            "cap": plain_duration(self.cap),
            "longest": plain_duration(self.longest),
            "defence": plain_duration(self.defence),
            "defence_default": self.defence_default,
            "reminders": list(self.reminders),
        }

    @classmethod
    def from_plain(cls, plain: object) -> ClockRules:
        """The inverse of ``to_plain``. Raises ClockRulesError with every fault listed."""
        reader = PlainReader(plain, cls.__slots__)
        percents = [item for item in reader.items("reminders") if type(item) is int]
        if len(percents) != len(reader.items("reminders")):
            reader.faults.append(Fault("bad_percent", "reminders", "must be whole numbers"))
        default = reader.text("defence_default", "fall")
        if default not in ("fall", "save"):
            reader.faults.append(Fault("bad_default", "defence_default", "must be fall or save"))
        rules = reader.attempt(
            lambda: cls(
                bank=reader.duration("bank"),
                increment=reader.duration("increment"),
                cap=reader.find_duration("cap"),
                longest=reader.find_duration("longest"),
                defence=reader.find_duration("defence"),
                defence_default="save" if default == "save" else "fall",
                reminders=tuple(percents),
            )
        )
        if rules is None or reader.faults:
            raise ClockRulesError(reader.faults)
        return rules


def format_clock_rules(rules: ClockRules) -> str:
    """The canonical text, for the Clock tag; the inverse of ``parse_clock_rules``."""
    words = [format_duration(rules.bank)]
    if rules.increment:
        words[0] += f"+{format_duration(rules.increment)}"
    if rules.cap is not None:
        words.append(f"cap {format_duration(rules.cap)}")
    if rules.longest is not None:
        words.append(f"longest {format_duration(rules.longest)}")
    if rules.defence is not None:
        words.append(f"defence {format_duration(rules.defence)} {rules.defence_default}")
    if rules.reminders != USUAL_REMINDERS:
        words.append("remind " + (",".join(map(str, rules.reminders)) or "never"))
    return " ".join(words)


def parse_clock_rules(text: str) -> ClockRules:
    """Rules as a player writes them. Raises ClockRulesError with every fault listed."""
    return _RulesReader(text).read()


class _RulesReader:
    """Goes through the words once, notes what is wrong, and carries on behind it."""

    def __init__(self, text: str) -> None:
        self._faults: list[Fault] = []
        if len(text) > MOST_CHARACTERS:
            raise ClockRulesError([Fault("text_too_long", "column 1", "a clock is a short text")])
        self._tokens = [(match[0].lower(), match.start() + 1) for match in _TOKEN.finditer(text)]
        self._end = len(text) + 1
        self._next = 0
        self._durations: dict[str, timedelta] = {}
        self._reminders: tuple[int, ...] | None = None
        self._default: Default | None = None

    def read(self) -> ClockRules:
        self._duration("bank")
        while self._next < len(self._tokens):
            self._word()
        try:
            rules = ClockRules(
                bank=self._durations.get("bank", LONGEST),
                increment=self._durations.get("increment", NOTHING),
                cap=self._durations.get("cap"),
                longest=self._durations.get("longest"),
                defence=self._durations.get("defence"),
                defence_default=self._default or "fall",
                reminders=USUAL_REMINDERS if self._reminders is None else self._reminders,
            )
        except ClockRulesError as error:
            # A cap cannot be compared with a bank that could not be read.
            self._faults += [
                fault
                for fault in error.faults
                if "bank" in self._durations or fault.code != "cap_below_bank"
            ]
        if self._faults:
            raise ClockRulesError(self._faults)
        return rules

    def _take(self) -> tuple[str, int]:
        if self._next == len(self._tokens):
            return "", self._end
        self._next += 1
        return self._tokens[self._next - 1]

    def _fault(self, code: str, column: int, found: str, expected: str) -> None:
        text = f"expected {expected}, not {shown(found)}" if found else f"expected {expected}"
        facts = {"column": column, "found": shown(found), "expected": expected}
        self._faults.append(Fault(code, f"column {column}", text, facts))

    def _duration(self, name: str) -> None:
        token, column = self._take()
        if not token:
            self._fault("bad_duration", column, token, f"a duration for the {name}")
            return
        try:
            value = parse_duration(token)
        except DurationError as error:
            expected = str(error.faults[0].facts["expected"])
            self._fault(error.codes[0], column, token, f"a duration {expected}")
            return
        if name in self._durations:
            self._fault("said_twice", column, token, f"only one {name}")
        self._durations[name] = value

    def _word(self) -> None:
        token, column = self._take()
        match token:
            case "+":
                self._duration("increment")
            case "/" | "cap":
                self._duration("cap")
            case "longest":
                self._duration("longest")
            case "defence" | "defense":
                self._duration("defence")
                following = self._tokens[self._next][0] if self._next < len(self._tokens) else ""
                if following in ("fall", "save"):
                    self._next += 1
                    self._default = "save" if following == "save" else "fall"
            case "remind":
                self._percents()
            case _:
                expected = "+, cap, longest, defence or remind"
                self._fault("unknown_word", column, token, expected)

    def _percents(self) -> None:
        token, column = self._take()
        if self._reminders is not None:
            self._fault("said_twice", column, token, "only one list of reminders")
        parts = [] if token == "never" else token.replace("%", "").split(",")
        if not all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
            self._fault("bad_percent", column, token, "per cents such as 50,80,95, or never")
            return
        self._reminders = tuple(int(part) for part in parts)

"""Samples of the mails about events: a Swiss event from its entries to its end, a ladder, and what
directors get. ``sample_mails`` has all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from pbem.cli.stage import Sample, Stage, at
from pbem.mail.answers import Section
from pbem.play import games, players
from pbem.play.events import challenging, directing, entering, making, running, statements
from pbem.play.events.advancing import advance_due
from pbem.play.events.notices import DOSSIER, OVER, PAIRED, WEEKLY
from pbem.play.events.ports import GameOfEvent
from pbem.play.events.substituting import ask_substitute, take_place
from pbem.play.events.weekly import tell_directors
from pbem.play.model import Player

MASTERS: Final = {"clock": "14d+12h cap 21d", "level": "master"}
NOTE: Final = "event_note"
SET_UPS: Final = ("setup WFEAAEFW", "setup FWEAAEWF")


def play_events(stage: Stage) -> Iterator[Sample]:
    """All samples about events, one after the other."""
    chosen = replace(stage.ben.preferences, delivery="each")
    stage.ben = players.set_preferences(stage.around, stage.ben.id, chosen, now=at(600))
    dora, eve, finn, gus = (
        players.join(
            stage.around,
            name,
            f"{name.lower()}@example.org",
            now=at(600),
            preferences=stage.ann.preferences,
            verified=True,
        )
        for name in ("Dora", "Eve", "Finn", "Gus")
    )
    stage.post(600)
    swiss = _Fair(stage, dora, 601, "Autumn Open", format="swiss", rounds=2, max_entrants=3)
    yield from swiss.begin(eve, finn)
    yield from swiss.answers()
    yield from swiss.direct(gus)
    yield from swiss.end()
    ladder = _Fair(stage, dora, 900, "Town Ladder", format="ladder", meeting="single")
    yield from ladder.challenge(eve)


class _Fair:
    """An event that Dora directs."""

    def __init__(
        self, stage: Stage, dora: Player, hours: float, title: str, **charter: object
    ) -> None:
        self.stage = stage
        self.dora = dora
        raw = {"title": title, "agreement": MASTERS, **charter}
        if charter["format"] == "swiss":
            raw |= {"check_in_hours": 6, "starts_at": at(hours + 10).isoformat()}
        self.id = making.make(stage.around, dora.id, raw, now=at(hours)).id
        self.hours = hours
        making.open_entries(stage.around, self.id, dora.id, now=at(hours))

    def pass_hours(self, hours: float) -> None:
        """Let time pass, and what is due happen."""
        self.hours += hours
        advance_due(self.stage.around, at(self.hours))

    def enter(self, *entrants: Player) -> None:
        for player in entrants:
            entering.enter(self.stage.around, self.id, player.id, now=at(self.hours))

    def rows(self) -> Sequence[GameOfEvent]:
        with self.stage.around.store.read() as unit:
            return [row for row in unit.games_of_event(self.id) if not row.is_counted]

    def sample(self, name: str, kind: str, to: Player) -> Sample:
        """The mail of a kind to somebody, among all that are due."""
        return Sample(name, self.stage.pick(kind, self.hours, to=to))

    # -- from the entries to the first round ----------------------------------------------------

    def begin(self, eve: Player, finn: Player) -> Iterator[Sample]:
        stage = self.stage
        ann, ben = stage.ann, stage.ben
        self.enter(ann, ben, eve)
        yield self.sample("event_entered", NOTE, ann)
        self.enter(finn)
        yield self.sample("event_waiting", NOTE, finn)
        self.pass_hours(5)
        yield self.sample("event_check_in", NOTE, ann)
        for player in (ann, ben, eve):
            entering.check_in(stage.around, self.id, player.id, now=at(self.hours))
        self.pass_hours(6)
        self.pass_hours(0.1)
        mails = {mail.letter.player_id: mail for mail in stage.post(self.hours)}
        paired = [mail for mail in mails.values() if mail.letter.kind == PAIRED]
        yield Sample("event_paired", max(paired, key=lambda mail: len(mail.text)))
        yield Sample("event_paired_bye", min(paired, key=lambda mail: len(mail.text)))

    def answers(self) -> Iterator[Sample]:
        """Answers to mails about the event."""
        about = {"event": self.id}
        parts = (
            Section("events"),
            Section("event_table", about),
            Section("event_why", about),
            Section("event_done", {**about, "what": "stated"}),
            Section("sure_withdraw", {**about, "games": 2}),
        )
        for number, section in enumerate(parts):
            yield self.stage.answered(section, self.hours + number / 100, None)

    # -- what directors do and get --------------------------------------------------------------

    def direct(self, gus: Player) -> Iterator[Sample]:
        stage, around, dora = self.stage, self.stage.around, self.dora
        row = self.rows()[0]
        assert row.game_id is not None
        for seat, text in enumerate(SET_UPS):
            games.submit(around, row.game_id, seat, text, arrived=at(self.hours))
        games.submit(around, row.game_id, 0, "W1:kite>H7; F2>I3; end", arrived=at(self.hours + 1))
        with around.store.read() as unit:
            stored = unit.find_game(row.game_id)
        assert stored is not None
        gold, black = stored.players
        which = (row.encounter, row.game)
        stage.post(self.hours + 1)
        self.hours += 100
        said = ("I am two warriors ahead, and my opponent has gone silent.", "I was ill.")
        for player_id, text in zip((gold, black), said, strict=True):
            statements.state(around, self.id, player_id, which, text, now=at(self.hours))
        yield self.sample("director_dossier", DOSSIER, dora)
        self.pass_hours(80)
        tell_directors(around, now=at(self.hours))
        yield self.sample("director_weekly", WEEKLY, dora)
        running.pause(around, self.id, dora.id, reason="The server moves.", now=at(self.hours))
        yield self.sample("event_news", NOTE, stage.ann)
        running.resume(around, self.id, dora.id, now=at(self.hours))
        stage.post(self.hours)
        directing.warn(
            around, self.id, dora.id, 1, reason="Please answer in time.", now=at(self.hours)
        )
        yield self.sample("event_warning", NOTE, stage.ann)
        directing.adjudicate(
            around, self.id, dora.id, which, "gold", reason="Black has left.", now=at(self.hours)
        )
        yield self.sample(
            "event_ruled", NOTE, stage.ann if stage.ann.id in stored.players else stage.ben
        )
        ask_substitute(around, self.id, dora.id, 2, gus.id, now=at(self.hours))
        yield self.sample("substitute_asked", NOTE, gus)
        take_place(around, self.id, gus.id, now=at(self.hours))
        yield self.sample("event_substituted", NOTE, dora)

    def end(self) -> Iterator[Sample]:
        for _ in range(4):
            for row in self.rows():
                if row.game_id is not None:
                    games.submit(
                        self.stage.around, row.game_id, 1, "resign", arrived=at(self.hours)
                    )
            self.pass_hours(1)
            self.pass_hours(0.1)
        yield self.sample("event_over", OVER, self.stage.ann)

    # -- a ladder -------------------------------------------------------------------------------

    def challenge(self, eve: Player) -> Iterator[Sample]:
        stage, around = self.stage, self.stage.around
        self.enter(stage.ann, stage.ben, eve)
        running.start(around, self.id, self.dora.id, now=at(self.hours))
        self.pass_hours(0.1)
        stage.post(self.hours)
        challenging.challenge(around, self.id, stage.ben.id, 1, now=at(self.hours))
        yield self.sample("event_challenged", NOTE, stage.ann)
        challenging.decline(
            around, self.id, stage.ann.id, 1, reason="I am at sea.", now=at(self.hours)
        )
        yield self.sample("event_challenge_answered", NOTE, stage.ben)
        challenging.challenge(around, self.id, eve.id, 2, now=at(self.hours))
        challenging.accept(around, self.id, stage.ben.id, 2, now=at(self.hours))
        self.pass_hours(0.1)
        self.pass_hours(0.1)
        yield self.sample("event_paired_single", PAIRED, stage.ben)
        making.cancel(around, self.id, self.dora.id, reason="Too few of us.", now=at(self.hours))
        yield self.sample("event_cancelled", OVER, stage.ann)

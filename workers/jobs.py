"""The jobs: what is done, and how often at the least. Thin: they read the clock and call.

Every job finds its work in the database and may run at any time, twice, or on several machines at
once: the second run finds nothing left to do (L1.3). A job tells which others have work now.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

import structlog

from pbem.mail.imap import ImapError, fetch_mail
from pbem.mail.reading import read_waiting
from pbem.mail.sending import Sender
from pbem.mail.transport import RelayDownError
from pbem.play.archiving import archive_finished
from pbem.play.backlog import Rhythm
from pbem.play.events.advancing import advance_due, has_due
from pbem.play.events.weekly import tell_directors
from pbem.play.farewell import forget_guests
from pbem.play.games import sweep as sweep_games
from pbem.play.outages import note_pulse
from pbem.play.rating import count_ratings, take_in
from pbem.tally import TALLY
from workers.desk import Desk
from workers.watching import note_sent

BATCH: Final = 24
"""How many are taken before a job looks whether it is to stop."""
STINT: Final = 5.0
"""Seconds after which a job that has more to do hands over to the next run of itself: senders hear
of what was read, and a worker that is to stop need not wait until there is nothing left to do."""
KEPT: Final = timedelta(days=90)
"""How long the bytes of mails that were handled are kept."""

_log: Final = structlog.get_logger("workers")

Lane = Literal["read", "send", "care", "fetch", "archive", "events"]
LANES: Final[tuple[Lane, ...]] = ("read", "send", "care", "fetch", "archive", "events")
"""Jobs of different lanes do not wait for each other: a server that is slow to take mail keeps
nobody from reading."""
HURRIED: Final[frozenset[Lane]] = frozenset({"read", "send", "care"})
"""Those for which players wait, or clocks: that the server is here is noted as soon as it is."""

Told = tuple[str, ...]
"""Names of jobs that have work now."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do, and how often at the least."""

    name: str
    lane: Lane
    run: Callable[[Desk], Told]
    every: timedelta
    longest: timedelta = timedelta(minutes=2)
    """A run that takes longer hangs, and is ended where jobs have processes. Of what a job claims
    for itself it is less than the lease: nobody else has it before this run is over."""


def read(desk: Desk) -> Told:
    """Read the mails that have come in."""
    total, until = 0, time.monotonic() + STINT
    told: Told = ("send",)
    with desk.staying():
        while not desk.stopping.is_set():
            count = read_waiting(
                desk.around, desk.office, desk.clock(), BATCH, readers=desk.readers
            )
            if not count:
                break
            total += count
            if time.monotonic() >= until:
                told = ("send", "read")
                break
    if not total:
        return ()
    _log.info("mails_read", count=total)
    return told


def send(desk: Desk) -> Told:
    """Write and send the mails whose time has come. Whoever reads that a game is over wants to see
    it in the archive. This runs behind every change, so it also tells whether events wait."""
    until = time.monotonic() + STINT
    is_more = True
    sender = Sender(
        desk.around, desk.office, desk.transport, signer=desk.signer, couriers=desk.couriers
    )
    try:
        with desk.staying(), sender:
            while is_more and not desk.stopping.is_set():
                is_more = sender.send_some(desk.clock(), BATCH)
                if time.monotonic() >= until:
                    break
    finally:
        sent = sender.sent
        if sent.fates:
            _log.info("mails_sent", fates=dict(sent.fates))
            TALLY.add_all("mails_sent", sent.fates)
        if sent.fates.get("sent"):
            note_sent(desk, is_urgent=sent.fates.total() > sent.fates["sent"])
    if sent.down is not None:
        _log.error("no_mail_goes_out", reason=sent.down)
        is_more = False
    is_more = is_more and not desk.stopping.is_set()
    told = (("send",) if is_more else ()) + (("archive",) if sent.endings else ())
    return (*told, "events") if has_due(desk.around, desk.clock()) else told


def sweep(desk: Desk) -> Told:
    """Let happen in games what is due."""
    swept = sweep_games(desk.around, desk.clock())
    TALLY.add("sweeps")
    for game_id, reason in swept.failed.items():
        _log.error("game_not_swept", game=game_id, reason=reason)
    return ("send",) if swept.games else ()


def pulse(desk: Desk) -> Told:
    """Note that the server can receive and send; while it cannot, clocks stand still (L1.6)."""
    is_well = desk.is_receiving()
    if not is_well:
        _log.error("no_mail_comes_in")
    try:
        desk.transport.check()
    except RelayDownError as error:
        is_well = False
        _log.error("no_mail_goes_out", reason=str(error))
    outage = note_pulse(desk.around, desk.clock(), is_well=is_well)
    if outage is not None:
        _log.warning("clocks_stood", since=str(outage.begins), until=str(outage.ends))
    return ()


def forget(desk: Desk) -> Told:
    """Drop what nobody needs any more: of the post, passes that are over, guests who never
    answered."""
    now = desk.clock()
    with desk.around.store.begin() as unit:
        rows = unit.forget_post(now - KEPT) + unit.forget_passes(now - KEPT)
    guests = forget_guests(desk.around, now=now)
    if guests:
        _log.info("guests_forgotten", count=guests)
    if rows:
        _log.info("post_forgotten", rows=rows)
    return ()


def fetch(desk: Desk) -> Told:
    """Fetch mail from the mailbox, if one is set; less often while it fails."""
    if desk.settings.mailbox is None or not desk.backoff.is_due(desk.clock()):
        return ()
    is_over, told = False, set[str]()
    while not is_over and not desk.stopping.is_set():
        try:
            visit = fetch_mail(desk.around, desk.office, desk.settings.mailbox, clock=desk.clock)
        except ImapError as error:
            wait = desk.backoff.failed(desk.clock())
            server = str(desk.settings.mailbox)
            _log.error("no_mail_fetched", server=server, reason=str(error), again_in=str(wait))
            break
        desk.backoff.worked()
        is_over = visit.is_over or not visit.stored
        told |= {"read"} if visit.stored else set()
    return tuple(told)


def archive(desk: Desk) -> Told:
    """Put games that are over into the archive."""
    after: str | None = ""
    total, until = 0, time.monotonic() + STINT
    while after is not None and not desk.stopping.is_set():
        done = archive_finished(
            desk.around, {"Site": desk.office.site_url}, now=desk.clock(), after=after, limit=BATCH
        )
        for game_id, reason in done.failed.items():
            _log.error("game_not_archived", game=game_id, reason=reason)
        total += done.games - len(done.failed)
        after = done.after
        if time.monotonic() >= until:
            break
    if total:
        _log.info("games_archived", count=total)
    return ("archive",) if total and after is not None else ()


def rate(desk: Desk) -> Told:
    """Take in games that are over, and count the ratings again that they change."""
    after: str | None = ""
    total, until = 0, time.monotonic() + STINT
    while after is not None and not desk.stopping.is_set():
        done = take_in(desk.around, after=after, limit=BATCH)
        for game_id, reason in done.failed.items():
            _log.error("game_not_rated", game=game_id, reason=reason)
        total += done.games - len(done.failed)
        after = done.after
        if time.monotonic() >= until:
            break
    changed = count_ratings(desk.around)
    if changed:
        _log.info("ratings_counted", games=total, ratings=changed)
    return ("rate",) if total and after is not None else ()


def events(desk: Desk) -> Told:
    """Let happen in events what is due: results come in, rounds turn over, games begin."""
    after: str | None = ""
    until = time.monotonic() + STINT

    def has_to_stop() -> bool:
        return desk.stopping.is_set() or time.monotonic() >= until

    acts = games = 0
    while after is not None and not desk.stopping.is_set():
        done = advance_due(
            desk.around, desk.clock(), after=after, limit=BATCH, is_stopping=has_to_stop
        )
        for event_id, reason in done.failed.items():
            _log.error("event_not_advanced", event=event_id, reason=reason)
        acts, games, after = acts + done.acts, games + done.games, done.after
        if has_to_stop():
            break
    if not acts and not games:
        return ()
    _log.info("events_advanced", acts=acts, games=games)
    return ("send", "events") if has_to_stop() else ("send",)


def directors(desk: Desk) -> Told:
    """Once a week, write to those who direct events."""
    return ("send",) if tell_directors(desk.around, now=desk.clock()) else ()


AT_START: Final = ("pulse", "read", "send", "sweep", "fetch", "archive", "rate", "events")
"""What whoever starts does first. Clocks stood while nobody was here: that is noted before any flag
can fall (L1.6). Whoever asks how things stand is not told that any of it was not done for long."""

JOBS: Final = (
    Job("read", "read", read, timedelta(seconds=10), timedelta(seconds=165)),
    Job("send", "send", send, timedelta(seconds=10), timedelta(seconds=330)),
    Job("sweep", "care", sweep, timedelta(seconds=30), timedelta(minutes=5)),
    Job("pulse", "care", pulse, timedelta(seconds=60)),
    Job("forget", "care", forget, timedelta(hours=1), timedelta(minutes=15)),
    Job("fetch", "fetch", fetch, timedelta(seconds=60), timedelta(minutes=5)),
    Job("archive", "archive", archive, timedelta(seconds=30), timedelta(minutes=5)),
    Job("rate", "archive", rate, timedelta(seconds=30), timedelta(minutes=5)),
    Job("events", "events", events, timedelta(seconds=30), timedelta(minutes=5)),
    Job("directors", "events", directors, timedelta(hours=1), timedelta(minutes=5)),
)
_OFTEN: Final = timedelta(minutes=1)
RHYTHMS: Final = {
    job.name: Rhythm(job.every, job.longest)
    for job in JOBS
    if job.every <= _OFTEN and job.name != "sweep"
}
"""By the names of jobs, for whoever wonders whether anybody does them. The sweep is not in it: its
limit is closer, for clocks depend on it. Nor are those that are done once an hour: a server that
has stood still for a day does them an hour after its start."""

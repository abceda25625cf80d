"""Who may come in by the web: links to sign in, sessions, and tokens for programs.

All are *passes*: something a player was given, of which only a hash is kept. A link is used once
and within minutes; a session lasts while it is used; a token lasts until it is ended, and may do
only what its scopes say. Cookies and headers are ``pbem.web``.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from pbem.errors import PbemError
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Player
from pbem.play.players import PlayerFaults, clean_address
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player, lock_player

Kind = Literal["link", "session", "token"]

SIGN_IN: Final = "sign_in"
"""The kind of the notice that brings a link; its fact ``pass`` is the number of the pass."""

LINK_LASTS: Final = timedelta(minutes=15)
SESSION_LASTS: Final = timedelta(days=60)
"""How long a session lasts that nobody uses."""

SEEN_AGAIN: Final = timedelta(minutes=10)
"""Within this time, use of a session is not written down again."""

LINKS_AN_HOUR: Final = 5
MAX_TOKENS: Final = 20
MAX_NAME: Final = 80
SCOPES: Final = ("read", "play", "account")
"""What a token may be for: looking, playing, and changing settings."""

_SECRET_BYTES: Final = 20
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Pass:
    """Something a player was given to come in with. ``name`` is the browser, or the player's own
    word for a token."""

    id: int
    kind: Kind
    hash: str
    player_id: int
    created_at: datetime
    expires_at: datetime | None
    name: str = ""
    scopes: tuple[str, ...] = ()
    used_at: datetime | None = None
    ended_at: datetime | None = None

    def is_good(self, now: datetime) -> bool:
        """Whether it still opens anything."""
        return self.ended_at is None and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Given:
    """A new pass and its secret, which is told once and kept nowhere."""

    kept: Pass
    secret: str


class NoPassError(PbemError):
    """There is no such pass, or it is over."""


def ask_for_link(around: Surroundings, address: str, *, now: datetime) -> None:
    """Mail a link to sign in to whoever owns an address. Tells nobody whether there is anybody: it
    takes a commit either way, so that nothing can be learned from the time."""
    try:
        address = clean_address(address)
    except PlayerFaults:
        return
    with around.store.begin() as unit:
        found = unit.find_address(address)
        if found is None or found.verified_at is None:
            unit.count_event("link/nobody", now, _HOUR)
            return
        if unit.count_event(f"link/{found.player_id}", now, _HOUR) > LINKS_AN_HOUR:
            return
        given = _give(around, unit, "link", found.player_id, now=now, lasts=LINK_LASTS)
        facts = {"pass": given.kept.id, "address": address}
        cause = f"pass/{given.kept.id}"
        unit.add_notice(Notice(cause, found.player_id, SIGN_IN, now, facts=facts))


def sign_in(around: Surroundings, pass_id: int, *, browser: str, now: datetime) -> Given:
    """Use a link, once; a session begins. Raises NoPassError."""
    with around.store.begin() as unit:
        link = unit.lock_pass(pass_id)
        if link is None or link.kind != "link" or not link.is_good(now):
            raise NoPassError("the link was used before or is too old")
        player = unit.find_player(link.player_id)
        if player is None or player.deleted_at is not None:
            raise NoPassError("its player has left")
        unit.save_pass(replace(link, used_at=now, ended_at=now))
        return _give(
            around, unit, "session", link.player_id, now=now, lasts=SESSION_LASTS, name=browser
        )


def begin_session(around: Surroundings, player_id: int, *, browser: str, now: datetime) -> Given:
    """A session for somebody whose word is enough: only where everybody may be everybody."""
    with around.store.begin() as unit:
        get_player(unit, player_id)
        return _give(around, unit, "session", player_id, now=now, lasts=SESSION_LASTS, name=browser)


def look_at_link(around: Surroundings, pass_id: int, *, now: datetime) -> bool:
    """Whether a link could be used; looking uses nothing (L3.6)."""
    with around.store.read() as unit:
        link = unit.find_pass(pass_id)
    return link is not None and link.kind == "link" and link.is_good(now)


def find_owner(
    around: Surroundings, kind: Kind, secret: str, *, now: datetime
) -> tuple[Player, Pass] | None:
    """Whose session or token this is; a session that is used lasts on."""
    with around.store.read() as unit:
        owned = unit.find_owned_pass(pass_hash(secret))
    if owned is None:
        return None
    found, player = owned
    if found.kind != kind or not found.is_good(now) or player.deleted_at is not None:
        return None
    if found.used_at is None or now - found.used_at >= SEEN_AGAIN:
        found = _see(around, found, now)
    return player, found


def _see(around: Surroundings, seen: Pass, now: datetime) -> Pass:
    with around.store.begin() as unit:
        locked = unit.lock_pass(seen.id)
        if locked is None or not locked.is_good(now):
            return seen
        expires = now + SESSION_LASTS if locked.kind == "session" else locked.expires_at
        locked = replace(locked, used_at=now, expires_at=expires)
        unit.save_pass(locked)
        return locked


def make_token(
    around: Surroundings, player_id: int, name: str, scopes: Iterable[str], *, now: datetime
) -> Given:
    """A token for a program. Raises PlayerFaults, NotAllowedError."""
    chosen = tuple(scope for scope in SCOPES if scope in set(scopes))
    name = " ".join(name.split())
    faults = {}
    if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
        faults["name"] = f"must have 1 to {MAX_NAME} characters"
    if not chosen:
        faults["scopes"] = f"must be some of {', '.join(SCOPES)}"
    if faults:
        raise PlayerFaults(faults)
    with around.store.begin() as unit:
        lock_player(unit, player_id)
        mine = [each for each in unit.passes_of(player_id, "token") if each.is_good(now)]
        if len(mine) >= MAX_TOKENS:
            raise NotAllowedError("too_many_tokens", most=MAX_TOKENS)
        return _give(around, unit, "token", player_id, now=now, name=name, scopes=chosen)


def passes_of(around: Surroundings, player_id: int, kind: Kind, *, now: datetime) -> Sequence[Pass]:
    """A player's sessions or tokens that are still good, newest first."""
    with around.store.read() as unit:
        return [each for each in unit.passes_of(player_id, kind) if each.is_good(now)]


def end_pass(around: Surroundings, player_id: int, pass_id: int, *, now: datetime) -> None:
    """End a session or token of one's own; one that is over stays so."""
    with around.store.begin() as unit:
        found = unit.lock_pass(pass_id)
        if found is None or found.player_id != player_id:
            raise NotAllowedError("no_such_pass")
        if found.ended_at is None:
            unit.save_pass(replace(found, ended_at=now))


def pass_hash(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _give(
    around: Surroundings,
    unit: Unit,
    kind: Kind,
    player_id: int,
    *,
    now: datetime,
    lasts: timedelta | None = None,
    name: str = "",
    scopes: tuple[str, ...] = (),
) -> Given:
    secret = base64.b32encode(around.entropy(_SECRET_BYTES)).decode().lower()
    made = Pass(
        id=0,
        kind=kind,
        hash=pass_hash(secret),
        player_id=player_id,
        created_at=now,
        expires_at=None if lasts is None else now + lasts,
        name="".join(char for char in name if char.isprintable())[:MAX_NAME],
        scopes=scopes,
        used_at=now if kind == "session" else None,
    )
    return Given(unit.add_pass(made), secret)

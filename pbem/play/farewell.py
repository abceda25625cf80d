"""Merging two accounts, leaving for good, and taking one's data along."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import date, datetime, time, timedelta
from typing import Final

from notation.record_tags import format_tag
from pbem.play.calendars import refresh_calendars
from pbem.play.errors import NotAllowedError
from pbem.play.events.parting import check_apart, lock_events_of, part
from pbem.play.invitations import find_named
from pbem.play.log import instant_text
from pbem.play.model import Invitation, Leave, Player, Preferences
from pbem.play.open_game import OpenGame
from pbem.play.ports import Surroundings, Unit
from pbem.play.starting import get_player, lock_player
from pbem.tournaments.ratings import period_text

BLANKED: Final = "(left)"
GUESTS_STAY: Final = timedelta(days=30)
"""How long somebody is kept who was asked or invited and has not answered."""


def merge(around: Surroundings, kept_id: int, gone_id: int, *, now: datetime) -> Player:
    """Two accounts of one person become one: games, addresses, leave, invitations received.

    Not if they play each other. Invitations the gone account sent are withdrawn, and its games
    are played by the rules for all games of the one that is kept.
    """
    if kept_id == gone_id:
        raise NotAllowedError("same_player")
    with around.store.begin() as unit:
        _lock_invitations(unit, gone_id)
        lock_events_of(around, unit, (kept_id, gone_id))
        kept, gone = (lock_player(unit, player_id) for player_id in sorted((kept_id, gone_id)))
        check_apart(unit, kept_id, gone_id)
        if kept.id != kept_id:
            kept, gone = gone, kept
        games = unit.games_of(gone_id)
        if set(games) & set(unit.games_of(kept_id)):
            raise NotAllowedError("play_each_other")
        for game_id in games:
            game = OpenGame.lock(around, unit, game_id)
            game.catch_up(now)
            seat = game.stored.find_seat(gone_id)
            assert seat is not None, "it is one of the player's games"
            if not game.stored.is_over and kept.standing != gone.standing:
                game.decree(f"general {seat}: {kept.standing}", now)
            game.save(now)
            unit.change_seat(game_id, seat, kept_id)
        for invitation in unit.open_invitations(gone_id):
            if kept_id != invitation.host_id != gone_id:
                unit.save_invitation(replace(invitation, guest_id=kept_id))
            else:
                unit.save_invitation(replace(invitation, closed_at=now, outcome="withdrawn"))
        for address in unit.addresses_of(gone_id):
            unit.save_address(
                replace(address, player_id=kept_id, is_preferred=False, is_fallback=False)
            )
        unit.readdress_notices(gone_id, kept_id)
        unit.readdress_letters(gone_id, kept_id)
        unit.readdress_inbound(gone_id, kept_id)
        unit.readdress_archived(gone_id, kept_id)
        unit.readdress_remarks(gone_id, kept_id, kept.name)
        unit.readdress_studies(gone_id, kept_id)
        unit.readdress_events(gone_id, kept_id)
        unit.readdress_ratings(gone_id, kept_id)
        unit.remove_passes(gone_id)
        unit.save_player(replace(gone, name=BLANKED, deleted_at=now, leaves=(), standing="off"))
        merged = replace(kept, leaves=_united(kept.leaves, gone.leaves))
        unit.save_player(merged)
        refresh_calendars(around, unit, merged, now)
        return merged


def _united(ours: Sequence[Leave], theirs: Sequence[Leave]) -> tuple[Leave, ...]:
    """Both lists, without a leave that overlaps one of ours."""
    kept = list(ours)
    for leave in theirs:
        if all(leave.ends <= other.begins or leave.begins >= other.ends for other in kept):
            kept.append(leave)
    return tuple(sorted(kept, key=lambda leave: leave.begins))


def _lock_invitations(unit: Unit, player_id: int) -> None:
    """Invitations come before players and games in the order of locks."""
    for invitation in sorted(unit.open_invitations(player_id), key=lambda each: each.id):
        unit.lock_invitation(invitation.id)


def delete(around: Surroundings, player_id: int, *, now: datetime) -> None:
    """Forget a player: name, addresses, mails and private notes go, running games are resigned,
    games stay, in the archive too."""
    with around.store.begin() as unit:
        _lock_invitations(unit, player_id)
        opened = lock_events_of(around, unit, (player_id,))
        player = lock_player(unit, player_id)
        part(opened, unit, player_id, now=now)
        for game_id in unit.games_of(player_id, is_over=False):
            game = OpenGame.lock(around, unit, game_id)
            seat = game.stored.find_seat(player_id)
            game.catch_up(now, seat=seat)
            if seat is not None and not game.stored.is_over:
                for held in game.stored.held:
                    if held.seat == seat:
                        game.drop(held)
                # A clock that goes on as if it had never stopped may be over by now.
                game.catch_up(now, seat=seat)
                if not game.stored.is_over:
                    game.append(seat, "resign", at=game.not_before(now))
            game.save(now)
        for game_id in unit.games_of(player_id):
            stored = unit.find_game(game_id)
            seat = None if stored is None else stored.find_seat(player_id)
            if seat is not None:
                unit.remove_notes(game_id, seat)
        _leave_archive(unit, player_id)
        unit.rename_annotator(player_id, BLANKED)
        unit.blank_private_studies(player_id)
        for address in unit.addresses_of(player_id):
            unit.remove_address(address.address)
        for invitation in unit.open_invitations(player_id):
            unit.save_invitation(replace(invitation, closed_at=now, outcome="withdrawn"))
        unit.forget_mail_of(player_id)
        unit.remove_passes(player_id)
        unit.save_player(
            replace(
                player,
                name=BLANKED,
                preferences=Preferences(),
                standing="off",
                leaves=(),
                stopped_since=None,
                first_stop=None,
                deleted_at=now,
            )
        )


def _leave_archive(unit: Unit, player_id: int) -> None:
    """Take a player's name out of the records of archived games; the games stay as they are."""
    for game, text in unit.archived_of(player_id):
        for house, seated in zip(("gold", "black"), game.players, strict=True):
            if seated == player_id:
                blanked = _with_tag(text, house.capitalize(), BLANKED)
                unit.rename_archived(game.number, house, BLANKED, blanked)


def _with_tag(text: str, tag: str, value: str) -> str:
    """A canonical record with another value for a tag, which it has once."""
    lines = text.split("\n")
    place = next(n for n, line in enumerate(lines) if line.startswith(f'[{tag} "'))
    lines[place] = format_tag(tag, value)
    return "\n".join(lines)


def forget_guests(around: Surroundings, *, now: datetime, limit: int = 100) -> int:
    """Forget those who were asked to join or invited, have not answered for a month, and play
    nowhere; how many. Running it twice changes nothing."""
    with around.store.read() as unit:
        waiting = unit.idle_guests(now - GUESTS_STAY, limit)
    for player_id in waiting:
        with around.store.begin() as unit:
            _lock_invitations(unit, player_id)
            lock_events_of(around, unit, (player_id,))
            unit.lock_player(player_id)
            has_answered = any(each.verified_at for each in unit.addresses_of(player_id))
            if not (has_answered or unit.games_of(player_id)):
                delete(around.within(unit), player_id, now=now)
    return len(waiting)


def export(around: Surroundings, player_id: int) -> str:
    """All that is stored about a player, as JSON; of games only what this seat may see."""
    with around.store.read() as unit:
        player = get_player(unit, player_id)
        games = []
        for game_id in unit.games_of(player_id):
            stored = unit.find_game(game_id)
            seat = None if stored is None else stored.find_seat(player_id)
            if stored is None or seat is None:
                continue
            entries = [
                {"number": entry.number, "at": instant_text(entry.at), "text": entry.text}
                for entry in unit.entries(game_id)
                if stored.is_over or entry.seat == seat
            ]
            games.append(
                {
                    "id": game_id,
                    "seat": seat,
                    "options": stored.start.options,
                    "terms": stored.terms,
                    "result": stored.termination,
                    "winner": stored.winner,
                    "held": [held.text for held in stored.held if held.seat == seat],
                    "entries": entries,
                    "messages": [
                        {"at": instant_text(message.at), "text": message.text}
                        for message in unit.messages_of(game_id)
                        if message.seat == seat
                    ],
                    "notes": [
                        {"entry": note.entry, "at": instant_text(note.at), "text": note.text}
                        for note in unit.notes_of(game_id, seat)
                    ],
                }
            )
        content = {
            "player": asdict(player),
            # Whose an address is that was only named, is not known; nor is it told.
            "addresses": [
                {**asdict(address), "health": _health(unit, address.address)}
                for address in unit.addresses_of(player_id)
                if address.verified_at is not None
            ],
            "held_mails": [
                {"arrived": instant_text(mail.arrival.arrived), "reason": mail.reason}
                for mail in unit.held_for(player_id)
            ],
            "games": games,
            "ratings": [
                {"level": level, "month": period_text(rating.period), **asdict(rating.figure)}
                for level, rating in unit.ratings_of(player_id)
            ],
            "remarks": [asdict(each) for each in unit.remarks_by(player_id)],
            "studies": [asdict(each) for each in unit.studies_by(player_id)],
            "events": [
                {"id": stored.id, "title": stored.title, "role": role}
                for stored, role in unit.events_of(player_id)
            ],
            "event_acts": [
                {"event": event_id, **asdict(act)} for event_id, act in unit.acts_by(player_id)
            ],
            "statements": [asdict(each) for each in unit.statements_by(player_id)],
            "posts": [asdict(each) for each in unit.posts_by(player_id)],
            "invitations": [
                _offered(unit, each, player_id) for each in unit.open_invitations(player_id)
            ],
        }
    return json.dumps(content, default=_plain, indent=1, ensure_ascii=False)


def _offered(unit: Unit, invitation: Invitation, player_id: int) -> dict[str, object]:
    """An invitation; whose the address is by which the player has named the guest is not told."""
    named = find_named(unit, invitation) if invitation.host_id == player_id else None
    told = asdict(invitation)
    return told if named is None else {**told, "guest_id": None, "address": named}


def _health(unit: Unit, address: str) -> dict[str, object] | None:
    health = unit.find_health(address)
    return None if health is None else asdict(health)


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date | time | timedelta):
        return str(value)
    raise TypeError(type(value).__name__)

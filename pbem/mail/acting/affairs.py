"""A player's own affairs by mail: settings, addresses, days off, rules for all games, no mail."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pbem.mail.acting.errand import Errand
from pbem.mail.commands import OK_WORDS, Command
from pbem.mail.named_addresses import clean_foreign_address, name_address
from pbem.mail.settings_text import OFF, Wishes, parse_settings
from pbem.play import leave, players
from pbem.play.errors import NotAllowedError
from pbem.play.events.leaving import effects_on_events
from pbem.play.subscribing import resubscribe, unsubscribe
from pbem.schedule.leave import format_leave, parse_leave


def change_affairs(errand: Errand, command: Command) -> None:
    """Carry out a command about the player's own affairs."""
    with errand.attempt(command.text):
        match command.name:
            case "settings":
                _change_settings(errand, parse_settings(command.argument))
            case "leave":
                _leave(errand, command)
            case "rules":
                player = players.set_general_rules(
                    errand.around, errand.player.id, command.argument, now=errand.at
                )
                errand.tell("rules_set", rules=player.standing)
            case "stop" | "start":
                _subscribe(errand, wants_mail=command.name == "start")


# -- settings -----------------------------------------------------------------------------------


def _change_settings(errand: Errand, wishes: Wishes) -> None:
    """All or nothing, like orders."""
    player = errand.player
    if wishes.preferences:
        player = players.set_preferences(
            errand.around,
            player.id,
            replace(player.preferences, **wishes.preferences),  # type: ignore[arg-type]
            now=errand.at,
        )
    if wishes.name is not None:
        player = players.rename(errand.around, player.id, wishes.name)
    for action, address in wishes.addresses:
        _change_address(errand, action, address)
    errand.player = player
    if not all(action == "add" for action, _ in wishes.addresses) or wishes.is_about_player:
        errand.tell("settings", changed=list(wishes.keys))


def _change_address(errand: Errand, action: str, address: str) -> None:
    player_id = errand.player.id
    match action:
        case "add":
            _add_address(errand, address)
        case "drop":
            players.drop_address(errand.around, player_id, address)
        case "prefer":
            _choose(errand, preferred=address)
        case "fallback":
            _choose(errand, fallback=None if address in OFF else address)


def _choose(errand: Errand, **wanted: str | None) -> None:
    mine = errand.unit.addresses_of(errand.player.id)
    now = {
        "preferred": next((each.address for each in mine if each.is_preferred), mine[0].address),
        "fallback": next((each.address for each in mine if each.is_fallback), None),
    }
    chosen = {**now, **wanted}
    preferred, fallback = chosen["preferred"], chosen["fallback"]
    assert preferred is not None
    players.choose_addresses(
        errand.around, errand.player.id, preferred=preferred, fallback=fallback
    )


def _add_address(errand: Errand, address: str) -> None:
    address = clean_foreign_address(errand.office, address)
    is_confirmed = name_address(
        errand.around, errand.office, errand.player.id, address, cause=errand.key, now=errand.now
    )
    errand.tell("address_confirmed" if is_confirmed else "address_added", address=address)


def _subscribe(errand: Errand, *, wants_mail: bool) -> None:
    """No mail but answers, to where the player reads and writes; or mail again."""
    addresses = {errand.address.address}
    if errand.letter is not None:
        addresses.add(errand.letter.address)
    change = resubscribe if wants_mail else unsubscribe
    for address in sorted(addresses):
        change(errand.around, errand.player.id, address, now=errand.at)
        errand.tell("mail_resumed" if wants_mail else "mail_stopped", address=address)


# -- days off -----------------------------------------------------------------------------------


def _leave(errand: Errand, command: Command) -> None:
    if command.is_off:
        _end_leave(errand, command.words[1:])
        return
    words = [word for word in command.words if word not in OK_WORDS]
    if not words:
        errand.tell("unknown_command", text=command.text, nearest=["leave", "resign", "stop"])
        return
    first, last = parse_leave(" ".join(words))
    use_case = leave.take_leave if command.is_confirmed else leave.offer_leave
    offer = use_case(errand.around, errand.player.id, first, last, now=errand.at)
    effects = {
        game_id: [None if end is None else end.at for end in (effect.before, effect.after)]
        for game_id, effect in offer.effects.items()
    }
    tell = partial(errand.tell, first=first, last=last, days_left=offer.days_left, effects=effects)
    if command.is_confirmed:
        tell("leave_taken")
    else:
        away = (offer.leave.begins, offer.leave.ends)
        events = [
            {"event": each.title, "days": each.effect.event_later.days, "waiting": each.waiting}
            for each in effects_on_events(errand.unit, errand.player.id, away, now=errand.at)
        ]
        tell("leave_offered", events=events)
        errand.on_ok.append(f"leave {format_leave(first, last)} ok")


def _end_leave(errand: Errand, words: list[str]) -> None:
    """End the leave that begins on a day, or without one the next that is not over."""
    if words:
        first = parse_leave(words[0])[0]
    else:
        coming = [each for each in errand.player.leaves if each.ends > errand.at]
        if not coming:
            raise NotAllowedError("no_such_leave")
        first = coming[0].first
    errand.player = leave.end_leave(errand.around, errand.player.id, first, now=errand.at)
    errand.tell("leave_ended", first=first)

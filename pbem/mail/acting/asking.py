"""Commands that only tell something: the answer is made from the game when it is written."""

from __future__ import annotations

from pbem.mail.acting.errand import Errand
from pbem.mail.commands import Command
from pbem.play.events.viewing import see_event


def tell_about(errand: Errand, command: Command) -> None:
    """Answer a question to the server."""
    if command.name == "bundle":
        _bundle(errand)
    elif command.name in ("status", "board", "history"):
        _about_game(errand, command)
    elif command.name in ("table", "why"):
        _about_event(errand, command)
    elif command.name == "settings":
        errand.tell("settings", changed=[])
    else:
        errand.tell(command.name)


def what_if(errand: Errand, tried: Command, named: str | None) -> None:
    """Show what orders would do; nothing is changed, and nobody's secrets are read (N2.5)."""
    game_id = _find_game(errand, tried.game_id or named)
    if not tried.argument:
        errand.tell("unknown_command", text=tried.text, nearest=["try"])
    elif game_id is None:
        errand.tell("which_game", text=tried.argument, games=list(errand.running_games()))
    else:
        errand.tell("what_if", game_id, text=tried.argument)


def _about_game(errand: Errand, command: Command) -> None:
    game_id = _find_game(errand, command.game_id)
    if game_id is not None:
        errand.tell(command.name, game_id)
    elif command.name == "status":
        errand.tell("games")
    else:
        errand.tell("which_game", text=command.text, games=list(errand.running_games()))


def _about_event(errand: Errand, command: Command) -> None:
    with errand.attempt(command.text):
        event = see_event(errand.unit, command.event_id, viewer=errand.player.id)
        errand.tell(f"event_{command.name}", event=event.id)


def _find_game(errand: Errand, named: str | None) -> str | None:
    """The game named, the game of the mail, or the only one that runs."""
    found = errand.find_game(named)
    if found is None:
        running = errand.running_games()
        found = running[0] if len(running) == 1 else None
    return found if found is not None and errand.find_seat(found) is not None else None


def _bundle(errand: Errand) -> None:
    """Everything the player is asked for, in one mail and with one token (L6)."""
    asked = (errand.open_request(game_id) for game_id in errand.running_games())
    ids = [request.id for request in asked if request is not None]
    errand.requests += ids
    errand.tell("bundle", requests=ids)

"""What the commands of mails do, and an example of each; their words are ``pbem.mail.commands``."""

from __future__ import annotations

from typing import Final

from pbem.tongue import N_

COMMANDS: Final = {
    "help": (N_("this list, by mail"), ""),
    "status": (N_("how the game stands, the clocks, what is asked"), ""),
    "board": (N_("the board"), ""),
    "history": (N_("the whole game so far"), ""),
    "games": (N_("your games, and which wait for you"), ""),
    "try": (N_("what orders would do; nothing is played"), "try F2>G4; end"),
    "undo": (N_("takes back what is kept for correction"), ""),
    "leave": (
        N_("days on which your clocks stand still; `leave off` ends them"),
        "leave 2026-12-20 2027-01-05",
    ),
    "invite": (
        N_("invites somebody; `invite everybody` challenges all"),
        "invite friend@example.org wind 14d",
    ),
    "accept": (N_("accepts an invitation"), ""),
    "decline": (N_("declines an invitation; the host withdraws it"), ""),
    "rematch": (N_("the same again with Houses swapped"), ""),
    "settings": (
        N_("language, board, time zone, quiet hours, name, addresses"),
        "settings language nl",
    ),
    "notes": (
        N_(
            "whether your private notes join the game in the archive:"
            " `notes never`, `notes after` or `notes both`"
        ),
        "notes after",
    ),
    "bundle": (N_("all that you are asked for, in one mail"), ""),
    "stop": (N_("no more mails but answers to your own"), ""),
    "start": (N_("mails again"), ""),
    "rules": (
        N_("standing rules for all games; `standing:` alone is for one game"),
        "standing all: block F* <=4; ask all",
    ),
}
"""By the name of the command: what it does, and an example if its word alone is none."""

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
    "withdraw": (
        N_(
            "takes back an entry into an event, or your own invitation; out of a "
            "running event when you confirm it"
        ),
        "withdraw e4d6f2k7",
    ),
    "events": (N_("events that can be entered, and your own"), ""),
    "enter": (N_("enters an event"), "enter e4d6f2k7"),
    "here": (N_("says before an event begins that you are there"), "here e4d6f2k7"),
    "table": (N_("how an event stands"), "table e4d6f2k7"),
    "why": (N_("why you play whom you play in an event"), "why e4d6f2k7"),
    "challenge": (N_("challenges somebody in a ladder"), "challenge e4d6f2k7 Ben"),
    "statement": (
        N_("tells the directors of an event about your game; nobody else reads it"),
        "statement k5u2jn56: Ben has not written since May.",
    ),
    "open": (N_("for directors: opens an event for entries"), "open e4d6f2k7"),
    "close": (N_("for directors: ends entering"), "close e4d6f2k7"),
    "begin": (N_("for directors: lets an event begin"), "begin e4d6f2k7"),
    "pause": (N_("for directors: an event stands still"), "pause e4d6f2k7 The server moves."),
    "resume": (N_("for directors: an event goes on"), "resume e4d6f2k7"),
    "extend": (N_("for directors: prolongs the round"), "extend e4d6f2k7 5 days Holidays."),
    "warn": (N_("for directors: warns somebody"), "warn e4d6f2k7 Ben: Please be civil."),
    "disqualify": (
        N_("for directors: puts somebody out"),
        "disqualify e4d6f2k7 Ben: Two accounts.",
    ),
    "substitute": (
        N_("for directors: asks somebody to take over a place"),
        "substitute e4d6f2k7 Ben: Cora",
    ),
    "correct": (
        N_("for directors: corrects the result of a game"),
        "correct e4d6f2k7 k5u2jn56 gold: The flag fell by mistake.",
    ),
    "annul": (
        N_("for directors: a game counts for nothing"),
        "annul e4d6f2k7 k5u2jn56: Played by somebody else.",
    ),
}
"""By the name of the command: what it does, and an example if its word alone is none."""

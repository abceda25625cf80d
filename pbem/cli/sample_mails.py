"""One sample of every mail that the server writes, from games played on a stage.

Two players, Ann (Gold) and Ben (Black), go through everything there is a mail about. The samples
are for looking at (``pbem mails``) and are held against stored ones by the tests. Nothing in them
is random: dice, ids and times are the same every time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from pbem.cli.sample_event_mails import play_events
from pbem.cli.stage import Sample, Stage, at
from pbem.mail.answers import ADDRESS_CONFIRMATION, CONFIRM_MAIL, Section
from pbem.mail.bounces import BOUNCE_NOTICE
from pbem.mail.who import FOREIGN_SENDER
from pbem.play import access, games, invitations, players
from pbem.play.access import SIGN_IN
from pbem.play.log import instant_text
from pbem.play.model import Notice
from pbem.play.notices import HELD_DROPPED
from pbem.play.post import HELD

MIDDLE: Final = (
    "origin master g 7 | 22 9 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@I11 E3@F12 A4@H11 A5@L8 E6@C15 F7@D12 W8@A15"
)
PLAN: Final = "W1 rng G11 [-: A4 six L8@K8; end | +: W1:kite>F8; end]"
SEVERAL: Final = (
    "origin master g 7 | 22 5 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@K9 E3@F12 A4@H11 A5@L8 E6@C15 F7@M9 W8@L9"
)
SHIELDED: Final = (
    "origin master g 7 | 22 11 | 1 0 | K1 - "
    "| W1@F6 F2@I6 E3@F9 A4@J7 A5@L1 E6@M1 F7@I3 W8@O1 "
    "| W1@G11 F2@G13 E3@F12 A4@D14 A5@L8 E6@C15 F7@I11 W8@A15"
)


def play_samples(stage: Stage) -> Iterator[Sample]:
    """All samples, one after the other; each is of another kind or shows another case."""
    yield from _beginnings(stage)
    yield from _defences(stage)
    yield from _turns(stage)
    yield from _answers(stage)
    yield from _remarks(stage)
    yield from _affairs(stage)
    yield from _warnings(stage)
    yield from _digest(stage)
    yield from play_events(stage)


def _beginnings(stage: Stage) -> Iterator[Sample]:
    """Invitations, set-ups, bids."""
    around, ann, ben = stage.around, stage.ann, stage.ben
    wanted: dict[str, object] = {"level": "master", "bid": True, "clock": "14d+12h cap 21d"}
    invitation = invitations.invite(around, ann.id, ben.id, wanted, now=at(0))
    yield Sample("invitation", stage.pick("invitation", 0.1))
    invitations.decline(around, ben.id, invitation.id, now=at(0.2))
    yield Sample("invitation_declined", stage.pick("invitation_declined", 0.3))
    guest = players.join(around, "cleo", "cleo@example.com", now=at(0), preferences=ann.preferences)
    short: dict[str, object] = {"clock": "20d", "correction": "10m"}
    invitations.invite(around, ann.id, guest.id, short, now=at(0.3), host_seat=1)
    yield Sample("invitation_new", stage.pick("invitation", 0.4))
    game_id = stage.start(0.5, **wanted)
    yield Sample("setup_request", stage.pick("setup_request", 0.6, to=ben))
    stage.send(game_id, 1, "setup FWEAAEWF", 1)
    yield Sample("receipt_setup", stage.pick("receipt", 1))
    stage.send(game_id, 0, "setup WFEAAEFW", 2)
    mails = stage.post(2)
    asked = next(mail for mail in mails if mail.letter.request_id)
    yield Sample("bid_request", asked)
    assert asked.letter.seat is not None
    stage.send(game_id, asked.letter.seat, "pass", 3)
    mails = stage.post(3)
    yield Sample("first_turn", next(mail for mail in mails if mail.letter.request_id))
    stage.finish(game_id, 4)


def _defences(stage: Stage) -> Iterator[Sample]:
    """Defence requests: one victim, several, and a die with a shield; and reminders."""
    game_id = stage.start(10, position=MIDDLE, level="master")
    yield Sample("news_begun", stage.pick("news", 10))
    message = "Good luck, Ben!\nThis one will hurt."
    games.write_message(stage.around, game_id, 0, message, now=at(11))
    stage.send(game_id, 0, PLAN, 11)
    mails = {mail.letter.kind: mail for mail in stage.post(11)}
    yield Sample("receipt_plan", mails["receipt"])
    yield Sample("defence_request", mails["defence_request"])
    for name, hours in (("reminder", 60.0), ("reminder_last", 103.0)):
        games.sweep(stage.around, at(hours))
        yield Sample(name, stage.pick("reminder", hours, to=stage.ben))
    stage.send(game_id, 1, "-", 104)
    mails = {mail.letter.kind: mail for mail in stage.post(104)}
    yield Sample("receipt_asked_again", mails["receipt"])
    stage.send(game_id, 1, "+", 105)
    stage.finish(game_id, 106)
    game_id = stage.start(110, position=SEVERAL, level="master")
    stage.send(game_id, 0, "A4 six L8@K8", 111)
    yield Sample("defence_request_several", stage.pick("defence_request", 111))
    stage.finish(game_id, 112)
    game_id = stage.start(
        120, position=SHIELDED, level="master", dice="dicey", clock="30d defence 3d save"
    )
    stage.send(game_id, 0, "W1 rng G11", 121)
    yield Sample("defence_request_dicey", stage.pick("defence_request", 121))
    stage.finish(game_id, 122)


def _turns(stage: Stage) -> Iterator[Sample]:
    """Your turn, rules that answer, messages, a submission that fell out of time, the end."""
    game_id = stage.start(200, position=MIDDLE, level="master")
    stage.send(game_id, 1, "standing: block F* <=4; fall W*; ask all", 201)
    yield Sample("receipt_rules", stage.pick("receipt", 201))
    stage.send(game_id, 0, "W1 rng G11; F2>I7", 202)
    mails = {mail.letter.kind: mail for mail in stage.post(202)}
    yield Sample("receipt_attack", mails["receipt"])
    yield Sample("news", mails["news"])
    stage.send(game_id, 0, "end", 203)
    yield Sample("turn_request", stage.pick("turn_request", 203))
    games.write_message(stage.around, game_id, 0, "That was quick!", now=at(204))
    yield Sample("message", stage.pick("message", 204))
    facts = {"seat": 1, "text": "A4 six L8@K8; end"}
    stage.notice(Notice("sample", stage.ben.id, HELD_DROPPED, at(205), game_id, facts))
    yield Sample("held_dropped", stage.pick(HELD_DROPPED, 205))
    games.write_note(stage.around, game_id, 1, "The Winds are too far out.", now=at(205.5))
    stage.send(game_id, 1, "resign", 206)
    for mail in stage.post(206):
        yield Sample("game_over_won" if mail.letter.seat == 0 else "game_over_lost", mail)


def _answers(stage: Stage) -> Iterator[Sample]:
    """Answers to mails about a game that were not played."""
    game_id = stage.start(300, position=MIDDLE, level="master")
    stage.post(300)
    kept = {"text": "W1 rng G11; end", "until": instant_text(at(330))}
    parts = (
        Section("refusal", {"text": "W1>F8\nF2 rng G11; end"}),
        Section("refusal", {"text": "F2>G44"}),
        Section("what_if", {"text": PLAN}),
        Section("what_if", {"text": "F2 rng G11"}),
        Section("not_asked", {"text": "W1>F8; end"}),
        Section("kept", kept),
        Section("already_kept", kept),
        Section("undone", {"text": "W1 rng G11; end"}),
        Section("nothing_to_undo"),
        Section("doubt", {"reasons": ["orders_below"], "below": ["W1>F8; end"]}),
        Section("choice_gone", {"number": 4}),
        Section("sure_resign"),
        Section("empty"),
        Section("noted", {"text": "watch out for A4"}),
        Section("message_passed", {"text": "Hello there"}),
        Section("message_kept_back", {"text": "Hello there", "why": "refused"}),
        Section("unknown_command", {"text": "bord", "nearest": ["board"]}),
        Section("status"),
        Section("board"),
    )
    for number, part in enumerate(parts):
        yield stage.answered(part, 301 + number, game_id)
    stage.send(game_id, 0, "W1 rng G11", 330)
    stage.post(330)
    stage.send(game_id, 1, "-", 331)
    stage.post(331)
    late = Section("too_late", {"text": "+", "since": 2})
    yield stage.answered(late, 332, game_id, player=stage.ben)
    yield stage.answered(Section("history"), 333, game_id, player=stage.ben)
    yield stage.answered(Section("played", {"game": game_id, "entry": 2}), 334, None)


def _remarks(stage: Stage) -> Iterator[Sample]:
    """Answers to remarks on a game that is over."""
    game_id = stage.start(335, position=MIDDLE, level="master")
    stage.finish(game_id, 336)
    text = "9b. ! {Well found.}\n7g. (F2>O1; end)"
    turns = {"turn": "9b", "first": "7g", "last": "8g"}
    faults = [
        {"code": "no_such_turn", "clause": "N5.4", "facts": turns, "line": 1, "column": 5},
        {"code": "hex_taken", "clause": "R4.2", "facts": {"hex": "O1"}, "line": 2, "column": 6},
    ]
    kept = ["7g.2 !", "7g.2 {Well found.}", "7g.3 (F2>I7; W1 rng G11=+; end)"]
    parts = (
        Section("remarked", {"number": 7, "remarks": kept, "known": ["7g.1 ?!"]}),
        Section("remarks_refused", {"text": text, "faults": faults}),
        Section("remarks_withdrawn", {"number": 7, "places": ["7g.2", "7g.2"]}),
        Section("remarks_unsure", {"text": text}),
        Section("notes_wish", {"wish": "agreed", "has_joined": False}),
    )
    for number, part in enumerate(parts):
        yield stage.answered(part, 337 + number / 10, game_id)


def _affairs(stage: Stage) -> Iterator[Sample]:
    """Answers about the player's own affairs."""
    with stage.around.store.read() as unit:
        running = unit.games_of(stage.ann.id, is_over=False)
        asked = [
            row.id for game_id in running for row in unit.requests_of(game_id) if row.seat == 0
        ]
    leave = {
        "first": "2026-12-20",
        "last": "2027-01-05",
        "days_left": {"2026": 18, "2027": 25},
        "effects": {running[0]: [instant_text(at(800)), instant_text(at(1208))]},
    }
    address = {"address": "ann@example.com"}
    invitation = {"invitation": "k3f9abcd", "address": "cleo@example.com"}
    parts = (
        Section("help"),
        Section("games"),
        Section("settings", {"changed": ["board"]}),
        Section("not_allowed", {"code": "game_over", "facts": {"game": "k3f9abcd"}}),
        Section(
            "faults", {"faults": {"clock": "expected a duration"}, "command": "invite x@y.example"}
        ),
        Section("leave_offered", leave),
        Section("leave_taken", leave),
        Section("leave_ended", {"first": "2026-12-20"}),
        Section("rules_set", {"rules": "block F* <=4; ask all"}),
        Section("invited", invitation),
        Section("accepted", {"game": "k3f9abcd"}),
        Section("declined", invitation),
        Section("joined"),
        Section("address_confirmed", address),
        Section("address_added", address),
        Section("bundle", {"requests": asked[-2:]}),
        Section("which_game", {"text": "board", "games": list(running)}),
        Section(
            "which_invitation", {"invitations": ["k3f9abcd", "abcdefgh"], "command": "decline"}
        ),
        Section("no_invitation", {"command": "withdraw"}),
        Section("write_again", {"commands": ["settings board text"]}),
        Section("ok_gone"),
        Section("mail_stopped", address),
        Section("mail_resumed", address),
        Section("not_confirmed", address),
        Section("left_out", {"count": 3}),
    )
    for number, part in enumerate(parts):
        yield stage.answered(part, 340 + number / 10, None)


def _warnings(stage: Stage) -> Iterator[Sample]:
    """Confirmations, warnings, and a mail that was held."""
    around, ann, now = stage.around, stage.ann, at(400)
    players.add_address(around, ann.id, "ann@example.com", now=now)
    address = {"address": "ann@example.com"}
    stage.notice(Notice("sample/1", ann.id, ADDRESS_CONFIRMATION, now, facts=address))
    yield Sample("address_confirmation", stage.pick(ADDRESS_CONFIRMATION, 400))
    number = {"inbound": stage.mail_in("+", ann, 400)}
    stage.notice(Notice("sample/2", ann.id, CONFIRM_MAIL, now, facts=number))
    yield Sample("confirm_mail", stage.pick(CONFIRM_MAIL, 400))
    stranger = {**number, "sender": "ann@example.net", "reason": "foreign_from"}
    stage.notice(Notice("sample/3", ann.id, FOREIGN_SENDER, now, facts=stranger))
    yield Sample("foreign_sender", stage.pick(FOREIGN_SENDER, 400))
    bounced = {
        "address": "ann@example.org",
        "reason": "hard bounce",
        "stopped_until": instant_text(at(736)),
        "next_address": None,
    }
    stage.notice(Notice("sample/4", ann.id, BOUNCE_NOTICE, now, facts=bounced))
    yield Sample("bounce_notice", stage.pick(BOUNCE_NOTICE, 400))
    stage.mail_in("I am away until Monday.", ann, 401, state=HELD, reason="auto_submitted")
    yield stage.answered(Section("games"), 402, None, name="answer_held")
    access.ask_for_link(around, "ann@example.org", now=at(403))
    yield Sample("sign_in", stage.pick(SIGN_IN, 403))


def _digest(stage: Stage) -> Iterator[Sample]:
    """What a player gets who wants one mail a day."""
    chosen = replace(stage.ben.preferences, delivery="digest")
    players.set_preferences(stage.around, stage.ben.id, chosen, now=at(500))
    first = stage.start(501, position=MIDDLE, level="master")
    second = stage.start(502, position=SEVERAL, level="master")
    stage.send(first, 0, "F2>I7; end", 503)
    stage.send(second, 0, "A4 six L8@K8", 504)
    yield Sample("bundle", stage.pick("bundle", 530, to=stage.ben))

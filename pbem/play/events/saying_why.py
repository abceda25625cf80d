"""Why two meet, who starts, and why two do not meet: the sentences for the codes of ``Why``.

What the codes are about is told where they are made (``pbem.tournaments``). Facts that are places
of the event become the names of who holds them, and points are written as people write them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pbem.tongue import N_, Tongue
from pbem.tournaments.event import Why, show_points

ENTRANTS: Final = ("entrant", "other", "starter", "down", "up", "challenger", "challenged")
"""Facts that are numbers of entrants."""
POINTS: Final = ("points", "other_points")
"""Facts that are points, in halves."""

SENTENCES: Final[Mapping[str, str]] = {
    # A Swiss round: who meets whom
    "first_meeting": N_("{entrant} and {other} meet for the first time in this event."),
    "repeat_unavoidable": N_(
        "{entrant} and {other} have met before, last in round {round}: without meetings of this "
        "kind not everybody could be paired, and no round has fewer of them or older ones."
    ),
    "seeded_halves": N_(
        "In the first round the upper half of the seeding meets the lower half: of {size} "
        "players {entrant} is number {place} and {other} number {other_place}."
    ),
    "same_score": N_("Both have {points}."),
    "halves": N_(
        "Among the {size} players with {points}, in the order of the seeding, the upper half "
        "meets the lower half: {entrant} is number {place} and {other} number {other_place}."
    ),
    "same_half": N_(
        "Among the {size} players with {points} {entrant} is number {place} and {other} number "
        "{other_place}. Upper half against lower half does not work out for all of them; the "
        "round as a whole comes as close to it as what weighs more allows."
    ),
    "floated": N_(
        "{down} has {points} and {up} has {other_points}. Not everybody can meet somebody with "
        "as many points; the differences in the round as a whole are as small as what weighs more "
        "allows: that nobody meets twice, and that starts are in balance."
    ),
    "running_as_draws": N_(
        "Games that still went on counted as draws for this pairing; of {entrant}: {count}."
    ),
    # Who starts
    "both_start": N_("They play two games, and each of them starts one."),
    "bid_decides": N_("Who has the first turn is decided by the bids."),
    "start_balances": N_(
        "Games started so far: {starter} {had} of {games}, {other} {other_had} of {other_games}. "
        "So {starter} starts."
    ),
    "start_alternates": N_(
        "{starter} starts: both have been as far from balance, and {other} has started more "
        "recently."
    ),
    "start_by_lot": N_("{starter} starts: both have started alike so far, and the lot decided."),
    "house_balances": N_(
        "Games as Gold so far: {starter} {had} of {games}, {other} {other_had} of {other_games}. "
        "So {starter} is Gold."
    ),
    "house_alternates": N_(
        "{starter} is Gold: both have been as far from balance, and {other} has been Gold more "
        "recently."
    ),
    "house_by_lot": N_(
        "{starter} is Gold: both have had the same Houses so far, and the lot decided."
    ),
    "starts_unbalanced": N_(
        "With this round {entrant} has been Gold in {had} of {games} games: no round without "
        "more repeated meetings would have kept everybody in balance."
    ),
    "start_foreseen": N_(
        "{starter} starts and not {other}, so that starts can be balanced in later rounds too."
    ),
    "house_foreseen": N_(
        "{starter} is Gold and not {other}, so that Houses can be balanced in later rounds too."
    ),
    "foreseen": N_(
        "Rounds that are still to come: {left}. This one was chosen so that they can be paired "
        "too, with as few as possible who meet again, have a second bye or start too often."
    ),
    # Byes
    "bye_lowest": N_(
        "{players} players cannot all be paired. {entrant} has the bye, standing lowest of those "
        "who had none: place {place} with {points}."
    ),
    "bye_lowest_possible": N_(
        "{players} players cannot all be paired. {entrant} has the bye at place {place} with "
        "{points}: if somebody below without a bye had it, somebody would meet twice or start "
        "too often."
    ),
    "bye_again": N_(
        "{players} players cannot all be paired. {entrant} has a bye once more: otherwise "
        "somebody would meet twice, or everybody has had one."
    ),
    # Round robins
    "all_meet": N_("All {size} of this table meet each other; how often: {times}."),
    "table_round": N_(
        "In the table of rounds {entrant} has by lot the place {place} and {other} the place "
        "{other_place}; these two meet in its round {round}."
    ),
    "table_back": N_(
        "Every second time the rounds are gone through backwards, with Houses swapped: these two "
        "met in its round {round}."
    ),
    "table_start": N_(
        "{starter} starts: by the table nobody has more than one start too many or too few after "
        "any round."
    ),
    "table_house": N_("{entrant} is Gold: by the table both Houses come to everybody alike."),
    # Knock-outs, leagues, ladders, teams
    "knockout_seeds": N_(
        "Of {of} seeds {entrant} is number {seed} and {other} number {other_seed}: the bracket "
        "has the best apart, so that the first two can meet only in the final."
    ),
    "knockout_winners": N_("Both came through round {round} in this part of the bracket."),
    "knockout_decider_bid": N_(
        "Their match in round {round} was level: one game with a bid for the first turn decides "
        "it. If that is drawn too, {entrant} goes on, as the better seed."
    ),
    "knockout_decider": N_(
        "Their match in round {round} was level: this decides it. If it is level too, {entrant} "
        "goes on, as the better seed."
    ),
    "knockout_third": N_("Both lost their semi-finals and play for the third place."),
    "knockout_bye": N_(
        "The bracket has more places than the {of} seeds: {entrant}, seed {seed}, goes on without "
        "a game, as the best seeds do."
    ),
    "knockout_walkover": N_("{other} is out: {entrant} goes on without a game."),
    "knockout_unopposed": N_(
        "Nobody came through on the other side of the bracket: {entrant} goes on without a game."
    ),
    "swapped": N_("Houses are swapped, and with them who starts: {starter} starts."),
    "league_division": N_("Both play in division {division} in season {season}."),
    "league_new": N_("{entrant} is new to the league."),
    "league_came_up": N_("{entrant} came up from division {from}."),
    "league_came_down": N_("{entrant} came down from division {from}."),
    "ladder_challenge": N_("{challenger} challenged {challenged}, who had place {place}."),
    "team_board": N_("{team} meets {other}, and these two play on board {board}."),
    "team_board_empty": N_("{team} meets {other}, and nobody sits opposite on board {board}."),
    "team_start": N_("{starter} starts: from board to board the teams take turns with it."),
    # Why two do not meet
    "they_meet": N_("{entrant} and {other} do meet."),
    "not_paired": N_("{entrant} was not there to be paired."),
    "already_met": N_("{entrant} and {other} have met already, last in round {round}."),
    "other_score": N_("{entrant} has {points} and {other} has {other_points}."),
    "both_started_more": N_(
        "Both have been Gold once too often: one of them would have been it again."
    ),
    "both_started_less": N_(
        "Both have been Black once too often: one of them would have been it again."
    ),
    "meet_in_round": N_("{entrant} and {other} meet in round {round}."),
    "other_table": N_("{entrant} and {other} play in different tables."),
    "knockout_out": N_("{entrant} went out in round {round}."),
    "knockout_apart": N_(
        "In this bracket {entrant} and {other} can meet in round {round}, and not before."
    ),
    "no_challenge": N_("Neither of {entrant} and {other} has challenged the other."),
    "challenge_open": N_("{challenger} has challenged {challenged}, who has not answered yet."),
    "challenge_accepted": N_(
        "{challenger} has challenged {challenged}, who accepted: their encounter is about to be"
        " paired."
    ),
    "challenge_declined": N_(
        "{challenger} challenged {challenged}, who declined without a reason and so lost the place."
    ),
    "challenge_excused": N_("{challenger} challenged {challenged}, who declined for a reason."),
    "challenge_lapsed": N_(
        "{challenger} challenged {challenged}, who did not answer in time and so lost the place."
    ),
    "challenge_withdrawn": N_("{challenger} challenged {challenged}, but one of them left."),
    "team_same": N_("{entrant} and {other} are both of {team}."),
    "team_other_board": N_(
        "{entrant} has board {board} and {other} board {other_board}: each meets who has the "
        "same board."
    ),
    "team_round": N_("The teams of {entrant} and {other} meet in round {round}."),
    "worse_repeats": N_(
        "If they met, more players of this round would have to meet somebody again."
    ),
    "worse_repeat_age": N_("If they met, this round would repeat meetings that are more recent."),
    "worse_second_byes": N_("If they met, somebody would have another bye."),
    "worse_starts": N_("If they met, somebody would start too often or too seldom."),
    "worse_bye_place": N_("If they met, the bye would go to somebody who stands higher."),
    "worse_score": N_(
        "If they met, the points of those who meet would differ more in this round as a whole."
    ),
    "worse_floats_again": N_(
        "If they met, somebody would meet a player with more, or fewer, points for the second "
        "time in a row."
    ),
    "worse_alternation": N_(
        "If they met, more players of this round would have the same House as in their last game."
    ),
    "worse_halves": N_(
        "If they met, this round as a whole would be further from upper half against lower half."
    ),
    "worse_foreseen": N_(
        "If they met, this round might be as good, but then later rounds could not all be paired "
        "without somebody meeting again, having a second bye or starting too often."
    ),
    "worse_by_lot": N_("A round in which they meet would have been as good: the lot decided."),
    "worse_as_weighed": N_(
        "Not every pair was weighed for this round: it was made by hand, or the field is so large "
        "that distant pairs were left out."
    ),
}
"""What each code says."""


def say_why(why: Why, names: Mapping[int, str], *, tongue: Tongue) -> str:
    """One reason as a sentence; ``names`` has who holds the places of the event."""
    facts = {name: _shown(name, value, names, tongue) for name, value in why.facts.items()}
    return tongue.say(SENTENCES[why.code], **facts)


def say_points(halves: int, *, tongue: Tongue) -> str:
    """Points with their word: ``½ point``, ``1 point``, ``2½ points``."""
    shown = show_points(halves)
    if 0 < halves <= 2:
        return tongue.say(N_("{points} point"), points=shown)
    return tongue.say(N_("{points} points"), points=shown)


def _shown(name: str, value: int | str, names: Mapping[int, str], tongue: Tongue) -> int | str:
    if isinstance(value, int) and name in ENTRANTS:
        return names[value]
    if isinstance(value, int) and name in POINTS:
        return say_points(value, tongue=tongue)
    return value

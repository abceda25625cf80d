"""What a player reads when something was not done to an event: by code, like ``refusals``, which
has this table too.

Codes are those of ``pbem.tournaments.acts`` and of the use cases in ``pbem.play.events``.
"""

from __future__ import annotations

from typing import Final

from pbem.tongue import N_

EVENTS_NOT_ALLOWED: Final = {
    "no_such_event": N_("There is no event {event}."),
    "acted_often": N_("That was done {most} times within a day. Please go on tomorrow."),
    "announced_often": N_("You have announced {most} events today. Please go on tomorrow."),
    "bad_extension": N_("A round is prolonged by 1 to {most} days."),
    "board_taken": N_("Board {board} of that team is taken."),
    "challenge_answered": N_("That challenge has been answered."),
    "challenge_busy": N_("One of you is in a challenge already."),
    "challenge_not_above": N_("Only players above you can be challenged."),
    "challenge_too_far": N_(
        "That is {places} places above you, and {reach} is as far as a challenge goes."
    ),
    "challenge_too_soon": N_(
        "You two have met not long ago; you can challenge them again from {until} on."
    ),
    "charter_fixed": N_("The event has begun, so this cannot change any more: {names}."),
    "director_already": N_("That player directs this event already."),
    "done_already": N_("That has been done already."),
    "entered_already": N_("That player takes part in this event already."),
    "entrant_out": N_("That entrant takes no part in the event any more."),
    "entries_closed": N_("Entering this event is over."),
    "event_cancelled": N_("This event was cancelled."),
    "event_draft": N_("This event has not been announced yet."),
    "event_full": N_("All {most} places of this event are taken."),
    "event_open": N_("This event has not begun yet."),
    "event_over": N_("This event is over."),
    "event_paused": N_("This event stands still just now."),
    "event_running": N_("This event has begun already."),
    "has_result": N_("That game has a result already."),
    "last_director": N_("An event needs a director: name another one first."),
    "log_broken": N_("The log of this event is not whole; the operator has to look at it."),
    "needs_reason": N_("Say why: it stands in the public log."),
    "needs_team": N_("Say for which team you play, in 1 to {most} characters."),
    "no_check_in_yet": N_("Nobody has been asked to check in yet."),
    "no_ladder": N_("Only ladders have challenges."),
    "no_result_yet": N_("That game has no result yet."),
    "no_such_act": N_("Nothing of the kind can be done to an event."),
    "no_such_challenge": N_("There is no such challenge."),
    "no_such_director": N_("That player does not direct this event."),
    "no_such_encounter": N_("There is no such game in this event."),
    "no_such_entrant": N_("There is no such entrant."),
    "no_such_name": N_("Nobody in this event is called {name}."),
    "no_event_game": N_("That game belongs to no event."),
    "no_such_result": N_("A game is won, lost or drawn."),
    "not_asked": N_("You have not been asked to take over a place here."),
    "not_director": N_("Only directors of the event can do that."),
    "not_in_event": N_("You do not take part in this event."),
    "not_on_ladder": N_("That entrant does not stand on the ladder."),
    "not_waiting": N_("That entrant does not wait for a place."),
    "not_your_challenge": N_("That challenge is for another player."),
    "own_game_to_rule": N_("You play in that game: another director has to rule on it."),
    "paired_already": N_("That round has been paired already."),
    "rating_band": N_("This event is for ratings from {low} to {high}; yours is {rating}."),
    "same_event": N_("These two have taken part in the same event, so they cannot become one."),
    "sat_opposite": N_("That player has had the other side of a game that goes on."),
    "several_named": N_(
        "Several players are called {name}. Write the number of the one you mean instead; it is in"
        " the address of their page."
    ),
    "too_few_entrants": N_("{found} are there, and it takes {least} to begin."),
    "too_many_directors": N_("An event has at most {most} directors."),
    "which_result": N_("Behind the id of the game, write `gold`, `black` or `draw`."),
    "was_disqualified": N_("That player was disqualified from this event."),
}
"""By the code of an ActRefused or a PlayError."""

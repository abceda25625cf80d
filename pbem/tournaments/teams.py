"""Team matches: teams meet on boards, two teams or more of them in a round robin.

The order of a team's boards is fixed when the event begins: who has a board up to ``boards`` plays
it throughout, the others are reserves in their order. If somebody leaves, the first reserve takes
that board from the next round on and keeps it; nobody else changes boards. A board without a player
is won by the other team as a bye is. In a match the teams start on every other board, so that each
has as many starts or one more or less; the table swaps it from match to match, so that this holds
for every board too. A match is won with more points on its boards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pbem.tournaments import circle
from pbem.tournaments.charter import Charter
from pbem.tournaments.event import DRAW, WIN, Encounter, Entrant, Event, Why
from pbem.tournaments.rounds import Coming, finishing, running, turning
from pbem.tournaments.starts import games_of
from pbem.tournaments.steps import PairRound


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """What two teams have of each other. Points of boards are in halves, as those of the match: a
    match that is won is 2, one that is drawn 1, also while it goes on."""

    round: int
    teams: tuple[str, str]
    encounters: tuple[int, ...]
    board_points: tuple[int, int]
    is_over: bool

    @property
    def points(self) -> tuple[int, int]:
        """What the match brings each team."""
        mine, theirs = self.board_points
        if mine == theirs:
            return DRAW, DRAW
        return (WIN, 0) if mine > theirs else (0, WIN)


def begun(event: Event) -> Event:
    """The event with its teams in the order of their first entries, and boards numbered from 1.

    Boards go by those that were entered, then by the order of entering.
    """
    names = tuple(dict.fromkeys(each.team for each in event.entrants if each.is_in))
    boards: dict[int, int] = {}
    for name in names:
        members = [each for each in event.entrants if each.is_in and each.team == name]
        members.sort(key=lambda each: (not each.board, each.board, each.number))
        boards |= {each.number: board for board, each in enumerate(members, 1)}
    entrants = tuple(replace(each, board=boards.get(each.number, 0)) for each in event.entrants)
    return replace(event, teams=names, entrants=entrants)


def line_up(event: Event, team: str) -> tuple[int | None, ...]:
    """Who plays on each board of a team now; None where nobody is left for it."""
    boards = event.charter.boards
    members = sorted(
        (each for each in event.entrants if each.team == team and each.is_in and each.board),
        key=lambda each: each.board,
    )
    found: list[int | None] = [None] * boards
    for each in members:
        place = _place(event, each)
        if place:
            found[place - 1] = each.number
    reserves = (each.number for each in members if not _place(event, each))
    for place in range(boards):
        if found[place] is None:
            found[place] = next(reserves, None)
    return tuple(found)


def rounds_of(event: Event) -> int:
    """How many rounds of matches there are."""
    return len(circle.table(len(event.teams), cycles=event.charter.cycles))


def pair(event: Event, *, seed: bytes) -> tuple[Encounter, ...]:
    """The boards of the next round of matches, or of all of them if all games begin together.

    Nothing is drawn by lot.
    """
    numbers = range(event.round + 1, rounds_of(event) + 1)
    if event.charter.pace == "rounds":
        numbers = numbers[:1]
    table = circle.table(len(event.teams), cycles=event.charter.cycles)
    line_ups = {team: line_up(event, team) for team in event.teams}
    made: list[Encounter] = []
    for number in numbers:
        for one, other in table[number - 1]:
            sides = event.teams[one], event.teams[other]
            boards = zip(line_ups[sides[0]], line_ups[sides[1]], strict=True)
            for board, players in enumerate(boards, 1):
                found = _board(event.charter, number, board, sides, players)
                if found is not None:
                    made.append(replace(found, number=len(event.encounters) + len(made) + 1))
    return tuple(made)


def matches(event: Event) -> tuple[TeamMatch, ...]:
    """The matches that have been paired, in order."""
    table = circle.table(len(event.teams), cycles=event.charter.cycles)
    found = []
    for number, pairs in enumerate(table, 1):
        by_team: dict[str, list[Encounter]] = {team: [] for team in event.teams}
        for each in event.of_round(number):
            by_team[event.entrant(each.home).team].append(each)
        for one, other in pairs:
            sides = event.teams[one], event.teams[other]
            boards = by_team[sides[0]] + by_team[sides[1]]
            if boards:
                boards.sort(key=lambda each: each.board)
                found.append(_match(event, number, sides, boards))
    return tuple(found)


def coming(event: Event) -> Coming:
    """What is to come of a team match: its rounds, as long as two teams have players, its end."""
    playing = {each.team for each in event.entrants if each.is_in}
    if event.round < rounds_of(event) and len(playing) > 1:
        if event.round == 0:
            yield None, PairRound(1)
        else:
            yield from turning(event, PairRound(event.round + 1, running(event)))
    else:
        yield from finishing(event)


def _place(event: Event, each: Entrant) -> int:
    """The board that somebody has: their own, or the one they took over; 0 for a free reserve."""
    if each.board <= event.charter.boards:
        return each.board
    return next((encounter.board for encounter in event.of_entrant(each.number)), 0)


def _board(
    charter: Charter,
    number: int,
    board: int,
    sides: tuple[str, str],
    players: tuple[int | None, int | None],
) -> Encounter | None:
    """What is played on a board; on every other one the team that is named second starts."""
    facts: dict[str, int | str] = {"team": sides[0], "other": sides[1], "board": board}
    starting, answering = players if board % 2 else players[::-1]
    if starting is None or answering is None:
        here = starting if answering is None else answering
        if here is None:
            return None
        empty = Why("team_board_empty", facts)
        return Encounter(0, number, here, None, board=board, why=(empty,))
    games = games_of(starting, answering, charter.meeting)
    why = tuple(_why(charter, facts, starting, answering))
    return Encounter(0, number, starting, answering, games, board=board, why=why)


def _why(
    charter: Charter, facts: dict[str, int | str], starting: int, answering: int
) -> Iterator[Why]:
    both: dict[str, int | str] = {"entrant": starting, "other": answering}
    yield Why("team_board", facts)
    if charter.meeting == "pair":
        yield Why("both_start", both)
    elif charter.meeting == "bid":
        yield Why("bid_decides")
    else:
        yield Why("team_start", {"starter": starting, "other": answering})


def _match(event: Event, number: int, sides: tuple[str, str], boards: list[Encounter]) -> TeamMatch:
    points = dict.fromkeys(sides, 0)
    for each in boards:
        for entrant in each.entrants:
            brought = event.bye_points() if each.is_bye else each.points_of(entrant)
            points[event.entrant(entrant).team] += brought
    numbers = tuple(each.number for each in boards)
    board_points = points[sides[0]], points[sides[1]]
    return TeamMatch(number, sides, numbers, board_points, all(each.is_over for each in boards))

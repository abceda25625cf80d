"""The pages of players: all of them on some page, and of their games no more than may be seen."""

from __future__ import annotations

import re

from pbem.play import games, players
from pbem.play.model import Player
from pbem.web.people import PAGE
from tests.play.club import NOON
from tests.web.club_site import Browser, ClubSite
from tests.web.town import BLACK, GOLD, Town


def rows(browser: Browser, player: Player) -> dict[str, int]:
    """The games on a player's page in their order, with the number of turns."""
    page = browser.get(f"/players/{player.id}").text
    found = re.findall(r'href="/games/(\w+)".*?<td class="number">(\w+)</td></tr>', page, re.DOTALL)
    return {game: int(turns) for game, turns in found}


def test_players_of_one_name_are_all_on_some_page(club_site: ClubSite) -> None:
    made = [
        players.join(club_site.around, "Ann", f"ann{n}@example.org", now=NOON, verified=True).id
        for n in range(PAGE + 2)
    ]
    visitor = club_site.visitor()
    first = visitor.get("/players").text
    (more,) = re.findall(r'class="button" href="(/players\?[^"]+)"', first)
    second = visitor.get(more.replace("&amp;", "&")).text
    seen = [int(number) for number in re.findall(r'href="/players/(\d+)"', first + second)]
    assert seen == made
    assert 'class="button" href="/players?' not in second


def test_turns_of_a_game_that_is_seen_late(club_site: ClubSite, town: Town) -> None:
    def send(seat: int, text: str) -> None:
        done = games.submit(club_site.around, town.delayed, seat, text, arrived=club_site.now)
        assert isinstance(done, games.Taken), done

    watchers = (club_site.visitor(), club_site.browser(town.cleo))
    its_players = [club_site.browser(player) for player in (town.ann, town.ben)]
    send(BLACK, "G11-")  # and Ann's plan ends her turn
    for turns, (seat, orders) in enumerate(
        ((BLACK, "end"), (GOLD, "end"), (BLACK, "end"), (GOLD, "end")), 1
    ):
        for player in (town.ann, town.ben):
            for browser in watchers:
                assert rows(browser, player)[town.delayed] == max(0, turns - 3)
            for browser in its_players:
                assert rows(browser, player)[town.delayed] == turns
        send(seat, orders)
    send(GOLD if turns % 2 else BLACK, "resign")
    assert [rows(browser, town.ann)[town.delayed] for browser in watchers] == [5, 5]


def test_the_order_of_games_does_not_tell_whose_turn_it_is(club_site: ClubSite, town: Town) -> None:
    visitor = club_site.visitor()
    for player in (town.ann, town.ben):
        shown = list(rows(visitor, player))
        assert shown == [*sorted(shown[:-1]), town.over]
        assert town.private not in shown
        assert town.delayed in shown

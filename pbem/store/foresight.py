"""What the writing of several mails is going to ask, looked up for all of them at once.

Every mail asks for its reader, its game, and what was told before: a dozen small questions, each a
statement of its own. Here each question is asked once for all mails that are written together; the
answers are remembered in the unit (``transaction.remembered``), so that whoever asks need not know
of it. What is not foreseen is looked up when it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.play.post import Outgoing
from pbem.store.games import GameQueries
from pbem.store.inbound import InboundQueries
from pbem.store.letters import LetterQueries
from pbem.store.logs import LogQueries
from pbem.store.messages import MessageQueries
from pbem.store.notices import NoticeQueries
from pbem.store.players import PlayerQueries
from pbem.store.post_limits import PostLimitQueries
from pbem.store.requests import RequestQueries


class MailForesight(
    PlayerQueries,
    GameQueries,
    LogQueries,
    RequestQueries,
    NoticeQueries,
    MessageQueries,
    InboundQueries,
    LetterQueries,
    PostLimitQueries,
):
    """What a unit can know before it is asked."""

    def foresee_mails(self, mails: Sequence[Outgoing]) -> None:
        """Look up at once what the writing of these mails is going to ask."""
        if len(mails) < 2:  # for which it would only be a longer way
            return
        notices = [mail.notice for mail in mails]
        players = dict.fromkeys(notice.player_id for notice in notices)
        pairs = [
            (notice.player_id, notice.game_id) for notice in notices if notice.game_id is not None
        ]
        games = dict.fromkeys(game_id for _, game_id in pairs)
        self._foresee(
            self._foresee_games(games),
            self._foresee_requests(games),
            self._foresee_messages(games),
            self._foresee_addresses(players),
            self._foresee_health(players),
            self._foresee_held(players),
            self._foresee_letters([mail.message_id for mail in mails]),
            self._foresee_facts(pairs),
            self._foresee_told([mail.id for mail in mails]),
            self._foresee_tails([mail.id for mail in mails]),
        )
        seated = (self.find_game(game_id) for game_id in games)
        for game in seated:
            players |= dict.fromkeys(() if game is None else game.players)
        self._foresee(self._foresee_players(players))

"""What the writing and reading of mails is going to ask, looked up at once.

Every mail of ours asks for its reader, its game, and what was told before: a dozen small questions,
each a statement of its own. Here each question is asked once for all mails that are written
together; and of a mail that came in, all questions in one round trip. The answers are remembered
in the unit (``transaction.remembered``), so that whoever asks need not know of it. What is not
foreseen is looked up when it is asked.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.play.post import Letter, Outgoing
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

    def foresee_identity(self, letter: Letter) -> None:
        """Look up at once who may answer a letter, and what may come back in the answer."""
        player = [letter.player_id]
        self._foresee(
            self._foresee_players(player),
            self._foresee_addresses(player),
            self._foresee_ends(letter.player_id),
            self._foresee_letters_to(letter.player_id, letter.game_id),
        )

    def foresee_acting(self, player_id: int, game_id: str | None) -> None:
        """Look up at once what is asked before anything is done that a mail says."""
        player = [player_id]
        self._foresee(
            self._foresee_players(player),
            self._foresee_addresses(player),
            self._foresee_health(player),
            self._foresee_games([] if game_id is None else [game_id]),
        )

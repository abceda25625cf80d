"""What the writing and reading of mails is going to ask, looked up at once.

Every mail of ours asks for its reader, its game, and what was told before: a dozen small questions,
each a statement of its own. Here each question is asked once for all mails that are written
together; and of a mail that came in, all questions in one round trip. The answers are remembered
in the unit (``transaction.remembered``), so that whoever asks need not know of it. What is not
foreseen is looked up when it is asked. What the post does in one round trip is here, too: taking a
mail, and locking it together with the first questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.play.model import Notice
from pbem.play.ports import Foreseen
from pbem.play.post import Arrival, Inbound, Letter, Outgoing, mail_key, mail_number
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
            self._foresee_tails(notices),
        )
        seated = (self.find_game(game_id) for game_id in games)
        for game in seated:
            players |= dict.fromkeys(() if game is None else game.players)
        self._foresee(self._foresee_players(players), self._foresee_inbound(self._orders(notices)))

    def _orders(self, notices: Sequence[Notice]) -> list[int]:
        """The mails that became the entries that notices tell of, where their readers wrote
        them."""
        found = []
        for notice in notices:
            number, seat = notice.facts.get("entry"), notice.facts.get("seat")
            if notice.game_id is not None and isinstance(number, int):
                for entry in self._foreseen(notice.game_id):
                    if entry.number == number and entry.seat == seat:
                        found.append(mail_number(entry.key))
        return [each for each in found if each is not None]

    def foresee_answers(self, token_hashes: Sequence[str]) -> Foreseen:
        """Look up at once what the reading of answers to letters is going to ask, before anything
        is done; for other units to ``recall``."""
        letters = self._letters_of(token_hashes)
        players = dict.fromkeys(letter.player_id for letter in letters)
        about = dict.fromkeys((letter.player_id, letter.game_id) for letter in letters)
        self._foresee(
            self._foresee_players(players),
            self._foresee_addresses(players),
            # One by one: where some have very many games, no plan is good for everybody.
            *(self._foresee_ends(player_id) for player_id in players),
            *(self._foresee_prints_to(*each) for each in about),
        )
        return dict(self._seen)

    def recall(self, foreseen: Foreseen) -> None:
        """Answer what is asked as it was when another unit looked it up, until something is
        written or locked."""
        self._seen.update(foreseen)

    def foresee_identity(self, letter: Letter) -> None:
        """Look up at once who may answer a letter, and what may come back in the answer."""
        if self._is_foretold(PlayerQueries.find_player, letter.player_id):
            return
        player = [letter.player_id]
        self._foresee(
            self._foresee_players(player),
            self._foresee_addresses(player),
            self._foresee_ends(letter.player_id),
            self._foresee_prints_to(letter.player_id, letter.game_id),
        )

    def take_mail(
        self, arrivals: Sequence[Arrival], bucket: str, at: datetime, window: timedelta
    ) -> tuple[list[int], int]:
        """``add_inbound`` for each arrival, and ``count_event``, in one round trip."""
        adding = [self._adding(arrival) for arrival in arrivals]
        *added, [counted] = self._fetch(*adding, self._counting(bucket, at, window))
        return [row[0] for [row] in added], counted[0]

    def lock_to_act(
        self, claimed: Inbound, player_id: int, game_id: str | None, *, locks_game: bool
    ) -> Inbound | None:
        """Lock a mail, and look up at once what is asked before anything is done that it says; with
        ``locks_game`` its game is locked, too."""
        player = [player_id]
        locked: list[Inbound] = []
        game = (
            self._foresee_lock_of_game(game_id, mail_key(claimed.id))
            if locks_game and game_id is not None
            else self._foresee_games([] if game_id is None else [game_id])
        )
        self._foresee(
            self._foresee_lock(claimed, locked),
            game,  # what stands behind a lock is as it is when the lock is had
            self._foresee_players(player),
            self._foresee_addresses(player),
            self._foresee_health(player),
        )
        return locked[0] if locked else None

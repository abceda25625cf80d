"""Orders, choices, messages and notes of a mail, one game at a time, all or nothing (N1.7, L4.5).

Orders are played only for what was asked in the letter that the mail answers (L3.1, L3.5). Words
that are no answer to a request (``standing:``, ``draw?``, ``resign``) work with any token of the
seat. A message goes along with its orders: when they are refused it stays behind, so that the mail
sent again does not bring it twice.
"""

from __future__ import annotations

from typing import Final

from notation.orders import DrawAnswer, DrawOffer, Order, Resign, Standing
from pbem.errors import PbemError
from pbem.games.base import Refused
from pbem.mail.acting.errand import Errand
from pbem.mail.classify import find_orders
from pbem.mail.redact import clean_message
from pbem.mail.what import Part
from pbem.play import games
from pbem.play.errors import NotAllowedError
from pbem.play.model import split_request_id
from pbem.play.post import Letter, LetterFacts

_FREE: Final = (Standing, DrawOffer, Resign)


class _NotPlayedError(PbemError):
    """Undoes the message that would have gone along."""


def answer_part(errand: Errand, part: Part) -> None:
    """Do what a part of a mail says to its game."""
    orders, choice = part.orders, part.choice
    if not (orders or choice is not None or part.message or part.notes or part.may_resign):
        return
    game_id = errand.find_game(part.game_id)
    seat = None if game_id is None or not errand.is_sure else errand.find_seat(game_id)
    if game_id is None or seat is None:
        _without_game(errand, part)
        return
    _PartOfGame(errand, part, game_id, seat).answer()


def _without_game(errand: Errand, part: Part) -> None:
    """There is no game that it could be for, or several."""
    written = part.orders or ("" if part.choice is None else str(part.choice))
    if written and errand.bundled:
        errand.tell("which_game", text=written, games=_bundled_games(errand))
    elif written:
        errand.tell("not_asked", text=written)
    for text in filter(None, (part.message, "\n".join(part.notes))):
        errand.tell("message_kept_back", text=clean_message(text), why="no_game")


def _bundled_games(errand: Errand) -> list[str]:
    return [split_request_id(request)[0] for request in errand.bundled]


class _PartOfGame:
    """What one mail says to one game."""

    def __init__(self, errand: Errand, part: Part, game_id: str, seat: int) -> None:
        self.errand = errand
        self.part = part
        self.game_id = game_id
        self.seat = seat
        self.message = clean_message(part.message)
        self.is_message_done = False
        self.has_written_enough = False

    def answer(self) -> None:
        part = self.part
        if part.orders and part.choice is not None:
            self._ask_again("two_sets", *part.orders.split("\n")[:20])
        elif part.orders:
            self._play(part.orders, self._find_request())
        elif part.choice is not None:
            self._play_choice(part.choice)
        elif part.stray_sign:
            self._ask_again("sign_below", part.stray_sign)
        elif part.sign_and_words and self._is_defending():
            self._ask_again("sign_and_words", part.sign_and_words)
        elif self.message:
            self._pass_message()
        self._note()
        if part.may_resign and self.errand.is_over(self.game_id):
            if not self.message:
                self._tell_over()
        elif part.may_resign:
            self._tell("sure_resign")
            self.errand.on_ok.append(
                "resign" if self.game_id == self.errand.game_id else f"{self.game_id}: resign"
            )

    def _tell(self, name: str, **facts: object) -> None:
        self.errand.tell(name, self.game_id, **facts)

    def _tell_over(self) -> None:
        self._tell("not_allowed", code="game_over", facts={"game": self.game_id})

    def _ask_again(self, reason: str, *lines: str) -> None:
        """Nothing is done: it is not sure what these lines mean."""
        self._tell("doubt", reasons=[reason], below=list(lines))
        self.errand.owe_answer(self.game_id)
        self._keep_message("refused")

    def _is_defending(self) -> bool:
        asked = self.errand.open_request(self.game_id)
        return asked is not None and asked.kind == "defence"

    # -- which request --------------------------------------------------------------------------

    def _find_request(self) -> str | None:
        """What was asked in the letter about this game; None if nothing."""
        letter = self.errand.letter
        assert letter is not None, "without a token nothing is played"
        for request_id in self.errand.bundled:
            if split_request_id(request_id)[0] == self.game_id:
                return request_id
        if letter.game_id != self.game_id or letter.request_id is not None:
            return letter.request_id if letter.game_id == self.game_id else None
        # Nothing was asked anew, but the question was open when the letter was written, and is.
        asked = self.errand.open_request(self.game_id)
        written_at = letter.facts.get("entry")
        if asked is None or not isinstance(written_at, int) or asked.opened_by > written_at:
            return None
        return asked.id

    def _is_news_answered(self) -> bool:
        """Whether nobody else has done anything since the letter was written: then what it told
        of, as a draw offer, is what an answer without a request is about."""
        letter = self.errand.letter
        written_at = None if letter is None else letter.facts.get("entry")
        if letter is None or letter.game_id != self.game_id or not isinstance(written_at, int):
            return False
        since = self.errand.unit.entries(self.game_id, since=written_at + 1)
        return all(entry.seat in (None, self.seat) for entry in since)

    # -- playing --------------------------------------------------------------------------------

    def _play(self, text: str, request_id: str | None) -> None:
        orders = _orders_in(text)
        if orders and all(isinstance(order, _FREE) for order in orders):
            if self.errand.is_over(self.game_id):
                self._tell_over()
                self._keep_message("refused")
                return
            request_id = None
        elif request_id is None:
            is_answer = bool(orders) and all(isinstance(order, DrawAnswer) for order in orders)
            if not (is_answer and self._is_news_answered()):
                self._tell("not_asked", text=text)
                self._keep_message("refused")
                return
        with self.errand.attempt(text):
            self._tell_result(text, self._submit(text, request_id), request_id)

    def _submit(self, text: str, request_id: str | None) -> games.Submitted:
        """Play orders, the message before them: it may stop a plan (N2.3)."""
        if self.message:
            try:
                with self.errand.unit.nested():
                    try:
                        self._write_message()
                    except NotAllowedError:  # enough words for today; the orders are still played
                        self.has_written_enough = True
                        raise _NotPlayedError from None
                    done = self._submit_orders(text, request_id)
                    if not isinstance(done, games.Taken):
                        raise _NotPlayedError
                    self.is_message_done = True
                    return done
            except _NotPlayedError:
                pass
        return self._submit_orders(text, request_id)

    def _submit_orders(self, text: str, request_id: str | None) -> games.Submitted:
        errand = self.errand
        return games.submit(
            errand.around,
            self.game_id,
            self.seat,
            text,
            arrived=errand.at,
            key=errand.key,
            request_id=request_id,
        )

    def _tell_result(self, text: str, done: games.Submitted, request_id: str | None) -> None:
        games.count_refusal(done)
        if isinstance(done, games.Taken | games.Repeated):
            self.errand.played.append((self.game_id, done.entry.number))
            self.errand.told += done.told if isinstance(done, games.Taken) else ()
        elif isinstance(done, games.Kept):
            name = "kept" if done.is_new else "already_kept"
            self._tell(name, text=done.held.text, until=done.held.until)
        elif isinstance(done, games.TooLate):
            self._tell("too_late", text=text, since=done.since[0].number if done.since else None)
        else:
            first = done.refused.faults[0]
            self._tell("refusal", text=text, code=first.code, clause=first.clause)
            self._keep_refusal(text, done.refused, request_id, done.game.entries)
            self.errand.owe_answer(self.game_id)
        if self.is_message_done:
            self._tell("message_passed", text=self.message)
        elif self.has_written_enough:
            self._keep_message("often")
        else:
            self._keep_message("held" if isinstance(done, games.Kept) else "refused")

    def _keep_refusal(
        self, text: str, refused: Refused, request_id: str | None, entries: int
    ) -> None:
        self.errand.refusals[self.game_id] = {
            "request": request_id,
            "submission": text,
            "suggestions": [each.submission for each in refused.suggestions],
            "entry": entries - 1,
        }

    # -- numbers that answer a refusal ------------------------------------------------------------

    def _play_choice(self, number: int) -> None:
        refusal = self._find_refusal()
        suggestions = [] if refusal is None else refusal["suggestions"]
        assert isinstance(suggestions, list)
        if refusal is None or number > len(suggestions):
            self._tell("choice_gone", number=number)
            self._keep_message("refused")
            return
        request_id = refusal["request"]
        self._play(str(suggestions[number - 1]), None if request_id is None else str(request_id))

    def _find_refusal(self) -> dict[str, object] | None:
        """The refusal that the letter told of, if nothing was played since (N1.7).

        An answer to another letter with the same question counts too, where only one refusal is
        open: programs that show a thread let one answer any mail of it.
        """
        letter = self.errand.letter
        assert letter is not None, "without a token nothing is played"
        found = self._refusal_in(letter)
        if found is not None or "inbound" in letter.facts:
            return found
        request_id = self._find_request()
        known = {
            str(each.facts["inbound"]): refusal
            for each in self.errand.unit.letter_facts(self.errand.player.id, self.game_id)
            if (refusal := self._refusal_in(each)) is not None and refusal["request"] == request_id
        }
        return next(iter(known.values())) if len(known) == 1 else None

    def _refusal_in(self, letter: Letter | LetterFacts) -> dict[str, object] | None:
        """The refusal that a letter told of, if it is open."""
        errand = self.errand
        number = letter.facts.get("inbound")
        refused = errand.unit.find_inbound(number) if isinstance(number, int) else None
        if refused is None or refused.player_id != errand.player.id:
            return None
        found = refused.outcome.get("refusals")
        refusal = found.get(self.game_id) if isinstance(found, dict) else None
        if not isinstance(refusal, dict):
            return None
        since = errand.unit.entries(self.game_id, since=int(refusal["entry"]) + 1)
        return None if any(entry.seat == self.seat for entry in since) else refusal

    # -- words ------------------------------------------------------------------------------------

    def _pass_message(self) -> None:
        with self.errand.attempt(self.message):
            self._write_message()
            self._tell("message_passed", text=self.message)

    def _write_message(self) -> None:
        errand = self.errand
        games.write_message(errand.around, self.game_id, self.seat, self.message, now=errand.at)

    def _keep_message(self, why: str) -> None:
        if self.message:
            self._tell("message_kept_back", text=self.message, why=why)

    def _note(self) -> None:
        """Keep private notes, below those that stand at the same place already."""
        errand, text = self.errand, clean_message("\n".join(self.part.notes))
        if not text:
            return
        stored = games.get_stored(errand.unit, self.game_id)
        before = next(
            (
                note.text
                for note in errand.unit.notes_of(self.game_id, self.seat)
                if note.entry == stored.entries - 1
            ),
            "",
        )
        whole = before if text in before.split("\n\n") else f"{before}\n\n{text}".strip()
        games.write_note(errand.around, self.game_id, self.seat, whole, now=errand.at)
        self._tell("noted", text=text)


def _orders_in(text: str) -> list[Order]:
    """The orders of a text; none if it cannot be read, which the game will say."""
    plan = find_orders(text)
    return [] if plan is None else [step.order for step in plan]

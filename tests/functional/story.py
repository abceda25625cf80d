"""A whole game between Ann and Beau, who use nothing but mail: from the first word to the archive.

The same story is told over plain SMTP and through a mail server that stands before ours. Each
method is a chapter, and leaves the world as the next one finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from notation.record_reading import parse_record
from pbem.games.ortus.replaying import replay
from pbem.play.archive import log_of
from pbem.play.games import get_stored
from pbem.play.log import LogEntry, parse_log
from pbem.play.model import Player, StoredGame
from pbem.play.post import HELD, QUARANTINED
from pbem.play.verification import replay_log, verify
from tests.functional.house import DOMAIN, House
from tests.functional.mailbox import MailPlayer
from tests.functional.mails import Mail, read_mail
from tests.functional.reports import delivery_report, out_of_office

GOLD_SETUP, BLACK_SETUP = "WFEAEAFW", "WFEAFAEW"
PLAN = "W1 rng H9 [-: E3>L6; end | +: E3>L6; A4>F6; end]; A4>F6; end"


@dataclass
class Story:
    """Ann invites Beau, has Gold, starts, and wins on Wells."""

    house: House
    bounce: Callable[[House, Callable[[], Mail]], None] | None = None
    """How a mail to Ann comes back; None: her server reports it to us."""
    ann: MailPlayer = field(init=False)
    beau: MailPlayer = field(init=False)
    game_id: str = ""

    def __post_init__(self) -> None:
        self.ann = MailPlayer(self.house, "Ann", "ann@example.org", client="gmail")
        self.beau = MailPlayer(self.house, "Beau", "beau@example.net", client="outlook")

    def tell(self) -> None:
        """All of it."""
        self.sign_up()
        self.second_address()
        self.invite()
        self.set_up()
        self.refusal_mended_by_number()
        self.duplicate()
        self.rules_message_and_note()
        self.out_of_office()
        self.plan_and_reminder()
        self.answer_with_one_tap()
        self.late_reply()
        self.leave()
        self.bounced()
        self.rule_answers()
        self.what_if_and_end()
        self.archived()

    # -- what is there --------------------------------------------------------------------------

    @property
    def stored(self) -> StoredGame:
        with self.house.around.store.read() as unit:
            return get_stored(unit, self.game_id)

    @property
    def log(self) -> list[LogEntry]:
        with self.house.around.store.read() as unit:
            return list(unit.entries(self.game_id))

    def player(self, who: MailPlayer) -> Player:
        with self.house.around.store.read() as unit:
            address = unit.find_address(who.address)
            assert address is not None
            found = unit.find_player(address.player_id)
        assert found is not None
        return found

    # -- chapters -------------------------------------------------------------------------------

    def sign_up(self) -> None:
        """The first mail only confirms the address (L5)."""
        ann = self.ann
        ann.write(f"join@{DOMAIN}", "Hello! I would like to play.", subject="Hello")
        assert ann.kinds() == ["address_confirmation"]
        with self.house.around.store.read() as unit:
            address = unit.find_address(ann.address)
            assert address is not None
            assert address.verified_at is None
        ann.reply(ann.latest(), "ok")
        with self.house.around.store.read() as unit:
            address = unit.find_address(ann.address)
            assert address is not None
            assert address.verified_at is not None
        assert ann.kinds()[-1] == "answer"

    def second_address(self) -> None:
        """Another address, confirmed from there, for when mail to the first does not arrive."""
        ann, other = self.ann, "ann@example.com"
        ann.reply(ann.latest("answer"), f"settings address add {other}")
        ann.more_addresses.append(other)
        asked = ann.latest("address_confirmation")
        assert asked.delivered.recipient == other
        ann.reply(asked, "ok", from_address=other)
        ann.reply(ann.latest("answer"), f"settings address fallback {other}")
        with self.house.around.store.read() as unit:
            fallback = unit.find_address(other)
        assert fallback is not None
        assert fallback.is_fallback

    def invite(self) -> None:
        """Somebody who has never heard of us is invited, and accepts with one word."""
        ann, beau = self.ann, self.beau
        ann.reply(
            ann.latest("answer"),
            f"invite {beau.address} master origin 14d as gold starter gold",
            client="apple_mail",
        )
        assert beau.kinds() == ["invitation"]
        assert not self._games(beau)
        beau.reply(beau.latest("invitation"), "accept")
        (self.game_id,) = self._games(beau)
        assert "setup_request" in ann.kinds()
        assert "setup_request" in beau.kinds()
        assert self.game_id in ann.latest("setup_request").subject

    def _games(self, who: MailPlayer) -> list[str]:
        with self.house.around.store.read() as unit:
            address = unit.find_address(who.address)
            return [] if address is None else list(unit.games_of(address.player_id))

    def set_up(self) -> None:
        """Both set-ups are secret until both are in (R2.2)."""
        ann, beau = self.ann, self.beau
        self.house.keep_secret(ann.address, GOLD_SETUP)
        ann.reply(ann.latest("setup_request"), f"setup {GOLD_SETUP}", client="phone")
        assert GOLD_SETUP in ann.latest("receipt").text
        self.house.secrets.clear()
        beau.reply(beau.latest("setup_request"), f"setup {BLACK_SETUP}")
        assert GOLD_SETUP in beau.latest("receipt").text
        assert ann.kinds()[-1] == "turn_request"

    def refusal_mended_by_number(self) -> None:
        """A kite cannot stop early (M2.1); the first reading is what was meant."""
        ann, before = self.ann, len(self.log)
        ann.reply(ann.latest("turn_request"), "W1:kite>H6; F2>I6; end")
        assert len(self.log) == before
        refusal = ann.latest("answer")
        assert "M2.1" in refusal.text
        assert "W1:kite>H7" in refusal.text
        ann.reply(refusal, "1", client="thunderbird")
        assert self.log[-1].text == "W1:kite>H7; F2>I6; end"
        assert ann.kinds()[-1] == "receipt"
        assert "W1:kite>H7; F2>I6; end" in ann.latest("receipt").text

    def duplicate(self) -> None:
        """The same mail twice: the same answer twice, and one entry (L1.2)."""
        beau, before = self.beau, self.log
        raw = beau.reply(beau.latest("turn_request"), "W1:kite>Z9; end")
        once = beau.latest()
        count = len(beau.inbox)
        beau.send_again(raw)
        assert len(beau.inbox) == count + 1
        assert beau.latest().message_id == once.message_id
        assert beau.latest().text == once.text
        assert self.log == before

    def rules_message_and_note(self) -> None:
        """Orders, rules for the defence, a message and a note in one mail; each to its place."""
        ann, beau = self.ann, self.beau
        self.house.keep_secret(beau.address, "block F* <=4", "watch J10")
        raw = beau.reply(
            beau.latest("turn_request"),
            "W1:kite>H9; F2>G10; end\nstanding: block F* <=4; ask all\n\n"
            "Good to meet you, Ann!\n# watch J10",
        )
        receipt = beau.latest("receipt")
        assert "block F* <=4; ask all" in receipt.text
        assert "watch J10" in receipt.text
        assert ann.kinds()[-1] == "turn_request"
        assert "Good to meet you, Ann!" in ann.latest("turn_request").text
        before, count = self.log, len(ann.inbox)
        beau.send_again(raw)
        assert self.log == before, "the same mail was played twice"
        assert beau.latest().message_id == receipt.message_id
        assert len(ann.inbox) == count, "the opponent heard of the repeat"

    def out_of_office(self) -> None:
        """A program answers for Ann: nothing is played, and her next mail says so (L5)."""
        ann, before, count = self.ann, self.log, len(self.ann.inbox)
        ann.reply(
            ann.latest("turn_request"),
            "I am away until Thursday.\nend",
            change=out_of_office,
            envelope="",
        )
        assert self.log == before
        assert len(ann.inbox) == count, "a machine was answered"
        (held,) = self.house.inbound_in(HELD)
        assert held.player_id == self.player(ann).id

    def plan_and_reminder(self) -> None:
        """An attack with a plan behind it; the defender takes time, and is reminded."""
        ann, beau = self.ann, self.beau
        self.house.keep_secret(ann.address, "E3>L6", "A4>F6", "Earth 3 walked", "Water 4 walked")
        ann.reply(ann.latest("turn_request"), PLAN, client="html_only")
        receipt = ann.latest("receipt")
        assert PLAN in receipt.text
        letter = self.house.letter_of(receipt)
        assert letter.facts.get("held"), "the mail does not tell of the one that was held"
        asked = beau.latest("defence_request")
        for words in ("W1", "H9", "4", "9"):
            assert words in asked.text
        self.house.let_pass(days=8)
        assert "reminder" in beau.kinds()
        assert self.game_id in beau.latest("reminder").subject

    def answer_with_one_tap(self) -> None:
        """A link in the mail begins the answer; sent as it is, it saves the victim."""
        beau = self.beau
        self.house.secrets = [
            secret for secret in self.house.secrets if secret.owner == beau.address
        ]
        beau.tap(beau.latest("defence_request"), lambda link: link.body.strip() in ("H9+", "+"))
        assert self.log[-1].text == "H9+"
        assert "Earth 3 walked from J1 to L6" in beau.latest("receipt").text
        assert self.stored.turns == 3

    def late_reply(self) -> None:
        """Orders in answer to an old question change nothing, and are told what happened (L3.5)."""
        ann, before = self.ann, self.log
        old = ann.latest("turn_request")
        ann.reply(old, "F7>N8; end")
        assert self.log == before
        answer = ann.latest("answer")
        assert "F7>N8; end" in answer.text
        ann.reply(old, "status")
        assert self.log == before
        assert len(ann.inbox) >= 2

    def leave(self) -> None:
        """Days off are offered with what they do, and taken with one word."""
        beau = self.beau
        beau.reply(beau.latest("receipt"), "leave 2026-12-12 2026-12-28")
        assert self.player(beau).leaves == ()
        beau.reply(beau.latest("answer"), "ok")
        (leave,) = self.player(beau).leaves
        assert (str(leave.first), str(leave.last)) == ("2026-12-12", "2026-12-28")

    def bounced(self) -> None:
        """Mail to Ann comes back: her clock stands, and the mail goes to her other address (L5)."""
        ann, beau = self.ann, self.beau

        def go_on() -> Mail:
            beau.reply(beau.latest("receipt"), "A4>J10; end", client="phone")
            return ann.latest("turn_request")

        if self.bounce is not None:
            self.bounce(self.house, go_on)
        else:
            lost = go_on()
            assert lost.delivered.recipient == ann.address
            self.house.deliver("", [lost.delivered.sender], delivery_report(lost))
            self.house.work()
        assert self.player(ann).stopped_since is not None
        again = ann.latest("turn_request")
        assert again.delivered.recipient == "ann@example.com"
        told = read_mail(self.house.sink.mails_to("director@example.com")[-1])
        assert ann.address in told.text
        self.house.let_pass(days=15, step_hours=24)  # she had fourteen
        assert not self.stored.is_over, "the clock ran while mail did not arrive"

    def rule_answers(self) -> None:
        """Beau's rule answers an attack without a mail; only he is told which."""
        ann, beau = self.ann, self.beau
        ann.reply(
            ann.latest("turn_request"),
            "W1 rng G10; F7>N8; E5>B8; end",
            from_address="ann@example.com",
        )
        assert self.log[-1].text == "W1 rng G10; F7>N8; E5>B8; end"
        assert self.player(ann).stopped_since is None
        asked = beau.latest("turn_request")
        assert "block F* <=4" in asked.text
        assert "G10" in asked.text

    def what_if_and_end(self) -> None:
        """Beau is on leave, and may play all the same. Trying changes nothing; then he ends his
        turn, and Ann holds five Wells (R8.1)."""
        self.house.let_pass(days=10, step_hours=24)  # he had six, of which three are over
        assert not self.stored.is_over, "the clock ran on a day off"
        ann, beau, before = self.ann, self.beau, self.log
        beau.reply(beau.latest("turn_request"), "try W1 rng H7; end")
        assert self.log == before
        assert "W1 rng H7" in beau.latest("answer").text
        self.house.secrets.clear()  # all is published with the record (N3.3)
        beau.reply(beau.latest("turn_request"), "end")
        assert self.stored.is_over
        assert (self.stored.winner, self.stored.termination) == (0, "wells")
        for who in (ann, beau):
            mail = who.latest("game_over")
            (name,) = mail.attachments
            assert name == f"{self.game_id}.ogn"

    def archived(self) -> None:
        """The record that hangs on the last mail tells the game; the log proves it."""
        text = self.beau.latest("game_over").attachments[f"{self.game_id}.ogn"].decode()
        record = parse_record(text)
        again = replay(record)
        assert again.faults == ()
        assert (record.tags["Gold"], record.tags["Black"]) == ("Ann", "Beau")
        assert (record.tags["Result"], record.tags["Termination"]) == ("1-0", "wells")
        assert record.tags["LogHash"] == self.stored.head
        assert "block F* <=4" in text
        with self.house.around.store.read() as unit:
            written = log_of(unit, self.stored)
        seed, entries = parse_log(written.splitlines())
        _, head = replay_log(seed, entries)
        assert head == self.stored.head
        verified = verify(self.house.around, self.game_id, now=self.house.clock.now, repair=False)
        assert verified.differences == ()
        assert self.house.inbound_in(QUARANTINED) == []

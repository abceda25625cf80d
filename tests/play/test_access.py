"""Links to sign in, sessions and tokens: what opens what, for how long, and for whom."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from pbem.play import access, farewell, players
from pbem.play.access import (
    LINK_LASTS,
    LINKS_AN_HOUR,
    MAX_NAME,
    MAX_TOKENS,
    SESSION_LASTS,
    Given,
    NoPassError,
)
from pbem.play.errors import NotAllowedError
from pbem.play.model import Notice, Player
from pbem.play.players import PlayerFaults
from pbem.play.post import NEW
from tests.play.club import NOON, TICK, Club

SECOND = timedelta(seconds=1)


@pytest.fixture
def ann(club: Club) -> Player:
    return club.join("Ann")


def mails(club: Club) -> list[Notice]:
    with club.store.read() as unit:
        rows = [row.notice for row, _ in unit.notices_in_state(NEW)]
    return [notice for notice in rows if notice.kind == access.SIGN_IN]


def ask(club: Club, address: str = "player1@example.org", now: datetime = NOON) -> int:
    """The number of the link that was mailed."""
    before = {notice.cause for notice in mails(club)}
    access.ask_for_link(club.around, address, now=now)
    (notice,) = [notice for notice in mails(club) if notice.cause not in before]
    number = notice.facts["pass"]
    assert isinstance(number, int)
    return number


def begin(club: Club, player: Player, now: datetime = NOON) -> Given:
    return access.begin_session(club.around, player.id, browser="a browser", now=now)


def is_open(club: Club, given: Given, now: datetime, kind: access.Kind = "session") -> bool:
    found = access.find_owner(club.around, kind, given.secret, now=now)
    return found is not None


class TestLinks:
    def test_a_link_is_mailed_to_the_owner(self, club: Club, ann: Player) -> None:
        ask(club, "  Player1@EXAMPLE.org ")
        (notice,) = mails(club)
        assert notice.player_id == ann.id
        assert notice.facts["address"] == "player1@example.org"

    def test_it_works_once(self, club: Club, ann: Player) -> None:
        number = ask(club)
        given = access.sign_in(club.around, number, browser="b", now=NOON)
        assert is_open(club, given, NOON)
        with pytest.raises(NoPassError):
            access.sign_in(club.around, number, browser="b", now=NOON)

    def test_it_works_once_also_for_many_at_once(self, club: Club, ann: Player) -> None:
        number = ask(club)

        def sign_in(_: int) -> bool:
            try:
                access.sign_in(club.around, number, browser="b", now=NOON)
            except NoPassError:
                return False
            return True

        with ThreadPoolExecutor(4) as pool:
            assert sum(pool.map(sign_in, range(4))) == 1

    def test_it_works_for_a_quarter_of_an_hour(self, club: Club, ann: Player) -> None:
        assert timedelta(minutes=15) == LINK_LASTS
        first, second = ask(club), ask(club)
        assert access.look_at_link(club.around, first, now=NOON + LINK_LASTS - TICK)
        access.sign_in(club.around, first, browser="b", now=NOON + LINK_LASTS - TICK)
        assert not access.look_at_link(club.around, second, now=NOON + LINK_LASTS)
        with pytest.raises(NoPassError):
            access.sign_in(club.around, second, browser="b", now=NOON + LINK_LASTS)

    def test_looking_uses_nothing(self, club: Club, ann: Player) -> None:
        number = ask(club)
        before = club.contents()
        for _ in range(3):
            assert access.look_at_link(club.around, number, now=NOON)
        assert club.contents() == before
        access.sign_in(club.around, number, browser="b", now=NOON)
        assert not access.look_at_link(club.around, number, now=NOON)

    @pytest.mark.parametrize("number", [0, -1, 10**6, 10**30])
    def test_no_such_link(self, club: Club, ann: Player, number: int) -> None:
        assert not access.look_at_link(club.around, number, now=NOON)
        with pytest.raises(NoPassError):
            access.sign_in(club.around, number, browser="b", now=NOON)

    def test_a_session_or_token_is_no_link(self, club: Club, ann: Player) -> None:
        token = access.make_token(club.around, ann.id, "t", ["read"], now=NOON)
        for given in (begin(club, ann), token):
            assert not access.look_at_link(club.around, given.kept.id, now=NOON)
            with pytest.raises(NoPassError):
                access.sign_in(club.around, given.kept.id, browser="b", now=NOON)

    @pytest.mark.parametrize("address", ["nobody@example.org", "no address", "", "x" * 400])
    def test_nobody_is_mailed_who_is_not_known(self, club: Club, ann: Player, address: str) -> None:
        access.ask_for_link(club.around, address, now=NOON)
        assert mails(club) == []

    def test_an_address_that_was_never_confirmed_is_nobodys(self, club: Club) -> None:
        players.join(club.around, "Eve", "victim@example.org", now=NOON)
        access.ask_for_link(club.around, "victim@example.org", now=NOON)
        assert mails(club) == []

    def test_asking_takes_a_commit_whoever_is_asked_for(self, club: Club, ann: Player) -> None:
        """So that the time it takes tells nobody whether an address is known."""
        for address in ("player1@example.org", "nobody@example.org"):
            before = club.contents()
            access.ask_for_link(club.around, address, now=NOON)
            assert club.contents() != before

    def test_nobody_is_mailed_too_often(self, club: Club, ann: Player) -> None:
        for _ in range(LINKS_AN_HOUR + 3):
            access.ask_for_link(club.around, "player1@example.org", now=NOON)
        assert len(mails(club)) == LINKS_AN_HOUR
        access.ask_for_link(club.around, "player1@example.org", now=NOON + timedelta(hours=2))
        assert len(mails(club)) == LINKS_AN_HOUR + 1

    def test_a_link_of_somebody_who_left(self, club: Club, ann: Player) -> None:
        number = ask(club)
        farewell.delete(club.around, ann.id, now=NOON)
        assert not access.look_at_link(club.around, number, now=NOON)
        with pytest.raises(NoPassError):
            access.sign_in(club.around, number, browser="b", now=NOON)


class TestSessions:
    def test_a_session_lasts_while_it_is_used(self, club: Club, ann: Player) -> None:
        given = begin(club, ann)
        now = NOON
        for _ in range(4):
            now += SESSION_LASTS - SECOND
            assert is_open(club, given, now)
        assert not is_open(club, given, now + SESSION_LASTS)

    def test_use_is_written_down_now_and_then(self, club: Club, ann: Player) -> None:
        given = begin(club, ann)
        before = club.contents()
        assert is_open(club, given, NOON + timedelta(minutes=9))
        assert club.contents() == before
        assert is_open(club, given, NOON + timedelta(minutes=11))
        (listed,) = access.passes_of(club.around, ann.id, "session", now=NOON)
        assert listed.used_at == NOON + timedelta(minutes=11)

    def test_sessions_are_listed_and_ended(self, club: Club, ann: Player) -> None:
        first, second = begin(club, ann), begin(club, ann, NOON + SECOND)
        listed = access.passes_of(club.around, ann.id, "session", now=NOON + SECOND)
        assert [each.id for each in listed] == [second.kept.id, first.kept.id]
        access.end_pass(club.around, ann.id, first.kept.id, now=NOON + SECOND)
        access.end_pass(club.around, ann.id, first.kept.id, now=NOON + SECOND)
        assert not is_open(club, first, NOON + SECOND)
        assert is_open(club, second, NOON + SECOND)
        (left,) = access.passes_of(club.around, ann.id, "session", now=NOON + SECOND)
        assert left.id == second.kept.id

    def test_nobody_ends_those_of_others(self, club: Club, ann: Player) -> None:
        ben, given = club.join("Ben"), begin(club, ann)
        for number in (given.kept.id, 10**6, 10**30):
            with pytest.raises(NotAllowedError, match="no_such_pass"):
                access.end_pass(club.around, ben.id, number, now=NOON)
        assert is_open(club, given, NOON)

    def test_the_secret_is_kept_nowhere(self, club: Club, ann: Player) -> None:
        given = begin(club, ann)
        assert given.secret not in repr(club.contents())
        assert len(given.secret) == 32

    def test_the_name_of_a_browser_is_cut_and_cleaned(self, club: Club, ann: Player) -> None:
        given = access.begin_session(
            club.around, ann.id, browser="Evil\r\n\0\u202e" + "x" * 500, now=NOON
        )
        assert given.kept.name == "Evil" + "x" * (MAX_NAME - 4)

    def test_one_kind_is_not_another(self, club: Club, ann: Player) -> None:
        session = begin(club, ann)
        token = access.make_token(club.around, ann.id, "t", ["read"], now=NOON)
        assert not is_open(club, session, NOON, "token")
        assert not is_open(club, token, NOON, "session")

    def test_who_left_is_nowhere_signed_in(self, club: Club, ann: Player) -> None:
        session = begin(club, ann)
        token = access.make_token(club.around, ann.id, "t", ["read"], now=NOON)
        farewell.delete(club.around, ann.id, now=NOON)
        assert not is_open(club, session, NOON)
        assert not is_open(club, token, NOON, "token")
        assert club.contents()["passes"] == []

    def test_who_became_another_signs_in_as_that(self, club: Club, ann: Player) -> None:
        other = club.join("Ann again")
        session = begin(club, other)
        farewell.merge(club.around, ann.id, other.id, now=NOON)
        assert not is_open(club, session, NOON)
        ask(club, "player2@example.org")
        (notice,) = mails(club)
        assert notice.player_id == ann.id

    @pytest.mark.parametrize("secret", ["", "x", "\0", "\ud800", "é" * 300])
    def test_what_is_no_secret(self, club: Club, ann: Player, secret: str) -> None:
        begin(club, ann)
        assert access.find_owner(club.around, "session", secret, now=NOON) is None

    def test_what_is_over_is_forgotten(self, club: Club, ann: Player) -> None:
        begin(club, ann)
        kept = access.make_token(club.around, ann.id, "kept", ["read"], now=NOON)
        ended = access.make_token(club.around, ann.id, "ended", ["read"], now=NOON)
        access.end_pass(club.around, ann.id, ended.kept.id, now=NOON)
        with club.store.begin() as unit:
            assert unit.forget_passes(NOON + SESSION_LASTS + SECOND) == 2
            assert unit.forget_passes(NOON + SESSION_LASTS + SECOND) == 0
        assert is_open(club, kept, NOON + 2 * SESSION_LASTS, "token")


class TestTokens:
    def test_a_token_has_the_scopes_it_was_given(self, club: Club, ann: Player) -> None:
        given = access.make_token(
            club.around, ann.id, "  my   program ", ["account", "read", "fly"], now=NOON
        )
        found = access.find_owner(club.around, "token", given.secret, now=NOON)
        assert found is not None
        player, token = found
        assert (player.id, token.name, token.scopes) == (ann.id, "my program", ("read", "account"))
        assert token.expires_at is None

    def test_all_faults_at_once(self, club: Club, ann: Player) -> None:
        with pytest.raises(PlayerFaults) as caught:
            access.make_token(club.around, ann.id, " ", ["fly"], now=NOON)
        assert set(caught.value.faults) == {"name", "scopes"}

    def test_there_are_only_so_many(self, club: Club, ann: Player) -> None:
        made = [
            access.make_token(club.around, ann.id, f"t{number}", ["read"], now=NOON)
            for number in range(MAX_TOKENS)
        ]
        with pytest.raises(NotAllowedError, match="too_many_tokens"):
            access.make_token(club.around, ann.id, "more", ["read"], now=NOON)
        access.end_pass(club.around, ann.id, made[0].kept.id, now=NOON)
        access.make_token(club.around, ann.id, "more", ["read"], now=NOON)

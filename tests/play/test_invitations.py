"""How games are arranged: invitations, challenges, rematches, and who is first."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.games.base import OptionsError
from pbem.play import invitations
from pbem.play.errors import NoSuchGameError, NoSuchInvitationError, NotAllowedError
from pbem.play.model import Notice, Player
from pbem.play.notices import NEWS
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, Club, Match, at
from tests.play.test_players import refusal


def notices(club: Club, cause: str) -> list[Notice]:
    with club.store.read() as unit:
        return list(unit.notices_for(cause))


@pytest.fixture
def ann(club: Club) -> Player:
    return club.join("Ann")


@pytest.fixture
def beau(club: Club) -> Player:
    return club.join("Beau")


def test_invite_and_accept(club: Club, ann: Player, beau: Player) -> None:
    agreed = {"level": "master", "clock": "14d", "visibility": "delayed 3", "rated": False}
    invitation = invitations.invite(club.around, ann.id, beau.id, agreed, now=NOON, host_seat=1)
    (notice,) = notices(club, f"invitation/{invitation.id}")
    assert (notice.player_id, notice.kind) == (beau.id, "invitation")
    game = invitations.accept(club.around, beau.id, invitation.id, now=at(1))
    assert game.players == (beau.id, ann.id)
    assert game.created_at == at(1)
    assert game.start.options == {"level": "master"}
    assert game.terms == {
        "clock": "14d", "correction": "", "visibility": "delayed 3", "rated": False
    }  # fmt: skip
    assert len(game.start.seed) == 32
    begun = {notice.player_id: notice.kind for notice in notices(club, f"{game.id}/0")}
    assert begun == {ann.id: "setup_request", beau.id: "setup_request"}
    before = club.contents()
    again = invitations.accept(club.around, beau.id, invitation.id, now=at(9))
    assert again == game
    assert invitations.accept(club.around, ann.id, invitation.id, now=at(9)) == game
    assert club.contents() == before
    cleo = club.join()
    accept = invitations.accept
    assert refusal(accept, club.around, cleo.id, invitation.id, now=at(9)) == "invitation_closed"
    assert refusal(invitations.decline, club.around, beau.id, invitation.id, now=at(9)) == (
        "invitation_closed"
    )


def test_who_is_not_to_move_is_told_that_it_begins(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    assert match.notices(0) == {"gold": "turn_request", "black": NEWS}


def test_lot_chooses_the_seats(club: Club, ann: Player, beau: Player) -> None:
    seats = set()
    for _ in range(12):
        invitation = invitations.invite(club.around, ann.id, beau.id, {}, now=NOON)
        game = invitations.accept(club.around, beau.id, invitation.id, now=NOON)
        seats.add(game.players)
    assert seats == {(ann.id, beau.id), (beau.id, ann.id)}


def test_decline_and_withdraw(club: Club, ann: Player, beau: Player) -> None:
    around = club.around
    first = invitations.invite(around, ann.id, beau.id, {}, now=NOON)
    invitations.decline(around, beau.id, first.id, now=at(1))
    told = [n for n in notices(club, f"invitation/{first.id}") if n.player_id == ann.id]
    assert [notice.kind for notice in told] == ["invitation_declined"]
    before = club.contents()
    invitations.decline(around, beau.id, first.id, now=at(2))
    assert club.contents() == before
    assert refusal(invitations.accept, around, beau.id, first.id, now=at(2)) == "invitation_closed"
    second = invitations.invite(around, ann.id, beau.id, {}, now=NOON)
    invitations.decline(around, ann.id, second.id, now=at(1))
    assert refusal(invitations.accept, around, beau.id, second.id, now=at(2)) == (
        "invitation_closed"
    )
    with club.store.read() as unit:
        assert unit.open_invitations(ann.id) == []


def test_only_who_is_invited(club: Club, ann: Player, beau: Player) -> None:
    around, cleo = club.around, club.join()
    private = invitations.invite(around, ann.id, beau.id, {}, now=NOON)
    for act in (invitations.accept, invitations.decline):
        assert refusal(act, around, cleo.id, private.id, now=NOON) == "not_your_invitation"
    assert refusal(invitations.accept, around, ann.id, private.id, now=NOON) == "plays_oneself"
    invite = invitations.invite
    assert refusal(invite, around, ann.id, ann.id, {}, now=NOON) == "plays_oneself"
    assert refusal(invite, around, ann.id, beau.id, {}, now=NOON, host_seat=2) == "no_such_seat"
    with pytest.raises(NoSuchInvitationError):
        invitations.accept(around, ann.id, "nosuch", now=NOON)


def test_open_challenge(club: Club, ann: Player, beau: Player) -> None:
    around, cleo = club.around, club.join()
    challenge = invitations.invite(around, ann.id, None, {"level": "wind"}, now=NOON)
    assert notices(club, f"invitation/{challenge.id}") == []
    invitations.decline(around, cleo.id, challenge.id, now=NOON)
    with club.store.read() as unit:
        assert [each.id for each in unit.open_invitations(None)] == [challenge.id]
    game = invitations.accept(around, beau.id, challenge.id, now=at(1))
    assert set(game.players) == {ann.id, beau.id}
    assert refusal(invitations.accept, around, cleo.id, challenge.id, now=at(1)) == (
        "invitation_closed"
    )


def test_one_of_many_gets_the_challenge(club: Club, ann: Player) -> None:
    challenge = invitations.invite(club.around, ann.id, None, {}, now=NOON)
    rivals = [club.join() for _ in range(4)]

    def try_it(player: Player) -> str | None:
        try:
            return invitations.accept(club.around, player.id, challenge.id, now=at(1)).id
        except NotAllowedError as error:
            assert error.code == "invitation_closed"  # noqa: PT017
            return None

    with ThreadPoolExecutor(4) as pool:
        games = list(pool.map(try_it, rivals))
    assert sum(game is not None for game in games) == 1
    with club.store.read() as unit:
        assert len(list(unit.all_games())) == 1


def test_all_faults_of_an_agreement_at_once(club: Club, ann: Player, beau: Player) -> None:
    wrong = {
        "level": "emperor",
        "dice": 7,
        "wings": True,
        "handicap": "gold +9",
        "clock": "soon",
        "correction": "3d",
        "visibility": "delayed 0",
        "rated": "yes",
    }
    before = club.contents()
    with pytest.raises(OptionsError) as caught:
        invitations.invite(club.around, ann.id, beau.id, wrong, now=NOON)
    assert set(caught.value.faults) == set(wrong)
    assert all(caught.value.faults.values())
    with pytest.raises(OptionsError) as caught:
        invitations.invite(club.around, ann.id, beau.id, {"game": "chess", "clock": []}, now=NOON)
    assert set(caught.value.faults) == {"game", "clock"}
    assert club.contents() == before


def test_invitations_are_limited(club: Club, ann: Player, beau: Player) -> None:
    sent = [
        invitations.invite(club.around, ann.id, None, {}, now=NOON)
        for _ in range(invitations.MAX_OPEN)
    ]
    invite = invitations.invite
    assert refusal(invite, club.around, ann.id, beau.id, {}, now=NOON) == "too_many_invitations"
    invite(club.around, beau.id, ann.id, {}, now=NOON)
    invitations.decline(club.around, ann.id, sent[0].id, now=NOON)
    invite(club.around, ann.id, beau.id, {}, now=NOON)


def test_nobody_is_buried_in_invitations(club: Club, ann: Player) -> None:
    invite = invitations.invite
    hosts = [club.join() for _ in range(3)]
    sent = [
        invite(club.around, hosts[number % 3].id, ann.id, {"clock": f"{number + 1}d"}, now=NOON)
        for number in range(invitations.MAX_WAITING)
    ]
    for host in hosts:
        code = refusal(invite, club.around, host.id, ann.id, {}, now=NOON)
        assert code == "guest_has_many_invitations"
    # What she offers herself is not counted, nor is what she has answered.
    mine = invite(club.around, ann.id, hosts[0].id, {}, now=NOON)
    invite(club.around, ann.id, None, {}, now=NOON)
    assert refusal(invite, club.around, hosts[1].id, ann.id, {}, now=NOON) == (
        "guest_has_many_invitations"
    )
    invitations.decline(club.around, hosts[0].id, mine.id, now=NOON)
    invitations.decline(club.around, ann.id, sent[0].id, now=NOON)
    invite(club.around, hosts[1].id, ann.id, {}, now=NOON)


@pytest.mark.parametrize(
    ("before", "after"),
    [("gold +2", "black +2"), ("black +4", "gold +4"), ("black II", "gold II"), ("", "")],
)
def test_rematch_keeps_a_handicap_with_its_player(
    club: Club, ann: Player, beau: Player, before: str, after: str
) -> None:
    agreed = {"handicap": before} if before else {}
    match = club.start(gold=ann, black=beau, starter="gold", **agreed)
    match.send("gold", "resign", 1)
    invitation = invitations.rematch(club.around, ann.id, match.id, now=at(2))
    again = invitations.accept(club.around, beau.id, invitation.id, now=at(3))
    assert again.players == (beau.id, ann.id)
    assert again.start.options.get("handicap", "") == after
    assert again.start.options["starter"] == "gold", "the House starts, not the player"
    # Once more, and all is as it was at first.
    third = Match(club, again.id, (beau, ann))
    third.send("gold", "resign", 4)
    invitation = invitations.rematch(club.around, beau.id, again.id, now=at(5))
    last = invitations.accept(club.around, ann.id, invitation.id, now=at(6))
    assert (last.players, last.start.options) == (match.stored.players, match.stored.start.options)


def test_rematch(club: Club, ann: Player, beau: Player) -> None:
    match = club.start(
        gold=ann, black=beau, level="water", dice="dicey", clock="10d+1d", correction="1h"
    )
    assert refusal(invitations.rematch, club.around, ann.id, match.id, now=NOON) == "game_not_over"
    match.hold("gold", "resign", 1)
    match.sweep(at(2))
    cleo = club.join()
    assert refusal(invitations.rematch, club.around, cleo.id, match.id, now=NOON) == "not_your_game"
    invitation = invitations.rematch(club.around, beau.id, match.id, now=at(3))
    assert (invitation.guest_id, invitation.rematch_of) == (ann.id, match.id)
    again = invitations.accept(club.around, ann.id, invitation.id, now=at(4))
    assert again.players == (beau.id, ann.id), "Houses are swapped"
    assert again.rematch_of == match.id
    assert (again.start.options, again.terms) == (match.stored.start.options, match.stored.terms)
    assert again.start.seed != match.stored.start.seed
    with pytest.raises(NoSuchGameError):
        invitations.rematch(club.around, ann.id, "nosuch", now=NOON)

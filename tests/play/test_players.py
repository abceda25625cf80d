"""Players: joining, addresses, preferences, rules for all games, merging, leaving, exporting."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date, time

import pytest

from pbem.errors import PbemError, StoreConflictError
from pbem.play import farewell, games, invitations, leave, players
from pbem.play.errors import NoSuchPlayerError, NotAllowedError
from pbem.play.model import Player, Preferences
from pbem.play.players import PlayerFaults
from pbem.play.post import HELD, AddressHealth, Arrival, Inbound
from tests.ortus.games import TWO_ARCHERS
from tests.play.club import NOON, Club, at

RIGHT_TO_LEFT = "\u202e"


def refusal(call: object, *args: object, **facts: object) -> str:
    assert callable(call)
    with pytest.raises(NotAllowedError) as caught:
        call(*args, **facts)
    return caught.value.code


def marks(club: Club, player: Player) -> dict[str, str]:
    with club.store.read() as unit:
        return {
            each.address.split("@")[0]: "".join(
                letter
                for letter, is_so in zip(
                    "vpf", (each.verified_at, each.is_preferred, each.is_fallback), strict=True
                )
                if is_so
            )
            for each in unit.addresses_of(player.id)
        }


# -- joining and names --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  Ann   Bee ", "Ann Bee"),
        (f"Ann{RIGHT_TO_LEFT}eeB", "AnneeB"),
        ("A\x00n\x1b[2Jn\r\nBcc: x", "An[2JnBcc: x"),
        ("\u2066Zo\u00eb\u2069\ufeff", "Zo\u00eb"),
    ],
    ids=["spaces", "direction", "control", "isolates"],
)
def test_name_cannot_deceive(club: Club, written: str, shown: str) -> None:
    player = club.join(written)
    assert player.name == shown
    with club.store.read() as unit:
        assert unit.find_player(player.id) == player
    other = club.join()
    assert players.rename(club.around, other.id, written).name == shown


@pytest.mark.parametrize("name", ["", " \t", RIGHT_TO_LEFT, "x" * 61], ids=repr)
def test_name_must_be_one(club: Club, name: str) -> None:
    player = club.join("Ann")
    with pytest.raises(PlayerFaults) as caught:
        players.rename(club.around, player.id, name)
    assert set(caught.value.faults) == {"name"}


@pytest.mark.parametrize(
    "address",
    ["", "ann", "@example.org", "ann@", "ann@localhost", "a b@example.org", "a@b@example.org",
     "<ann@example.org>", "ann@exam\0ple.org", "ann@example.org\nBcc: x@y.zz", "ann@...",
     f"ann@{RIGHT_TO_LEFT}gro.example", "a" * 65 + "@example.org"],
    ids=range(13),
)  # fmt: skip
def test_address_must_be_one(club: Club, address: str) -> None:
    before = club.contents()
    with pytest.raises(PlayerFaults) as caught:
        players.join(club.around, "Ann", address, now=NOON)
    assert set(caught.value.faults) == {"address"}
    assert club.contents() == before


# -- addresses ----------------------------------------------------------------------------------


def test_addresses(club: Club) -> None:
    around = club.around
    ann = players.join(around, "Ann", " Ann@Example.org ", now=NOON)
    assert marks(club, ann) == {"ann": "p"}
    players.add_address(around, ann.id, "second@example.org", now=at(1))
    players.add_address(around, ann.id, "third@example.org", now=at(2))
    choose = players.choose_addresses
    assert refusal(choose, around, ann.id, preferred="second@example.org") == "address_not_verified"
    for name in ("ANN", "second", "third"):
        players.verify_address(around, ann.id, f"{name}@example.org", now=at(3))
    again = players.verify_address(around, ann.id, "ann@example.org", now=at(9))
    assert again.verified_at == at(3)

    choose(around, ann.id, preferred="second@example.org", fallback="Ann@example.org")
    assert marks(club, ann) == {"second": "vp", "ann": "vf", "third": "v"}
    choose(around, ann.id, preferred="ann@example.org", fallback="second@example.org")
    assert marks(club, ann) == {"ann": "vp", "second": "vf", "third": "v"}
    choose(around, ann.id, preferred="third@example.org", fallback="third@example.org")
    assert marks(club, ann) == {"third": "vp", "ann": "v", "second": "v"}

    choose(around, ann.id, preferred="third@example.org", fallback="second@example.org")
    players.drop_address(around, ann.id, "third@example.org")
    assert marks(club, ann) == {"second": "vp", "ann": "v"}
    players.drop_address(around, ann.id, "ann@example.org")
    drop = players.drop_address
    assert refusal(drop, around, ann.id, "second@example.org") == "last_address"
    drop(around, ann.id, "ann@example.org")
    assert marks(club, ann) == {"second": "vp"}
    assert refusal(players.verify_address, around, ann.id, "ann@example.org", now=NOON) == (
        "no_such_address"
    )


def test_an_address_belongs_to_one_player(club: Club) -> None:
    ann, beau = club.join(), club.join()
    taken = "Player1@EXAMPLE.org"
    assert refusal(players.join, club.around, "Cleo", taken, now=NOON) == "address_taken"
    assert refusal(players.add_address, club.around, beau.id, taken, now=NOON) == "address_taken"
    choose = players.choose_addresses
    assert refusal(choose, club.around, beau.id, preferred=taken) == "address_not_verified"
    players.drop_address(club.around, beau.id, taken)
    assert marks(club, ann) == {"player1": "vp"}


def test_an_address_nobody_answers_from_can_be_taken_over(club: Club) -> None:
    """Naming an address does not keep it from its owner."""
    around, address = club.around, "ann@example.org"
    squatter = players.join(around, "Squatter", address, now=NOON)
    ann = players.join(around, "Ann", address, now=at(1))
    assert marks(club, squatter) == {}
    assert marks(club, ann) == {"ann": "p"}
    beau = club.join()
    players.add_address(around, beau.id, address, now=at(2))
    assert marks(club, ann) == {}
    players.verify_address(around, beau.id, address, now=at(3))
    assert refusal(players.join, around, "Cleo", address, now=at(4)) == "address_taken"
    assert marks(club, beau) == {"player1": "vp", "ann": "v"}
    add = players.add_address
    assert refusal(add, around, squatter.id, address, now=at(4)) == "address_taken"


def test_naming_ones_own_address_again_changes_nothing(club: Club) -> None:
    ann = players.join(club.around, "Ann", "ann@example.org", now=NOON)
    before = club.contents()
    again = players.add_address(club.around, ann.id, "ANN@example.org", now=at(1))
    assert (again.is_preferred, again.added_at) == (True, NOON)
    assert club.contents() == before


def test_two_join_with_one_address(club: Club) -> None:
    def join(name: str) -> str:
        try:
            players.join(club.around, name, "both@example.org", now=NOON, verified=True)
        except NotAllowedError as error:
            return error.code
        except StoreConflictError:
            return "try again"
        return "joined"

    with ThreadPoolExecutor(2) as pool:
        told = sorted(pool.map(join, ("Ann", "Beau")))
    assert told in (["address_taken", "joined"], ["joined", "try again"])
    assert len(club.contents()["players"]) == 1


def test_addresses_are_limited(club: Club) -> None:
    ann = club.join()
    for number in range(players.MAX_ADDRESSES - 1):
        players.add_address(club.around, ann.id, f"more{number}@example.org", now=NOON)
    add = players.add_address
    assert refusal(add, club.around, ann.id, "last@example.org", now=NOON) == "too_many_addresses"


def test_nobody_is_there(club: Club) -> None:
    for number in (7, -1, 2**70):
        with pytest.raises(NoSuchPlayerError):
            players.rename(club.around, number, "Ann")


# -- preferences --------------------------------------------------------------------------------


def test_all_faults_of_preferences_at_once(club: Club) -> None:
    ann = club.join()
    wrong = Preferences(
        language="xx",
        time_zone="Mars/Olympus",
        board="marble",
        delivery="pigeon",
        quiet_from=time(22),
    )
    with pytest.raises(PlayerFaults) as caught:
        players.set_preferences(club.around, ann.id, wrong, now=NOON)
    assert set(caught.value.faults) == {"language", "board", "delivery", "quiet", "time_zone"}
    too_quiet = Preferences(quiet_from=time(7, 0, 30), quiet_to=time(7), time_zone="Nowhere")
    with pytest.raises(PlayerFaults) as caught:
        players.join(club.around, "Beau", "b@example.org", now=NOON, preferences=too_quiet)
    assert set(caught.value.faults) == {"quiet", "time_zone"}


def test_preferences_reach_the_clocks_of_running_games(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="4d")
    assert match.deadline("gold") == at(days=4)
    chosen = Preferences(rests_on_weekends=True, time_zone="UTC", language="nl")
    player = players.set_preferences(club.around, match.players[0].id, chosen, now=at(1))
    with club.store.read() as unit:
        assert unit.find_player(player.id) == player
    assert match.deadline("gold") == at(days=4), "until Friday noon there is no weekend"
    quiet = Preferences(quiet_from=time(0), quiet_to=time(12))
    players.set_preferences(club.around, match.players[0].id, quiet, now=at(12))
    # Half a day has run; of the seven halves left only afternoons count.
    assert match.deadline("gold") == at(days=7, hours=12)
    match.verify()


def test_rules_for_all_games_reach_running_games(club: Club) -> None:
    around = club.around
    match = club.study(TWO_ARCHERS)
    black = match.players[1]
    with pytest.raises(PlayerFaults) as caught:
        players.set_general_rules(around, black.id, "block W3", now=at(1))
    assert set(caught.value.faults) == {"standing"}
    with pytest.raises(PlayerFaults):
        players.set_general_rules(around, black.id, "perhaps", now=at(1))
    assert len(match.entries()) == 1
    players.set_general_rules(around, black.id, "block A* <=4", now=at(1))
    assert match.texts() == [(None, "general 1: block A* <=4")]
    done = match.send("gold", "W1 rng I4", 2)
    assert match.asked() == [("gold", "turn")], "the rule has answered"
    assert [event.name for event in done.done.events if event.only_for == 1] == ["rules_answered"]
    later = club.study(TWO_ARCHERS, black=black)
    later.send("gold", "W1 rng I4", 3)
    assert later.asked() == [("gold", "turn")]
    players.set_general_rules(around, black.id, "off", now=at(4))
    later.send("gold", "F2 rng I4", 5)
    assert later.asked() == [("black", "defence")]
    later.verify()
    match.verify()


# -- merging ------------------------------------------------------------------------------------


def test_merge(club: Club) -> None:
    around = club.around
    ann, same, beau = club.join("Ann"), club.join("Ann too"), club.join("Beau")
    players.set_general_rules(around, ann.id, "fall all", now=NOON)
    running = club.study(TWO_ARCHERS, gold=beau, black=same)
    over = club.study(TWO_ARCHERS, gold=beau, black=same)
    over.send("gold", "resign")
    leave.take_leave(around, ann.id, date(2026, 12, 1), date(2026, 12, 3), now=NOON)
    leave.take_leave(around, same.id, date(2026, 12, 3), date(2026, 12, 5), now=NOON)
    leave.take_leave(around, same.id, date(2026, 12, 8), date(2026, 12, 9), now=NOON)
    received = invitations.invite(around, beau.id, same.id, {}, now=NOON)
    sent = invitations.invite(around, same.id, beau.id, {}, now=NOON)
    to_oneself = invitations.invite(around, ann.id, same.id, {}, now=NOON)

    merged = farewell.merge(around, ann.id, same.id, now=at(1))
    assert merged.id == ann.id
    assert [each.first.day for each in merged.leaves] == [1, 8], "one that overlaps is dropped"
    assert running.stored.players == over.stored.players == (beau.id, ann.id)
    assert len(running.state.general[1]) == 1
    assert marks(club, ann) == {"player1": "vp", "player2": "v"}
    with club.store.read() as unit:
        gone = unit.find_player(same.id)
        assert gone is not None
        assert (gone.deleted_at, gone.name) == (at(1), "(left)")
    with pytest.raises(NoSuchPlayerError):
        players.rename(around, same.id, "Ghost")
    assert invitations.accept(around, ann.id, received.id, now=at(2)).find_seat(ann.id) is not None
    for closed in (sent, to_oneself):
        assert refusal(invitations.accept, around, beau.id, closed.id, now=at(2)) == (
            "invitation_closed"
        )
    # The calendar of the one that is kept holds in the games of the other.
    running.send("gold", "W1 rng I4", 2)
    assert running.asked() == [("gold", "turn")], "the rules for all games have answered"
    running.verify()
    over.verify()


def test_who_plays_each_other_is_not_one(club: Club) -> None:
    match = club.study(TWO_ARCHERS)
    ids = [player.id for player in match.players]
    before = club.contents()
    assert refusal(farewell.merge, club.around, *ids, now=NOON) == "play_each_other"
    assert refusal(farewell.merge, club.around, ids[0], ids[0], now=NOON) == "same_player"
    assert club.contents() == before


# -- leaving for good ---------------------------------------------------------------------------


def test_delete(club: Club) -> None:
    around = club.around
    ann, beau = club.join("Ann"), club.join("Beau")
    running = club.study(TWO_ARCHERS, gold=ann, black=beau)
    held = club.study(TWO_ARCHERS, gold=ann, black=beau, correction="1d")
    held.hold("gold", "W1 rng I4", 1)
    over = club.study(TWO_ARCHERS, gold=beau, black=ann)
    over.send("gold", "resign")
    invitation = invitations.invite(around, ann.id, beau.id, {}, now=NOON)
    challenge = invitations.invite(around, ann.id, None, {}, now=NOON)
    farewell.delete(around, ann.id, now=at(2))

    assert running.result() == held.result() == ("black", "resignation")
    assert running.texts() == held.texts() == [(0, "resign")]
    assert over.result() == ("black", "resignation")
    for match in (running, held, over):
        assert ann.id in match.stored.players
        match.verify()
    for closed in (invitation, challenge):
        assert refusal(invitations.accept, around, beau.id, closed.id, now=at(3)) == (
            "invitation_closed"
        )
    with club.store.read() as unit:
        gone = unit.find_player(ann.id)
        assert unit.addresses_of(ann.id) == []
    assert gone == Player(ann.id, "(left)", NOON, deleted_at=at(2))
    again = players.join(around, "Ann", "player1@example.org", now=at(3))
    assert again.id != ann.id
    with pytest.raises(NoSuchPlayerError):
        farewell.delete(around, ann.id, now=at(4))


def test_delete_after_the_time_of_a_held_submission_is_over(club: Club) -> None:
    match = club.study(TWO_ARCHERS, clock="3h", correction="1d")
    match.hold("gold", "W1 rng I4", 2)
    farewell.delete(club.around, match.players[0].id, now=at(5))
    assert match.result() == ("black", "time"), "as if it had never been sent in"
    assert match.entries()[-1].at == at(3)
    match.verify()


# -- taking one's data along --------------------------------------------------------------------


def test_export(club: Club) -> None:
    around = club.around
    ann, beau = club.join("Ann", quiet_from=time(22), quiet_to=time(7)), club.join("Beau")
    leave.take_leave(around, ann.id, date(2026, 12, 1), date(2026, 12, 3), now=NOON)
    players.set_general_rules(around, ann.id, "block A*", now=NOON)
    match = club.start(gold=ann, black=beau, level="master")
    match.send("gold", "setup WFEAAEFW", 1)
    match.send("black", "setup FWEAAEWF; standing: block F1 keep 7", 2)
    games.write_note(around, match.id, 0, "mine", now=at(3))
    games.write_note(around, match.id, 1, "not mine", now=at(3))
    games.write_message(around, match.id, 0, "Good luck", now=at(3))
    invitations.invite(around, ann.id, beau.id, {"level": "water"}, now=NOON)
    held = club.study(TWO_ARCHERS, gold=ann, black=beau, correction="1h")
    held.hold("gold", "W1 rng I4; end", 1)

    with club.store.begin() as unit:
        unit.save_health(AddressHealth("player1@example.org", bounced_at=NOON))
        mail = Arrival("key", "reply/x", "player1@example.org", None, b"x", NOON, "smtp")
        number = unit.add_inbound(mail)
        unit.save_inbound(Inbound(number, mail, HELD, reason="list", player_id=ann.id))
    exported = farewell.export(around, ann.id)
    data = json.loads(exported)
    assert data["addresses"][0]["health"]["bounced_at"] == "2026-11-16T12:00:00.000000+00:00"
    assert data["held_mails"] == [{"arrived": "2026-11-16T12:00:00.000000+00:00", "reason": "list"}]
    assert data["player"]["name"] == "Ann"
    assert data["player"]["standing"] == "block A*"
    assert data["player"]["preferences"]["quiet_from"] == "22:00:00"
    assert data["player"]["leaves"][0]["first"] == "2026-12-01"
    assert [each["address"] for each in data["addresses"]] == ["player1@example.org"]
    by_id = {game["id"]: game for game in data["games"]}
    mine = by_id[match.id]
    assert [entry["text"] for entry in mine["entries"]] == ["setup WFEAAEFW"]
    assert mine["notes"][0]["text"] == "mine"
    assert mine["messages"][0]["text"] == "Good luck"
    assert mine["options"] == {"level": "master"}
    assert by_id[held.id]["held"] == ["W1 rng I4; end"]
    assert data["invitations"][0]["agreement"]["level"] == "water"
    seed = match.stored.start.seed.hex()
    for secret in ("not mine", "FWEAAEWF", "keep 7", "player2@", seed):
        assert secret not in exported
    match.send("black", "resign", 5)
    after = json.loads(farewell.export(around, ann.id))
    finished = {game["id"]: game for game in after["games"]}[match.id]
    assert finished["winner"] == 0
    assert any("FWEAAEWF" in entry["text"] for entry in finished["entries"])
    with pytest.raises(PbemError):
        farewell.export(around, 99)

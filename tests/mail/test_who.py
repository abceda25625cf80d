"""Who wrote a mail: the token and From together, and what our own server found out (L3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from pbem.mail.office import Office
from pbem.mail.parts import read_message
from pbem.mail.who import (
    FOREIGN_SENDER,
    Identity,
    Known,
    Stranger,
    ToConfirm,
    Unknown,
    identify,
    tell_player,
)
from pbem.play import farewell, players
from pbem.play.model import Player
from pbem.play.ports import Store, Surroundings
from pbem.play.post import Letter
from tests.mail.post import (
    DOMAIN,
    KEYS,
    NOON,
    make_inbound,
    make_letter,
    make_office,
    reply_destination,
)
from tests.mail.spoofs import AUTHSERV, mail, results

ANN = "ann@example.org"
BEAU = "beau@example.net"
NEW = "ann.new@example.org"


@dataclass
class House:
    """Ann, who has a letter with a token, and Beau."""

    around: Surroundings
    ann: Player
    beau: Player
    letter: Letter

    def save(self, letter: Letter) -> Letter:
        with self.around.store.begin() as unit:
            return unit.save_letter(letter)

    def who(
        self,
        *headers: tuple[str, str],
        to: str | None = None,
        office: Office | None = None,
        is_confirmed: bool = False,
    ) -> Identity:
        raw = mail(*headers)
        destination = reply_destination(self.letter) if to is None else to
        inbound = make_inbound(raw, destination, is_confirmed=is_confirmed)
        with self.around.store.read() as unit:
            return identify(unit, office or make_office(), inbound, read_message(raw))


@pytest.fixture
def house(store: Store) -> House:
    around = Surroundings(store, bytes)
    ann = players.join(around, "Ann", ANN, now=NOON, verified=True)
    beau = players.join(around, "Beau", BEAU, now=NOON, verified=True)
    players.add_address(around, ann.id, NEW, now=NOON)
    with store.begin() as unit:
        letter = unit.save_letter(make_letter(ann.id, ANN))
    return House(around, ann, beau, letter)


def sent_by(address: str) -> tuple[str, str]:
    return "From", address


def answering(letter: Letter, field: str = "In-Reply-To") -> tuple[str, str]:
    return field, f"<{KEYS.message_name(letter.message_id)}@{DOMAIN}>"


# -- the token ----------------------------------------------------------------------------------


def test_token_and_from_make_a_player_known(house: House) -> None:
    found = house.who(sent_by("Ann <ANN@example.org>"))
    assert isinstance(found, Known)
    assert (found.player, found.address.address, found.letter) == (house.ann, ANN, house.letter)


@pytest.mark.parametrize("field", ["In-Reply-To", "References"])
@pytest.mark.parametrize("to", ["reply/0123", "service/play"])
def test_a_lost_token_is_made_good_by_the_thread(house: House, field: str, to: str) -> None:
    found = house.who(sent_by(ANN), answering(house.letter, field), to=to)
    assert isinstance(found, Known)
    assert found.letter == house.letter


def test_a_thread_that_anybody_could_have_reckoned_leads_nowhere(house: House) -> None:
    guessed = ("In-Reply-To", f"<{house.letter.message_id}@{DOMAIN}>")
    found = house.who(sent_by(ANN), guessed, to="reply/0123")
    assert isinstance(found, Known)
    assert found.letter is None


def test_the_token_counts_more_than_the_thread(house: House) -> None:
    other = house.save(make_letter(house.ann.id, ANN, message_id="ffff"))
    found = house.who(sent_by(ANN), answering(other))
    assert isinstance(found, Known)
    assert found.letter == house.letter


def test_the_nearest_of_several_letters_is_meant(house: House) -> None:
    newer = house.save(make_letter(house.ann.id, ANN, message_id="ffff"))
    both = f"{answering(house.letter)[1]} {answering(newer)[1]}"
    found = house.who(sent_by(ANN), ("References", both), to="reply/0123")
    assert isinstance(found, Known)
    assert found.letter == newer


# -- From ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("senders", "reason"),
    [
        (["mallory@example.net"], "foreign_from"),
        ([BEAU], "foreign_from"),
        ([NEW], "foreign_from"),
        ([f'"{ANN}" <mallory@example.net>'], "foreign_from"),
        (["ann@example.org.example.net"], "foreign_from"),
        (["\u0430nn@example.org"], "foreign_from"),
        ([], "no_from"),
        ([ANN, ANN], "two_from"),
        ([f"{ANN}, mallory@example.net"], "from_many"),
        ([f"x: {ANN};"], "from_group"),
        (["a\u200bnn@example.org"], "from_unreadable"),
    ],
)
def test_from_must_be_one_verified_address_of_the_player(
    house: House, senders: list[str], reason: str
) -> None:
    by_token = house.who(*map(sent_by, senders))
    by_thread = house.who(*map(sent_by, senders), answering(house.letter), to="service/play")
    for found in (by_token, by_thread):
        assert isinstance(found, Unknown)
        assert (found.reason, found.tell_player_id) == (reason, house.ann.id)


def test_any_verified_address_of_the_player_is_good(house: House) -> None:
    players.verify_address(house.around, house.ann.id, NEW, now=NOON)
    found = house.who(sent_by(NEW))
    assert isinstance(found, Known)
    assert found.address.address == NEW


def test_nobody_answers_for_a_player_who_has_left(house: House) -> None:
    with house.around.store.begin() as unit:
        unit.save_player(replace(house.ann, deleted_at=NOON))
    assert house.who(sent_by(ANN)) == Unknown("player_gone")
    assert house.who(sent_by("mallory@example.net")) == Unknown("player_gone")
    assert house.who(sent_by(ANN), to="service/join") == Stranger(ANN, "")


def test_letters_of_merged_players_belong_to_the_one_who_stays(house: House) -> None:
    farewell.merge(house.around, house.beau.id, house.ann.id, now=NOON)
    for address in (ANN, BEAU):
        found = house.who(sent_by(address))
        assert isinstance(found, Known)
        assert found.player.id == house.beau.id


@pytest.mark.parametrize("kind", ["address_confirmation", "invitation"])
def test_a_first_letter_may_be_answered_from_where_it_went(house: House, kind: str) -> None:
    letter = house.save(make_letter(house.ann.id, NEW, message_id="eeee", kind=kind))
    to = reply_destination(letter)
    found = house.who(sent_by(NEW), to=to)
    assert isinstance(found, Known)
    assert found.address.verified_at is None
    assert isinstance(house.who(sent_by("mallory@example.net"), to=to), Unknown)
    # Another letter to it may not, nor another address that is not verified.
    later = house.save(make_letter(house.ann.id, NEW, message_id="dddd"))
    assert isinstance(house.who(sent_by(NEW), to=reply_destination(later)), Unknown)
    third = "ann.third@example.org"
    players.add_address(house.around, house.ann.id, third, now=NOON)
    assert isinstance(house.who(sent_by(third), to=to), Unknown)


# -- without a letter ---------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["service/play", "service/join", "reply/0123"])
def test_a_player_is_known_by_a_verified_address(house: House, to: str) -> None:
    found = house.who(sent_by(ANN), to=to)
    assert isinstance(found, Known)
    assert (found.player, found.letter) == (house.ann, None)


def test_others_are_strangers_at_a_service_address(house: House) -> None:
    found = house.who(sent_by("Eve <EVE@example.com>"), to="service/join")
    assert found == Stranger("eve@example.com", "Eve")
    assert house.who(sent_by(NEW), to="service/play") == Stranger(NEW, "")


def test_a_stranger_with_no_token_of_ours_is_nobody(house: House) -> None:
    found = house.who(sent_by("eve@example.com"), to="reply/0123")
    assert found == Unknown("unknown_token", sender="eve@example.com")
    assert house.who(to="service/join") == Unknown("no_from")


# -- trust --------------------------------------------------------------------------------------


def test_the_policy_token_asks_for_no_from(house: House) -> None:
    office = make_office(trust="token")
    for headers in ([], [sent_by("mallory@example.net")], [sent_by(ANN), sent_by(ANN)]):
        found = house.who(*headers, office=office)
        assert isinstance(found, Known)
        assert found.address.address == ANN
    # Without the token itself there is nothing else to trust.
    found = house.who(
        sent_by("mallory@example.net"), answering(house.letter), to="service/play", office=office
    )
    assert isinstance(found, Unknown)


PASS = "{id}; dmarc=pass header.from=example.org"
FAIL = "{id}; dmarc=fail header.from=example.org"


@pytest.mark.parametrize(
    ("trust", "authserv", "value", "wanted"),
    [
        ("token+from", AUTHSERV, PASS, Known),
        ("token+from", AUTHSERV, "{id}; spf=pass", Known),
        ("token+from", AUTHSERV, FAIL, ToConfirm),
        ("token+from", None, FAIL, Known),
        ("token", AUTHSERV, FAIL, ToConfirm),
        ("token+from+dmarc", AUTHSERV, PASS, Known),
        ("token+from+dmarc", AUTHSERV, FAIL, ToConfirm),
        ("token+from+dmarc", AUTHSERV, "{id}; dmarc=none", ToConfirm),
        ("token+from+dmarc", AUTHSERV, "mx.example.net; dmarc=pass", ToConfirm),
        ("token+from+dmarc", None, PASS, ToConfirm),
    ],
)
def test_dmarc(house: House, trust: Any, authserv: str | None, value: str, wanted: type) -> None:
    office = make_office(trust=trust, authserv_id=authserv)
    headers = [*results([value]), sent_by(ANN)]
    for to in (None, "service/play"):
        found = house.who(*headers, to=to, office=office)
        assert type(found) is wanted
    # Once the player has confirmed it, it is theirs.
    assert isinstance(house.who(*headers, office=office, is_confirmed=True), Known)


def test_a_confirmation_does_not_make_good_for_a_foreign_from(house: House) -> None:
    found = house.who(sent_by("mallory@example.net"), is_confirmed=True)
    assert isinstance(found, Unknown)


def test_a_forged_stranger_is_nobody(house: House) -> None:
    office = make_office(authserv_id=AUTHSERV)
    forged = results(["{id}; dmarc=fail header.from=example.com"])
    found = house.who(*forged, sent_by("eve@example.com"), to="service/join", office=office)
    assert found == Unknown("dmarc_fail", sender="eve@example.com")


# -- telling ------------------------------------------------------------------------------------


def test_the_player_is_told_once_a_day_for_each_reason(house: House) -> None:
    foreign, faulty = house.who(sent_by("mallory@example.net")), house.who()
    assert isinstance(foreign, Unknown)
    assert isinstance(faulty, Unknown)
    with house.around.store.begin() as unit:
        for number in range(5):
            for unknown in (foreign, faulty, Unknown("unknown_token")):
                tell_player(unit, make_inbound(number=number), unknown, NOON)
    with house.around.store.begin() as unit:
        waiting = [each.notice for each in unit.claim_notices(NOON, lease=NOON - NOON, limit=9)]
    assert {(each.player_id, each.kind) for each in waiting} == {(house.ann.id, FOREIGN_SENDER)}
    assert [each.facts for each in waiting] == [
        {"reason": "foreign_from", "inbound": 0, "sender": "mallory@example.net"},
        {"reason": "no_from", "inbound": 0},
    ]

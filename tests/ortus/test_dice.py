"""R9.5: lots and dice that anyone can check, against the recipe written out once more here."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from pbem.games.ortus import dice
from pbem.games.ortus.dice import commitment, face, lot, random_byte

SEED = bytes(range(32))


def bytes_of(seed: bytes, message: str) -> list[int]:
    return list(hmac.new(seed, message.encode("ascii"), hashlib.sha256).digest())


def first_below(seed: bytes, message: str, limit: int = 252) -> int:
    return next(byte for byte in bytes_of(seed, message) if byte < limit)


def test_numbers_come_from_the_recipe() -> None:
    for number in range(300):
        expected = first_below(SEED, f"cup-7/{number}")
        assert random_byte(SEED, "cup-7", number) == expected
        assert face(SEED, "cup-7", number) == expected % 6
    assert lot(SEED, "cup-7") == first_below(SEED, "cup-7/0") % 2


def test_a_byte_from_252_on_is_skipped() -> None:
    skipping = [number for number in range(600) if bytes_of(SEED, f"cup-7/{number}")[0] >= 252]
    assert skipping, "no digest of the sample begins with a high byte"
    for number in skipping:
        drawn = random_byte(SEED, "cup-7", number)
        assert drawn < 252
        assert drawn == first_below(SEED, f"cup-7/{number}")


def test_a_digest_without_a_low_byte_leads_to_the_next_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # No such digest can be found by trying; so the bar is lowered until there are some.
    monkeypatch.setattr(dice, "_FAIR_BELOW", 6)
    seen = set()
    for number in range(60):
        tries = 0
        message = f"cup-7/{number}"
        while min(bytes_of(SEED, message)) >= 6:
            tries += 1
            message = f"cup-7/{number}/{tries}"
        seen.add(tries)
        assert random_byte(SEED, "cup-7", number) == first_below(SEED, message, 6)
    assert {0, 1, 2} <= seen


def test_known_figures() -> None:
    # Worked out with openssl: printf 'g/0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…
    assert bytes_of(bytes(32), "g/0")[0] == KNOWN_FIRST
    assert random_byte(bytes(32), "g", 0) == KNOWN_FIRST
    assert commitment(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


KNOWN_FIRST = 0x6D


def test_faces_and_lots_are_fair_enough() -> None:
    faces = [face(SEED, "fair", number) for number in range(1, 1201)]
    assert set(faces) == set(range(6))
    assert all(150 < faces.count(index) < 250 for index in range(6))
    lots = [lot(SEED, f"game-{number}") for number in range(400)]
    assert 150 < sum(lots) < 250


def test_seed_and_game_both_matter() -> None:
    sample = [random_byte(SEED, "a", number) for number in range(20)]
    assert sample != [random_byte(SEED, "b", number) for number in range(20)]
    assert sample != [random_byte(bytes(32), "a", number) for number in range(20)]

"""A verifier of chain, seed, lot and dice that was written from docs/verifying.md alone.

Nothing but the standard library: ``python verifier.py game.log game.ogn`` says what is wrong. The
rules of the game and the clocks are not looked at; that is what ``pbem verify`` is for.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator
from typing import Any

FACES = {
    "rng": ("3", "4", "5"),
    "drg": ("3", "4", "5"),
    "chg": ("4/1", "5/2", "6/3"),
    "wave": ("4/1", "5/2", "6/3"),
    "str": ("2/4", "3/3", "4/2"),
    "six": ("2/4", "3/3", "4/2"),
}
TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
ATTACK = re.compile(r"\b(rng|drg|chg|wave|str|six) ([A-O]\d+(?:@[A-O]\d+)?)(?:\(([\d/]+)\))?")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def random_byte(seed: bytes, game_id: str, number: int) -> int:
    message, attempt = f"{game_id}/{number}", 0
    while True:
        for byte in hmac.new(seed, message.encode("ascii"), hashlib.sha256).digest():
            if byte < 252:
                return byte
        attempt += 1
        message = f"{game_id}/{number}/{attempt}"


def check_log(lines: list[str]) -> tuple[dict[str, Any], list[str]]:
    """What the log says of the game (id, seed, head), and everything wrong with it."""
    seed = bytes.fromhex(json.loads(lines[0])["seed"])
    faults = [] if len(seed) == 32 else ["the seed has not 32 bytes"]
    previous, last, first = "0" * 64, "", {}
    for place, line in enumerate(lines[1:]):
        number, seat, came, effect, salt, text, hash_ = json.loads(line)
        if number != place or seat not in (None, 0, 1):
            faults.append(f"entry {place}: its number or its seat is wrong")
        if not (INSTANT.fullmatch(came) and INSTANT.fullmatch(effect)):
            faults.append(f"entry {place}: an instant is written wrongly")
        if effect < came or effect < last:
            faults.append(f"entry {place}: it took effect too early")
        seal = sha256(bytes.fromhex(salt) + text.encode())
        parts = (previous, str(number), "-" if seat is None else str(seat), came, effect, seal)
        if sha256("\n".join(parts).encode()) != hash_:
            faults.append(f"entry {place}: its hash does not follow from it")
        previous, last = hash_, effect
        if number == 0:
            first = json.loads(text)
    if first.get("seed_hash") != sha256(seed):
        faults.append("the seed is not the one that was promised")
    return {"id": first.get("id"), "first": first, "seed": seed, "head": previous}, faults


def main_line(moves: str) -> str:
    """The moves without comments and variations; a ``(`` of a roll follows its hex directly."""
    kept, depth, is_comment = [], 0, False
    for place, sign in enumerate(moves):
        if is_comment:
            is_comment = sign != "}"
        elif sign == "{":
            is_comment = True
        elif sign == "(" and (depth or moves[place - 1] in " \n"):
            depth += 1
        elif sign == ")" and depth:
            depth -= 1
        elif not depth:
            kept.append(sign)
    return "".join(kept)


def check_record(text: str, log: dict[str, Any] | None = None) -> list[str]:
    """Everything wrong with the dice of a record, and with its tags beside a log."""
    head, _, moves = text.partition("\n\n")
    tags = dict(TAG.findall(head))
    faults = []
    if log is not None:
        expected = {
            "GameId": log["id"],
            "SeedHash": log["first"]["seed_hash"],
            "Seed": log["seed"].hex(),
            "LogHash": log["head"],
            "Dice": log["first"]["options"].get("dice", "clean"),
        }
        faults += [f"{name} is not {value}" for name, value in expected.items()
                   if tags.get(name) != value]  # fmt: skip
        faults += lot_faults(tags, log)
    seed = bytes.fromhex(tags["Seed"])
    if tags["SeedHash"] != sha256(seed):
        faults.append("the seed is not the one that was promised")
    for number, (verb, target, roll) in enumerate(ATTACK.findall(main_line(moves)), start=1):
        index = random_byte(seed, tags["GameId"], number) % 6
        drawn = FACES[verb][index // 2] if tags["Dice"] == "dicey" else ""
        if roll != drawn:
            faults.append(f"attack {number}, on {target}: rolled {roll or '-'}, not {drawn or '-'}")
    return faults


def lot_faults(tags: dict[str, str], log: dict[str, Any]) -> Iterator[str]:
    options = log["first"]["options"]
    is_by_lot = options.get("starter", "lot") == "lot" and not options.get("bid")
    if is_by_lot and not options.get("position") and "Starter" in tags:
        drawn = ("gold", "black")[random_byte(log["seed"], log["id"], 0) % 2]
        if tags["Starter"] != drawn:
            yield f"the lot says that {drawn} starts"


def main(log_file: str, record_file: str) -> int:
    with open(log_file, encoding="utf-8") as lines:
        log, faults = check_log(lines.read().splitlines())
    with open(record_file, encoding="utf-8") as record:
        faults += check_record(record.read(), log)
    print("\n".join(faults) or f"sound; the head of the chain is {log['head']}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

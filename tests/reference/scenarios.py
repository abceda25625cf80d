"""Short games with a purpose: each is a start, a script, and the edge of the rules it stands on.

They are data, long because the rules have many edges. `own_vectors` turns them into conformance
vectors; what happens in them is told by the reference engine, not by this file.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.reference.board import BLACK, GOLD, HAVEN, name_of

SETUP = "WFEAAEFW"


@dataclass(frozen=True, slots=True)
class Scenario:
    """`script` separates steps by `;`, a face index follows its attack after `#`."""

    name: str
    covers: str
    start: dict[str, Any]
    script: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A position for people: only the warriors that left their slots are named."""

    gold: str = ""
    black: str = ""
    level: str = "master"
    arena: str = "origin"
    side: str = GOLD
    energy: tuple[int, int] = (14, 14)
    honour: tuple[int, int] = (0, 0)
    guide: tuple[str, str] = ("-", "-")
    dicey: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    def start(self) -> dict[str, Any]:
        """The `start` of a vector."""
        pairs = [f"{a} {b}" for a, b in (self.energy, self.honour, self.guide)]
        houses = [_warriors(GOLD, self.gold), _warriors(BLACK, self.black)]
        head = f"{self.arena} {self.level} {self.side[0]} 5"
        return {
            "position": " | ".join([head, *pairs, *houses]),
            **self.more,
            "level": self.level,
            "arena": self.arena,
            "dicey": self.dicey,
        }


def _warriors(house: str, placed: str) -> str:
    places = {
        f"{element}{slot}": HAVEN[house][slot - 1] for slot, element in enumerate(SETUP, start=1)
    }
    for word in placed.split():
        name, place = word.split("@")
        assert name in places, word
        places[name] = place
    return " ".join(f"{name}@{place}" for name, place in places.items())


OWN_ARENA = {
    "wells": ["F6", "I6", "L6", "B8", "N8", "D10", "G10", "J10"],
    "cuts": ["G6", "I10", "F4", "J12", "H5", "H11"],
}
# A wave along letter G: landing G4, then victims on G5, G7, G9 and, too far, G12.
WAVE_LINE = "W1@G5 F2@G7 A4@G9 W8@G12"
WAVE = "A4 wave G5@G4"


def wave_scenarios() -> Iterator[Scenario]:
    """M4.1 and R6.2 for waves."""

    def wave(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        chosen = {"gold": "A4@G2", "black": WAVE_LINE, "level": "water"} | scene
        return Scenario(f"wave-{name}", covers, Scene(**chosen).start(), script)

    yield wave("unasked", "three fall unasked, the fourth stands", WAVE, energy=(14, 0))
    yield wave("all-asked", "Powers 5, 3, 1 asked in turn", f"{WAVE}; G5-; G7-; G9-")
    yield wave("second-asked", "first unasked, second asked", f"{WAVE}; G7+", energy=(14, 4))
    yield wave("third-asked", "two unasked, third asked", f"{WAVE}; G9-", energy=(14, 2))
    yield wave("saved", "a save stops the wave", f"{WAVE}; G5-; G7+; end")
    yield wave("own", "an own warrior stops it", f"{WAVE}; G5-; end", gold="A4@G2 F2@G6")
    haven = "W1@G13 F2@G14"
    yield wave(
        "haven", "a Haven stops it", "A4 wave G13@G12; G13-; G14-", gold="A4@G10", black=haven
    )
    core = "W1@H6 F2@H9"
    yield wave("core", "the Core stops it", "A4 wave H6@H5; H6-", gold="A4@H3", black=core)
    edge = "W1@N6 F2@E6"
    yield wave("edge", "the edge stops it", "A4 wave N6@M6; N6-", gold="A4@K6", black=edge)
    covered = "W1@G5 E3@G7"
    yield wave("covered", "a covered Earth is a further victim", f"{WAVE}; G5-; G7-", black=covered)
    own = {"arena": "own", "more": OWN_ARENA}
    yield wave("cut", "a cut hex stops it", f"{WAVE}; G5-", black="W1@G5 F2@G7", **own)
    yield wave(
        "eighth", "the eighth honour ends it", f"{WAVE}; G5-", honour=(7, 2), guide=("H7", "H14")
    )
    yield wave(
        "eighth-later", "owed steps lapse", WAVE, energy=(14, 0), honour=(6, 0), guide=("I6", "-")
    )
    for face, answers in ((0, "G5-; G7-; G9-"), (2, "G5-; G7-; G9+"), (4, "G5-; G7-; end")):
        covers = f"dark die, face {face // 2 + 1}" + (
            ": Power 0 saves unasked" if face == 4 else ""
        )
        yield wave(f"dicey-{face}", covers, f"{WAVE}#{face}; {answers}", dicey=True)
    yield wave("dicey-free", "Power 0 with no Energy left", f"{WAVE}#5", dicey=True, energy=(14, 0))


def phoenix_scenarios() -> Iterator[Scenario]:
    """M5.1, M5.2."""

    def phoenix(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        return Scenario(f"phoenix-{name}", covers, Scene(**scene).start(), script)

    landing_cuts = {"gold": "A4@I3", "black": "W1@G5 F2@G2 F7@K5 A4@G8"}
    yield phoenix(
        "before-move", "the landing cuts the line too late", f"{WAVE}; G5-; G8-", **landing_cuts
    )
    leaves = {"gold": "A4@I5", "black": "W1@G5 F2@G9 F7@K5"}
    yield phoenix("opened", "the charger opens the line too late", f"{WAVE}; G5+", **leaves)
    anew = {"gold": "A4@J7", "black": "W1@G5 A4@G7 F2@I5 F7@M7 W8@G9"}
    yield phoenix("anew", "second attack read anew", f"{WAVE}; G5-; G7-; G9-", **anew)
    yield phoenix(
        "anew-rolled",
        "the third attack too subtracts from the rolled figure",
        f"{WAVE}#0; G5-; G7-; G9+",
        dicey=True,
        **anew,
    )
    for face in (0, 2, 4):
        yield phoenix(
            f"rolled-{face}",
            "a wave subtracts from the rolled figure",
            f"{WAVE}#{face}; G5-; G7-",
            dicey=True,
            gold="A4@I3",
            black="W1@G5 F2@G2 F7@K5 A4@G7",
        )
    third = {"gold": "A4@G2", "black": "W1@G5 A4@G7 W8@G9 F2@C9 F7@K9"}
    yield phoenix("third", "a lower Power stays", f"{WAVE}; G5-; G7-; G9+", **third)
    six = {"gold": "A4@I5", "black": "W1@J10 A4@I10 W8@K9 F2@M10 F7@J13"}
    yield phoenix("six", "one of three victims shielded", "A4 six J10@J9; J10+ I10- K9+", **six)
    six_cut = {"gold": "A4@I5", "black": "W1@J10 W8@J8 F2@J13 F7@J3"}
    yield phoenix("six-line", "further victim", "A4 six J10@J9; J10- J8-", **six_cut)
    fires = {"gold": "W1@G3", "black": "F2@G9 F7@K9"}
    yield phoenix("fires", "Fires shield each other", "W1 rng G9; G9+; end", **fires)
    apart = {"gold": "W1@G3 E3@I9", "black": "F2@G9 F7@K9"}
    yield phoenix("apart", "Fires with a warrior between", "W1 rng G9; G9-; end", **apart)
    home = {"gold": "W1@G3", "black": "A4@G9 F2@K9"}
    yield phoenix("home", "a Fire in the Haven shields nobody", "W1 rng G9; G9-; end", **home)
    level = {"gold": "W1@G3", "black": "F2@G9 F7@K9", "level": "water"}
    yield phoenix("off", "no Phoenix below master", "W1 rng G9; G9+; end", **level)


def six_scenarios() -> Iterator[Scenario]:
    """M4.2, R6.1, R6.2."""

    def six(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        chosen = {"gold": "A4@I5", "level": "water"} | scene
        chosen.setdefault("black", "W1@J10 A4@I9 E3@I10 W8@K9")
        return Scenario(f"six-{name}", covers, Scene(**chosen).start(), script)

    act = "A4 six J10@J9"
    yield six("order", "I9 before I10; a covered Earth is hit", f"{act}; J10+ I9- I10+ K9-; end")
    yield six("poor", "each alone can be paid", f"{act}; J10- I9- I10+ K9-; end", energy=(14, 5))
    yield six("unasked", "nobody can be paid for", f"{act}; end", energy=(14, 2))
    eighth = {"honour": (6, 0), "guide": ("I6", "-")}
    yield six("eighth", "later victims stay", f"{act}; J10- I9+ I10- K9-", **eighth)
    yield six("eighth-unasked", "later victims stay", act, energy=(14, 2), **eighth)
    haven = "W1@E14"
    yield six(
        "haven",
        "warriors in their Haven are safe",
        "A4 six E14@D14; E14-",
        gold="A4@D10",
        black=haven,
    )
    yield six(
        "dicey-0",
        "light die 2/4, not all payable",
        f"{act}#0; J10+ I9- I10- K9-",
        dicey=True,
        energy=(14, 3),
    )
    yield six("dicey-2", "light die 3/3", f"{act}#3; J10+ I9+ I10- K9-", dicey=True)
    yield six("dicey-4", "light die 4/2", f"{act}#4; J10- I9+ I10+ K9+", dicey=True, energy=(14, 7))


def dragons_scenarios() -> Iterator[Scenario]:
    """M5.3."""

    def dragons(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        chosen = {"gold": "F2@G5 F7@K6", "black": "W1@G9"} | scene
        return Scenario(f"dragons-{name}", covers, Scene(**chosen).start(), script)

    act = "F2+F7 drg G9"
    yield dragons(
        "plain",
        "both may still move",
        f"{act}; G9-; F2>G6; guide>K1; F7>K10; end",
        gold="F2@G5 F7@K9",
    )
    yield dragons(
        "earth", "a revealed Earth", f"{act}; G9+", gold="F2@G5 F7@K9 E3@C9", black="E3@G9"
    )
    yield dragons(
        "hidden", "a covered Earth is no target", "end", gold="F2@G5 F7@K9", black="E3@G9"
    )
    yield dragons("near", "not at distance 1", "end", gold="F2@G8 F7@K9")
    yield dragons("moved", "after a move into line", f"F7>K9; {act}; G9-; end")
    late = {"gold": "F2@J9", "black": "W1@J6"}
    yield dragons("late", "one Fire was in the Haven", "F7>N2; end", **late)
    for face in (1, 3, 5):
        yield dragons(
            f"dicey-{face}", "yellow die", f"{act}#{face}; G9+", dicey=True, gold="F2@G5 F7@K9"
        )
    shield = "W1@G9 F2@G12 F7@B9"
    yield dragons("shielded", "Power 2", f"{act}; G9+", gold="F2@G5 F7@K9", black=shield)


def guide_scenarios() -> Iterator[Scenario]:
    """R6.4: the steps the server takes, from every side of the board, for both Houses."""
    sides = ((3, -7), (7, -7), (7, -3), (4, 3), (-3, 7), (-7, 4), (-3, -4))
    places = {GOLD: "W1@G7", BLACK: "W1@G8"}
    for house, (q, r) in product((GOLD, BLACK), sides):
        guide = name_of(q, r)
        assert guide is not None
        mine = house == GOLD
        yield Scenario(
            f"guide-{house}-{guide}",
            "a default step",
            Scene(
                gold=places[GOLD],
                black=places[BLACK],
                level="wind",
                side=house,
                energy=(14, 0) if mine else (0, 14),
                honour=(1, 0) if mine else (0, 1),
                guide=(guide, "-") if mine else ("-", guide),
            ).start(),
            f"W1 str {'G8' if mine else 'G7'}; end",
        )
    for house in (GOLD, BLACK):
        start = Scene(
            gold="W1@G7 W8@I4",
            black="W1@G8 W8@I5",
            level="wind",
            side=house,
            energy=(14, 0) if house == GOLD else (0, 14),
        ).start()
        first, second = ("G8", "I5") if house == GOLD else ("G7", "I4")
        slot = HAVEN[house][6]
        yield Scenario(
            f"guide-{house}-first",
            "two steps by default",
            start,
            f"W1 str {first}; W8 str {second}; end",
        )
        yield Scenario(
            f"guide-{house}-chosen",
            "one step chosen, one by default",
            start,
            f"W1 str {first}; W8 str {second}; guide>{slot}; end",
        )


def returning_scenarios() -> Iterator[Scenario]:
    """R7."""

    def back(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        chosen = {"level": "wind", "honour": (4, 0), "guide": ("K4", "-")} | scene
        return Scenario(f"return-{name}", covers, Scene(**chosen).start(), script)

    two = "W1@x F2@x E3@H1"
    yield back(
        "guide-once",
        "one Fallen a turn on the Guide",
        "W1 ret guide; F2 ret J1; end; end",
        gold=two,
    )
    yield back("default", "own slot taken, then a chain", "end", gold="W1@x F2@x E3@H1 A4@x A5@K1")
    yield back(
        "mixed", "one placed, the rest by default", "F2 ret H1; end", gold="W1@x F2@x E3@D7 A4@x"
    )
    yield back("occupied", "a warrior on the Guide", "end", gold="W1@x E3@K4")
    yield back("enemy-there", "an opposing warrior on the Guide", "end", gold="W1@x", black="W1@K4")
    home = {"honour": (1, 0), "guide": ("K1", "-")}
    yield back(
        "home",
        "the Guide in the Haven",
        "W1 ret guide; F2 ret H1; end",
        gold="W1@x F2@x A4@E6",
        **home,
    )
    owed = {"gold": "F2@x E3@x W1@G7", "black": "W1@G8", "energy": (14, 0)}
    yield back(
        "owed",
        "Guide steps before the Guide's hex",
        "W1 str G8; F2 ret I1; guide>J5; E3 ret guide; end",
        **owed,
    )
    yield back("owed-default", "owed steps at the end", "W1 str G8; F2 ret I1; end; end", **owed)
    cut = {"arena": "own", "more": OWN_ARENA, "guide": ("H5", "-"), "honour": (5, 0)}
    cut |= {"gold": "W1@x F2@x"}
    yield back("cut", "nobody returns onto a cut hex", "end", **cut)
    over = {
        "arena": "own",
        "more": OWN_ARENA,
        "honour": (4, 0),
        "guide": ("H4", "-"),
        "energy": (14, 0),
    }
    over |= {"gold": "W1@G7 F2@x", "black": "W1@G8"}
    yield back(
        "guide-over-cut",
        "a Guide steps onto a cut hex",
        "W1 str G8; guide>H5; F2 ret H1; end",
        **over,
    )
    yield back(
        "attacks-next",
        "who returned to the Guide may attack",
        "W1 ret guide; end; end; W1 str K5; K5-; end",
        gold="W1@x",
        black="W1@K5",
        energy=(14, 0),
    )
    yield back(
        "black",
        "Black returns",
        "E3 ret guide; end",
        side=BLACK,
        black="W1@x E3@x W8@H15",
        honour=(0, 3),
        guide=("-", "F13"),
    )


def collecting_scenarios() -> Iterator[Scenario]:
    """R3.1, R8.1, R9.2."""
    wells = ["F6", "I6", "L6", "B8", "N8"]
    names = ["W1", "F2", "E3", "A4", "A5"]
    for held, board in product(range(6), ("", "I", "II")):
        placed = " ".join(f"{n}@{w}" for n, w in list(zip(names, wells, strict=True))[:held])
        if held == 5 and board:
            continue
        scene = Scene(
            gold=placed, side=BLACK, more={"handicap_board": {GOLD: board}} if board else {}
        )
        yield Scenario(
            f"collect-{held}{board and '-' + board}", f"{held} Wells", scene.start(), "end"
        )
    setups = {"gold_setup": SETUP, "black_setup": "EAWFFWAE", "starter_energy": 7}
    for house, more in product((GOLD, BLACK), ("handicap", "handicap_board")):
        weak: dict[str, Any] = {"handicap": {GOLD: 0, BLACK: 0}}
        weak[more] = {**weak.get(more, {}), house: 3 if more == "handicap" else "II"}
        start = {
            **setups,
            "starter": GOLD,
            **weak,
            "level": "wind",
            "arena": "crown",
            "dicey": False,
        }
        yield Scenario(f"setups-{more}-{house}", "the first turns", start, "end; end; end; end")


def moving_scenarios() -> Iterator[Scenario]:
    """R4, R5, M2, M3, and cut hexes (R1.6)."""

    def move(name: str, covers: str, script: str, **scene: Any) -> Scenario:
        return Scenario(name, covers, Scene(**scene).start(), script)

    setups = {"gold_setup": SETUP, "black_setup": SETUP, "starter": BLACK, "starter_energy": 3}
    setups |= {"handicap": {GOLD: 0, BLACK: 0}, "level": "wind", "arena": "origin", "dicey": False}
    flights = "W1:kite>H9; F2>G14; end; W1:kite>A8; W8:kite>O8; end"
    yield Scenario("wind-limit", "one Wind in the first turn", setups, flights)
    apprentice = {**setups, "level": "apprentice", "starter_energy": 7}
    yield Scenario("wind-no-limit", "Winds walk in Apprentice", apprentice, "W1>H14; W8>A14; end")
    yield move(
        "wind-position", "no limit in a position", "W1:kite>A8; W8:kite>O8; end", level="wind"
    )
    strikes = {"gold": "F2@G7", "black": "W1@G8 F2@F8 W8@H6", "level": "wind"}
    yield move("strike-moved", "still next to one of them", "F2>G6; end", **strikes)
    yield move("strike-round", "moved round the target", "F2>F7; F2 str F8; F8-; end", **strikes)
    arrived = {"gold": "F2@G4", "black": "W1@G8", "level": "apprentice"}
    yield move("strike-arrived", "not next to it when the turn began", "F2>G7; end", **arrived)
    home = {"gold": "F2@H2 A4@K2", "black": "W1@J3", "level": "apprentice"}
    yield move("haven-attack", "no attack from the Haven", "F2>I1; A4>K1; end", **home)
    yield move(
        "left-haven",
        "no attack in the turn one leaves it",
        "E3>J2; end",
        black="W1@J5",
        level="apprentice",
    )
    landing = {
        "gold": "A4@M2 E3@D6",
        "black": "W1@K2 F2@D5",
        "level": "apprentice",
        "energy": (28, 5),
    }
    yield move(
        "charge-landing", "landings on the Arena only", "A4 chg K2@L2; K2+; E3>D7; end", **landing
    )
    walled = {
        "gold": "F2@D5 E3@E4 A4@D6 A5@C6 E6@E5 W1@F6",
        "black": "W1@I9",
        "level": "apprentice",
    }
    yield move("walled-in", "no walk and no path", "end", **walled)
    near_haven = {"gold": "W1@C14", "black": "W8@A14 F7@B14 E6@B13 A5@A13", "level": "wind"}
    yield move("range-haven", "the path keeps out of the opposing Haven", "end", **near_haven)
    bear = {"gold": "E3@G5 E6@C9 W8@J9", "black": "E3@G9 E6@K7 W1@H9", "level": "earth"}
    yield move(
        "bear",
        "Power 6, two Energy a step",
        "E3 chg H9@I8; H9+; E6>C10; end",
        **bear,
    )
    dicey_bear = {**bear, "dicey": True}
    for face in (0, 2, 4):
        yield move(
            f"bear-dicey-{face}", "rolled figure and one", f"E3 chg H9@I8#{face}; H9+", **dicey_bear
        )
    for verb, face in product(("str", "rng", "chg"), (1, 3, 5)):
        act = {"str": "F2 str G8", "rng": "F7 rng G8", "chg": "A4 chg G8@F8"}[verb]
        dice = {"gold": "F2@G7 F7@K5 A4@D8", "black": "W1@G8", "level": "apprentice", "dicey": True}
        yield move(f"{verb}-dicey-{face}", "a face of its die", f"{act}#{face}; G8+; end", **dice)
    cuts = {"arena": "own", "more": OWN_ARENA, "energy": (22, 9)}
    around = {"gold": "W1@G4 F2@G3 E3@H4 A4@E4", "black": "E3@H6 W1@G7 F2@G8 A4@I11", **cuts}
    yield move(
        "cut-lines", "cuts stop walks, kites and Hexlines", "W1:kite>G5; A4>G2; end", **around
    )
    covered = {"gold": "W1@E9 E3@K6", "black": "E3@G9 E6@K9", "level": "earth"}
    yield move(
        "covered", "one Earth covered, one revealed", "W1 rng K9; K9-; guide>H1; end", **covered
    )
    behind = {"gold": "W1@G4 E3@H6 F2@G8", "black": "E3@H10 E6@K10", "level": "earth"}
    yield move("core-line", "the Core cuts a Hexline", "W1:kite>G7; end", **behind)


def scenarios() -> Iterator[Scenario]:
    """All of them."""
    for group in (
        wave_scenarios,
        phoenix_scenarios,
        six_scenarios,
        dragons_scenarios,
        guide_scenarios,
        returning_scenarios,
        collecting_scenarios,
        moving_scenarios,
    ):
        yield from group()

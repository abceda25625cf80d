"""The rules of the elements, M1 to M5."""

from __future__ import annotations

from typing import Final

from pbem.tongue import N_
from pbem.web.manual.model import Clause, Figure, Section, Table

MASTER: Final = Section(
    "M",
    N_("The Master game"),
    (
        N_(
            "Each element has rules of its own. They are switched on one after the other; the level"
            " of a game says how far. An element whose rules are off plays as Apprentice."
        ),
    ),
    table=Table(
        (N_("Level"), N_("Wind"), N_("Earth"), N_("Water"), N_("Fire")),
        (
            ("apprentice", "–", "–", "–", "–"),
            ("wind", N_("on"), "–", "–", "–"),
            ("earth", N_("on"), N_("on"), "–", "–"),
            ("water", N_("on"), N_("on"), N_("on"), "–"),
            ("master", N_("on"), N_("on"), N_("on"), N_("on")),
        ),
        code=(0,),
    ),
    clauses=(
        Clause(
            "M1",
            N_("Hexline"),
            (
                N_(
                    "Two warriors on the Arena share a Hexline if they are on one straight line and"
                    " neither a warrior nor the Core is between them. Neighbours always do. Guides"
                    " do not matter."
                ),
            ),
            Figure(
                caption=N_(
                    "The Fire on F10 shares Hexlines with F6 and J10. Not with F4, behind F6; not"
                    " with I7, behind the Core; not with H11, on no line."
                ),
                level="master",
                turn="b",
                energy="14 18",
                gold="A4@J10 W1@I7",
                black="F2@F10 W1@F6 A4@F4 E3@H11",
                lines="F10-F6 F10-J10",
            ),
        ),
    ),
)

WIND: Final = Section(
    "M2",
    N_("Wind"),
    clauses=(
        Clause(
            "M2.1",
            N_("Path of the Kite"),
            (
                N_(
                    "Wind does not walk: it flies. It slides in one of six directions over empty"
                    " Arena hexes as far as it can, and stops before the edge, the Core, a warrior"
                    " or a Haven. It cannot stop earlier. It costs nothing."
                ),
            ),
            Figure(
                caption=N_("The six places W1 can fly to are outlined. It flies to G8."),
                level="wind",
                energy="18 6",
                gold="W1@E8 A4@B8",
                black="E3@C10",
                orders="W1:kite>G8",
                path="E14 E4 G8 C8 D9 K2",
                shown="B8 E14 E4 K2",
            ),
        ),
        Clause(
            "M2.2",
            N_("One in the first turn"),
            (
                N_(
                    "In the first turn of the game only one Wind warrior may leave the Haven of the"
                    " player who starts."
                ),
            ),
            Figure(
                caption=N_("W1 has flown to H7. Now W8 has to wait until the next turn."),
                level="wind",
                round=1,
                energy="7 14",
                orders="W1:kite>H7",
                shown="G7 H1 O1",
            ),
        ),
        Clause(
            "M2.3",
            N_("Road of the Storm"),
            (N_("Wind shoots as before, at the cost of R5.4, and may still strike."),),
            Figure(
                caption=N_("W1 flies to F6 and then shoots at F9, for 3 Energy."),
                level="wind",
                gold="W1@I3 A4@E7",
                black="A4@F9",
                energy="14 6",
                orders="W1:kite>F6; W1 rng F9",
            ),
        ),
    ),
)

EARTH: Final = Section(
    "M3",
    N_("Earth"),
    clauses=(
        Clause(
            "M3.1",
            N_("Stepping Jaguar"),
            (
                N_(
                    "An Earth on the Arena is covered: nobody can aim at it. While an opposing"
                    " Earth shares a Hexline with it, it is revealed to all. Waves and Streams"
                    " aimed"
                    " at others hit it covered or not."
                ),
            ),
            Figure(
                caption=N_(
                    "Black's Earth on F11 sees the one on F6, so W1 may shoot at it. Nobody sees"
                    " the"
                    " Earth on L6: it is covered."
                ),
                level="earth",
                turn="b",
                gold="E3@F6 E6@L6",
                black="E3@F11 W1@D9",
                energy="4 14",
                orders="W1 rng F6",
                refused="W1 rng L6",
                lines="F11-F6",
            ),
        ),
        Clause(
            "M3.2",
            N_("Raging Bear"),
            (
                N_(
                    "Earth's charge now has Power 6 and costs 2 Energy a step; it replaces the"
                    " strike too. Walking still costs 1 a step. A neighbour cannot be charged."
                ),
            ),
            Figure(
                caption=N_(
                    "Four steps to G8 cost 8 Energy. The Water on G7 is attacked with Power 6."
                ),
                level="earth",
                turn="b",
                gold="A4@G7",
                black="E3@F12",
                energy="7 14",
                orders="E3 chg G7@G8",
            ),
        ),
    ),
)

WATER: Final = Section(
    "M4",
    N_("Water"),
    clauses=(
        Clause(
            "M4.1",
            N_("Flow of Crashing Waves"),
            (
                N_(
                    "A charge with Power 5, written `wave`. If the target falls, the wave runs on"
                    " in"
                    " the same direction to the next warrior: Power 3, and after that Power 1. A"
                    " save stops it; so does an own warrior, the Core, a Haven or the edge. Each of"
                    " these attacks is defended by itself."
                ),
            ),
            Figure(
                caption=N_("F9 falls, the wave runs on to F7, that falls too, and it reaches F4."),
                level="master",
                turn="b",
                gold="F2@F9 E3@F7 F7@F4",
                black="A4@G12",
                energy="9 14",
                orders="A4 wave F9@F10",
                answers="- - +",
            ),
        ),
        Clause(
            "M4.2",
            N_("Strike of Six Streams"),
            (
                N_(
                    "A charge with Power 3, written `six`. It hits everybody of the other House"
                    " next"
                    " to the landing hex, covered or not, each with Power 3. The defender answers"
                    " for all of them at once."
                ),
            ),
            Figure(
                caption=N_("Three are hit. Gold has 5 Energy, enough to save one of them."),
                level="water",
                turn="b",
                gold="F2@F8 E3@G8 A4@E9",
                black="A4@F13",
                energy="5 14",
                orders="A4 six F8@F9",
            ),
            code="F8+ E9- G8-",
        ),
    ),
)

FIRE: Final = Section(
    "M5",
    N_("Fire"),
    clauses=(
        Clause(
            "M5.1",
            N_("The Phoenix"),
            (
                N_(
                    "In your opponent's turn your warriors that share a Hexline with both of your"
                    " Fires are shielded, and so are the Fires themselves if they share one. Both"
                    " must be on the Arena. The Power of an attack on a shielded warrior is 2 at"
                    " most."
                ),
            ),
            Figure(
                caption=N_(
                    "The Fires on D6 and G3 see each other, and both see G6. All are shielded."
                ),
                level="master",
                turn="b",
                gold="F2@D6 A4@G6 F7@G3",
                energy="6 14",
                lines="D6-G6 G6-G3 D6-G3",
            ),
        ),
        Clause(
            "M5.2",
            N_("When the shield counts"),
            (
                N_(
                    "The shield is looked at when the attack is declared, before a charging warrior"
                    " moves. A wave that runs on looks again each time."
                ),
            ),
            Figure(
                caption=N_(
                    "The charge meets the shield: 2 Energy save the Water. But now A5 stands in the"
                    " Hexline, and the next attack has its full Power."
                ),
                level="master",
                turn="b",
                gold="F2@D6 A4@G6 F7@G3",
                black="A5@F10",
                energy="6 14",
                orders="A5 wave G6@F6",
                answers="+",
                after=True,
                lines="G6-G3 D6-G3",
                shown="D6 G6 G3 F10",
            ),
        ),
        Clause(
            "M5.3",
            N_("The Dragons"),
            (
                N_(
                    "Both Fires attack together, written `drg`. Each shares a Hexline with the"
                    " target, two or more hexes away. Power 4, for nothing. It uses up the attack"
                    " of"
                    " both; each may still move. It replaces Fire's range and strike."
                ),
            ),
            Figure(
                caption=N_("F2 walks into the line of G7. Then both Fires attack it."),
                level="master",
                turn="b",
                gold="E3@G7",
                black="F2@C9 F7@G11 E3@D10",
                energy="5 18",
                orders="F2>D7; F2+F7 drg G7",
                lines="D10-G7",
            ),
        ),
    ),
)

ELEMENTS: Final = (MASTER, WIND, EARTH, WATER, FIRE)

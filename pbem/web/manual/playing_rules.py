"""The rules of the Apprentice game, R1 to R8, and the variants, R9. Texts and figures only."""

from __future__ import annotations

from typing import Final

from pbem.tongue import N_
from pbem.web.manual.model import WHOLE, Clause, Figure, Section, Table

BOARD: Final = Section(
    "R1",
    N_("The board"),
    clauses=(
        Clause(
            "R1.1",
            N_("Hexes"),
            (
                N_(
                    "The board is a hexagon of 169 hexes. Each has a letter from A to O and a"
                    " number from 1 to 15. Hexes that touch are neighbours. The distance of two"
                    " hexes is the number of steps from one to the other on an empty board."
                ),
            ),
            Figure(
                caption=N_("F6 and its six neighbours."),
                empty=True,
                shown="F6 F7 F5 G6 E6 G5 E7",
                path="F7 F5 G6 E6 G5 E7",
            ),
        ),
        Clause(
            "R1.2",
            N_("The Core"),
            (N_("H8 is the Core. Nobody stands on it, and no walk and no line crosses it."),),
            Figure(
                caption=N_("F2 cannot step onto the Core; it has to go around."),
                gold="F2@H6",
                refused="F2>H8",
                shown="G6 H10 I7",
            ),
        ),
        Clause(
            "R1.3",
            N_("Havens and Arena"),
            (
                N_(
                    "Row 1 is Gold's Haven, row 15 is Black's. Each has eight slots, counted from"
                    " left to right as their owner sees them: Gold's first is H1, Black's first is"
                    " H15. Everything else but the Core is the Arena."
                ),
            ),
            Figure(
                caption=N_("The whole board: the Havens below and above, the Core in the middle."),
                empty=True,
                shown=WHOLE,
            ),
        ),
        Clause(
            "R1.4",
            N_("Straight lines"),
            (
                N_(
                    "Three straight lines go through every hex: the same number, the same letter,"
                    " and the same total of both, with A as 1, B as 2 and so on."
                ),
            ),
            Figure(
                caption=N_("The lines through F6: all sixes, all Fs, and all with a total of 12."),
                empty=True,
                shown="D6 I6 F4 F9 D8 I3",
                lines="D6-I6 F4-F9 D8-I3",
                path="F6",
            ),
        ),
        Clause(
            "R1.5",
            N_("Energy Wells"),
            (
                N_(
                    "Eight hexes of the Arena are Wells. Who stands on them has more Energy. Two"
                    " arenas come with the game; their Wells differ. The printed board's places"
                    " are lost, so these are our own."
                ),
            ),
            Figure(
                caption=N_("The Wells of the arena origin."),
                empty=True,
                shown=WHOLE,
                path="F6 I6 L6 B8 N8 D10 G10 J10",
            ),
            Table(
                (N_("Arena"), N_("Wells")),
                (
                    ("origin", "F6 I6 L6 B8 N8 D10 G10 J10"),
                    ("crown", "J4 F6 L6 B8 N8 D10 J10 F12"),
                ),
                code=(0, 1),
            ),
        ),
        Clause(
            "R1.6",
            N_("Arenas of one's own"),
            (
                N_(
                    "Whoever runs a server can add arenas, with other Wells and with hexes cut out"
                    " of the board. A cut hex is like the Core: it stops walks, lines, Kites and"
                    " waves, and nobody stands on it. Only Guides pass over it."
                ),
            ),
            Figure(
                caption=N_("The Kite of W1 ends before the hex that is cut out."),
                arena="rift",
                level="wind",
                gold="W1@F4",
                orders="W1:kite>F7",
                shown="E4 G5 E9 H7",
            ),
        ),
    ),
)

SETTING_UP: Final = Section(
    "R2",
    N_("Warriors and set-up"),
    clauses=(
        Clause(
            "R2.1",
            N_("The Houses"),
            (
                N_(
                    "Each House has eight warriors: two of Wind `W`, two of Earth `E`, two of Water"
                    " `A` and two of Fire `F`."
                ),
            ),
            Figure(
                caption=N_(
                    "Gold's eight: diamonds are Wind, squares Earth, discs Water, flames Fire."
                ),
                shown="H1 O1",
            ),
        ),
        Clause(
            "R2.2",
            N_("Set-up"),
            (
                N_(
                    "Before the game you put your eight on the eight slots, in any order you like."
                    " Neither player sees the other's set-up before both are in."
                ),
            ),
            Figure(
                caption=N_("Another set-up: Fires at the edges, Winds beside them."),
                gold_setup="FWEAAEWF",
                shown="H1 O1",
            ),
            code="setup FWEAAEWF",
        ),
        Clause(
            "R2.3",
            N_("Names"),
            (
                N_(
                    "A warrior is called by its element and the slot it began on, for the whole"
                    " game. The number alone would do; the letter catches slips."
                ),
            ),
            Figure(
                caption=N_("This Wind began on slot 1. It is W1, wherever it goes."),
                gold="W1@G4",
                shown="G4 H1 I3",
            ),
        ),
        Clause(
            "R2.4",
            N_("Who starts"),
            (
                N_(
                    "A lot says who starts, unless the players bid for it or a tournament lays it"
                    " down. First both send their set-ups. When both are in, they are shown, and"
                    " the lot with them. Then come the bids, if there are any, and the first turn."
                ),
            ),
            Figure(
                caption=N_("Both set-ups are shown. The lot fell on Gold."),
                shown=WHOLE,
                round=1,
                energy="7 14",
            ),
        ),
        Clause(
            "R2.5",
            N_("The first Energy"),
            (
                N_(
                    "Who starts has 7 Energy in the first turn. The other has 14 from the"
                    " beginning."
                ),
            ),
            Figure(
                caption=N_("Five steps to the Well cost Gold 5 of the 7. The other 2 can defend."),
                round=1,
                energy="7 14",
                orders="F2>I6",
                shown="H1 J2 I6",
            ),
        ),
    ),
)

COLLECTING: Final = Table(
    (N_("Wells"), "0", "1", "2", "3", "4"), ((N_("Energy"), "14", "18", "22", "25", "28"),)
)

TURN: Final = Section(
    "R3",
    N_("The turn"),
    (
        N_(
            "Your turn is Collecting, Manoeuvring, Returning. What Energy you leave is for"
            " defending in your opponent's turn. A turn of each is a round."
        ),
    ),
    (
        Clause(
            "R3.1",
            N_("Collecting"),
            (
                N_(
                    "Your turn begins with counting the Wells your warriors stand on. Five win the"
                    " game. Otherwise your Energy is set to the figure in the table; what was left"
                    " over is lost."
                ),
            ),
            Figure(
                caption=N_("Gold stands on two Wells and has 22 Energy."),
                gold="F2@F6 W8@L6 E3@G4",
                energy="22 3",
                round=3,
                path="F6 L6",
            ),
            COLLECTING,
        ),
        Clause(
            "R3.2",
            N_("Manoeuvring"),
            (
                N_(
                    "Act in any order, as long as you can pay. Every warrior on the board may move"
                    " once. Every warrior that was on the Arena when the turn began may also"
                    " attack once, before or after its move."
                ),
            ),
            Figure(
                caption=N_("W1 walks to the Well and shoots from there. It cannot move again."),
                gold="W1@F5",
                black="A4@F9",
                energy="14 6",
                orders="W1>F6; W1 rng F9",
                refused="W1>F6; W1 rng F9; W1>F7",
            ),
        ),
        Clause(
            "R3.3",
            N_("Ending"),
            (
                N_(
                    "You may end your turn at any time, unless a defence is still open. Fallen"
                    " that you have not put back return now."
                ),
            ),
            Figure(
                caption=N_("Gold ends the turn, and Water 5 is back on its slot L1."),
                gold="A5@x W1@K3",
                orders="end",
                after=True,
                shown="J1 N1 K3",
            ),
            code="end",
        ),
    ),
)

MOVING: Final = Section(
    "R4",
    N_("Moving"),
    clauses=(
        Clause(
            "R4.1",
            N_("Free hexes"),
            (
                N_(
                    "A hex is free for you if nobody stands there and it is neither the Core nor"
                    " in your opponent's Haven. Your own Haven is free: walk in it, through it, and"
                    " home again."
                ),
            ),
            Figure(
                caption=N_("F15 is empty, but it is in Black's Haven. W1 cannot go there."),
                gold="W1@F13",
                black="E3@D12",
                refused="W1>F15",
                shown="E15 G15 F12",
            ),
        ),
        Clause(
            "R4.2",
            N_("Walking"),
            (
                N_(
                    "A walk goes over free hexes and costs 1 Energy a step. You name only where it"
                    " ends; the server takes the shortest way."
                ),
            ),
            Figure(
                caption=N_("Black's Wind on I3 is in the way: 6 steps to the Well instead of 5."),
                black="W1@I3",
                energy="14 9",
                round=2,
                orders="F2>I6",
                path="I2 H3 H4 I4 I5 I6",
                shown="I1 H3 I6 J3",
            ),
        ),
        Clause(
            "R4.3",
            N_("Guides do not block"),
            (N_("A Guide is no warrior. It takes up no hex and stops nobody."),),
            Figure(
                caption=N_("Water 4 walks over Gold's Guide on K2."),
                honour="2 0",
                guides="K2 -",
                orders="A4>K3",
                shown="J1 L1 K3",
            ),
        ),
    ),
)

ATTACKING: Final = Section(
    "R5",
    N_("Attacking"),
    (
        N_(
            "Every attack has a Power: what the defender must pay to save the victim. This is the"
            " Apprentice game; what the elements can do beyond it is under M."
        ),
    ),
    (
        Clause(
            "R5.1",
            N_("Who may attack"),
            (
                N_(
                    "A warrior that was on the Arena when the turn began, is on it now, and has not"
                    " attacked yet."
                ),
            ),
            Figure(
                caption=N_(
                    "Fire 2 came out of the Haven this turn. It cannot attack before the next."
                ),
                black="A4@I4",
                refused="F2>I2; F2 rng I4",
                shown="H1 J1 I4",
            ),
        ),
        Clause(
            "R5.2",
            N_("Who may be attacked"),
            (N_("A warrior of the other House on the Arena. In its Haven a warrior is safe."),),
            Figure(
                caption=N_("Black's Wind is at home: nobody can attack it there."),
                gold="F2@H12",
                refused="F2 rng H15",
                shown="G15 H15 H12",
            ),
        ),
        Clause(
            "R5.3",
            N_("Strike"),
            (
                N_(
                    "All elements. Power 3, for nothing. The target stands next to the attacker,"
                    " and stood there already when the turn began."
                ),
            ),
            Figure(
                caption=N_(
                    "F2 strikes. W1 could walk up to the same target, but not strike it now."
                ),
                gold="F2@G6 W1@E8",
                black="A4@G7",
                energy="14 5",
                orders="F2 str G7",
                refused="W1>F8; W1 str G7",
                path="F8",
            ),
        ),
        Clause(
            "R5.4",
            N_("Range"),
            (
                N_(
                    "Wind and Fire. Power 4. The target is not a neighbour. The cost is the length"
                    " of the shortest path over free hexes; the last step, onto the target, counts"
                    " too. The path need not be straight. The warrior may move before or after."
                ),
            ),
            Figure(
                caption=N_("W1 shoots for 3 Energy. F2 must shoot around the Core: that costs 5."),
                gold="W1@F5 F2@H6 W8@L6",
                black="E3@F8 A4@H10",
                energy="18 6",
                orders="W1 rng F8; F2 rng H10",
                answers="- -",
                path="F6 F7 H7 G8 G9 H9",
                shown="E5 F8 H10 I6",
            ),
        ),
        Clause(
            "R5.5",
            N_("Charge"),
            (
                N_(
                    "Water and Earth. Power 5. The target is not a neighbour. The warrior walks to"
                    " a hex of the Arena next to the target and pays 1 Energy a step. Its move and"
                    " its attack are used up. You name the hex on which it lands."
                ),
            ),
            Figure(
                caption=N_(
                    "E3 charges F8 and lands on E8, for 3 Energy. All landings are outlined."
                ),
                gold="E3@E5",
                black="F2@F8 A4@D9",
                energy="14 4",
                orders="E3 chg F8@E8",
                path="E8 F7 G7 E9 G8 F9",
            ),
        ),
        Clause(
            "R5.6",
            N_("When it is paid"),
            (N_("An attack is paid for when it is declared, whatever comes of it."),),
            Figure(
                caption=N_("Black saves the Earth. Gold's 3 Energy are gone all the same."),
                gold="W1@F5",
                black="E3@F8",
                energy="14 6",
                orders="W1 rng F8",
                answers="+",
            ),
        ),
    ),
)

DEFENDING: Final = Section(
    "R6",
    N_("Defending"),
    clauses=(
        Clause(
            "R6.1",
            N_("Save or let fall"),
            (
                N_(
                    "After every attack the defender pays its Power and the victim stays, or lets"
                    " it fall. Until that is settled the attacker waits. Several victims have an"
                    " order: the target, then the others by letter and number. All saves are paid"
                    " first; then the others fall in that order."
                ),
            ),
            Figure(
                caption=N_("Power 4. Black has 6: pay 4 and keep 2, or let the Fire fall."),
                gold="W1@F5",
                black="F2@F8",
                energy="14 6",
                orders="W1 rng F8",
            ),
            code="F8+\nF8-",
        ),
        Clause(
            "R6.2",
            N_("When nobody is asked"),
            (
                N_(
                    "Who cannot pay for any of the victims is not asked: they fall. Who can pay for"
                    " at least one is asked about all. Power 0 harms nobody, and nobody is asked."
                ),
            ),
            Figure(
                caption=N_("Power 4, and Black has 3. The Fire falls at once."),
                gold="W1@F5",
                black="F2@F8",
                energy="14 3",
                orders="W1 rng F8",
                after=True,
                shown="F5 F8",
            ),
        ),
        Clause(
            "R6.3",
            N_("Falling"),
            (N_("A warrior that falls leaves the board. The attacker gains 1 honour."),),
            Figure(
                caption=N_("The first honour: Gold's Guide enters on K1."),
                gold="W1@K3",
                black="F2@K6",
                energy="14 3",
                orders="W1 rng K6; guide>K1",
                after=True,
                shown="J1 L1 K3 K6",
            ),
        ),
        Clause(
            "R6.4",
            N_("The Guide"),
            (
                N_(
                    "The first honour puts your Guide on any hex of your Haven. Each further one"
                    " takes it a step closer to the Core; the eighth takes it there, and you have"
                    " won. Choose the steps in the turn that earned them. Those you do not choose"
                    " the server takes: first onto slot 4, then straight ahead where that leads"
                    " closer."
                ),
            ),
            Figure(
                caption=N_("The third honour takes the Guide from K2 to J3 or to K3."),
                gold="W1@F6 E6@L5",
                black="F2@F8",
                energy="18 2",
                honour="2 0",
                guides="K2 -",
                orders="W1 rng F8; guide>J3",
                path="J3 K3",
                shown="F5 F8 K2 K4",
            ),
        ),
    ),
)

RETURNING: Final = Section(
    "R7",
    N_("Returning"),
    clauses=(
        Clause(
            "R7.1",
            N_("Bringing the Fallen back"),
            (
                N_(
                    "At the end of your turn all your Fallen come back: onto free hexes of your"
                    " Haven, and one of them, if you like, onto your Guide. Once the first is back"
                    " there are no more moves or attacks. Owed Guide steps come first."
                ),
            ),
            Figure(
                caption=N_("E3 returns to the Guide on K3, A5 into the Haven."),
                gold="E3@x A5@x W1@G5 F2@J1",
                honour="3 0",
                guides="K3 -",
                round=7,
                orders="E3 ret guide; A5 ret L1",
                after=True,
                shown="H1 M1 K3",
            ),
        ),
        Clause(
            "R7.2",
            N_("Left to the server"),
            (
                N_(
                    "Fallen that you do not place go back to the slot they began on; if that is"
                    " taken, to the first empty slot. Never to the Guide."
                ),
            ),
            Figure(
                caption=N_("F2 stands on slot 3, so E3 goes to slot 2. A5 has its own slot back."),
                gold="E3@x A5@x F2@J1",
                orders="end",
                after=True,
                shown="H1 M1",
            ),
        ),
        Clause(
            "R7.3",
            N_("From the Guide into battle"),
            (
                N_(
                    "A Fallen that comes back onto a Guide on the Arena begins your next turn"
                    " there, and may attack in it."
                ),
            ),
            Figure(
                caption=N_("Earth 3 is back on K4. In Gold's next turn it may charge K8."),
                gold="E3@x",
                black="A4@K8",
                honour="4 0",
                guides="K4 -",
                orders="E3 ret guide",
                after=True,
                shown="K4 K8",
            ),
        ),
    ),
)

ENDING: Final = Section(
    "R8",
    N_("The end"),
    clauses=(
        Clause(
            "R8.1",
            N_("Five Wells"),
            (N_("Begin your own turn with five Wells, and you have won."),),
            Figure(
                caption=N_(
                    "Gold holds five Wells. Black has this one turn to fell one of the five."
                ),
                gold="W1@F6 F2@I6 W8@L6 F7@N8 E3@B8",
                black="W1@G10 A4@C9",
                turn="b",
                energy="4 18",
                round=9,
                path="B8 F6 I6 L6 N8",
            ),
        ),
        Clause(
            "R8.2",
            N_("Eight honour"),
            (N_("The eighth honour wins at once, even in the middle of an attack."),),
            Figure(
                caption=N_("Gold has 7 honour. Black cannot pay: the Guide reaches the Core."),
                gold="W1@F6",
                black="F2@F8",
                energy="18 2",
                honour="7 0",
                guides="H7 -",
                orders="W1 rng F8",
                shown="F6 F8 H8",
            ),
        ),
        Clause(
            "R8.3",
            N_("Other endings"),
            (
                N_(
                    "A player may resign. Players may agree on a draw; an offer stands until it is"
                    " answered or the other side plays on. A clock may run out, a director may"
                    " rule. If no warrior of either House has fallen for 25 complete rounds, the"
                    " player to move may claim a draw."
                ),
            ),
            table=Table(
                (N_("Order"), N_("Meaning")),
                (
                    ("resign", N_("give up")),
                    ("draw?", N_("offer a draw")),
                    ("draw+", N_("accept the draw")),
                    ("draw-", N_("decline the draw")),
                    ("claim draw", N_("claim a draw")),
                ),
                code=(0,),
            ),
        ),
    ),
)

VARIANTS: Final = Section(
    "R9",
    N_("Variants"),
    (N_("All of these can be agreed on for a game, in any combination."),),
    (
        Clause(
            "R9.1",
            N_("Dicey"),
            (
                N_(
                    "A die gives the Power of each attack, after its Energy is paid. Each face is"
                    " on the die twice. The Phoenix lowers what was rolled. One roll serves a whole"
                    " wave or all of Six Streams."
                ),
            ),
            Figure(
                caption=N_("The yellow die shows 5: now Black needs 5 Energy instead of 4."),
                gold="W1@F5",
                black="F2@F8",
                energy="14 6",
                orders="W1 rng F8",
            ),
            Table(
                (N_("Die"), N_("Faces"), N_("Used for")),
                (
                    (
                        N_("dark blue"),
                        "4/1 5/2 6/3",
                        N_(
                            "Charge: the first figure. Raging Bear: the first figure and 1. Waves:"
                            " the first figure, less the second for each further victim."
                        ),
                    ),
                    (
                        N_("light blue"),
                        "2/4 3/3 4/2",
                        N_(
                            "Strike: the first figure. Six Streams: the first figure for the"
                            " target,"
                            " the second for every other."
                        ),
                    ),
                    (N_("yellow"), "3 4 5", N_("Range, Storm, Dragons: the figure.")),
                ),
                code=(1,),
            ),
        ),
        Clause(
            "R9.2",
            N_("Handicap"),
            (
                N_(
                    "For the weaker player: from `+1` to `+4` extra Energy for every defence, added"
                    " when that player's turn ends; or board `I` or `II` with other figures for"
                    " collecting. The first turns stay 7 and 14."
                ),
            ),
            Figure(
                caption=N_("Black kept 3 and has `+2`: with 5 the Fire can be saved after all."),
                gold="W1@F5",
                black="F2@F8",
                energy="14 5",
                orders="W1 rng F8",
                answers="+",
            ),
            Table(
                (N_("Wells"), "0", "1", "2", "3", "4"),
                (
                    (N_("no handicap"), "14", "18", "22", "25", "28"),
                    (N_("board I"), "16", "20", "24", "27", "30"),
                    (N_("board II"), "18", "22", "26", "29", "32"),
                ),
            ),
        ),
        Clause(
            "R9.3",
            N_("Clock"),
            (
                N_(
                    "Each player has a bank of time. It runs while the game waits for that player;"
                    " who runs out of it loses. A defence that nobody is asked about hands nothing"
                    " over, and orders that are refused stop nothing."
                ),
            ),
            table=Table(
                (N_("What happens"), N_("Whose clock runs then")),
                (
                    (N_("Set-ups are awaited"), N_("that of each who has not sent one")),
                    (N_("An attack is declared"), N_("the defender's")),
                    (N_("The defence is decided"), N_("the attacker's")),
                    (N_("The turn ends"), N_("the opponent's")),
                ),
            ),
        ),
        Clause(
            "R9.4",
            N_("Bidding for the first turn"),
            (
                N_(
                    "The lot names who starts with 7 Energy. The other may bid to start with less,"
                    " the first may go lower again, down to 0. Who passes leaves the start to the"
                    " last bidder, who begins with the Energy that was bid. The other has 14."
                ),
            ),
            Figure(
                caption=N_(
                    "Gold bid 5 and starts: enough for the walk to the Well, nothing to spare."
                ),
                round=1,
                energy="5 14",
                orders="F2>I6",
                shown="H1 J2 I6",
            ),
            code="bid 5\npass",
        ),
        Clause(
            "R9.5",
            N_("Lots and dice that can be checked"),
            (
                N_(
                    "When a game is made the server draws a secret seed and shows its SHA-256 to"
                    " both. All lots and rolls follow from the seed: number n is the first byte"
                    " below 252 of HMAC-SHA-256 with the seed as key. When the game is over the"
                    " seed is published, and anybody can check every roll."
                ),
            ),
            code='byte = HMAC-SHA-256(seed, "<game id>/<n>")\n'
            "lot  = byte mod 2    0 Gold, 1 Black\nface = byte mod 6",
        ),
        Clause(
            "R9.6",
            N_("Arena and level"),
            (
                N_(
                    "Agree on one of the arenas, and on a level: which elements have their own"
                    " rules."
                ),
            ),
            Figure(
                caption=N_("The arena crown."),
                arena="crown",
                empty=True,
                shown=WHOLE,
            ),
        ),
    ),
)

APPRENTICE: Final = (
    BOARD,
    SETTING_UP,
    TURN,
    MOVING,
    ATTACKING,
    DEFENDING,
    RETURNING,
    ENDING,
)

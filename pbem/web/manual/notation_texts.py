"""The notation, N1 to N5: orders, plans, standing rules, position lines, records. Texts only."""

from __future__ import annotations

from typing import Final

from notation.words import ELEMENTS, WORDS
from pbem.tongue import N_
from pbem.web.manual.model import Clause, Figure, Section, Table

_GOLD: Final = "W1@F6 F2@G5 E3@x A4@J6 E6@I4"
_BLACK: Final = "F2@F9 E3@F12 A4@I9"


def _noted(caption: str, **more: str) -> Figure:
    """An example in the position that most of this page is about."""
    return Figure(
        caption=caption,
        level="earth",
        gold=_GOLD,
        black=_BLACK,
        round=5,
        energy="18 9",
        honour="1 0",
        guides="K1 -",
        shown=more.pop("shown", "F6 F10 J6 I9 I4"),
        **more,  # type: ignore[arg-type]
    )


def _spellings() -> Table:
    """Every word that is understood, by the one that is written (N1.3)."""
    canonical = [word for word in dict.fromkeys(WORDS.values()) if word.isalpha() and len(word) > 1]
    found = [
        (
            word,
            [spelling for spelling, meant in WORDS.items() if meant == word and spelling != word],
        )
        for word in canonical
        if word not in ("of", "and")
    ]
    rows = [(word, ", ".join(spellings)) for word, spellings in found if spellings]
    letters = [
        (letter, ", ".join(name for name, meant in ELEMENTS.items() if meant == letter))
        for letter in dict.fromkeys(ELEMENTS.values())
    ]
    return Table((N_("Written"), N_("Also understood")), (*rows, *letters), code=(0, 1))


ORDERS: Final = Section(
    "N1",
    N_("Orders"),
    (
        N_(
            "An order is a warrior, what it does, and a hex. A target is always a hex, never a"
            " name. Most examples on this page are played in this position, with Gold to move."
        ),
    ),
    figure=_noted(
        N_("W1 flies to C6, then F2 shoots at F9."),
        orders="W1:kite>C6; F2 rng F9",
        shown="C6 F10 J6 I9 I4",
    ),
    table=Table(
        (N_("Order"), N_("Meaning"), N_("Rule")),
        (
            ("F2>G4", N_("walk to G4"), "R4.2"),
            ("W3:kite>E7", N_("fly to E7"), "M2.1"),
            ("F2 str G4", N_("strike the neighbour on G4"), "R5.3"),
            ("F2 rng G4", N_("shoot at G4"), "R5.4"),
            ("E1 chg G4@F5", N_("charge G4, landing on F5"), "R5.5"),
            ("A5 wave G4@F5", N_("Flow of Crashing Waves"), "M4.1"),
            ("A5 six G4@F5", N_("Strike of Six Streams"), "M4.2"),
            ("F2+F7 drg G4", N_("The Dragons"), "M5.3"),
            ("guide>K3", N_("a Guide step"), "R6.4"),
            ("E4 ret J1", N_("put a Fallen back into the Haven"), "R7.1"),
            ("E4 ret guide", N_("put a Fallen back on the Guide"), "R7.1"),
            ("end", N_("end the turn"), "R3.3"),
            ("G4+", N_("save the victim on G4"), "R6.1"),
            ("G4-", N_("let the victim on G4 fall"), "R6.1"),
            ("setup WFEAAEFW", N_("the elements on slots 1 to 8"), "R2.2"),
            ("bid 5", N_("bid for the first turn; `pass` leaves it"), "R9.4"),
            ("resign", N_("give up; `draw?` offers a draw"), "R8.3"),
        ),
        code=(0,),
    ),
    clauses=(
        Clause(
            "N1.1",
            N_("What separates orders"),
            (
                N_(
                    "A semicolon or a new line. A new line does not separate if the order is not"
                    " complete yet, or if the next line begins with one of `@ [ ] | , :`. So it"
                    " does no harm when a mail program wraps your lines."
                ),
            ),
            _noted(
                N_("Two orders, though they stand on three lines."),
                orders="E6 chg F9@G8; A4>I6",
                answers="+",
            ),
            code="E6 chg F9\n  @G8; A4>\nI6",
        ),
        Clause(
            "N1.2",
            N_("Naming a warrior"),
            (
                N_(
                    "`F2`, or only the slot `2`, or `Fire 2`. A letter that does not belong to the"
                    " slot is refused."
                ),
            ),
            _noted(N_("Slot 2 holds a Fire."), orders="2 rng F9", answers="+", refused="W2 rng F9"),
        ),
        Clause(
            "N1.3",
            N_("Forgiving to read"),
            (
                N_(
                    "Capitals and spaces do not matter. English and Dutch words are understood; so"
                    " are arrows, list marks, and what mail programs leave behind. What was"
                    " understood is always written back in the short form."
                ),
            ),
            _noted(N_("Read as: F2 rng F9."), orders="fire 2 shoot x f9", answers="+"),
            _spellings(),
            code="f2 → g4                => F2>G4\nVuur 2 afstand G4.     => F2 rng G4\n"
            "1) *E1 charge g4@f5*   => E1 chg G4@F5\nF7+F2 draken G4        => F2+F7 drg G4",
        ),
        Clause(
            "N1.4",
            N_("Leaving out the landing hex"),
            (
                N_(
                    "If a charge can land on one hex only, `@G8` can be left out. Otherwise you are"
                    " told what each landing costs."
                ),
            ),
            _noted(
                N_("E6 can land on several hexes beside F9."),
                refused="E6 chg F9",
                path="G8 F8 E9 E10 F10 G9",
            ),
        ),
        Clause(
            "N1.5",
            N_("Decisions"),
            (
                N_(
                    "Name each victim with `+` or `-`. Or write `block G4, fall G5`, `block all`,"
                    " `fall all`. With one victim `block` or `fall` will do; on the first line of"
                    " a reply a lone `+` or `-` too."
                ),
            ),
            Figure(
                caption=N_("Gold saves the Fire and lets the others fall."),
                level="water",
                turn="b",
                gold="F2@F8 E3@G8 A4@E9",
                black="A4@F13",
                energy="5 14",
                orders="A4 six F8@F9",
                answers="+--",
            ),
            code="F8+ E9- G8-",
        ),
        Clause(
            "N1.6",
            N_("Turns that stay open"),
            (
                N_(
                    "You need not end your turn. Without `end` it stays open, and after each"
                    " defence you are asked to go on."
                ),
            ),
            _noted(N_("W1 flies. Gold's turn goes on."), orders="W1:kite>C6", shown="C6 F9 J6"),
        ),
        Clause(
            "N1.7",
            N_("All or nothing"),
            (
                N_(
                    "If one order is bad, none is played. You are told where, why, what it would"
                    " have cost, and what is possible near it. The answer may be the number of one"
                    " of these."
                ),
            ),
            _noted(
                N_("A4 cannot move twice. Its first step is not played either."),
                refused="A4>I6; A4>L6",
            ),
        ),
        Clause(
            "N1.8",
            N_("Small print"),
            (
                N_(
                    "`ret` with the hex of your Guide on the Arena is `ret guide`. A bare `draw` is"
                    " not understood: `draw?` offers, `draw+` accepts. Other signs at the end of an"
                    " order are ignored."
                ),
            ),
            Figure(
                caption=N_("`E3 ret K3` is read as `E3 ret guide`."),
                gold="E3@x",
                honour="3 0",
                guides="K3 -",
                orders="E3 ret K3",
                after=True,
                shown="J1 L1 K3",
            ),
        ),
    ),
)

PLANS: Final = Section(
    "N2",
    N_("Plans"),
    (
        N_(
            "By mail a defence can take days. In brackets behind an attack you say how the turn"
            " goes"
            " on in each case."
        ),
    ),
    code="W1 rng F9 [-: A4>L6; end | +: F2 rng F9]; end",
    figure=_noted(
        N_("If F9 falls, A4 walks to L6. If it is saved, F2 shoots as well."),
        orders="W1 rng F9 [-: A4>L6; end | +: F2 rng F9]; end",
        answers="+ -",
        shown="F6 F9 J6 L6",
    ),
    clauses=(
        Clause(
            "N2.1",
            N_("Brackets, branches, guards"),
            (
                N_(
                    "A branch is a guard, a colon, and orders. Guards look at how the whole attack"
                    " ended. The first branch that matches is played; then the plan goes on behind"
                    " the bracket, unless the turn is over."
                ),
            ),
            Figure(
                caption=N_("F9 falls, F7 is saved: the last branch is played."),
                level="master",
                turn="b",
                gold="F2@F9 E3@F7 F7@F4",
                black="A4@G12",
                energy="9 14",
                orders="A4 wave F9@F10 [F9-,F7-: E3>F11 | F9+: end | *: E3>F13]; end",
                answers="- +",
                shown="F7 F15 G12",
            ),
            Table(
                (N_("Guard"), N_("matches when")),
                (
                    ("-", N_("the first target fell")),
                    ("+", N_("the first target was saved")),
                    ("G4-,G5+", N_("G4 fell and G5 was saved")),
                    ("*", N_("always")),
                ),
                code=(0,),
            ),
            code="A4 wave F9@F10 [F9-,F7-: E3>F11 | F9+: end | *: E3>F13]; end",
        ),
        Clause(
            "N2.2",
            N_("Checked at once"),
            (
                N_(
                    "Every outcome of a plan is played through when you send it, up to 256 of them."
                    " What is illegal in all of them is refused. What is illegal in some is shown,"
                    " outcome by outcome."
                ),
            ),
            _noted(
                N_("Two outcomes: F9 falls, or it is saved and F2 shoots too."),
                orders="W1 rng F9 [+: F2 rng F9]",
                answers="+ -",
            ),
            code="W1 rng F9 [+: F2 rng F9]",
        ),
        Clause(
            "N2.3",
            N_("When a plan stops"),
            (
                N_(
                    "At an order that has become illegal, and when your opponent resigns or offers"
                    " a draw. What was played stands, the rest is dropped, and you are told why."
                    " `end` is never reached past an order that failed."
                ),
            ),
            _noted(
                N_("If F9 falls at the first shot, the plan stops at the second: nobody is there."),
                orders="W1 rng F9; F2 rng F9",
                answers="+ -",
            ),
            code="W1 rng F9; F2 rng F9; end",
        ),
        Clause(
            "N2.4",
            N_("Secret"),
            (
                N_(
                    "Your opponent sees only what has happened. After the game the record shows"
                    " the branches that were not played."
                ),
            ),
            _noted(
                N_("Black sees the shot, not that Gold would have walked to L6."),
                orders="W1 rng F9 [-: A4>L6]",
                answers="+",
            ),
        ),
        Clause(
            "N2.5",
            N_("No peeking"),
            (
                N_(
                    "Trying out a plan reads none of your opponent's rules and rolls no die. An"
                    " outcome is anything that the defender's visible Energy allows."
                ),
            ),
            _noted(
                N_("Black has 9 Energy, so F9 may be saved or fall: both are shown."),
                orders="W1 rng F9",
            ),
            code="try W1 rng F9; end",
        ),
    ),
)

STANDING: Final = Section(
    "N3",
    N_("Standing defence"),
    (N_("Rules that you leave answer attacks at once. For one game, or for all of them."),),
    code="standing: block F* <=4; block all <=2 keep 5; fall W*; ask all",
    clauses=(
        Clause(
            "N3.1",
            N_("Rules"),
            (
                N_(
                    "A rule says what to do, for whom, and if you like how far: `<=4` is up to"
                    " Power"
                    " 4, `keep 5` is only if 5 Energy are left then. The first rule that fits"
                    " decides; if none does, you are asked. Rules for one game come before rules"
                    " for"
                    " all games. In rules `E4` is always a warrior."
                ),
            ),
            Figure(
                caption=N_("Power 4 on a Fire: the first rule saves it, and nobody is asked."),
                turn="b",
                gold="F2@F6",
                black="W1@F9",
                energy="9 14",
                orders="W1 rng F6",
                answers="+",
            ),
            rules="block F* <=4; block all <=2 keep 5; fall W*; ask all",
        ),
        Clause(
            "N3.2",
            N_("When you are asked after all"),
            (
                N_(
                    "If one victim of an attack comes out as `ask`, or the saves cannot be paid"
                    " together, you are asked about the whole attack. `standing: off` clears your"
                    " rules."
                ),
            ),
            Figure(
                caption=N_(
                    "The rules save the Fire and ask about the rest: so all three are asked."
                ),
                level="water",
                turn="b",
                gold="F2@F8 E3@G8 A4@E9",
                black="A4@F13",
                energy="5 14",
                orders="A4 six F8@F9",
            ),
            rules="block F*; ask all",
        ),
        Clause(
            "N3.3",
            N_("Secret, but provable"),
            (
                N_(
                    "Nobody sees your rules before the game is over. Their SHA-256 with a random"
                    " salt goes into the log when you set them, and both are published with the"
                    " record: so nobody can say they were changed afterwards."
                ),
            ),
            code='SHA-256(salt, "block F* <=4; ask all")',
        ),
        Clause(
            "N3.4",
            N_("Who is told what"),
            (
                N_(
                    "You are told which rule answered. Your opponent sees the answer only, until"
                    " the record shows the rule."
                ),
            ),
            Figure(
                caption=N_("Gold reads which rule answered. Black reads that the Wind fell."),
                turn="b",
                gold="W1@F6",
                black="F2@F9",
                energy="9 14",
                orders="F2 rng F6",
                answers="-",
                after=True,
                shown="F6 F9",
            ),
            rules="fall W*",
        ),
    ),
)

POSITIONS: Final = Section(
    "N4",
    N_("The position line"),
    (
        N_(
            "A whole position on one line: as it is after Collecting, before the first order. `x`"
            " is"
            " a Fallen, `-` is no Guide. It is checked that it is possible at all, but not that it"
            " could arise in a game."
        ),
    ),
    code=_noted("").line.replace(" | W1@H15", "\n | W1@H15").replace(" | W1@F6", "\n | W1@F6"),
    figure=_noted(N_("The position of that line.")),
    table=Table(
        (N_("Field"), N_("Meaning")),
        (
            ("origin earth g 5", N_("arena, level, side to move, round")),
            ("18 9", N_("Energy of Gold and of Black")),
            ("1 0", N_("honour of both")),
            ("K1 -", N_("Guides of both")),
            ("W1@F6 F2@G5 …", N_("Gold's eight by slot, then Black's")),
        ),
        code=(0,),
    ),
)

_WAVE_RECORD: Final = """7b. A4 wave F9@F10(6/3)=F9-,F7-,F4+; guide>E15; end"""

RECORDS: Final = Section(
    "N5",
    N_("Records"),
    (
        N_(
            "A record is a text file with whole games: tags, turns, result. It looks like PGN, the"
            " format of chess. When your game is over you can fetch its record from its page."
        ),
    ),
    code="""[Event "Friends by mail"]
[Gold "Mira"]
[Black "Teun"]
[Result "1-0"]
[GoldSetup "WAFEEFAW"]
[BlackSetup "AWEFFEWA"]

1g. W1:kite>H7; F3>J6!; E4>K3; end
1b. A1>H11? {Within reach of W1.}; end
2g. W1 rng H11=-; guide>K1; F3>I6; end
1-0""",
    clauses=(
        Clause(
            "N5.1",
            N_("Tags"),
            (
                N_(
                    "First the seven tags of PGN, with `Gold` and `Black` for the players, then"
                    " those of the game. Tags that are not known are kept."
                ),
            ),
            table=Table(
                (N_("Tag"), N_("Values")),
                (
                    ("Result", "1-0  0-1  1/2-1/2  *"),
                    (
                        "Termination",
                        "guide wells resignation agreement claim time ruling unfinished",
                    ),
                    ("Dice", "clean dicey"),
                    ("Handicap", "gold +2, black II"),
                    ("Position", "origin earth g 5 | 18 9 | …"),
                ),
                code=(0, 1),
            ),
        ),
        Clause(
            "N5.2",
            N_("Turns"),
            (
                N_(
                    "A turn begins with its round and its House: `2g.` is Gold's turn of round 2."
                    " However often it is cut by defences, it has one label."
                ),
            ),
            code="2g. W1 rng H11=-; guide>K1; F3>I6; end\n2b. W2 rng H7=+; A1 ret H15; end",
        ),
        Clause(
            "N5.3",
            N_("What came of an attack"),
            (
                N_(
                    "`=+` saved, `=-` fell; with several victims each by its hex. In dicey games"
                    " the"
                    " roll stands behind the hex. What the server did by itself at the end of a"
                    " turn"
                    " is not written."
                ),
            ),
            Figure(
                caption=N_("The wave of the example, with a roll of 6/3: Powers 6, 3 and 0."),
                level="master",
                turn="b",
                gold="F2@F9 E3@F7 F7@F4",
                black="A4@G12",
                energy="9 14",
                orders="A4 wave F9@F10",
                answers="- - +",
            ),
            code=_WAVE_RECORD,
        ),
        Clause(
            "N5.4",
            N_("Annotation"),
            (
                N_(
                    "Signs such as `!` and `?` stand behind an order, comments in braces,"
                    " variations"
                    " in parentheses. Behind `end` a variation replaces the whole turn, elsewhere"
                    " the order before it and the rest."
                ),
            ),
            code="1b. A1>H11? {Within reach.}; end\n    (E3>F10!; end {[%by Mira] Keeps 5.})",
        ),
        Clause(
            "N5.5",
            N_("Two ways to read"),
            (
                N_(
                    "`strict` takes only what is canonical and legal. `recover` collects the errors"
                    " and keeps what it can. Reading and writing again changes nothing."
                ),
            ),
            code="W1 kite H7   => W1:kite>H7",
        ),
        Clause(
            "N5.6",
            N_("Proof"),
            (
                N_(
                    "The log of a game is a chain of hashes; the tag `LogHash` is its last link. A"
                    " record proves rules, Energy and dice; with the exported log also the clocks."
                    " Anybody can check it without this server."
                ),
            ),
            code="pbem verify game.ogn game.log",
        ),
    ),
)

NOTATION: Final = (ORDERS, PLANS, STANDING, POSITIONS, RECORDS)

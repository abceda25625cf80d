"""A short game with everything an annotated record can have; one variation cannot be played."""

from __future__ import annotations

from typing import Final

ANNOTATED: Final = """\
[Event "Friends by mail"]
[Site "?"]
[Date "2026.11.16"]
[Round "1"]
[Gold "Mira"]
[Black "Teun"]
[Result "1-0"]
[Termination "resignation"]
[Arena "origin"]
[Level "master"]
[Dice "clean"]
[Starter "gold"]
[StarterEnergy "7"]
[GoldSetup "WAFEEFAW"]
[BlackSetup "AWEFFEWA"]

{Played at leisure. [%by Cleo]}
1g. {A quiet start.} W1:kite>H7; F3>J6!; E4>K3; end
1b. A1>H11? $14 {Near. [%arrow H7 H11] [%mark h11]}; E3>F10; F4>E11; W2:kite>G2; end {[%clk 27d3h]}
    ({[%by Mira]} E3>F10; F4>E11; end {[%by Mira] Keeps 5.}
     2g. F3>I6; end
        (F3>J7; end)
     2b. E3>K1; end)
2g. W1 rng H11=- {[%standing fall all]}
    (W1 rng H11=+; F3>I6; end {[%plan]})
    guide>K1; F3>I6; end {[%draw offer]}
2b. W2 rng H7=+
1-0
"""

SOUND: Final = ANNOTATED.replace("2b. E3>K1; end", "2b. E3>F11; end").replace(
    "    (W1 rng H11=+; F3>I6; end {[%plan]})\n", "    (F3>I6; end {[%plan]})\n"
)
"""The same, and all of it can be played."""

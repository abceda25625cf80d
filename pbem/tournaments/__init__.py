"""Events as arithmetic: who meets whom, who stands where and why, ratings. Pure, like ``schedule``.

An event is its log of *acts* (``acts``): everything a director, a player or the server did to it,
in order. ``event`` is what the acts come to, ``charter`` what was announced beforehand. From these
alone follow the pairings, the tables and every explanation. What an instant is, who is asked and
where all this is kept is left to the use cases (``pbem.play``). The same idea has the same word
everywhere: an *event* has *entrants* (places, each held by a player), *rounds* of *encounters*,
each of one or more *games*; *points* are counted in halves.
"""

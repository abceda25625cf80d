"""Ortus: the rules, pure. No input or output, no clock, no random numbers of its own.

The board and the rules: ``hexes`` and ``arena`` are the board, ``figures`` the numbers of the
rules, ``position`` where everything is; ``actions`` is what can be done, ``abilities`` who can do
it, ``geometry`` walks and lines, ``generation`` all that is legal now, ``legality`` why something
is not (a code of ``illegal``), ``turn`` what comes of it, ``defence`` what can be answered,
``dice`` what is rolled.

Text: ``orders`` joins the notation to these, ``plans`` looks ahead, ``suggestions`` finds the
nearest legal orders, ``refusals`` and ``submissions`` read what a player sent, ``messages`` says
what is wrong with it.

A game: ``options`` is what was agreed, ``state`` all there is, ``progress`` and ``decrees`` change
it, ``storage`` keeps it, ``chronicle`` writes its record, and ``replaying`` plays one again.
``game`` fills the server's seam. ``conformance``, ``perft`` and ``sampling`` are for proofs and
benches.

In pictures and words: ``drawing`` and ``speech`` show a position, ``showing`` what a seat may see;
``following`` finds the boards between events and ``telling`` says what happened; ``briefing`` and
``defence_briefing`` say what is asked, ``describing`` what was agreed. ``words`` are the names they
share, ``expectations`` what the notation and the options say in English.
"""

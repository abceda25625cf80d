"""Ortus: the rules, pure. No input or output, no clock, no random numbers of its own.

``position`` is what the board is, ``actions`` what can be done, ``generation`` all that can be done
now, ``legality`` why something cannot, ``turn`` what comes of it. ``orders`` joins the notation to
these; ``game`` fills the server's seam.
"""

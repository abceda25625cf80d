"""Clocks, leave and reminders as arithmetic. Pure: the present moment is always an argument.

``calendar`` says when a player's time counts, ``timeline`` how calendars follow each other,
``clock`` what is left and when it is over, ``leave`` which days may be taken off. What a deadline
leads to, who is told, and where all this is stored is left to the use cases.

Nothing here depends on when a sweep runs: a deadline is an instant that follows from the calls
made so far, and asking for it once, twice or a week later gives the same answer.
"""

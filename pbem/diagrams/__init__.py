"""Pictures of a ``pbem.games.scene.Scene``: SVG for the web, PNG and text for mail.

Nothing here knows the rules of a game, and importing the package loads none of its modules.
"""

"""The pictures of mails: fills ``pbem.mail.office.Drawings``.

What draws is loaded with the first picture, so that a process that sends no mail does without.
"""

from __future__ import annotations

from pbem.games.scene import Scene


class MailDrawings:
    """Boards as mails show them."""

    def png(self, scene: Scene) -> bytes:
        """A picture on a bright ground, 700 pixels wide: sharp on a phone held upright."""
        from pbem.diagrams.png import scene_png  # noqa: PLC0415

        return scene_png(scene)

    def text(self, scene: Scene) -> str:
        """A text board."""
        from pbem.diagrams.text import scene_text  # noqa: PLC0415

        return scene_text(scene)

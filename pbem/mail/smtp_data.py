"""What comes behind DATA, up to its end. Pure: no socket, no clock.

A message ends at CR LF . CR LF and nowhere else (L2.4): a bare CR or LF, with or without a dot, is
text of the message. A dot that begins a line is dropped (RFC 5321, 4.5.2). Memory is bounded
whatever comes, also without any line end.
"""

from __future__ import annotations

from typing import Final

_END: Final = b"\r\n.\r\n"


class Incoming:
    """One message that is coming in, in pieces cut anywhere."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.seen = 0
        """Bytes so far, also those that were not kept."""
        self.is_dropped = False
        """Whether its bytes are no longer kept: only its end is waited for."""
        self._kept = bytearray(b"\r\n")  # the first line begins like any other

    @property
    def kept(self) -> int:
        """Bytes in memory."""
        return len(self._kept)

    def feed(self, piece: bytes) -> bytes | None:
        """Take a piece; what follows behind the end of the message, None before the end."""
        start = max(0, len(self._kept) - len(_END) + 1)
        self._kept += piece
        self.seen += len(piece)
        end = self._kept.find(_END, start)
        if end >= 0:
            rest = bytes(self._kept[end + len(_END) :])
            del self._kept[end + 2 :]
            return rest
        # Dots that will be dropped are not of the message: no line is shorter than `..` CR LF.
        if self.seen > self.limit + self.limit // 2:
            self.drop()
        if self.is_dropped:
            del self._kept[: 1 - len(_END)]
        return None

    def drop(self) -> None:
        """Keep no more of it."""
        self.is_dropped = True

    def take_mail(self) -> bytes | None:
        """The message, once it has ended, and only once; None if it is too large or was dropped."""
        kept, self._kept = self._kept, bytearray()  # never more than two copies of it in memory
        if self.is_dropped:
            return None
        if b"\r\n." in kept:
            kept = kept.replace(b"\r\n.", b"\r\n")
        del kept[:2]
        return bytes(kept) if len(kept) <= self.limit else None

"""Where a message ends: at CR LF . CR LF, however its bytes are cut, and nowhere else (L2.4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.smtp_data import Incoming

LIMIT = 10_000
END = b"\r\n.\r\n"


def read(data: bytes, size: int = 1 << 20, limit: int = LIMIT) -> tuple[bytes | None, bytes | None]:
    """The message in these bytes, and what is behind it, fed in pieces of a size."""
    incoming = Incoming(limit)
    for at in range(0, len(data), size):
        rest = incoming.feed(data[at : at + size])
        if rest is not None:
            return incoming.take_mail(), rest + data[at + size :]
    return None, None


pieces = st.lists(
    st.sampled_from([b"\r", b"\n", b".", b"\r\n", b"x", b"\0", b"\r\n.", b"..", b"MAIL FROM:<>"]),
    max_size=30,
).map(b"".join)


@given(mail=pieces, size=st.integers(1, 12), behind=pieces)
def test_what_was_sent_is_what_is_read(mail: bytes, size: int, behind: bytes) -> None:
    lines = mail.split(b"\r\n")
    stuffed = b"\r\n".join(b"." + line if line.startswith(b".") else line for line in lines)
    sent = stuffed + (b".\r\n" if stuffed.endswith(b"\r\n") or not stuffed else END)
    wanted = mail if mail.endswith(b"\r\n") or not mail else mail + b"\r\n"
    assert read(sent + behind, size) == (wanted, behind)


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    "false_end",
    [b"\n.\n", b"\r.\r", b"\r\n.\n", b"\r\n.\r", b"\n.\r\n", b"\r.\r\n", b"\r\n.\0\r\n", b"\n.\r"],
)
def test_no_other_end_is_one(false_end: bytes, size: int) -> None:
    smuggled = b"MAIL FROM:<eve@example.net>\r\nRCPT TO:<x>\r\nDATA\r\n"
    mail, rest = read(b"text" + false_end + smuggled + END + b"QUIT", size)
    assert mail is not None
    assert smuggled in mail
    assert rest == b"QUIT"


def test_an_empty_message() -> None:
    assert read(b".\r\nQUIT\r\n") == (b"", b"QUIT\r\n")


def test_a_dot_at_the_very_beginning_is_dropped() -> None:
    assert read(b"..\r\n.\r\n") == (b".\r\n", b"")


@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_the_largest_message(size: int) -> None:
    largest = b"x" * (LIMIT - 2)
    assert read(largest + END, size) == (largest + b"\r\n", b"")
    assert read(b"x" + largest + END, size) == (None, b"")


def test_dots_that_are_dropped_do_not_count() -> None:
    dots = b".\r\n" * (LIMIT // 3)
    assert read(dots.replace(b".", b"..") + b".\r\n", 1000) == (dots, b"")


@pytest.mark.parametrize("line", [b"x" * 1000, b"x\r\n" * 400, b"\r\n.." * 300, b"\r" * 1000])
def test_memory_is_bounded_whatever_comes(line: bytes) -> None:
    incoming = Incoming(LIMIT)
    for _ in range(1000):
        assert incoming.feed(line) is None
        assert incoming.kept <= 2 * LIMIT
    assert incoming.seen == 1000 * len(line)
    assert incoming.feed(END + b"RSET") == b"RSET"
    assert incoming.take_mail() is None

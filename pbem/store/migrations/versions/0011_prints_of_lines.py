"""Of the lines of letters only fingerprints are kept.

They are made as ``pbem.mail.known_lines`` made them when this was written. Lines were stored clean,
so that only folding is left to do.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from hashlib import blake2b

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

_LETTERS = sa.table(
    "letters", sa.column("id", sa.BigInteger()), sa.column("prints", sa.LargeBinary())
)
_TOGETHER = 500


def upgrade() -> None:
    """Forward."""
    op.execute("ALTER TABLE letters RENAME COLUMN lines TO prints")
    _change(_prints)


def downgrade() -> None:
    """Back. What the lines were is not known any more."""
    _change(lambda prints: zlib.compress(b""))
    op.execute("ALTER TABLE letters RENAME COLUMN prints TO lines")


def _change(make: Callable[[bytes], bytes]) -> None:
    """Make what is in the column of each row into something else."""
    connection, last = op.get_bind(), 0
    some = (
        sa.select(_LETTERS.c.id, _LETTERS.c.prints)
        .where(_LETTERS.c.id > sa.bindparam("last"))
        .order_by(_LETTERS.c.id)
        .limit(_TOGETHER)
    )
    change = (
        sa.update(_LETTERS)
        .where(_LETTERS.c.id == sa.bindparam("row"))
        .values(prints=sa.bindparam("made"))
    )
    while rows := connection.execute(some, {"last": last}).all():
        connection.execute(change, [{"row": row[0], "made": make(row[1])} for row in rows])
        last = rows[-1][0]


def _prints(packed: bytes) -> bytes:
    try:
        lines = zlib.decompress(packed).decode("utf-8", "surrogatepass").split("\n")
    except (zlib.error, UnicodeDecodeError):  # damaged: nobody knows its lines any more
        return b""
    known = dict.fromkeys(map(_fold, lines))
    known.pop("", None)
    return b"".join(
        blake2b(line.encode("utf-8", "surrogatepass"), digest_size=8).digest() for line in known
    )


def _fold(line: str) -> str:
    joined = "".join(line[:4000].split())
    bare = joined.replace(">", "").replace("*", "").replace("_", "").replace("|", "")
    return bare.casefold()[:1000]

"""Time that passes faster, for what waits in the database.

A mail that a killed process had taken is free again after minutes, one that was refused for now is
tried again after minutes. Nobody wants to wait for that here: leases that have lasted for a while
are ended, and pauses are cut short. What a living process holds is left alone: nothing of ours
takes half as long as the shortest lease that is ended.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine, update

from pbem.mail.reading import LEASE as READING
from pbem.mail.sending import LEASE as SENDING
from pbem.play.post import NEW
from pbem.store.columns import table_of
from pbem.store.inbound import InboundRow
from pbem.store.notices import NoticeRow

HELD = timedelta(seconds=30)
"""How long a lease lasts at the least, while somebody may be at work."""

_INBOUND, _NOTICES = table_of(InboundRow), table_of(NoticeRow)


def hurry(engine: Engine, held: timedelta = HELD) -> None:
    """Let what waits be due, but for what has been in somebody's hands for less than ``held``."""
    now = datetime.now(UTC)
    with engine.begin() as connection:
        for table, lease in ((_INBOUND, READING), (_NOTICES, SENDING)):
            is_held = table.c.lease_until.between(now, now + lease - held)
            connection.execute(
                update(table).where(table.c.state == NEW, is_held).values(lease_until=now)
            )
        is_later = (_NOTICES.c.next_try > now) & _NOTICES.c.reason.is_not(None)
        connection.execute(
            update(_NOTICES).where(_NOTICES.c.state == NEW, is_later).values(next_try=now)
        )

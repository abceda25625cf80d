"""What keeps the post within bounds: how addresses fare, what was counted, nonces used."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Index, bindparam, case, delete, select, text
from sqlmodel import Field

from pbem.play.post import AddressHealth
from pbem.store.columns import Instant, Key, Row, is_storable, of_many, table_of
from pbem.store.players import ADDRESSES
from pbem.store.transaction import Foresight, Transaction, Wanted, inserts, remembered


class AddressHealthRow(Row, table=True):
    """How mail to an address fares, whoever has it; an address that fares well has no row."""

    __tablename__ = "address_health"
    __table_args__ = (
        Index(
            "ix_address_health_bounced_at",
            "bounced_at",
            sqlite_where=text("bounced_at IS NOT NULL"),
            postgresql_where=text("bounced_at IS NOT NULL"),
        ),
        Index(
            "ix_address_health_soft_at",
            "soft_at",
            sqlite_where=text("soft_at IS NOT NULL"),
            postgresql_where=text("soft_at IS NOT NULL"),
        ),
    )

    address: str = Field(primary_key=True, sa_type=Key)
    bounced_at: datetime | None = Field(sa_type=Instant)
    soft_score: float
    soft_at: datetime | None = Field(sa_type=Instant)
    unsubscribed_at: datetime | None = Field(sa_type=Instant)


class CounterRow(Row, table=True):
    """How many there were in a bucket in the window that ends then."""

    __tablename__ = "counters"
    __table_args__ = (Index("ix_counters_ends", "ends"),)

    bucket: str = Field(primary_key=True, sa_type=Key)
    ends: datetime = Field(sa_type=Instant)
    number: int


class NonceRow(Row, table=True):
    """Something that counts only once."""

    __tablename__ = "nonces"
    __table_args__ = (Index("ix_nonces_used_at", "used_at"),)

    nonce: str = Field(primary_key=True, sa_type=Key)
    used_at: datetime = Field(sa_type=Instant)


_HEALTH: Final = table_of(AddressHealthRow)
_COUNTERS: Final = table_of(CounterRow)
_NONCES: Final = table_of(NonceRow)

_FIND_HEALTH: Final = select(_HEALTH).where(_HEALTH.c.address == bindparam("wanted"))
_HEALTH_OF_MANY: Final = of_many(
    select(ADDRESSES.c.address.label("owned"), *_HEALTH.c).outerjoin(
        _HEALTH, _HEALTH.c.address == ADDRESSES.c.address
    ),
    ADDRESSES.c.player_id,
)
_SAVE_HEALTH: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["address"],
        set_={c.name: insert.excluded[c.name] for c in _HEALTH.c if c.name != "address"},
    )
    for name, insert in inserts(_HEALTH).items()
}
_SUSPENDED: Final = (
    select(_HEALTH)
    .where(_HEALTH.c.bounced_at.is_not(None))
    .order_by(_HEALTH.c.bounced_at.desc(), _HEALTH.c.address)
    .limit(bindparam("most"))
)
_DROP_HEALTH: Final = delete(_HEALTH).where(_HEALTH.c.address == bindparam("wanted"))

_IS_OVER: Final = _COUNTERS.c.ends <= bindparam("now", type_=Instant())
_COUNT: Final = {
    name: insert.on_conflict_do_update(
        index_elements=["bucket"],
        set_={
            "number": case((_IS_OVER, 1), else_=_COUNTERS.c.number + 1),
            "ends": case((_IS_OVER, insert.excluded["ends"]), else_=_COUNTERS.c.ends),
        },
    ).returning(_COUNTERS.c.number)
    for name, insert in inserts(_COUNTERS).items()
}
_USE_NONCE: Final = {
    name: insert.on_conflict_do_nothing().returning(_NONCES.c.nonce)
    for name, insert in inserts(_NONCES).items()
}
_FIND_NONCE: Final = select(_NONCES.c.used_at).where(_NONCES.c.nonce == bindparam("wanted"))
DROP_COUNTERS: Final = delete(_COUNTERS).where(_COUNTERS.c.ends < bindparam("before"))
DROP_NONCES: Final = delete(_NONCES).where(_NONCES.c.used_at < bindparam("before"))


class PostLimitQueries(Transaction):
    """What a unit can do with addresses' health, counters and nonces."""

    @remembered
    def find_health(self, address: str) -> AddressHealth | None:
        """How mail to an address fares, if anything is known."""
        if not is_storable(address):
            return None
        row = self._first(_FIND_HEALTH, {"wanted": address})
        return None if row is None else AddressHealth(*row)

    def _foresee_health(self, numbers: Collection[int]) -> Foresight:
        """What ``find_health`` is going to be asked of players' addresses."""
        [rows] = yield [self._of_many(_HEALTH_OF_MANY, numbers)]
        for owned, *row in rows:
            health = None if row[0] is None else AddressHealth(*row)
            self._foretell(PostLimitQueries.find_health, health, owned)

    def save_health(self, health: AddressHealth) -> None:
        """How mail to an address fares now."""
        if health == AddressHealth(health.address):
            self._write_later(_DROP_HEALTH, {"wanted": health.address})
        else:
            self._write_later(_SAVE_HEALTH[self._dialect], asdict(health))

    def suspended_addresses(self, *, limit: int) -> Sequence[AddressHealth]:
        """Addresses to which mail failed for good, the newest such failure first."""
        return [AddressHealth(*row) for row in self._rows(_SUSPENDED, {"most": limit})]

    def count_event(self, bucket: str, at: datetime, window: timedelta) -> int:
        """Count one more in a bucket; how many there are in the present window, this one too.

        A window begins with the first one counted. Until the unit ends, others who count in the
        same bucket wait.
        """
        number: int = self._value(*self._counting(bucket, at, window))
        return number

    def _counting(self, bucket: str, at: datetime, window: timedelta) -> Wanted:
        values = {"bucket": bucket, "ends": at + window, "number": 1, "now": at}
        return _COUNT[self._dialect], values

    def use_nonce(self, nonce: str, at: datetime) -> bool:
        """Whether this is the first time that a nonce is used; it is used from now on."""
        values = {"nonce": nonce, "used_at": at}
        return self._first(_USE_NONCE[self._dialect], values) is not None

    def find_nonce(self, nonce: str) -> datetime | None:
        """When a nonce was used, if it was."""
        if not is_storable(nonce):
            return None
        found: datetime | None = self._value(_FIND_NONCE, {"wanted": nonce})
        return found

"""What the tests of workers share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.load.redis_server import NoRedisError, make_redis, wait_for_redis


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """A Redis of our own."""
    try:
        redis, url = make_redis(tmp_path)
    except NoRedisError as error:
        if os.environ.get("PBEM_REQUIRE_REDIS"):
            pytest.fail(str(error))
        pytest.skip(f"no Redis to test with: {error}")
    redis.start()
    try:
        wait_for_redis(redis, url)
        yield url
    finally:
        redis.kill()

"""What all tests share."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.databases"]

settings.register_profile(
    "pbem",
    derandomize=True,
    deadline=None,
    # A store is emptied for each test, not for each example: examples make rows of their own.
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("pbem")

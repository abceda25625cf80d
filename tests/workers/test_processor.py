"""All threads of a process stay on one processor. Tried in processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from workers import processor

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux lets a process choose its processors"
)

ALLOWED = sorted(os.sched_getaffinity(0)) if sys.platform == "linux" else []

_STAY = """
import json, os, sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from workers import processor

processor._CLAIM = "\\0" + sys.argv[1] + "/{}"
exec(sys.argv[2])

def tell(*others):
    here = lambda: sorted(os.sched_getaffinity(0))
    print(json.dumps([here(), *(each.submit(here).result() for each in others)]), flush=True)

with ThreadPoolExecutor(1) as earlier, ThreadPoolExecutor(1) as later:
    tell(earlier)
    with processor.staying():
        tell(earlier, later)
        sys.stdin.readline()
    tell(earlier, later)
"""


def a_machine() -> str:
    """A name for claims that no other process has."""
    return f"pbem-test/{uuid.uuid4()}"


@contextmanager
def staying(machine: str, before: str = "") -> Iterator[list[int]]:
    """A process that stays somewhere, when it has done something before; where all its threads may
    run then, those that it had and one that it begins there."""
    process = subprocess.Popen(
        [sys.executable, "-c", _STAY, machine, before],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        first, earlier = json.loads(process.stdout.readline())
        assert first == earlier
        stayed, *others = json.loads(process.stdout.readline())
        assert others == [stayed, stayed]
        try:
            yield stayed
        finally:
            print(file=process.stdin, flush=True)
        assert json.loads(process.stdout.readline()) == [first] * 3


def test_threads_stay_where_their_process_stays() -> None:
    with staying(a_machine()) as [here]:
        assert here in ALLOWED


@pytest.mark.parametrize("chosen", ALLOWED[:2])
def test_what_an_operator_has_chosen_stays(chosen: int) -> None:
    with staying(a_machine(), f"os.sched_setaffinity(0, {{{chosen}}})") as here:
        assert here == [chosen]


@pytest.mark.parametrize("here", ["None", "4095"])
def test_where_nobody_can_say_where_it_runs_it_is_one_of_its_own(here: str) -> None:
    with staying(a_machine(), f"processor._find_here = lambda: {here}") as place:
        assert place == [ALLOWED[0]]


def test_each_has_a_processor_of_its_own_as_long_as_there_is_one() -> None:
    machine = a_machine()
    at_first = f"processor._find_here = lambda: {ALLOWED[0]}"
    with ExitStack() as running:
        places = [running.enter_context(staying(machine, at_first)) for _ in ALLOWED[:3]]
        assert places == [[each] for each in ALLOWED[:3]]
        if len(ALLOWED) <= 3:
            with staying(machine, at_first) as one_too_many:
                assert one_too_many == [ALLOWED[0]]
    with staying(machine, at_first) as again:
        assert again == [ALLOWED[0]]


def test_without_claims_it_stays_where_it_is() -> None:
    forbid = "def no(*_): raise PermissionError\nprocessor.socket.socket = no"
    with staying(a_machine(), forbid) as [here]:
        assert here in ALLOWED


@pytest.mark.parametrize(
    "forbid",
    [
        "os.sched_setaffinity = no",
        "processor.os = type('os', (), {'sched_getaffinity': no})",
        "processor._STAT = processor._TASKS = Path('/nowhere')",
    ],
)
def test_where_it_is_forbidden_all_is_as_it_was(forbid: str) -> None:
    with staying(a_machine(), f"def no(*_): raise PermissionError\n{forbid}") as places:
        assert places == ALLOWED


def test_jobs_in_threads_of_one_process_stay_together_and_go() -> None:
    """The second goes when the first has gone."""
    second = ExitStack()
    before = os.sched_getaffinity(0)
    with processor.staying():
        here = os.sched_getaffinity(0)
        second.enter_context(processor.staying())
        assert os.sched_getaffinity(0) == here
    second.close()
    assert os.sched_getaffinity(0) == before
    with processor.staying():
        assert len(os.sched_getaffinity(0)) == 1

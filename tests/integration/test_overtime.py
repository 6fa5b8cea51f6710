"""A case that ends a little over its time limit is tried again, alone, before that counts."""

from pathlib import Path
from typing import Any

import pytest
from command_line import grader, results
from conftest import MakeTree

SPEC = """\
task: slow
title: Slow
marks: 3
modules: {slow: slow.py}
questions:
  - id: "1"
    title: work
    marks: 3
    award: each
    limits: {time: 1s, wall: 60s}
    cases:
      - {call: work(1), returns: 1}
      - {call: work(2), returns: 2}
      - {call: work(3), returns: 3}
"""

# The memory is shared by all cases of a box, so a case can know that it has run before.
SPIN = """\
import mmap, time
runs = mmap.mmap(-1, 16)

def spin(seconds):
    while time.process_time() < seconds:
        pass

def work(n):
    runs[n] += 1
    {body}
    return n
"""


def marked(make_folder: MakeTree, body: str, processes: int) -> tuple[dict[str, Any], ...]:
    """Mark two submissions with that work; return the cases of each."""
    source = SPIN.format(body=body)
    files = {"slow.yaml": SPEC} | {f"batch/student-{n}/slow.py": f"# {n}\n{source}" for n in (1, 2)}
    folder: Path = make_folder("slow", files)
    done = grader("mark", folder / "slow.yaml", folder / "batch", "-o", folder / "out", "-j", str(processes))
    assert done.returncode == 0, done.stderr
    return tuple(
        {case["id"]: case for case in submission["questions"][0]["cases"]}
        for submission in results(folder / "out")["submissions"]
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_a_case_that_was_near_its_limit_counts_by_the_run_that_kept_it(
    make_folder: MakeTree, processes: int
) -> None:
    for cases in marked(make_folder, "n == 2 and runs[n] == 1 and spin(1.1)", processes):
        assert [case["verdict"] for case in cases.values()] == ["accepted"] * 3
        assert cases["1.2"]["cpu_s"] < 1


def test_a_case_that_is_always_over_its_limit_is_over_it(make_folder: MakeTree) -> None:
    for cases in marked(make_folder, "n == 2 and spin(1.1)", 2):
        assert [case["verdict"] for case in cases.values()] == ["accepted", "time-limit", "accepted"]
        assert 1 < cases["1.2"]["cpu_s"] < 1.25


def test_a_case_that_does_not_end_is_not_tried_again(make_folder: MakeTree) -> None:
    for cases in marked(make_folder, "n == 2 and runs[n] == 1 and spin(100)", 1):
        assert cases["1.2"]["verdict"] == "time-limit"

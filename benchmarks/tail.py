"""How much longer does a batch take when a tenth of its submissions loop, sleep or make a checker hang?

    python benchmarks/tail.py [--size 100] [--bad 10] [--time 2] [--rounds 3] [--cores 2,all] [--kinds ...]

Each submission has twelve cheap cases.  By turns, these batches are marked, with nothing known from
earlier runs:

    none      all submissions are right
    looping   a tenth of them loop in ten cases
    sleeping  a tenth of them sleep in ten cases
    checker   a tenth of them have a checker hang, in one case

Prints for each the median of the seconds from begin to end, and the bound that it is to keep:

    looping, checker   the batch without them + 1.25 x (CPU seconds that the limits allow on one core).
                       Cases of a submission run one after another, so each core has whole submissions:
                       of ten bad ones on four cores, three
    sleeping           the batch without them + 1.25 x (seconds that one submission may wait), since
                       what sleeps takes no core

The limits allow a looping case its time limit, a hanging checker 5 s, and a submission no more than its
budget.  "others done" is when the last of the right submissions was marked; "CPU s" is of all processes,
where a control group can be made.  Exits with 1 if a bound is not kept.
"""

import argparse
import math
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cpu_meter import CpuMeter, cpu_meter

from grader.engine.batch import ThisMachine
from grader.engine.run import mark_batch
from grader.intake import discover
from grader.model.events import SubmissionMarked
from grader.spec import load_task

KINDS = ("none", "looping", "sleeping", "checker")
CASES = 12
BAD_CASES = {"none": 0, "looping": 10, "sleeping": 10, "checker": 1}
CHECKER_S = 5.0
BUDGET_S = 60.0
"""CPU seconds for a submission, unless three times the longest time limit is more."""
SLACK = 1.25
SPEC = """
task: tail
title: Tail
marks: 1
modules: {{work: work.py}}
checkers: checks.py
limits: {{time: {time_s:g}s, wall: {wall_s:g}s}}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
"""
CASE = "      - {{call: f({number}), check: same(number={number})}}\n"
CHECKS = """
def same(answer, number):
    while answer == -1:
        pass
    return None if answer == number else "it is another number"
"""
RIGHT = """
# {name}
def f(x):
    total = 0
    for number in range(20_000):
        total += number
    return total - total + x
"""
WRONG = {
    "none": "",
    "looping": "    while x < {bad}:\n        pass\n",
    "sleeping": "    if x < {bad}:\n        __import__('time').sleep(10_000)\n",
    "checker": "    if x < {bad}:\n        return -1\n",
}


@dataclass(frozen=True, slots=True)
class Run:
    """What marking one batch took.  others_s: until the last right submission was marked."""

    wall_s: float
    others_s: float
    cpu_s: float | None


def main() -> int:
    """Run the rounds and print the table; return 1 if a bound is not kept."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=100, help="submissions")
    parser.add_argument("--bad", type=int, default=10, help="of them that are not right")
    parser.add_argument("--time", type=float, default=2.0, help="time limit of a case, in seconds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cores", default="2,all", help="numbers of cores, or all")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of batches; none is always marked")
    chosen = parser.parse_args()
    kinds = ["none", *(kind for kind in chosen.kinds.split(",") if kind != "none")]
    all_cores = sorted(os.sched_getaffinity(0))
    is_kept = True
    with tempfile.TemporaryDirectory() as name, cpu_meter() as meter:
        folder = Path(name)
        for kind in kinds:
            write_batch(folder / kind, kind, chosen.size, chosen.bad, chosen.time)
        for word in chosen.cores.split(","):
            cores = all_cores if word == "all" else all_cores[: int(word)]
            runs: dict[str, list[Run]] = {kind: [] for kind in kinds}
            for _ in range(chosen.rounds):
                for kind in kinds:
                    with held_to(cores):
                        runs[kind].append(mark(folder / kind, len(cores), meter))
            is_kept &= report(runs, len(cores), chosen.size, chosen.bad, chosen.time)
    return 0 if is_kept else 1


def write_batch(folder: Path, kind: str, size: int, bad: int, time_s: float) -> None:
    """Write spec, checkers and submissions; the bad ones are spread over the batch."""
    (folder / "batch").mkdir(parents=True)
    cases = "".join(CASE.format(number=number) for number in range(CASES))
    (folder / "spec.yaml").write_text(SPEC.format(time_s=time_s, wall_s=wall_limit_s(time_s)) + cases)
    (folder / "checks.py").write_text(CHECKS)
    every = max(1, size // bad) if bad else size + 1
    wrong = WRONG[kind].format(bad=BAD_CASES[kind])
    for number in range(size):
        is_bad = number % every == 0 and number // every < bad and bool(wrong)
        student = folder / "batch" / f"{'bad' if is_bad else 'right'}-{number:04}"
        student.mkdir()
        text = RIGHT.format(name=student.name)
        if is_bad:
            text = text.replace("    total = 0\n", wrong + "    total = 0\n")
        (student / "work.py").write_text(text)


def wall_limit_s(time_s: float) -> float:
    """How long a case may wait."""
    return 2 * time_s


def mark(folder: Path, processes: int, meter: CpuMeter) -> Run:
    """Mark the batch of a folder."""
    task = load_task(folder / "spec.yaml")
    candidates = discover([folder / "batch"], dict(task.modules))
    before_s, began = meter.read_s(), time.monotonic()
    others_s = 0.0
    for event in mark_batch(task, candidates, machines=ThisMachine(processes)):
        if isinstance(event, SubmissionMarked) and event.result.id.startswith("right"):
            others_s = time.monotonic() - began
    wall_s = time.monotonic() - began
    after_s = meter.read_s()
    used_s = after_s - before_s if before_s is not None and after_s is not None else None
    return Run(wall_s, others_s, used_s)


@contextmanager
def held_to(cores: list[int]) -> Iterator[None]:
    """Keep this process, and what it starts meanwhile, on some cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def added_s(kind: str, cores: int, bad: int, time_s: float) -> float:
    """Return the seconds by which a batch may take longer."""
    budget_s = max(BUDGET_S, 3 * time_s)
    if kind == "sleeping":
        return SLACK * min(BAD_CASES[kind] * wall_limit_s(time_s), 2 * budget_s)
    case_s = CHECKER_S if kind == "checker" else time_s
    return SLACK * math.ceil(bad / cores) * min(BAD_CASES[kind] * case_s, budget_s)


def report(runs: dict[str, list[Run]], cores: int, size: int, bad: int, time_s: float) -> bool:
    """Print the lines of one number of cores; return whether all bounds are kept."""
    print(f"{size} submissions, {bad} of them bad; {cores} cores; medians of {len(runs['none'])} rounds")
    print(f"{'batch':<10}{'wall s':>8}{'bound s':>9}{'kept':>6}{'others done s':>15}{'CPU s':>8}")
    usual_s = statistics.median(run.wall_s for run in runs["none"])
    is_kept = True
    for kind, found in runs.items():
        wall_s = statistics.median(run.wall_s for run in found)
        others_s = statistics.median(run.others_s for run in found)
        used = [run.cpu_s for run in found if run.cpu_s is not None]
        bound_s = usual_s + added_s(kind, cores, bad, time_s) if kind != "none" else usual_s
        kept = wall_s <= bound_s
        is_kept &= kept
        shown = ("yes" if kept else "NO") if kind != "none" else "-"
        cpu = f"{statistics.median(used):.1f}" if used else "-"
        print(f"{kind:<10}{wall_s:>8.1f}{bound_s:>9.1f}{shown:>6}{others_s:>15.1f}{cpu:>8}", flush=True)
    return is_kept


if __name__ == "__main__":
    sys.exit(main())

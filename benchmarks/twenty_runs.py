"""Marks a batch twenty times while all cores are kept busy by something else, and compares every mark.

    python benchmarks/twenty_runs.py [--times 20] [--task knights-tour] [--processes 2] [--busy 2]

The batch is the sample of a task, `--task ""` for none, and programs that need known shares of a time limit
on the machine at its best, as far as that is known: what they take is measured at the start, before anything
else is at work, beside the piece of work that tells how slow the machine is.  So begin when it is quiet.
Below the limit they must be accepted, a quarter above it they must not, in all of the runs: a mark is no
matter of the machine's mood.

Prints what each program near the limit got, and the seconds at best that it was judged by, and how many
marks and verdicts of how many runs were equal; exits with 1 if any was not, or if a program got what is not
its due.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from busy_cores import all_cores_busy

from grader.engine.cores import default_processes
from grader.engine.gauge import look_s, search
from grader.engine.run import mark_batch
from grader.intake import discover
from grader.model.events import SubmissionMarked
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.spec import load_task
from grader.store.best_speed import noted_best_s

ROOT = Path(__file__).resolve().parents[1]
LIMIT_S = 1.0
SHARES = (0.7, 0.8, 0.9, 1.25, 1.5, 2.0)
SPEC = """
task: near-the-limit
title: Near the limit
marks: 1
modules: {work: work.py}
budget: 10min
questions:
  - id: "1"
    title: work
    marks: 1
    cases:
"""
CASE = """
      - {call: work(7), returns: 7, limits: {time: %ss, wall: 120s}}
"""
WORK = """
def work(number):
    total = 0
    for count in range(%d):
        total += count * count
    return total - total + number
"""
TRIAL = 40_000
TRIALS = 500

Shown: TypeAlias = tuple[str, tuple[tuple[str, str, str], ...]]
"""A mark, and the verdict and score of each case: all that must not differ."""


@dataclass(slots=True)
class Seen:
    """What one submission got in the runs so far."""

    shown: Counter[Shown]
    cpu_s: list[float]


def main() -> int:
    """Print what came of it; return 1 if any mark differed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--task", default="knights-tour", help="of the samples; empty for none")
    parser.add_argument("--processes", type=int, default=2, help="submissions marked at a time")
    parser.add_argument("--busy", type=int, default=default_processes(), help="other processes at work")
    chosen = parser.parse_args()
    began = time.monotonic()
    near: dict[str, Seen] = {}
    sample: dict[str, Seen] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        each_s = seconds_of_a_step()
        programs = write_programs(
            folder / "near", {str(share): round(share * LIMIT_S / each_s) for share in SHARES}
        )
        spec = folder / "near.yaml"
        spec.write_text(SPEC + CASE % LIMIT_S)
        with all_cores_busy(chosen.busy):
            for _ in range(chosen.times):
                add(near, marked(load_task(spec), programs, chosen.processes))
                if chosen.task:
                    task = load_task(ROOT / "specs" / f"{chosen.task}.yaml")
                    add(sample, marked(task, ROOT / "submissions" / chosen.task, chosen.processes))
    print(f"{chosen.times} runs, {chosen.processes} at a time, beside {chosen.busy} busy processes")
    print(f"({time.monotonic() - began:.0f} s)")
    differing = report_near(near) + report("programs near the limit", near)
    if chosen.task:
        differing += report(f"the sample of {chosen.task}", sample)
    return int(bool(differing))


def seconds_of_a_step() -> float:
    """Return the CPU seconds of one step of the programs' loop on the machine at its best.

    Measured in this process: what the grader tells is what is tried.
    """
    names: dict[str, Callable[[int], int]] = {}
    exec(WORK % TRIAL, {}, names)
    search()
    ratios = []
    for _ in range(TRIALS):
        before_s = look_s()
        began_s = time.process_time()
        names["work"](7)
        taken_s = time.process_time() - began_s
        ratios.append(2 * taken_s / (before_s + look_s()))
        time.sleep(0.02)
    return statistics.median(ratios) * noted_best_s() / TRIAL


def write_programs(folder: Path, steps: dict[str, int]) -> Path:
    """Write a submission for each name, whose loop makes so many steps."""
    for name, number in steps.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "work.py").write_text(WORK % number)
    return folder


def marked(task: Task, batch: Path, processes: int) -> list[SubmissionResult]:
    """Mark a batch once."""
    candidates = discover([batch], dict(task.modules))
    events = mark_batch(task, candidates, processes=processes)
    return [event.result for event in events if isinstance(event, SubmissionMarked)]


def add(seen: dict[str, Seen], results: Sequence[SubmissionResult]) -> None:
    """Take in the results of one run."""
    for result in results:
        one = seen.setdefault(result.id, Seen(Counter(), []))
        cases = [case for question in result.questions for case in question.cases]
        verdicts = tuple((case.id, str(case.verdict), str(case.score)) for case in cases)
        one.shown[f"{result.mark} {result.status}", verdicts] += 1
        one.cpu_s.append(max((case.cpu_s for case in cases), default=0.0))


def report_near(near: dict[str, Seen]) -> int:
    """Print a line for each program; return how many did not get what is theirs."""
    print(f"{'share of the limit':<20}{'s at best: least':>18}{'median':>8}{'most':>7}   verdicts")
    wrong = 0
    for name, one in sorted(near.items()):
        verdicts = Counter({verdicts[0][1]: 0 for _, verdicts in one.shown})
        for (_, cases), count in one.shown.items():
            verdicts[cases[0][1]] += count
        due = "accepted" if float(name) < 1 else "time-limit"
        wrong += set(verdicts) != {due}
        shown = ", ".join(f"{verdict} ({count}x)" for verdict, count in verdicts.most_common())
        least, median, most = min(one.cpu_s), statistics.median(one.cpu_s), max(one.cpu_s)
        print(f"{name:<20}{least:>18.2f}{median:>8.2f}{most:>7.2f}   {shown}")
    return wrong


def report(what: str, seen: dict[str, Seen]) -> int:
    """Print how many submissions got the same in all runs; return how many did not."""
    differing = {name: one for name, one in seen.items() if len(one.shown) > 1}
    marks = sum(one.shown.total() for one in seen.values())
    verdicts = sum(len(shown[1]) * count for one in seen.values() for shown, count in one.shown.items())
    print(f"{what}: {marks} marks of {len(seen)} submissions and {verdicts} verdicts compared, "
          f"{len(differing) or 'no'} submissions differ")  # fmt: skip
    for name, one in differing.items():
        print(f"  {name}: marks {', '.join(f'{mark} ({count}x)' for (mark, _), count in one.shown.items())}")
        cases = Counter(case for shown in one.shown for case in shown[1])
        for case, count in sorted(cases.items()):
            if count < len(one.shown):
                print(f"    {' '.join(case)}")
    return len(differing)


if __name__ == "__main__":
    sys.exit(main())

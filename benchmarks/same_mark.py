"""Marks the same programs by their time again and again beside busy processes, and compares the marks.

Run it from the root of the checkout: `.venv/bin/python benchmarks/same_mark.py [--times 20] [--processes 2]`.
The programs need about 0.6, 1.5, 3 and 6 times as long as the reference, each in the middle of its band.
"""

import argparse
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from busy_cores import all_cores_busy

from grader.engine.batch import ThisMachine
from grader.engine.run import mark_batch
from grader.intake import discover
from grader.model.events import SubmissionMarked
from grader.model.results import CaseResult
from grader.model.task import Task
from grader.runtime.cores import default_processes
from grader.spec import load_task

SPEC = """
task: same-mark
title: The same mark
marks: 1
reference: reference
modules: {work: work.py}
budget: 1h
questions:
  - id: "1"
    title: by time
    marks: 1
    award: by-time
    pace: {full: 2, none: 4, steps: 3}
    cases:
      - {call: work(250000), returns: same as reference, limits: {time: 20s}}
"""
WORK = """
def work(n):
    total = 0
    for number in range(n * %s):
        total += number * number
    return total - total + n
"""
PROGRAMS = {"clearly-faster": "6 // 10", "half-as-long-again": "3 // 2", "three-times": "3", "six-times": "6"}


def write_files(folder: Path) -> Task:
    """Write spec, reference and programs, and return the task."""
    (folder / "reference").mkdir()
    (folder / "reference" / "work.py").write_text(WORK % "1")
    for name, factor in PROGRAMS.items():
        (folder / "programs" / name).mkdir(parents=True)
        (folder / "programs" / name / "work.py").write_text(WORK % factor)
    (folder / "same-mark.yaml").write_text(SPEC)
    return load_task(folder / "same-mark.yaml")


def mark_once(task: Task, programs: Sequence[Path], processes: int) -> dict[str, CaseResult]:
    """Mark all programs, several at a time, and return their cases."""
    candidates = discover(list(programs), dict(task.modules))
    events = mark_batch(task, candidates, machines=ThisMachine(processes))
    return {
        event.result.id: event.result.questions[0].cases[0]
        for event in events
        if isinstance(event, SubmissionMarked)
    }


def main() -> int:
    """Print a line for each program; return 1 if any got two different scores."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2, help="submissions marked at a time")
    parser.add_argument("--busy", type=int, default=default_processes(), help="other processes at work")
    chosen = parser.parse_args()
    results: dict[str, list[CaseResult]] = {name: [] for name in PROGRAMS}
    with tempfile.TemporaryDirectory() as folder, all_cores_busy(chosen.busy):
        task = write_files(Path(folder))
        programs = sorted(path for path in (Path(folder) / "programs").iterdir())
        for _ in range(chosen.times):
            for name, result in mark_once(task, programs, chosen.processes).items():
                results[name].append(result)
    print(f"marked {chosen.times} times, {chosen.processes} at a time, beside {chosen.busy} busy processes")
    print(f"{'program':<20}{'scores':<22}{'ratio: least':>13}{'median':>8}{'most':>7}"
          f"{'rounds':>8}{'reference, least to most':>27}")  # fmt: skip
    for name, found in results.items():
        print(_line(name, found))
    return int(any(len({result.score for result in found}) > 1 for found in results.values()))


def _line(name: str, found: Sequence[CaseResult]) -> str:
    timings = [result.timing for result in found if result.timing is not None]
    scores = Counter(result.score for result in found)
    shown = ", ".join(f"{score} ({count}x)" for score, count in scores.most_common())
    ratios = [timing.ratio for timing in timings]
    rounds = statistics.mean(timing.rounds for timing in timings)
    reference_ms = sorted(1000 * timing.reference_s for timing in timings)
    return (
        f"{name:<20}{shown:<22}{min(ratios):>13.2f}{statistics.median(ratios):>8.2f}{max(ratios):>7.2f}"
        f"{rounds:>8.1f}{reference_ms[0]:>16.1f} to {reference_ms[-1]:.1f} ms"
    )


if __name__ == "__main__":
    sys.exit(main())

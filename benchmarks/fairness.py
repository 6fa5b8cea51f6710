"""Do right programs near a limit get the same verdict on a quiet machine and on a busy one?

    python benchmarks/fairness.py [--times 20] [--busy 30] [--limit 1] [--processes 2] [--shares 0.3,0.5,2,4]

At the start, when nothing else is at work, it is measured how much CPU time a step of a loop takes.  From
that, programs are made that need given shares of a time limit, and they are marked so many times quietly, and
so many times beside so many busy loops.  The wall limit is as it is without a word in the spec.

Programs that need at most half of the limit must be accepted, those that need twice as much must not, in
every run; what is in between is shown, and judges nothing.

Prints for each program the verdicts of both kinds of run, and the CPU seconds as they were told: least,
median and most.  Exits with 1 if a program got what is not its due, or two different verdicts.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from grader.engine.batch import ThisMachine
from grader.engine.run import mark_batch
from grader.intake import discover
from grader.model.events import SubmissionMarked
from grader.spec import load_task

SPEC = """
task: fairness
title: Fairness
marks: 1
modules: {work: work.py}
budget: {time: 10min, wall: 1h}
questions:
  - id: "1"
    title: work
    marks: 1
    cases:
      - {call: work(7), returns: 7, limits: {time: %gs}}
"""
WORK = """
def work(number):
    total = 0
    for count in range(%d):
        total += count * count
    return total - total + number
"""
TRIAL = 3_000_000
TRIALS = 5
LONGEST_S = 100.0
"""The limit while it is measured how long a step takes."""


@dataclass(slots=True)
class Seen:
    """What a program got, quietly or beside others."""

    verdicts: Counter[str] = field(default_factory=Counter)
    cpu_s: list[float] = field(default_factory=list)


def main() -> int:
    """Print the table; return 1 if a verdict was not due or two differed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=20, help="runs of each kind")
    parser.add_argument("--busy", type=int, default=30, help="loops beside the second half of the runs")
    parser.add_argument("--limit", type=float, default=1.0, help="time limit, in seconds")
    parser.add_argument("--processes", type=int, default=2, help="submissions marked at a time")
    parser.add_argument("--shares", default="0.3,0.5,2,4", help="of the limit that programs need")
    chosen = parser.parse_args()
    shares = [float(share) for share in chosen.shares.split(",")]
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        each_s = seconds_of_a_step(folder / "trial")
        programs = {f"{share:g}": round(share * chosen.limit / each_s) for share in shares}
        write(folder / "programs", programs, chosen.limit)
        quiet = runs(folder / "programs", chosen.times, chosen.processes)
        with loops(chosen.busy):
            busy = runs(folder / "programs", chosen.times, chosen.processes)
    print(f"limit {chosen.limit:g} s; {chosen.times} runs quietly and beside {chosen.busy} loops; ", end="")
    print(f"{chosen.processes} at a time; {time.monotonic() - began:.0f} s")
    print(f"{'share':<7}{'due':<12}{'quietly':<22}{'CPU s':<20}{'beside loops':<22}{'CPU s':<20}")
    wrong = sum([report(share, quiet[f"{share:g}"], busy[f"{share:g}"]) for share in shares])
    print(f"{wrong or 'no'} programs got two verdicts or one that is not due")
    return int(wrong > 0)


def seconds_of_a_step(folder: Path) -> float:
    """Return the CPU seconds of one step of the programs' loop, as cases of a quiet run are told."""
    write(folder, {"trial": TRIAL}, LONGEST_S)
    (told,) = runs(folder, TRIALS, 1).values()
    return statistics.median(told.cpu_s) / TRIAL


def write(folder: Path, programs: dict[str, int], limit_s: float) -> None:
    """Write the spec, and a submission for each name, whose loop makes so many steps."""
    folder.mkdir()
    (folder / "spec.yaml").write_text(SPEC % limit_s)
    for name, steps in programs.items():
        (folder / "batch" / name).mkdir(parents=True)
        (folder / "batch" / name / "work.py").write_text(WORK % steps)


def runs(folder: Path, times: int, processes: int) -> dict[str, Seen]:
    """Mark the batch of a folder so many times; return what each program got."""
    task = load_task(folder / "spec.yaml")
    seen: dict[str, Seen] = {}
    for _ in range(times):
        candidates = discover([folder / "batch"], dict(task.modules))
        for event in mark_batch(task, candidates, machines=ThisMachine(processes)):
            if isinstance(event, SubmissionMarked):
                case = event.result.questions[0].cases[0]
                one = seen.setdefault(event.result.id, Seen())
                one.verdicts[str(case.verdict)] += 1
                one.cpu_s.append(case.cpu_s)
    return seen


@contextmanager
def loops(number: int) -> Iterator[None]:
    """Have so many other processes loop meanwhile."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def report(share: float, quiet: Seen, busy: Seen) -> bool:
    """Print the line of a program; return whether something is wrong with it."""
    due = "accepted" if share <= 0.5 else "time-limit" if share >= 2 else ""
    found = quiet.verdicts + busy.verdicts
    cells = [cell for seen in (quiet, busy) for cell in (shown(seen.verdicts), spread(seen.cpu_s))]
    print(
        f"{share:<7g}{due or 'either':<12}{cells[0]:<22}{cells[1]:<20}{cells[2]:<22}{cells[3]:<20}",
        flush=True,
    )
    return bool(due) and set(found) != {due}


def shown(verdicts: Counter[str]) -> str:
    """Return verdicts with how often each came."""
    return ", ".join(f"{verdict} {count}x" for verdict, count in verdicts.most_common())


def spread(seconds: Sequence[float]) -> str:
    """Return the least, the median and the most."""
    return f"{min(seconds):.2f} {statistics.median(seconds):.2f} {max(seconds):.2f}"


if __name__ == "__main__":
    sys.exit(main())

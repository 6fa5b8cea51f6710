"""How often the growth of known functions is named right, on a quiet machine and beside busy loops.

Run it from anywhere: `python benchmarks/growth.py`.  A name is right if the growth that counts, or one that
fits as well, is that of the function, and the mark is the one that the function deserves.
"""

import argparse
import sys
import tempfile
import textwrap
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from busy_cores import all_cores_busy

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

WORK = """
def scan(xs):
    total = 0
    for x in xs:
        total += x
    return total


def merge_sort(xs):
    if len(xs) < 2:
        return xs
    middle = len(xs) // 2
    left, right = merge_sort(xs[:middle]), merge_sort(xs[middle:])
    found, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            found.append(left[i])
            i += 1
        else:
            found.append(right[j])
            j += 1
    return found + left[i:] + right[j:]


def pairs(xs):
    return sum(1 for x in xs for y in xs if x < y)


def naive_fib(n):
    return n if n < 2 else naive_fib(n - 1) + naive_fib(n - 2)
"""
SPEC = """
task: growth
title: Growth
marks: 1
modules: {work: work.py}
reference: reference
checkers: checkers.py
questions:
  - id: "1"
    title: Growth
    marks: 1
    award: each
    cases:
      - {name: linear, call: scan(xs), grow: {n: [4000, 8000, 16000, 32000]}, given: {xs: numbers(n)},
         growth: linear, decides: marks, returns: same as reference}
      - {name: n-log-n, call: merge_sort(xs), grow: {n: [1000, 2000, 4000, 8000]}, given: {xs: numbers(n)},
         growth: n log n, decides: marks, returns: same as reference}
      - {name: quadratic, call: pairs(xs), grow: {n: [100, 200, 400, 800]}, given: {xs: numbers(n)},
         growth: n log n, decides: marks, returns: same as reference}
      - {name: exponential, call: naive_fib(n), grow: {n: [12, 14, 16, 18, 20]},
         growth: cubic, decides: marks, returns: same as reference}
"""
NUMBERS = "def numbers(random, n):\n    return [random.randrange(10 * n) for _ in range(n)]\n"
DESERVED = {"linear": True, "n-log-n": True, "quadratic": False, "exponential": False}
"""Whether a function is to earn its case."""


def is_right(case: CaseResult) -> bool:
    """Tell whether a case names the growth after which it is called, and earns what it should."""
    name = case.id.partition(".")[2]
    growth = case.growth
    names = () if growth is None else (growth.name, *growth.others)
    return name.replace("-", " ") in names and (str(case.verdict) == "accepted") == DESERVED[name]


def main() -> None:
    """Print how often each function was named right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--busy", type=int, default=8, help="busy loops beside it, in the second half")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "reference").mkdir()
        (folder / "reference" / "work.py").write_text(WORK)
        (folder / "checkers.py").write_text(NUMBERS)
        (folder / "spec.yaml").write_text(textwrap.dedent(SPEC))
        task = load_task(folder / "spec.yaml")
    submission = Submission("student", "student", {"work": SourceFile("work.py", WORK)})
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        for loops in (0, chosen.busy):
            right: Counter[str] = Counter()
            powers: dict[str, list[float]] = {}
            with all_cores_busy(loops):
                for _ in range(chosen.times):
                    for case in marker.mark(submission).result.questions[0].cases:
                        right[case.id] += is_right(case)
                        powers.setdefault(case.id, []).append(case.growth.power if case.growth else 0.0)
            print(f"{loops} busy loops beside it")
            for case_id, found in powers.items():
                least, most = min(found), max(found)
                print(f"  {case_id:16}{right[case_id]:3} of {chosen.times}   power {least:.2f} to {most:.2f}")


if __name__ == "__main__":
    main()

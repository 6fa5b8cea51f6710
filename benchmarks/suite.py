"""What each test of the suite costs, in CPU time of all processes that it starts.

    python benchmarks/suite.py [--most 40] [OPTION OF PYTEST ...]

Runs pytest with these options, such as `-m acceptance -n 3`, and prints the costliest files and tests.
CPU time hangs less on what else runs here than time by the clock does.  A process that outlives its test
counts for the next one.  Needs a control group that this user may write (root has one).
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.cpu_meter import CpuMeter, cpu_meter

ROOT = Path(__file__).resolve().parents[1]
_FOLDER = "GRADER_SUITE_COSTS"
_METER = pytest.StashKey[CpuMeter]()
_STACK = pytest.StashKey[ExitStack]()


def pytest_configure(config: pytest.Config) -> None:
    stack = config.stash[_STACK] = ExitStack()
    config.stash[_METER] = stack.enter_context(cpu_meter())


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[_STACK].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    meter = item.config.stash[_METER]
    before_s = meter.read_s()
    result = yield
    after_s = meter.read_s()
    if before_s is not None and after_s is not None:
        with Path(os.environ[_FOLDER], str(os.getpid())).open("a") as file:
            file.write(f"{after_s - before_s:.3f} {item.nodeid}\n")
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--most", type=int, default=40, help="so many files and tests are printed")
    options, others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {_FOLDER: folder}
        command = [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.suite", *others]
        status = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        rows = [line for path in Path(folder).iterdir() for line in path.read_text().splitlines()]
    costs_s = {name: float(cost) for cost, _, name in (row.partition(" ") for row in rows)}
    by_file: dict[str, float] = defaultdict(float)
    for name, cost_s in costs_s.items():
        by_file[name.partition("::")[0]] += cost_s
    print(f"\n{len(costs_s)} tests took {sum(costs_s.values()):.0f} CPU s")
    for costs in (by_file, costs_s):
        print()
        for name, cost_s in sorted(costs.items(), key=lambda row: -row[1])[: options.most]:
            print(f"{cost_s:8.1f}  {name}")
    return status


if __name__ == "__main__":
    sys.exit(main())

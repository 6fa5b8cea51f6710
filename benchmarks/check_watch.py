"""How long does `grader check --watch` take from a save to its verdict?

    python benchmarks/check_watch.py [--rounds 30]

A student saves a submission of twenty cheap cases, and its file changes each time.  Measured by the clock,
from the moment before the file is written until the line after the verdict has come through a pipe:

    save       all of it
    check      the part in which the cases ran, as the command says it

The rest is the time until a look at the file, one every 20 ms, sees it change, and another 10 ms later sees
the same.  The aim for `save` is 200 ms.
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OVERHEAD = ROOT / "benchmarks" / "overhead"
AIM_MS = 200


def main() -> None:
    """Run the rounds and print the times."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=30)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder, "moves.py")
        source = (OVERHEAD / "moves.py").read_text("utf-8")
        work.write_text(source, "utf-8")
        command = [sys.executable, "-m", "grader", "check", str(OVERHEAD / "spec.yaml"), folder, "--watch"]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        ) as run:
            assert run.stderr is not None
            told_ms(run.stderr.readline())
            saves, checks = [], []
            for number in range(rounds):
                began_s = time.perf_counter()
                work.write_text(f"{source}\n# {number}\n", "utf-8")
                checks.append(told_ms(run.stderr.readline()))
                saves.append(1000 * (time.perf_counter() - began_s))
            run.terminate()
            run.communicate()
    for name, times in (("save", saves), ("check", checks)):
        slowest = max(times)
        print(f"{name:6} median {statistics.median(times):6.1f} ms, slowest {slowest:6.1f} ms")
    print(f"aim: {AIM_MS} ms ({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


def told_ms(line: bytes) -> float:
    """Return how long a check took, from the line that tells it."""
    found = re.search(rb"(\d+) ms; waiting", line)
    assert found is not None, line
    return float(found[1])


if __name__ == "__main__":
    main()

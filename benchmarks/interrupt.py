"""How soon Ctrl-C ends `grader mark`, from the signal to the end of its last process.

    python benchmarks/interrupt.py [--times N] [--processes N]

A batch that would take minutes is interrupted at random moments from its first line on; the median and
the worst time are printed.  The grader promises to stop within a second on a machine that is not
overloaded.
"""

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from support import endless


def main() -> None:
    """Interrupt as often as asked, and print how long it took."""
    parser = argparse.ArgumentParser(description="Measure how soon Ctrl-C ends a run.")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    chance = random.Random(0)
    with tempfile.TemporaryDirectory(prefix="grader-interrupt-") as name:
        folder = Path(name)
        for path, text in endless.files(10).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        took_s = [interrupted(folder, options.processes, chance.uniform(0, 2)) for _ in range(options.times)]
    print(f"{len(took_s)} interrupts: median {statistics.median(took_s):.2f} s, worst {max(took_s):.2f} s")


def interrupted(folder: Path, processes: int, delay_s: float) -> float:
    """Return after how many seconds a run was over that was interrupted so long after its first line."""
    run = subprocess.Popen(
        [sys.executable, "-m", "grader", "mark", "slow.yaml", "batch", "-o", "out", "-j", str(processes)],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert run.stderr is not None
    run.stderr.readline()
    time.sleep(delay_s)
    began = time.monotonic()
    os.killpg(run.pid, signal.SIGINT)
    run.communicate()
    # Its processes share its group: there is nobody left to tell once the last is gone.
    while time.monotonic() - began < 60:
        try:
            os.killpg(run.pid, 0)
        except ProcessLookupError:
            break
        time.sleep(0.01)
    return time.monotonic() - began


if __name__ == "__main__":
    main()

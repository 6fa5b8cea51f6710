"""How much sooner is a batch done on two cores than on one?

    python benchmarks/two_cores.py [--size 200] [--rounds 5] [--questions 1]

By turns, the same batch is marked into a fresh folder, with everything that goes with it:

    one      by one job, held to one core, while the other core is kept busy by a loop
    two      by two jobs, on both cores

The loop is there since two cores are often two halves of one: with it, each half is as fast in both runs, and
what is compared is what the jobs share, not what the halves do.  Prints the seconds of each round and the
median of the ratios; the aim is 1.8.
"""

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from throughput import ROOT, make_batch, write_spec


def main() -> None:
    """Run the rounds and print what came of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=200, help="submissions")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--questions", default="1", help="ids, or all")
    chosen = parser.parse_args()
    cores = sorted(os.sched_getaffinity(0))[:2]
    if len(cores) < 2:
        sys.exit("error: there is only one core")
    compileall.compile_dir(str(ROOT / "grader"), quiet=1)
    ratios = []
    print(f"{'one, s':>10}{'two, s':>10}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = write_spec(folder / "spec.yaml", chosen.questions)
        batch = make_batch(folder / "batch", chosen.size)
        for _ in range(chosen.rounds):
            with held_to(cores[1:]):
                loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            try:
                with held_to(cores[:1]):
                    one_s = seconds(spec, batch, folder / "output", 1)
            finally:
                loop.kill()
                loop.wait()
            with held_to(cores):
                two_s = seconds(spec, batch, folder / "output", 2)
            ratios.append(one_s / two_s)
            print(f"{one_s:>10.1f}{two_s:>10.1f}{ratios[-1]:>8.2f}", flush=True)
    print(f"median of the ratios: {statistics.median(ratios):.2f} (aim: 1.8)")


@contextmanager
def held_to(cores: list[int]) -> Iterator[None]:
    """Keep this process, and what it starts meanwhile, on some cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def seconds(spec: Path, batch: Path, output: Path, jobs: int) -> float:
    """Mark the batch once; return the seconds from the command to its end.  Raises `CalledProcessError`."""
    command = [sys.executable, "-m", "grader", "mark", str(spec), str(batch), "-o", str(output)]
    began = time.perf_counter()
    subprocess.run([*command, "-j", str(jobs), "-q"], stdout=subprocess.DEVNULL, check=True)
    taken_s = time.perf_counter() - began
    shutil.rmtree(output)
    return taken_s


if __name__ == "__main__":
    main()

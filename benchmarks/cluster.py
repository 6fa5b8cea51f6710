"""How many submissions go through in a second on a Dask cluster, beside as many processes of this machine.

    python benchmarks/cluster.py [--size 200] [--workers 1,2] [--questions 1,2,4] [--rounds 2]

Starts a scheduler and workers with one thread each on this machine, and marks a batch made as in
`throughput.py` by the command line, by turns with processes (`-j`) and on the cluster.  All share one
machine's cores, so that what the cluster costs is seen and not what it wins: examination of each
worker, transport, scheduling.  Scheduler and workers are there before; their start is not measured.

Prints for each number of workers the wall time of both in seconds, the best of all rounds, submissions in a
second, and the ratio.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from throughput import make_batch, numbers, write_spec

_START_S = 60.0
_DASK = (sys.executable, "-m")


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--size", type=int, default=200, metavar="N")
    parser.add_argument("--workers", type=numbers, default=[1, 2], metavar="N,N")
    parser.add_argument("--questions", default="1,2,4", help="ids, or all")
    parser.add_argument("--rounds", type=int, default=2, metavar="N")
    chosen = parser.parse_args()
    print(f"{chosen.size} submissions")
    print(f"{'workers':>8}{'local s':>10}{'per s':>9}{'cluster s':>11}{'per s':>9}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = write_spec(folder / "spec.yaml", chosen.questions)
        batch = make_batch(folder / "batch", chosen.size)
        command = [sys.executable, "-m", "grader", "mark", str(spec), str(batch), "-q", "--no-cache"]
        for workers in chosen.workers:
            local, remote = [], []
            with cluster(folder / str(workers), workers) as address:
                for _ in range(chosen.rounds):
                    local.append(timed([*command, "-o", str(folder / "local"), "-j", str(workers)]))
                    remote.append(timed([*command, "-o", str(folder / "remote"), "--cluster", address]))
            here_s, there_s = min(local), min(remote)
            rates = chosen.size / here_s, chosen.size / there_s
            print(
                f"{workers:>8}{here_s:>10.1f}{rates[0]:>9.1f}{there_s:>11.1f}{rates[1]:>9.1f}"
                f"{there_s / here_s:>8.2f}",
                flush=True,
            )
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


def timed(command: list[str]) -> float:
    """Return how many seconds a command takes.  Raises `CalledProcessError`."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[str]:
    """A scheduler and workers on this machine; yields the scheduler's address."""
    folder.mkdir()
    place = folder / "scheduler.json"
    quiet = ["--no-dashboard", "--no-show", "--scheduler-file", str(place)]
    command = [*_DASK, "distributed.cli.dask_scheduler", "--host", "tcp://127.0.0.1", "--port", "0", *quiet]
    processes = [start(command, folder / "scheduler.log", "Scheduler at:")]
    try:
        for number in range(workers):
            options = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0"]
            command = [*_DASK, "distributed.cli.dask_worker", "--scheduler-file", str(place), *options]
            processes.append(start(command, folder / f"worker-{number}.log", "Registered to:"))
        text = (folder / "scheduler.log").read_text()
        yield text.partition("Scheduler at:")[2].split()[0]
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


def start(command: list[str], log: Path, words: str) -> "subprocess.Popen[bytes]":
    """Start a process, and wait until it has said something."""
    with log.open("wb") as file:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=log.parent
        )
    deadline = time.monotonic() + _START_S
    while words not in log.read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            process.kill()
            raise SystemExit(f"{command[2]} does not start: {log.read_text()[-500:]}")
        time.sleep(0.05)
    return process


if __name__ == "__main__":
    main()

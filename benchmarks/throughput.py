"""How many submissions go through in a second, and how time and memory grow with their number.

    python benchmarks/throughput.py [--sizes 100,1000] [--processes 1,2] [--questions 1,2,4]

Makes batches from the sample of the knight's tour: its students again and again, each text one of its own.
Each batch is marked by the command line into a fresh folder, with everything that goes with it, then marked
again unchanged.  By default only questions whose calls are cheap are marked, so that it is the grader that
is measured and not the students' searches; `--questions all` takes the whole spec (4 CPU seconds each).

Prints for each size and number of processes

    wall s, per s    from the command to its end; submissions in a second
    CPU s, ms each   of all processes, where a control group can be made
    main, all MiB    most memory at a time: resident in the main process; of all, with shared pages shared out
    again s, faster  the second run; how many times faster (budget: 50)
    CPU s, less      the CPU time of the second run; how many times less: however many jobs the first run had

and then how time for each submission, and memory for each further submission, change from the smallest to the
largest batch, and what two jobs gain, beside what two bare loops gain on the same machine.  Time must be
linear and memory flat.
"""

import argparse
import compileall
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import yaml
from cpu_meter import CpuMeter, cpu_meter

ROOT = Path(__file__).resolve().parents[1]
SPEC = ROOT / "specs" / "knights-tour.yaml"
SAMPLE = ROOT / "submissions" / "knights-tour"
MIB = 1 << 20
WIDTHS = (8, 5, 9, 8, 9, 9, 10, 9, 13, 9, 8, 6)
_LOOK_EACH_S = 0.2
_ALL_EACH = 5
"""Looks at the main process for one at all, which costs more."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one run took.  cpu_s: None where it cannot be told; main_b, all_b: most memory at a time."""

    wall_s: float
    cpu_s: float | None
    main_b: int
    all_b: int


def main() -> None:
    """Run everything and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", type=numbers, default=[100, 1000], metavar="N,N")
    parser.add_argument("--processes", type=numbers, default=[1, 2], metavar="N,N")
    parser.add_argument("--questions", default="1,2,4", help="ids, or all")
    parser.add_argument(
        "--folder", type=Path, help="where to work, on the disk to be measured; it is removed"
    )
    chosen = parser.parse_args()
    # As an installed package is: compiled.
    compileall.compile_dir(str(ROOT / "grader"), quiet=1)
    first: dict[tuple[int, int], Run] = {}
    print(f"{'':>13}{'first run':^54}{'again':>29}")
    names = ("size", "jobs", "wall s", "per s", "CPU s", "ms each", "main MiB", "all MiB")
    names = (*names, "wall s", "faster", "CPU s", "less")
    print("".join(f"{name:>{width}}" for name, width in zip(names, WIDTHS, strict=True)))
    with tempfile.TemporaryDirectory(dir=chosen.folder) as name, cpu_meter() as meter:
        folder = Path(name)
        spec = write_spec(folder / "spec.yaml", chosen.questions)
        for size in chosen.sizes:
            batch = make_batch(folder / "batch", size)
            for processes in chosen.processes:
                output = folder / "output"
                run, again = (mark(spec, batch, output, processes, meter) for _ in range(2))
                first[size, processes] = run
                print(line(size, processes, run, again), flush=True)
                shutil.rmtree(output)
            shutil.rmtree(batch)
    for text in conclusions(first, chosen.sizes, chosen.processes):
        print(text)
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


def numbers(text: str) -> list[int]:
    """Return the numbers of a list such as 100,1000."""
    return [int(part) for part in text.split(",")]


def write_spec(path: Path, questions: str) -> Path:
    """Write the spec with some of its questions alone."""
    spec = yaml.safe_load(SPEC.read_text("utf-8"))
    if questions != "all":
        spec["questions"] = [one for one in spec["questions"] if one["id"] in questions.split(",")]
    asked = {one["module"] for one in spec["questions"]}
    spec["modules"] = {name: file for name, file in spec["modules"].items() if name in asked}
    spec["marks"] = sum(one["marks"] for one in spec["questions"])
    spec["reference"] = str(SPEC.parent / spec["reference"])
    spec["checkers"] = str(SPEC.parent / spec["checkers"])
    path.write_text(yaml.safe_dump(spec, sort_keys=False), "utf-8")
    return path


def make_batch(folder: Path, size: int) -> Path:
    """Write so many submissions, no two with the same text."""
    students = sorted(path for path in SAMPLE.iterdir() if path.is_dir())
    for number in range(size):
        place = folder / f"student-{number:06}"
        place.mkdir(parents=True)
        for path in students[number % len(students)].glob("*.py"):
            (place / path.name).write_bytes(path.read_bytes() + f"\n# {number}\n".encode())
    return folder


def mark(spec: Path, batch: Path, output: Path, processes: int, meter: CpuMeter) -> Run:
    """Run the command once.  Raises `CalledProcessError`."""
    command = [sys.executable, "-m", "grader", "mark", str(spec), str(batch), "-o", str(output)]
    own_before_s, before_s, began_s = time.process_time(), meter.read_s(), time.perf_counter()
    process = subprocess.Popen([*command, "-j", str(processes), "-q"], stdout=subprocess.DEVNULL)
    watch = Watch(process.pid)
    status = process.wait()
    wall_s, after_s = time.perf_counter() - began_s, meter.read_s()
    watch.end()
    if status:
        raise subprocess.CalledProcessError(status, command)
    # The group has this process too, which looks at the others now and then.
    own_s = time.process_time() - own_before_s
    cpu_s = None if before_s is None or after_s is None else after_s - before_s - own_s
    return Run(wall_s, cpu_s, watch.main_b, watch.all_b)


class Watch:
    """Looks at the memory of a process and of all below it, until it is told to end."""

    def __init__(self, pid: int) -> None:
        self.main_b = self.all_b = 0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        looks = 0
        while not self._over.wait(_LOOK_EACH_S):
            self.main_b = max(self.main_b, field_b(self._pid, "status", "VmHWM:"))
            if looks % _ALL_EACH == 0:
                found = (field_b(pid, "smaps_rollup", "Pss:") for pid in family(self._pid))
                self.all_b = max(self.all_b, sum(found))
            looks += 1

    def end(self) -> None:
        """Stop looking."""
        self._over.set()
        self._thread.join()


def family(pid: int) -> list[int]:
    """Return a process and all below it."""
    found = [pid]
    for one in found:
        with suppress(OSError):
            found += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
    return found


def field_b(pid: int, file: str, name: str) -> int:
    """Return one of the kernel's figures about a process in bytes; 0 where it is gone."""
    with suppress(OSError):
        for text in Path(f"/proc/{pid}/{file}").read_text().splitlines():
            if text.startswith(name):
                return int(text.split()[1]) * 1024
    return 0


def line(size: int, processes: int, run: Run, again: Run) -> str:
    """Return a line of the table."""
    cpu = "-" if run.cpu_s is None else f"{run.cpu_s:.1f}"
    each = "-" if run.cpu_s is None else f"{1000 * run.cpu_s / size:.1f}"
    cells = (
        f"{size:,}",
        str(processes),
        f"{run.wall_s:.1f}",
        f"{size / run.wall_s:.1f}",
        cpu,
        each,
        f"{run.main_b / MIB:.1f}",
        f"{run.all_b / MIB:.1f}",
        f"{again.wall_s:.2f}",
        f"{run.wall_s / again.wall_s:.0f}x",
        "-" if again.cpu_s is None else f"{again.cpu_s:.2f}",
        "-" if run.cpu_s is None or not again.cpu_s else f"{run.cpu_s / again.cpu_s:.0f}x",
    )
    return "".join(f"{cell:>{width}}" for cell, width in zip(cells, WIDTHS, strict=True))


def conclusions(first: dict[tuple[int, int], Run], sizes: list[int], processes: list[int]) -> list[str]:
    """Return what the table says about growth, where it has enough for it."""
    found = []
    least, most = min(sizes), max(sizes)
    for number in processes if most > least else []:
        small, large = first[least, number], first[most, number]
        ratio = (large.wall_s / most) / (small.wall_s / least)
        further_b = (large.main_b - small.main_b) / (most - least)
        found.append(
            f"jobs {number}, from {least:,} to {most:,}: time for each submission x {ratio:.2f}, "
            f"memory of the main process {further_b:,.0f} bytes for each further one"
        )
    for size in sizes if {1, 2} <= set(processes) else []:
        gain = first[size, 1].wall_s / first[size, 2].wall_s
        found.append(f"{size:,}: two jobs are {gain:.2f} times as fast as one")
    if {1, 2} <= set(processes):
        gain = statistics.median(gain_of_bare_loops() for _ in range(5))
        found.append(f"two bare loops at once are {gain:.2f} times as fast as one after the other")
    return found


def gain_of_bare_loops() -> float:
    """Return what this machine's cores can add up to: two threads of one core are not two cores."""
    loop = [sys.executable, "-I", "-S", "-c", "for _ in range(60_000_000): pass"]
    began_s = time.perf_counter()
    for _ in range(2):
        subprocess.run(loop, check=True)
    apart_s = time.perf_counter() - began_s
    both = [subprocess.Popen(loop) for _ in range(2)]
    for process in both:
        process.wait()
    return apart_s / (time.perf_counter() - began_s - apart_s)


if __name__ == "__main__":
    main()

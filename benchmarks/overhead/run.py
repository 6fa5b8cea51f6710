"""How much does full isolation cost?

    python benchmarks/overhead/run.py [--submissions 100] [--processes 1] [--rounds 5]

Compares, interleaved in one run, for one submission of twenty cheap cases:

    bare       one `python -I -S` process that makes the same calls with no isolation
    grader     the same submission marked, in a module that keeps no state (cases share a process)
    stateful   the same with a class in the module, so that each case gets a fork of its own
    fork       a bare fork of a warm interpreter that ends at once (per fork, not per submission)

Prints medians over the rounds of wall and CPU milliseconds for each submission, and the ratio
to `bare`.  The budget is a ratio of CPU time of at most 1.0 for `grader`.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from cpu_meter import CpuMeter, cpu_meter

from grader.engine.batch import mark_all
from grader.engine.order import prepare_order
from grader.intake import discover
from grader.sandbox import nursery
from grader.sandbox.doctor import strongest
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import Zygote
from grader.spec import load_task

HERE = Path(__file__).resolve().parent


def main() -> None:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, cpu_meter() as meter:
        stateless, stateful = make_batches(Path(folder), options.submissions)
        interpreter = find_interpreter("")
        driver = strongest(interpreter, Driver.POSIX).driver
        contenders: dict[str, Callable[[], int]] = {
            "bare": lambda: run_bare(interpreter.command, options.submissions, options.processes),
            "grader": lambda: run_grader(stateless, driver, options.processes),
            "stateful": lambda: run_grader(stateful, driver, options.processes),
            "fork": lambda: run_forks(interpreter.command),
        }
        print(
            f"{options.submissions} submissions of 20 cases, {options.processes} process(es), "
            f"{options.rounds} rounds, driver {driver}, Python {interpreter.version}"
        )
        try:
            report(measure(contenders, meter, options.rounds))
        finally:
            # It would stay in the meter's group, which could not be removed.
            nursery.close_all()


def make_batches(folder: Path, count: int) -> tuple[Path, Path]:
    """Lay out two batches of `count` submissions."""
    stateless, stateful = folder / "stateless", folder / "stateful"
    source = (HERE / "moves.py").read_text()
    for number in range(count):
        for batch, addition in ((stateless, ""), (stateful, "\n\nclass Board:\n    pass\n")):
            place = batch / f"student-{number:05}"
            place.mkdir(parents=True)
            # A comment makes each a text of its own.
            (place / "moves.py").write_text(f"{source}{addition}\n# {number}\n")
    return stateless, stateful


def run_bare(command: str, count: int, processes: int) -> int:
    """Start `count` bare interpreters, `processes` at a time."""
    folder = tempfile.mkdtemp()
    shutil.copy(HERE / "moves.py", folder)
    arguments = [command, "-I", "-S", "-B", str(HERE / "bare.py"), folder]
    running: list[subprocess.Popen[bytes]] = []
    for _ in range(count):
        running.append(subprocess.Popen(arguments))
        if len(running) == processes:
            for process in running:
                process.wait()
            running.clear()
    for process in running:
        process.wait()
    shutil.rmtree(folder)
    return count


def run_grader(batch: Path, driver: Driver, processes: int) -> int:
    """Mark a batch, from reading its files to its results."""
    task = load_task(HERE / "spec.yaml")
    candidates = discover([batch], dict(task.modules))
    # With conditions, so that the evidence of cases is kept, as every run does.
    order = replace(prepare_order(task, driver, ""), conditions="benchmark")
    # As the examination of the driver does before each run; else the warm Python of the round before
    # would be there for nothing.
    nursery.close_all()
    with Zygote(driver, find_interpreter("")):
        pass
    marks = [marked.result.mark for marked in mark_all(order, candidates, processes)]
    assert marks == [1] * len(candidates), "every submission of the batch is right"
    return len(marks)


def run_forks(command: str) -> int:
    """Fork a warm interpreter a thousand times."""
    program = (
        "import os, gc; gc.freeze()\n"
        "for _ in range(1000):\n"
        "    child = os.fork()\n"
        "    if child == 0: os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
    )
    subprocess.run([command, "-I", "-S", "-c", program], check=True)
    return 1000


def measure(
    contenders: dict[str, Callable[[], int]], meter: CpuMeter, rounds: int
) -> dict[str, list[tuple[float, float | None]]]:
    """Run all contenders in turn, `rounds` times; return (wall, CPU) milliseconds for each unit."""
    taken: dict[str, list[tuple[float, float | None]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, run in contenders.items():
            cpu_before_s, began_s = meter.read_s(), time.perf_counter()
            count = run()
            wall_s, cpu_after_s = time.perf_counter() - began_s, meter.read_s()
            cpu_ms = (
                None
                if cpu_before_s is None or cpu_after_s is None
                else (cpu_after_s - cpu_before_s) * 1000 / count
            )
            taken[name].append((wall_s * 1000 / count, cpu_ms))
    return taken


def report(taken: dict[str, list[tuple[float, float | None]]]) -> None:
    """Print medians, and the median of the ratios round by round."""
    print(f"{'':10} {'wall ms':>9} {'CPU ms':>9} {'wall/bare':>10} {'CPU/bare':>10}")
    for name, figures in taken.items():
        walls = [wall for wall, _ in figures]
        cpus = [cpu for _, cpu in figures if cpu is not None]
        wall_ratio = statistics.median(
            wall / bare for (wall, _), (bare, _) in zip(figures, taken["bare"], strict=True)
        )
        cpu_ratios = [
            cpu / bare
            for (_, cpu), (_, bare) in zip(figures, taken["bare"], strict=True)
            if cpu is not None and bare is not None
        ]
        cpu_text = f"{statistics.median(cpus):9.2f}" if cpus else f"{'-':>9}"
        ratio_text = f"{statistics.median(cpu_ratios):10.2f}" if cpu_ratios else f"{'-':>10}"
        print(f"{name:10} {statistics.median(walls):9.2f} {cpu_text} {wall_ratio:10.2f} {ratio_text}")
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()

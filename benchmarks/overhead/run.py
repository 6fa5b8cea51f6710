"""How much does full isolation cost?

    python benchmarks/overhead/run.py [--batch 100] [--rounds 7] [--drivers namespaces landlock]
                                      [--also-as-nobody] [--on-any-core]

Compares, interleaved in one run, for one submission of twenty cheap cases:

    bare       one `python -I -S` process that makes the same calls with no isolation
    fork       a bare fork of a warm interpreter that ends at once (for one fork)
    NAME       the same submission marked under that driver, each case in a process of its own, from
               reading its files to its results

All of it runs on one core, as each job of `grader mark` does with what it starts; `--on-any-core` leaves
that to the kernel, as it is with fewer jobs than cores.

Counted is the CPU time of all processes that have a part in it, by a control group, so this needs root.
What a run needs once is set aside: each round marks a small and a large batch, and what the others of the
large one cost besides is what counts.  `bare` is what as many bare interpreters cost in the same round.

Prints medians over the rounds, in milliseconds, and of the ratios to `bare`, with the least and the greatest.
The budget is a ratio of 3.5; see docs/design/cost-of-a-case.md.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(ROOT / "tests")]
from cpu_meter import CpuMeter, cpu_meter  # noqa: E402
from support.unprivileged import BECOME, can_become_nobody, give_away, home_with_a_copy, python_for  # noqa: E402

FORKS = 1000


def main() -> None:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--batch", type=int, default=100, help="submissions that the large batch has more")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--drivers", nargs="+", default=["namespaces", "landlock"])
    parser.add_argument("--also-as-nobody", action="store_true", help="mark as user 65534 too")
    parser.add_argument("--on-any-core", action="store_true", help="do not keep to one core")
    options = parser.parse_args()
    if not options.on_any_core:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as place, cpu_meter() as meter, home_with_a_copy() as home:
        if meter.read_s() is None:
            sys.exit("there is no control group to read CPU times from; run it as root")
        batches = make_batches(Path(place), options.batch)
        measures: dict[str, Callable[[], float]] = {
            "bare": lambda: bare_ms(meter, options.batch),
            "fork": lambda: fork_ms(meter),
        }
        for driver in options.drivers:
            measures[driver] = marker_ms(meter, batches, [sys.executable], driver, str(ROOT))
        if options.also_as_nobody and can_become_nobody():
            python = python_for(home)
            shutil.copytree(place, home / "batches")
            shutil.copytree(HERE, home / "overhead")
            give_away(home)
            own = tuple(home / "batches" / batch.name for batch in batches)
            for driver in options.drivers:
                command = [*BECOME, python]
                name = f"{driver}, nobody"
                measures[name] = marker_ms(meter, own, command, driver, str(home / "packages"), home)
        version = sys.version.split()[0]
        print(f"{options.batch} submissions of 20 cases, {options.rounds} rounds, Python {version}")
        report(measure(measures, options.rounds))


def make_batches(folder: Path, count: int) -> tuple[Path, Path]:
    """Lay out a small batch and one that has `count` submissions more."""
    small, large = folder / "small", folder / "large"
    os.chmod(folder, 0o755)
    source = (HERE / "moves.py").read_text()
    few = max(5, count // 10)
    for batch, size in ((small, few), (large, few + count)):
        for number in range(size):
            place = batch / f"student-{number:05}"
            place.mkdir(parents=True)
            # A comment makes each a text of its own.
            (place / "moves.py").write_text(f"{source}\n# {number}\n")
    return small, large


def bare_ms(meter: CpuMeter, count: int) -> float:
    """Return what a bare interpreter costs."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(HERE / "moves.py", folder)
        command = [os.path.realpath(sys.executable), "-I", "-S", "-B", str(HERE / "bare.py"), folder]

        def run() -> None:
            for _ in range(count):
                subprocess.run(command, check=True)

        return spent_ms(meter, run) / count


def fork_ms(meter: CpuMeter) -> float:
    """Return what a fork of a warm interpreter costs that ends at once."""
    program = (
        "import os, gc; gc.freeze()\n"
        f"for _ in range({FORKS}):\n"
        "    child = os.fork()\n"
        "    if child == 0: os._exit(0)\n"
        "    os.waitpid(child, 0)\n"
    )
    command = [os.path.realpath(sys.executable), "-I", "-S", "-c", program]
    return spent_ms(meter, lambda: subprocess.run(command, check=True)) / FORKS


def marker_ms(
    meter: CpuMeter,
    batches: tuple[Path, Path],
    python: list[str],
    driver: str,
    packages: str,
    home: Path | None = None,
) -> Callable[[], float]:
    """Return what measures what it costs to mark one submission more."""
    folder = HERE if home is None else home / "overhead"
    env = {**os.environ, "PYTHONPATH": packages}
    if home is not None:
        env["HOME"] = str(home)

    def run_on(batch: Path) -> float:
        command = [*python, str(folder / "marking.py"), str(batch), driver]
        return spent_ms(meter, lambda: subprocess.run(command, env=env, cwd=home, check=True))

    def run() -> float:
        small, large = batches
        more = len(list(large.iterdir())) - len(list(small.iterdir()))
        return (run_on(large) - run_on(small)) / more

    return run


def spent_ms(meter: CpuMeter, run: Callable[[], object]) -> float:
    """Return the CPU time that something takes, with all processes that it starts."""
    before_s = meter.read_s()
    run()
    after_s = meter.read_s()
    assert before_s is not None, "there is a meter"
    assert after_s is not None, "there is a meter"
    return (after_s - before_s) * 1000


def measure(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Take all measures in turn, `rounds` times."""
    taken: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, take in measures.items():
            taken[name].append(take())
    return taken


def report(taken: dict[str, list[float]]) -> None:
    """Print medians, and the ratios round by round."""
    width = max(map(len, taken))
    print(f"{'':{width}} {'CPU ms':>8} {'of bare':>8} {'least':>7} {'greatest':>9}")
    for name, figures in taken.items():
        ratios = [figure / bare for figure, bare in zip(figures, taken["bare"], strict=True)]
        print(
            f"{name:{width}} {statistics.median(figures):8.2f} {statistics.median(ratios):8.2f} "
            f"{min(ratios):7.2f} {max(ratios):9.2f}"
        )
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()

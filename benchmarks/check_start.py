"""How long does a student wait for `grader check`?

    python benchmarks/check_start.py [--rounds 15]

Compares, interleaved in one run, each from its cold start to its end:

    bare       `python -I -S -c pass`, the unit of the ratios
    python     `python -c pass`
    click      `python -c "import click"`, what any command pays before it does anything
    version    `grader --version`
    check      `grader check` on a right submission of twenty cheap cases

Prints medians over the rounds of wall and CPU milliseconds (CPU of all processes below, where a
control group can be made), and of their ratios to `bare`.  The budget for `check` is 3.
"""

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from cpu_meter import CpuMeter, cpu_meter

import grader

OVERHEAD = Path(__file__).resolve().parent / "overhead"


def main() -> None:
    """Run the comparison and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    # As an installed package is: compiled.
    compileall.compile_dir(str(Path(grader.__file__).parent), quiet=1)
    command = str(Path(sys.executable).with_name("grader"))
    with tempfile.TemporaryDirectory() as folder, cpu_meter() as meter:
        Path(folder, "moves.py").write_bytes((OVERHEAD / "moves.py").read_bytes())
        contenders = {
            "bare": [sys.executable, "-I", "-S", "-c", "pass"],
            "python": [sys.executable, "-c", "pass"],
            "click": [sys.executable, "-c", "import click"],
            "version": [command, "--version"],
            "check": [command, "check", str(OVERHEAD / "spec.yaml"), folder],
        }
        taken: dict[str, list[tuple[float, float | None]]] = {name: [] for name in contenders}
        for _ in range(options.rounds):
            for name, arguments in contenders.items():
                taken[name].append(once(arguments, meter))
        report(taken)


def once(arguments: list[str], meter: CpuMeter) -> tuple[float, float | None]:
    """Run a command; return wall and CPU milliseconds.  Raises `CalledProcessError`."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    cpu_before_s, began_s = meter.read_s(), time.perf_counter()
    subprocess.run(arguments, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall_ms, cpu_after_s = (time.perf_counter() - began_s) * 1000, meter.read_s()
    if cpu_before_s is None or cpu_after_s is None:
        return wall_ms, None
    return wall_ms, (cpu_after_s - cpu_before_s) * 1000


def report(taken: dict[str, list[tuple[float, float | None]]]) -> None:
    """Print medians, and the median of the ratios round by round."""
    print(f"{'':10} {'wall ms':>9} {'CPU ms':>9} {'wall/bare':>10} {'CPU/bare':>10}")
    for name, figures in taken.items():
        pairs = list(zip(figures, taken["bare"], strict=True))
        columns = [f"{statistics.median(wall for wall, _ in figures):9.1f}"]
        cpus = [cpu for _, cpu in figures if cpu is not None]
        columns.append(f"{statistics.median(cpus):9.1f}" if cpus else f"{'-':>9}")
        columns.append(f"{statistics.median(one[0] / bare[0] for one, bare in pairs):10.1f}")
        ratios = [one[1] / bare[1] for one, bare in pairs if one[1] is not None and bare[1]]
        columns.append(f"{statistics.median(ratios):10.1f}" if ratios else f"{'-':>10}")
        print(f"{name:10}", *columns)
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


if __name__ == "__main__":
    main()

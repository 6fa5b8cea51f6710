"""How long does a student wait for `grader check`?

    python benchmarks/check_start.py [--rounds 15]

Compares, interleaved in one run, each from its cold start to its end:

    bare       `python -I -S -c pass`, the unit of the ratios
    python     `python -c pass`
    click      `python -c "import click"`, what any command pays before it does anything
    floor      a Python that imports `click` and `yaml`, and a second one: what no sandboxed check with a
               library for its command line and a spec in YAML can do without
    version    `grader --version`
    loaded     a Python that imports what a check imports, and has the second one start, for nothing
    check      `grader check` on a right submission of twenty cheap cases
    proven     the same with a reference, by which the spec was proven before
    first      the same with a reference that is yet to be marked
    mark       `grader mark` of one such submission, from its start to its pages
    new host   the same where the host is yet to be tried
    the rest   `check` without `loaded`: the spec, the sandbox, the cases, the verdicts, and the end

Prints medians over the rounds of wall and CPU milliseconds (CPU of all processes below, where a
control group can be made), and of their ratios to `bare`.  The budget for `check` is 0.6 s by the clock
where `bare` takes 15 ms, which is a ratio of 40; see docs/design/start.md.  `mark` may take three times
`check`.
"""

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from cpu_meter import CpuMeter, cpu_meter

import grader

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from support.command_line import imported_by  # noqa: E402

BUDGETS = {"version": 6, "check": 40}
"""How often a bare Python a command may cost, by the clock."""
MARK_BY_CHECK = 3
COLD = ("first", "new host")
"""Those that find no cache of the user's."""
OVERHEAD = ROOT / "benchmarks" / "overhead"

Taken: TypeAlias = tuple[float, float | None]
"""Wall and CPU milliseconds; the latter None where nobody could tell."""

FLOOR = """
import subprocess, sys
import click, yaml
subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True)
"""
LOADED = """
import gc
gc.disable()
import importlib, sys
from grader.sandbox import zygote_process
zygote_process.prepare(sys.executable)
for name in sys.argv[1:]:
    importlib.import_module(name)
gc.freeze()
"""


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
        check = ["check", str(OVERHEAD / "spec.yaml"), folder]
        spec = with_reference(Path(folder, "spec"))
        Path(folder, "in", "student-01").mkdir(parents=True)
        Path(folder, "in", "student-01", "moves.py").write_bytes((OVERHEAD / "moves.py").read_bytes())
        # Without what it found before.
        mark = [command, "mark", str(OVERHEAD / "spec.yaml"), str(Path(folder, "in")), "-q", "--no-cache"]
        mark += ["-o", str(Path(folder, "out"))]
        cold = {"XDG_CACHE_HOME": "/dev/null"}
        warm = {"XDG_CACHE_HOME": str(Path(folder, "cache"))}
        contenders = {
            "bare": [sys.executable, "-I", "-S", "-c", "pass"],
            "python": [sys.executable, "-c", "pass"],
            "click": [sys.executable, "-c", "import click"],
            "floor": [sys.executable, "-c", FLOOR],
            "version": [command, "--version"],
            "loaded": [sys.executable, "-c", LOADED, *needed_by(check)],
            "check": [command, *check],
            "proven": [command, "check", spec, folder],
            "first": [command, "check", spec, folder],
            "mark": mark,
            "new host": mark,
        }
        for name in ("proven", "mark"):
            once(contenders[name], meter, warm)
        taken: dict[str, list[Taken]] = {name: [] for name in contenders}
        for _ in range(options.rounds):
            for name, arguments in contenders.items():
                taken[name].append(once(arguments, meter, cold if name in COLD else warm))
        taken["the rest"] = [
            without(all_of_it, loaded)
            for all_of_it, loaded in zip(taken["check"], taken["loaded"], strict=True)
        ]
        report(taken)


def with_reference(folder: Path) -> str:
    """Write the spec with a reference into a new folder; return its path."""
    (folder / "reference").mkdir(parents=True)
    (folder / "reference" / "moves.py").write_bytes((OVERHEAD / "moves.py").read_bytes())
    text = (OVERHEAD / "spec.yaml").read_text("utf-8")
    (folder / "spec.yaml").write_text(text.replace("\nmarks:", "\nreference: reference\nmarks:", 1), "utf-8")
    return str(folder / "spec.yaml")


def needed_by(arguments: list[str]) -> list[str]:
    """Return the modules that a command imports, as far as they do not come with others."""
    _, loaded = imported_by(*arguments)
    return sorted(name for name in loaded if name.startswith(("grader.", "click", "yaml")))


def without(one: Taken, other: Taken) -> Taken:
    """Return what one took beyond the other."""
    cpu_ms = one[1] - other[1] if one[1] is not None and other[1] is not None else None
    return one[0] - other[0], cpu_ms


def once(arguments: list[str], meter: CpuMeter, changes: Mapping[str, str]) -> Taken:
    """Run a command; return wall and CPU milliseconds.  Raises `CalledProcessError`.

    changes: to the environment.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= changes
    cpu_before_s, began_s = meter.read_s(), time.perf_counter()
    subprocess.run(arguments, env=environment, stdout=subprocess.DEVNULL, check=True)
    wall_ms, cpu_after_s = (time.perf_counter() - began_s) * 1000, meter.read_s()
    if cpu_before_s is None or cpu_after_s is None:
        return wall_ms, None
    return wall_ms, (cpu_after_s - cpu_before_s) * 1000


def report(taken: dict[str, list[Taken]]) -> None:
    """Print medians, and the median of the ratios round by round."""
    print(f"{'':10} {'wall ms':>9} {'CPU ms':>9} {'wall/bare':>10} {'CPU/bare':>10}")
    for name, figures in taken.items():
        columns = [f"{statistics.median(wall for wall, _ in figures):9.1f}"]
        cpus = [cpu for _, cpu in figures if cpu is not None]
        columns.append(f"{statistics.median(cpus):9.1f}" if cpus else f"{'-':>9}")
        for ratio in ratios(figures, taken["bare"]):
            columns.append(f"{'-':>10}" if ratio is None else f"{ratio:10.1f}")
        print(f"{name:10}", *columns)
    for name, budget in BUDGETS.items():
        wall = next(ratios(taken[name], taken["bare"]))
        print(f"{name}: {wall:.1f} times a bare Python by the clock (budget {budget})")
    marked = next(ratios(taken["mark"], taken["check"]))
    print(f"mark: {marked:.1f} times a check by the clock (budget {MARK_BY_CHECK})")
    print(f"({os.cpu_count()} cores; load {os.getloadavg()[0]:.1f})")


def ratios(figures: list[Taken], units: list[Taken]) -> Iterator[float | None]:
    """Yield the median of the ratios round by round: by wall time, and by CPU time where that is known."""
    for place in (0, 1):
        pairs = [(one[place], unit[place]) for one, unit in zip(figures, units, strict=True)]
        found = [one / unit for one, unit in pairs if one is not None and unit]
        yield statistics.median(found) if found else None


if __name__ == "__main__":
    main()

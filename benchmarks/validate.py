"""How long does `grader validate` take, and a second time over the same spec?

    python benchmarks/validate.py [--specs knights-tour] [--cores 2]

Each spec is validated into a fresh folder, then again, then quickly in another fresh folder.  Prints seconds
by the clock, CPU seconds of the first run with all that it starts, the score, and the results that the second
run kept.  The aims on two cores: knights-tour in under two minutes, the second run in about a second.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from cpu_meter import cpu_meter

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Validate the specs and print what came of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--specs", nargs="*", default=["knights-tour"], help="names below specs/")
    parser.add_argument("--cores", type=int, default=2)
    chosen = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: chosen.cores])
    print(
        f"{'spec':<20}{'first, s':>10}{'CPU, s':>8}{'again, s':>10}{'quick, s':>10}{'caught':>12}{'kept':>7}"
    )
    for name in chosen.specs:
        with tempfile.TemporaryDirectory() as folder, cpu_meter() as meter:
            before_s = meter.read_s()
            first_s, document = validated(name, Path(folder, "whole"))
            after_s = meter.read_s()
            again_s, again = validated(name, Path(folder, "whole"))
            quick_s, _ = validated(name, Path(folder, "quick"), "--quick")
        cpu = "" if before_s is None or after_s is None else f"{after_s - before_s:.0f}"
        score = f"{document['caught']}/{document['total']}"
        times = f"{first_s:>10.1f}{cpu:>8}{again_s:>10.1f}{quick_s:>10.1f}"
        print(f"{name:<20}{times}{score:>12}{again['kept']:>7}", flush=True)


def validated(name: str, output: Path, *options: str) -> tuple[float, dict[str, Any]]:
    """Validate a spec once; return the seconds by the clock, and its findings."""
    command = [sys.executable, "-m", "grader", "validate", f"specs/{name}.yaml", "-o", str(output)]
    began = time.perf_counter()
    done = subprocess.run([*command, "--json", "-q", *options], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    return time.perf_counter() - began, json.loads(done.stdout)


if __name__ == "__main__":
    main()

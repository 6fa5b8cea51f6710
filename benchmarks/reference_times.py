"""How long the reference for knights-tour takes, beside the times that the task's source states.

The source's times are those of its author's Scala on his laptop.  Run it from anywhere, on an
otherwise idle machine: `python benchmarks/reference_times.py`.  It exits with 1 if any call is slower.
"""

import sys
import time
from collections.abc import Callable, Sized
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "reference" / "knights_tour"))

from knight1 import enum_tours, first_tour
from knight3 import tour_on_mega_board

REPEATS = 3


@dataclass(frozen=True, slots=True)
class Measurement:
    """A call of the reference; `source_s` is what the source needs for it.

    length: how many items its answer has, to show that it did its work.
    """

    text: str
    call: Callable[[], Sized | None]
    length: int
    source_s: float


MEASUREMENTS = (
    Measurement("enum_tours(5, [(0, 0)])", lambda: enum_tours(5, [(0, 0)]), 304, 1.722),
    Measurement("first_tour(8, [(0, 0)])", lambda: first_tour(8, [(0, 0)]), 64, 15.411),
    Measurement("tour_on_mega_board(70, [(0, 0)])", lambda: tour_on_mega_board(70, [(0, 0)]), 4900, 9.484),
)


def cpu_s(measurement: Measurement) -> float:
    """Return the CPU seconds of one call.  Raises ValueError where its answer is not as expected."""
    before = time.process_time()
    answer = measurement.call()
    spent = time.process_time() - before
    if answer is None or len(answer) != measurement.length:
        raise ValueError(f"{measurement.text} gave a wrong answer")
    return spent


def main() -> int:
    """Print a line for each call: the first run, which fills the caches, and the median of all."""
    slower = False
    print(f"{'call':34}{'first':>10}{'median':>10}{'source':>10}{'factor':>9}")
    for measurement in MEASUREMENTS:
        times = [cpu_s(measurement) for _ in range(REPEATS)]
        first, median = times[0], sorted(times)[REPEATS // 2]
        factor = measurement.source_s / first
        print(
            f"{measurement.text:34}{first:8.3f} s{median:8.3f} s{measurement.source_s:8.3f} s{factor:8.0f}x"
        )
        slower = slower or first >= measurement.source_s
    return int(slower)


if __name__ == "__main__":
    sys.exit(main())

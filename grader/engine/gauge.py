"""How fast the machine is at the moment, beside its own best.

The same work takes up to twice the CPU time while another thread has the other half of the core, or
the processor is hot, or the host gives the core to somebody else as well.  So there is a piece of
work of our own, always the same: what it takes now, divided by the least that it ever took here, is
the `slowness` of the moment.  CPU time divided by slowness is what the time would have been at best.

No student's code has a part in it.
"""

import os
import threading
import time
from collections import deque
from contextlib import suppress
from types import TracebackType

from grader.store.best_speed import note_best_s, noted_best_s

MOST = 4.0
"""The largest slowness that is believed: on an idle virtual machine of a busy host 3.2 was met."""

_PIECES = 2
_AGE_S = 0.25
"""For how long a look holds."""
_RECENT_S = 3.0
_RECENT = 8
"""Looks that count: the machine's moods last for seconds, and change within a case."""
_FIRST_LOOKS = 60
"""Where no best is known and somebody waits: about 30 ms."""
_SEARCH_S = 1.5
"""Where no best is known and there is time: so long does a mood of the machine last."""
_WORTH_NOTING = 0.99
_PERIOD_S = 0.01
"""Between two looks while something runs: about one part in twenty of the core."""


_found_s = 0.0
"""The best that `search` found; 0 for none."""


def search() -> None:
    """Look for the best of this machine where none is known, so that gauges to come know it."""
    global _found_s
    if _found_s or noted_best_s():
        return
    looks = []
    end = time.monotonic() + _SEARCH_S
    while time.monotonic() < end:
        looks.append(look_s())
        time.sleep(_PERIOD_S)
    _found_s = _second(looks)
    note_best_s(_found_s)


def _second(looks: list[float]) -> float:
    """Return the least but one: a single one might be an error of the clock's."""
    return sorted(looks)[:2][-1]


class Gauge:
    """Tells slowness, and remembers the best."""

    def __init__(self) -> None:
        self._noted_s = noted_best_s() or _found_s
        self._quicker_s = 0.0
        """A look that was quicker than the best, and the only one; 0 for none."""
        self._recent: deque[tuple[float, float]] = deque(maxlen=_RECENT)
        """When the last looks were, and what they took."""
        if self._noted_s:
            self._best_s = self._noted_s
        else:
            self._best_s = _second([look_s() for _ in range(_FIRST_LOOKS)])
            self._note()

    def learn(self) -> None:
        """Take over what other processes found out about the best meanwhile."""
        self._best_s = min(self._best_s, noted_best_s() or self._best_s)

    def slowness(self) -> float:
        """Return how many times as long as at best work takes, 1 to `MOST`: the most in the last moments."""
        return max(self._lately())

    def usual_slowness(self) -> float:
        """Return the slowness by which to tell what ran in the last moments at best: at their mean speed."""
        slownesses = self._lately()
        return len(slownesses) / sum(1 / slowness for slowness in slownesses)

    def _lately(self) -> list[float]:
        """Return the slowness of each of the last looks, one of which is new."""
        if not self._recent or time.monotonic() - self._recent[-1][0] >= _AGE_S:
            self.look_again()
        last, _ = self._recent[-1]
        return [self.slowness_of(taken_s) for when, taken_s in self._recent if last - when < _RECENT_S]

    def look_again(self) -> None:
        """Look now, whenever the last look was."""
        self.take(look_s())

    def look_around(self) -> None:
        """Look as often as counts, over a tenth of a second: a single look can meet the only quick moment."""
        for _ in range(_RECENT):
            self.look_again()
            time.sleep(_PERIOD_S)

    def take(self, taken_s: float) -> None:
        """Take in one look."""
        self._recent.append((time.monotonic(), taken_s))
        if taken_s >= self._best_s:
            return
        # A single one might be an error of the clock's.
        if self._quicker_s:
            self._best_s = max(taken_s, self._quicker_s)
            if self._best_s < self._noted_s * _WORTH_NOTING:
                self._note()
        self._quicker_s = min(taken_s, self._quicker_s or taken_s)

    def _note(self) -> None:
        self._noted_s = self._best_s
        note_best_s(self._best_s)

    def slowness_of(self, taken_s: float) -> float:
        """Return the slowness that a look tells."""
        return min(max(1.0, taken_s / self._best_s), MOST)


class Speedometer:
    """Looks again and again, on one core, while something runs there.  Use it as a context manager.

    core: the number of the core; -1 for any.
    """

    def __init__(self, gauge: Gauge, core: int) -> None:
        self._gauge = gauge
        self._core = core
        self._looks: list[float] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="speedometer", daemon=True)

    def speed(self) -> float:
        """Return the mean speed since the beginning, as a share of the best: `1 / MOST` to 1."""
        return sum(1 / self._gauge.slowness_of(taken_s) for taken_s in self._looks) / len(self._looks)

    def _run(self) -> None:
        if self._core >= 0:
            with suppress(OSError):
                os.sched_setaffinity(threading.get_native_id(), {self._core})
        while True:
            self._looks.append(look_s())
            if self._end.wait(_PERIOD_S):
                return

    def __enter__(self) -> "Speedometer":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()
        for taken_s in self._looks:
            self._gauge.take(taken_s)


def look_s() -> float:
    """Return the CPU seconds that the piece of work takes now."""
    _piece()  # brings it back into the caches, which somebody else had meanwhile
    began_s = time.thread_time()
    for _ in range(_PIECES):
        _piece()
    return time.thread_time() - began_s


def _piece() -> int:
    """Do a little of what students' programs do: numbers, tables, texts, lists, calls.

    Whoever changes it has to change `best_speed.PIECE` too.
    """
    table: dict[int, int] = {}
    items: list[tuple[int, str]] = []
    for number in range(300):
        table[number * 7 % 101] = number
        items.append((number, str(number)))
    items.sort(key=_text_of)
    return sum(number * number for number, _ in items) + len(table)


def _text_of(item: tuple[int, str]) -> str:
    return item[1]

"""Runs hostile modules in real boxes, and checks that they harmed nothing."""

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from grader.model.case import Argument, Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned, WatchedCall
from grader.model.values import Value
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.portable.zygote import PortableZygote
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import Zygote
from support.processes import Process, alive, descendants

DRIVERS = (Driver.NAMESPACES, Driver.LANDLOCK, Driver.SECCOMP)
MODES = ("snapshot", "fresh")

LIMITS = Limits(time_s=2.0, wall_s=20.0, output_b=64 * 1024, answer_b=256 * 1024)
"""For cases that end by themselves, on a busy machine too."""
SPINS = replace(LIMITS, time_s=0.15)
"""For cases that meet their limit on CPU time; no case that has to work gets it."""
WAITS = replace(LIMITS, wall_s=0.35)
"""For cases that meet their wall limit; no case that has to work gets it."""
MEMORY_B = 96 * MIB
SLACK_S = 1.5
"""An outcome may say so much more than its limits on a busy machine."""

READS = """
import os, sys

def read_by(read):
    # Have whatever is read on behalf of the box, orders and requests, be read by this.
    frame = sys._getframe()
    while not {"_read", "calls"} <= frame.f_globals.keys():
        frame = frame.f_back
    names = frame.f_globals
    names["_read"] = names["calls"]._read = read

real = os.read
"""
"""For attacks on the box's own loop."""
CONTROL = "\n\ndef control(x):\n    return [x, (x, None)]\n"


def job(
    function: str,
    *args: Argument,
    limits: Limits = LIMITS,
    answer: Callable[[WatchedCall], Value] | None = None,
    times: int = 1,
) -> Job:
    """A case that calls `function(*args)`, `times` over."""
    return Job(encode_request([Call(function, args)] * times, limits), limits, answer)


def indented(body: str) -> str:
    """The lines of a function's body."""
    return "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))


@dataclass(frozen=True)
class Siege:
    """The outcomes of one hostile module: of its import and of each of its cases."""

    loaded: Outcome
    mode: str
    outcomes: list[Outcome]

    @property
    def outcome(self) -> Outcome:
        """The outcome of the only, or the first, case."""
        return self.outcomes[0]

    @property
    def endings(self) -> list[Ending]:
        return [outcome.ending for outcome in self.outcomes]


def value(outcome: Outcome) -> Value:
    """What the case's one call returned."""
    (answer,) = outcome.answers
    assert outcome.ending is Ending.ANSWERED, outcome
    assert isinstance(answer, Returned), answer
    return answer.value


def raised(outcome: Outcome) -> str:
    """The name of the exception that the case's last call raised."""
    assert outcome.ending in (Ending.ANSWERED, Ending.FORBIDDEN), outcome
    answer = outcome.answers[-1]
    assert isinstance(answer, RaisedAnswer), answer
    return answer.raised.type_name


class Arena:
    """A zygote of one driver, and the mode in which hostile modules run in it.

    "snapshot": forks of the imported module.  "fresh": an import for each case.  There is also "shared":
    all cases in one process, as for the spec's own code.
    """

    def __init__(self, driver: Driver, mode: str, zygote: Zygote) -> None:
        self.driver = driver
        self.mode = mode
        self.zygote = zygote

    @contextmanager
    def box(
        self,
        source: str,
        memory_b: int = MEMORY_B,
        limits: Limits = LIMITS,
        *,
        longest_s: float = LIMITS.time_s,
        captures: bool = False,
    ) -> Iterator[Box]:
        """Open a box with `source` and a function of ours behind it.  longest_s: see `Box`."""
        text = {"work": source + CONTROL}
        program = Program("work", text, shared=self.mode == "shared", captures=captures)
        with Box(self.zygote, program, memory_b, limits, longest_s, purse=UNBILLED) as box:
            yield box

    def besiege(
        self,
        source: str,
        *jobs: Job,
        memory_b: int = MEMORY_B,
        import_limits: Limits = LIMITS,
        recovers: bool = True,
        captures: bool = False,
    ) -> Siege:
        """Run the cases one by one; then check that they left nothing behind.

        recovers: the same box must answer a harmless case rightly after each of them.
        """
        before, began_s = descendants(os.getpid()), time.clock_gettime(time.CLOCK_BOOTTIME)
        longest_s = max((each.limits.time_s for each in jobs), default=LIMITS.time_s)
        with self.box(source, memory_b, import_limits, longest_s=longest_s, captures=captures) as box:
            loaded, mode = box.load()
            outcomes: list[Outcome] = []
            for attack in jobs if loaded.ending is Ending.ANSWERED else ():
                outcomes += box.run([attack])
                if recovers:
                    see_an_answer(box, after=outcomes[-1])
        _check_bounds(loaded, import_limits)
        for attack, outcome in zip(jobs, outcomes, strict=False):
            _check_bounds(outcome, attack.limits)
        self._check_next_submission()
        _check_processes(before, began_s)
        return Siege(loaded, mode, outcomes)

    def besiege_with_each(
        self, head: str, ways: Mapping[str, str], limits: Limits = LIMITS, *, memory_b: int = MEMORY_B
    ) -> dict[str, Outcome]:
        """Run each of `ways`, the body of a function, as a case of one module that begins with `head`."""
        functions = [
            f"\ndef attack_{number}():\n" + indented(body) for number, body in enumerate(ways.values())
        ]
        jobs = [job(f"attack_{number}", limits=limits) for number in range(len(ways))]
        siege = self.besiege(head + "\n".join(functions), *jobs, memory_b=memory_b)
        return dict(zip(ways, siege.outcomes, strict=True))

    def _check_next_submission(self) -> None:
        with self.box("") as box:
            assert box.load()[0].ending is Ending.ANSWERED
            see_an_answer(box)


def see_an_answer(box: Box, after: Outcome | None = None) -> None:
    """See that a harmless case, of our own code behind the attack's, gets its answer."""
    (outcome,) = box.run([job("control", 7)])
    assert outcome.answers == (Returned([7, (7, None)]),), (outcome, after)


def _check_bounds(outcome: Outcome, limits: Limits) -> None:
    assert outcome.ending is not Ending.INTERNAL
    assert outcome.cpu_s < limits.time_s + SLACK_S
    assert outcome.wall_s < limits.wall_s + SLACK_S
    assert len(outcome.stdout) <= limits.output_b + 1
    assert len(outcome.stderr) <= limits.output_b + 1


def _check_processes(before: set[Process], began_s: float) -> None:
    """Wait until all processes are gone that were started since; those in `before` may stay.

    A process that another test left may become a child of this one at any time; it is not counted.
    """
    began = int(began_s * os.sysconf("SC_CLK_TCK"))
    deadline = time.monotonic() + 10
    while left := [one for one in alive(descendants(os.getpid()) - before) if int(one[1]) >= began]:
        assert time.monotonic() < deadline, f"processes are left: {left}"
        time.sleep(0.01)


def adopt_orphans() -> None:
    """Become the parent of orphans below this process, so that `descendants` sees them."""
    import ctypes

    pr_set_child_subreaper = 36
    assert ctypes.CDLL(None).prctl(pr_set_child_subreaper, 1, 0, 0, 0) == 0


class Zygotes:
    """The zygotes of a test run, started when first needed and closed together."""

    def __init__(self) -> None:
        self._started: dict[tuple[Driver, bool], Zygote] = {}
        self._arenas: dict[tuple[Driver, str], Arena] = {}

    def arena(self, driver: Driver, mode: str) -> Arena:
        """Return a place for attacks."""
        driver = Driver(driver)
        key = driver, mode != "fresh"
        if key not in self._started and driver is Driver.PORTABLE:
            self._started[key] = PortableZygote(find_interpreter(""))
        if key not in self._started:
            self._started[key] = Zygote(driver, find_interpreter(""), listen=key[1])
        return self._arenas.setdefault((driver, mode), Arena(driver, mode, self._started[key]))

    def close(self) -> None:
        """End them all."""
        for zygote in self._started.values():
            zygote.close()


def combinations(
    drivers: Sequence[Driver] = DRIVERS, modes: Sequence[str] = MODES
) -> list[tuple[Driver, str]]:
    """Every driver in every mode."""
    return [(driver, mode) for driver in drivers for mode in modes]

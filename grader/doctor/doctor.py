"""Finding out what this host can guarantee: by attack, through the same path that marks.

Each guarantee is tested by really trying to break it from inside a box (`attempts`): before a run
in the quickest ways, by `grader doctor` in all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.doctor.attacks import Attempt, run
from grader.model.errors import Fault, NoSandbox
from grader.sandbox.driver import LADDER, Driver, Guarantee
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


@dataclass(frozen=True, slots=True)
class Examination:
    """What one driver turned out to do on this host.

    held: every guarantee and whether it held.  failure: why the driver does not work at all, or "".
    attempts: what was tried for that, and what held.
    """

    driver: Driver
    held: dict[Guarantee, bool]
    failure: str = ""
    attempts: dict[Attempt, bool] = field(default_factory=dict)

    def succeeded(self, guarantee: Guarantee) -> list[str]:
        """Return in words what broke a guarantee."""
        return [
            attempt.words
            for attempt, held in self.attempts.items()
            if attempt.guarantee is guarantee and not held
        ]


def examine(driver: Driver, interpreter: Interpreter, *, thorough: bool = False) -> Examination:
    """Try to break every guarantee in boxes of one driver; one that fails is tried once more.

    A host that was short of something for a moment must not cost a whole run its walls, nor all results
    of earlier runs their validity.
    """
    first = _examine_once(driver, interpreter, thorough)
    return _examine_once(driver, interpreter, thorough) if first.failure else first


def _examine_once(driver: Driver, interpreter: Interpreter, thorough: bool) -> Examination:
    try:
        with Zygote(driver, interpreter) as zygote:
            attempts = run(zygote, thorough=thorough)
    except SandboxFailure as failure:
        return Examination(driver, {}, str(failure))
    broken = {attempt.guarantee for attempt, held in attempts.items() if not held}
    if Guarantee.PROCESSES in broken:
        # These are limited for each process by itself.
        broken |= {Guarantee.MEMORY, Guarantee.CPU}
    return Examination(driver, {guarantee: guarantee not in broken for guarantee in Guarantee}, "", attempts)


def strongest(interpreter: Interpreter, required: Driver) -> Examination:
    """Return the first driver from the top of the ladder that works, examined.

    required: the weakest rung that is acceptable.  Raises `NoSandbox` below it.
    """
    failures: dict[str, list[Driver]] = {}
    for driver in LADDER:
        examination = examine(driver, interpreter)
        if examination.failure:
            failures.setdefault(examination.failure, []).append(driver)
            continue
        if LADDER.index(driver) <= LADDER.index(required):
            return examination
        raise NoSandbox(
            Fault(
                f"the strongest sandbox that works on this host is {driver}, and {required} is required "
                f"({_listed(failures)})",
                hint=f"`grader doctor` tells what to do; `--require {driver}` marks all the same, and "
                "the report will say so",
            )
        )
    raise NoSandbox(Fault(f"no sandbox works on this host ({_listed(failures)})"))


def _listed(failures: Mapping[str, Sequence[Driver]]) -> str:
    """Return why drivers do not work, each reason once."""
    return "; ".join(f"{', '.join(drivers)}: {failure}" for failure, drivers in failures.items())

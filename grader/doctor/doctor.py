"""Finds out what this host can guarantee, by attacks on the same path that marks.

Each guarantee is attacked from inside a box (see `attacks`): before a run in the quickest ways, by
`grader doctor` in all of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grader.doctor.attacks import Attack, run
from grader.doctor.remembered import held_all, note_that_all_held
from grader.model.errors import Fault, NoSandbox
from grader.sandbox.driver import LADDER, Driver, Guarantee
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


@dataclass(frozen=True, slots=True)
class Examination:
    """The guarantees of one driver on this host.

    held: every guarantee and whether it held.  failure: why the driver does not work at all, or "".
    attacks: every attack that was tried, and whether the guarantee held.
    """

    driver: Driver
    held: dict[Guarantee, bool]
    failure: str = ""
    attacks: dict[Attack, bool] = field(default_factory=dict)

    def succeeded(self, guarantee: Guarantee) -> list[str]:
        """Return the attacks that broke a guarantee, in words."""
        return [
            attack.words
            for attack, held in self.attacks.items()
            if attack.guarantee is guarantee and not held
        ]


def examine(driver: Driver, interpreter: Interpreter, *, thorough: bool = False) -> Examination:
    """Attack every guarantee in boxes of one driver; a driver that fails is tried a second time.

    The host may be short of something for a moment.  That must not cost a run its walls, nor make all
    earlier results stale.
    """
    first = _examine_once(driver, interpreter, thorough)
    return _examine_once(driver, interpreter, thorough) if first.failure else first


def _examine_once(driver: Driver, interpreter: Interpreter, thorough: bool) -> Examination:
    try:
        with Zygote(driver, interpreter) as zygote:
            attacks = run(zygote, thorough=thorough)
    except SandboxFailure as failure:
        return Examination(driver, {}, str(failure))
    broken = {attack.guarantee for attack, held in attacks.items() if not held}
    if Guarantee.PROCESSES in broken:
        # Memory and CPU time are limited for each process by itself.
        broken |= {Guarantee.MEMORY, Guarantee.CPU}
    return Examination(driver, {guarantee: guarantee not in broken for guarantee in Guarantee}, "", attacks)


def strongest(interpreter: Interpreter, required: Driver) -> Examination:
    """Return the examination of the strongest driver that works.

    required: the weakest rung that is acceptable.  Raises `NoSandbox` below it.
    Where all guarantees of the strongest one held within the hour, it is not attacked; see `remembered`.
    """
    if held_all(interpreter):
        return Examination(LADDER[0], dict.fromkeys(Guarantee, True))
    failures: dict[str, list[Driver]] = {}
    for driver in LADDER:
        examination = examine(driver, interpreter)
        if examination.failure:
            failures.setdefault(examination.failure, []).append(driver)
            continue
        if LADDER.index(driver) <= LADDER.index(required):
            if driver is LADDER[0] and all(examination.held.values()):
                note_that_all_held(interpreter)
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

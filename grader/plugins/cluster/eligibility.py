"""Decides whether a machine is eligible to mark for a run.

A machine is examined as by `grader doctor` before it takes work.  It must build the run's walls, hold every
guarantee that the run's own machine holds, and have the same Python, packages and tools.  An earlier step
(`grader.runtime.code_identity`) makes sure that its grader is the same.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from grader.doctor.doctor import Examination, examine
from grader.engine.cache.installed import releases
from grader.engine.submission.required_tools import tools_of
from grader.model.errors import UsageError
from grader.model.task import Task
from grader.plugins.cluster.results import EXACT
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import find_interpreter


@dataclass(frozen=True, slots=True)
class Requirements:
    """The requirements of a run for every machine.

    python: as `find_interpreter` takes it.  required: the weakest driver that is accepted.
    """

    task: Task
    python: str
    required: Driver


@dataclass(frozen=True, slots=True)
class Profile:
    """The findings of a machine about itself.

    problem: the reason why it can't mark at all; empty if it can.
    python: version of the interpreter that runs the submissions.
    packages: releases of the packages that the task allows.
    tools: the programs that read source, with their versions.
    held: for each driver that works, the guarantees that hold.
    failures: for each driver that does not work, the reason.
    """

    problem: str = ""
    python: str = ""
    packages: tuple[str, ...] = ()
    tools: dict[str, str] = field(default_factory=dict)
    held: dict[str, tuple[str, ...]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def look_at_self(requirements: Requirements) -> Profile:
    try:
        interpreter = find_interpreter(requirements.python)
        tools = tools_of(requirements.task)
    except UsageError as error:
        return Profile("; ".join(fault.message for fault in error.faults))
    rungs = LADDER[: LADDER.index(requirements.required) + 1]
    found = {driver: examine(driver, interpreter) for driver in rungs}
    return Profile(
        python=interpreter.version,
        packages=tuple(releases(requirements.task.packages, interpreter)),
        tools=tools,
        held={str(driver): _held(seen) for driver, seen in found.items() if not seen.failure},
        failures={str(driver): seen.failure for driver, seen in found.items() if seen.failure},
    )


def _held(examination: Examination) -> tuple[str, ...]:
    return tuple(sorted(str(guarantee) for guarantee, held in examination.held.items() if held))


def encode_profile(profile: Profile) -> bytes:
    """Return a profile as bytes, for `decode_profile`."""
    return json.dumps(EXACT.write(profile)).encode()


def decode_profile(data: bytes) -> Profile:
    """Return the profile in the bytes, or one with a problem if they hold none."""
    try:
        return EXACT.read(Profile, json.loads(data))
    except (ValueError, RecursionError):
        return Profile("what it says about itself can't be understood")


def common_driver(own: Profile, others: Iterable[Profile]) -> Driver | None:
    """Return the strongest driver for a run on this machine and on others, None if there is none.

    Machines that can take part with no driver are ignored.
    """
    able = [profile for profile in others if not _other_kind(profile, own) and _rungs(profile, own)]
    for driver in _rungs(own, own):
        if able and all(driver in _rungs(profile, own) for profile in able):
            return driver
    return None


def _rungs(profile: Profile, own: Profile) -> list[Driver]:
    """Return the drivers that hold as much on a machine as on ours, strongest first."""
    return [
        driver
        for driver in LADDER
        if driver in own.held and driver in profile.held and not _missing(profile, own, driver)
    ]


def _missing(profile: Profile, own: Profile, driver: Driver) -> list[str]:
    return sorted(set(own.held[driver]) - set(profile.held[driver]))


def _other_kind(profile: Profile, own: Profile) -> str:
    """Return the difference between a machine and ours that matters with any sandbox, or ""."""
    if profile.problem:
        return profile.problem
    if profile.python != own.python:
        return f"it would run submissions with Python {profile.python}, and the run with {own.python}"
    if profile.packages != own.packages:
        return f"it has {_names(profile.packages)}, and the run {_names(own.packages)}"
    if profile.tools != own.tools:
        theirs, ours = ([f"{name} {tools[name]}" for name in tools] for tools in (profile.tools, own.tools))
        return f"it has {_names(theirs)}, and the run {_names(ours)}"
    return ""


def ineligibility(profile: Profile, own: Profile, driver: Driver | None) -> str:
    """Return the reason why a machine is not eligible for a run with this driver, or "".

    driver: None if no driver serves any machine.
    """
    reason = _other_kind(profile, own)
    if reason:
        return reason
    if driver is None or driver not in profile.held:
        failures = [f"{name}: {profile.failures[name]}" for name in LADDER if name in profile.failures]
        wanted = f"the sandbox {driver}" if driver is not None else "any sandbox that would do"
        return f"it does not have {wanted}" + (f" ({'; '.join(failures)})" if failures else "")
    missing = _missing(profile, own, driver)
    return f"its sandbox does not hold {', '.join(missing)}, which is held here" if missing else ""


def _names(names: Collection[str]) -> str:
    return ", ".join(name.removesuffix(".dist-info") for name in names) or "none of its packages and tools"

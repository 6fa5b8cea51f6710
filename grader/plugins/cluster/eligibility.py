"""Decides whether a machine is eligible to mark for a run.

A machine is examined as by `grader doctor` before it takes work.  It must build the run's walls, hold every
guarantee that the run's own machine holds, and have the same Python, packages, tools and plugins.  An earlier
step (`grader.runtime.code_identity`) makes sure that its grader is the same.
"""

import json
import pickle
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from grader.doctor.doctor import Examination, examine
from grader.engine.cache.installed import releases
from grader.engine.host_limits import lacks_of
from grader.engine.submission.required_tools import tools_of
from grader.model.errors import Fault, UsageError
from grader.model.task import Task
from grader.plugins.cluster.results import EXACT
from grader.registry.identity import plugins_in_marks
from grader.registry.undoing import undoing
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import find_interpreter

_IDENTITY = 24
"""Characters of a plugin's version and digest that are told."""


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
    plugins: those on which marks can depend, with version and digest.
    held: for each driver that works, the guarantees that hold.
    failures: for each driver that does not work, the reason.
    """

    problem: str = ""
    python: str = ""
    packages: tuple[str, ...] = ()
    tools: dict[str, str] = field(default_factory=dict)
    plugins: dict[str, str] = field(default_factory=dict)
    held: dict[str, tuple[str, ...]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)


def profile_for(packed: bytes) -> Profile:
    """Return the findings of this machine for a run, given its `Requirements` as bytes."""
    try:
        with undoing():
            requirements: Requirements = pickle.loads(packed)
    except (ImportError, AttributeError) as error:
        # A plugin's kind of case or value, which the run has.
        return Profile(f"it lacks a plugin of the run: {error}")
    return look_at_self(requirements)


def look_at_self(requirements: Requirements) -> Profile:
    try:
        interpreter = find_interpreter(requirements.python)
        tools = tools_of(requirements.task)
    except UsageError as error:
        return _unable(error.faults)
    lacks = lacks_of(requirements.task)
    if lacks:
        return _unable(lacks)
    rungs = LADDER[: LADDER.index(requirements.required) + 1]
    found = {driver: examine(driver, interpreter) for driver in rungs}
    return Profile(
        python=interpreter.version,
        packages=tuple(releases(requirements.task.packages, interpreter)),
        tools=tools,
        plugins=plugins_in_marks(),
        held={str(driver): _held(seen) for driver, seen in found.items() if not seen.failure},
        failures={str(driver): seen.failure for driver, seen in found.items() if seen.failure},
    )


def _unable(faults: Iterable[Fault]) -> Profile:
    return Profile("; ".join(fault.message for fault in faults))


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
    if profile.plugins != own.plugins:
        return f"it has {_plugins(profile.plugins)}, and the run {_plugins(own.plugins)}"
    return ""


def _plugins(plugins: Mapping[str, str]) -> str:
    """Return the plugins in words; the start of a digest tells two of one version apart."""
    return ", ".join(f"{name} {identity[:_IDENTITY]}" for name, identity in plugins.items()) or "no plugins"


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

"""The key of a result: the digest of everything that the result depends on.

A result depends on the submission and its record, on the spec with its reference and checkers, on the
grader's own code and Python, and on the conditions of its run: driver, Python, packages.  While the key stays
the same, marking again would give the same result, so the earlier result is kept.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from types import MappingProxyType

from grader import __version__
from grader.engine.cache.installed import stamps, stamps_of_python
from grader.intake import Candidate
from grader.lab.digests import digest
from grader.model.task import Task
from grader.registry.identity import plugins_in_marks
from grader.runtime.code_identity import own_identity
from grader.sandbox.driver import Driver, Guarantee
from grader.sandbox.interpreter import Interpreter

_LABEL = "grader result 1"
NO_TOOLS: Mapping[str, str] = MappingProxyType({})

Known = Callable[[str], bytes]
"""Returns the evidence of an earlier run about a submission, given its id; empty if there is none."""


def nothing_known(_: str) -> bytes:
    """Return no evidence: there was no earlier run."""
    return b""


def run_key(task: Task, conditions: str, tools: Mapping[str, str] = NO_TOOLS) -> str:
    """Return the digest of everything that the results of a run have in common.

    conditions: the result of `conditions_key`.  tools: the programs that read source, with their versions.
    """
    return digest(
        conditions,
        task.id,
        task.spec_sha256,
        # A course may say when the task is due, and then the spec does not.
        *((task.late.deadline.isoformat(),) if task.late is not None else ()),
        *(f"{name} {version}" for name, version in sorted(tools.items())),
    )


def conditions_key(
    task: Task, driver: Driver, held: Mapping[Guarantee, bool], interpreter: Interpreter
) -> str:
    """Return the digest of what all evidence depends on: our code, plugins, sandbox, Python, packages.

    The guarantees that the sandbox holds are included, because the report states them for all results.
    """
    return digest(
        _LABEL,
        __version__,
        own_identity(),
        str(driver),
        *sorted(guarantee for guarantee, holds in held.items() if holds),
        interpreter.command,
        interpreter.version,
        *stamps_of_python(interpreter),
        *stamps(task.packages, interpreter),
        *task.preloaded,
        *map(repr, task.toolchains),
        *(f"file {file.name} {sha256(file.content).hexdigest()}" for file in task.data),
        *(f"{name} {version}" for name, version in _compilers(task).items()),
        *(f"plugin {name} {identity}" for name, identity in plugins_in_marks().items()),
    )


def _compilers(task: Task) -> dict[str, str]:
    """Return the programs of the host that build and run other languages, with their versions."""
    if not task.toolchains:
        return {}
    from grader.sandbox.tools.toolchains import compilers_of

    return compilers_of(task.toolchains)


def result_key(run: str, candidate: Candidate, sha256: str) -> str:
    """Return the digest of everything that one result depends on.

    run: the result of `run_key`.  sha256: the submission's digest.  The key covers the remarks of the intake
    too, since the same bytes may get other remarks in a zip than in a folder.
    """
    about = [
        (each.name, each.attempt, each.problem, each.notes, each.record, each.person, each.instead)
        for each in (candidate, *candidate.attempts)
    ]
    return digest(run, candidate.id, sha256, repr(about))

"""When a result of an earlier run still holds: all that it depends on, as one digest.

A result depends on the submission and what people know of it, on the spec with its reference
and checkers, on the grader's own code and Python, and on where it ran: driver, Python, packages.  If the
digest is the same, marking again could only find the same, so it is not done again.
"""

import hashlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from grader import __version__
from grader.engine.cache.installed import stamps, stamps_of_python
from grader.intake import Candidate
from grader.model.task import Task
from grader.runtime.own_code import own_code
from grader.sandbox.interpreter import Interpreter

if TYPE_CHECKING:
    from grader.doctor.doctor import Examination

_LABEL = "grader result 1"
NO_TOOLS: Mapping[str, str] = MappingProxyType({})

Known = Callable[[str], bytes]
"""Returns the evidence of an earlier run about a submission, given its id; nothing where there is none."""


def nothing_known(_: str) -> bytes:
    """There was no earlier run."""
    return b""


def run_key(task: Task, conditions: str, tools: Mapping[str, str] = NO_TOOLS) -> str:
    """Return the digest of all that the results of a run have in common.

    conditions: what `conditions_key` returned.  tools: the programs that look at source, with their versions.
    """
    return digest(
        conditions,
        task.id,
        task.spec_sha256,
        *(f"{name} {version}" for name, version in sorted(tools.items())),
    )


def conditions_key(task: Task, examination: "Examination", interpreter: Interpreter) -> str:
    """Return the digest of all that the evidence of every case depends on: our code, and where it runs.

    What the sandbox was found to hold is part of it: the report tells it of a run, and so of all results.
    """
    return digest(
        _LABEL,
        __version__,
        own_code(),
        str(examination.driver),
        *sorted(guarantee for guarantee, held in examination.held.items() if held),
        interpreter.command,
        interpreter.version,
        *stamps_of_python(interpreter),
        *stamps(task.packages, interpreter),
        *task.preloaded,
    )


def result_key(run: str, candidate: Candidate, sha256: str) -> str:
    """Return the digest of all that one result depends on.

    run: what `run_key` returned.  sha256: the submission's digest, which is over what
    reading it remarked as well: the same bytes in a zip or a folder may be told of in other words.
    """
    about = (candidate.name, candidate.problem, candidate.notes, candidate.record)
    return digest(run, candidate.id, sha256, repr(about))


def digest(*parts: str | bytes) -> str:
    """Return the SHA-256, in hexadecimal, over texts and bytes, each with its length before it."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()

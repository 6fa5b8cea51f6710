"""Runs one case of a finished run again, and compares it with what was recorded."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from grader import __version__
from grader.doctor.doctor import strongest
from grader.engine.cache.installed import releases
from grader.engine.run_config import prepare_run
from grader.engine.self_check import with_cases
from grader.engine.worker import Marker
from grader.judge.messages import STOPPED
from grader.model.case import Case
from grader.model.errors import Fault, UsageError
from grader.model.kinds import calls_of, kind_of
from grader.model.results import CaseResult
from grader.model.submission import Submission
from grader.model.task import Question, Task
from grader.registry.identity import plugins_in_marks
from grader.reports.standalone import NotStandalone, Standalone, as_handed_in
from grader.runtime.code_identity import own_identity
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.store.record_parts import RecordedRun


@dataclass(frozen=True, slots=True)
class Replayed:
    """A case that ran again.

    driver: the sandbox.  python: the interpreter's version.  command: its path.
    packages: releases that the submission could import.
    notes: about the submission.
    """

    case: CaseResult
    driver: Driver
    python: str
    command: str
    packages: tuple[str, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that is not as in the run; both sides as a digest or a version."""

    name: str
    before: str
    after: str


def case_in(task: Task, case_id: str) -> tuple[Question, Case]:
    """Return a case with its question.  Raises `UsageError` if the task has none of that id."""
    for question in task.questions:
        for case in question.cases:
            if case.id == case_id:
                return question, case
    raise UsageError(Fault(f"the spec has no case {case_id!r}", str(task.spec_path)))


def replay_case(task: Task, submission: Submission, case_id: str, python: str, required: Driver) -> Replayed:
    """Run one case of a submission, as marking does, without the cases that it needs.

    Raises `NoSandbox`, and `UsageError` if it could not be run.
    """
    part = replace(with_cases(task, lambda case: case.id == case_id), late=None, smoke=None)
    interpreter = find_interpreter(python)
    driver = strongest(interpreter, required).driver
    with Marker(prepare_run(part, driver, python)) as marker:
        result = marker.mark(submission).result
    if not result.questions:
        raise UsageError(Fault("; ".join(result.problems) or "the submission could not be marked"))
    ((case,),) = (question.cases for question in result.questions)
    packages = tuple(releases(task.packages, interpreter))
    return Replayed(case, driver, interpreter.version, interpreter.command, packages, result.notes)


def changed_conditions(
    recorded: RecordedRun, digests: tuple[str, str], task: Task, replayed: Replayed
) -> Iterator[Condition]:
    """Yield what is not as in the run.  digests: of the submission, recorded and replayed."""
    run = recorded.info
    own = f"{__version__}, code {own_identity()}"
    yield from (
        Condition(name, before, after)
        for name, before, after in (
            ("the spec", run.spec_sha256, task.spec_sha256),
            ("the submission", *digests),
            ("Python", run.python, replayed.python),
            ("the sandbox", run.sandbox.driver, str(replayed.driver)),
            ("the packages", ", ".join(recorded.packages), ", ".join(replayed.packages)),
            ("the seed", str(run.seed), str(task.seed)),
            ("the plugins", _listed(run.plugins), _listed(plugins_in_marks())),
            ("grader", f"{run.grader}, code {recorded.code}", own),
        )
        if before != after
    )


def _listed(plugins: Mapping[str, str]) -> str:
    return "; ".join(f"{name} {identity}" for name, identity in plugins.items())


def standalone(
    task: Task, question: Question, case: Case, submission: Submission, replayed: Replayed
) -> Standalone:
    """Return the case for a run without the grader.  Raises `NotStandalone`."""
    if any(note.endswith(STOPPED) for note in replayed.notes):
        raise NotStandalone("a module raises while it is imported, and Python alone keeps nothing of it")
    kind = kind_of(case)
    files = dict(task.modules)
    if any(task.toolchain_of(file.name) for file in submission.files.values()):
        raise NotStandalone("this program is built by a compiler, and Python cannot run it")
    # A shell's Python imports a module by the name of its file.
    texts = {f"{module}.py": file.text for module, file in submission.files.items() if module in files}
    if task.reference is not None:
        texts |= {f"{module}.py": task.reference.texts[module] for module in question.beside}
    texts |= calls_of(case).own_code
    module = kind.module(case.what, question.module)
    if f"{module}.py" not in texts:
        raise NotStandalone(f"there is no {files[module]} in the submission")
    alone = kind.alone(case, module, texts, task, replayed.case)
    return replace(alone, files={**{file.name: file.content for file in task.data}, **alone.files})


def lies_in(folder: Path, alone: Standalone) -> bool:
    """Tell whether a folder holds the modules of a case, as they were marked."""
    return all(_holds(folder / name, text) for name, text in alone.modules.items())


def _holds(path: Path, text: str) -> bool:
    content = as_handed_in(text)
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size != len(content):
            return False
        return hashlib.sha256(path.read_bytes()).digest() == hashlib.sha256(content).digest()
    except (OSError, ValueError):
        return False

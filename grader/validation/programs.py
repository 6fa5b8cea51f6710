"""The programs beside a spec, and what is declared of them.

`specs/<task>/wrong/` holds wrong programs, and `expected.yaml` in it what each must get.
`specs/<task>/right/` holds right ones, which must get every mark.  A declaration gives the mark,
the questions' marks, and the verdicts of the cases that tell most; where it matters also `status`, `late_s`,
and `penalties`, the marks taken off.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from grader.intake import Candidate, discover, read
from grader.marking.rounding import format_mark
from grader.model.case import Case
from grader.model.errors import Fault, NothingToMark, UsageError
from grader.model.results import SubmissionResult
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict

WRONG, RIGHT, HANDOUT = "wrong", "right", "handout"
EXPECTED = "expected.yaml"
_SHORT_S = 0.25
"""The time limit of a case that is declared to meet it: there is no need to wait for all of a long one."""
LONGEST_S = 60.0
"""Right programs do not run cases with a longer time limit, which they may use."""
_MAPPINGS = ("questions", "verdicts")
_KEYS = ("mark", "questions", "verdicts", "status", "late_s", "penalties")

Declaration: TypeAlias = Mapping[str, Any]
"""What is declared of one program: texts, and by question or case mappings of texts."""


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs beside a spec, by name; declared: by the name of a wrong one."""

    wrong: Mapping[str, Submission]
    right: Mapping[str, Submission]
    handout: Submission | None
    declared: Mapping[str, Declaration]


def read_programs(task: Task) -> Programs:
    """Read the programs beside a spec.  Raises `UsageError` where a declaration cannot be read."""
    folder = task.spec_path.parent / task.spec_path.stem
    handout = folder / HANDOUT
    return Programs(
        wrong=_submissions(task, folder / WRONG),
        right=_submissions(task, folder / RIGHT),
        handout=_read(task, handout) if handout.is_dir() else None,
        declared=read_declarations(folder / WRONG / EXPECTED),
    )


def folders_of(batch: Path) -> list[Path]:
    """Return the folders of the programs in a folder; a cache of Python's is none."""
    if not batch.is_dir():
        return []
    return sorted(path for path in batch.iterdir() if path.is_dir() and path.name != "__pycache__")


def _submissions(task: Task, batch: Path) -> dict[str, Submission]:
    read = {path.name: _read(task, path) for path in folders_of(batch)}
    return {name: submission for name, submission in read.items() if submission is not None}


def _read(task: Task, folder: Path) -> Submission | None:
    modules = dict(task.modules)
    try:
        found: list[Candidate] = discover([folder], modules)
    except NothingToMark:
        return None
    return read(found[0], modules, task.repairs) if len(found) == 1 else None


def read_declarations(path: Path) -> dict[str, Declaration]:
    """Return what is declared of each program, all ids and marks as text; empty where there is no file.

    Raises `UsageError` where the file cannot be read.
    """
    if not path.is_file():
        return {}
    try:
        declared = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, ValueError, yaml.YAMLError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark is not None else str(path)
        problem = getattr(error, "problem", None) or str(error)
        raise UsageError(Fault(f"the declarations cannot be read: {problem}", where=where)) from error
    if not isinstance(declared, dict) or not all(isinstance(one, dict) for one in declared.values()):
        hint = "for example  off-by-one: {mark: 3, questions: {a: 1}, verdicts: {a.1: wrong-answer}}"
        raise UsageError(Fault("expected a mapping for each program", where=str(path), hint=hint))
    for name, declaration in declared.items():
        unknown = sorted(set(map(str, declaration)) - set(_KEYS))
        if unknown:
            known = ", ".join(_KEYS)
            reason = f"{name}: unknown key {unknown[0]!r}; there are {known}"
            raise UsageError(Fault(reason, where=str(path)))
    return {str(name): as_texts(declaration) for name, declaration in declared.items()}


def as_texts(declaration: Mapping[str, Any]) -> dict[str, Any]:
    """Return a declaration with its ids and marks as text, however YAML took them."""
    return {
        key: {str(name): str(what) for name, what in (value or {}).items()}
        if key in _MAPPINGS
        else str(value)
        for key, value in declaration.items()
    }


def slow_cases(declaration: Declaration) -> frozenset[str]:
    """Return the cases that are declared to run into their time limit."""
    verdicts = declaration.get("verdicts", {})
    return frozenset(case for case, verdict in verdicts.items() if verdict == Verdict.TIME_LIMIT)


def with_short_limits(task: Task, slow: Collection[str]) -> Task:
    """Return the task with shorter time limits for the cases that are slow."""

    def shortened(case: Case) -> Case:
        time_s = min(case.limits.time_s, _SHORT_S)
        return replace(case, limits=replace(case.limits, time_s=time_s)) if case.id in slow else case

    questions = (replace(each, cases=tuple(map(shortened, each.cases))) for each in task.questions)
    return replace(task, questions=tuple(questions))


def marks_by_cases(task: Task) -> Fraction:
    """Return the marks that a program can get without a person's looking at it."""
    return sum((question.marks for question in task.questions if question.cases), Fraction(0))


def as_declared(result: SubmissionResult, declaration: Declaration) -> dict[str, Any]:
    """Return of a result what a declaration speaks of, in the same form."""
    verdicts = {case.id: str(case.verdict) for question in result.questions for case in question.cases}
    asked = declaration.get("verdicts", {})
    found: dict[str, Any] = {
        "mark": format_mark(result.mark),
        "questions": {question.id: format_mark(question.mark) for question in result.questions},
        "verdicts": {case: verdicts.get(case, "no such case") for case in asked},
        "status": str(result.status),
        "late_s": str(result.late_s),
        "penalties": format_mark(sum((penalty.amount for penalty in result.penalties), Fraction(0))),
    }
    return {key: value for key, value in found.items() if key in declaration}


def differences(found: Declaration, declaration: Declaration) -> Iterator[tuple[str, str, str]]:
    """Yield where a result is not as declared: what, declared, found.  found: as `as_declared` returns it."""
    for key, expected in declaration.items():
        if key not in _MAPPINGS:
            if expected != found[key]:
                yield key, expected, found[key]
            continue
        for name, what in expected.items():
            got = found[key].get(name, "no such question")
            if what != got:
                yield f"{key.removesuffix('s')} {name}", what, got

"""The programs beside a spec, and what is declared of them.

`specs/<task>/wrong/` holds wrong programs, and `expected.yaml` in it what each must get.
`specs/<task>/right/` holds right ones, which must get every mark.  A declaration gives the mark,
the questions' marks, and the verdicts of the cases that tell most, or the `verdict` of all cases together;
where it matters also `status`, `late_s`, and `penalties`, the marks taken off.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from grader.intake import discover, read_for
from grader.marking.rounding import format_mark
from grader.model.case import Case
from grader.model.errors import NothingToMark, UsageError
from grader.model.submission import Submission
from grader.model.task import Task
from grader.model.verdict import Verdict, summary
from grader.records.file_text import read_text
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Broken, Node, Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import kind_of

WRONG, RIGHT, HANDOUT = "wrong", "right", "handout"
EXPECTED = "expected.yaml"
_SHORT_S = 0.25
"""The time limit of a case that is declared to meet it: there is no need to wait for all of a long one."""
LONGEST_S = 60.0
"""Right programs do not run cases with a longer time limit, which they may use."""
_MAPPINGS = ("questions", "verdicts")
_KEYS = ("mark", "questions", "verdict", "verdicts", "status", "late_s", "penalties")
_OR = " or "

Declaration: TypeAlias = Mapping[str, Any]
"""The declaration of one program: texts, and by question or case mappings of texts."""


@dataclass(frozen=True, slots=True)
class Programs:
    """The programs beside a spec, by name; declared: by the name of a wrong one."""

    wrong: Mapping[str, Submission]
    right: Mapping[str, Submission]
    handout: Submission | None
    declared: Mapping[str, Declaration]


def read_programs(task: Task) -> Programs:
    """Read the programs beside a spec.  Raises `UsageError` where a declaration cannot be read."""
    folder = folder_of(task)
    handout = folder / HANDOUT
    return Programs(
        wrong=_submissions(task, folder / WRONG),
        right=_submissions(task, folder / RIGHT),
        handout=_read(task, handout) if handout.is_dir() else None,
        declared=read_declarations(folder / WRONG / EXPECTED),
    )


def folder_of(task: Task) -> Path:
    """Return the folder beside the spec that has its name."""
    return task.spec_path.with_suffix("")


def folders_of(batch: Path) -> list[Path]:
    """Return the folders of the programs in a folder; a cache of Python's is none."""
    if not batch.is_dir():
        return []
    return sorted(path for path in batch.iterdir() if path.is_dir() and path.name != "__pycache__")


def _submissions(task: Task, batch: Path) -> dict[str, Submission]:
    read = {path.name: _read(task, path) for path in folders_of(batch)}
    return {name: submission for name, submission in read.items() if submission is not None}


def _read(task: Task, folder: Path) -> Submission | None:
    try:
        found = discover([folder], task.asked)
    except NothingToMark:
        return None
    return read_for(task, found[0]) if len(found) == 1 else None


def read_declarations(path: Path) -> dict[str, Declaration]:
    """Return what is declared of each program, as texts; empty where there is no file.

    Raises `UsageError` with every mistake in the file.
    """
    text = read_text(path, "the declarations") if path.is_file() else ""
    if not any(line.partition("#")[0].strip() for line in text.splitlines()):
        return {}
    reporter = Reporter(Source(str(path), text))
    root = compose(reporter)
    declared = {name: _declaration(node, reporter) for name, node in _pairs(root, reporter)}
    reporter.raise_if_any(UsageError)
    return declared


def _declaration(node: Node, reporter: Reporter) -> Declaration:
    declaration: dict[str, Any] = {}
    for key, value in _pairs(node, reporter):
        if key in _MAPPINGS:
            declaration[key] = {name: _text(each, reporter) for name, each in _pairs(value, reporter)}
        elif key in _KEYS:
            declaration[key] = _text(value, reporter)
        else:
            message = f"there is no key `{shown(key)}` in a declaration"
            reporter.report(value.span, message, reporter.nearest_or_all(key, _KEYS))
    return declaration


def _pairs(node: Node | None, reporter: Reporter) -> list[tuple[str, Node]]:
    if isinstance(node, nodes.Mapping):
        return [(key.text, value) for key, value in node.pairs]
    is_absent = node is None or isinstance(node, Broken) or (isinstance(node, Scalar) and node.empty)
    if node is not None and not is_absent:
        reporter.report(node.span, f"this must be a mapping, lines of `key: value`, not {kind_of(node)}")
    return []


def _text(node: Node, reporter: Reporter) -> str:
    if isinstance(node, Scalar):
        return node.text
    reporter.report(node.span, f"this must be a text, not {kind_of(node)}")
    return ""


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


def declared_of(facts: Mapping[str, Any], declaration: Declaration) -> dict[str, Any]:
    """Return what a declaration speaks of, as a program got it.  facts: see `work.jobs.result_facts`."""
    cases = facts["cases"]
    found: dict[str, Any] = {
        "mark": format_mark(Fraction(facts["mark"])),
        "questions": {question: format_mark(Fraction(mark)) for question, mark in facts["questions"].items()},
        "verdicts": {
            case: cases[case]["verdict"] if case in cases else "no such case"
            for case in declaration.get("verdicts", {})
        },
        "verdict": str(summary(Verdict(case["verdict"]) for case in cases.values())),
        "status": facts["status"],
        "late_s": str(facts["late_s"]),
        "penalties": format_mark(sum((Fraction(amount) for _, amount in facts["penalties"]), Fraction(0))),
    }
    return {key: value for key, value in found.items() if key in declaration}


def differences(found: Declaration, declaration: Declaration) -> Iterator[tuple[str, str, str]]:
    """Yield where a result is not as declared: what, declared, found.  found: as `declared_of` returns it."""
    for key, expected in declaration.items():
        if key not in _MAPPINGS:
            if found[key] not in (expected.split(_OR) if key == "verdict" else [expected]):
                yield key, expected, found[key]
            continue
        for name, what in expected.items():
            got = found[key].get(name, "no such question")
            if what != got:
                yield f"{key.removesuffix('s')} {name}", what, got

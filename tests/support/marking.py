"""Marks one submission from texts, by the real loader, sandbox and judge."""

import textwrap
from collections.abc import Mapping
from pathlib import Path

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import CaseResult, SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

_OWN_TESTS = """
questions:
  - id: "1"
    title: Tests
    marks: 1
    cases:
      - student tests: work
        against: {module: @MODULE@, right: [right.py], wrong: [wrong.py]}
"""
HEAD = """
task: sample
title: Sample
marks: 1
modules: {work: work.py}
"""


def mark(
    folder: Path,
    spec: str,
    work: str | Mapping[str, str],
    *,
    reference: str = "",
    checkers: str = "",
    python: str = "",
    driver: Driver = Driver.NAMESPACES,
) -> SubmissionResult:
    """Write the spec and its files below `folder`, and mark `work` by it.

    spec: its questions; the head is added.  work: the text of work.py, or texts by module or file.
    """
    text = HEAD
    if reference:
        (folder / "reference").mkdir()
        (folder / "reference" / "work.py").write_text(textwrap.dedent(reference))
        text += "reference: reference\n"
    if checkers:
        (folder / "checkers.py").write_text(textwrap.dedent(checkers))
        text += "checkers: checkers.py\n"
    path = folder / "sample.yaml"
    path.write_text(text + textwrap.dedent(spec))
    task = load_task(path)
    sources = {"work": work} if isinstance(work, str) else work
    files = {
        name.partition(".")[0]: SourceFile(name if "." in name else f"{name}.py", textwrap.dedent(text))
        for name, text in sources.items()
    }
    with Marker(prepare_run(task, driver, python)) as marker:
        return marker.mark(Submission("student-01", "student-01", files)).result


def cases(result: SubmissionResult) -> dict[str, CaseResult]:
    """Return the results of all cases by id."""
    return {case.id: case for question in result.questions for case in question.cases}


def verdicts(result: SubmissionResult) -> dict[str, str]:
    """Return the verdicts of all cases by id."""
    return {name: str(case.verdict) for name, case in cases(result).items()}


def question(*lines: str, award: str = "each") -> str:
    """Return the text of one question whose cases are `lines`, each a flow mapping or a block."""
    items = "\n".join(textwrap.indent(f"- {line}", "      ") for line in lines)
    return f'questions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: {award}\n    cases:\n{items}\n'


def by_tests(folder: Path, tests: str, work: str, reference: str) -> SubmissionResult:
    """Mark a module `work` by an instructor's test file, which stands in the folder afterwards."""
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_work.py").write_text(tests)
    return mark(folder, question("pytest: tests/test_work.py"), work, reference=reference)


def tried_on(folder: Path, module: str, program: str, tests: str) -> tuple[str, str]:
    """Return the verdict of a student's own tests on one right program, and why they refuse it."""
    (folder / "right.py").write_text(program)
    (folder / "wrong.py").write_text("")
    step = cases(mark(folder, _OWN_TESTS.replace("@MODULE@", module), {"work": tests}))["1.1"].steps[0]
    return step.verdict, step.message

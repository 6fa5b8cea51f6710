"""`validate` where a package or a tool is missing: it says so, and all else depends on the rest alone."""

from pathlib import Path

import pytest
from support.command_line import grader
from support.validating import LARGEST, REFERENCE, written

from grader.model.errors import Fault, UsageError
from grader.model.validation import Gravity, Validation
from grader.plugins.tests.student_tests import kind as student_tests
from grader.plugins.tests.test_file import kind as test_file
from grader.plugins.validate import lacking
from grader.plugins.validate.lacking import installed_part
from grader.plugins.validate.whole import Options, validate
from grader.sandbox.interpreter import find_interpreter
from grader.spec import load_task

HEAD = """\
task: small
title: Small
marks: 2
reference: reference
packages: [no_such_package]
modules: {work: work.py, plot: plot.py}
limits: {time: 5s}
questions:
"""
NEEDY = """\
  - id: needy
    title: needy
    module: plot
    marks: 1
    cases:
      - {call: twice(2), returns: 4}
      - {call: twice(3), returns: 6, needs: largest.1}
"""
EXPECTED = """\
first: {mark: 0, questions: {largest: 0}, verdicts: {largest.2: exception}}
other: {mark: 1, questions: {needy: 0}}
"""
EQUIVALENT = "- {mutant: plot.twice/off-by-one/00000000, question: needy, reason: none}\n"


def needing(folder: Path, rest: str = LARGEST, **parts: str) -> Path:
    """Write a spec of which one question needs a package that is not installed."""
    questions = rest.replace("title: largest\n", "title: largest\n    module: work\n") + NEEDY
    wrong = {"first": "def largest(xs):\n    return xs[0]\n", "other": REFERENCE}
    given = {"head": HEAD, "expected": EXPECTED, "equivalent": EQUIVALENT} | parts
    spec = written(folder, questions=questions, wrong=wrong, **given)  # type: ignore[arg-type]
    plot = "import no_such_package\n\n\ndef twice(n):\n    return 2 * n\n"
    (folder / "reference/plot.py").write_text(plot)
    return spec


def validated(spec: Path, mutants: int = 0) -> Validation:
    return validate(load_task(spec), Options(jobs=1, mutants=mutants), lambda *_: None)


def told(found: Validation) -> list[str]:
    return [one.text for one in found.remarks if one.text.startswith("not validated")]


@pytest.mark.acceptance
def test_what_needs_a_missing_package_is_told_and_the_rest_is_validated(tmp_path: Path) -> None:
    found = validated(needing(tmp_path), 3)
    assert told(found) == [
        "not validated: question needy, for want of no_such_package, which is not installed"
    ]
    assert [question.id for question in found.questions] == ["largest"]
    assert found.faults == ()
    assert found.caught > 0


def test_a_fault_of_the_rest_is_one_all_the_same(tmp_path: Path) -> None:
    spec = needing(tmp_path, LARGEST.replace('"largest([4])", returns: 4', '"largest([4])", returns: 5'))
    found = validated(spec)
    assert [(one.case, one.gravity) for one in found.faults][:1] == [("largest.6", Gravity.FAULT)]
    assert told(found)


def test_the_command_says_so_and_exits_as_for_the_rest(tmp_path: Path) -> None:
    spec = needing(tmp_path)
    done = grader("validate", spec, "--quick", "--mutants", "3", "-j", "1", "-o", tmp_path / "out")
    assert (done.returncode, done.stderr.count("Traceback")) == (0, 0)
    assert "for want of no_such_package" in " ".join(done.stdout.split())


def test_only_if_nothing_is_left_there_is_nothing_to_validate(tmp_path: Path) -> None:
    spec = needing(tmp_path)
    (tmp_path / "reference/work.py").write_text("import no_such_package\n" + REFERENCE)
    done = grader("validate", spec, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "every question needs no_such_package" in " ".join(done.stderr.split())


def test_a_package_that_only_programs_import_leaves_them_out(tmp_path: Path) -> None:
    spec = needing(tmp_path)
    (tmp_path / "reference/plot.py").write_text("def twice(n):\n    return 2 * n\n")
    right = tmp_path / "small/right/quick"
    right.mkdir(parents=True)
    (right / "work.py").write_text("import no_such_package\n" + REFERENCE)
    (tmp_path / "small/equivalent.yaml").unlink()
    (tmp_path / "small/wrong/expected.yaml").write_text(
        "{first: {questions: {largest: 0}}, other: {mark: 1}}"
    )
    found = validated(spec)
    assert told(found) == [
        "not validated: the programs that import it, for want of no_such_package, which is not installed"
    ]
    assert [question.id for question in found.questions] == ["largest", "needy"]
    assert found.faults == ()


def test_missing_tools_leave_out_what_needs_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from support.smallest import KINDS, write_kinds

    def missing() -> str:
        raise UsageError(Fault("pytest is not installed"))

    names = ("call", "pattern", "student-tests")
    task = load_task(write_kinds(tmp_path, names))
    here = find_interpreter("")
    assert installed_part(task, here).needs == {}
    monkeypatch.setattr(lacking, "path_of", lambda name: None)
    for module in (test_file, student_tests):
        monkeypatch.setattr(module, "find_pytest", missing)
    part = installed_part(task, here)
    assert part.needs == {"ast-grep": ("pattern",), "pytest": ("student-tests",)}
    assert [question.id for question in part.task.questions] == ["call"]
    assert [case.id for case in part.task.cases] == [case.id for case in task.questions[0].cases]
    assert KINDS["call"].cases

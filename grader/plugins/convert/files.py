"""Finds the files of a tool's tests, and reads each."""

import ast
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from grader.authoring.written import Raw, WrittenCase
from grader.model.errors import Fault, UsageError
from grader.plugins.convert.check50 import Checks
from grader.plugins.convert.comparisons import WORDS
from grader.plugins.convert.draft import Draft, Meaning
from grader.plugins.convert.notebooks import Notebook
from grader.plugins.convert.otter import OtterTests
from grader.plugins.convert.packages.dmoj.problem import read_problem
from grader.plugins.convert.packages.generated.running import OwnPrograms
from grader.plugins.convert.packages.kattis import read_package
from grader.plugins.convert.prairielearn.question import read_question
from grader.plugins.convert.python.around import choosing_settings, set_up_around
from grader.plugins.convert.python_tests import PythonTests
from grader.plugins.convert.tested.suite import Suite
from grader.records.file_text import read_text

TOOLS = {
    "otter": ("*.py",),
    "gradescope-utils": ("test*.py", "*_test.py"),
    "check50": ("__init__.py", ".cs50.yaml", ".cs50.yml"),
    "pytest": ("test*.py", "*_test.py"),
    "nbgrader": ("*.ipynb",),
    "tested": ("*.yaml", "*.yml"),
    "problem-package": ("problem.yaml",),
    "dmoj": ("init.yml",),
    "prairielearn": ("info.json",),
}
"""By tool, the names of files that are looked for in a folder."""
_PACKAGES: Mapping[str, Callable[[Path, str, str], Draft]] = {
    "problem-package": read_package,
    "dmoj": read_problem,
    "prairielearn": read_question,
}
"""The tools whose tests are a whole folder: data, and programs."""
_GENERATED: Mapping[str, Callable[[Path, str, str, OwnPrograms], Draft]] = {
    "problem-package": read_package,
    "dmoj": read_problem,
}
"""Those whose packages can have programs that make their data."""
WITH_GENERATORS = frozenset(_GENERATED)

_SHARING = frozenset({"gradescope-utils", "pytest", "nbgrader"})
"""The tools whose tests run in one process, or one kernel."""
_ALONE = "from here on each call has a process of its own: none sees what another left in modules or files"
_AFTER_ALL = _ALONE.replace("its own:", "its own, after all cells but tests:")
_OF_YAML = {word.text: repr(value) for value, word in WORDS.items()}


def read_tests(
    path: Path, tool: str, module: str, folder: str = "work", *, run_generators: bool = False
) -> Draft:
    """Return what the tests in a file or folder come to.

    module: the module of the student's, for tests that do not import one.
    folder: the name of the folder beside the spec that what comes with the tests will lie in.
    run_generators: programs that make its data are run, for the tools that have such.
    Raises `UsageError`.
    """
    if tool in _PACKAGES:
        try:
            package = path if path.is_dir() else path.parent
            if not run_generators:
                return _PACKAGES[tool](package, module, folder)
            with OwnPrograms() as runs:
                return _GENERATED[tool](package, module, folder, runs)
        except RecursionError:
            raise UsageError(Fault("its folders are nested too deeply", where=str(path))) from None
    draft = Draft(module=module)
    files = [*_files(path, tool)]
    if not files:
        names = ", ".join(TOOLS[tool])
        raise UsageError(Fault(f"no tests of {tool} were found", where=str(path), hint=f"looked for {names}"))
    for file in files:
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        state = set_up_around(file) if tool == "pytest" else ""
        if tool == "tested":
            Suite(draft, name, read_text(file, "the file"), module, file.parent, folder).read()
        elif tool == "check50":
            checks = Checks(draft, name, read_text(file, "the file"), file.parent, folder)
            with _unreadable_left_out(draft, name):
                checks.read()
        else:
            _read_file(read_text(file, "the file"), name, tool, draft, module, folder, state)
    if tool == "pytest":
        for place, line in sorted({each for file in files for each in choosing_settings(file)}):
            reason = "this may choose which tests run; the others were converted too"
            draft.remark(place.name, line, Meaning.STRICTER, reason)
    _drop_contradictions(draft)
    cases = [case for question in draft.questions for case in question.cases]
    is_alone = len(cases) == 1 and all(each.meaning is not Meaning.LEFT_OUT for each in draft.remarks)
    if tool in _SHARING and cases and (tool == "nbgrader" or not is_alone):
        # The only case may rely on what a test that was left out leaves.
        reason = _AFTER_ALL if tool == "nbgrader" else _ALONE
        draft.remark(cases[0].file, cases[0].line, Meaning.STRICTER, reason)
    return draft


def _files(path: Path, tool: str) -> Iterator[Path]:
    if not path.exists():
        raise UsageError(Fault("there is no such file or folder", where=str(path)))
    if not path.is_dir():
        yield path
        return
    found = {file for pattern in TOOLS[tool] for file in path.rglob(pattern) if file.is_file()}
    yield from sorted(found)


def _read_file(text: str, name: str, tool: str, draft: Draft, module: str, folder: str, state: str) -> None:
    with _unreadable_left_out(draft, name):
        if tool == "nbgrader":
            Notebook(draft, name, text, module).read()
            return
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text)
        if tool == "otter":
            OtterTests(draft, name, tree, module, folder).read()
        else:
            PythonTests(draft, name, tree, tool == "pytest", state).read()


@contextmanager
def _unreadable_left_out(draft: Draft, name: str) -> Iterator[None]:
    """Remark that a file is left out, if Python cannot read it while the context is open."""
    try:
        yield
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        reason = f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot read this file"
        if isinstance(error, SyntaxError):
            reason += f": {error.msg}"
        draft.remark(name, line, Meaning.LEFT_OUT, reason)


def _drop_contradictions(draft: Draft) -> None:
    """Leave out calls of which different answers are expected: they depend on something that is not seen."""
    answers: dict[tuple[str, str], list[object]] = {}
    for question in draft.questions:
        for case in question.cases:
            if (answer := _answer(case)) is not None:
                answers.setdefault(_call(case), []).append(answer)
    odd = {call for call, found in answers.items() if any(answer != found[0] for answer in found)}
    for number, question in enumerate(draft.questions):
        kept = tuple(case for case in question.cases if _call(case) not in odd)
        for case in question.cases:
            if case not in kept:
                reason = f"{_call(case)[1]} is expected to give different answers at different times"
                draft.leave_out(case, reason)
        draft.questions[number] = replace(question, cases=kept)
    draft.questions = [one for one in draft.questions if one.cases or one.criterion]


def _call(case: WrittenCase) -> tuple[str, str]:
    return case.module, str(case.keys.get("call", ""))


def _answer(case: WrittenCase) -> object:
    """Return what a case of a call expects, equal where one answer can be both; None if it is left open.

    One exception can be of several classes and match several patterns.
    """
    if "raises" in case.keys:
        return "raises"
    value = case.keys.get("returns", "")
    text = value.text if isinstance(value, Raw) else str(value)
    if not text or "abs" in case.keys:
        return None
    try:
        return "returns", ast.literal_eval(_OF_YAML.get(text, text))
    except (ValueError, SyntaxError):
        # Such as `float('inf')`.
        return "returns", text

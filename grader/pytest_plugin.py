"""The pytest plugin: each case of a spec is a test of one submission.

    pytest specs/leap.yaml --submission=PATH

Before pytest knows the options of plugins, it takes `PATH` behind a space for a path of tests, and looks
there for its configuration, which can run code before any plugin is loaded.  So a space is always refused,
also where the work is harmless: then people do not get used to it.

Without `--submission` nothing but this module is imported, so other projects pay nothing.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from grader.model.case import Case
    from grader.model.results import CaseResult, SubmissionResult
    from grader.model.task import Question, Task
    from grader.spec.places import Places

_SUFFIXES = (".yaml", ".yml")
_MARKERS = {
    "public": "a case of a spec that students can see",
    "hidden": "a case of a spec that no student sees",
    "after_due": "a case of a spec that students see after the date due",
}


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("grader", "grader: the cases of a spec as tests")
    group.addoption(
        "--submission",
        type=Path,
        metavar="PATH",
        help="the work to test by the specs that are named: a student's folder, zip or file",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Refuse a space, before a file `conftest.py` of the work's is loaded.  Raises `pytest.UsageError`."""
    given = [*early_config.invocation_params.args, *shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))]
    if "--submission" in given:
        raise pytest.UsageError(
            "write --submission=PATH: behind a space pytest looks for its own configuration in the work,"
            " which can run code"
        )
    work: Path | None = early_config.known_args_namespace.submission
    ini = early_config.inipath
    if work is None or ini is None:
        return
    place = work.resolve()
    if ini.resolve().is_relative_to(place) and not Path.cwd().is_relative_to(place):
        raise pytest.UsageError(f"pytest took its configuration from the work, {ini}, which can run code")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("submission") is not None:
        for name, text in _MARKERS.items():
            config.addinivalue_line("markers", f"{name}: {text}")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    if file_path.suffix not in _SUFFIXES or not parent.session.isinitpath(file_path):
        return None
    if parent.config.getoption("submission") is None:
        from grader.yamlfile.top_keys import looks_like_spec

        if not looks_like_spec(file_path):
            return None
    # The value of an option can lead pytest to another root, and outside of it a file has no name of its own.
    node_id = os.path.relpath(file_path, parent.config.rootpath).replace(os.sep, "/")
    return SpecFile.from_parent(parent, path=file_path, nodeid=node_id)


class SpecFile(pytest.File):
    """A spec, with the work that `--submission` names."""

    def collect(self) -> Iterator["QuestionNode"]:
        if self.config.getoption("submission") is None:
            raise self.CollectError(f"{self.path.name} is a spec: name the work with --submission=PATH")
        from grader.spec import load_spec

        task, places = load_spec(self.path)
        for question in task.questions:
            if question.cases:
                yield QuestionNode.from_parent(
                    self, name=question.id, task=task, question=question, places=places
                )

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return _told(excinfo) or super().repr_failure(excinfo)


class QuestionNode(pytest.Collector):
    """A question.  Its cases run together, when the first of them is asked for."""

    def __init__(self, *, task: "Task", question: "Question", places: "Places", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.task, self.question, self.places = task, question, places
        self.extra_keyword_matches.add(question.title)
        self._results: dict[str, CaseResult] | None = None
        self._fault: BaseException | None = None

    def collect(self) -> Iterator["CaseItem"]:
        for case in self.question.cases:
            yield CaseItem.from_parent(self, name=case.id, case=case)

    def result(self, case_id: str) -> "CaseResult":
        """Return the result of a case; run those of this question that were selected."""
        if self._fault is not None:
            raise self._fault
        if self._results is None:
            try:
                self._results = self._run()
            except Exception as fault:
                self._fault = fault  # the same for the other cases of the question
                raise
        return self._results[case_id]

    def _run(self) -> "dict[str, CaseResult]":
        from grader.cli.own_work import own_work
        from grader.engine.proof.prover import Prover
        from grader.engine.self_check import SelfCheck, with_cases

        wanted = {item.name for item in self.session.items if item.parent is self}
        ids = _with_needs(self.task, wanted)
        part = with_cases(self.task, lambda case: case.id in ids)
        work = own_work(self.config.getoption("submission"), self.task.asked)
        with SelfCheck(part, prover=Prover(self.places)) as session:
            result: SubmissionResult = session.check(work)
        return {case.id: case for question in result.questions for case in question.cases}


def _with_needs(task: "Task", wanted: set[str]) -> set[str]:
    """Return the ids with those of all cases that they depend on."""
    needs = {case.id: case.needs for case in task.cases}
    found, left = set[str](), list(wanted)
    while left:
        case_id = left.pop()
        if case_id not in found:
            found.add(case_id)
            left += needs[case_id]
    return found


class NotAccepted(Exception):
    """A case was not accepted; its text is what the student reads."""


class CaseItem(pytest.Item):
    """A case, as a test."""

    parent: QuestionNode

    def __init__(self, *, case: "Case", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.case = case
        self.add_marker(case.visibility.value.replace("-", "_"))

    def runtest(self) -> None:
        from grader.model.verdict import Verdict

        result = self.parent.result(self.name)
        self.user_properties += [("verdict", str(result.verdict)), ("cpu_s", result.cpu_s)]
        if result.verdict is Verdict.SKIPPED:
            pytest.skip(result.message)
        if result.verdict is not Verdict.ACCEPTED:
            raise NotAccepted(_text(result))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        return _told(excinfo) or super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        known = self.parent.places.cases.get(self.name)
        file, line, _ = (
            known.fault("").where.rsplit(":", 2) if known is not None else (str(self.path), "1", "")
        )
        return Path(file), int(line) - 1, f"{self.name} {self.parent.question.title}"


def _text(result: "CaseResult") -> str:
    from grader.reports.terminal.lines import to_text
    from grader.reports.terminal.student import case_lines

    return to_text(case_lines(result))


def _told(excinfo: pytest.ExceptionInfo[BaseException]) -> str:
    """Return the text of what a person can mend; empty for a fault of our own."""
    from grader.model.errors import UsageError

    return str(excinfo.value) if isinstance(excinfo.value, NotAccepted | UsageError) else ""

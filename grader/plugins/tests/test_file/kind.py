"""Cases that are test functions of a test file of the instructor's."""

from collections.abc import Callable, Mapping, Sequence

from grader.judge.endings import ENDINGS, judge_ending
from grader.judge.finding import Checkers, Expected, Finding
from grader.kinds.kind import Kind
from grader.lab.lab import Lab
from grader.lab.turn import CaseTurn
from grader.model.case import Case, TestFunction
from grader.model.outcome import Ending, Outcome
from grader.model.task import Task
from grader.plugins.tests.boxes import find_pytest
from grader.plugins.tests.test_file.judge import judge_tests
from grader.sandbox.evidence import Evidence
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.yamlfile.table import Fields


class TestFileCases(Kind[TestFunction]):
    """The test functions of a test file."""

    __test__ = False
    name = "pytest"

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        from grader.plugins.tests.test_file.reading import decode_tests

        return decode_tests(context, fields, common)

    def tools(self, case: Case) -> Mapping[str, Callable[[], str]]:
        return {"pytest": find_pytest}

    def test_texts(self, case: Case) -> Mapping[str, str]:
        assert isinstance(case.what, TestFunction)
        return dict(case.what.file.texts)

    def captures(self, case: Case) -> bool:
        return True

    def about(
        self, task: Task, case: Case, request: bytes, reference: Outcome | None
    ) -> Sequence[str | bytes]:
        assert isinstance(case.what, TestFunction)
        # Which names are classes is read from the reference.
        reference_texts = sorted(task.reference.texts.items()) if task.reference else ()
        test = case.what.file, case.what.name, task.modules, reference_texts
        return "pytest", find_pytest(), repr(test)

    def run(self, turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
        from grader.plugins.tests.test_file.turn import run_test

        assert isinstance(turns[0].case.what, TestFunction)
        return [run_test(turns[0], turns[0].case.what, lab)]

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        assert isinstance(case.what, TestFunction)
        if outcome.ending is Ending.ANSWERED:
            return judge_tests(case, case.what, outcome, ENDINGS)
        return judge_ending(case, outcome)

    def stays(self, case: Case) -> str:
        return "it is a test of a test file, which stays with you"


KIND = TestFileCases()

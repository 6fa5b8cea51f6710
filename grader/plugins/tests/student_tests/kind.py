"""Cases that try a student's own test file on right and wrong programs of the instructor's."""

from collections.abc import Callable, Mapping, Sequence

from grader.judge.endings import judge_ending
from grader.judge.finding import Checkers, Expected, Finding
from grader.kinds.kind import Kind
from grader.lab.lab import Lab
from grader.lab.turn import CaseTurn
from grader.model.case import Case, StudentTests
from grader.model.outcome import Ending, Outcome
from grader.plugins.tests.boxes import find_pytest
from grader.plugins.tests.student_tests.judge import judge_student_tests
from grader.sandbox.evidence import Evidence
from grader.spec.decode.inherited import Inherited
from grader.spec.expressions.context import Context
from grader.yamlfile.table import Fields


class StudentTestCases(Kind[StudentTests]):
    """A student's own tests."""

    name = "student tests"
    imports = False

    def read(self, fields: Fields, common: Case, context: Context, inherited: Inherited) -> Sequence[Case]:
        from grader.plugins.tests.student_tests.reading import decode_student_tests

        return [decode_student_tests(context, fields, common)]

    def tools(self, case: Case) -> Mapping[str, Callable[[], str]]:
        return {"pytest": find_pytest}

    def run(self, turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
        from grader.plugins.tests.student_tests.running import try_tests

        case = turns[0].case
        assert isinstance(case.what, StudentTests)
        absence = lab.boxes.absence(case.what.module)
        if absence is not None:
            return [absence]
        # The tests are the submission's code, and one box of it is alive at a time.
        lab.boxes.close()
        with lab.working():
            seed = lab.inputs.task.seed_of(case)
            return [try_tests(case, case.what, lab.boxes.submission, lab.tools, lab.budget, seed)]

    def judge(self, case: Case, outcome: Outcome, expected: Expected | None, oracle: Checkers) -> Finding:
        if outcome.ending is Ending.ANSWERED:
            return judge_student_tests(outcome)
        return judge_ending(case, outcome)

    def stays(self, case: Case) -> str:
        return "programs that stay with you are what the student's tests are tried on"


KIND = StudentTestCases()

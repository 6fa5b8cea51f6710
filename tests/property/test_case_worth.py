"""What `grader diff` says that cases are worth adds up to the mark that they were given."""

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.marking.questions import question_result
from grader.marking.rounding import parse_mark
from grader.model.results import CaseResult, Status, SubmissionResult
from grader.model.task import Award, Question
from grader.model.verdict import Verdict
from grader.reports.diff.case_value import CaseValue

# What a results file holds exactly; a score is one of those that `pace` can give.
WEIGHTS = st.integers(0, 40).map(lambda number: Fraction(number, 4))
SCORES = st.integers(0, 8).map(lambda number: Fraction(number, 8))
# Those that count in ways of their own; all others count as a wrong answer does.
VERDICTS = st.sampled_from(
    [Verdict.ACCEPTED, Verdict.PARTIAL, Verdict.WRONG_ANSWER, Verdict.SKIPPED, Verdict.INTERNAL_ERROR]
)
CASES = st.lists(
    st.builds(
        CaseResult,
        id=st.just(""),
        call=st.just("f()"),
        verdict=VERDICTS,
        score=SCORES,
        weight=WEIGHTS,
        group=st.sampled_from(["", "a", "b"]),
    ),
    max_size=6,
)


@settings(max_examples=400)
@given(st.sampled_from(Award), CASES, st.integers(0, 50))
def test_the_shares_of_a_questions_cases_are_its_share(
    award: Award, cases: list[CaseResult], marks: int
) -> None:
    numbered = [replace(case, id=f"1.{number}") for number, case in enumerate(cases, 1)]
    question = Question(id="1", title="", module="m", marks=Fraction(marks), award=award, cases=())
    given_mark = question_result(question, numbered)
    submission = SubmissionResult(
        id="student-01",
        name="student-01",
        status=Status.MARKED,
        mark=given_mark.mark,
        max_mark=question.marks,
        questions=(given_mark,),
    )
    (document,) = submission.questions
    worth = CaseValue(document)
    # A group counts once, however many cases it has; all of a question too, where all are needed.
    once = {
        "" if award is Award.ALL else (award is Award.GROUPS and case.group) or case.id: case
        for case in document.cases
    }
    total = sum((worth.fraction(case) for case in once.values()), Fraction(0))
    assert total * worth.max_mark == given_mark.mark
    assert parse_mark(document.max_mark) == marks

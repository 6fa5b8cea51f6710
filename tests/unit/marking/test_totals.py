"""The mark and the status of a submission."""

from fractions import Fraction

from grader.marking.totals import submission_result
from grader.model.results import CaseResult, QuestionResult, Status, SubmissionResult
from grader.model.submission import SourceFile, Submission
from grader.model.task import Rounding, RoundingMode, Task
from grader.model.verdict import Verdict

CENTS = Rounding()
FILES = {"m": SourceFile("m.py", "x = 1\n")}


def _question(mark: str, *verdicts: Verdict) -> QuestionResult:
    cases = tuple(CaseResult(id="1.1", call="f()", verdict=verdict) for verdict in verdicts)
    return QuestionResult(
        id="1",
        title="",
        mark=Fraction(mark),
        max_mark=Fraction(2),
        verdict=Verdict.ACCEPTED,
        award="all",
        cases=cases,
    )


def _result(
    *questions: QuestionResult, files: dict[str, SourceFile] = FILES, rounding: Rounding = CENTS
) -> SubmissionResult:
    task = Task(
        id="t", title="", marks=Fraction(5, 2), questions=(), modules=(("m", "m.py"),), rounding=rounding
    )
    submission = Submission(
        "s1", "Ada", files, problems=("a problem",), notes=("a note",), sha256="abc", content_sha256="def"
    )
    return submission_result(task, submission, questions)


def test_marks_are_summed_before_they_are_rounded() -> None:
    thirds = [_question("1/3", Verdict.ACCEPTED)] * 3
    assert _result(*thirds).mark == 1
    assert _result(*thirds[:2]).mark == Fraction("0.67")
    assert _result(*thirds[:2]).questions[0].mark == Fraction(1, 3)


def test_rounding_never_exceeds_the_maximum() -> None:
    up = Rounding(Fraction(1), RoundingMode.UP)
    assert _result(_question("5/2", Verdict.ACCEPTED), rounding=up).mark == Fraction(5, 2)


def test_an_internal_error_anywhere_makes_it_pending() -> None:
    assert _result(_question("1", Verdict.ACCEPTED, Verdict.WRONG_ANSWER)).status is Status.MARKED
    assert _result(_question("1", Verdict.ACCEPTED, Verdict.INTERNAL_ERROR)).status is Status.PENDING


def test_without_a_file_there_is_no_submission() -> None:
    result = _result(_question("0", Verdict.LOAD_ERROR), files={})
    assert (result.status, result.mark) == (Status.NO_SUBMISSION, Fraction(0))


def test_the_submission_itself_is_carried_over() -> None:
    result = _result()
    assert (result.id, result.name) == ("s1", "Ada")
    assert (result.sha256, result.content_sha256) == ("abc", "def")
    assert (result.problems, result.notes) == (("a problem",), ("a note",))
    assert (result.mark, result.max_mark, result.questions) == (Fraction(0), Fraction(5, 2), ())


def test_what_intake_mended_is_noted() -> None:
    files = {"work": SourceFile("work.py", "x = 1\n", ("read as latin-1",))}
    assert _result(files=files).notes == ("a note", "work.py: read as latin-1")

"""Judging what a call printed beside what it returned."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import answered, call_of, case_of, judged, raising, with_what

from grader.judge.judge import Expected
from grader.model.case import Case, Raises, Returns, SameAsReference, Step, Text, Whitespace
from grader.model.outcome import Answer, Returned
from grader.model.results import CaseResult, Difference
from grader.model.verdict import Verdict

BOARD = "  0 1\n0 K .\n1 . O\n"


def _printing(text: Text, **changes: object) -> Case:
    steps = (Step(call_of(3), prints=text, **{"expect": Returns(None), **changes}),)  # type: ignore[arg-type]
    return with_what(case_of(None), steps=steps)


def _judged(printed: str | None, text: Text = Text(BOARD), **changes: object) -> CaseResult:  # noqa: B008
    return judged(_printing(text, **changes), answered(Returned(None, printed=printed)))


def test_the_right_text_is_accepted_and_kept() -> None:
    result = _judged(BOARD)
    assert (result.verdict, result.score, result.printed) == (Verdict.ACCEPTED, 1, BOARD)
    assert result.expected_print == ""


def test_a_wrong_text_is_told_by_its_line() -> None:
    result = _judged("  0 1\n0 K . \n1 . O\n")
    assert (result.verdict, result.score) == (Verdict.WRONG_ANSWER, Fraction(0))
    assert result.difference == Difference("printed text, line 2, column 6", "0·K·.↵", "0·K·.·↵")
    assert result.message.startswith("printed text, line 2, column 6: expected 0·K·.↵, got 0·K·.·↵")
    assert (result.printed, result.expected_print) == ("  0 1\n0 K . \n1 . O\n", BOARD)


def test_blanks_can_be_let_pass() -> None:
    assert _judged("  0 1 \n0 K .\n1 . O", Text(BOARD, Whitespace.TRAILING)).verdict is Verdict.ACCEPTED
    assert _judged("0 1 0 K . 1 . O", Text(BOARD, Whitespace.ANY)).verdict is Verdict.ACCEPTED


def test_nothing_printed_is_said_so() -> None:
    assert _judged("").message == "nothing was printed; expected ··0·1↵ and so on"
    assert _judged("", Text("304\n")).message == "nothing was printed; expected 304↵"
    returned = judged(_printing(Text(BOARD), expect=None), answered(Returned(BOARD, printed="")))
    assert returned.message == "nothing was printed; the text was returned instead (print it)"


def test_a_wrong_answer_comes_before_a_wrong_text() -> None:
    result = judged(_printing(Text(BOARD)), answered(Returned(7, printed="x")))
    assert result.message == "expected None, got 7"
    assert (result.printed, result.expected_print) == ("x", BOARD)


def test_without_another_expectation_only_an_exception_is_wrong() -> None:
    case = _printing(Text(""), expect=None)
    assert judged(case, answered(Returned([1, 2], printed=""))).verdict is Verdict.ACCEPTED
    assert judged(case, answered(replace(raising("ValueError"), printed=""))).verdict is Verdict.EXCEPTION


def test_what_is_printed_before_an_exception_counts() -> None:
    case = _printing(Text("a\n"), expect=Raises("ValueError"))
    error = raising("ValueError")
    assert judged(case, answered(replace(error, printed="a\n"))).verdict is Verdict.ACCEPTED
    assert judged(case, answered(replace(error, printed="b\n"))).verdict is Verdict.WRONG_ANSWER


def test_without_the_text_there_is_no_pass() -> None:
    assert _judged(None).verdict is Verdict.CRASHED
    assert _judged(None, Text("")).verdict is Verdict.CRASHED


@pytest.mark.parametrize("expect", [None, SameAsReference()])
def test_the_reference_prints(expect: SameAsReference | None) -> None:
    case = _printing(Text(None), expect=expect)
    model: tuple[Answer, ...] = (Returned(None, printed="a\n"),)
    assert judged(case, answered(Returned(None, printed="a\n")), Expected(model)).verdict is Verdict.ACCEPTED
    wrong = judged(case, answered(Returned(None, printed="b\n")), Expected(model))
    assert (wrong.verdict, wrong.expected_print) == (Verdict.WRONG_ANSWER, "a\n")


@pytest.mark.parametrize("expected", [None, Expected(failure="reference: time"), Expected((Returned(None),))])
def test_a_reference_that_does_not_print_is_our_own_fault(expected: Expected | None) -> None:
    result = judged(_printing(Text(None), expect=None), answered(Returned(None, printed="")), expected)
    assert result.verdict is Verdict.INTERNAL_ERROR


def test_a_long_text_is_cut_for_the_results() -> None:
    result = _judged("x" * 100_000, Text("y"))
    assert len(result.printed) < 66_000
    assert result.printed.endswith("… 34464 more characters\n")

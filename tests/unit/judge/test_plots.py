"""How plots are judged, part by part."""

import pytest
from support.judge_sample import answered, call_of, case_of, judged, raising, returned

from grader.judge.finding import Expected
from grader.model.case import Case, Comparison, Plot
from grader.model.outcome import Returned
from grader.model.results import CaseResult
from grader.model.values import Opaque, Value
from grader.model.verdict import Verdict

LINE = [(0.0, 1.0), (1.0, 4.0)]
DRAWN = {"title": "T", "lines": [LINE], "points": [], "bars": [], "legend": [], "xlabel": "", "ylabel": ""}


def judged_plot(plot: Plot, drawn: Value, reference: Value = None) -> CaseResult:
    case: Case = case_of(None, call_of(3), plot=plot)
    expected = None if reference is None else Expected(answers=(Returned(reference),))
    return judged(case, returned(drawn), expected)


def plot(**parts: Value) -> Plot:
    return Plot((tuple(parts.items()),))


@pytest.mark.parametrize(
    ("wanted", "drawn", "message"),
    [
        (plot(title="T"), [DRAWN], ""),
        (plot(lines=[LINE]), [DRAWN], ""),
        (plot(lines=[[list(point) for point in LINE]]), [DRAWN], ""),
        (plot(title="t"), [DRAWN], "title: expected 't', got 'T'"),
        (plot(title="t"), [], "nothing was drawn; expected 1 plot"),
        (plot(title="t"), [DRAWN, DRAWN], "number of plots: expected 1 plot, got 2"),
        (plot(lines=[[(0.0, 1.0), (1.0, 5.0)]]), [DRAWN], "line 1, point 2, y: expected 5.0, got 4.0"),
        (plot(lines=[[(0.0, 1.0)]]), [DRAWN], "line 1, number of points: expected 1 item, got 2"),
        (plot(lines=[]), [DRAWN], "number of lines: expected 0, got 1"),
        (plot(legend=["a"]), [DRAWN], "legend, length: expected 1 item, got 0"),
        (Plot(((("title", "T"),), (("title", "U"),))), [DRAWN] * 2, "plot 2, title: expected 'U', got 'T'"),
    ],
)  # fmt: skip
def test_the_message_names_the_part(wanted: Plot, drawn: Value, message: str) -> None:
    result = judged_plot(wanted, drawn)
    assert result.message == message
    assert result.verdict is (Verdict.WRONG_ANSWER if message else Verdict.ACCEPTED)


def test_numbers_have_a_tolerance() -> None:
    near = Plot(((("xlim", (0.0, 1.0)),),), Comparison(any_sequence=True, python=True, abs=0.1))
    assert judged_plot(near, [{"xlim": (0.05, 1.0)}]).verdict is Verdict.ACCEPTED
    assert judged_plot(near, [{"xlim": (0.2, 1.0)}]).verdict is Verdict.WRONG_ANSWER


def test_the_reference_gives_parts_or_all() -> None:
    other = {**DRAWN, "title": "U"}
    assert judged_plot(Plot(None), [DRAWN], [DRAWN]).verdict is Verdict.ACCEPTED
    assert judged_plot(Plot(None), [DRAWN], [other]).message == "title: expected 'U', got 'T'"
    assert judged_plot(plot(lines=None), [DRAWN], [other]).verdict is Verdict.ACCEPTED


@pytest.mark.parametrize(
    ("wanted", "reference", "words"),
    [
        (Plot(None), [], "the reference draws nothing"),
        (Plot(None), 3, "the reference draws nothing that is known"),
        (Plot(((("title", None),), (("title", None),))), [DRAWN],
         "the spec has 2 plots, and the reference draws 1"),
        (plot(title=None), [{"title": Opaque("Odd", "")}],
         "the reference draws something that cannot be read"),
    ],
)  # fmt: skip
def test_a_reference_without_such_a_plot_is_our_fault(wanted: Plot, reference: Value, words: str) -> None:
    result = judged_plot(wanted, [DRAWN] * len(wanted.axes or (1,)), reference)
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert f"({words})" in result.message


@pytest.mark.parametrize("forged", [None, 3, "T", [3], [[DRAWN]], {"title": "T"}])
def test_a_forged_answer_is_none(forged: Value) -> None:
    assert judged_plot(plot(title="T"), forged).verdict is Verdict.CRASHED


@pytest.mark.parametrize("part", [None, Opaque("str", "T"), ["T"], 3])
def test_a_part_of_another_kind_differs(part: Value) -> None:
    assert judged_plot(plot(title="T"), [{"title": part}]).verdict is Verdict.WRONG_ANSWER
    assert judged_plot(plot(title="T"), [{}]).verdict is Verdict.WRONG_ANSWER
    assert judged_plot(plot(lines=[LINE]), [{"lines": part}]).verdict is Verdict.WRONG_ANSWER


def test_a_call_that_raises_draws_nothing() -> None:
    case = case_of(None, call_of(3), plot=plot(title="T"))
    assert judged(case, answered(raising("ValueError"))).verdict is Verdict.EXCEPTION


def test_a_minus_at_an_axis_is_that_of_a_keyboard_or_of_matplotlib() -> None:
    minus = "\N{MINUS SIGN}1"
    assert judged_plot(plot(xticks=["-1", "0"]), [{"xticks": [minus, "0"]}]).verdict is Verdict.ACCEPTED
    assert judged_plot(plot(yticks=[minus]), [{"yticks": ["-1"]}]).verdict is Verdict.ACCEPTED
    assert judged_plot(plot(xticks=["-1"]), [{"xticks": ["1"]}]).verdict is Verdict.WRONG_ANSWER

"""The order in which the cases of a submission run."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from grader.engine.submission.case_queue import CaseQueue
from grader.lab.turn import turns_of
from grader.model.case import Calls, Case, Pace, Visibility
from grader.model.limits import MIB, Limits
from grader.model.task import Award, Question, Task

PUBLIC, HIDDEN, LATER = Visibility.PUBLIC, Visibility.HIDDEN, Visibility.AFTER_DUE


def case(name: str, visibility: Visibility = PUBLIC, needs: tuple[str, ...] = (), **more: Any) -> Case:
    return replace(Case(id=name, text=name), visibility=visibility, needs=needs, **more)


def task(**cases_of_modules: list[Case]) -> Task:
    questions = tuple(
        Question(
            id=module, title=module, module=module, marks=Fraction(1), award=Award.EACH, cases=tuple(cases)
        )
        for module, cases in cases_of_modules.items()
    )
    modules = tuple((name, f"{name}.py") for name in cases_of_modules)
    return Task(id="t", title="T", marks=Fraction(1), questions=questions, modules=modules)


def order(of: Task) -> list[list[str]]:
    """Return the cases as they run, those together that are handed out together."""
    queue = CaseQueue(turns_of(of))
    found, key = [], None
    while turns := queue.take(key):
        key = turns[0].key
        assert {turn.key for turn in turns} == {key}
        found.append([turn.case.id for turn in turns])
    return found


def test_public_cases_run_first_and_hidden_ones_last() -> None:
    a = [case("a1"), case("a2", HIDDEN), case("a3", LATER), case("a4")]
    b = [case("b1", HIDDEN), case("b2")]
    assert order(task(a=a, b=b)) == [["a1", "a4"], ["b2"], ["a3"], ["a2"], ["b1"]]


def test_cases_of_one_box_run_together_whatever_stands_between_them() -> None:
    big = Limits(memory_b=64 * MIB)
    a = [case("a1"), case("a2", limits=big), case("a3")]
    assert order(task(a=a)) == [["a1", "a3"], ["a2"]]


def test_a_case_waits_for_those_that_it_needs_also_in_other_modules() -> None:
    a = [case("a1", needs=("b1",)), case("a2"), case("a3", needs=("a2",))]
    b = [case("b1", needs=("a3",)), case("b2")]
    assert order(task(a=a, b=b)) == [["a2"], ["a3"], ["b1", "b2"], ["a1"]]


def test_needs_that_can_never_be_settled_stop_nothing() -> None:
    a = [case("a1", needs=("a2",)), case("a2", needs=("a1",)), case("a3")]
    assert sorted(name for names in order(task(a=a)) for name in names) == ["a1", "a2", "a3"]
    assert order(task(a=[case("a1", needs=("a2",)), case("a2", HIDDEN)])) == [["a1"], ["a2"]]


def test_a_need_changes_no_order_where_what_it_needs_stands_before() -> None:
    """The order decides about marks: cases after a timeout are skipped."""
    a = [case("a1"), case("a2", needs=("a1",)), case("a3"), case("a4", needs=("a1",)), case("a5")]
    assert order(task(a=a)) == [["a1"], ["a2", "a3", "a4", "a5"]]
    assert order(task(a=[case("a1", needs=("a3",)), case("a2"), case("a3")])) == [["a2", "a3"], ["a1"]]


def test_a_case_that_waits_for_another_box_does_not_lose_its_place() -> None:
    a = [case("a1"), case("a2", needs=("b1",)), case("a3")]
    assert order(task(a=a, b=[case("b1"), case("b2")])) == [["a1"], ["b1", "b2"], ["a2", "a3"]]


def test_a_case_whose_time_is_compared_stands_alone() -> None:
    pace = Pace(full=Fraction(2), none=Fraction(4), steps=1, rounds=1, floor_s=0.1)
    paced = Calls(pace=pace)
    a = [case("a1", what=paced), case("a2"), case("a3", what=paced)]
    assert order(task(a=a)) == [["a1"], ["a2"], ["a3"]]


@pytest.mark.parametrize("done", [(), ("a1",), ("a1", "a2", "a3")])
def test_what_is_settled_does_not_run(done: tuple[str, ...]) -> None:
    queue = CaseQueue(turns_of(task(a=[case("a1"), case("a2", needs=("a1",)), case("a3")])), done)
    taken: list[str] = []
    while turns := queue.take(None):
        taken += [turn.case.id for turn in turns]
    assert sorted(taken) == sorted({"a1", "a2", "a3"} - set(done))

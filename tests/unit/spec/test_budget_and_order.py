"""The budget of a submission, and the order in which cases run, as a spec states them."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

CASE = "- {call: 'is_legal(8, [], (3, 4))', returns: true}\n"


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("", (60.0, 120.0)),
        ("limits: {time: 30s}", (90.0, 180.0)),
        ("budget: 2min", (120.0, 240.0)),
        ("budget: {time: 10s}", (10.0, 20.0)),
        ("budget: {wall: 5s}", (60.0, 5.0)),
        ("budget: {time: 1min, wall: 5min}", (60.0, 300.0)),
    ],
)
def test_the_budget_of_a_submission(spec: "SmallSpec", stated: str, found: tuple[float, float]) -> None:
    task = spec.load(CASE, head=stated)
    assert (task.budget_s, task.budget_wall_s) == found


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("budget: soon", "`budget` must be a duration such as 2min, or a mapping {time: 2min, wall: 5min}"),
        ("budget: 0s", "`budget` must be greater than 0"),
        ("budget: {time: 0s}", "`time` must be greater than 0"),
        ("budget: {cpu: 1s}", "`cpu` is not a key of a budget"),
        ("budget: [1s]", "`budget` must be a duration such as 2min, or a mapping {time: 2min, wall: 5min}"),
        ("budget: 1s", "the time limit of 2 s can't be reached: the budget of a submission is 1 s"),
    ],
)
def test_a_budget_that_makes_no_sense(spec: "SmallSpec", stated: str, message: str) -> None:
    assert message in "\n".join(spec.messages(CASE, head=stated))


HIDDEN = "- {call: 'is_legal(8, [], (3, 4))', returns: true, visibility: hidden}\n"
LATER = "- {call: 'is_legal(8, [], (3, 4))', returns: true, visibility: after-due}\n"


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        (
            CASE.replace("true", "true, needs: '1.2'") + HIDDEN,
            "a case that is public can't need `1.2`, which is hidden",
        ),
        (
            CASE.replace("true", "true, needs: '1.2'") + LATER,
            "a case that is public can't need `1.2`, which is after-due",
        ),
        (
            LATER.replace("true", "true, needs: '1.2'") + HIDDEN,
            "a case that is after-due can't need `1.2`, which is hidden",
        ),
    ],
)
def test_a_case_cannot_need_one_that_runs_later(spec: "SmallSpec", cases: str, message: str) -> None:
    assert spec.messages(cases) == [message]


def test_a_hidden_case_can_need_a_public_one(spec: "SmallSpec") -> None:
    cases = HIDDEN.replace("true", "true, needs: '1.2'") + CASE
    assert [case.needs for case in spec.load(cases).cases] == [("1.2",), ()]

"""Head-room: limits near to and far from what the reference needs."""

import pytest
from support.validating import LARGEST, task_of

from grader.model.limits import MIB
from grader.model.validation import Gravity
from grader.plugins.validate.checks.limits import head_room, needs_of


def facts(**changes):
    return {"cpu_s": 0.01, "wall_s": 0.01, "peak_rss_b": 12 * MIB, "output_b": 0, **changes}


def rooms(tmp_path, **changes):
    questions = LARGEST.replace("marks: 1", "marks: 2")
    task = task_of(tmp_path, questions=questions, wrong={}, expected="")
    needs = {case.id: facts() for case in task.cases}
    needs["largest.2"] = facts(**changes)
    return list(head_room(task, needs_of([needs])))


def test_usual_needs_are_fine(tmp_path) -> None:
    assert rooms(tmp_path) == []


@pytest.mark.parametrize(
    ("changes", "resource", "proposed"),
    [
        ({"cpu_s": 2.5}, "time", "{time: 15s}"),
        ({"cpu_s": 0.1, "wall_s": 8.0}, "wall", "{wall: 45s}"),
        ({"peak_rss_b": 300 * MIB}, "memory", "{memory: 2GiB}"),
        ({"output_b": MIB // 2}, "output", "{output: 4MiB}"),
    ],
)
def test_a_near_limit_is_told_with_a_proposal(tmp_path, changes, resource, proposed) -> None:
    (remark,) = rooms(tmp_path, **changes)
    assert (remark.gravity, remark.case) == (Gravity.ODD, "largest.2")
    assert f"the {resource} limit" in remark.text
    assert remark.hint == f"limits: {proposed}"


def test_a_limit_that_is_far_too_large_is_a_note(tmp_path) -> None:
    questions = LARGEST.replace("marks: 1", "marks: 2").replace("null}", "null, limits: {time: 60s}}")
    task = task_of(tmp_path, questions=questions, wrong={}, expected="")
    (remark,) = head_room(task, needs_of([{case.id: facts() for case in task.cases}]))
    assert (remark.gravity, remark.case) == (Gravity.NOTE, "largest.2")
    assert "600 times" in remark.text


def test_the_slowest_right_program_counts(tmp_path) -> None:
    reference = {"a.1": facts(), "a.2": facts()}
    needs = needs_of([reference, {"a.1": facts(cpu_s=3.0, wall_s=9.0), "b.1": facts()}])
    assert {case: (need["cpu_s"], need["waited_s"]) for case, need in needs.items()} == {
        "a.1": (3.0, 0.0),
        "a.2": (0.01, 0.0),
    }

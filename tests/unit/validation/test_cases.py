"""Cases that nothing fails, and cases that nothing needs."""

from support.validating import task_of

from grader.model.validation import Gravity
from grader.plugins.validate.checks.cases import failures_of, least_cases, never_failed, unneeded


def failures(task, **by_case):
    """Return what fails each case of `largest`, by the case's number."""
    empty: dict[str, dict[str, set[str]]] = {
        question.id: {case.id: set() for case in question.cases} for question in task.questions
    }
    for number, names in by_case.items():
        empty["largest"][f"largest.{number.removeprefix('c')}"] = set(names.split())
    return empty


def test_a_case_that_nothing_fails_is_told(tmp_path) -> None:
    task = task_of(tmp_path)
    every = {question.id: {case.id: {"empty"} for case in question.cases} for question in task.questions}
    assert list(never_failed(task, [every], 150, are_few=False)) == []
    every["largest"]["largest.3"] = set()
    (remark,) = never_failed(task, [every], 150, are_few=False)
    assert (remark.case, remark.gravity) == ("largest.3", Gravity.FAULT)
    assert "nor one of 150 mutants" in remark.text
    assert list(never_failed(task, [every, failures(task, c3="m")], 150, are_few=False)) == []


def test_where_few_mutants_were_tried_it_is_a_note(tmp_path) -> None:
    task = task_of(tmp_path)
    every = {question.id: {case.id: {"empty"} for case in question.cases} for question in task.questions}
    every["largest"]["largest.3"] = set()
    (remark,) = never_failed(task, [every], 10, are_few=True)
    assert (remark.gravity, remark.hint.partition(";")[0]) == (
        Gravity.NOTE,
        "try more mutants, by --mutants",
    )


def test_few_cases_that_catch_everything_are_chosen(tmp_path) -> None:
    task = task_of(tmp_path)
    found = failures(task, c1="a b empty", c2="b c empty", c3="c d empty", c4="empty")
    assert least_cases(task.questions[0], found["largest"], {"empty"}) == ["largest.1", "largest.3"]


def test_the_others_are_named_in_a_note(tmp_path) -> None:
    task = task_of(tmp_path)
    (remark,) = unneeded(task, failures(task, c1="a b", c2="b c", c3="c d"), set())
    assert remark.question == "largest"
    assert "2 of 7 cases" in remark.text
    assert "these do not need largest.2, largest.4" in remark.text


def test_a_question_that_needs_all_its_cases_has_no_note(tmp_path) -> None:
    task = task_of(tmp_path)
    assert (
        list(unneeded(task, failures(task, c1="a", c2="b", c3="c", c4="d", c5="e", c6="f", c7="g"), set()))
        == []
    )


def test_what_fails_a_case_is_gathered_from_programs_and_mutants(tmp_path) -> None:
    task = task_of(tmp_path)
    cases = {case.id: {"verdict": "accepted"} for case in task.cases}
    right = {"cases": {"largest.1": {"verdict": "accepted"}}}  # the other cases were left out
    wrong = {"cases": cases | {"largest.2": {"verdict": "exception"}, "largest.3": {"verdict": "skipped"}}}
    found = failures_of(task, {"right": right, "wrong": wrong}, {"largest": {"m": ["largest.1"]}})
    failing = {case: names for case, names in found["largest"].items() if names}
    assert failing == {"largest.1": {"m"}, "largest.2": {"wrong"}}

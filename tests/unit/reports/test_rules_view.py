"""Rules on source in the results file, in a student's view, on pages and in the terminal."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from support.results_sample import RUN, TASK, as_json, case, question

from grader.model.case import Visibility
from grader.model.results import (
    RuleEffect,
    RuleFinding,
    RuleResult,
    RunResults,
    Status,
    SubmissionResult,
    TaskHead,
)
from grader.model.verdict import Verdict
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student
from grader.reports.views.case.rules import rules_view
from grader.reports.views.submission.submission import submission_view
from grader.store.reading import read_results
from grader.store.results_json import submission_of, write_results

FOUND = RuleFinding("knight.py", 12, "`walk` calls itself", "return walk(n - 1)")
WHOLE = RuleFinding("knight.py", 0, "`while` is missing")


def submission(*findings: RuleFinding, **fields: object) -> SubmissionResult:
    settled: dict[str, object] = {"rule": "no recursion", "effect": RuleEffect.TOLD, "findings": findings}
    rule = RuleResult(**settled | fields)  # type: ignore[arg-type]
    return _result(rule)


def _result(*rules: RuleResult) -> SubmissionResult:
    broken = case("1.1", "no recursion", Verdict.RULE_BROKEN, findings=(FOUND, WHOLE), message="told")
    unseen = {"visibility": Visibility.HIDDEN, "message": "told"}
    hidden = case("1.2", "no globals", Verdict.RULE_BROKEN, findings=(FOUND,), **unseen)
    return SubmissionResult(
        id="student-01",
        name="student-01",
        mark=Fraction(0),
        max_mark=Fraction(1),
        status=Status.MARKED,
        questions=(question("1", 0, broken, hidden),),
        rules=rules,
    )


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    rule = RuleResult(rule="no recursion", effect=RuleEffect.PENALTY, findings=(FOUND,), hint="H", note="N")
    path = tmp_path / "results.json"
    document = RunResults(RUN, TASK, [_result(rule)])
    write_results(path, document)
    read = read_results(path)
    assert list(read.submissions) == list(document.submissions)
    (back,) = read.submissions
    assert as_json(back)["rules"] == [
        {
            "rule": "no recursion",
            "broken": True,
            "effect": "penalty",
            "findings": [
                {"file": "knight.py", "line": 12, "message": FOUND.message, "excerpt": FOUND.excerpt}
            ],
            "hint": "H",
            "note": "N",
        }
    ]


def test_findings_of_a_hidden_case_stay_with_the_staff() -> None:
    shown, hidden = for_student(submission(FOUND)).questions[0].cases
    assert shown.findings == (FOUND, WHOLE)
    assert hidden.findings is None


def test_a_student_sees_the_rules_of_the_task() -> None:
    assert for_student(submission(FOUND)).rules == submission(FOUND).rules


def test_keys_that_a_later_version_adds_stay_with_the_staff() -> None:
    plain = as_json(submission(FOUND))
    plain["rules"][0]["secret"] = plain["rules"][0]["findings"][0]["secret"] = "x"
    assert "secret" not in repr(for_student(submission_of(json.dumps(plain))))


@pytest.mark.parametrize(
    ("fields", "word", "effect"),
    [
        ({"findings": ()}, "rule kept", ""),
        ({"findings": (), "note": "there is no knight.py"}, "rule not checked everywhere", ""),
        ({"effect": RuleEffect.TOLD}, "rule broken", "This costs nothing."),
        ({"effect": RuleEffect.PENALTY}, "rule broken", "This costs marks, see how the mark comes about."),
        ({"effect": RuleEffect.REJECTED}, "rule broken", "A submission that breaks this rule is not marked."),
    ],
)
def test_each_rule_says_what_came_of_it(fields: dict[str, object], word: str, effect: str) -> None:
    (view,) = rules_view(submission(**{"findings": (FOUND,), "hint": "H"} | fields))  # type: ignore[arg-type]
    assert (f"rule {view.word}", view.effect) == (word, effect)
    assert view.hint == ("H" if view.findings.found else "")


def test_places_are_told_with_line_and_excerpt() -> None:
    (view,) = rules_view(submission(FOUND, WHOLE))
    assert view.findings.found == (
        ("knight.py, line 12", "`walk` calls itself", "return walk(n - 1)", ""),
        ("knight.py", "`while` is missing", "", ""),
    )


def test_of_many_places_some_are_shown_and_the_rest_counted() -> None:
    (view,) = rules_view(submission(*[FOUND] * 45))
    assert (len(view.findings.found), view.findings.more) == (20, 25)


def test_a_case_shows_its_places_in_the_stead_of_its_message() -> None:
    (first, _) = submission_view(submission()).questions[0].cases
    assert [fact.label for fact in first.facts] == ["Rule", "Where"]


def test_the_terminal_shows_broken_rules_and_cases() -> None:
    task = TaskHead("t", "T", Fraction(1))
    told = to_text(check_lines(task, submission(FOUND, hint="Use a stack.")))
    assert "~ rule broken  no recursion" in told
    assert told.count("knight.py, line 12: `walk` calls itself") == 2
    assert told.count("return walk(n - 1)") == 2
    assert "Use a stack." in told


def test_the_terminal_does_not_tell_of_rules_that_are_kept() -> None:
    task = TaskHead("t", "T", Fraction(1))
    assert "rule kept" not in to_text(check_lines(task, submission()))

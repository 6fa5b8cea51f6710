"""What a student may see of a submission."""

import dataclasses
import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from support.results_sample import as_json, results

from grader.model.case import Visibility
from grader.model.results import (
    CaseResult,
    CriterionResult,
    RuleEffect,
    RuleFinding,
    RuleResult,
    SubmissionResult,
)
from grader.model.submission import Instead
from grader.model.verdict import Verdict
from grader.reports.views import audience
from grader.reports.views.audience import HIDDEN_CASE, REASON_WITHHELD, for_student
from grader.store.results_json import submission_of


def submission(index: int = 1) -> SubmissionResult:
    return list(results().submissions)[index]


def changed(original: SubmissionResult, case_id: str, **fields: Any) -> SubmissionResult:
    """Return the submission with other fields of one case."""

    def of(found: CaseResult) -> CaseResult:
        return replace(found, **fields) if found.id == case_id else found

    return replace(
        original,
        questions=tuple(replace(one, cases=tuple(map(of, one.cases))) for one in original.questions),
    )


def cases(of: SubmissionResult) -> dict[str, CaseResult]:
    return {case.id: case for question in of.questions for case in question.cases}


def test_a_public_case_is_shown_whole() -> None:
    original = submission()
    assert cases(for_student(original))["2.2"] == cases(original)["2.2"]


@pytest.mark.parametrize("case_id", ["3.2", "5.2"])
def test_of_a_hidden_case_only_its_number_verdict_and_weight_are_shown(case_id: str) -> None:
    shown = cases(for_student(submission()))[case_id]
    told = CaseResult(
        id=case_id,
        call=HIDDEN_CASE,
        verdict=Verdict.WRONG_ANSWER,
        visibility=Visibility.HIDDEN,
        score=Fraction(0),
        weight=Fraction(1),
        withheld=True,
    )
    assert shown == told


def test_the_name_of_a_hidden_case_is_its_number() -> None:
    named = changed(submission(), "3.2", id="3.board-of-one-square")
    assert "board-of-one-square" not in repr(for_student(named))
    assert cases(for_student(named))["3.2"].withheld


def test_after_release_only_what_waited_for_it_is_shown() -> None:
    original = submission()
    shown = cases(for_student(original, released=True))
    assert shown["5.2"] == cases(original)["5.2"]
    assert shown["3.2"].call == HIDDEN_CASE


def test_an_unknown_visibility_is_hidden() -> None:
    original = changed(submission(), "2.2", visibility="staff-only")
    assert cases(for_student(original, released=True))["2.2"].call == HIDDEN_CASE


def test_marks_and_verdicts_of_questions_stay() -> None:
    original, shown = submission(), for_student(submission())
    for before, after in zip(original.questions, shown.questions, strict=True):
        assert replace(before, cases=()) == replace(after, cases=())


FOR_THE_STAFF = {
    SubmissionResult: {"sha256", "person", "made", "aside"},
    CaseResult: {"near_limit", "picture_note", "checker_note", "withheld"},
    CriterionResult: {"given"},
    Instead: {"given_for", "state"},
}


@pytest.mark.parametrize("kind", audience._ALLOWED)
def test_each_field_is_for_students_or_for_the_staff(kind: type) -> None:
    """Fails for a new field, so that its author decides who may see it."""
    names = {field.name for field in dataclasses.fields(kind)}
    assert names - set(audience._ALLOWED[kind]) == FOR_THE_STAFF.get(kind, set())


def test_a_field_that_is_not_named_stays_with_the_staff(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = RuleResult(
        rule="r", effect=RuleEffect.TOLD, findings=(RuleFinding("f", 1, "m", "CANARY"),), hint="CANARY"
    )
    original = replace(changed(submission(), "2.2", hint="CANARY"), notes=("CANARY",), rules=(rule,))
    assert repr(for_student(original)).count("CANARY") == 4
    named = {kind: set(names) - {"hint", "notes", "excerpt"} for kind, names in audience._ALLOWED.items()}
    monkeypatch.setattr(audience, "_ALLOWED", named)
    assert "CANARY" not in repr(for_student(original))


def test_a_key_of_a_file_that_is_not_known_stays_with_the_staff() -> None:
    plain = as_json(submission())
    plain["remark"] = plain["questions"][0]["remark"] = "CANARY"
    plain["questions"][0]["cases"][0]["remark"] = "CANARY"
    assert "CANARY" not in repr(for_student(submission_of(json.dumps(plain))))


@pytest.mark.parametrize(
    "message",
    [
        "Skipped: count_tours(6, [(0, 0)]) was not accepted.",
        "Skipped: needs `count_tours(6, [(0, …`.",
    ],
)
def test_the_reason_of_a_skip_does_not_quote_a_hidden_call(message: str) -> None:
    original = changed(submission(), "3.3", message=message)
    assert cases(for_student(original))["3.3"].message == REASON_WITHHELD


def test_the_reason_of_a_skip_may_name_a_hidden_case_by_its_id() -> None:
    original = changed(submission(), "3.3", message="Skipped: 3.2 was not accepted.")
    assert cases(for_student(original))["3.3"].message == "Skipped: 3.2 was not accepted."


def test_the_results_stay_as_they_were() -> None:
    original = submission()
    for_student(original)
    assert original == submission()

"""What a student may see of a submission."""

import json
from typing import Any

import pytest
from support.results_sample import document

from grader.reports.views.audience import HIDDEN_CASE, REASON_WITHHELD, for_student
from grader.store.document_types import CaseDocument, SubmissionDocument


def submission(index: int = 1) -> SubmissionDocument:
    found: SubmissionDocument = json.loads(json.dumps(list(document()["submissions"])[index]))
    return found


def cases(of: SubmissionDocument) -> dict[str, CaseDocument]:
    return {case["id"]: case for question in of["questions"] for case in question["cases"]}


def test_a_public_case_is_shown_whole() -> None:
    original = submission()
    assert cases(for_student(original))["2.2"] == cases(original)["2.2"]


@pytest.mark.parametrize("case_id", ["3.2", "5.2"])
def test_of_a_hidden_case_only_its_id_verdict_and_weight_are_shown(case_id: str) -> None:
    shown: dict[str, Any] = dict(cases(for_student(submission()))[case_id])
    told = {key: value for key, value in shown.items() if value not in ("", None, 0)}
    assert told == {
        "id": case_id,
        "call": HIDDEN_CASE,
        "verdict": "wrong-answer",
        "visibility": "hidden",
        "score": "0",
        "weight": "1",
        "withheld": True,
    }


def test_after_release_only_what_waited_for_it_is_shown() -> None:
    original = submission()
    shown = cases(for_student(original, released=True))
    assert shown["5.2"] == cases(original)["5.2"]
    assert shown["3.2"]["call"] == HIDDEN_CASE


def test_an_unknown_visibility_is_hidden() -> None:
    original = submission()
    cases(original)["2.2"]["visibility"] = "staff-only"
    assert cases(for_student(original, released=True))["2.2"]["call"] == HIDDEN_CASE


def test_marks_and_verdicts_of_questions_stay() -> None:
    original, shown = submission(), for_student(submission())
    for before, after in zip(original["questions"], shown["questions"], strict=True):
        assert {**before, "cases": 0} == {**after, "cases": 0}


def test_a_key_that_nobody_named_stays_with_the_staff() -> None:
    original: Any = submission()
    original["remark"] = original["questions"][0]["remark"] = "CANARY"
    original["questions"][0]["cases"][0]["remark"] = "CANARY"
    assert "CANARY" not in json.dumps(for_student(original))


@pytest.mark.parametrize(
    "message",
    [
        "Skipped: count_tours(6, [(0, 0)]) was not accepted.",
        "Skipped: needs `count_tours(6, [(0, …`.",
    ],
)
def test_the_reason_of_a_skip_does_not_quote_a_hidden_call(message: str) -> None:
    original = submission()
    cases(original)["3.3"]["message"] = message
    assert cases(for_student(original))["3.3"]["message"] == REASON_WITHHELD


def test_the_reason_of_a_skip_may_name_a_hidden_case_by_its_id() -> None:
    original = submission()
    cases(original)["3.3"]["message"] = "Skipped: 3.2 was not accepted."
    assert cases(for_student(original))["3.3"]["message"] == "Skipped: 3.2 was not accepted."


def test_the_results_stay_as_they_were() -> None:
    original = submission()
    for_student(original)
    assert original == submission()

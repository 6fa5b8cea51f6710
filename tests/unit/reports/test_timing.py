"""Times beside the reference's: from the result to the file, the pages and the terminal."""

import json
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from support.results_sample import RUN, TASK, case, question, submissions

from grader.model.case import Visibility
from grader.model.results import SubmissionResult, Timing
from grader.model.verdict import Verdict
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student
from grader.reports.views.case import case_view
from grader.reports.views.timing import timing_sentence
from grader.store.document import submission_document, to_document
from grader.store.document_types import CaseDocument, TimingDocument

TIMING = Timing(
    reference_s=0.3105,
    submission_s=0.9377,
    ratio=3.01997,
    spread=0.0123,
    rounds=5,
    full=Fraction(2),
    none=Fraction(4),
)
SENTENCE = (
    "938 ms, 3.02 times the reference's 310 ms (the middle of 5 rounds, give or take 1.2 %): "
    "worth 0.5 of the case; all up to 2 times, nothing from 4 times on"
)


def timed(verdict: Verdict, score: Fraction, **fields: Any) -> SubmissionResult:
    """Return a submission with one timed case."""
    found = case("1.1", "work(9)", verdict, score=score, timing=TIMING, **fields)
    return replace(submissions()[0], questions=(question("1", score, found),))


def case_of(result: SubmissionResult) -> CaseDocument:
    return submission_document(result)["questions"][0]["cases"][0]


HALF = timed(Verdict.PARTIAL, Fraction(1, 2), message="right, but slow")


def test_the_file_holds_the_timing_and_meets_the_schema() -> None:
    assert case_of(HALF)["timing"] == {
        "reference_s": 0.3105,
        "submission_s": 0.9377,
        "ratio": 3.02,
        "spread": 0.0123,
        "rounds": 5,
        "full": "2",
        "none": "4",
    }
    schema = json.loads(files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8"))
    document = json.loads(json.dumps(to_document(RUN, TASK, [HALF])))
    jsonschema.Draft202012Validator(schema).validate(document)
    del document["submissions"][0]["questions"][0]["cases"][0]["timing"]["ratio"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(document)


def test_a_case_without_a_timing_has_no_such_key() -> None:
    assert "timing" not in case_of(submissions()[0])


@pytest.mark.parametrize(
    ("verdict", "score", "worth"),
    [
        ("accepted", "1", "worth all of the case"),
        ("partial", "2/3", "worth 2/3 of the case"),
        ("time-limit", "0", "worth nothing"),
    ],
)
def test_the_sentence_says_what_the_time_is_worth(verdict: str, score: str, worth: str) -> None:
    assert f": {worth}; " in timing_sentence(case_of(HALF)["timing"], verdict, score)


def test_a_single_round_has_no_neighbours() -> None:
    timing: TimingDocument = {**case_of(HALF)["timing"], "rounds": 1}
    assert "(1 round): worth" in timing_sentence(timing, "accepted", "1")


def test_page_and_terminal_show_the_sentence() -> None:
    facts = {fact.label: fact.content for fact in case_view(case_of(HALF)).facts}
    assert facts["Time"] == SENTENCE
    task = to_document(RUN, TASK, [])["task"]
    printed = "\n".join(str(line) for line in check_lines(task, submission_document(HALF)))
    assert "3.02 times the reference's" in printed


def test_of_a_hidden_case_students_see_no_times() -> None:
    hidden = timed(Verdict.PARTIAL, Fraction(1, 2), visibility=Visibility.HIDDEN)
    shown = for_student(submission_document(hidden))["questions"][0]["cases"][0]
    assert shown["score"] == "0.5"
    assert "timing" not in shown
    assert "3.0" not in json.dumps(shown)
    public = for_student(submission_document(HALF))["questions"][0]["cases"][0]
    assert public["timing"] == case_of(HALF)["timing"]

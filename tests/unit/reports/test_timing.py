"""Times beside the reference's: from the result to the file, the pages and the terminal."""

import json
from dataclasses import replace
from fractions import Fraction
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from support.results_sample import RUN, TASK, as_json, case, question, submissions

from grader.model.case import Visibility
from grader.model.results import CaseResult, RunResults, SubmissionResult, Timing
from grader.model.verdict import Verdict
from grader.reports.terminal.student import check_lines
from grader.reports.views.audience import for_student
from grader.reports.views.case.case import case_view
from grader.reports.views.case.times import timing_sentence

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


def case_of(result: SubmissionResult) -> CaseResult:
    return result.questions[0].cases[0]


HALF = timed(Verdict.PARTIAL, Fraction(1, 2), message="right, but slow")


def test_the_file_holds_the_timing_and_meets_the_schema() -> None:
    assert as_json(case_of(HALF))["timing"] == {
        "reference_s": 0.3105,
        "submission_s": 0.9377,
        "ratio": 3.02,
        "spread": 0.0123,
        "rounds": 5,
        "full": "2",
        "none": "4",
    }
    schema = json.loads(files("grader.store").joinpath("grader-results-1.schema.json").read_text("utf-8"))
    document = as_json(RunResults(RUN, TASK, [HALF]))
    jsonschema.Draft202012Validator(schema).validate(document)
    del document["submissions"][0]["questions"][0]["cases"][0]["timing"]["ratio"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(document)


def test_a_case_without_a_timing_has_no_such_key() -> None:
    assert "timing" not in as_json(case_of(submissions()[0]))


@pytest.mark.parametrize(
    ("verdict", "score", "worth"),
    [
        (Verdict.ACCEPTED, Fraction(1), "worth all of the case"),
        (Verdict.PARTIAL, Fraction(2, 3), "worth 2/3 of the case"),
        (Verdict.TIME_LIMIT, Fraction(0), "worth nothing"),
    ],
)
def test_the_sentence_says_what_the_time_is_worth(verdict: Verdict, score: Fraction, worth: str) -> None:
    assert f": {worth}; " in timing_sentence(TIMING, case_of(timed(verdict, score)))


def test_a_single_round_has_no_neighbours() -> None:
    assert "(1 round): worth" in timing_sentence(replace(TIMING, rounds=1), case_of(HALF))


def test_page_and_terminal_show_the_sentence() -> None:
    facts = {fact.label: fact.content for fact in case_view(case_of(HALF)).facts}
    assert facts["Time"] == SENTENCE
    task = RunResults(RUN, TASK, []).task
    printed = "\n".join(str(line) for line in check_lines(task, HALF))
    assert "3.02 times the reference's" in printed


def test_of_a_hidden_case_students_see_no_times() -> None:
    hidden = timed(Verdict.PARTIAL, Fraction(1, 2), visibility=Visibility.HIDDEN)
    shown = for_student(hidden).questions[0].cases[0]
    assert shown.score == Fraction(1, 2)
    assert shown.timing is None
    assert "3.0" not in repr(shown)
    public = for_student(HALF).questions[0].cases[0]
    assert public.timing == case_of(HALF).timing

"""Gradescope: `results.json` as its autograders write it, one for each student.

gradescope-autograders.readthedocs.io/en/latest/specs: `score` at the top counts whatever the tests' scores
add up to; a test's `visibility` is `visible`, `hidden`, `after_due_date` or `after_published`.  A hidden
test also hides the student's total until the grades are published.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.api.exports import (
    CaseResult,
    Format,
    Job,
    PageLanguage,
    QuestionResult,
    Status,
    SubmissionResult,
    Verdict,
    Visibility,
    case_view,
    fact_lines,
    feedback,
    json_number,
    replacing_tree,
    rows,
    say,
    speaking,
    to_text,
    verdict_wording,
    visible,
)

_VISIBLE = {Visibility.PUBLIC: "visible", Visibility.AFTER_DUE: "after_due_date"}
_LONGEST = 20_000


def write(job: Job) -> list[Path]:
    """Write a folder with a file for each student who handed in; without a score where it is pending."""
    wanted = {row.id for row in rows(job) if row.status != Status.NO_SUBMISSION or row.cell(job.zeros)}
    job.tell_of_release()

    def make(folder: Path) -> None:
        for submission in job.results.submissions:
            if submission.id in wanted:
                place = folder / submission.id
                place.mkdir()
                has_score = submission.status != Status.PENDING
                text = _text_of(submission, job.released, job.results.task.language, has_score=has_score)
                (place / "results.json").write_text(text, encoding="utf-8")

    return [replacing_tree(job.target, make)]


def results_text(
    submission: SubmissionResult, released: bool = False, language: str = PageLanguage.ENGLISH
) -> str:
    """Return the file for a student, in Gradescope's container; where the grader failed it has no score."""
    has_score = submission.status != Status.PENDING or bool(submission.awaiting)
    return _text_of(submission, released, language, has_score=has_score)


def _text_of(submission: SubmissionResult, released: bool, language: str, *, has_score: bool) -> str:
    with speaking(language):
        tests = list(_tests(submission.questions, released, has_score=has_score))
    found: dict[str, Any] = {
        "output": feedback(submission, released, language),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "visibility": "visible",
        "tests": tests,
    }
    if has_score:
        found = {"score": json_number(submission.mark), **found}
    return json.dumps(found, indent=1) + "\n"


def partial_text(questions: Sequence[QuestionResult], *, has_score: bool = True) -> str:
    """Return the file for a student whose marking has not ended; its score counts if Gradescope stops it now.

    questions: those of which all cases ran.  has_score: whether nothing can be taken off their marks; else
    there is no score, which Gradescope shows as a failure.
    """
    so_far = "Only the questions below count so far" if has_score else "There is no mark"
    found: dict[str, Any] = {
        "output": f"The marking did not end.  {so_far}; ask your instructor.",
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": list(_tests(questions, False, has_score=has_score)),
    }
    if has_score:
        found = {"score": json_number(sum((each.mark for each in questions), Fraction(0))), **found}
    return json.dumps(found, indent=1) + "\n"


def failed_text(reason: str) -> str:
    """Return the file where nothing could be marked: without a score, which Gradescope shows as a failure."""
    return json.dumps({"output": visible(reason), "output_format": "text", "tests": []}, indent=1) + "\n"


def _tests(
    questions: Iterable[QuestionResult], released: bool, *, has_score: bool
) -> Iterator[dict[str, Any]]:
    """Yield the questions, each with its cases.

    has_score: whether the file has one.  If not, no test has one: Gradescope would add them up to a mark.
    """
    for question in questions:
        marks = {"score": json_number(question.mark), "max_score": json_number(question.max_mark)}
        yield {
            "number": question.id,
            "name": visible(question.title or say("Question {id}", id=question.id), multiline=False),
            **(marks if has_score else {}),
            "output": visible(verdict_wording(question.verdict).word),
            "visibility": "visible",
        }
        for case in question.cases:
            yield _case(case, released)


def _case(case: CaseResult, released: bool) -> dict[str, Any]:
    """Return one case, whole: what a student does not see, Gradescope hides by its visibility."""
    visibility = _VISIBLE.get(case.visibility, "hidden")
    lines = (line for fact in case_view(case).facts for line in fact_lines(fact, 80))
    return {
        "number": case.id,
        "name": visible(case.call, multiline=False)[:200],
        "status": "passed" if case.verdict == Verdict.ACCEPTED else "failed",
        "output": f"{verdict_wording(case.verdict).word}\n{to_text(lines)}"[:_LONGEST],
        "visibility": "visible" if released and case.visibility == Visibility.AFTER_DUE else visibility,
    }


FORMAT = Format("results.json for each student", "gradescope", write)

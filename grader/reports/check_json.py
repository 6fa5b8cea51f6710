"""The form `grader-check/1`, which `grader check --json` writes; later versions only add to it."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from grader import __version__
from grader.model.results import SubmissionResult, TaskHead
from grader.model.verdict import Verdict
from grader.reports.views.audience import for_student
from grader.store.results_json import RESULTS, json_text

SCHEMA = "grader-check/1"


def check_json(
    task: TaskHead,
    result: SubmissionResult,
    *,
    is_part: bool,
    partial: Collection[str],
    by_people: Sequence[str],
    remarks: Sequence[str],
) -> str:
    """Return the result of a check as a line of JSON.

    is_part: marking has more cases.  partial: ids of the questions that have more.
    by_people: titles of the questions that a person marks.  remarks: what the check leaves open on its host.
    """
    verdicts = [case.verdict for case in result.cases]
    return json_text(
        {
            "schema": SCHEMA,
            "grader": __version__,
            "task": RESULTS.write(task),
            "all_accepted": all(verdict == Verdict.ACCEPTED for verdict in verdicts),
            "accepted": sum(verdict == Verdict.ACCEPTED for verdict in verdicts),
            "cases": len(verdicts),
            "public_cases_only": is_part,
            "questions_with_more_cases": sorted(partial),
            "marked_by_people": list(by_people),
            "remarks": list(remarks),
            # Who checks has the source.
            "submission": RESULTS.write(replace(for_student(result), sources=())),
        }
    )

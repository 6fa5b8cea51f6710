"""The marks of a run without its cases, which is all that a course needs of `results.json`."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from grader.marking.rounding import parse_mark
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.model.results import RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.store.reading import stream_results, texts


class QuestionMark(NamedTuple):
    """The mark of one question.  bonus: it comes on top of the task's marks."""

    id: str
    title: str
    mark: Fraction
    max_mark: Fraction
    bonus: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """One submission.  awaiting: criteria that a person has yet to mark; see `SubmissionResult`.

    set_to: the whole mark as a person set it; None where nobody did.  unloaded: some of it does not load.
    """

    id: str
    name: str
    mark: Fraction
    max_mark: Fraction
    status: Status
    person: Person | None
    late_s: int
    deadline: str
    submitted: str
    awaiting: int
    problems: tuple[str, ...]
    overridden: bool
    set_to: Fraction | None
    unloaded: bool
    questions: tuple[QuestionMark, ...]

    @property
    def is_set_to_zero(self) -> bool:
        """Tell whether a person set the mark to zero, whatever lateness would leave of it."""
        if self.set_to is not None:
            return self.set_to == 0
        return self.overridden and not any(each.mark for each in self.questions)


def summaries(path: Path) -> tuple[RunResults, Iterator[Summary]]:
    """Return the head of a results file, and its submissions.

    Raises `UsageError`, also while the submissions are read.
    """
    results = stream_results(path)
    return results, _each(path, results)


def _each(path: Path, results: RunResults) -> Iterator[Summary]:
    plain = plain_summaries(path, results)
    if plain is None:
        yield from map(summary_of, results.submissions)
    else:
        yield from (of_plain(each, questions_of(each["questions"])) for each in plain)


DAMAGED = (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError, RecursionError)
"""What `of_plain` and `questions_of` raise for values of another kind than a run writes."""


def plain_summaries(path: Path, results: RunResults) -> list[dict[str, Any]] | None:
    """Return each submission as `of_plain` and `questions_of` take it; None for a file of another layout.

    Raises `UsageError`.
    """
    if isinstance(results.submissions, list):
        return None
    found = []
    for number, text in enumerate(texts(results.submissions)):
        try:
            found.append(_without_cases(json.loads(text)))
            of_plain(found[-1], questions_of(found[-1]["questions"]))
        except DAMAGED:
            what = f"is damaged: submission {number + 1} has a value of another kind than a run writes"
            hint = "mark the submissions again, or take the file from a backup"
            raise UsageError(Fault(what, str(path), hint=hint)) from None
    return found


KEYS = (
    *("id", "name", "mark", "max_mark", "status", "person", "late_s", "deadline", "submitted", "awaiting"),
    *("problems", "overrides"),
)
"""The keys of a submission that a summary is made of, but for its questions and whether it loads."""
QUESTION_KEYS = ("id", "title", "mark", "max_mark", "bonus")


def _without_cases(plain: dict[str, Any]) -> dict[str, Any]:
    questions = [{key: each[key] for key in QUESTION_KEYS if key in each} for each in plain["questions"]]
    unloaded = any(
        case["verdict"] == Verdict.LOAD_ERROR for each in plain["questions"] for case in each["cases"]
    )
    kept = {key: plain[key] for key in KEYS if key in plain}
    return {**kept, "unloaded": unloaded, "questions": questions}


def questions_of(plain: list[dict[str, Any]]) -> tuple[QuestionMark, ...]:
    """Return the marks of a submission's questions."""
    return tuple(
        QuestionMark(
            str(each["id"]),
            str(each["title"]),
            parse_mark(each["mark"]),
            parse_mark(each["max_mark"]),
            bool(each.get("bonus", False)),
        )
        for each in plain
    )


def of_plain(plain: dict[str, Any], questions: tuple[QuestionMark, ...]) -> Summary:
    """Return the summary of a submission without its cases."""
    person = plain.get("person")
    return Summary(
        id=str(plain["id"]),
        name=str(plain["name"]),
        mark=parse_mark(plain["mark"]),
        max_mark=parse_mark(plain["max_mark"]),
        status=Status(plain["status"]),
        person=Person(**person) if person is not None else None,
        late_s=int(plain.get("late_s", 0)),
        deadline=str(plain.get("deadline", "")),
        submitted=str(plain.get("submitted", "")),
        awaiting=len(plain.get("awaiting", ())),
        problems=tuple(map(str, plain.get("problems", ()))),
        overridden=bool(plain.get("overrides")),
        set_to=next(
            (Fraction(each["after"]) for each in plain.get("overrides", ()) if not each.get("question")), None
        ),
        questions=questions,
        unloaded=bool(plain["unloaded"]),
    )


def summary_of(result: SubmissionResult) -> Summary:
    return Summary(
        id=result.id,
        name=result.name,
        mark=result.mark,
        max_mark=result.max_mark,
        status=result.status,
        person=result.person,
        late_s=result.late_s,
        deadline=result.deadline,
        submitted=result.submitted,
        awaiting=len(result.awaiting),
        problems=result.problems,
        overridden=bool(result.overrides),
        set_to=next((each.after for each in result.overrides if not each.question), None),
        questions=tuple(
            QuestionMark(each.id, each.title, each.mark, each.max_mark, each.bonus)
            for each in result.questions
        ),
        unloaded=any(case.verdict is Verdict.LOAD_ERROR for case in result.cases),
    )

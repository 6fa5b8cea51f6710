"""Three submissions with penalties, overrides and criteria, for the tests of reports."""

from fractions import Fraction

from grader.model.results import (
    CaseResult,
    CriterionResult,
    Override,
    Penalty,
    QuestionResult,
    RunResults,
    Status,
    SubmissionResult,
    TaskHead,
)
from grader.model.verdict import Verdict
from support.results_sample import RUN

TASK = TaskHead(id="report", title="A report", max_mark=Fraction(10))


def _questions(first: int, *marks: int | None) -> tuple[QuestionResult, ...]:
    criteria = tuple(
        CriterionResult(
            id=f"2.{name}",
            title=name.title(),
            description="Look closely.",
            max_mark=Fraction(2),
            mark=None if mark is None else Fraction(mark),
            comment="" if mark is None else "<b>Well</b> done",
            by="" if mark is None else "A. Marker",
            date="" if mark is None else "2026-11-25",
        )
        for name, mark in zip(("form", "text"), marks, strict=True)
    )
    total = sum((one.mark for one in criteria if one.mark is not None), Fraction(0))
    case = CaseResult(id="1.1", call="f()", verdict=Verdict.ACCEPTED, score=Fraction(1))
    return (
        QuestionResult(
            id="1",
            title="Program",
            mark=Fraction(first),
            max_mark=Fraction(6),
            verdict=Verdict.ACCEPTED,
            award="all",
            cases=(case,),
        ),
        QuestionResult(
            id="2",
            title="Report",
            mark=total,
            max_mark=Fraction(4),
            verdict=Verdict.SKIPPED if None in marks else Verdict.PARTIAL,
            award="all",
            cases=(),
            criteria=criteria,
        ),
    )


def _submission(
    name: str, mark: str, questions: tuple[QuestionResult, ...], **more: object
) -> SubmissionResult:
    return SubmissionResult(
        id=name,
        name=name,
        mark=Fraction(mark),
        max_mark=Fraction(10),
        questions=questions,
        deadline="2026-11-20T22:59:00Z",
        **more,  # type: ignore[arg-type]
    )


def people() -> RunResults:
    """Return a run: one late and marked, one that waits and whose time is unknown, one overridden."""
    late = _submission(
        "late",
        "7.65",
        _questions(6, 2, 1),
        status=Status.MARKED,
        penalties=(Penalty("handed in 1 hour after the deadline", Fraction(135, 100)),),
        submitted="2026-11-20T23:59:00Z",
        late_s=3600,
    )
    waiting = _submission("waiting", "7", _questions(6, 1, None), status=Status.PENDING, awaiting=("2.text",))
    changes = (
        Override(question="1", before=Fraction(6), after=Fraction(5), reason="copied", by="A. Marker"),
        Override(
            question="", before=Fraction(8), after=Fraction(9), reason="oral", by="B", date="2026-11-26"
        ),
    )
    set_by_hand = _submission(
        "set",
        "9",
        _questions(5, 2, 1),
        status=Status.MARKED,
        overrides=changes,
        submitted="2026-11-20T20:00:00Z",
    )
    return RunResults(RUN, TASK, [late, set_by_hand, waiting])

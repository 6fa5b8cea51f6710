"""Questions and cases as decoded, before the checks that need to see all of them."""

from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Case
from grader.model.task import Award, Criterion
from grader.yamlfile.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDraft:
    """A case.

    id: empty where it can't be told.
    span: where the case is named, or starts.
    needs: ids as written, with their places.
    group: as written; None without one.
    case: all but its needs; None where something of it was reported.
    """

    id: str
    span: Span
    needs: tuple[tuple[str, Span], ...]
    group: str | None
    group_span: Span
    case: Case | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question; what is None was reported or is missing."""

    id: str
    span: Span
    title: str | None
    module: str | None
    marks: Fraction | None
    marks_span: Span
    award: Award
    award_span: Span
    cases: tuple[CaseDraft, ...]
    criteria: tuple[Criterion, ...] = ()
    beside: tuple[str, ...] = ()

"""Drafts of questions and cases, for the checks that need all of them."""

from dataclasses import dataclass
from fractions import Fraction

from grader.model.case import Case
from grader.model.policy import Group
from grader.model.task import Award, Criterion
from grader.spec.places import CasePlaces
from grader.yamlfile.source import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDraft:
    """A case.

    id: empty if it was reported.
    span: the place of its name, or of its start.
    needs: ids as written, with their places.
    group: as written; None for a case without a group.
    case: the case without its needs; None if a part was reported.
    places: for mistakes that are found later.
    entry: the id of the entry of the spec that it comes from, where that states several cases.
    """

    id: str
    span: Span
    needs: tuple[tuple[str, Span], ...]
    group: str | None
    group_span: Span
    case: Case | None
    places: CasePlaces
    entry: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDraft:
    """A question; a None was reported or is missing.

    stopping: the groups that stop at their first failure.
    """

    id: str
    span: Span
    title: str | None
    module: str | None
    marks: Fraction | None
    award: Award
    cases: tuple[CaseDraft, ...]
    criteria: tuple[Criterion, ...] = ()
    groups: tuple[Group, ...] = ()
    stop_after: int | None = None
    bonus: bool = False
    beside: tuple[str, ...] = ()
    stopping: tuple[str, ...] = ()

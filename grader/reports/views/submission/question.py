"""One question as a page shows it: its mark, and its cases, failed ones first, those of a cause together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from grader.model.results import CaseResult, CriterionResult, QuestionResult
from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.views.case.case import CaseView, case_view
from grader.reports.views.case.causes import Key, grouped, shared_words
from grader.reports.views.case.source import NO_LINES, Lines, SaidView
from grader.reports.views.mark.mark_breakdown import SO_FAR
from grader.reports.views.mark.policy import GroupView, groups_view
from grader.reports.views.wording import (
    TONE_SYMBOLS,
    Wording,
    accepted_of,
    award_sentence,
    counted,
    question_wording,
    share_tone,
    short_number,
    verdict_wording,
)
from grader.reports.words import many, say, word

AWAITING = word("awaiting the marker")

_SAME_CAUSE = frozenset({Verdict.LOAD_ERROR, Verdict.MISSING, Verdict.SKIPPED, Verdict.INTERNAL_ERROR})
"""Verdicts that one cause often gives to many cases; the terminal explains the cause once."""

_OPEN = 3
"""The most causes of a question whose first case stands open."""
_ROWS = 3
"""The most further cases of a cause that have a row of their own; more are behind their count."""
_NAMED = 12
"""The most cases named by their ids in one row."""


@dataclass(frozen=True, slots=True)
class CriterionView:
    """One criterion.  mark: a short number, or "awaiting the marker".  by: a person and a date."""

    id: str
    title: str
    description: str
    mark: str
    max_mark: str
    tone: Tone
    comment: str
    by: str


class PartView(NamedTuple):
    """Some cases of a question that stand together on a page.

    wording: of their verdict.
    title: what they share; empty where each speaks for itself.
    shown: cases with a row in view; `opens`: the first one stands open.
    more: words for the cases without a row; empty for none.  rest: those of them that the reader may see.
    ids: names of cases, where nothing more of them is shown.
    """

    wording: Wording
    title: str = ""
    shown: tuple[CaseView, ...] = ()
    opens: bool = False
    more: str = ""
    rest: tuple[CaseView, ...] = ()
    ids: str = ""


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question.

    number: its place in the task, from 1.
    mark: a short number, or "pending", or with "so far" where a person has yet to mark some of it.
    tenths: the share of the mark that was earned, in tenths; a share above zero is at least one.
    loses: it has less than its whole mark, and nobody has yet to decide.  waits: somebody has.
    stopped: none of its cases could run, since a module does not load; the page says that at its top.
    cases: in the order of the task.  parts: the same, as a page shows them.
    said: what people wrote about it.
    """

    id: str
    title: str
    mark: str
    max_mark: str
    tone: Tone
    tenths: int
    wording: Wording
    award: str
    count: str
    cases: tuple[CaseView, ...]
    number: int = 0
    loses: bool = False
    waits: bool = False
    stopped: bool = False
    parts: tuple[PartView, ...] = ()
    criteria: tuple[CriterionView, ...] = ()
    groups: tuple[GroupView, ...] = ()
    bonus: bool = False
    said: tuple[SaidView, ...] = ()


class ExplainedCauses:
    """The causes that a page has explained already; it explains none twice."""

    def __init__(self) -> None:
        self.messages: set[tuple[str, str]] = set()
        self.causes: set[Key] = set()


def question_view(
    question: QuestionResult,
    told: ExplainedCauses,
    staff: bool,
    number: int = 0,
    lines: Lines = NO_LINES,
    *,
    by_hand: bool = False,
) -> QuestionView:
    """Return the view of a question; `told` learns the causes that it explains.

    lines: of the page.  by_hand: a person set its mark, so nothing of it is open.
    """
    if question.criteria:
        return _for_people(question, number, by_hand)
    mark, maximum = question.mark, question.max_mark
    is_pending = question.verdict == Verdict.INTERNAL_ERROR and not by_hand
    cases = question.cases
    accepted = sum(case.verdict == Verdict.ACCEPTED for case in cases)
    views = [
        case_view(case, folded=folded, staff=staff, lines=lines)
        for case, folded in zip(cases, _folded(question, told), strict=True)
    ]
    loses = mark < maximum and not is_pending
    return QuestionView(
        id=question.id,
        title=question.title,
        mark=say("pending") if is_pending else short_number(mark),
        max_mark=short_number(maximum),
        tone=Tone.OURS if is_pending else share_tone(mark, maximum),
        tenths=tenths(mark, maximum),
        wording=question_wording(question),
        award=award_sentence(question.award) if len(cases) > 1 and not question.groups else "",
        count=accepted_of(accepted, len(cases)),
        cases=tuple(views),
        number=number,
        loses=loses,
        waits=is_pending,
        stopped=bool(cases) and len(blocked(cases)) == len(cases),
        parts=tuple(_parts(cases, views, told, staff, opens=loses or is_pending)),
        groups=groups_view(question),
        bonus=question.bonus,
    )


def _for_people(question: QuestionResult, number: int, by_hand: bool) -> QuestionView:
    criteria = question.criteria
    mark, maximum = question.mark, question.max_mark
    marked = sum(criterion.mark is not None for criterion in criteria)
    waits = marked < len(criteria) and not by_hand
    tone = Tone.IDLE if waits else share_tone(mark, maximum)
    shown = short_number(mark)
    return QuestionView(
        id=question.id,
        title=question.title,
        mark=f"{shown} {say(SO_FAR)}" if waits else shown,
        max_mark=short_number(maximum),
        tone=tone,
        tenths=tenths(mark, maximum),
        wording=Wording(say(AWAITING) if waits else say("marked by hand"), TONE_SYMBOLS[tone], tone),
        award="",
        count=many(
            len(criteria),
            "{marked} of {n} criterion marked",
            "{marked} of {n} criteria marked",
            marked=marked,
        ),
        cases=(),
        number=number,
        loses=mark < maximum and not waits,
        waits=waits,
        criteria=tuple(_criterion_view(criterion, waits) for criterion in criteria),
        bonus=question.bonus,
    )


def _criterion_view(criterion: CriterionResult, waits: bool) -> CriterionView:
    mark = criterion.mark
    by = ", ".join(filter(None, (criterion.by, criterion.date)))
    if criterion.given:
        two = ", ".join(f"{one.role} {short_number(one.mark)} by {one.by}" for one in criterion.given)
        by = f"{by} ({two})" if by else two
    return CriterionView(
        id=criterion.id,
        title=criterion.title,
        description=criterion.description,
        mark=short_number(mark) if mark is not None else say(AWAITING) if waits else "—",
        max_mark=short_number(criterion.max_mark),
        tone=Tone.IDLE if mark is None else share_tone(mark, criterion.max_mark),
        comment=criterion.comment,
        by=by,
    )


def tenths(mark: Fraction, maximum: Fraction) -> int:
    """Return the length of a mark's bar in tenths; 0 and 10 mean exactly none and all."""
    if maximum <= 0 or mark >= maximum:
        return 10
    if mark <= 0:
        return 0
    return min(9, max(1, round(10 * mark / maximum)))


def _folded(question: QuestionResult, told: ExplainedCauses) -> list[bool]:
    folded = []
    for case in question.cases:
        verdict = case.verdict
        cause = (verdict, case.message)
        folded.append(verdict == Verdict.ACCEPTED or cause in told.messages)
        if verdict in _SAME_CAUSE:
            told.messages.add(cause)
    return folded


# -- the cases of a question, together ---------------------------------------------------------------


def blocked(cases: Iterable[CaseResult]) -> frozenset[int]:
    """Return the numbers, from 0, of the cases that could not run since a module does not load.

    A case that was skipped is one of them where nothing else failed.
    """
    failed = {n: case.verdict for n, case in enumerate(cases) if case.verdict != Verdict.ACCEPTED}
    if set(failed.values()) == {Verdict.LOAD_ERROR, Verdict.SKIPPED}:
        return frozenset(failed)
    return frozenset(n for n, verdict in failed.items() if verdict == Verdict.LOAD_ERROR)


def _parts(
    cases: Sequence[CaseResult], views: Sequence[CaseView], told: ExplainedCauses, staff: bool, *, opens: bool
) -> Iterable[PartView]:
    stopped = blocked(cases)
    visible = [
        (n, case)
        for n, case in enumerate(cases)
        if case.verdict != Verdict.ACCEPTED and n not in stopped and not case.withheld
    ]
    if stopped:
        yield _blocked_part([views[n] for n in sorted(stopped)], is_all=len(stopped) == len(cases))
    left = _OPEN if opens else 0
    for cause, numbers in grouped(visible):
        is_skipped = cases[numbers[0]].verdict == Verdict.SKIPPED
        explains = left > 0 and cause.key not in told.causes and not is_skipped
        left -= explains
        if cause.everywhere and explains:
            told.causes.add(cause.key)
        several = [cases[n] for n in numbers]
        title = shared_words(cause, several) if len(several) > 1 else ""
        yield _cause_part(title, [views[n] for n in numbers], explains)
    hidden = [
        view for n, view in enumerate(views) if view.withheld and view.tone != Tone.GOOD and n not in stopped
    ]
    if hidden:
        yield _hidden_part(hidden)
    near = [view for view in views if view.near and view.tone == Tone.GOOD] if staff else []
    if near:
        yield PartView(_wording(near[0]), shown=tuple(near))
    yield from _accepted([v for v in views if v.tone == Tone.GOOD and v not in near], rows=not visible)


def _blocked_part(views: Sequence[CaseView], *, is_all: bool) -> PartView:
    """Return the cases that could not run.  is_all: they are the whole question, which is closed itself."""
    seen = tuple(view for view in views if not view.withheld)
    hidden = len(views) - len(seen)
    if is_all:
        more = many(hidden, "{n} hidden case could not run either", "{n} hidden cases could not run either")
        return PartView(verdict_wording(Verdict.LOAD_ERROR), shown=seen, more=more if hidden else "")
    if hidden:
        words = many(
            len(views),
            "{n} case, {hidden} of them hidden, could not run: a module does not load",
            "{n} cases, {hidden} of them hidden, could not run: a module does not load",
            hidden=hidden,
        )
    else:
        words = many(
            len(views),
            "{n} case could not run: a module does not load",
            "{n} cases could not run: a module does not load",
        )
    return PartView(verdict_wording(Verdict.LOAD_ERROR), more=words, rest=seen)


def _hidden_part(views: Sequence[CaseView]) -> PartView:
    """Return one row for the failed cases that the student may not see."""
    words = Counter(view.word for view in views)
    told = ", ".join(f"{count} {each}" for each, count in words.items()) if len(words) > 1 else views[0].word
    worst = next((view for view in views if view.tone != Tone.IDLE), views[0])
    return PartView(_wording(worst), more=_several(counted(len(views), "hidden case"), told), ids=_ids(views))


def _cause_part(title: str, views: Sequence[CaseView], explains: bool) -> PartView:
    """Return cases of one cause: the first, and the others as rows, or behind their count if many."""
    wording = _wording(views[0])
    if explains and len(views) <= 1 + _ROWS:
        return PartView(wording, title, tuple(views), opens=True)
    if explains or len(views) == 1:
        others = len(views) - 1
        more = many(others, "{n} more case of this kind", "{n} more cases of this kind") if others else ""
        return PartView(wording, title, tuple(views[:1]), explains, more, tuple(views[1:]))
    more = title or _several(counted(len(views), "case"), wording.word)
    return PartView(wording, more=more, rest=tuple(views))


def _accepted(views: Sequence[CaseView], *, rows: bool) -> Iterable[PartView]:
    """Yield the accepted cases: rows where nothing else is to be seen, else one row for all of them."""
    if not views:
        return
    good = verdict_wording(Verdict.ACCEPTED)
    seen = tuple(view for view in views if not view.withheld)
    hidden = [view for view in views if view.withheld]
    if seen and (rows or len(seen) == 1):
        yield PartView(good, shown=seen)
    elif seen:
        yield PartView(good, more=many(len(seen), "{n} case accepted", "{n} cases accepted"), rest=seen)
    if hidden:
        more = many(len(hidden), "{n} hidden case accepted", "{n} hidden cases accepted")
        yield PartView(good, more=more, ids=_ids(hidden))


def _several(cases: str, words: str) -> str:
    return say("{cases}: {words}", cases=cases, words=words)


def _wording(view: CaseView) -> Wording:
    return Wording(view.word, view.symbol, Tone(view.tone))


def _ids(views: Sequence[CaseView]) -> str:
    named = ", ".join(view.id for view in views[:_NAMED])
    more = len(views) - _NAMED
    return say("{names} and {n} more", names=named, n=more) if more > 0 else named

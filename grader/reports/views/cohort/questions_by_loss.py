"""The questions of a cohort in words, with the figures of their cases; the one that costs the most first."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from grader.model.case import Visibility
from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.views.anchor import case_anchor
from grader.reports.views.cohort.case_figures import (
    LEAST_ON_A_SIDE,
    LEAST_STUDENTS,
    CaseFigures,
    Failure,
    Tally,
    Times,
)
from grader.reports.views.cohort.cohort import Cohort, QuestionFigures
from grader.reports.views.cohort.run_warnings import one_line
from grader.reports.views.submission.question import tenths
from grader.reports.views.wording import (
    counted,
    duration,
    share_tone,
    short_mean,
    short_number,
    verdict_wording,
)
from grader.reports.written_pages import STAFF_FOLDER, page_link

_MOST_ANSWERS = 3
_MOST_LINKS = 2
_ANSWER_LENGTH = 70
_CALL_LENGTH = 100

ABOUT_DISCRIMINATION = (
    "Discrimination is the correlation of passing a case with the marks in other questions, from -1 to 1. "
    "From 0.3 on the case tells strong from weak work, below 0.1 it hardly does, and below 0 students who do "
    f"well elsewhere fail: look at the case. It needs {LEAST_STUDENTS} students, "
    f"{LEAST_ON_A_SIDE} of whom passed and {LEAST_ON_A_SIDE} of whom did not."
)


@dataclass(frozen=True, slots=True)
class CaseLink:
    text: str
    target: str


@dataclass(frozen=True, slots=True)
class People:
    """Students by name, each with a link to a case on their page; more: how many are not named."""

    links: tuple[CaseLink, ...]
    more: str


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One of the commonest ways in which a case was not accepted.

    word: of the verdict; empty for a wrong answer.  count: such as `61`, or `61 or more`.
    """

    text: str
    word: str
    count: str
    people: People


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case over the class.

    visibility: empty for a public case.  missed: students whom it did not reach, in words.
    discrimination: empty where the class is too small.  inverted: students who do well elsewhere fail here.
    find: words for a list of all who did not pass; empty where all of them are named.
    outliers, high: students with their times.
    """

    id: str
    anchor: str
    call: str
    visibility: str
    passed: str
    reached: str
    rate: str
    tenths: int
    tone: Tone
    missed: str
    discrimination: str
    inverted: bool
    answers: tuple[AnswerView, ...]
    others: str
    find: str
    times: Times
    outliers: People
    high: People


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question over the class.

    lost: marks, over the class.  share: of all marks that could be had here.
    hard: cases that somebody did not pass, the hardest first.  easy: the others.
    hardest: the first of `hard` in a few words.
    """

    id: str
    title: str
    max_mark: str
    mean: str
    tone: Tone
    tenths: int
    full: str
    marked: str
    lost: str
    share: str
    lost_tenths: int
    fault: str
    hardest: str
    hard: tuple[CaseRow, ...]
    easy: tuple[CaseRow, ...]
    is_open: bool


def question_views(cohort: Cohort) -> list[QuestionView]:
    """Return the questions by the marks that the class lost there, the most first."""
    cases: dict[str, list[CaseFigures]] = {}
    for figures in cohort.cases.values():
        cases.setdefault(figures.question, []).append(figures)
    by_loss = sorted(cohort.questions.values(), key=lambda question: -question.lost)
    return [
        _question(cohort, question, cases.get(question.id, []), is_open=not number and question.lost > 0)
        for number, question in enumerate(by_loss)
    ]


def _question(
    cohort: Cohort, question: QuestionFigures, cases: list[CaseFigures], *, is_open: bool
) -> QuestionView:
    hard = sorted((each for each in cases if each.passed < each.reached), key=lambda each: each.pass_rate)
    easy = [each for each in cases if each.passed == each.reached]
    most = question.max_mark * question.marked
    fault = question.common_fault
    return QuestionView(
        id=question.id,
        title=question.title,
        max_mark=short_number(question.max_mark) + (" bonus" if question.bonus else ""),
        mean=short_mean(question.mean) if question.marked else "—",
        tone=share_tone(question.mean, question.max_mark) if question.marked else Tone.IDLE,
        tenths=tenths(question.mean, question.max_mark) if question.marked else 0,
        full=f"{question.full:,}",
        marked=f"{question.marked:,}",
        lost=short_number(question.lost),
        share=_percent(float(question.lost / most)) if most else "",
        lost_tenths=tenths(question.lost, most) if most else 0,
        fault=f"{verdict_wording(fault[0]).word} ({counted(fault[1], 'student')})" if fault else "",
        hardest=f"{hard[0].id}: {_percent(hard[0].pass_rate)} pass" if hard else "",
        hard=tuple(_case(cohort, figures) for figures in hard),
        easy=tuple(_case(cohort, figures) for figures in easy),
        is_open=is_open,
    )


def _case(cohort: Cohort, figures: CaseFigures) -> CaseRow:
    failures, relation = figures.failures, figures.relation.point_biserial
    passed, failed = Fraction(figures.passed), figures.reached - figures.passed
    commonest = failures.commonest(_MOST_ANSWERS)
    rest = len(failures.kinds) - len(commonest)
    left = failed - sum(tally.count for _, tally in commonest)
    named = sum(min(tally.count, _MOST_LINKS) for _, tally in commonest)
    return CaseRow(
        id=figures.id,
        anchor=case_anchor(figures.id),
        call=one_line(figures.call, _CALL_LENGTH),
        visibility="" if figures.visibility == Visibility.PUBLIC else str(figures.visibility),
        passed=f"{figures.passed:,}",
        reached=f"{figures.reached:,}",
        rate=_percent(figures.pass_rate) if figures.reached else "—",
        tenths=tenths(passed, Fraction(figures.reached)) if figures.reached else 0,
        tone=share_tone(passed, Fraction(figures.reached)) if figures.reached else Tone.IDLE,
        missed=f"{figures.missed:,} not tried" if figures.missed else "",
        discrimination="" if relation is None else f"{relation:.2f}",
        inverted=relation is not None and relation < 0,
        answers=tuple(
            _answer(cohort, figures.id, failure, tally, at_least=bool(failures.others))
            for failure, tally in commonest
        ),
        others=_others(left, rest, exact=not failures.others) if left else "",
        find=f"all {failed:,} who did not pass" if failed > named else "",
        times=figures.times,
        outliers=_slow(cohort, figures, figures.times.slowest.named(figures.times.fence_s)),
        high=_slow(cohort, figures, figures.times.high.named(), figures.times.high.count),
    )


def _others(students: int, answers: int, *, exact: bool) -> str:
    told = counted(students, "student")
    return f"{told} with {counted(answers, 'other answer')}" if exact else f"{told} with other answers"


def _answer(cohort: Cohort, case: str, failure: Failure, tally: Tally, *, at_least: bool) -> AnswerView:
    is_answer = failure.verdict == Verdict.WRONG_ANSWER and failure.answer
    return AnswerView(
        text=one_line(failure.answer, _ANSWER_LENGTH),
        word="" if is_answer else verdict_wording(failure.verdict).word,
        count=f"{tally.count:,}" + (" or more" if at_least else ""),
        people=_people(cohort, case, ((number, "") for number in tally.students), tally.count),
    )


def _slow(cohort: Cohort, figures: CaseFigures, found: list[tuple[float, int]], count: int = 0) -> People:
    named = ((number, duration(time_s)) for time_s, number in found)
    return _people(cohort, figures.id, named, count or len(found))


def _people(cohort: Cohort, case: str, found: Iterable[tuple[int, str]], count: int) -> People:
    links = tuple(_links(cohort, case, found))
    return People(links, f"{count - len(links):,}" if count > len(links) else "")


def _links(cohort: Cohort, case: str, found: Iterable[tuple[int, str]]) -> Iterator[CaseLink]:
    for number, note in islice(found, _MOST_LINKS):
        row = cohort.rows[number]
        target = f"{page_link(STAFF_FOLDER, row.id)}#{case_anchor(case)}"
        yield CaseLink(f"{row.name} {note}".rstrip(), target)


def _percent(share: float) -> str:
    """Return a share in whole hundredths; none of 0 or 100 that is not quite so."""
    whole = round(share * 100)
    if (whole == 0 and share > 0) or (whole == 100 and share < 1):
        return "under 1 %" if whole == 0 else "over 99 %"
    return f"{whole} %"

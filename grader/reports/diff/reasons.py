"""The reasons for a difference between two results of one submission, in words.

Where the mark differs, only the reasons that moved it are named, the largest move first: a verdict that
changed without moving the mark explains nothing.  Where the mark is the same, all differences are named.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from grader.marking.award import is_accepted
from grader.marking.rounding import format_mark
from grader.model.results import Cap, CaseResult, Override, Penalty, QuestionResult, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.diff.case_value import CaseValue, Pair, pairs
from grader.reports.views.mark.instead import given_text
from grader.reports.views.mark.mark_breakdown import capped, exact_mark
from grader.reports.views.wording import short_number, verdict_wording

ABSENT = "absent"
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Reason:
    """One difference between two results of a submission; the texts are for people.

    name: a case's id, or another part of the submission.
    is_verdict: a case's verdict differs, but the mark does not.
    """

    name: str
    before: str
    after: str
    is_verdict: bool = field(default=False, compare=False, kw_only=True)


Both = tuple[SubmissionResult, SubmissionResult]
_Questions = tuple[QuestionResult | None, QuestionResult | None]


def reasons(old: SubmissionResult, new: SubmissionResult) -> Iterator[Reason]:
    """Yield the differences; the one that moved the mark most comes first."""
    both = old, new
    if old.status != new.status:
        yield Reason("status", old.status, new.status)
    if _instead(old) != _instead(new):
        yield Reason("marked instead", _instead(old) or "nothing", _instead(new) or "nothing")
    if mark_told(old) == mark_told(new):
        yield from _differences(both)
    else:
        yield from _of_mark(both)


def _instead(submission: SubmissionResult) -> str:
    given = submission.instead
    return f"{given_text(given)}: {given.reason}" if given is not None else ""


def mark_told(submission: SubmissionResult) -> str:
    """Return a submission's mark; "pending" where it has none yet."""
    return format_mark(submission.mark) if submission.status != Status.PENDING else "pending"


def _differences(both: Both) -> Iterator[Reason]:
    for name, questions in _side_by_side(both):
        verdicts = [
            Reason(_name(pair), *texts, is_verdict=True)
            for pair in pairs(*questions)
            if len(set(texts := _verdicts(pair))) > 1
        ]
        yield from verdicts
        worths = [_question_worth(question) for question in questions]
        if not verdicts and worths[0] != worths[1]:
            yield Reason(f"question {name}", *worths)
    yield from _attempts(both)
    if both[0].caps != both[1].caps:
        yield Reason("caps", *_told([side.caps for side in both], _above, _cap))
    if both[0].penalties != both[1].penalties:
        yield Reason("penalties", *_told([side.penalties for side in both], _amount, _penalty))
    if both[0].overrides != both[1].overrides:
        yield Reason("overrides", *_told([side.overrides for side in both], _after, _override))


# -- reasons for a moved mark -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Mover:
    """marks: how many it moved.  is_own: it changed itself, not only others that share the same marks."""

    reason: Reason
    marks: Fraction
    is_own: bool = True


def _of_mark(both: Both) -> Iterator[Reason]:
    if any(override.question == "" for side in both for override in side.overrides):
        # A person's mark for the whole submission replaces all others.
        yield Reason("overrides", *_told([side.overrides for side in both], _after, _override))
        return
    if _is_rounded_otherwise(both):
        yield Reason(
            "rounding", *(f"{short_number(exact_mark(side))} to {short_number(side.mark)}" for side in both)
        )
    given = _given(both)
    overridden = given[0].keys() | given[1].keys()
    given_otherwise = {name for name in overridden if given[0].get(name) != given[1].get(name)}
    yield from _attempts(both)
    movers = [*_caps(both), *_penalties_and_overrides(both)]
    for name, questions in _side_by_side(both):
        cases = [] if name in overridden else list(_cases(questions))
        movers += cases
        if name not in given_otherwise:
            movers += _question(name, questions, bool(cases))
    movers.sort(key=lambda mover: (not mover.is_own, -mover.marks))
    yield from (mover.reason for mover in movers)


def _is_rounded_otherwise(both: Both) -> bool:
    """Tell whether only another rounding explains the marks: one rounding never swaps two marks' order."""
    if any(side.status != Status.MARKED for side in both):
        return False
    old, new = both
    moved = new.mark - old.mark
    return moved * (exact_mark(new) - exact_mark(old)) <= 0


def _attempts(both: Both) -> Iterator[Reason]:
    """Yield the attempts that count, where another one does: all other differences may follow from it."""
    old, new = (
        "".join(attempt.id for attempt in side.attempts if attempt.counts) or "the only one" for side in both
    )
    if old != new:
        yield Reason("attempt that counts", old, new)


def _caps(both: Both) -> Iterator[_Mover]:
    amounts = [capped(side) for side in both]
    if amounts[0] != amounts[1]:
        reason = Reason("caps", *_told([side.caps for side in both], _above, _cap))
        yield _Mover(reason, abs(amounts[1] - amounts[0]))


def _penalties_and_overrides(both: Both) -> Iterator[_Mover]:
    amounts = [[penalty.amount for penalty in side.penalties] for side in both]
    if amounts[0] != amounts[1]:
        reason = Reason("penalties", *_told([side.penalties for side in both], _amount, _penalty))
        yield _Mover(reason, abs(sum(amounts[1], Fraction(0)) - sum(amounts[0], Fraction(0))))
    given = _given(both)
    # An override that sets the mark that the question had anyway moves nothing.
    moved = [
        _mark_of(new) - _mark_of(old)
        for name, (old, new) in _side_by_side(both)
        if given[0].get(name) != given[1].get(name)
    ]
    if any(moved):
        reason = Reason("overrides", *_told([side.overrides for side in both], _after, _override))
        yield _Mover(reason, sum(map(abs, moved), Fraction(0)))


def _mark_of(question: QuestionResult | None) -> Fraction:
    return question.mark if question else Fraction(0)


def _given(both: Both) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Return the marks that people gave to questions, by question."""
    old, new = ({each.question: each.after for each in side.overrides} for side in both)
    return old, new


def _question(name: str, questions: _Questions, has_cases: bool) -> Iterator[_Mover]:
    """Yield the question as a whole, where its cases do not explain the whole difference."""
    texts = [_question_worth(question) for question in questions]
    if texts[0] == texts[1]:
        return
    old, new = questions
    if not has_cases or old is None or new is None or old.max_mark != new.max_mark:
        yield _Mover(Reason(f"question {name}", *texts), abs(_mark_of(new) - _mark_of(old)))


def _cases(questions: _Questions) -> Iterator[_Mover]:
    old, new = questions
    if old is None or new is None or old.award != new.award:
        return
    worths = CaseValue(old), CaseValue(new)
    found = list(pairs(old, new))
    fractions = [_fractions(worths, pair) for pair in found]
    has_moved = any(before != after for before, after in fractions)
    for pair, (before, after) in zip(found, fractions, strict=True):
        worth = before * worths[0].max_mark, after * worths[1].max_mark
        is_ours = len({case is not None and case.verdict == Verdict.INTERNAL_ERROR for case in pair}) > 1
        is_weighed = old.award != "all" and _weight(pair[0]) != _weight(pair[1])
        if before != after and worth[0] != worth[1]:
            if old.award in ("all", "groups") and not _did_it(pair, before, after, is_weighed):
                continue
            is_own = is_weighed or is_ours or _state(pair[0]) != _state(pair[1])
        elif is_ours or (has_moved and is_weighed):
            is_own = True  # it moved others
        else:
            continue
        yield _Mover(_reason(pair, worth, is_weighed), abs(worth[1] - worth[0]), is_own)


def _fractions(worths: tuple[CaseValue, CaseValue], pair: Pair) -> tuple[Fraction, Fraction]:
    old, new = pair
    if old is None:
        assert new is not None
        return worths[0].fraction_without(new), worths[1].fraction(new)
    return worths[0].fraction(old), worths[1].fraction(new) if new else worths[1].fraction_without(old)


def _did_it(pair: Pair, before: Fraction, after: Fraction, is_weighed: bool) -> bool:
    """Tell whether a case, and not another that is earned only together with it, changed their worth."""
    old, new = pair
    if before and after:  # earned before and after, so only the weight differs
        return True
    if old is None or new is None or old.group != new.group:
        # The case kept the others from being earned, or added its worth, or took it away.
        return any(case is not None and not is_accepted(case) for case in pair) or is_weighed
    return is_accepted(old) != is_accepted(new)


def _reason(pair: Pair, worth: tuple[Fraction, Fraction], is_weighed: bool) -> Reason:
    before, after = _verdicts(pair)
    if None not in pair and (is_weighed or before == after):
        before, after = (
            text
            + (f", weight {short_number(case.weight)}" if case and is_weighed else "")
            + f", worth {short_number(marks)}"
            for text, case, marks in zip((before, after), pair, worth, strict=True)
        )
    return Reason(_name(pair), before, after)


# -- words -------------------------------------------------------------------------------------------


def _name(pair: Pair) -> str:
    old, new = pair
    if old is None or new is None:
        case = old or new
        assert case is not None
        return case.id
    return new.id if old.id == new.id else f"{new.id} (was {old.id})"


def _verdicts(pair: Pair) -> tuple[str, str]:
    return _verdict(pair[0]), _verdict(pair[1])


def _verdict(case: CaseResult | None) -> str:
    if case is None:
        return ABSENT
    word = verdict_wording(case.verdict).word
    return f"{word} ({short_number(case.score)})" if case.verdict == Verdict.PARTIAL else word


def _state(case: CaseResult | None) -> tuple[Verdict, Fraction] | None:
    return (case.verdict, case.score) if case else None


def _weight(case: CaseResult | None) -> Fraction:
    return case.weight if case else Fraction(0)


def _question_worth(question: QuestionResult | None) -> str:
    if question is None:
        return ABSENT
    return f"{short_number(question.mark)} of {short_number(question.max_mark)}"


def _side_by_side(both: Both) -> Iterator[tuple[str, _Questions]]:
    old, new = ({question.id: question for question in side.questions} for side in both)
    for name in dict.fromkeys((*old, *new)):
        yield name, (old.get(name), new.get(name))


def _told(both: Iterable[Iterable[_T]], short: Callable[[_T], str], long: Callable[[_T], str]) -> list[str]:
    """Return the penalties or overrides of both sides; in full if the short texts are the same."""
    sides = [tuple(side) for side in both]
    texts = [_listed(map(short, side)) for side in sides]
    return texts if texts[0] != texts[1] else [_listed(map(long, side)) for side in sides]


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(texts) or "none"


def _above(cap: Cap) -> str:
    return f"{short_number(cap.amount)} above {short_number(cap.most)}"


def _cap(cap: Cap) -> str:
    return f"{format_mark(cap.amount)} above {format_mark(cap.most)} ({cap.title or 'all questions'})"


def _amount(penalty: Penalty) -> str:
    return short_number(penalty.amount)


def _penalty(penalty: Penalty) -> str:
    return f"{format_mark(penalty.amount)} ({penalty.reason})"


def _after(override: Override) -> str:
    return short_number(override.after)


def _override(override: Override) -> str:
    about = f"question {override.question}" if override.question else "the whole"
    return f"{format_mark(override.after)} for {about} ({override.reason}; {override.by} {override.date})"

"""Explains a mark that is not simply the sum of the questions, line by line, in amounts that add up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grader.model.results import Override, QuestionResult, Status, SubmissionResult
from grader.reports.views.wording import short_number
from grader.reports.words import English, many, say, word

SO_FAR = word("so far")
DECIMALS = word("the lines are shown with two decimals, and added exactly")


@dataclass(frozen=True, slots=True)
class BreakdownLine:
    """One line of the breakdown.

    amount: marks as they are shown, with a sign where the line changes the mark.
    reason: given for a line that a person or the policy added.
    is_question: the line is the mark of a question.
    """

    label: str
    amount: str
    reason: str = ""
    is_question: bool = False


def mark_breakdown(submission: SubmissionResult) -> tuple[BreakdownLine, ...]:
    """Return the lines from the questions to the mark; none if the questions' marks add up to it as shown.

    The shown amounts of all lines but the last add up to the last one, which is the mark.
    """
    lines = full_breakdown(submission)
    is_plain = all(line.is_question for line in lines[:-1])
    if is_plain and not submission.overrides and not submission.awaiting:
        return lines if any(question.bonus for question in submission.questions) else ()
    return lines


@dataclass(frozen=True, slots=True)
class AccountView:
    """The arithmetic of a mark on a page.

    parts: a question's id and its mark as shown, in the order of the task.  total: their sum as shown.
    by_hand: lines of questions whose mark a person set.
    changes: what leads from the total to the mark; the shown amounts add up to it.
    mark: the last line.
    """

    parts: tuple[tuple[str, str], ...]
    total: str
    by_hand: tuple[BreakdownLine, ...]
    changes: tuple[BreakdownLine, ...]
    mark: BreakdownLine


def account_view(submission: SubmissionResult) -> AccountView | None:
    """Return the arithmetic of a mark; None where it is simply full, or there is nothing to add."""
    lines = full_breakdown(submission)
    of_questions = [line for line in lines if line.is_question]
    changes = tuple(line for line in lines[:-1] if not line.is_question)
    is_plain = not changes and not submission.overrides
    is_full = submission.mark == submission.max_mark and submission.status is Status.MARKED
    if not lines or (is_plain and (is_full or len(of_questions) == 1)):
        return None
    return AccountView(
        parts=tuple(
            (question.id, line.amount)
            for question, line in zip(submission.questions, of_questions, strict=True)
        ),
        total=short_number(shown_sum(of_questions)),
        by_hand=tuple(line for line in of_questions if line.reason),
        changes=changes,
        mark=lines[-1],
    )


def full_breakdown(submission: SubmissionResult) -> tuple[BreakdownLine, ...]:
    """Return the lines from the questions to the mark, also of a plain sum.

    None where no question was marked and no person set the mark.
    """
    parts = [_question(question, submission.overrides) for question in submission.questions]
    if not parts and not submission.overrides:
        return ()
    changes = list(_caps_and_penalties(submission))
    whole = next((override for override in submission.overrides if not override.question), None)
    before = whole.before if whole is not None else submission.mark
    rounding = rounding_line([*parts, *changes], before, exact_mark(submission))
    if rounding is not None:
        changes.append(rounding)
    if whole is not None:
        gained = shown_exactly(whole.after) - shown_exactly(whole.before)
        changes.append(
            BreakdownLine(say("Mark set by {person}", person=_author(whole)), signed(gained), _instead(whole))
        )
    return (*parts, *changes, BreakdownLine(_label(submission), short_number(submission.mark)))


def _label(submission: SubmissionResult) -> str:
    """Return the label of the last line, which says whether the mark is final."""
    if submission.awaiting:
        return many(
            len(submission.awaiting),
            "Mark so far; {n} criterion awaits the marker",
            "Mark so far; {n} criteria await the marker",
        )
    return say("Mark so far") if submission.status is Status.PENDING else say("Mark")


def shown_sum(lines: Sequence[BreakdownLine]) -> Fraction:
    """Return the sum of the amounts as they are shown."""
    return sum((Fraction(line.amount) for line in lines), Fraction(0))


def exact_mark(submission: SubmissionResult) -> Fraction:
    """Return the mark before it is rounded, and before a person sets another."""
    earned = sum((question.mark for question in submission.questions), Fraction(0))
    above = sum((cap.amount for cap in submission.caps), Fraction(0))
    return earned - above - deducted(submission)


def rounding_line(lines: Sequence[BreakdownLine], mark: Fraction, exact: Fraction) -> BreakdownLine | None:
    """Return the line that makes the shown amounts add up to a mark as it is shown; None if they do.

    exact: the mark before it was rounded.
    """
    missing = shown_exactly(mark) - shown_sum(lines)
    if not missing:
        return None
    if exact == mark:
        reason = say(DECIMALS)
    else:
        reason = say("from {exact} to {mark}", exact=_precise(exact), mark=short_number(mark))
    return BreakdownLine(say("Rounding"), signed(missing), reason)


def shown_exactly(mark: Fraction) -> Fraction:
    """Return the number that a mark is shown as."""
    return Fraction(short_number(mark))


def signed(amount: Fraction) -> str:
    """Return a change of a mark with its sign; `0` for none."""
    text = short_number(amount)
    return f"+{text}" if Fraction(text) > 0 else text


def _precise(mark: Fraction) -> str:
    text = f"{float(mark):.4f}".rstrip("0").rstrip(".")
    return text if Fraction(text) == mark else f"{text}…"


def _question(question: QuestionResult, overrides: Sequence[Override]) -> BreakdownLine:
    label, amount = say("Question {id}", id=question.id), short_number(question.mark)
    label += say(", bonus") if question.bonus else ""
    for override in overrides:
        if override.question == question.id:
            by = say(", set by {person}", person=_author(override))
            return BreakdownLine(label + by, amount, _instead(override), True)
    return BreakdownLine(label, amount, is_question=True)


def _caps_and_penalties(submission: SubmissionResult) -> Iterator[BreakdownLine]:
    for cap in submission.caps:
        most = short_number(cap.most)
        if cap.title:
            label = say("{title}, capped at {most}", title=cap.title, most=most)
        else:
            label = say("Capped at {most}", most=most)
        yield BreakdownLine(label, signed(-cap.amount))
    for penalty in submission.penalties:
        reason = penalty.reason if penalty.amount else f"{penalty.reason}; no marks were left to take"
        yield BreakdownLine(say("Penalty"), signed(-penalty.amount), English(reason))


def _author(override: Override) -> str:
    return f"{override.by}, {override.date}" if override.date else override.by


def _instead(override: Override) -> str:
    return say("{reason} (instead of {mark})", reason=override.reason, mark=short_number(override.before))


def deducted(submission: SubmissionResult) -> Fraction:
    """Return the sum of all penalties."""
    return sum((penalty.amount for penalty in submission.penalties), Fraction(0))


def capped(submission: SubmissionResult) -> Fraction:
    """Return the marks that caps took."""
    return sum((cap.amount for cap in submission.caps), Fraction(0))


def time_unknown(submission: SubmissionResult) -> bool:
    """Tell whether the task has a deadline and the time of handing in is unknown."""
    return bool(submission.deadline) and not submission.submitted

"""Marks that were decided when somebody looked again: they come after the reviews, and say so."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from grader.intake import Candidate
from grader.intake.names import folded, listed, shown
from grader.model.errors import Fault, UsageError
from grader.model.person import Person
from grader.model.submission import OverridingMark, Record, Review, Submission
from grader.model.task import Task
from grader.records.roster import Roster, RosterEntry
from grader.yamlfile.kinds import marks as shown_marks

_SAME_MARKER = "answered by who gave the mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The mark of a question, or of the whole work, after somebody looked again.

    student: an id, a name or a mail.  asked: the day of the request.  another: who gave the mark before may
    not decide.  place: where a person wrote it.
    """

    student: str
    question: str
    marks: Fraction
    reason: str
    by: str
    date: str
    asked: str
    another: bool
    place: str


def with_decisions(
    task: Task,
    candidates: Sequence[Candidate],
    roster: Roster | None,
    decisions: Iterable[Decision],
    note: Callable[[str], None],
    *,
    whole_batch: bool,
) -> list[Candidate]:
    """Return the candidates, each with what was decided since its review.

    decisions: the earliest first.  whole_batch: who is not in the batch is a mistake.
    An override of the same question gives way, also that of an earlier decision under another name of the
    person, and the reason names it.  Raises `UsageError`.
    """
    reviews: dict[str, Review] = {}
    faults: list[Fault] = []
    absent: list[str] = []
    for decision in decisions:
        faults += unfit(task, decision)
        named = named_people(candidates, roster, decision.student)
        if len(named) > 1:
            what = f"{shown(decision.student)} may be {listed(each.id for each in named)}"
            faults.append(Fault(what, decision.place, hint="write the id"))
        elif named:
            (one,) = named
            own = reviews.get(one.id) or (one.record or Record()).review
            reviews[one.id] = _after(task, own, decision, one.name, note)
        elif whole_batch:
            what = f"a request of {shown(decision.student)} was answered, who is not in this batch"
            faults.append(Fault(what, decision.place, hint="write the id, or take the request out"))
        else:
            absent.append(decision.student)
    if faults:
        raise UsageError(*faults)
    if absent:
        note(f"requests were answered for people who are not in this batch: {listed(absent)}")
    return [_with_review(each, reviews[each.id]) if each.id in reviews else each for each in candidates]


def _with_review(candidate: Candidate, review: Review) -> Candidate:
    """Return a candidate, and its attempts, with another review."""
    attempts = tuple(_with_review(each, review) for each in candidate.attempts)
    return replace(candidate, record=replace(candidate.record or Record(), review=review), attempts=attempts)


def unfit(task: Task, decision: Decision) -> Iterable[Fault]:
    """Yield what of a decision a task does not have: the question, or so many marks."""
    most = {question.id: question.most for question in task.questions} | {"": task.most}
    if decision.question not in most:
        questions = ", ".join(question.id for question in task.questions)
        what = f"the answer to {shown(decision.student)}: there is no question `{shown(decision.question)}`"
        yield Fault(what, decision.place, hint=f"there are {questions}")
    elif decision.marks > most[decision.question]:
        what = f"question `{decision.question}`" if decision.question else "the task"
        at_most = shown_marks(most[decision.question])
        what = f"the answer to {shown(decision.student)}: {what} is worth {at_most} at most"
        yield Fault(what, decision.place)


_Work = TypeVar("_Work", Candidate, Submission)


def named_people(candidates: Iterable[_Work], roster: Roster | None, name: str) -> list[_Work]:
    """Return those whom a name may mean: ids and mails come before whole names."""
    entries: tuple[RosterEntry, ...] = roster.named(name) if roster is not None else ()
    people = [(each, each.person or Person()) for each in candidates]
    texts = {folded(name)}.union(*(_ids(entry.person.id, entry.person) for entry in entries))
    by_id = [each for each, person in people if not texts.isdisjoint(_ids(each.id, person))]
    names = {folded(name), *(folded(entry.person.name) for entry in entries if entry.person.name)}
    return by_id or [each for each, _ in people if folded(each.name) in names]


def _ids(own: str, person: Person) -> frozenset[str]:
    return frozenset(map(folded, filter(None, (own, person.mail, *person.ids.values()))))


def _after(task: Task, review: Review, decision: Decision, name: str, note: Callable[[str], None]) -> Review:
    """Return a review after a decision."""
    before = [each for each in review.overrides if each.question == decision.question]
    criteria = {
        criterion.id
        for question in task.questions
        if decision.question in ("", question.id)
        for criterion in question.criteria
    }
    markers = {each.by for each in review.marks if each.criterion in criteria} | {each.by for each in before}
    said = [f"asked on {decision.asked}"]
    said += [f"before: {shown_marks(each.marks)} by {each.by}, {each.reason}" for each in before]
    if decision.another and folded(decision.by) in map(folded, markers):
        said.append(_SAME_MARKER)
        note(f"the request of {name} was {_SAME_MARKER}, {shown(decision.by)}: another marker shall look")
    whole = next((each for each in review.overrides if not each.question), None)
    if decision.question and whole is not None:
        what = f"the answer to {name} about question {decision.question} changes nothing"
        note(f"{what}: {shown(whole.by)} set the whole mark to {shown_marks(whole.marks)}")
    reason = f"{decision.reason or 'looked at again'} ({'; '.join(said)})"
    override = OverridingMark(
        question=decision.question, marks=decision.marks, reason=reason, by=decision.by, date=decision.date
    )
    kept = tuple(each for each in review.overrides if each not in before)
    return replace(review, overrides=(*kept, override))

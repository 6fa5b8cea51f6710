"""The policy of marks: groups with rules of their own, sections, cap, attempts."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from grader.model.policy import AtLeast, Attempts, Group, GroupAward, Section
from grader.model.task import Award
from grader.spec.decode.drafts import CaseDraft, QuestionDraft
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields

_WITH_LEAST = (GroupAward.THRESHOLD, GroupAward.MINIMUM)


def award_of(question: Fields) -> Award:
    """Return the award of a question; `groups` imply theirs."""
    award: Award = question["award"]
    if not question.has("groups"):
        return award
    if question.has("award") and award is not Award.GROUPS:
        message = f"`groups` has no effect with `award: {award}`"
        question.report_key("groups", message, "write `award: groups`, or leave it out")
    return Award.GROUPS


def decode_groups(
    question: Fields, marks: Fraction | None, drafts: Sequence[CaseDraft | None]
) -> tuple[Group, ...]:
    """Return the groups of a question.

    marks: the question's.  drafts: its cases; None for a case with a mistake.
    """
    named: list[tuple[Scalar, Fields | None]] | None = question["groups"]
    if named is None:
        return ()
    if not named:
        question.report("groups", "`groups` names no group", "such as {big: {award: all}}")
    cases = [draft for draft in drafts if draft is not None]
    names = [key.text for key, _ in named]
    for case in cases:
        if case.group and case.group not in names:
            message = f"there is no group `{shown(case.group)}` in this question"
            hint = question.reporter.nearest_or_all(case.group, names)
            question.reporter.report(case.group_span, message, hint)
    _check_marks(question, marks, [fields for _, fields in named if fields is not None])
    is_complete = None not in drafts
    return tuple(
        _group(key, fields, [case for case in cases if case.group == key.text], is_complete)
        for key, fields in named
        if fields is not None
    )


def _group(key: Scalar, fields: Fields, cases: Sequence[CaseDraft], is_complete: bool) -> Group:
    """Return a group.  is_complete: no case of the question has a mistake."""
    if is_complete and not cases:
        message = f"no case belongs to the group `{shown(key.text)}`"
        fields.reporter.report(key.span, message, f"write `group: {shown(key.text)}` in its cases")
    weight: Fraction | None = fields["marks"] or fields["weight"]
    if weight is None:
        weight = sum((case.case.weight for case in cases if case.case is not None), Fraction(0))
    award: GroupAward = fields["award"]
    return Group(
        id=key.text,
        award=award,
        weight=weight,
        at_least=_least(key, fields, award, len(cases) if is_complete else None),
        bonus=fields["bonus"],
    )


def _least(key: Scalar, fields: Fields, award: GroupAward, count: int | None) -> AtLeast | None:
    """Return the least of a group; report one that is missing, has no effect or can't be reached."""
    if award not in _WITH_LEAST:
        if fields.has("at least"):
            message = f"`at least` has no effect with `award: {award}`"
            fields.report_key("at least", message, "it goes with `threshold` and `minimum`")
        return None
    if not fields.has("at least"):
        message = f"`at least` is missing in the group `{shown(key.text)}`"
        hint = f"`award: {award}` needs it: a number of cases such as 3, or a share such as 60%"
        fields.reporter.report(key.span, message, hint)
        return None
    if fields["at least"] is None:
        return None
    amount, is_share = fields["at least"]
    if not is_share and count and amount > count:
        has = "1 case" if count == 1 else f"{count} cases"
        fields.report("at least", f"the group `{shown(key.text)}` has {has}, so {amount} can't be accepted")
    return AtLeast(amount, is_share)


def _check_marks(question: Fields, marks: Fraction | None, groups: Sequence[Fields]) -> None:
    """Report groups whose marks and weights do not go together, or do not make up the question's marks."""
    for fields in groups:
        if fields.has("marks") and fields.has("weight"):
            fields.report_key("weight", "a group has either `marks` or a `weight`")
        if fields["bonus"] and not fields.has("marks"):
            fields.report_key("bonus", "a bonus group needs `marks`", "they come on top of the question's")
    shared = [fields for fields in groups if not fields["bonus"]]
    stated = [fields for fields in shared if fields.has("marks")]
    if groups and not shared:
        message = "every group of this question is a bonus, so nothing earns its marks"
        question.report_key("groups", message, "write `bonus: true` for the question instead")
    elif stated and len(stated) < len(shared):
        without = next(fields for fields in shared if not fields.has("marks"))
        message = "`marks` is missing in this group; other groups of the question have them"
        question.reporter.report(without.place, message, "either all groups have `marks`, or none has")
    elif stated and marks is not None and None not in (each := [fields["marks"] for fields in stated]):
        total = sum(each, Fraction(0))
        if total != marks:
            message = f"the groups' marks add up to {shown_marks(total)}, not to {shown_marks(marks)}"
            question.report("marks", message, "`marks` of a question must be their sum, without bonus groups")


def decode_sections(task: Fields, questions: Sequence[QuestionDraft]) -> tuple[Section, ...]:
    """Return the sections of a task; report those that name no question, or whose cap never holds."""
    known = {question.id: question for question in questions}
    taken: set[str] = set()
    return tuple(_sections(task, known, taken))


def _sections(task: Fields, known: Mapping[str, QuestionDraft], taken: set[str]) -> Iterator[Section]:
    for fields in filter(None, task["sections"]):
        names = []
        for scalar in fields["questions"]:
            if scalar.text not in known:
                hint = task.reporter.nearest_or_all(scalar.text, known)
                task.reporter.report(scalar.span, f"there is no question `{shown(scalar.text)}`", hint)
            elif scalar.text in taken:
                message = f"question `{shown(scalar.text)}` is in a section already"
                task.reporter.report(scalar.span, message)
            else:
                names.append(scalar.text)
                taken.add(scalar.text)
        title, cap = fields["title"], fields["cap"]
        everything = most_of([known[name] for name in names])
        if cap is not None and everything is not None and names and cap >= everything:
            message = f"this cap never holds: its questions have {shown_marks(everything)} together"
            fields.report("cap", message)
        if title is not None and cap is not None:
            yield Section(title, tuple(names), cap)


def most_of(questions: Sequence[QuestionDraft]) -> Fraction | None:
    """Return the marks that questions can earn, bonus groups included; None if some are not known."""
    total = Fraction(0)
    for question in questions:
        if question.marks is None:
            return None
        total += question.marks + sum((group.weight for group in question.groups if group.bonus), Fraction(0))
    return total


def required_marks(questions: Sequence[QuestionDraft], sections: Sequence[Section]) -> Fraction | None:
    """Return the marks that a task must have: without bonus, and of a section at most its cap."""
    if any(question.marks is None for question in questions):
        return None
    left = {question.id: question.marks or Fraction(0) for question in questions if not question.bonus}
    total = Fraction(0)
    for section in sections:
        total += min(
            section.cap, sum((left.pop(name, Fraction(0)) for name in section.questions), Fraction(0))
        )
    return total + sum(left.values(), Fraction(0))


def decode_cap(
    task: Fields, questions: Sequence[QuestionDraft], sections: Sequence[Section]
) -> Fraction | None:
    """Return the cap of a task; report one that never holds."""
    cap: Fraction | None = task["cap"]
    everything = most_of(questions)
    if cap is None or everything is None:
        return cap
    by_id = {question.id: question for question in questions}
    for section in sections:
        of_section = most_of([by_id[name] for name in section.questions]) or Fraction(0)
        everything -= max(of_section - section.cap, Fraction(0))
    if cap > everything:
        message = f"this cap never holds: all questions have {shown_marks(everything)} together, with bonus"
        task.report("cap", message)
    return cap


def decode_attempts(task: Fields) -> Attempts | None:
    """Return which attempt counts; None where the task does not say."""
    attempts: Attempts | None = task["attempts"]
    if attempts is Attempts.LAST_BEFORE_DEADLINE and not task.has("late"):
        message = f"`attempts: {attempts}` needs a deadline, and the task has no `late`"
        task.report("attempts", message, "write `late: {deadline: …, then: 100%}`")
    return attempts

"""Checks across questions and cases: sums of marks, unique ids, groups and needs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

from grader.model.case import Case
from grader.model.kinds import kind_of
from grader.model.policy import Section
from grader.model.task import Award, Question
from grader.spec.decode.drafts import CaseDraft, QuestionDraft
from grader.spec.decode.of_task.policy import required_marks
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown

_ORDER_HINT = "public cases run first, then those shown after the deadline, then hidden ones"


def check_questions(
    total: Fraction | None,
    span: Span,
    questions: list[QuestionDraft],
    sections: Sequence[Section],
    reporter: Reporter,
) -> None:
    """Report mistakes that show only when all questions are known.

    total: the task's marks, at `span`; None if they were reported.
    """
    _check_marks(total, span, required_marks(questions, sections), reporter)
    _check_unique("question", [(q.id, q.span) for q in questions], reporter)
    _check_unique("case", [(c.id, c.span) for q in questions for c in q.cases], reporter)
    _check_groups(questions, reporter)
    _check_needs(questions, reporter)
    _check_order(questions, reporter)


def _check_marks(total: Fraction | None, span: Span, required: Fraction | None, reporter: Reporter) -> None:
    """Report questions' marks that do not add up to the task's, once all of them are known."""
    if total is None or required is None or required == total:
        return
    message = f"the questions' marks add up to {shown_marks(required)}, not to {shown_marks(total)}"
    reporter.report(span, message, "`marks` of the task must be the sum of the questions'")


def _check_groups(questions: list[QuestionDraft], reporter: Reporter) -> None:
    """Report cases without a group under `award: groups`, and groups under another award."""
    for question in questions:
        for case in question.cases:
            if question.award is Award.GROUPS and case.group is None:
                hint = "every case of a question with `award: groups` belongs to one"
                reporter.report(case.span, "`group` is missing in this case", hint)
            elif question.award is not Award.GROUPS and case.group is not None:
                message = f"`group` has no effect with `award: {question.award}`"
                reporter.report(case.group_span, message, "write `award: groups`")


def _check_needs(questions: list[QuestionDraft], reporter: Reporter) -> None:
    """Report needs that name no case, and needs in a circle."""
    cases = [case for question in questions for case in question.cases]
    if all(q.id for q in questions) and all(c.id for c in cases):
        entries = [case.entry for case in cases if case.entry]
        by_hand = {q.id for q in questions if not q.cases}
        known = dict.fromkeys([*(q.id for q in questions if q.cases), *entries, *(c.id for c in cases)])
        for case in cases:
            for need, span in case.needs:
                if need in by_hand:
                    hint = "a case can need what was run before it alone"
                    reporter.report(span, f"question `{shown(need)}` has no cases: a person marks it", hint)
                elif need not in known:
                    hint = reporter.nearest(need, known)
                    reporter.report(span, f"there is no case or question `{shown(need)}`", hint)
    _check_circles(questions, cases, reporter)


def _check_order(questions: list[QuestionDraft], reporter: Reporter) -> None:
    """Report cases that need a case which runs later: public cases run first, hidden ones last."""
    drafts = [case for question in questions for case in question.cases]
    seen_by = {draft.id: draft.case.visibility for draft in drafts if draft.case is not None}
    members = case_ids(questions)
    for draft in drafts:
        if draft.id not in seen_by:
            continue
        own = seen_by[draft.id]
        for need, span in draft.needs:
            named = [seen_by[name] for name in members.get(need, ()) if name in seen_by]
            if named and all(other.turn > own.turn for other in named):
                message = f"a case that is {own} can't need `{shown(need)}`, which is {named[0]}"
                reporter.report(span, message, _ORDER_HINT)


def case_ids(questions: list[QuestionDraft]) -> dict[str, tuple[str, ...]]:
    """Return the cases of each id: a question's id, or that of a test file, stands for all its cases."""
    found = {one.id: tuple(case.id for case in one.cases) for one in questions if one.cases}
    entries: dict[str, tuple[str, ...]] = {}
    for case in (case for one in questions for case in one.cases if case.entry):
        entries[case.entry] = (*entries.get(case.entry, ()), case.id)
    return found | entries | {name: (name,) for names in found.values() for name in names}


def build_questions(questions: list[QuestionDraft]) -> tuple[Question, ...]:
    """Return the questions of a spec without mistakes."""
    built = {case.id: case.case for question in questions for case in question.cases}
    members = {name: [built[one] for one in ids] for name, ids in case_ids(questions).items()}
    found = tuple(_question(draft, members) for draft in questions)
    cases = {case.id: case for question in found for case in question.cases}
    return tuple(
        replace(each, cases=tuple(replace(case, needs=_whole(case, cases)) for case in each.cases))
        for each in found
    )


def _whole(case: Case, cases: Mapping[str, Case]) -> tuple[str, ...]:
    """Return the needs of a case, with those of each rule among them.

    All rules look before any case runs, so a rule says of itself alone whether it is kept.
    """
    found: dict[str, None] = {}
    waiting = [*case.needs]
    while waiting:
        need = waiting.pop(0)
        if need not in found:
            found[need] = None
            other = cases[need]
            waiting += other.needs if kind_of(other).rule(other.what) is not None else ()
    return tuple(found)


def _question(draft: QuestionDraft, members: Mapping[str, Sequence[Case | None]]) -> Question:
    if draft.title is None or draft.module is None or draft.marks is None:
        raise ValueError("a question with a mistake can't be built")
    cases = []
    before = _before_in_group(draft)
    for case_draft in draft.cases:
        if case_draft.case is None:
            raise ValueError("a case with a mistake can't be built")
        turn = case_draft.case.visibility.turn
        needs = dict.fromkeys([before[case_draft.id]] if case_draft.id in before else [])
        needs |= dict.fromkeys(
            # A question's id stands for those of its cases that run before this one.
            one.id
            for need, _ in case_draft.needs
            for one in members[need]
            if one is not None and one.visibility.turn <= turn
        )
        cases.append(replace(case_draft.case, needs=tuple(needs)))
    return Question(
        id=draft.id,
        title=draft.title,
        module=draft.module,
        marks=draft.marks,
        award=draft.award,
        cases=tuple(cases),
        criteria=draft.criteria,
        beside=draft.beside,
        groups=draft.groups,
        stop_after=draft.stop_after,
        bonus=draft.bonus,
    )


def _before_in_group(question: QuestionDraft) -> dict[str, str]:
    """Return for each case of a group that stops the one that runs before it, which it needs."""
    found: dict[str, str] = {}
    last: dict[str, str] = {}
    known = [(one.case.visibility.turn, one) for one in question.cases if one.case is not None]
    for _, case in sorted(known, key=lambda pair: pair[0]):
        if case.group is not None and case.group in question.stopping:
            if case.group in last:
                found[case.id] = last[case.group]
            last[case.group] = case.id
    return found


def _check_unique(kind: str, ids: list[tuple[str, Span]], reporter: Reporter) -> None:
    first: dict[str, Span] = {}
    for name, span in ids:
        if name in first:
            lines = [_line(place, reporter) for place in (first[name], span)]
            message = f"two {kind}s have the id `{shown(name)}`, on {lines[0]} and on {lines[1]}"
            reporter.report(span, message)
        elif name:
            first[name] = span


def _line(place: Span, reporter: Reporter) -> str:
    """Return in words the line of a place; the file too, where it is an included one."""
    source = place.source or reporter.source
    line = f"line {source.position(place.start)[0]}"
    return line if source.name == reporter.source.name else f"{line} of {shown(source.name)}"


def _check_circles(questions: list[QuestionDraft], cases: list[CaseDraft], reporter: Reporter) -> None:
    """Report each need that leads back to its own case; a question leads to all of its cases."""
    leads_to = {case.id: [need for need, _ in case.needs] for case in cases}
    for question in questions:
        for name, before in _before_in_group(question).items():
            leads_to[name].append(before)
    leads_to |= {question.id: [case.id for case in question.cases] for question in questions}
    try:
        TopologicalSorter(leads_to).prepare()
    except CycleError:
        for case in cases:
            for need, span in case.needs:
                if case.id and not reporter.full and _reaches(leads_to, need, case.id):
                    message = f"case `{shown(case.id)}` would need itself by way of `{shown(need)}`"
                    reporter.report(span, message)


def _reaches(leads_to: Mapping[str, list[str]], start: str, target: str) -> bool:
    """Tell whether a path leads from one id to the other; an id leads to itself."""
    seen = {start}
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name == target:
            return True
        further = [n for n in leads_to.get(name, ()) if n not in seen]
        seen.update(further)
        waiting.extend(further)
    return False

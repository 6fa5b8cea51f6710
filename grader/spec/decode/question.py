"""One question of a task, from its mapping to a draft."""

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from grader.model.kinds import kind_of
from grader.model.task import Award, Criterion, Level
from grader.spec.decode.answers.pictures import decode_picture
from grader.spec.decode.case import decode_cases
from grader.spec.decode.cases.around import check_use_of_around, decode_around
from grader.spec.decode.cases.harness import check_use_of_harness, decode_harness
from grader.spec.decode.cases.pace import check_award, decode_pace
from grader.spec.decode.drafts import CaseDraft, QuestionDraft
from grader.spec.decode.inherited import Inherited
from grader.spec.decode.of_task.limits import InheritedLimits, decode_limits
from grader.spec.decode.of_task.policy import award_of, decode_groups
from grader.spec.expressions.context import Context
from grader.yamlfile.kinds import marks as shown_marks
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, collecting, if_usable

_FOR_CASES = (
    "module",
    "award",
    "groups",
    "pace",
    "limits",
    "visibility",
    "beside",
    "stop after",
    "harness",
    "before",
    "after",
    "gives",
    "takes",
)
"""Keys of a question that have no effect on criteria."""


def decode_question(
    context: Context, fields: Fields, task_limits: InheritedLimits, budget_s: Fraction | None
) -> QuestionDraft:
    """Return a draft of the question."""
    draft = QuestionDraft(
        id=fields["id"] or "",
        span=fields.span("id"),
        title=fields["title"],
        module="",
        marks=fields["marks"],
        award=Award.ALL,
        cases=(),
        bonus=fields["bonus"],
    )
    if _is_for_people(fields):
        return replace(draft, criteria=_criteria(fields, draft))
    module = if_usable(_module, context, fields)
    inherited = Inherited(
        question=draft.id,
        module=module,
        visibility=fields["visibility"],
        limits=decode_limits(fields, task_limits),
        budget_s=budget_s,
        pace=if_usable(decode_pace, fields, context, module),
        picture=if_usable(decode_picture, fields, context),
        harness=decode_harness(fields, context),
        around=decode_around(fields, context),
    )
    drafts: list[CaseDraft | None] = []
    for number, case in enumerate(fields["cases"], start=1):
        drafts += decode_cases(context, case, number, inherited) if case is not None else [None]
    check_use_of_harness(fields, drafts)
    check_use_of_around(fields, drafts)
    award = award_of(fields)
    check_award(award, fields, drafts)
    return replace(
        draft,
        module=module,
        award=award,
        groups=decode_groups(fields, draft.marks, drafts),
        stopping=tuple(key.text for key, group in fields["groups"] or () if group and group["stops"]),
        stop_after=_stop_after(fields, award),
        cases=tuple(draft for draft in drafts if draft is not None),
        beside=_beside(fields, module, drafts, context),
    )


def _stop_after(fields: Fields, award: Award) -> int | None:
    """Return the number of timeouts after which a question stops."""
    text: str | None = fields["stop after"]
    if text is not None and award is Award.ALL:
        message = "`stop after` has no effect with `award: all`, where the first timeout ends a question"
        fields.report_key("stop after", message, "write `award: each`")
    return int(text.split()[0]) if text is not None else None


def _is_for_people(fields: Fields) -> bool:
    """Tell whether a question has criteria instead of cases; report a question with both or neither."""
    if fields.has("criteria") and fields.has("cases"):
        message = "a question has either `cases` or `criteria`, which people mark"
        fields.report_key("criteria", message, "make two questions of it")
    elif fields.meant.isdisjoint(("cases", "criteria")) and not fields.present("cases", "criteria"):
        hint = "`cases` must be a list; a question that people mark has `criteria`"
        fields.report_key("cases", "`cases` is missing in a question", hint)
    return fields.has("criteria") and not fields.has("cases")


def _module(context: Context, fields: Fields) -> str:
    """Return the question's module: the stated one, the only one of the task, or its programs' first.

    Raises Unusable.
    """
    names = [name for name, _ in context.modules]
    if not fields.has("module"):
        if len(names) == 1:
            return names[0]
        programs: list[str] = [
            case["program"] for case in fields["cases"] if case is not None and case.has("program")
        ]
        if programs and len(programs) == len(fields["cases"]) and programs[0] in names:
            return programs[0]
        if names:
            message = "`module` is missing in a question: the task has several modules"
            fields.report_key("module", message, context.reporter.nearest_or_all("", names))
        raise Unusable
    module: str = fields.needed("module")
    if names and not context.is_module(module, fields.span("module")):
        raise Unusable
    return module


def _beside(
    fields: Fields, module: str | None, drafts: Sequence[CaseDraft | None], context: Context
) -> tuple[str, ...]:
    """Return the modules that a question takes from the reference; report those that it can't take."""
    if fields.has("beside") and not context.has_reference:
        message = "`beside` takes modules from the `reference`, and the task names none"
        fields.report_key("beside", message)
    cases = [draft.case for draft in drafts if draft is not None and draft.case is not None]
    marked = {kind_of(case).module(case.what, module or "") for case in cases} or {module or ""}
    found = []
    for scalar in fields["beside"]:
        name = scalar.text
        if not context.is_module(name, scalar.span):
            continue
        if name in marked:
            message = f"`{shown(name)}` is what this question marks; it can't come from the reference"
            context.reporter.report(scalar.span, message)
        else:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _criteria(question: Fields, draft: QuestionDraft) -> tuple[Criterion, ...]:
    """Return the criteria of a question, whose marks must be those of the question."""
    for name in question.present(*_FOR_CASES):
        message = f"`{name}` has no effect in a question with `criteria`, which people mark"
        question.report_key(name, message)
    stated = question["criteria"]
    found = [if_usable(_criterion, fields, draft.id) for fields in stated if fields is not None]
    pairs = [pair for pair in found if pair is not None]
    _check_unique(pairs, question.reporter)
    total = sum((criterion.marks for criterion, _ in pairs), Fraction(0))
    if pairs and len(pairs) == len(stated) and draft.marks is not None and total != draft.marks:
        message = f"the criteria's marks add up to {shown_marks(total)}, not to {shown_marks(draft.marks)}"
        question.report("marks", message, "`marks` of a question must be their sum")
    return tuple(criterion for criterion, _ in pairs)


def _criterion(fields: Fields, question_id: str) -> tuple[Criterion, Span]:
    with collecting() as take:
        marks: Fraction = take(fields.needed, "marks")
        levels = _levels(fields, marks)
        own_id, title = take(fields.needed, "id"), take(fields.needed, "title")
        description = fields["description"]
    criterion = Criterion(
        id=f"{question_id}.{own_id}",
        title=title,
        marks=marks,
        description=description,
        levels=levels,
    )
    return criterion, fields.span("id")


_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", re.ASCII)


def _levels(criterion: Fields, marks: Fraction | None) -> tuple[Level, ...]:
    found: list[Level] = []
    for fields in filter(None, criterion["levels"]):
        level, description = fields["marks"], fields["description"]
        if level is None or description is None:
            continue
        if marks is not None and level > marks:
            fields.report("marks", f"a level of more than the {shown_marks(marks)} marks of its criterion")
        elif level in [other.marks for other in found]:
            fields.report("marks", "two levels have the same marks")
        own_id: str = fields["id"] or ""
        if own_id and own_id in [other.id for other in found]:
            fields.report("id", f"two levels have the id `{own_id}`")
        if _NUMBER.fullmatch(own_id) and Fraction(own_id) != level:
            # A sheet and a file of reviews have a mark or an id in one place.
            fields.report("id", f"the id `{own_id}` could be taken for a mark", "such as good, or level-2")
        found.append(Level(level, description, own_id))
    if found and marks is not None and marks not in [level.marks for level in found]:
        message = f"no level gives all of the {shown_marks(marks)} marks"
        criterion.report("levels", message, "add one, or lower the criterion's marks")
    return tuple(found)


def _check_unique(criteria: list[tuple[Criterion, Span]], reporter: Reporter) -> None:
    seen: set[str] = set()
    for criterion, span in criteria:
        if criterion.id in seen:
            reporter.report(span, f"two criteria have the id `{shown(criterion.id.partition('.')[2])}`")
        seen.add(criterion.id)

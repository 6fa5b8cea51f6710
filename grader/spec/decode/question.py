"""One question of a task, from its mapping to a draft."""

from collections.abc import Sequence
from fractions import Fraction

from grader.model.case import Visibility
from grader.model.task import Award, Criterion, Level
from grader.spec.decode.case import Inherited, decode_case
from grader.spec.decode.drafts import CaseDraft, QuestionDraft
from grader.spec.decode.limits import InheritedLimits, decode_limits
from grader.spec.decode.pace import check_award, decode_pace
from grader.spec.decode.pictures import decode_picture
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import QUESTION_ID, QUESTION_ID_EXPECTED
from grader.spec.keys import CRITERION, LEVEL, QUESTION
from grader.yamlfile.nodes import Node
from grader.yamlfile.quantities import decimal
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields, open_fields


def decode_question(
    context: Context, node: Node, task_limits: InheritedLimits, budget_s: Fraction | None
) -> QuestionDraft | None:
    """Return a draft of the question; None where it is no mapping."""
    fields = open_fields(node, QUESTION, context.reporter)
    if fields is None:
        return None
    question_id = fields.matching("id", QUESTION_ID, QUESTION_ID_EXPECTED) or ""
    if _is_for_people(context, fields):
        return _for_people(context, fields, question_id)
    module = _module(context, fields)
    picture = None
    if fields.has("picture"):
        picture = decode_picture(fields, context)
    inherited = Inherited(
        question=question_id,
        module=module,
        visibility=fields.choice("visibility", Visibility) or Visibility.PUBLIC,
        limits=decode_limits(fields, task_limits, context.reporter),
        budget_s=budget_s,
        pace=decode_pace(fields, context, module) if fields.has("pace") else None,
        picture=picture,
    )
    drafts = [
        decode_case(context, case, number, inherited)
        for number, case in enumerate(fields.items("cases") or (), start=1)
    ]
    award = fields.choice("award", Award) or Award.ALL
    check_award(award, fields, drafts, context.reporter)
    return QuestionDraft(
        id=question_id,
        span=fields.span("id"),
        title=fields.text("title"),
        module=module,
        marks=fields.positive("marks"),
        marks_span=fields.span("marks"),
        award=award,
        award_span=fields.span("award"),
        cases=tuple(draft for draft in drafts if draft is not None),
        beside=decode_beside(fields, module, drafts, context) if fields.has("beside") else (),
    )


def _is_for_people(context: Context, fields: Fields) -> bool:
    """Tell whether a question has criteria in the place of cases; report where that is not clear."""
    if fields.has("criteria") and fields.has("cases"):
        message = "a question has either `cases` or `criteria`, which people mark"
        context.reporter.report(fields.key_span("criteria"), message, "make two questions of it")
    elif not fields.has("criteria") and not fields.has("cases"):
        hint = "`cases` must be a list; a question that people mark has `criteria`"
        context.reporter.report(fields.place, "`cases` is missing in a question", hint)
    return fields.has("criteria") and not fields.has("cases")


def _for_people(context: Context, fields: Fields, question_id: str) -> QuestionDraft:
    marks = fields.positive("marks")
    return QuestionDraft(
        id=question_id,
        span=fields.span("id"),
        title=fields.text("title"),
        module="",
        marks=marks,
        marks_span=fields.span("marks"),
        award=Award.ALL,
        award_span=fields.span("award"),
        cases=(),
        criteria=decode_criteria(fields, question_id, marks, context.reporter),
    )


def _module(context: Context, fields: Fields) -> str | None:
    """Return the question's module: the stated one, or the only one of the task."""
    names = [name for name, _ in context.modules]
    if not fields.has("module"):
        if len(names) == 1:
            return names[0]
        if names:
            message = "`module` is missing in a question: the task has several modules"
            context.reporter.report(fields.place, message, context.reporter.nearest_or_all("", names))
        return None
    module = fields.text("module")
    if module is None or module in names or not names:
        return module
    hint = context.reporter.nearest_or_all(module, names)
    fields.report("module", f"`{shown(module)}` is not among the task's `modules`", hint)
    return None


_FOR_CASES = ("module", "award", "pace", "limits", "visibility", "beside")


def decode_criteria(
    question: Fields, question_id: str, marks: Fraction | None, reporter: Reporter
) -> tuple[Criterion, ...]:
    """Return the criteria of a question, whose marks must be those of the question."""
    for name in question.present(*_FOR_CASES):
        message = f"`{name}` has no effect in a question with `criteria`, which people mark"
        reporter.report(question.key_span(name), message)
    nodes = question.items("criteria") or ()
    found = [_criterion(open_fields(node, CRITERION, reporter), question_id, reporter) for node in nodes]
    criteria = [criterion for criterion, _ in filter(None, found)]
    _check_unique([pair for pair in found if pair is not None], reporter)
    total = sum((criterion.marks for criterion in criteria), Fraction(0))
    if criteria and len(criteria) == len(nodes) and marks is not None and total != marks:
        message = f"the criteria's marks add up to {float(total):.12g}, not to {float(marks):.12g}"
        reporter.report(question.span("marks"), message, "`marks` of a question must be their sum")
    return tuple(criteria)


def _criterion(fields: Fields | None, question_id: str, reporter: Reporter) -> tuple[Criterion, Span] | None:
    if fields is None:
        return None
    criterion_id = fields.matching("id", QUESTION_ID, QUESTION_ID_EXPECTED)
    title = fields.text("title")
    marks = fields.positive("marks")
    description = fields.text("description") or ""
    levels = _levels(fields, marks, reporter)
    if criterion_id is None or title is None or marks is None:
        return None
    criterion = Criterion(
        id=f"{question_id}.{criterion_id}", title=title, marks=marks, description=description, levels=levels
    )
    return criterion, fields.span("id")


def _levels(criterion: Fields, marks: Fraction | None, reporter: Reporter) -> tuple[Level, ...]:
    found: list[Level] = []
    for node in criterion.items("levels") or ():
        fields = open_fields(node, LEVEL, reporter)
        if fields is None:
            continue
        level = fields.quantity("marks", decimal)
        description = fields.text("description")
        if level is None or description is None:
            continue
        if marks is not None and level > marks:
            fields.report("marks", f"a level of more than the {float(marks):.12g} marks of its criterion")
        elif level in [other.marks for other in found]:
            fields.report("marks", "two levels have the same marks")
        found.append(Level(level, description))
    if found and marks is not None and marks not in [level.marks for level in found]:
        message = f"no level gives all of the {float(marks):.12g} marks"
        criterion.report("levels", message, "add one, or lower the criterion's marks")
    return tuple(found)


def _check_unique(criteria: list[tuple[Criterion, Span]], reporter: Reporter) -> None:
    seen: set[str] = set()
    for criterion, span in criteria:
        if criterion.id in seen:
            reporter.report(span, f"two criteria have the id `{shown(criterion.id.partition('.')[2])}`")
        seen.add(criterion.id)


def decode_beside(
    fields: Fields, module: str | None, drafts: Sequence[CaseDraft | None], context: Context
) -> tuple[str, ...]:
    """Return the modules that a question takes from the reference; report those that it can't take."""
    if not context.has_reference:
        message = "`beside` takes modules from the `reference`, and the task names none"
        context.reporter.report(fields.key_span("beside"), message)
    names = [name for name, _ in context.modules]
    marked = {draft.case.program.module for draft in drafts if draft and draft.case and draft.case.program}
    if module is not None and (not marked or any(d and d.case and not d.case.program for d in drafts)):
        marked.add(module)
    found = []
    for scalar in fields.names("beside"):
        name = scalar.text
        if name not in names:
            hint = context.reporter.nearest_or_all(name, names)
            message = f"`{shown(name)}` is not among the task's `modules`"
            context.reporter.report(scalar.span, message, hint)
        elif name in marked:
            message = f"`{shown(name)}` is what this question marks; it can't come from the reference"
            context.reporter.report(scalar.span, message)
        else:
            found.append(name)
    return tuple(dict.fromkeys(found))

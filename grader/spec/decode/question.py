"""One question of a task, from its mapping to a draft."""

from fractions import Fraction

from grader.model.case import Visibility
from grader.model.task import Award
from grader.spec.decode.beside import decode_beside
from grader.spec.decode.case import Inherited, decode_case
from grader.spec.decode.criteria import decode_criteria
from grader.spec.decode.drafts import QuestionDraft
from grader.spec.decode.limits import InheritedLimits, decode_limits
from grader.spec.decode.pace import check_award, decode_pace
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import QUESTION_ID, QUESTION_ID_EXPECTED
from grader.spec.keys import QUESTION
from grader.yamlfile.nodes import Node
from grader.yamlfile.source import shown
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
        from grader.spec.decode.pictures import decode_picture  # few specs have pictures

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

"""One question of a task, from its mapping to a draft."""

from fractions import Fraction

from grader.model.task import Award, Visibility
from grader.spec.context import Context
from grader.spec.decode_case import Inherited, decode_case
from grader.spec.decode_limits import InheritedLimits, decode_limits
from grader.spec.drafts import QuestionDraft
from grader.spec.fields import QUESTION
from grader.spec.naming import QUESTION_ID, QUESTION_ID_EXPECTED
from grader.spec.reading import Fields, open_fields
from grader.spec.source import shown
from grader.spec.yaml_nodes import Node


def decode_question(
    context: Context, node: Node, task_limits: InheritedLimits, budget_s: Fraction
) -> QuestionDraft | None:
    """Return a draft of the question; None where it is no mapping."""
    fields = open_fields(node, QUESTION, context.reporter)
    if fields is None:
        return None
    question_id = fields.matching("id", QUESTION_ID, QUESTION_ID_EXPECTED) or ""
    module = _module(context, fields)
    inherited = Inherited(
        question=question_id,
        module=module,
        visibility=fields.choice("visibility", Visibility) or Visibility.PUBLIC,
        limits=decode_limits(fields, task_limits, context.reporter),
        budget_s=budget_s,
    )
    drafts = [
        decode_case(context, case, number, inherited)
        for number, case in enumerate(fields.items("cases") or (), start=1)
    ]
    return QuestionDraft(
        id=question_id,
        span=fields.span("id"),
        title=fields.text("title"),
        module=module,
        marks=fields.positive("marks"),
        marks_span=fields.span("marks"),
        award=fields.choice("award", Award) or Award.ALL,
        award_span=fields.span("award"),
        cases=tuple(draft for draft in drafts if draft is not None),
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

"""Modules of the reference that stand beside a submission's, for the cases of one question."""

from collections.abc import Sequence

from grader.spec.decode.drafts import CaseDraft
from grader.spec.expressions.context import Context
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields


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

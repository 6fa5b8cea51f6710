"""Whether the module that a case is about has the classes that its values are made of."""

from grader.model.case import Expectation, Returns
from grader.model.values import EnumMember, Record, Value, parts
from grader.spec.decode.calls import Attempt
from grader.spec.expressions.context import Context
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.source import Span, shown


def check_classes(
    attempt: Attempt, expect: Expectation, definitions: Definitions | None, place: Span, context: Context
) -> None:
    """Report classes of which a case has instances and that the reference's module lacks."""
    if definitions is None or not definitions.complete:
        return
    call = attempt.calls[0]
    values: list[Value] = [*call.args, *(value for _, value in call.kwargs)]
    if isinstance(expect, Returns):
        values.append(expect.value)
    used = {
        part.type_name for value in values for part in parts(value) if isinstance(part, Record | EnumMember)
    }
    for name in sorted(used - definitions.names):
        message = f"the reference has no class `{shown(name)}` in this module"
        context.reporter.report(place, message)

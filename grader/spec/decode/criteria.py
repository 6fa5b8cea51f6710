"""The criteria of a question that people mark."""

from fractions import Fraction

from grader.model.task import Criterion, Level
from grader.spec.expressions.names import QUESTION_ID, QUESTION_ID_EXPECTED
from grader.spec.keys import CRITERION, LEVEL
from grader.yamlfile.quantities import decimal
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields, open_fields

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

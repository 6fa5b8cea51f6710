"""Reports tables of pandas in the cases of a task that does not allow pandas."""

from collections.abc import Iterable, Iterator

from grader.model.case import Case, Returns
from grader.model.kinds import calls_of, kind_of
from grader.model.values import Table, Value
from grader.spec.decode.drafts import QuestionDraft
from grader.spec.expressions.context import Context
from grader.values.walk import parts


def check_tables(questions: Iterable[QuestionDraft], context: Context) -> None:
    """Report the first case that has a table, if `pandas` is not among the packages."""
    if "pandas" in context.packages:
        return
    for draft in (draft for question in questions for draft in question.cases):
        if draft.case is not None and _has_table(draft.case):
            hint = "add `packages: [pandas]` to the task"
            context.reporter.report(
                draft.places.whole, "a DataFrame or a Series needs the package pandas", hint
            )
            return


def _has_table(case: Case) -> bool:
    return any(isinstance(part, Table) for value in _values(case) for part in parts(value))


def _values(case: Case) -> Iterator[Value]:
    for call in calls_of(case).calls:
        yield from call.args
        yield from (value for _, value in call.kwargs)
    for expect in kind_of(case).expectations(case):
        if isinstance(expect, Returns):
            yield expect.value

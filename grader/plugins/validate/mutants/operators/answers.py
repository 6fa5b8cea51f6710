"""The right work with a wrong answer: printed, left out, of another type, in another order, or looked up."""

import ast
from collections.abc import Iterator

from grader.model.case import Bound, Call, Case, Shipped, Visibility, Watched
from grader.model.validation import EXAMPLES_ONLY
from grader.plugins.validate.mutants.code import CodeFault, Unit
from grader.plugins.validate.mutants.kinds import answer_kind, expected_of, may_be_none, tells_sequences
from grader.values.python_text import literal

_OTHER_TYPES = {
    "list": ("set({})", "iter({})"),
    "set": ("list({})",),
    "int": ("float({})", "str({})", "bool({})"),
    "bool": ("int({})",),
    "float": ("int({})", "str({})"),
}
"""Other types for an answer, which no comparison takes for the same."""
_OTHER_SEQUENCES = {"list": ("tuple({})",), "tuple": ("list({})",)}
_PLAIN = {"list": "[]", "set": "set()", "tuple": "()", "int": "0", "bool": "False", "str": "''", "dict": "{}"}
_MOST_EXAMPLES = 40


def not_returned(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that print an answer, or compute it, and return None."""
    if unit.depth == 0 and unit.calls:
        for node, value in unit.returns:
            text = unit.text(value)
            if text == "None":
                continue
            yield CodeFault("printed", (unit.put_statement(node, f"print({text})"),))
            if not isinstance(value, ast.Constant):
                yield CodeFault("no-return", (unit.put_statement(node, "return None"),))


def answer_type(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that return the right answer as another type."""
    kind = answer_kind(unit)
    changes = _OTHER_TYPES.get(kind, ())
    if tells_sequences(unit):
        changes += _OTHER_SEQUENCES.get(kind, ())
    yield from _changed_answers(unit, "answer-type", changes)


def answer_order(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that return a list the other way round, or sorted."""
    if answer_kind(unit) in ("list", "tuple"):
        back = "sorted({})" if answer_kind(unit) == "list" else "tuple(sorted({}))"
        yield from _changed_answers(unit, "answer-order", ("{}[::-1]", back))


def answer_off_by_one(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that count one too many, or one too few."""
    if answer_kind(unit) == "int":
        yield from _changed_answers(unit, "off-by-one", ("{} + 1", "{} - 1"))


def examples_only(unit: Unit) -> Iterator[CodeFault]:
    """Yield functions that look up the published examples, and answer all else by a constant."""
    if unit.function is None or unit.owner is not None or not unit.calls or not unit.work:
        return
    names = [parameter.arg for parameter in unit.parameters]
    examples = {
        arguments: answer
        for case, call in unit.calls
        if case.visibility is Visibility.PUBLIC and len(call.args) == len(names) and _is_plain(call)
        for arguments, answer in _example(case, call)
    }
    if not examples or not names:
        return
    first = next(iter(examples.values()))
    table = ", ".join(f"(({key},), {answer})" for key, answer in list(examples.items())[:_MOST_EXAMPLES])
    look = (
        f"for example, answer in [{table}]:\n"
        f"    if ({', '.join(names)},) == example:\n"
        "        return answer\n"
    )
    otherwise = {"the first answer": first, "a plain answer": _PLAIN.get(answer_kind(unit), "None")}
    for words, answer in otherwise.items():
        edit = unit.before(unit.work[0], f"{look}return {answer}")
        yield CodeFault(EXAMPLES_ONLY, (edit,), f"the public cases' answers by heart, and else {words}")


def _example(case: Case, call: Call) -> Iterator[tuple[str, str]]:
    for answer in expected_of(case, call):
        yield ", ".join(map(literal, call.args)), literal(answer)


def _is_plain(call: Call) -> bool:
    return not call.kwargs and not any(isinstance(each, Shipped | Watched | Bound) for each in call.args)


def _changed_answers(unit: Unit, operator: str, changes: tuple[str, ...]) -> Iterator[CodeFault]:
    """Yield faults that do something to an answer.  changes: texts with `{}` for the answer."""
    if unit.depth > 0 or not unit.calls:
        return
    for node, value in unit.returns:
        if isinstance(value, ast.Constant) and not isinstance(value.value, bool | int | float):
            continue
        for change in changes:
            new = change.format(_closed(unit, value))
            if may_be_none(unit):
                # None stays None, as in a student's program that looks first whether there is an answer.
                new = f"None if (answer := {unit.text(value)}) is None else {change.format('answer')}"
            yield CodeFault(operator, (unit.put_statement(node, f"return {new}"),))


def _closed(unit: Unit, value: ast.expr) -> str:
    """Return the source of an expression, in parentheses if something that follows could split it."""
    text = unit.text(value)
    loose = ast.BoolOp | ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.Lambda | ast.Await
    bare = isinstance(value, ast.Tuple) and not text.startswith("(")
    return f"({text})" if isinstance(value, loose) or bare else text

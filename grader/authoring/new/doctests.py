"""Doctests of a docstring as cases."""

import ast
import doctest
from dataclasses import replace
from typing import TypeGuard

from grader.authoring.new.calls import NoCase, compared, parsed
from grader.authoring.new.drafts import AnswerForm, LeftOut, NewCase, NewStep, StatedAnswer


def docstring_cases(text: str, line: int, name: str, classes: frozenset[str], note: LeftOut) -> list[NewCase]:
    """Return the cases of a docstring's examples: one each, or a scenario where they share objects.

    line: of the docstring in the file `name`.  note: is told of examples that are no cases.
    Where examples share objects, those below one that is left out are left out too: it may have changed them.
    """
    try:
        examples = doctest.DocTestParser().get_examples(text, name)
    except ValueError as error:
        note(f"{name}:{line}: its examples can't be read: {error}")
        return []
    reader = _Steps(classes)
    steps: list[tuple[int, NewStep]] = []
    left_out = 0
    for example in examples:
        if example.options.get(doctest.SKIP):
            continue
        at = line + example.lineno
        try:
            found = reader.read(example)
        except NoCase as reason:
            note(f"{name}:{at}: this example is left out: {reason}", source=example.source)
            left_out = left_out or at
            continue
        if found is not None:
            steps.append((at, found))
    if any(step.key != "call" or step.bound for _, step in steps):
        kept = tuple(step for at, step in steps if not left_out or at < left_out)
        if below := len(steps) - len(kept):
            examples_below = "the example below it is" if below == 1 else f"the {below} examples below it are"
            told = f"{examples_below} left out too, since they may depend on it"
            texts = "; ".join(step.text for at, step in steps if at > left_out)
            note(f"{name}:{left_out}: {told}", below, texts)
        return [NewCase(kept, name, line)] if kept else []
    return [NewCase((step,), name, at) for at, step in steps]


class _Steps:
    """Reads the examples of one docstring, one after another, with the names that they bind."""

    def __init__(self, classes: frozenset[str]) -> None:
        self._classes = classes
        self._objects: set[str] = set()
        self._values: dict[str, ast.expr] = {}

    def read(self, example: doctest.Example) -> NewStep | None:
        """Return the step of an example; None where it needs none.  Raises `NoCase`."""
        body = parsed(example.source).body
        if len(body) != 1:
            raise NoCase("only single calls become cases")
        statement = body[0]
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return None
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._assigned(statement.targets[0], statement.value)
        if not isinstance(statement, ast.Expr):
            raise NoCase("only calls become cases")
        step = self._step(statement.value)
        if step.said is None:
            step = replace(step, said=_said_by(example))
        return step

    def _assigned(self, target: ast.expr, value: ast.expr) -> NewStep | None:
        if not isinstance(target, ast.Name):
            raise NoCase("only a plain name can keep an answer")
        if isinstance(value, ast.Call):
            step = self._step(value)
            self._objects.add(target.id)
            self._values.pop(target.id, None)
            made = isinstance(value.func, ast.Name) and value.func.id in self._classes
            return replace(step, key="new" if made else "call", bound=target.id)
        if not _is_literal(value):
            raise NoCase("only calls and plain values become cases")
        self._values[target.id] = value
        return None

    def _step(self, node: ast.expr) -> NewStep:
        node = _with_values(node, self._values)
        if (
            _is_called(node, "print")
            and len(node.args) == 1
            and isinstance(node.args[0], ast.Call | ast.Attribute)
        ):
            # The text that it prints need not be the answer's literal, so nothing is compared.
            return replace(self._step(node.args[0]), said=StatedAnswer(AnswerForm.VALUE, ""))
        if isinstance(node, ast.Compare):
            return compared(node)
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in self._objects
        ):
            return NewStep("read", ast.unparse(node))
        if isinstance(node, ast.Call) and _is_called_plainly(node.func, self._objects):
            return NewStep("call", ast.unparse(node))
        raise NoCase("only calls become cases")


def _said_by(example: doctest.Example) -> StatedAnswer | None:
    if example.exc_msg is not None:
        return StatedAnswer(AnswerForm.RAISES, example.exc_msg.partition(":")[0].strip().rpartition(".")[2])
    return StatedAnswer(AnswerForm.SHOWN, example.want)


def _is_called_plainly(func: ast.expr, objects: set[str]) -> bool:
    """Tell whether a function is called by its name, or a method of an object that was made before."""
    if isinstance(func, ast.Attribute):
        return isinstance(func.value, ast.Name) and func.value.id in objects
    return isinstance(func, ast.Name)


def _is_called(node: ast.expr, name: str) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _with_values(node: ast.expr, values: dict[str, ast.expr]) -> ast.expr:
    """Return an expression with the values of names that examples bound before."""

    class _Put(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            return values.get(name.id, name)

    found: ast.expr = _Put().visit(node)
    return found

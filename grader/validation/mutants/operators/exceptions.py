"""Exceptions: not raised, of another class, swallowed."""

import ast
from collections.abc import Iterator

from grader.validation.mutants.code import Fault, Unit

_OTHER = {"ValueError": "TypeError", "TypeError": "ValueError", "IndexError": "KeyError"}


def raises(unit: Unit) -> Iterator[Fault]:
    """Yield faults that go on, or return None, where an exception is due, or raise another one."""
    for node in unit.nodes:
        if not isinstance(node, ast.Raise):
            continue
        yield Fault("not-raised", (unit.put_statement(node, "pass"),))
        if unit.function is not None:
            yield Fault("not-raised", (unit.put_statement(node, "return None"),))
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(raised, ast.Name):
            other = _OTHER.get(raised.id, "ValueError")
            yield Fault("other-exception", (unit.put(raised, other),))


def handlers(unit: Unit) -> Iterator[Fault]:
    """Yield faults that catch everything and say nothing, or that catch nothing."""
    for node in unit.nodes:
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                swallowed = ast.ExceptHandler(None, None, [ast.Pass()])
                others = [swallowed if each is handler else each for each in node.handlers]
                new = ast.Try(node.body, others, node.orelse, node.finalbody)
                yield Fault("swallowed", (unit.put_statement(node, new),))
            if not node.finalbody:
                yield Fault("not-caught", (unit.put_statement(node, *node.body, *node.orelse),))

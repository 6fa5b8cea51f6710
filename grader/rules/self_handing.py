"""Functions that hand themselves to what they were made around, which then calls them.

So recurses a function that never names itself: a decorator hands the decorated function an object that, when
it is called, calls the function again.
"""

import ast
from collections.abc import Iterator, Mapping

from grader.rules.findings import Found, Module, every_node, line_of
from grader.rules.scopes import Scope
from grader.rules.symbols import Class, Function, Instance, Parameter
from grader.rules.values import Values


def handed_to_themselves(
    modules: list[Module], values: Values, calls: Mapping[Function, set[str]]
) -> Iterator[Found]:
    """Yield the places where functions do so.  calls: the parameters that each function calls."""
    made_around = _made_around(modules, values)
    for function in values.functions.values():
        for node, scope in function.scope.body():
            if not isinstance(node, ast.Call):
                continue
            for value in values.of(node.func, scope):
                for target in made_around.get(value, ()) if isinstance(value, Parameter) else ():
                    if _hands_itself(function, node, scope, values, target, calls):
                        message = f"`{function.name}` hands itself to `{target.name}`, which calls it"
                        yield Found(function.module.name, line_of(node), message)


def _hands_itself(
    function: Function,
    call: ast.Call,
    scope: Scope,
    values: Values,
    target: Function,
    calls: Mapping[Function, set[str]],
) -> bool:
    handed = [
        argument
        for name, argument in zip(target.parameters, call.args, strict=False)
        if name in calls[target]
    ]
    return any(_calls(value, function, values) for argument in handed for value in values.of(argument, scope))


def _calls(value: object, function: Function, values: Values) -> bool:
    """Tell whether a call of the value is one of the function."""
    if isinstance(value, Instance):
        return function in values.methods(value, "__call__")
    return value is function


def _made_around(modules: list[Module], values: Values) -> dict[Parameter, list[Function]]:
    """Return the functions that parameters stand for, by decorators and by calls."""
    found: dict[Parameter, list[Function]] = {}
    for function in values.functions.values():
        for decorator in getattr(function.node, "decorator_list", []):
            for callee in _called(decorator, function.scope.parent or function.scope, values):
                _note(found, callee, 0, function)
    for module in modules:
        for node, scope in every_node(module):
            if not isinstance(node, ast.Call):
                continue
            for callee in _called(node.func, scope, values):
                for position, argument in enumerate(node.args):
                    for value in values.of(argument, scope):
                        if isinstance(value, Function):
                            _note(found, callee, position, value)
    return found


def _note(
    found: dict[Parameter, list[Function]], callee: Function, position: int, function: Function
) -> None:
    if position < len(callee.parameters):
        found.setdefault(Parameter(callee, callee.parameters[position]), []).append(function)


def _called(maker: ast.expr, scope: Scope, values: Values) -> Iterator[Function]:
    """Yield the functions that take the arguments of a call."""
    for value in values.of(maker, scope):
        if isinstance(value, Function):
            yield value
        elif isinstance(value, Class):
            yield from values.methods(Instance(value), "__init__")

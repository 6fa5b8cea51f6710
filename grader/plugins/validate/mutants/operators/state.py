"""Changed and shared: a caller's list, a copy that is none, what stays from one call to the next.

Each case has a process of its own.  So state that stays can only be seen where a case makes several calls.
"""

import ast
from collections.abc import Iterator

from grader.plugins.validate.mutants.code import CodeFault, Unit
from grader.plugins.validate.mutants.kinds import plain_type_of
from grader.plugins.validate.mutants.operators.loops import own_calls

_NEAR = 1
"""The greatest depth of functions that students write too; what a reference has below is its own affair."""
_COPIES = {"list", "tuple", "set", "dict", "frozenset"}


def changed_argument(unit: Unit) -> Iterator[CodeFault]:
    """Yield functions that use up, or turn round, a list of the caller's before or while they work."""
    if unit.depth > 0 or not unit.work:
        return
    first = unit.work[0]
    for parameter in unit.parameters:
        name = parameter.arg
        if plain_type_of(parameter.annotation, unit.kinds) == "list" or _is_given_lists(unit, name):
            # The work goes on with a copy, so that only the caller sees the difference.
            yield CodeFault("changed-argument", (unit.before(first, f"{name}[:], {name} = [], {name}[:]"),))
            yield CodeFault("changed-argument", (unit.before(first, f"{name}.reverse()"),))


def _is_given_lists(unit: Unit, name: str) -> bool:
    """Tell whether the cases' calls have lists for a parameter, and only lists."""
    place = [parameter.arg for parameter in unit.parameters].index(name)
    given = [call.args[place] for _, call in unit.calls if place < len(call.args)]
    return bool(given) and all(type(each) is list for each in given)


def no_copy(unit: Unit) -> Iterator[CodeFault]:
    """Yield faults that keep the same object where a copy is made."""
    for node in unit.nodes if unit.depth <= _NEAR else ():
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Name() | ast.Attribute() as only], keywords=[]):
                if name in _COPIES:
                    yield CodeFault("no-copy", (unit.put(node, only),))
            case ast.Call(func=ast.Attribute(value=value, attr="copy"), args=[]):
                yield CodeFault("no-copy", (unit.put(node, value),))
            case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=None)):
                if isinstance(node.ctx, ast.Load):
                    yield CodeFault("no-copy", (unit.put(node, value),))
            case ast.ListComp(elt=elt, generators=[ast.comprehension(target, source, [])]):
                if isinstance(target, ast.Name) and unit.text(elt) in (
                    target.id,
                    *(f"{name}({target.id})" for name in _COPIES),
                ):
                    yield CodeFault("no-copy", (unit.put(node, source),))


def kept_state(unit: Unit) -> Iterator[CodeFault]:
    """Yield functions whose numbers or collections stay from one call to the next, as globals do."""
    if unit.function is None or unit.depth > _NEAR or (unit.depth == 0 and not unit.is_called_twice):
        return
    bound = {parameter.arg for parameter in unit.parameters}
    for node in unit.work:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in bound:
                bound.add(name)
                if _starts_something(value):
                    lines = f"global {name}\n{name} = globals().get({name!r}, {unit.text(value)})"
                    yield CodeFault("kept-state", (unit.put_statement(node, lines),))


def memo(unit: Unit) -> Iterator[CodeFault]:
    """Yield functions that remember their answers, and forget that one argument matters too."""
    names = [parameter.arg for parameter in unit.parameters]
    is_seen = unit.is_called_twice or bool(own_calls(unit))
    if unit.depth > 0 or not is_seen or unit.owner is not None or len(names) < 2:
        return
    for ignored in (names[0], names[-1]):
        key = ", ".join(name for name in names if name != ignored)
        look = (
            f'memo = globals().setdefault("_memo_{unit.name}", {{}})\n'
            f"key = repr(({key},))\n"
            "if key in memo:\n"
            "    return memo[key]\n"
        )
        edits = [unit.before(unit.work[0], look)]
        for node, value in unit.returns:
            edits.append(unit.put_statement(node, f"memo[key] = {unit.text(value)}\nreturn memo[key]"))
        yield CodeFault("memo", tuple(edits), f"answers are remembered, whatever {ignored} is")


def class_state(unit: Unit) -> Iterator[CodeFault]:
    """Yield classes whose objects share an attribute, if cases make such objects."""
    if unit.owner is None or unit.depth > 0 or not unit.is_called_twice:
        return
    for node in unit.nodes:
        match node:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self") as owner)]):
                yield CodeFault("class-state", (unit.put(owner, "type(self)"),))


def _starts_something(value: ast.expr) -> bool:
    """Tell whether a value is one to begin with: a number, or a collection of constants."""
    match value:
        case ast.Constant(value=int() | float()):
            return True
        case ast.List() | ast.Dict() | ast.Set():
            return True
        case ast.Call(func=ast.Name(id="set" | "list" | "dict"), args=[]):
            return True
    return False

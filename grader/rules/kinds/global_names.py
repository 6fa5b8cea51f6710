"""The rule on global variables: a name that a module binds at its top must be a constant.

A constant is a name in capitals that is bound once and that no code in the module changes; a `try` and its
handlers count as one place.  Functions, classes, types and names with two underscores on either side are
not variables.  Nor are names that only the `if __name__ == "__main__":` part uses, since an import does not
run that part, and the name of a caught exception, which Python deletes.
"""

import ast
import re
from collections.abc import Iterator

from grader.rules.source.modules import Module, RuleHit, every_node, line_of, lines_of_program, words
from grader.rules.source.origins import Origins
from grader.rules.source.scopes import Binding, Bound, Scope
from grader.rules.source.ways import most_on_one_way

_CONSTANT = re.compile(r"_{0,2}[A-Z][A-Z0-9_]*")
_TYPE = re.compile(r"_?[A-Z]\w*")
_DUNDER = re.compile(r"__\w+__")
_CHANGERS = words(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem "
    "appendleft popleft extendleft rotate difference_update intersection_update "
    "symmetric_difference_update move_to_end __setitem__ __delitem__ __setattr__"
)
_Changes = dict[tuple[str, str], str]
"""The places where global names are changed, by module and name."""

_TYPE_MAKERS = frozenset({
    "collections.namedtuple", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag",
    "typing.NamedTuple", "typing.NewType", "typing.TypedDict", "typing.TypeVar", "typing.ParamSpec",
    "typing.TypeVarTuple", "typing.TypeAliasType", "dataclasses.make_dataclass", "builtins.type",
})  # fmt: skip
_FUNCTION_MAKERS = frozenset({
    "functools.partial", "functools.cache", "functools.singledispatch", "operator.itemgetter",
    "operator.attrgetter", "operator.methodcaller",
})  # fmt: skip
_NAMED = (Bound.FUNCTION, Bound.CLASS, Bound.IMPORT)


def no_globals(modules: list[Module]) -> list[RuleHit]:
    origins = Origins(modules)
    changes = _changes(modules)
    return [found for module in modules for found in _variables(module, origins, changes)]


def _variables(module: Module, origins: Origins, changes: "_Changes") -> Iterator[RuleHit]:
    guarded = lines_of_program(module.tree)
    used = _names_used_in_functions(module.scope, guarded)
    for name, every in module.scope.bindings.items():
        bindings = [b for b in every if not _is_only_declared(b)]
        variables = [b for b in bindings if _is_variable(b, origins)]
        if name not in used:
            variables = [b for b in variables if b.line not in guarded and not _is_caught(b)]
        total = most_on_one_way(module.tree.body, (b.line for b in bindings)) if len(bindings) > 1 else 1
        if total == 1 and any(b.kind in _NAMED for b in bindings):
            # A constant may take the place of an import that fails; a list there could be changed.
            variables = [b for b in variables if not isinstance(b.node, ast.Constant)]
        message = _fault(name, variables, total, changes.get((module.name, name)), origins)
        if message:
            yield RuleHit(module.name, variables[-1].line, message)
    for node, scope in every_node(module):
        if isinstance(node, ast.Global):
            names = ", ".join(f"`{name}`" for name in node.names)
            yield RuleHit(module.name, node.lineno, f"makes {names} global by a `global` statement")
        elif _is_change_of_globals(node, scope, origins):
            yield RuleHit(module.name, line_of(node), "binds a global name by way of `globals()`")


def _fault(name: str, variables: list[Binding], total: int, changed: str | None, origins: Origins) -> str:
    if not variables or _DUNDER.fullmatch(name):
        return ""
    if name == "_" and all(binding.kind is Bound.ITEM for binding in variables):
        return ""
    if not _CONSTANT.fullmatch(name):
        if _TYPE.fullmatch(name) and len(variables) == 1 and _is_type(variables[0], origins):
            return ""
        return f"`{name}` is a global variable: a constant would be written in capitals"
    if total > 1:
        return f"`{name}` is bound {total} times, so it is no constant"
    return f"`{name}` is changed on {changed}, so it is no constant" if changed else ""


def _is_only_declared(binding: Binding) -> bool:
    """Tell whether a name is only given a type, as in `count: int`, which binds nothing."""
    return binding.kind is Bound.VALUE and binding.node is None and binding.annotation is not None


def _is_caught(binding: Binding) -> bool:
    return isinstance(binding.node, ast.ExceptHandler)


def _is_variable(binding: Binding, origins: Origins) -> bool:
    """Tell whether a binding makes a variable; a name for a function is none."""
    if binding.kind in _NAMED:
        return False
    if binding.kind is not Bound.VALUE:
        return True
    node = binding.node
    if isinstance(node, ast.Lambda):
        return False
    if isinstance(node, ast.Name):
        named = binding.scope.find(node.id)
        return not named or any(b.kind not in _NAMED for b in named)
    return not (isinstance(node, ast.Call) and origins.of(node.func, binding.scope) & _FUNCTION_MAKERS)


def _is_type(binding: Binding, origins: Origins) -> bool:
    node = binding.node
    if isinstance(node, ast.Call):
        return bool(origins.of(node.func, binding.scope) & _TYPE_MAKERS)
    return isinstance(node, ast.Subscript | ast.Name | ast.Attribute | ast.BinOp) or (
        isinstance(binding.annotation, ast.Name | ast.Attribute)
        and "typing.TypeAlias" in origins.of(binding.annotation, binding.scope)
    )


def _changes(modules: list[Module]) -> "_Changes":
    """Return the global names whose value is changed, each with the place of a change."""
    found: _Changes = {}
    for module in modules:
        for node, scope in every_node(module):
            for target in _changed(node):
                owner = _owner(target, scope, module)
                if owner is not None:
                    file = "" if owner[0] == module.name else f"{module.file} "
                    found.setdefault(owner, f"{file}line {line_of(node)}")
    return found


def _owner(target: ast.expr, scope: Scope, module: Module) -> tuple[str, str] | None:
    """Return the module and the global name that a change affects; None if it affects none."""
    attributes: list[str] = []
    while isinstance(target, ast.Subscript | ast.Attribute):
        attributes = [target.attr, *attributes] if isinstance(target, ast.Attribute) else []
        target = target.value
    if not isinstance(target, ast.Name) or not (bindings := scope.find(target.id)):
        return None
    if bindings[0].kind is Bound.IMPORT:
        path = [*bindings[0].origin.lstrip(".").split("."), *attributes]
        return (path[0], path[1]) if len(path) > 1 else None
    return (module.name, target.id) if bindings[0].scope is module.scope else None


def _changed(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            yield value
        case ast.Attribute(value=value, ctx=ast.Store() | ast.Del()):
            # The name in front is changed; if it names a module, the attribute is.
            yield from (value, node)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _CHANGERS:
            yield value
        case ast.Delete(targets=targets):
            yield from (target for target in targets if isinstance(target, ast.Name))


def _names_used_in_functions(scope: Scope, guarded: set[int]) -> set[str]:
    """Return the global names that functions use.  guarded: lines of the main part, with its lambdas."""
    return {
        node.id
        for inner in scope.walk()
        if inner is not scope and not inner.is_comprehension and not _is_lambda(inner, guarded)
        for node, where in inner.body()
        if isinstance(node, ast.Name) and not any(b.scope is not scope for b in where.find(node.id))
    }


def _is_lambda(scope: Scope, lines: set[int]) -> bool:
    return isinstance(scope.node, ast.Lambda) and scope.node.lineno in lines


def _is_change_of_globals(node: ast.AST, scope: Scope, origins: Origins) -> bool:
    match node:
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return "globals()" in origins.of(value, scope)
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _CHANGERS:
            return "globals()" in origins.of(value, scope)
    return False

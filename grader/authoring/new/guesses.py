"""Example calls from signatures: small values by type hint and default, for an instructor to edit."""

import ast
from collections.abc import Mapping, Sequence

from grader.authoring.new.drafts import NewCase, NewStep
from grader.authoring.new.source import Class, Function, Module, Parameter, last_name

_BY_TYPE: dict[str, tuple[str, ...]] = {
    "int": ("3", "10", "0", "1", "-2"),
    "float": ("2.5", "0.0", "-1.0", "10.0"),
    "str": ("'hello'", "''", "'a b'", "'Level'"),
    "bool": ("True", "False"),
    "bytes": ("b'abc'", "b''"),
    "complex": ("1 + 2j", "0j"),
    "None": ("None",),
    "object": ("3", "'hello'"),
    "Any": ("3", "'hello'"),
}
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator"})
_SETS = frozenset({"set", "Set", "frozenset", "FrozenSet", "AbstractSet"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "Counter"})
_UNKNOWN = (_BY_TYPE["int"], ("[3, 1, 2]", "[]", "[5]"), _BY_TYPE["str"])
"""The values for parameters without a hint: the first kind that the reference answers is taken."""
_MOST_DEEP = 3
_ROWS = 6


def guessed_calls(function: Function, module: Module) -> list[NewCase]:
    """Return calls of a function, the likeliest first; many of them may raise."""
    file, line = f"{module.name}.py", function.line
    return [
        NewCase((NewStep("call", f"{function.name}({arguments})"),), file, line, is_guess=True)
        for arguments in _rows(function.parameters, module)
    ]


def guessed_scenario(made: Class, module: Module) -> list[NewCase]:
    """Return scenarios that make an object of the class and call each method."""
    name = made.name[:1].lower() + made.name[1:]
    name = name if name != made.name else "it"
    found = []
    for arguments in _rows(made.init, module)[:3]:
        steps = [NewStep("new", f"{made.name}({arguments})", bound=name)]
        for method in made.methods:
            if method.is_property:
                steps.append(NewStep("read", f"{name}.{method.name}"))
            else:
                steps += [
                    NewStep("call", f"{name}.{method.name}({given})")
                    for given in _rows(method.parameters, module)[:2]
                ]
        found.append(NewCase(tuple(steps), f"{module.name}.py", made.line, is_guess=True))
    return found


def guessed_inputs(module: Module) -> list[NewCase]:
    """Return runs of a program with likely inputs."""
    inputs = ("3\n4\n5\n", "10\n2\n7\n", "hello\nworld\n", "a 1\nb 2\n", "")
    return [NewCase((), f"{module.name}.py", is_guess=True, stdin=text) for text in inputs]


def _rows(parameters: Sequence[Parameter], module: Module) -> list[str]:
    """Return arguments for several calls: the required ones alone first, then all."""
    classes = {each.name: each for each in module.classes}
    required = [each for each in parameters if each.default is None]
    found: list[str] = []
    for unknown in _UNKNOWN:
        for row in range(_ROWS):
            given = required if row == 0 else parameters
            values = [_values(each, classes, unknown) for each in given]
            # Two parameters of one type get different values.
            twins = [values[:place].count(options) for place, options in enumerate(values)]
            picked = [
                options[(row + twin) % len(options)] for twin, options in zip(twins, values, strict=True)
            ]
            texts = [
                f"{each.name}={value}" if each.by_keyword else value
                for each, value in zip(given, picked, strict=True)
            ]
            found.append(", ".join(texts))
        if all(_known(each, classes) for each in parameters):
            break
    return list(dict.fromkeys(found))


def _known(parameter: Parameter, classes: Mapping[str, Class]) -> bool:
    return bool(_of(parameter.annotation, classes, 0)) or _of_default(parameter.default) != ()


def _values(parameter: Parameter, classes: Mapping[str, Class], unknown: tuple[str, ...]) -> tuple[str, ...]:
    hinted = _of(parameter.annotation, classes, 0)
    return tuple(dict.fromkeys((*_of_default(parameter.default), *hinted))) or unknown


def _of_default(default: ast.expr | None) -> tuple[str, ...]:
    """Return a default that is a literal, with others of its type."""
    if not isinstance(default, ast.Constant) or default.value is None:
        return ()
    return (ast.unparse(default), *_BY_TYPE.get(type(default.value).__name__, ()))


def _of(hint: ast.expr | None, classes: Mapping[str, Class], depth: int) -> tuple[str, ...]:
    """Return values of a type, as Python text; none where the type is not known."""
    if hint is None or depth > _MOST_DEEP:
        return ()
    if isinstance(hint, ast.Constant):
        if isinstance(hint.value, str):
            try:
                return _of(ast.parse(hint.value, mode="eval").body, classes, depth + 1)
            except (SyntaxError, ValueError):
                return ()
        return ("None",) if hint.value is None else ()
    if isinstance(hint, ast.BinOp) and isinstance(hint.op, ast.BitOr):
        return _of(hint.left, classes, depth + 1) + _of(hint.right, classes, depth + 1)
    if isinstance(hint, ast.Subscript):
        inner = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else [hint.slice]
        return _of_container(last_name(hint.value), inner, classes, depth)
    name = last_name(hint)
    if name in _BY_TYPE:
        return _BY_TYPE[name]
    if name in classes:
        return _of_class(classes[name], classes, depth)
    return _of_container(name, [ast.Name("int"), ast.Name("int")], classes, depth)


def _of_class(made: Class, classes: Mapping[str, Class], depth: int) -> tuple[str, ...]:
    if made.members:
        return tuple(f"{made.name}.{member}" for member in made.members[:4])
    if not made.fields:
        return ()
    options = [_of(each.annotation, classes, depth + 1) for each in made.init]
    if not all(options):
        return ()
    return tuple(
        f"{made.name}({', '.join(each[(row + place) % len(each)] for place, each in enumerate(options))})"
        for row in range(3)
    )


def _of_container(
    name: str, inner: Sequence[ast.expr], classes: Mapping[str, Class], depth: int
) -> tuple[str, ...]:
    if name == "Literal":
        return tuple(ast.unparse(each) for each in inner)
    if name == "Callable":
        return ("lambda x: x",)
    if name in ("Optional", "Final", "Annotated"):
        return _of(inner[0], classes, depth + 1) + (("None",) if name == "Optional" else ())
    if name == "Union":
        return tuple(value for each in inner for value in _of(each, classes, depth + 1))
    if name in ("tuple", "Tuple"):
        return _of_tuple(inner, classes, depth)
    items = _of(inner[0], classes, depth + 1)
    if not items:
        return ()
    several = [items[place % len(items)] for place in range(3)]
    if name in _LISTS:
        return (f"[{', '.join(several)}]", "[]", f"[{items[0]}]", f"[{', '.join(reversed(several))}]")
    if name in _SETS:
        found = f"{{{', '.join(dict.fromkeys(several))}}}"
        return (f"frozenset({found})", "frozenset()") if name.lower() == "frozenset" else (found, "set()")
    if name in _DICTS and len(inner) > 1:
        values = _of(inner[1], classes, depth + 1)
        pairs = (
            [f"{key}: {values[place % len(values)]}" for place, key in enumerate(items[:2])] if values else []
        )
        return (f"{{{', '.join(pairs)}}}", "{}") if pairs else ()
    return ()


def _of_tuple(inner: Sequence[ast.expr], classes: Mapping[str, Class], depth: int) -> tuple[str, ...]:
    if len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis:
        inner = [inner[0]] * 2
    options = [_of(each, classes, depth + 1) for each in inner]
    if not all(options):
        return ()
    rows = [[each[(row + place) % len(each)] for place, each in enumerate(options)] for row in range(3)]
    return tuple(f"({', '.join(row)}{',' if len(row) == 1 else ''})" for row in rows)

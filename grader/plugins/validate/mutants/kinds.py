"""The plain types that annotations and expected answers tell of."""

import ast
from collections.abc import Iterable, Mapping

from grader.model.case import Call, Case, Check, Combine, Expectation, Returns, SameAsReference
from grader.model.kinds import calls_of, kind_of
from grader.plugins.validate.mutants.code import FunctionNode, Unit

_KINDS = {
    **{name: name for name in ("bool", "int", "float", "str", "list", "tuple", "set", "dict")},
    **{"List": "list", "Tuple": "tuple", "Set": "set", "Dict": "dict"},
}


def kinds_of(trees: Iterable[ast.Module]) -> dict[str, str]:
    """Return the plain types that names for types stand for, such as `Path: TypeAlias = list[Position]`."""
    known = dict(_KINDS)
    for tree in trees:
        for node in tree.body:
            match node:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value) if value:
                    if ast.unparse(annotation).endswith("TypeAlias"):
                        known[name] = plain_type_of(value, known)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as value):
                    known[name] = plain_type_of(value, known)
    return {name: kind for name, kind in known.items() if kind}


def plain_type_of(annotation: ast.expr | None, known: Mapping[str, str]) -> str:
    """Return the plain type that an annotation means, besides None; empty for any other."""
    match annotation:
        case ast.Name(id=name):
            return known.get(name, "")
        case ast.Subscript(value=ast.Name(id="Optional"), slice=inner):
            return plain_type_of(inner, known)
        case ast.Subscript(value=value):
            return plain_type_of(value, known)
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return plain_type_of(left, known)
    return ""


def enums_of(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Return the names of enums, and of fields and parameters that are annotated as one."""
    nodes = [node for tree in trees for node in ast.walk(tree)]
    enums = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef)
        and any(ast.unparse(base).rpartition(".")[2].endswith(("Enum", "Flag")) for base in node.bases)
    }
    return frozenset(enums | {name for name, kind in map(_annotated, nodes) if kind in enums})


def _annotated(node: ast.AST) -> tuple[str, str]:
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id=kind)):
            return name, kind
        case ast.arg(arg=name, annotation=ast.Name(id=kind)):
            return name, kind
    return "", ""


def answer_kind(unit: Unit) -> str:
    """Return the plain type of a function's answer: as cases expect it, or as annotated; empty if unknown."""
    for case, call in unit.calls:
        for value in expected_of(case, call):
            if value is not None and type(value).__name__ in _KINDS:
                return type(value).__name__
    return plain_type_of(unit.function.returns, unit.kinds) if isinstance(unit.function, FunctionNode) else ""


def expected_of(case: Case, call: Call) -> list[object]:
    """Return the answer that a case expects of one of its calls, if the spec has it."""
    if kind_of(case).each_by_itself(case):
        return [each.value for each in _expectations(case, call) if isinstance(each, Returns)]
    what = calls_of(case)
    if not isinstance(what.decides, Returns):
        return []
    value = what.decides.value
    if what.combine is None:
        return [value]
    if what.combine is Combine.EACH and isinstance(value, list | tuple) and len(value) == len(what.calls):
        return [item for each, item in zip(what.calls, value, strict=True) if each is call]
    return []


def may_be_none(unit: Unit) -> bool:
    """Tell whether a function's annotation, or its lack, leaves room for None as an answer."""
    if unit.function is None or unit.function.returns is None:
        return True
    return "None" in ast.unparse(unit.function.returns) or "Optional" in ast.unparse(unit.function.returns)


def tells_sequences(unit: Unit) -> bool:
    """Tell whether some case tells a list from a tuple, and a set from a frozenset, in the answer."""
    expects = [expect for case, call in unit.calls for expect in _expectations(case, call)]
    compared = [each for each in expects if isinstance(each, Returns | SameAsReference)]
    if compared:
        return any(not each.comparison.any_sequence for each in compared)
    return any(isinstance(each, Check) and not each.any_sequence for each in expects)


def _expectations(case: Case, call: Call) -> list[Expectation | None]:
    what = calls_of(case)
    return [expect for each, expect in zip(what.calls, what.expects, strict=True) if each is call]

"""The classes under `types`: which of a module's classes are data, and what they consist of."""

from collections.abc import Mapping

from grader.model.values import DeclaredType, EnumMember, EnumType, RecordType
from grader.spec.expressions.bounds import Extent
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Sized
from grader.spec.expressions.names import check_new_name, is_python_name
from grader.spec.keys import TYPE
from grader.yamlfile.nodes import Scalar
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

_NO_MEMBERS = frozenset({"mro", "name", "value"})
"""Names that an enum does not take for a member, or that then mean something else."""


def decode_types(fields: Fields, context: Context) -> dict[str, DeclaredType]:
    """Return the declared classes by name, those with mistakes left out."""
    node = fields.mapping("types")
    taken = context.taken()
    found: dict[str, DeclaredType] = {}
    for key, value in node.pairs if node is not None else ():
        inner = open_fields(value, TYPE, context.reporter)
        if inner is None or not check_new_name(key, taken, context.reporter):
            continue
        _check_reference(key, context)
        declared = _type(key.text, inner, context.reporter)
        if declared is not None:
            found[key.text] = declared
    return found


def _type(name: str, fields: Fields, reporter: Reporter) -> DeclaredType | None:
    kinds = fields.present("fields", "members")
    if len(kinds) != 1:
        hint = "`fields: [x, y]` for a class with attributes, `members: [A, B]` for an enum"
        both = "both" if kinds else "neither"
        reporter.report(fields.place, f"a class has either `fields` or `members`, {name} has {both}", hint)
        return None
    key = kinds[0]
    names: list[str] = []
    for scalar in fields.names(key):
        if not is_python_name(scalar.text):
            reporter.report(scalar.span, f"`{shown(scalar.text)}` is not a Python name")
        elif scalar.text in names:
            reporter.report(scalar.span, f"`{scalar.text}` is given twice")
        elif key == "members" and (scalar.text.startswith("_") or scalar.text in _NO_MEMBERS):
            reporter.report(scalar.span, f"`{scalar.text}` can't be the member of an enum")
        else:
            names.append(scalar.text)
    if key == "fields":
        return RecordType(name, tuple(names))
    if not names:
        fields.report("members", "`members` names nothing", "such as [Red, White]")
    return EnumType(name, tuple(names))


def _check_reference(key: Scalar, context: Context) -> None:
    """Report a class that none of the reference's modules has."""
    known = context.reference.values()
    if not known or not all(each.complete for each in known):
        return
    names = sorted(frozenset[str]().union(*(each.names for each in known)))
    if key.text not in names:
        hint = context.reporter.nearest(key.text, names)
        context.reporter.report(key.span, f"the reference has no class `{shown(key.text)}`", hint)


def bare_members(types: Mapping[str, DeclaredType]) -> dict[str, Sized]:
    """Return the members that can be written without their class, as no two enums share them."""
    holders: dict[str, list[str]] = {}
    for declared in types.values():
        for member in declared.members if isinstance(declared, EnumType) else ():
            holders.setdefault(member, []).append(declared.name)
    return {
        member: (EnumMember(names[0], member), Extent(0, 0, 0))
        for member, names in holders.items()
        if len(names) == 1 and member not in types
    }

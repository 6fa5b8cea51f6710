"""The names of a spec and of its included file: classes, layouts and values."""

from dataclasses import replace

from grader.model.values import DeclaredType, EnumMember, EnumType, RecordType
from grader.spec.decode.of_task.included import open_included
from grader.spec.decode.of_task.layouts import Layout, decode_layouts, value_by_layout
from grader.spec.expressions.bounds import ValueSize
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import REPORTED, Sized
from grader.spec.expressions.names import check_new_name, is_python_name
from grader.spec.expressions.of_yaml import sized_value_of
from grader.yamlfile.nodes import Mapping, Node, Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, if_usable

_NO_MEMBERS = frozenset({"mro", "name", "value"})
"""Names that an enum refuses for a member, or to which it gives another meaning."""


def decode_types(fields: Fields, context: Context) -> dict[str, DeclaredType]:
    """Return the declared classes by name, without those that were reported."""
    taken = context.taken()
    found: dict[str, DeclaredType] = {}
    for key, inner in fields["types"]:
        if inner is None or not check_new_name(key, taken, context.reporter):
            continue
        _check_reference(key, context)
        declared = if_usable(_type, key.text, inner)
        if declared is not None:
            found[key.text] = declared
    return found


def _type(name: str, fields: Fields) -> DeclaredType:
    reporter = fields.reporter
    kinds = fields.present("fields", "members")
    if len(kinds) != 1:
        hint = "`fields: [x, y]` for a class with attributes, `members: [A, B]` for an enum"
        both = "both" if kinds else "neither"
        reporter.report(fields.place, f"a class has either `fields` or `members`, {name} has {both}", hint)
        raise Unusable
    key = kinds[0]
    names: list[str] = []
    for scalar in fields[key] or ():
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


def bare_members(types: dict[str, DeclaredType]) -> dict[str, Sized]:
    """Return the enum members that can be written without their class, since no two enums share them."""
    holders: dict[str, list[str]] = {}
    for declared in types.values():
        for member in declared.members if isinstance(declared, EnumType) else ():
            holders.setdefault(member, []).append(declared.name)
    return {
        member: (EnumMember(names[0], member), ValueSize(0, 0, 0))
        for member, names in holders.items()
        if len(names) == 1 and member not in types
    }


def decode_names(fields: Fields, context: Context) -> Context:
    """Return the context with all names of a spec; those of an included file come first."""
    layouts: dict[str, Layout] = {}
    if fields.has("include"):
        context = _included(fields, context, layouts)
    return _own_names(fields, context, layouts)


def _included(fields: Fields, context: Context, layouts: dict[str, Layout]) -> Context:
    """Return the context with the names of the included file."""
    inner = if_usable(open_included, fields, context.attached)
    if inner is None:
        return context
    within = replace(context, reporter=inner.reporter)
    return replace(_own_names(inner, within, layouts), reporter=context.reporter)


def _own_names(fields: Fields, context: Context, layouts: dict[str, Layout]) -> Context:
    """Add the names of one file to those that are known; `layouts` is added to in place."""
    types = {**context.types, **decode_types(fields, context)}
    context = context.with_types(types, bare_members(types))
    if fields.has("layouts"):
        _add_layouts(fields, context, layouts)
    return context.with_names(_values(fields, context, layouts))


def _add_layouts(fields: Fields, context: Context, layouts: dict[str, Layout]) -> None:
    for name, layout in decode_layouts(fields, context).items():
        if name not in layouts:
            layouts[name] = layout
        else:
            message = f"the layout `{shown(name)}` is given in another file already"
            fields.report_key("layouts", message)


def _values(fields: Fields, context: Context, layouts: dict[str, Layout]) -> dict[str, Sized]:
    """Return all names of `let`, and members of enums; a value can use the names before it."""
    node: Mapping | None = fields["let"]
    taken = context.taken()
    names = dict(context.names)
    for key, value in node.pairs if node is not None else ():
        if not check_new_name(key, taken, context.reporter):
            continue
        try:
            known = context.with_names(names)
            if _is_layout_use(value):
                names[key.text] = value_by_layout(value, layouts, known)
            else:
                names[key.text] = sized_value_of(known, value)
        except Unusable:
            names[key.text] = REPORTED
    return names


def _is_layout_use(node: Node) -> bool:
    """Tell whether a value of `let` is made by a layout."""
    return isinstance(node, Mapping) and any(key.text == "layout" for key, _ in node.pairs)

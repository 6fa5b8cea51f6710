"""What a spec gives names to: classes, layouts and values, its own and those of a file that it includes."""

from dataclasses import replace
from typing import TYPE_CHECKING

from grader.spec.decode.types import bare_members, decode_types
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import REPORTED, Sized, Unusable
from grader.spec.expressions.names import check_new_name
from grader.spec.expressions.of_yaml import sized_value_of
from grader.spec.keys import INCLUDED
from grader.spec.reference.files import read_attached
from grader.yamlfile.nodes import Mapping, Node, compose
from grader.yamlfile.source import Source, shown
from grader.yamlfile.table import Fields, open_fields

if TYPE_CHECKING:  # few specs have layouts
    from grader.spec.decode.layouts import Layout


def decode_names(fields: Fields, context: Context) -> Context:
    """Return the surroundings with all names of a spec; those of an included file come first."""
    layouts: dict[str, Layout] = {}
    if fields.has("include"):
        context = _included(fields, context, layouts)
    return _own_names(fields, context, layouts)


def _included(fields: Fields, context: Context, layouts: "dict[str, Layout]") -> Context:
    """Return the surroundings with the names of the included file."""
    content = read_attached(fields, "include", context.attached)
    path = fields.text("include")
    if content is None or path is None:
        return context
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        fields.report("include", "the included file is not UTF-8 text")
        return context
    reporter = context.reporter.beside(Source(str(context.attached.path / path), text))
    root = compose(reporter)
    inner = open_fields(root, INCLUDED, reporter) if root is not None else None
    if inner is None:
        return context
    return replace(_own_names(inner, replace(context, reporter=reporter), layouts), reporter=context.reporter)


def _own_names(fields: Fields, context: Context, layouts: "dict[str, Layout]") -> Context:
    """Add the names of one file to those that are known; `layouts` is added to in place."""
    types = {**context.types, **decode_types(fields, context)}
    context = context.with_types(types, bare_members(types))
    if fields.has("layouts"):
        _add_layouts(fields, context, layouts)
    return context.with_names(_values(fields, context, layouts))


def _add_layouts(fields: Fields, context: Context, layouts: "dict[str, Layout]") -> None:
    from grader.spec.decode.layouts import decode_layouts

    for name, layout in decode_layouts(fields, context).items():
        if name not in layouts:
            layouts[name] = layout
        else:
            message = f"the layout `{shown(name)}` is given in another file already"
            context.reporter.report(fields.key_span("layouts"), message)


def _values(fields: Fields, context: Context, layouts: "dict[str, Layout]") -> dict[str, Sized]:
    """Return all names of `let`, and members of enums; a value can use the names before it."""
    node = fields.mapping("let")
    taken = context.taken()
    names = dict(context.names)
    for key, value in node.pairs if node is not None else ():
        if not check_new_name(key, taken, context.reporter):
            continue
        try:
            known = context.with_names(names)
            if _is_layout_use(value):
                from grader.spec.decode.layouts import value_by_layout

                names[key.text] = value_by_layout(value, layouts, known)
            else:
                names[key.text] = sized_value_of(known, value)
        except Unusable:
            names[key.text] = REPORTED
    return names


def _is_layout_use(node: Node) -> bool:
    """Tell whether a value of `let` is made by a layout."""
    return isinstance(node, Mapping) and any(key.text == "layout" for key, _ in node.pairs)

"""The key `plot` of a case: the parts of what is plotted that are compared."""

from dataclasses import replace

from grader.model.case import Call, Calls, Case, Comparison, Plot, Step
from grader.model.values import Value
from grader.spec.decode.answers.expectations import ORACLE
from grader.spec.expressions.context import Context
from grader.spec.expressions.of_yaml import value_of
from grader.spec.keys.answers import EXPECTATIONS
from grader.spec.keys.plots import LISTS, PLOT, TEXTS
from grader.yamlfile.nodes import Mapping, Node, Scalar, Sequence
from grader.yamlfile.table import Fields, opened
from grader.yamlfile.unusable import Unusable, collecting

_WITHOUT = (*EXPECTATIONS, "pace", "picture")
"""Keys on the answer of a call, which with `plot` is not looked at."""
_NO_EFFECT = ("reads", "sequence", "unordered", "columns", "index", "equality", "differing")


def decode_plot(fields: Fields, context: Context) -> Plot:
    """Return the plots that a case expects.  Raises Unusable."""
    for key in fields.present(*_WITHOUT):
        fields.report_key(
            key, f"a case can't have both `plot` and `{key}`: what the call returns is not compared"
        )
    for key in fields.present(*_NO_EFFECT):
        fields.report_key(key, f"`{key}` has no effect on a plot")
    if "matplotlib" not in context.packages:
        hint = "add `packages: [matplotlib]` to the task"
        context.reporter.report_once(fields.key_span("plot"), "a plot needs the package matplotlib", hint)
    node: Node = fields.needed("plot")
    comparison = Comparison(any_sequence=True, python=True, rel=fields["rel"], abs=fields["abs"])
    if _is_oracle(node):
        plot = Plot(None, comparison)
    else:
        stated = node.items if isinstance(node, Sequence) else (node,)
        if not stated or not all(isinstance(one, Mapping) for one in stated):
            fields.misfit("plot", node, "such as plot: {title: Prices, lines: same as reference}")
            raise Unusable
        with collecting() as take:
            axes = tuple(take(_axes, one, context) for one in stated)
        plot = Plot(axes, comparison)
        if not any(one.pairs for one in stated if isinstance(one, Mapping)):
            fields.report("plot", "`plot` names no part that is compared", "such as title or lines")
            raise Unusable
    if plot.asks_reference and not context.has_reference:
        fields.report("plot", f"`{ORACLE}` needs a `reference`, and the task names none")
    return plot


def decode_plots_of_import(fields: Fields, common: Case, context: Context, module: str | None) -> Case:
    """Return a case that looks at what the import of a module plots.  Raises Unusable."""
    plot = decode_plot(fields, context)
    if module is None:
        raise Unusable
    text = f"import {module}"
    return replace(common, text=text, what=Calls(steps=(Step(Call("", (), text=text)),), plot=plot))


def _is_oracle(node: Node) -> bool:
    return isinstance(node, Scalar) and not node.style and " ".join(node.text.split()) == ORACLE


def _axes(node: Node, context: Context) -> tuple[tuple[str, Value], ...]:
    fields = opened(node, PLOT, context.reporter)
    with collecting() as take:
        return tuple((name, take(_part, fields, name, context)) for name in fields.present(*PLOT.names))


def _part(fields: Fields, name: str, context: Context) -> Value:
    """Return the value of a part; None for the reference's.  Raises Unusable."""
    node: Node = fields.needed(name)
    if _is_oracle(node):
        return None
    if name in TEXTS and isinstance(node, Scalar):
        return node.text
    if name in LISTS and isinstance(node, Sequence):
        texts = [item.text for item in node.items if isinstance(item, Scalar)]
        if len(texts) == len(node.items):
            return texts
    if name in (*TEXTS, *LISTS):
        fields.misfit(name, node)
        raise Unusable
    value = value_of(context, node)
    if value is None or not isinstance(value, list | tuple):
        hint = "such as [[(0, 1), (1, 4)]]" if not name.endswith("lim") else "such as (0, 10)"
        fields.report(name, f"`{name}` must be a list", hint)
        raise Unusable
    return _as_floats(value)


def _as_floats(value: Value) -> Value:
    """Return data with whole numbers as floats, as all numbers of a plot are."""
    if isinstance(value, list | tuple):
        return type(value)(map(_as_floats, value))
    return float(value) if type(value) is int and abs(value) < 10**300 else value

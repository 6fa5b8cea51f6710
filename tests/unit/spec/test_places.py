"""Where in the file a piece of an expression stands, whatever the style of the scalar."""

import ast

import pytest

from grader.spec.expressions.parse import parse
from grader.yamlfile.nodes import Mapping, Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source

STYLES = {
    "plain": "a: f(é, NAME)",
    "plain over lines": "a: f(é,\n   NAME)\n",
    "single": "a: 'f(''é'', NAME)'",
    "double": 'a: "f(\\"é\\", NAME)"',
    "double with escapes": 'a: "f(\\x41, \\u00e9,\\n  NAME)"',
    "double over lines": 'a: "f(é, \\\n    NAME)"',
    "literal": "a: |\n  f(\n    é,\n    NAME)\n",
    "folded": "a: >-\n  f(é,\n\n  NAME)\n",
    "literal with indicator": "a: |2-\n    f(é,\n  NAME)\n",
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_a_name_is_found_in_every_style(text: str) -> None:
    reporter = Reporter(Source("a.yaml", text))
    root = compose(reporter)
    assert isinstance(root, Mapping)
    scalar = root.pairs[0][1]
    assert isinstance(scalar, Scalar)
    expression = parse(scalar, reporter)
    reporter.raise_if_any()
    assert expression is not None
    (name,) = [n for n in ast.walk(expression.tree) if isinstance(n, ast.Name) and n.id == "NAME"]
    span = expression.span(name)
    assert text[span.start : span.end] == "NAME"

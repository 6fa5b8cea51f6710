"""Text that is expected to be printed: as it stands, with looser blanks, or whatever the reference prints."""

from grader.model.case import Text, Whitespace
from grader.spec.decode.expectations import ORACLE
from grader.spec.expressions.context import Context
from grader.spec.keys import TEXT
from grader.yamlfile.nodes import Mapping, Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields


def decode_text(fields: Fields, key: str, context: Context) -> Text | None:
    """Return the text that a key states; None where the key is absent or where it was reported."""
    node = fields.node(key)
    if isinstance(node, Mapping):
        inner = open_fields(node, TEXT, context.reporter)
        if inner is None:
            return None
        whitespace = inner.choice("whitespace", Whitespace)
        scalar = inner.scalar("text")
        return _text(inner, "text", scalar, whitespace or Whitespace.EXACT, context)
    if isinstance(node, Scalar) or node is None:
        return _text(fields, key, node, Whitespace.EXACT, context)
    fields.misfit(key, node)
    return None


def _text(
    fields: Fields, key: str, scalar: Scalar | None, whitespace: Whitespace, context: Context
) -> Text | None:
    if scalar is None:
        return None
    if not scalar.style and " ".join(scalar.text.split()) == ORACLE:
        if not context.has_reference:
            fields.report(key, f"`{ORACLE}` needs a `reference`, and the task names none")
        return Text(None, whitespace)
    words = scalar.text.lower()
    if not scalar.style and "reference" in words and (hint := context.reporter.nearest(words, [ORACLE])):
        fields.report(key, f"`{shown(scalar.text)}` is almost, but not quite, `{ORACLE}`", hint)
        return None
    return Text(scalar.text, whitespace)

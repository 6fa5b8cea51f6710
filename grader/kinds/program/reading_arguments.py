"""The arguments of a program: texts that an operating system can hand over."""

from grader.yamlfile.nodes import Node, Scalar
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable

_MOST_ARGUMENTS = 100
_LONGEST_ARGUMENT = 10_000


def decode_arguments(fields: Fields, key: str = "arguments") -> tuple[str, ...]:
    """Return the arguments of a program that stand under a key.  Raises Unusable."""
    nodes: tuple[Node, ...] = fields.usable(key) or ()
    texts = [node.text for node in nodes if isinstance(node, Scalar)]
    if len(texts) < len(nodes):
        fields.report(key, f"`{key}` must be a list of texts, each on its own")
        raise Unusable
    if len(texts) > _MOST_ARGUMENTS or any(len(text) > _LONGEST_ARGUMENT for text in texts):
        message = f"`{key}` can be {_MOST_ARGUMENTS} texts of {_LONGEST_ARGUMENT:,} characters at most"
        fields.report(key, message)
        raise Unusable
    if not all(map(_is_writable, texts)):
        fields.report(key, f"`{key}` holds a character that no argument can have")
        raise Unusable
    return tuple(texts)


def _is_writable(text: str) -> bool:
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)

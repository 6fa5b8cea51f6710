"""Texts as YAML reads them back, for YAML that the grader writes for people."""

import json
import re
from collections.abc import Iterable

from grader.yamlfile import nodes
from grader.yamlfile.nodes import Scalar, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


def quoted(text: str) -> str:
    """Return a text as a scalar on one line, without quotes where nothing could be misread."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS:
        return text
    return in_quotes(text)


def in_quotes(text: str) -> str:
    """Return a text as a scalar on one line in double quotes, in which every blank is seen."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(one if one.isprintable() else _escape(one) for one in written)


def list_in_quotes(texts: Iterable[str]) -> str:
    """Return a list of texts on one line, each in double quotes."""
    return f"[{', '.join(map(in_quotes, texts))}]"


def _escape(one: str) -> str:
    # JSON writes two halves of a character here, which are none in YAML.
    return f"\\U{ord(one):08x}" if ord(one) > 0xFFFF else json.dumps(one)[1:-1]


def scalar(text: str) -> str:
    """Return a text as a scalar on one line: plain where that is the same text, else in quotes."""
    if _is_plain(text):
        return text
    if text.isprintable() and ('"' in text or "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return in_quotes(text)


def _is_plain(text: str) -> bool:
    if not text.isprintable() or text != text.strip():
        return False
    reporter = Reporter(Source("", f"key: {text}\n"))
    root = compose(reporter)
    if reporter.found_any or not isinstance(root, nodes.Mapping) or len(root.pairs) != 1:
        return False
    value = root.pairs[0][1]
    return isinstance(value, Scalar) and value.text == text and value.value is not None and not value.style

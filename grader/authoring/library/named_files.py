"""The files that a spec names, read from its YAML alone: no key is evaluated, and no file is opened."""

import re
from collections.abc import Iterator

from grader.model.errors import Fault, UsageError
from grader.yamlfile.nodes import Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, shown

KEYS = frozenset(
    {
        "after",
        "before",
        "checkers",
        "extensions",
        "file",
        "from",
        "harness",
        "include",
        "interactor",
        "lock",
        "pytest",
        "reference",
        "right",
        "validator",
        "wrong",
    }
)
"""The keys whose texts are paths from the spec's folder, at whatever depth they stand."""
_VERSION = re.compile(r"[0-9]+(?:\.[0-9]+)*")


def named_files(content: bytes, where: str) -> tuple[str, ...]:
    """Return the texts that name files, or folders, in the order of the spec.

    where: the spec, in messages.  Raises `UsageError` for a file that is no YAML, and for an interpreter that
    is no version: it would run without a sandbox, and the copied task would choose it.
    """
    try:
        reporter = Reporter(Source(where, content.decode("utf-8-sig")))
    except UnicodeDecodeError:
        raise UsageError(Fault("this is not UTF-8 text", where)) from None
    root = compose(reporter)
    reporter.raise_if_any(UsageError)
    if isinstance(root, Mapping):
        for key, value in root.pairs:
            if key.text == "python" and not (isinstance(value, Scalar) and _VERSION.fullmatch(value.text)):
                hint = "a task for others names a version, such as 3.12"
                raise UsageError(
                    reporter.source.fault(value.span, "this program would run without a sandbox", hint)
                )
    return tuple(dict.fromkeys(_named(root))) if root is not None else ()


def _named(node: Node) -> Iterator[str]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _named(item)
    if not isinstance(node, Mapping):
        return
    for key, value in node.pairs:
        if key.text in KEYS:
            texts = value.items if isinstance(value, Sequence) else (value,)
            yield from (_path(each.text) for each in texts if isinstance(each, Scalar) and _is_path(each))
        yield from _named(value)


def _is_path(scalar: Scalar) -> bool:
    """Tell whether a text may be a path: not a line of code, nor a text of several lines."""
    return bool(scalar.text) and scalar.text.isprintable() and scalar.style not in ("|", ">")


def _path(text: str) -> str:
    """Return the file of `FILE#ID`, which names a question of an included one."""
    return text.partition("#")[0] or shown(text)

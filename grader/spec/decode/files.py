"""The files of a program: what it finds in its folder, and what it is to leave there."""

import re
from dataclasses import dataclass

from grader.model.case import Text
from grader.spec.decode.text import decode_text
from grader.spec.expressions.context import Context
from grader.spec.keys import CONTENT
from grader.spec.reference.files import MAX_FILE_B, read_attached
from grader.yamlfile.field import Field, Kind, Table
from grader.yamlfile.nodes import Mapping, Scalar
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

MOST_FILES = 100
MOST_B = 4 * 1024 * 1024
"""Bytes of all files that a program finds; its folder holds four times as many."""

_PART = r"\w[\w. -]{0,99}"
_NAME = re.compile(rf"{_PART}(?:/{_PART}){{0,4}}", re.ASCII)
_NAME_HINT = "such as board.txt or data/board.txt: letters, digits, and _ . - and blanks inside"


@dataclass(frozen=True, slots=True)
class Leaves:
    """The files that a program is to leave: all names, and texts for those that are compared."""

    names: tuple[str, ...]
    texts: tuple[tuple[str, Text], ...] = ()


def decode_content(fields: Fields, key: str, context: Context) -> bytes | None:
    """Return a content that is written out, or read from a file beside the spec.

    None where the key is absent, or where it was reported.
    """
    node = fields.node(key)
    if isinstance(node, Mapping):
        inner = open_fields(node, CONTENT, context.reporter)
        return read_attached(inner, "from", context.attached) if inner is not None else None
    scalar = fields.scalar(key)
    if scalar is None:
        return None
    try:
        content = scalar.text.encode()
    except UnicodeEncodeError:
        fields.report(key, "half of a surrogate pair can't be written to a file")
        return None
    if len(content) > MAX_FILE_B:
        fields.report(key, f"this text is larger than {MAX_FILE_B // 1024} KiB")
        return None
    return content


def decode_files(fields: Fields, context: Context) -> tuple[tuple[str, bytes], ...] | None:
    """Return names and contents of the files that a program finds; None where absent or reported."""
    inner = _named(fields, "files", context)
    if inner is None:
        return None
    found = [(name, decode_content(inner, name, context)) for name in inner.table.names]
    files = [(name, content) for name, content in found if content is not None]
    if sum(len(content) for _, content in files) > MOST_B:
        fields.report("files", f"the files are larger than {MOST_B // 1024 // 1024} MiB together")
        return None
    return tuple(files) if len(files) == len(found) else None


def decode_leaves(fields: Fields, context: Context) -> Leaves | None:
    """Return the files that a program is to leave; None where absent or reported."""
    node = fields.node("leaves")
    if node is None:
        return None
    if not isinstance(node, Mapping):
        scalars = fields.names("leaves")
        good = [scalar.text for scalar in scalars if _is_name(scalar, context)]
        return Leaves(tuple(dict.fromkeys(good))) if good and len(good) == len(scalars) else None
    inner = _named(fields, "leaves", context)
    if inner is None:
        return None
    texts = [(name, decode_text(inner, name, context)) for name in inner.table.names]
    known = [(name, text) for name, text in texts if text is not None]
    return Leaves(inner.table.names, tuple(known)) if len(known) == len(texts) else None


def _named(fields: Fields, key: str, context: Context) -> Fields | None:
    """Return the values of a mapping whose keys are names of files; None where a name was reported."""
    node = fields.mapping(key)
    if node is None:
        return None
    names = [name.text for name, _ in node.pairs]
    if not names:
        fields.report(key, f"`{key}` names no file", _NAME_HINT)
    if len(names) > MOST_FILES:
        fields.report(key, f"`{key}` can name at most {MOST_FILES} files")
    good = [name.text for name, _ in node.pairs if _is_name(name, context)]
    if not good or len(good) < len(names) or len(names) > MOST_FILES:
        return None
    for name in names:
        if any(other.startswith(f"{name}/") for other in names):
            fields.report(key, f"`{shown(name)}` is a file and a folder at once")
            return None
    table = Table(f"`{key}`", tuple(Field(name, Kind.TEXT_OR_MAPPING) for name in names))
    return Fields(node, table, context.reporter)


def _is_name(name: Scalar, context: Context) -> bool:
    if _NAME.fullmatch(name.text):
        return True
    message = f"`{shown(name.text)}` can't be the name of a file in a program's folder"
    context.reporter.report(name.span, message, _NAME_HINT)
    return False

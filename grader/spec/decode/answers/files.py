"""The files of a case: those that it finds in its folder, and those that it must leave there."""

import re
from dataclasses import dataclass

from grader.model.case import Folder, Text
from grader.spec.decode.answers.expectations import read_text
from grader.spec.expressions.context import Context
from grader.spec.keys.answers import CONTENT_KIND
from grader.spec.keys.common import PRINTS
from grader.spec.reference.files import MAX_FILE_B, read_attached
from grader.yamlfile.kinds import MAPPING, NAMES
from grader.yamlfile.nodes import Mapping, Scalar, Sequence
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable
from grader.yamlfile.unusable import Unusable, collecting

MOST_FILES = 100
MOST_B = 4 * 1024 * 1024
"""The most bytes of all files that a program finds; its folder holds four times as many."""

_PART = r"\w[\w. -]{0,99}"
_NAME = re.compile(rf"{_PART}(?:/{_PART}){{0,4}}", re.ASCII)
_NAME_HINT = "such as board.txt or data/board.txt: letters, digits, and _ . - and blanks inside"


@dataclass(frozen=True, slots=True)
class Leaves:
    """The files that a program must leave: all names, and the texts of those that are compared."""

    names: tuple[str, ...]
    texts: tuple[tuple[str, Text], ...] = ()


def decode_content(fields: Fields, key: str, context: Context, most_b: int = MAX_FILE_B) -> bytes:
    """Return a content that stands in the spec, or is read from a file beside it.  Raises Unusable."""
    stated: Fields | Scalar = fields.needed(key)
    if isinstance(stated, Fields):
        return read_attached(stated, "from", context.attached, most_b)
    return content_of(fields, key, stated)


def content_of(fields: Fields, key: str, stated: Scalar) -> bytes:
    """Return a content that stands in the spec.  Raises Unusable."""
    try:
        content = stated.text.encode()
    except UnicodeEncodeError:
        fields.report(key, "half of a surrogate pair can't be written to a file")
        raise Unusable from None
    if len(content) > MAX_FILE_B:
        fields.report(key, f"this text is larger than {MAX_FILE_B // 1024} KiB")
        raise Unusable
    return content


def decode_files(fields: Fields, context: Context) -> tuple[tuple[str, bytes], ...]:
    """Return names and contents of the files that a program finds.  Raises Unusable."""
    if not fields.has("files"):
        return ()
    inner = named_files(fields, "files", CONTENT_KIND, context)
    with collecting() as take:
        files = tuple((name, take(decode_content, inner, name, context)) for name in inner.table.names)
    if sum(len(content) for _, content in files) > MOST_B:
        fields.report("files", f"the files are larger than {MOST_B // 1024 // 1024} MiB together")
        raise Unusable
    for name, _ in files:
        for other in context.data:
            if other.startswith(f"{name}/") or name.startswith(f"{other}/"):
                fields.report(
                    "files", f"`{shown(name)}` is a file here, and the task's `files` have {shown(other)}"
                )
                raise Unusable
    return files


def decode_leaves(fields: Fields, context: Context) -> Leaves:
    """Return the files that a program must leave.  Raises Unusable."""
    if not fields.has("leaves"):
        return Leaves(())
    node = fields.node("leaves")
    if node is None:
        raise Unusable
    if not isinstance(node, Mapping):
        scalars = NAMES.read(fields, "leaves")
        if isinstance(node, Sequence) and not node.items:
            fields.report("leaves", "`leaves` names no file", _NAME_HINT)
        good = [scalar.text for scalar in scalars if _is_name(scalar, context)]
        if not good or len(good) < len(scalars):
            raise Unusable
        return Leaves(tuple(dict.fromkeys(good)))
    inner = named_files(fields, "leaves", PRINTS, context)
    with collecting() as take:
        texts = tuple((name, take(read_text, inner, name, context)) for name in inner.table.names)
    return Leaves(inner.table.names, texts)


def decode_folder(fields: Fields, context: Context) -> Folder:
    """Return the files of a case that makes calls.  Raises Unusable."""
    for key in fields.present("given", "grow"):
        fields.report_key(
            key, f"`{key}` makes many calls, and files are for one", "write a case for each call"
        )
        raise Unusable
    if fields.has("leaves") and fields["goes on"]:
        fields.report_key("leaves", "`leaves` does not go with `goes on`")
        raise Unusable
    with collecting() as take:
        files, leaves = take(decode_files, fields, context), take(decode_leaves, fields, context)
    return Folder(files, leaves.names, leaves.texts)


def named_files(fields: Fields, key: str, kind: KeyKind, context: Context) -> Fields:
    """Return the values of a mapping from file names.  Raises Unusable."""
    node: Mapping | None = MAPPING.read(fields, key)
    if node is None:
        raise Unusable
    names = [name.text for name, _ in node.pairs]
    if not names:
        fields.report(key, f"`{key}` names no file", _NAME_HINT)
    if len(names) > MOST_FILES:
        fields.report(key, f"`{key}` can name at most {MOST_FILES} files")
    good = [name.text for name, _ in node.pairs if _is_name(name, context)]
    if not good or len(good) < len(names) or len(names) > MOST_FILES:
        raise Unusable
    for name in names:
        if any(other.startswith(f"{name}/") for other in names):
            fields.report(key, f"`{shown(name)}` is a file and a folder at once")
            raise Unusable
    table = KeyTable(f"`{key}`", tuple(Key(name, kind) for name in names))
    return Fields(node, table, context.reporter)


def is_file_name(text: str) -> bool:
    """Tell whether a text can be the name of a file in a case's folder."""
    return _NAME.fullmatch(text) is not None


def _is_name(name: Scalar, context: Context) -> bool:
    if is_file_name(name.text):
        return True
    message = f"`{shown(name.text)}` can't be the name of a file in a case's folder"
    context.reporter.report(name.span, message, _NAME_HINT)
    return False

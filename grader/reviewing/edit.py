"""Changes one block of a file of reviews, and leaves the rest of its text as it is: comments, order, blanks.

A block is the text from `- student:` up to the next one.  Values are given as YAML, on one line.  A value of
None is blank: the key stays, so that what awaits a person stays listed.
"""

import re
from collections.abc import Mapping as Values
from collections.abc import Sequence as Items

from grader.records.reviews.reading import MOST_VALUES
from grader.yamlfile.nodes import Mapping, Node, Scalar, Sequence, compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source


class CannotEdit(Exception):
    """The text is laid out in a way that only a person can change."""


_DOCUMENT_ENDS = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


def blocks(text: str) -> tuple[str, list[str], str]:
    """Return what stands before the first block, the blocks, and what stands behind the list, from `...` on.

    Together they are the text.  Raises `CannotEdit` where the blocks are in square brackets, or share a line.
    """
    root = _composed(text)
    if root is None:
        return text, [], ""
    starts = [_dash(text, item) for item in root.items]
    if root.flow or len(set(starts)) < len(starts):
        raise CannotEdit
    end = _DOCUMENT_ENDS.search(text, _end(root))
    last = end.start() if end else len(text)
    ends = [*starts[1:], last]
    between = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    return text[: starts[0] if starts else last], between, text[last:]


def put(block: str, path: Items[str], values: Values[str, str | None]) -> str:
    """Return the block with values at the end of a path of keys, which are made where they are missing.

    Raises `CannotEdit`.
    """
    node = _block(block)
    if node.flow:
        return _in_braces(block, node, path, values)
    for depth, name in enumerate(path):
        child = _get(node, name)
        rest = path[depth + 1 :]
        if child is None:
            return _inserted(block, node, _lines(_column(block, node), name, rest, values))
        if isinstance(child, Scalar) and child.empty:
            column = _column(block, node) + 2
            return _after_line(block, _end(_key(node, name)), _below(column, rest, values))
        if not isinstance(child, Mapping):
            raise CannotEdit
        if child.flow:
            return _in_braces(block, child, rest, values)
        node = child
    for name, value in values.items():
        block = _put_one(block, path, name, value)
    return block


def add_item(block: str, key: str, item: Values[str, str]) -> str:
    """Return the block with one more item in a list, which is made where it is missing."""
    node = _block(block)
    text = f"{{{', '.join(f'{name}: {value}' for name, value in item.items())}}}"
    found = _get(node, key)
    is_blank = found is None or (isinstance(found, Scalar) and found.empty)
    if node.flow and is_blank:
        return _in_braces(block, node, (), {key: f"[{text}]"})
    if found is None:
        column = _column(block, node)
        return _inserted(block, node, [f"{' ' * column}{key}:", f"{' ' * column}  - {text}"])
    if isinstance(found, Scalar) and found.empty:
        return _after_line(block, _end(_key(node, key)), [f"{' ' * (_column(block, node) + 2)}- {text}"])
    if not isinstance(found, Sequence) or not found.items:
        raise CannotEdit
    if found.flow:
        end = _end(found.items[-1])
        return f"{block[:end]}, {text}{block[end:]}"
    column = _column_at(block, found.items[0].span.start) - 2
    return _after_line(block, _end(found.items[-1]), [f"{' ' * max(column, 0)}- {text}"])


def drop_item(block: str, key: str, number: int) -> str:
    """Return the block without an item of a list, counted from 0; the key goes with the last one."""
    node = _block(block)
    found = _get(node, key)
    if not isinstance(found, Sequence) or number >= len(found.items):
        raise CannotEdit
    if node.flow and len(found.items) == 1:
        return _in_braces(block, node, (), {key: None})
    if len(found.items) == 1:
        start, end = _key(node, key).span.start, _end(found)
        if found.flow:
            end = found.span.end
    elif found.flow:
        items = [block[each.span.start : each.span.end] for each in found.items]
        del items[number]
        return f"{block[: found.span.start]}[{', '.join(items)}]{block[found.span.end :]}"
    else:
        start, end = found.items[number].span.start, _end(found.items[number])
    first = block.rfind("\n", 0, start) + 1
    last = block.find("\n", end)
    return block[:first] + (block[last + 1 :] if last >= 0 else "")


# -- the nodes of a block ------------------------------------------------------------------------------


def _composed(text: str) -> Sequence | None:
    """Return the list in a text; None for a text without any.  Raises `CannotEdit`."""
    if not any(line.strip() and not line.lstrip("\ufeff ").startswith("#") for line in text.splitlines()):
        return None
    reporter = Reporter(Source("", text))
    root = compose(reporter, most=MOST_VALUES)
    if reporter.found_any or not isinstance(root, Sequence):
        raise CannotEdit
    return root


def _block(text: str) -> Mapping:
    root = _composed(text)
    if root is None or len(root.items) != 1:
        raise CannotEdit
    (item,) = root.items
    if not isinstance(item, Mapping) or not item.pairs:
        raise CannotEdit
    return item


def _dash(text: str, item: Node) -> int:
    """Return where the line begins that has an item's dash: a comment or a new line can stand between."""
    start = end = item.span.start
    while True:
        start = text.rfind("\n", 0, start) + 1
        if text[start:end].lstrip(" ").startswith("-"):
            return start
        if start == 0:
            raise CannotEdit
        start = end = start - 1


def _get(node: Mapping, name: str) -> Node | None:
    return next((value for key, value in node.pairs if key.text == name), None)


def _key(node: Mapping, name: str) -> Scalar:
    return next(key for key, _ in node.pairs if key.text == name)


def _column_at(text: str, place: int) -> int:
    return place - (text.rfind("\n", 0, place) + 1)


def _column(text: str, node: Mapping) -> int:
    return _column_at(text, node.pairs[0][0].span.start)


def _end(node: Node) -> int:
    """Return where the text of a node ends; a block's own span goes on to the next token."""
    if isinstance(node, Mapping) and not node.flow and node.pairs:
        key, value = node.pairs[-1]
        return max(key.span.end, _end(value))
    if isinstance(node, Sequence) and not node.flow and node.items:
        return _end(node.items[-1])
    if isinstance(node, Scalar) and node.style in ("|", ">"):
        return node.span.end - 1
    return node.span.start if isinstance(node, Scalar) and node.empty else node.span.end


# -- text ----------------------------------------------------------------------------------------------


def _below(column: int, path: Items[str], values: Values[str, str | None]) -> list[str]:
    if path:
        return _lines(column, path[0], path[1:], values)
    return [f"{' ' * column}{name}: {value}" for name, value in values.items() if value is not None]


def _lines(column: int, name: str, path: Items[str], values: Values[str, str | None]) -> list[str]:
    return [f"{' ' * column}{name}:", *_below(column + 2, path, values)]


def _inserted(text: str, node: Mapping, lines: list[str]) -> str:
    return _after_line(text, _end(node), lines)


def _after_line(text: str, place: int, lines: list[str]) -> str:
    """Return the text with lines after the one that a place is in."""
    newline = "\r\n" if "\r\n" in text else "\n"
    end = text.find("\n", place)
    before, after = (text + newline, "") if end < 0 else (text[: end + 1], text[end + 1 :])
    return before + "".join(line + newline for line in lines) + after


def _put_one(block: str, path: Items[str], name: str, value: str | None) -> str:
    node = _block(block)
    for each in path:
        inner = _get(node, each)
        assert isinstance(inner, Mapping)
        node = inner
    found = _get(node, name)
    if found is None:
        line = f"{' ' * _column(block, node)}{name}: {value}"
        return block if value is None else _inserted(block, node, [line])
    colon, end = _value_place(block, _key(node, name), found)
    return block[:colon] + (f" {value}" if value is not None else "") + block[end:]


def _in_braces(text: str, node: Mapping, path: Items[str], values: Values[str, str | None]) -> str:
    """Return the text with values in a mapping in braces; all else in it stays as it is, comments too."""
    if path:
        name, rest = path[0], path[1:]
        inner = _get(node, name)
        if isinstance(inner, Mapping):
            return _in_braces(text, inner, rest, values)
        if inner is not None and not (isinstance(inner, Scalar) and inner.empty):
            raise CannotEdit
        values = {name: _braces(rest, values)}
    end = node.span.start + 1
    for key, value in node.pairs:
        end = _value_place(text, key, value)[1]
    added = [f"{name}: {value}" for name, value in values.items() if value and _get(node, name) is None]
    changes = [(end, end, (", " if node.pairs else "") + ", ".join(added))] if added else []
    for key, value in node.pairs:
        if key.text in values:
            changes.append((*_value_place(text, key, value), f" {values[key.text] or ''}"))
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _value_place(text: str, key: Scalar, value: Node) -> tuple[int, int]:
    """Return where the value of a key begins, blanks before it included, and where it ends."""
    colon = text.index(":", key.span.end) + 1
    return colon, max(colon, _end(value))


def _braces(path: Items[str], values: Values[str, str | None]) -> str:
    if path:
        return f"{{{path[0]}: {_braces(path[1:], values)}}}"
    return f"{{{', '.join(f'{name}: {value}' for name, value in values.items() if value is not None)}}}"


def values(block: str) -> dict[str, str]:
    """Return the texts at the keys of a block that are neither lists nor mappings nor blank."""
    pairs = _block(block).pairs
    return {key.text: value.text.strip() for key, value in pairs if isinstance(value, Scalar) and value.text}

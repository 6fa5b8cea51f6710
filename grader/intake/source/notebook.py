"""Takes the code out of a Jupyter notebook, of format 3 or 4; nothing else of it is read.

The bytes are hostile.  Size, nesting and the number of lists and objects are bounded before `json` sees them,
and numbers are never computed; see docs/design/notebooks.md.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from grader.intake.names import listed, shown
from grader.intake.source.statements import magic_lines
from grader.intake.source.text import Care, Repaired, decoded
from grader.intake.trees.tree import SOURCE_MAX_B
from grader.model.limits import MIB
from grader.model.submission import Cells
from grader.wire.notebook import joined

NOTEBOOK_MAX_B = 10 * MIB
"""The longest notebook that is read; most of one are pictures among its outputs."""
CELLS_MAX = 1_000
"""The most cells with code."""
_CONTAINERS_MAX = 200_000
_DEPTH_MAX = 50
_DIGITS_MAX = 6
_NOTED_MAX = 40

_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_BRACKET = re.compile(r"[\[\]{}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_DEFINES = re.compile(
    r"^(?:(?:async[ \t]++)?def|class)[ \t]++(\w++)|^(\w++)[ \t]*+(?::[^=\n]*+)?=(?!=)", re.MULTILINE
)
_INDENT = re.compile(r"(?:[ \t]*+\n)*+([ \t]++)\S")
_CELL_MAGIC = re.compile(r"\s*+%%(\w*)")
_TIMED = frozenset({"time", "timeit", "capture", "prun"})
"""Cell magics below which the cell is Python."""
_TIMED_LINE = re.compile(r"([ \t]*+(?:\w++[ \t]*+=[ \t]*+)?)%time[ \t]++(?![%!?])(\S.*+)")
"""`%time x = f()`, of which Jupyter keeps `x`, and `x = %time f()`."""


class _Refused(Exception):
    """This is no notebook; the text goes on after its name."""


def code_of_notebook(data: bytes, wanted: Cells, care: Care) -> Repaired:
    """Return the code of a notebook's cells, see `grader.wire.notebook`.  Never fails."""
    text, repairs = decoded(data, care)
    try:
        cells = list(_code_cells(_read(text)))
    except _Refused as refused:
        return Repaired("", tuple(repairs), str(refused))
    if len(cells) > CELLS_MAX:
        return Repaired("", tuple(repairs), f"has more than {CELLS_MAX:,} cells with code, so none was read")
    chosen = [(number, text) for number, text, tags in cells if _is_wanted(number, text, tags, wanted)]
    too_long = f"has more than {SOURCE_MAX_B // MIB} MiB of code, so none was read"
    if sum(len(text) for _, text in chosen) > SOURCE_MAX_B:
        return Repaired("", tuple(repairs), too_long)
    reader = _Reader()
    kept = [cell for number, text in chosen for cell in reader.source(number, text)]
    whole = joined(kept)
    if len(whole.encode("utf-8", "surrogatepass")) > SOURCE_MAX_B:
        return Repaired("", tuple(repairs), too_long)
    repairs += reader.repairs()
    if not kept:
        repairs.append("no cell with code was found" + (" that the task asks for" if cells else ""))
    return Repaired(whole, tuple(repairs))


def _read(text: str) -> dict[str, Any]:
    """Return the notebook's object, of which nothing but the kind of the whole is known."""
    depth = count = 0
    # What `json` takes for strings up to its first error is taken for strings here.
    for match in _BRACKET.finditer(_STRING.sub("", text)):
        if match[0] in "[{":
            depth, count = depth + 1, count + 1
            if depth > _DEPTH_MAX or count > _CONTAINERS_MAX:
                raise _Refused("is no notebook: it has too many parts, or parts too deep inside one another")
        else:
            depth -= 1
    try:
        found = json.loads(text, parse_int=_number, parse_float=_nothing, parse_constant=_nothing)
    except (ValueError, RecursionError):
        raise _Refused("is no notebook: it is not valid JSON") from None
    if not isinstance(found, dict):
        raise _Refused("is no notebook: it has no cells")
    return found


def _number(text: str) -> int:
    return int(text) if len(text) <= _DIGITS_MAX else 0


def _nothing(_: str) -> None:
    return None


def _code_cells(notebook: dict[str, Any]) -> Iterator[tuple[int, str, list[object]]]:
    """Yield number, source and tags of each cell with code."""
    key = "source"
    if "cells" in notebook:
        cells = notebook["cells"]
    else:
        key, sheets = "input", notebook.get("worksheets")
        sheets = sheets if isinstance(sheets, list) else [None]
        lists: list[Any] = [sheet.get("cells") if isinstance(sheet, dict) else None for sheet in sheets]
        whole = all(isinstance(each, list) for each in lists)
        cells = [cell for each in lists for cell in each] if whole else None
    if not isinstance(cells, list):
        raise _Refused("is no notebook: it has no cells")
    for number, cell in enumerate(cells, 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            meta = cell.get("metadata")
            tags = meta.get("tags") if isinstance(meta, dict) else None
            yield number, _source(cell.get(key)), tags if isinstance(tags, list) else []


def _source(source: object) -> str:
    """Return the text of a cell; of what no notebook has there, nothing."""
    if isinstance(source, list) and all(isinstance(part, str) for part in source):
        source = "".join(source)
    text = source if isinstance(source, str) else ""
    return _to_the_margin(text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n"))


def _to_the_margin(text: str) -> str:
    """Return a cell without the indentation of its first line, which Jupyter takes from all that have it."""
    indent = _INDENT.match(text)
    if indent is None:
        return text
    return "\n".join(line.removeprefix(indent[1]) for line in text.split("\n"))


def _is_wanted(number: int, text: str, tags: list[object], wanted: Cells) -> bool:
    if wanted.tags:
        return any(tag in wanted.tags for tag in tags)
    if wanted.numbers:
        return number in wanted.numbers
    if wanted.define:
        return any((match[1] or match[2]) in wanted.define for match in _DEFINES.finditer(text))
    return True


class _Reader:
    """Leaves out what is no Python, and keeps account of it."""

    def __init__(self) -> None:
        self._left_out: list[str] = []
        self._surrogates = False

    def source(self, number: int, text: str) -> Iterator[tuple[int, str]]:
        """Yield number and source of a cell; nothing for an empty one, or one of another language."""
        if _SURROGATE.search(text):
            self._surrogates = True
            text = _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)
        magic = _CELL_MAGIC.match(text)
        if magic and magic[1] not in _TIMED:
            self._note(f"cell {number}", text.lstrip())
            return
        lines = text.split("\n")
        goes_on = is_timed = False
        for at in magic_lines(text):
            own = lines[at]
            timed = None if goes_on else _TIMED_LINE.fullmatch(own)
            is_timed = timed is not None or (is_timed and goes_on)
            if is_timed:
                lines[at] = timed[1] + timed[2] if timed else own
                goes_on = own.endswith("\\")
                continue
            self._note(f"line {at + 1} of cell {number}", own.strip())
            # Something must stand there: it may be all that follows an `if`.
            lines[at] = "" if goes_on else f"{own[: len(own) - len(own.lstrip())]}pass"
            goes_on = own.endswith("\\")
        if any(line.strip() for line in lines):
            yield number, "\n".join(lines)

    def _note(self, place: str, text: str) -> None:
        line = text.partition("\n")[0]
        self._left_out.append(f"{place} ({line[:_NOTED_MAX]}{'…' if len(line) > _NOTED_MAX else ''})")

    def repairs(self) -> Iterator[str]:
        """Yield in words what was left out and changed."""
        if self._left_out:
            yield f"left out, since it is no Python: {listed(map(shown, self._left_out), most=5)}"
        if self._surrogates:
            yield "half characters (surrogates) replaced"

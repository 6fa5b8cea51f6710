"""The text of a module on its way to where it is read by rules and where it runs.

Both read it by the functions here.  A text that the rules could not read is sent on as refused, so that it
cannot run: a program can change how Python reads the files that it imports later.
"""

import sys
from collections.abc import Collection

from grader.wire import notebook

AS_BYTES = "\udc00"
"""Prefix of a text that Python itself must decode; the rest are the file's bytes, by `surrogateescape`."""
REFUSED = "\udc02"
"""Prefix of the text of a module, or of a notebook's cell, that must not run."""
OF_PYTHON = sys.stdlib_module_names | {"test"}
"""Names of modules of Python's, which a file of a submission can have too."""
CARRIED_ON = 0x1000000
"""The compiler's flag for `from __future__ import annotations`, which holds for the cells below too.

No other one does: what a cell says never depends on the cells above it.
"""


def source_of(text: str) -> str | bytes:
    """Return the text of a module in the form that Python compiles."""
    if text.startswith(AS_BYTES):
        return text[len(AS_BYTES) :].encode("utf-8", "surrogateescape")
    return text


def refused(text: str, cells: Collection[int]) -> str:
    """Return a text that does not run; of a notebook, with these cells refused alone."""
    places = [cell for cell in notebook.cells_of(text) if cell.number in cells]
    if not places:
        return f"{REFUSED}{text}"
    lines = text.split("\n")
    for cell in places:
        lines[cell.first - 1] = f"{REFUSED}{lines[cell.first - 1]}"
    return "\n".join(lines)

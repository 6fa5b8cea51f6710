"""Tells whether one file of reviews says all that another one says, wherever it stands there.

Their blocks are compared by what they give to whom, not by their lines: the same line under another criterion
is another mark.
"""

from collections.abc import Iterator
from typing import Any

import yaml

_Fact = tuple[str, ...]
_OF_BLOCK = ("student", "as", "criteria", "overrides", "remarks", "by", "date", "work")


def says_all(content: bytes, before: bytes) -> bool:
    """Tell whether a file of reviews says all that another one said; more may stand in it, in any order."""
    try:
        now, then = ({*_facts(yaml.safe_load(each.decode("utf-8-sig")))} for each in (content, before))
    except (yaml.YAMLError, ValueError, RecursionError, TypeError, AttributeError):
        # Nobody can tell.
        return False
    return then <= now


def _facts(blocks: Any) -> Iterator[_Fact]:
    """Yield what a file gives, each with whom and what it is about."""
    for block in blocks or ():
        student, role = str(block.get("student")), str(block.get("as") or "")
        for criterion, given in (block.get("criteria") or {}).items():
            for key, value in (given or {}).items():
                if value is not None:
                    yield student, role, str(criterion), str(key), repr(value)
        for kind in ("overrides", "remarks"):
            for item in block.get(kind) or ():
                yield student, kind, *sorted(f"{key}: {value!r}" for key, value in item.items())
        for key, value in block.items():
            if key not in _OF_BLOCK and value is not None:
                yield student, str(key), repr(value)
        if "student" not in block:
            yield (*sorted(f"{key}: {value!r}" for key, value in block.items()),)

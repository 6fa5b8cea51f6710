"""`submission_metadata.yml` of a Gradescope export: when each submission of it was made.

The file lies beside the submissions' folders, which are its keys, and is written by Gradescope;
what students typed stands in it too (names, outputs of other graders).  So it is never built:
only the parser's events are looked at, for `:created_at` right below each key.  Its tags and
anchors, which Ruby writes, mean nothing here, and no alias is ever expanded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import yaml

from grader.model.errors import Fault, UsageError
from grader.yamlfile.nodes import FASTEST_LOADER
from grader.yamlfile.quantities import moment
from grader.yamlfile.source import shown

METADATA = "submission_metadata.yml"
_CREATED = (":created_at", "created_at")
_DEEPEST = 100
_LONGEST = 64


@dataclass(slots=True)
class _Level:
    """An open mapping or list; key: the one whose value comes next, None where a key comes."""

    is_mapping: bool
    key: str | None = None


def gradescope_times(text: str, where: str) -> dict[str, datetime]:
    """Return the time of each submission, by the name of its folder.  Raises `UsageError`."""
    found: dict[str, datetime] = {}
    try:
        for folder, written in _created(text):
            time = moment(written)
            if time is None:
                raise UsageError(Fault(f"{shown(folder)}: `{shown(written)}` is not a point in time", where))
            found[folder] = time
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}:{mark.line + 1}:{mark.column + 1}" if mark is not None else where
        raise UsageError(Fault("this is not the metadata of a Gradescope export", place)) from None
    return found


def _created(text: str) -> Iterator[tuple[str, str]]:
    """Yield the folders and, as written, the times of a metadata file."""
    levels: list[_Level] = []
    anchors: dict[str, str] = {}
    for event in yaml.parse(text, Loader=FASTEST_LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            levels.pop()
            _ended(levels)
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(levels) >= _DEEPEST:
                raise ValueError("nested too deeply")
            levels.append(_Level(isinstance(event, yaml.MappingStartEvent)))
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
            written = _written(event, anchors)
            inside = levels[-1] if levels else None
            if inside is not None and inside.is_mapping and inside.key is None:
                inside.key = written
                continue
            if len(levels) == 2 and levels[1].key in _CREATED:
                yield levels[0].key or "", written
            _ended(levels)


def _ended(levels: list[_Level]) -> None:
    """Note that a key or a value of the innermost mapping is complete; a list as a key has no name."""
    if levels:
        levels[-1].key = "" if levels[-1].key is None else None


def _written(event: Any, anchors: dict[str, str]) -> str:
    """Return a scalar's text; of an alias, that of its scalar, cut, as a time is short."""
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(str(event.anchor), "")
    if event.anchor is not None:
        anchors[str(event.anchor)] = event.value[:_LONGEST]
    return str(event.value)

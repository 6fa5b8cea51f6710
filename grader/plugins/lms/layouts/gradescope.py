"""Gradescope: folders `submission_<number>`, and `submission_metadata.yml` with people and times for each.

The metadata is written by Gradescope; it also holds text of students (names, outputs of other graders).
So no values are built from it: only the parser's events are read, for a few keys below each folder's.
Tags and anchors, which Ruby writes, are ignored, and no alias is expanded.  A group's submission has
several submitters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeAlias

import yaml

from grader.api.layouts import (
    MIB,
    Download,
    Expected,
    Fault,
    Layout,
    Person,
    Piece,
    Refused,
    UsageError,
    moment,
    shown,
)

METADATA = "submission_metadata.yml"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MOST_B = 20 * MIB
_FOLDER = re.compile(r"submission_[0-9]{1,20}")
_DEEPEST = 100
_LONGEST = 200
_NOTHING = frozenset({"~", "null", "Null", "NULL"})
_Path: TypeAlias = tuple[str, ...]


@dataclass(slots=True)
class _Level:
    """An open mapping or list.  key: of the value that comes next, None if a key comes.  count: of values."""

    is_mapping: bool
    key: str | None = None
    count: int = 0


@dataclass(slots=True)
class _Known:
    """What the metadata says about one folder."""

    time: datetime | None = None
    submitters: dict[str, dict[str, str]] = field(default_factory=dict)


def gradescope_times(text: str, where: str) -> dict[str, datetime]:
    """Return the time of each submission, by the name of its folder.  Raises `UsageError`."""
    known = _known(text, where)
    return {folder: about.time for folder, about in known.items() if about.time is not None}


def _known(text: str, where: str) -> dict[str, _Known]:
    found: dict[str, _Known] = {}
    try:
        for path, written in _values(text):
            if len(path) == 2 and path[1] == "created_at":
                time = moment(written)
                if time is None:
                    raise UsageError(
                        Fault(f"{shown(path[0])}: `{shown(written)}` is not a point in time", where)
                    )
                found.setdefault(path[0], _Known()).time = time
            elif len(path) == 4 and path[1] == "submitters":
                submitters = found.setdefault(path[0], _Known()).submitters
                submitters.setdefault(path[2], {})[path[3]] = written
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{where}:{mark.line + 1}:{mark.column + 1}" if mark is not None else where
        raise UsageError(Fault("this is not the metadata of a Gradescope export", place)) from None
    return found


def _values(text: str) -> Iterator[tuple[_Path, str]]:
    """Yield each scalar that is a value, with the keys on the way to it, without Ruby's colons."""
    levels: list[_Level] = []
    anchors: dict[str, str] = {}
    for event in yaml.parse(text, Loader=_LOADER):
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
            if len(levels) in (2, 4):
                keys = (each.key or "" if each.is_mapping else str(each.count) for each in levels)
                yield tuple(key.removeprefix(":") for key in keys), written
            _ended(levels)


def _ended(levels: list[_Level]) -> None:
    """Note that a key or a value of the innermost collection is complete; a list as a key has the name ""."""
    if levels:
        levels[-1].key = "" if levels[-1].key is None else None
        levels[-1].count += 1


def _written(event: Any, anchors: dict[str, str]) -> str:
    """Return a scalar's text; of an alias, the start of its scalar's text: what is looked for is short."""
    if isinstance(event, yaml.AliasEvent):
        return anchors.get(str(event.anchor), "")
    # `~` and `null` without quotes are how YAML writes that there is nothing.
    value = "" if event.implicit[0] and event.value in _NOTHING else str(event.value)
    if event.anchor is not None:
        anchors[str(event.anchor)] = value[:_LONGEST]
    return value


def _piece(name: str, is_folder: bool) -> Piece | None:
    if not is_folder or not _FOLDER.fullmatch(name):
        return None
    return Piece(entry=name, owner=name, people=(Person(id=name, name=name),))


def _with_metadata(pieces: list[Piece], download: Download, _expected: Expected) -> Iterator[Piece]:
    where = f"{download.where}/{METADATA}"
    try:
        known = _known(download.text(METADATA, _MOST_B), where)
    except Refused as refused:
        raise UsageError(Fault(f"people and times can't be read: it {refused}", where)) from None
    for piece in pieces:
        about = known.get(piece.entry, _Known())
        people = tuple(_people(piece.entry, about)) or piece.people
        time = about.time
        attempt = time.isoformat() if time is not None else ""
        yield replace(piece, people=people, owner=people[0].id, time=time, attempt=attempt)


def _people(folder: str, about: _Known) -> Iterator[Person]:
    group = folder if len(about.submitters) > 1 else ""
    for number, submitter in about.submitters.items():
        sid, mail = submitter.get("sid", ""), submitter.get("email", "")
        # The folder is called after the submission; a person is known in Gradescope by the SID.
        ids = {"gradescope": sid, "sis": sid} if sid else {}
        # A mail address would be an id for as long, and would stand in the names of files.
        own_id = f"gradescope-{sid}" if sid else f"{folder}-{number}" if group else folder
        name = submitter.get("name", "") or folder
        yield Person(id=own_id, name=name, mail=mail, ids=ids, group=group, by_download=bool(group))


GRADESCOPE = Layout(
    name="gradescope",
    title="a Gradescope export",
    example="submission_12345",
    piece=_piece,
    completed=_with_metadata,
    needs=METADATA,
    times=gradescope_times,
    is_distinct=False,
)

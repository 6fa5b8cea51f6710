"""Objects of the program's as the patterns of `match` see them.

Python asks no method whether `case list():` or `case [a, b]:` fits an object; it looks at the type.  What
stands for a list of the program's is of another type, so that is told where patterns look.
"""

import collections.abc
import sys
from collections.abc import Container, Iterable, Mapping
from dis import opmap
from types import FrameType
from typing import Any

_CLASS_PATTERN = opmap["MATCH_CLASS"]
_KEYS_PATTERN = opmap["MATCH_KEYS"]
_KINDS_OF_DATA: Mapping[type, Any] = {
    list: collections.abc.MutableSequence,
    collections.deque: collections.abc.MutableSequence,
    dict: collections.abc.MutableMapping,
    set: collections.abc.MutableSet,
}


def is_in_pattern(frame: FrameType) -> bool:
    """Tell whether a frame tries a pattern such as `case list():` at the moment."""
    return frame.f_code.co_code[frame.f_lasti] == _CLASS_PATTERN


def is_in_pattern_of_keys(frame: FrameType | None, files: Container[str]) -> bool:
    """Tell whether a frame is within a test that tries a pattern such as `case {"a": x}:` at the moment."""
    while frame is not None and frame.f_code.co_filename not in files:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_code[frame.f_lasti] == _KEYS_PATTERN


def known_classes(names: Iterable[str]) -> list[type]:
    """Return the classes with these full names of the modules that are imported."""
    found = [
        vars(sys.modules.get(module)).get(name)
        for module, _, name in (full.rpartition(".") for full in names)
        if module in sys.modules
    ]
    return [kind for kind in found if isinstance(kind, type)]


def take_for_collection(made: type, bases: Iterable[str]) -> None:
    """Let `case [a, b]:` and `case {"a": x}:` fit the objects of a class, if they fit those of its bases."""
    for kind in known_classes(bases):
        collection: Any = kind if kind.__module__ == "collections.abc" else _KINDS_OF_DATA.get(kind)
        if collection is not None:
            collection.register(made)

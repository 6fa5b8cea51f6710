"""The handles by which the tests know the program's objects, and what stands for what is none."""

import sys
from dataclasses import dataclass
from typing import Any, NoReturn

MOST_SOURCES = 16


@dataclass(eq=False, slots=True)
class Handle:
    """An object in the program's process.

    process: the number of the process.  number: the object's.  shape: class, function, module or object.
    path: the module and the name under which it is found in every process.
    is_class: a class, and the tests got it under a name for a class.
    labels: its classes by the reference.  sources: the ways by which it came; other_ways: those of them where
    the reference has an object of none of its classes, if it is of one by another way.
    inner: the ways to the items of an iterator that a stray gave.  doubted: a way by which it came where the
    reference has data too, and was not asked the same.
    is_made: the test made it, by a call of a class.  is_stray: the reference has data in its place.
    face, told: the one question that a stray was asked, and its answer.
    base: the type of data that it is of, if its class derives from list, dict or set.
    refused: why it can't be given to the program; "" if it can.
    described: what the program says of the class that it is.
    """

    link: Any
    process: int
    number: int
    type_name: str
    shape: str
    path: tuple[str, str] | None = None
    is_class: bool = False
    labels: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    other_ways: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    doubted: str = ""
    is_made: bool = False
    is_stray: bool = False
    face: str = ""
    told: object = None
    base: type | None = None
    refused: str = ""
    described: Any = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The names by which its members are found in the book."""
        return (*self.labels, *self.other_ways) or self.sources

    def note_way_of(self, other: "Handle") -> None:
        """Note that the object came by further ways: it is of a class that it can be of by each of them."""
        unlabelled = [way for each in (other, self) if not each.labels for way in each.sources]
        self.other_ways = tuple(dict.fromkeys((*unlabelled, *self.other_ways)))[:MOST_SOURCES]
        common = tuple(label for label in self.labels if label in other.labels)
        self.labels = common or tuple(dict.fromkeys((*self.labels, *other.labels)))
        # The latest way is never one of those that are dropped: a call goes by it.
        self.sources = tuple(dict.fromkeys((*other.sources, *self.sources)))[:MOST_SOURCES]


def handle_of(proxy: object) -> Handle:
    """Return the handle of what stands for an object or a class of the program's."""
    if isinstance(proxy, type):
        handle: Handle = type.__getattribute__(proxy, "_grader_class")
    else:
        handle = object.__getattribute__(proxy, "_grader_handle")
    return handle


class Opaque:
    """Something of the program's that is neither data nor an object to work with."""

    def __init__(self, type_name: str, link: Any = None) -> None:
        self._type_name = type_name
        self._link = link

    def __getattr__(self, name: str) -> NoReturn:
        if self._link is not None and self._link.is_asked_or_patched(sys._getframe(1)):
            self._link.cannot(f"the test asks for `{name}` of a {self._type_name}, which cannot cross")
        raise AttributeError(f"'Opaque' object has no attribute {name!r}")

    def __repr__(self) -> str:
        return f"<{self._type_name}>"

"""What the tests believe of the program's objects: an allow-list, kept where no student's code runs.

The reference was run by the same test before, and the list says what it did there: which of its answers were
objects, of which classes, and what these were asked.  A *source* is the way to an answer, such as
`work.deal()`, `Card.rank` or `Hand.cards[]`.  Where the reference answered with data, the program's object is
a *stray*: nothing that it says counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from grader.plugins.tests.cell.places import DATA, NOTHING, OBJECT, Place, Places
from grader.wire.nodes import Node

Sources = tuple[str, ...]
"""The ways to an answer: several where its holder can be of several classes."""

NEW = "new "
"""Begins the source of what a class makes."""
GIVEN = "<-"
"""Ends the source of what an operation was given, as the program has it afterwards."""
STRAY = "\x1fstray"
"""Begins the sources of all that a stray gives: strays again."""
_WITH_DATA, _WITH_NONE = " with data", " with None"
_AS_DATA = "compared as data"
_BY_WAY = "by "
_YES = ": yes"
_SURE_OF = frozenset({"__eq__", "__ne__", "__contains__"})
"""Operators of which a yes says that data is right."""
_MOST = 16
_OF_DATA = frozenset(
    name
    for kind in (int, float, complex, str, bytes, list, tuple, set, dict, range)
    for name in dir(kind)
    if not name.startswith("_")
) | {
    "match",
    "is_relative_to",
    "is_absolute",
    "relative_to",
    "exists",
    "strftime",
    "isoformat",
    "most_common",
}


def within(sources: Sources) -> Sources:
    """Return the ways to what a container holds, at any depth."""
    return tuple(source if source.endswith("[]") else source + "[]" for source in sources)


class Book:
    """The allow-list of one test.

    names: of the reference: "classes" with what each defines and has, "functions"; None if the program is to
    be believed in everything.  learned: what the reference did in this test; None if that is not known.
    learns: the reference is at work, and what it does is noted.
    """

    def __init__(
        self,
        names: Mapping[str, Any] | None,
        learned: Mapping[str, Any] | None = None,
        *,
        learns: bool = False,
    ) -> None:
        self.believes_all = names is None
        self.learns = learns
        names = names or {}
        self.classes: Mapping[str, Mapping[str, Any]] = names.get("classes", {})
        self.functions: Sequence[str] = names.get("functions", ())
        self._has_names = bool(names.get("known"))
        self.is_learned = learned is not None
        learned = learned or {}
        self._data = set(learned.get("data", ()))
        self._objects = {source: set(labels) for source, labels in learned.get("objects", {}).items()}
        self._asked = {tuple(pair) for pair in learned.get("asked", ())}
        self._odd = set(learned.get("odd", ()))
        self._leads_to_both = self._data & self._objects.keys()
        """Ways by which the reference has an object in one place and data in another."""
        self.places = Places(learned.get("places", {}), learns=learns)

    def learned(self) -> dict[str, Any]:
        """Return what was noted, as plain data."""
        return {
            "data": sorted(self._data),
            "objects": {source: sorted(labels) for source, labels in self._objects.items()},
            "asked": sorted([*pair] for pair in self._asked),
            "odd": sorted(self._odd),
            "places": self.places.learned(self._data & self._objects.keys() & self._ways_of_told()),
        }

    def _ways_of_told(self) -> set[str]:
        """Return the ways by which objects came that were told data."""
        return {key.removeprefix(_BY_WAY) for key, what in self._asked if what.endswith(_YES)}

    def leads_to_both(self, ways: Iterable[str]) -> bool:
        return not self._leads_to_both.isdisjoint(ways)

    def leads_somewhere(self, ways: Iterable[str]) -> bool:
        """Tell whether the reference went one of these ways too."""
        return not (self._data | self._objects.keys()).isdisjoint(ways)

    # -- answers ---------------------------------------------------------------------------------------

    def note_data(self, sources: Sources, value: object) -> None:
        """Note an answer of the reference's that is data.  None says nothing: an object may be absent."""
        if not self.learns or value is None:
            return
        self._data.update(sources)
        items: Any = value.values() if isinstance(value, dict) else value
        is_container = isinstance(value, list | tuple | set | frozenset | dict)
        if is_container and any(item is not None for item in items):
            self._data.update(within(sources))

    def kind_of(self, node: Sequence[Any]) -> str:
        """Return the kind of an answer, a node; see `Places`."""
        shape = node[0]
        if shape == "dual":
            # To the reference, an object of a class that is none of its task's is the data that it is.
            return DATA if self.learns and node[2] not in self.classes else OBJECT
        if shape in ("object", "exception", "c", "b"):
            return OBJECT
        return NOTHING if [*node] == ["v", None] else DATA

    def meet(self, sources: Sources, place: Place, kind: str) -> bool | None:
        """Tell whether an answer may be of this kind at a place; None if the reference does not tell.

        Wherever the reference has an object by one of the ways, and never data by this one, an object may be.
        """
        if self.learns:
            self.places.note(sources, place, kind)
            return True
        known = self.places.ways.intersection(sources)
        if kind != OBJECT or not known or self._objects.keys() & {*sources} - known:
            return True
        kinds = self.places.expected(sources, place)
        if DATA not in kinds:
            return True if kinds else None
        return False if kinds == {DATA} else None

    def labels(self, sources: Sources, type_name: str) -> tuple[str, ...] | None:
        """Return the classes of the reference that an object at a source is believed to be of.

        type_name: what the program calls its class; it counts only while the reference is at work.  None if
        the reference has data there.
        """
        made = [
            name
            for name in (each.removeprefix(NEW) for each in sources if each.startswith(NEW))
            if name.isidentifier()
        ]
        if any(source.startswith(STRAY) for source in sources):
            return None
        if self.learns:
            for source in sources:
                self._objects.setdefault(source, set()).add(type_name)
            made.append(type_name)
        found = {label for source in sources for label in self._objects.get(source, ())}.union(made)
        if not found and self.is_learned and any(source in self._data for source in sources):
            return None
        return tuple(sorted(label for label in found if label in self.classes))[:_MOST]

    def surest(self, ways: Sources, others: Sources = ()) -> Sources:
        """Return the ways by which an answer is to be believed, for an object that came by several ways.

        The program chooses at which ways it hands out one object.  So where the reference has data at some of
        them, and objects of its classes at none, these count.  others: in place of the ways, where it has
        data at none.
        """
        every = (*others, *ways)
        if self.learns or any(self._objects.get(way, set()) & self.classes.keys() for way in every):
            return every
        return tuple(way for way in ways if way in self._data) or others or ways

    def differ(self, ways: Sources, others: Sources) -> bool:
        """Tell whether containers hold data alone by some ways, and objects by others."""
        return {self._kind_within(ways), self._kind_within(others)} == {DATA, OBJECT}

    def by_all(self, *groups: Sources) -> Sources:
        """Return the ways by which to believe what a container holds that came by all of these.

        The program chooses what comes by which.  So those count that lead to data alone, if there are some.
        """
        kinds = [self._kind_within(ways) for ways in groups]
        if OBJECT in kinds and DATA in kinds:
            return groups[kinds.index(DATA)]
        return tuple(dict.fromkeys(way for ways in groups for way in ways))

    def _kind_within(self, ways: Sources) -> str:
        """Return the kind of what containers hold that come by these ways; of both kinds it is objects."""
        if self.learns or not self.is_learned:
            return NOTHING
        inner = within(ways)
        if any(way.startswith(STRAY) for way in inner):
            return DATA
        if not self._objects.keys().isdisjoint(inner):
            return OBJECT
        return NOTHING if self._data.isdisjoint(inner) else DATA

    def knows(self, *names: str) -> bool:
        """Tell whether the reference has a class of one of these names.

        Such a name does no harm where the reference has something else: no test expects it there.  And an
        object has to be of its own class there too, for a test that says of which it is not.
        """
        return any(name in self.classes for name in names)

    def agrees(self, sources: Sources, type_name: str) -> bool:
        """Tell whether the reference has an object of a class of this name at a source.

        The name that the program gives its class counts then, or if the reference has such a class at all.
        """
        if self.believes_all or self.learns:
            return True
        if not self.is_learned:
            return type_name in self.classes and NEW + type_name in sources
        return any(type_name in self._objects.get(source, ()) for source in sources)

    # -- operations ------------------------------------------------------------------------------------

    def note_asked(self, keys: Iterable[str], name: str) -> None:
        if self.learns:
            self._asked.update((key, name) for key in keys)

    def may_be_told(self, keys: Sequence[str], ways: Sources, member: str, told: str) -> bool | None:
        """Tell whether the program may be told data by an operator of its objects; note it of the reference.

        It may where this test asks the reference's objects so too.  Elsewhere an object of the test's own
        stands for the data, and its operator is not what is tried.  One that came by a way that leads to data
        too is told what the reference's objects that came by it were told; None for other data, if these said
        yes to some.
        ways: those by which the object came until now.  told: the data as a text; "None" for nothing.
        """
        what = _what(member, told)
        self.note_asked(keys, what)
        if self.believes_all or self.learns or not self.is_learned:
            return True
        if not any((key, what) in self._asked for key in keys):
            return False
        both = self._by_both(ways)
        if member in _SURE_OF and any((way, f"{what} {told}") not in self._asked for way in both):
            return None if all((way, what) in self._asked for way in both) else False
        return all((way, what) in self._asked or (way, f"{what} {told}") in self._asked for way in both)

    def may_have(self, keys: Iterable[str], name: str) -> bool:
        """Tell whether a function of the test's may have what the program set on it.

        It may where the test asks what the reference answers there for that, or this sets it too: note it.
        """
        self.note_asked(keys, name)
        is_free = self.believes_all or self.learns or not self.is_learned
        return is_free or any((key, name) in self._asked for key in keys)

    def note_told(self, ways: Sources, member: str, told: str, *, says_yes: bool) -> None:
        """Note what an object of the reference's, which had come by these ways, said to data."""
        what = _what(member, told)
        by_ways = [_BY_WAY + way for way in ways]
        self.note_asked(by_ways, f"{what} {told}")
        if says_yes:
            self.note_asked(by_ways, what)
            self.note_asked(by_ways, f"{what} {told}{_YES}")

    def may_say_yes(self, ways: Sources, member: str, told: str) -> bool:
        """Tell whether an object of the reference's that came by these ways said yes to this data too."""
        what = f"{_what(member, told)} {told}{_YES}"
        return member not in _SURE_OF or all((way, what) in self._asked for way in self._by_both(ways))

    def _by_both(self, ways: Sources) -> list[str]:
        """Return the keys of those ways that lead to both; none before the reference was at work."""
        return [_BY_WAY + way for way in ways if way in self._leads_to_both]

    def note_as_data(self, sources: Sources) -> None:
        """Note that an answer of the reference's was compared as the data that it is, as a named tuple is."""
        self.note_asked(sources, _AS_DATA)

    def is_compared_as_data(self, sources: Sources) -> bool:
        return any((source, _AS_DATA) in self._asked for source in sources)

    def has_member(self, labels: Sequence[str], keys: Sequence[str], name: str, *, is_made: bool) -> bool:
        """Tell whether an object may be asked for a name, be it an operator's.

        labels: its classes by the reference.  keys: the same, or its sources if it is of none of these.
        is_made: the test made it.
        """
        if self.believes_all or self.learns:
            return True
        if any((key, name) in self._asked for key in keys):
            return True
        if labels:
            return any(name in self.classes[label]["all"] for label in labels)
        if is_made and not self.is_learned:
            return True
        if self.is_learned or self._has_names:
            return any(name in found["all"] for found in self.classes.values())
        return name not in _OF_DATA

    def defines(self, labels: Sequence[str], name: str) -> bool:
        """Tell whether a class of the reference defines a name itself, and not one of Python's own bases."""
        return any(name in self.own_of(label) for label in labels)

    def own_of(self, name: str) -> Sequence[str]:
        """Return what a class of the reference defines itself; nothing if it has no such class."""
        found: Sequence[str] = self.classes.get(name, {}).get("own", ())
        return found

    def are_objects(self, labels: Sequence[str]) -> bool:
        """Tell whether classes have no base of data in the reference, as far as its source can say."""
        return bool(labels) and all(self.classes[label]["plain"] for label in labels)

    def compares_by_identity(self, labels: Sequence[str]) -> bool:
        """Tell whether no class has an `==` of its own, as far as the reference's source can say."""
        return self.are_objects(labels) and not self.defines(labels, "__eq__")

    # -- oddities: what is right only where the reference does it too ------------------------------------

    def is_odd(self, what: str) -> bool:
        """Tell whether the reference does not do this; note it if it does."""
        if self.learns:
            self._odd.add(what)
        return not self.believes_all and what not in self._odd


def _what(member: str, told: str) -> str:
    return member + (_WITH_NONE if told == "None" else _WITH_DATA)


def is_next(operation: Node, sources: Sources) -> bool:
    """Tell whether an operation asks an iterator for its next item, so that it may say there is none."""
    is_method = operation[0] == "call" and any(
        source.endswith((".__next__()", ".__anext__()")) for source in sources
    )
    return operation[:2] in (["do", "next"], ["do", "anext"]) or is_method

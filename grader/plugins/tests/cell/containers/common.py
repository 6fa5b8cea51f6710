"""Lists, dicts, sets and their like that the tests and the program have in common.

Each side has a copy of its own.  Before an operation the program's becomes as the tests have changed theirs,
and after it the tests' as the program has changed its own.  So a change is seen on both sides as within one
process.  The program is asked only about those containers that the tests have changed or still hold.

A container that lies in another one is one of its own: the program knows it by the path that leads to it.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from operator import is_
from typing import Any, Protocol

from grader.plugins.tests.cell.book import GIVEN, Book, Sources
from grader.plugins.tests.cell.book import within as inside
from grader.plugins.tests.cell.containers.alike import Alike
from grader.plugins.tests.cell.containers.changes import Belief
from grader.wire.containers import MUTABLE, Path, Twin, Ways, at, content_of, exchanged, fill, joined, within

_MOST = 256
_MOST_ITEMS = 20_000
"""So many in all of them.  What has no room is a copy: to look through it each time would take long."""


_Way = tuple[int, tuple[int, ...]]
Latest = Sequence[tuple[int, Sequence[tuple[Path, int]]]]
"""Of each of the latest its number, and those of what lies in it."""
InCommon = tuple[Latest, bool]
"""What comes with a message: of what it brings, and whether there is more to ask for."""
Kept = tuple[Latest, Sequence[tuple[int, Any, Sequence[Any]]], Sequence[Twin]]
"""Of the latest; then what has changed: the place among the containers asked about, what it holds, and the
numbers of what lies in it.  Then where another one lies twice in the latest and those asked about."""


class Program(Protocol):
    """The way to the program.

    book: what is believed.
    """

    book: Book

    def node_of_content(self, container: Any) -> list[Any] | None:
        """Return a container as a node of what it holds; None if that cannot cross."""

    def carry_out(self, operation: list[Any]) -> Any:
        """Return the result of an operation that is not the test's own."""

    def refuse_large(self, values: Sequence[Any]) -> None:
        """Stop the test where the program has put so much together that nobody comes to its end."""

    def kept(self, numbers: Sequence[int], ways: Sequence[Sources]) -> Kept:
        """Return what the program says of containers.  ways: to each of them."""


@dataclass(eq=False, slots=True)
class _Container:
    """A container of the tests' that the program has too.

    held: the container alone in a list, so that the references to it can be counted.
    known: what it held when both sides had the same.
    root: the one from which a path leads to it, which can be a tuple; None if it is one.
    number: the program's, -1 if it was not asked yet.
    place: of a root, among what the latest operation answered and was given.
    ways: by which it came, see `Book`.
    """

    held: list[Any]
    known: list[Any]
    root: "_Container | None" = None
    path: Path | None = None
    number: int = -1
    place: int = -1
    ways: Sources = ()
    references: int = -1
    """How many there were when `was_held` was found out."""
    was_held: bool = False

    @property
    def has_changed(self) -> bool:
        """Whether the tests have changed it."""
        if type(self.held[0]) is tuple:
            return False
        content = content_of(self.held[0])
        return len(content) != len(self.known) or not all(map(is_, content, self.known))

    @property
    def is_held(self) -> bool:
        """Whether the tests can see what the program changes."""
        references = _references(self.held)
        if references != self.references:
            # If they only moved, then what it lies in has changed, and `lies_in_one_of` tells.
            self.references = references
            self.was_held = references > _ALONE + self._references_of_outer()
        return self.was_held

    @property
    def way(self) -> _Way:
        """By which it is found, from its root."""
        return id(self.root or self), tuple(self.path or ())

    def lies_in_one_of(self, ways: Collection[_Way]) -> bool:
        root, path = self.way
        return any((root, path[:end]) in ways for end in range(len(path)))

    @property
    def matters(self) -> bool:
        """Whether the tests have changed it, or hold it."""
        return self.is_held or self.has_changed

    def _references_of_outer(self) -> int:
        """Return how many references come from what it lies in, and do not tell that the tests hold it."""
        if self.root is None or self.path is None:
            return 0
        *way, last = self.path
        try:
            outer = at(self.root.held[0], way)
            is_there = at(outer, [last]) is self.held[0]
        except LookupError:
            return 1
        # The tests may hold a tuple, and so all that lies in it.  Any other is `known` by what it held.
        return 0 if type(outer) is tuple else 1 + is_there


def _references(held: list[Any]) -> int:
    return sys.getrefcount(held[0])


_ALONE = _references([[]])
"""The references to a container that nobody else holds."""


class _Known:
    """The containers in common, by number, while those that a message names are put in their places.

    It lives no longer than that: references to containers are counted.
    """

    def __init__(self, book: Book, common: Iterable[_Container]) -> None:
        self._book = book
        self._alike = Alike(book)
        self._by_number: dict[int, list[_Container]] = {}
        for each in common:
            self._by_number.setdefault(each.number, []).append(each)

    def instead_of(self, value: Any, number: int, ways: Sources) -> Any:
        """Return the container of a number for what came by some ways as this one; else the value itself."""
        for each in self._by_number.get(number, ()):
            if self._alike.are_one(value, ways, each.held[0], each.ways):
                each.ways = self._book.by_all(each.ways, ways)
                return each.held[0]
        return value

    def put_into(self, content: Any, parts: Sequence[tuple[Path, int]], ways: Sources) -> Any:
        """Return what came by some ways with the containers in common in their places."""
        to, pairs = Ways(), []
        for path, number in parts:
            # One that holds itself does not come as deep as it is.
            with suppress(LookupError):
                one = to.at(content, path)
                pairs.append((one, self.instead_of(one, number, inside(ways))))
        return exchanged([content], pairs)[0]

    def are_one(self, ways: Sequence[Sources], one: Any, number: int, other: Any, other_number: int) -> bool:
        return self._alike.are_one(one, ways[number], other, ways[other_number])


class CommonContainers:
    """The containers that one process of the program has in common with the tests."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._common: dict[int, _Container] = {}
        """Those about which the program is asked, by their identity."""
        self._seen: dict[int, _Container] = {}
        """What the latest operation answered and was given, and what lies in these and in the others."""
        self._unchanged: dict[int, _Container] | None = None
        """What lies in those in common, if the tests have neither changed nor taken any of it."""
        self._is_filling = False

    def number_of(self, value: object) -> int:
        """Return the number under which the program knows a container, -1 if it does not."""
        if not self._is_filling and id(value) in self._seen:
            self._keep([self._seen[id(value)]])
        found = self._common.get(id(value))
        return found.number if found is not None else -1

    def belief(self, ways: Sources, into: Sources) -> Belief:
        """Return what is believed of an answer, and of what was given for it."""
        return Belief(self._program.book, ways, into, self._ways_of)

    def _ways_of(self, value: object) -> Sources:
        """Return the ways by which a container in common came; none for any other."""
        found = self._common.get(id(value))
        return found.ways if found is not None else ()

    def before(self) -> None:
        """Tell the program what the tests have changed."""
        before, self._common = self._common, {k: one for k, one in self._common.items() if one.matters}
        wanted = self._that_matter()
        lying = self._lying_in_common()
        self._keep(wanted)
        changed = [each for each in self._common.values() if each.has_changed]
        self._unchanged = lying if self._common == before and not changed else None
        for each in changed:
            self._tell(each)
        # What the tests have put into one of them is in common from now on.
        self._seen = self._lying_in(changed)
        self._keep([each for each in self._seen.values() if each.is_held])
        self._seen = {}

    def _lying_in_common(self) -> dict[int, _Container]:
        roots = set(map(id, self._common.values()))
        return {key: each for key, each in self._seen.items() if id(each.root) in roots}

    def _that_matter(self) -> list[_Container]:
        """Return those that the program has to be asked about from now on.

        They are those that matter themselves, and all that lie in one that the tests have changed.
        """
        roots = {id(each.root): each.root for each in self._seen.values() if each.root is not None}
        changed: set[_Way] = {(key, ()) for key, root in roots.items() if root.has_changed}
        changed |= {each.way for each in self._seen.values() if each.has_changed}
        wanted = [
            each for each in self._seen.values() if (changed and each.lies_in_one_of(changed)) or each.matters
        ]
        if len(self._common) + len(wanted) <= _MOST:
            return wanted
        # Too many to be asked about one by one.
        for each in wanted:
            if each.root is not None and each.has_changed:
                each.root.known = [None, *each.root.known]
        return [each for each in self._seen.values() if each.root is None and each.matters]

    def _keep(self, wanted: list[_Container]) -> None:
        """Ask for the numbers of containers, as far as there is room."""
        wanted = [*self._with_room(wanted)]
        if wanted:
            roots = [each.root or each for each in wanted]
            ways = [
                [root.number, root.place, each.path or []] for root, each in zip(roots, wanted, strict=True)
            ]
            others = {each.number for each in (*self._common.values(), *roots)} - {-1}
            numbers = self._program.carry_out(["keep", ways, sorted(others)])
            for each, number in zip(wanted, numbers, strict=True):
                one = self._seen.pop(id(each.held[0]))
                if number >= 0:
                    each.number, each.root, each.path, each.references = number, None, None, -1
                    self._common[id(each.held[0])] = one

    def _with_room(self, wanted: Iterable[_Container]) -> Iterator[_Container]:
        room = _MOST_ITEMS - sum(len(each.held[0]) for each in self._common.values())
        left = _MOST - len(self._common)
        for each in wanted:
            room -= len(each.held[0])
            left -= 1
            if room >= 0 and left >= 0:
                yield each

    def _tell(self, each: _Container) -> None:
        """Tell the program what a container holds."""
        self._is_filling = True
        try:
            node = self._program.node_of_content(each.held[0])
        finally:
            self._is_filling = False
        if node is not None:
            self._program.carry_out(["fill", each.number, node])
        before, each.known = each.known, content_of(each.held[0])
        for twin in self._common.values():
            if twin.number == each.number and twin is not each:
                # Two copies of one container came before it was known by a number, or are not believed alike.
                alike = Alike(self._program.book)
                if alike.are_one(content_of(twin.held[0]), twin.ways, before, each.ways):
                    fill(twin.held[0], each.held[0])
                    twin.known = content_of(twin.held[0])

    def after(
        self,
        received: Sequence[Any],
        given: Sequence[Any],
        settled: Sequence[Any],
        *,
        ways: Sources,
        into: Sources,
        told: InCommon | None,
    ) -> list[Any]:
        """Take over what the program has changed.

        received: what it answered, or what it gives to a callback.  given: what it was given.
        settled: what is as the program has it already.  ways: by which the answer came.  into: by which that
        comes that was given.  told: what the program says with it; None where there is nothing to do.
        Return what was received, with the containers in common in their places.
        """
        found = list(received)
        settled = [one for one in settled if self._is_settled(one, into)]
        if self._common and told is not None:
            common = [*self._common.values()]
            numbers = [each.number for each in common]
            latest, is_to_ask = told
            changed: Sequence[tuple[int, Any, Sequence[Any]]] = ()
            twins: Sequence[Twin] = ()
            if is_to_ask:
                latest, changed, twins = self._program.kept(numbers, [each.ways for each in common])
            for place, content, _ in changed:
                if not any(one is common[place].held[0] for one in settled):
                    fill(common[place].held[0], content)
            known = _Known(self._program.book, common)
            for place, _, inner in changed:
                known.put_into(common[place].held[0], inner, common[place].ways)
            for place, (number, inner) in enumerate(latest[: len(found)]):
                found[place] = known.put_into(known.instead_of(found[place], number, ways), inner, ways)
            for one, (_, inner) in zip(given, latest[len(found) :], strict=False):
                known.put_into(one, inner, into)
            if twins:
                all_ways = [ways] * len(found) + [into] * len(given) + [each.ways for each in common]
                values = [*found, *given, *(each.held[0] for each in common)]
                found = joined(values, twins, partial(known.are_one, all_ways))[: len(found)]
            for each in common:
                each.known = content_of(each.held[0])
            if twins or any(inner for *_, inner in (*latest, *changed)):
                self._program.refuse_large([*found, *(each.held[0] for each in common)])
        is_same = told is None and self._unchanged is not None
        self._seen = {} if self._unchanged is None or not is_same else self._unchanged
        all_ways = [ways] * len(found) + [into] * len(given)
        roots = [
            _Container([one], [], place=place, ways=way)
            for place, (one, way) in enumerate(zip((*found, *given), all_ways, strict=True))
        ]
        news: dict[int, _Container] = {}
        for root in roots:
            if self._is_new(root.held[0]):
                root.known = content_of(root.held[0])
                known_root = news.setdefault(id(root.held[0]), root)
                known_root.ways = self._program.book.by_all(known_root.ways, root.ways)
        more = () if is_same else self._common.values()
        lying = self._seen | self._lying_in([*more, *roots])
        # One that lies in another is not held by that alone, so it is known by the path to it.
        self._seen = lying | {key: root for key, root in news.items() if key not in lying}
        for key in lying.keys() & news.keys():
            lying[key].ways = news[key].ways
        return found

    def _is_settled(self, given: object, into: Sources) -> bool:
        """Tell whether a container is as what it was given to has it.

        One that the tests made themselves is believed by the way by which it was given last.
        """
        known = self._common.get(id(given))
        if known is not None and all(way.rstrip("[]").endswith(GIVEN) for way in known.ways):
            known.ways = into
        return known is None or not self._program.book.differ(known.ways, into)

    def _is_new(self, value: Any) -> bool:
        return type(value) in MUTABLE and len(value) <= _MOST_ITEMS and not self._is_known(value)

    def _is_known(self, value: object) -> bool:
        return id(value) in self._common or id(value) in self._seen

    def _lying_in(self, roots: Iterable[_Container]) -> dict[int, _Container]:
        """Return what lies in containers, or in tuples, and is not known by itself."""
        found: dict[int, _Container] = {}
        for root in roots:
            # All that lies in this one is looked through before any of it counts as found.
            for path, inner in [*within(root.held[0], lambda one: self._is_known(one) or id(one) in found)]:
                if self._is_known(inner):
                    continue
                ways = inside(root.ways)
                if id(inner) not in found:
                    found[id(inner)] = _Container([inner], content_of(inner), root, path, ways=ways)
                elif (known := found[id(inner)]).ways != ways:
                    known.ways = self._program.book.by_all(known.ways, ways)
        return found

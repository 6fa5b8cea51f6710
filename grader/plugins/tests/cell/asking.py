"""What the tests ask of the program's objects, and whether the answer counts; see `Book`."""

import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from _pytest.outcomes import OutcomeException

from grader.plugins.tests.cell.book import within
from grader.plugins.tests.cell.classes import ProxyClass, Stand
from grader.plugins.tests.cell.control import Controlled, UnfitTest, joined, names_of
from grader.plugins.tests.cell.handles import Handle, handle_of
from grader.plugins.tests.cell.patterns import known_classes
from grader.plugins.tests.cell.places import text_of
from grader.plugins.tests.cell.proxies import Proxy, ProxyWithValue
from grader.wire.nodes import Node

_COMPARING = frozenset({"lt", "le", "gt", "ge"})
_SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}
_READING = frozenset(
    {
        "count", "index", "copy", "keys", "values", "items", "get", "issubset", "issuperset", "isdisjoint",
        "union", "intersection", "difference", "symmetric_difference",
    }
)  # fmt: skip
"""Methods by which a list, dict or set is read."""
_NO = {"__eq__": False, "__contains__": False, "__ne__": True}
"""What says no of each operator that tells whether data is right."""
_FREE = frozenset({"next", "dir"})
_WITHIN = frozenset({"reversed", "neg", "pos", "abs", "invert", "round", "len", "getitem"})
"""What the data can answer of which an object is, if its class does not define it."""
_TEXTS = frozenset({"str", "repr", "format"})
_FACTS = ("own", "absent", "bases")
_HIDDEN = " cannot be seen here"
"""The end of what the program's process says of an attribute that could show the source."""
_SPENT = "a second iteration"
"""The face of a stray that was iterated."""


class Asking(Controlled):
    """Asks for what is believed, and refuses the rest."""

    def carry_out(self, operation: Node) -> Any:
        """Return the result of an operation that is not the test's own."""
        raise NotImplementedError

    def call(self, function: object, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def number_of(self, error: BaseException | None) -> int:
        raise NotImplementedError

    @staticmethod
    def is_verdict(error: BaseException | None) -> bool:
        """Tell whether an exception of the test's says that the test has failed, or has to end."""
        return isinstance(error, AssertionError | OutcomeException | UnfitTest)

    def facts_of(self, number: int) -> dict[str, frozenset[str]]:
        """Return what the program says of a class besides its names: fields of `Described`."""
        return self._facts(["h", number])

    def _facts(self, node: Node) -> dict[str, frozenset[str]]:
        facts = self.carry_out(["facts", node])
        return {name: frozenset(found) for name, found in zip(_FACTS, facts, strict=True)}

    def is_of_library(self, asked: Any, kind: type, known: Sequence[type]) -> bool:
        """Tell whether an object or a class is of one of the library's classes, by the bases of its class.

        kind: its class, or itself.  A yes where the reference's is of none of them fails the test.  What a
        class has by its methods, such as `Sized`, is known without its word.
        """
        handle, keys = handle_of(asked), self._keys(asked)
        if handle.is_stray or not keys:
            return False
        bases = known_classes(self._facts(self.node(kind))["bases"])
        wanted = [each for each in known if "__subclasshook__" not in vars(each)]
        names = [each.__qualname__ for each in wanted if any(issubclass(base, each) for base in bases)]
        if names and not (self.book.is_learned or self.book.learns):
            return handle.is_made or handle.is_class
        odd = [self.book.is_odd(f"{key} is a {name}") for key in keys for name in names]
        if odd and all(odd):
            kinds = ", ".join(names)
            self.refuse(f"the answer is of type {handle.type_name}, a {kinds}, which the reference's is not")
        return bool(odd)

    def _has(self, holder: object, name: str) -> bool:
        """Tell whether an object may be asked for a member."""
        if not isinstance(holder, Stand):
            return self.book.has_member((), self._keys(holder), name, is_made=True)
        handle = handle_of(holder)
        if handle.is_stray:
            return False
        labels = handle.labels
        if handle.is_class and handle.path is not None:
            if handle.path[1] not in self.book.classes:
                return True
            labels = (handle.path[1],)
        return self.book.has_member(labels, self._keys(holder), name, is_made=handle.is_made)

    def is_defined(self, handle: Handle, name: str) -> bool:
        """Tell whether the reference's class of an object defines a name itself."""
        if self.book.believes_all:
            return handle.described is not None and name in handle.described.own
        return not handle.is_stray and self.book.defines(handle.labels, name)

    def _data_of(self, proxy: object, name: str, *told: object) -> Any:
        """Return the list, dict or set that an object is, if that can answer; else None.

        Its class cannot exchange what Python's own `list` does, unless the reference's class does so too.
        told: what is compared or combined with it.
        """
        if not isinstance(proxy, Proxy):
            return None
        handle = handle_of(proxy)
        if handle.base is None or self.book.believes_all or self.is_defined(handle, name):
            return None
        ways = joined(self.book.by_all(*[(way,) for way in handle.sources]), ".base")
        is_known = self.book.learns or self.book.leads_somewhere(within(ways))
        data = self._sent(["do", "base", [self.node(proxy)]], ways if is_known else ())
        if type(data) is not handle.base:
            return None
        self.note_plain(proxy, name, *told)
        return data

    def note_plain(self, holder: object, name: str, *told: object) -> None:
        """Note what the reference's object answers by the data that it is.

        A student's class may be none of data, and is asked itself then.
        """
        if not self.book.learns:
            return
        keys = self._keys(holder)
        self.book.note_asked(keys, name)
        data = [each for each in told if not isinstance(each, Proxy | ProxyWithValue)]
        if data and handle_of(holder).is_made:
            self._may_be_told(holder, (name,), data[0])
        elif data:
            self.book.note_as_data(handle_of(holder).sources)

    # What an object is turned into, without being told anything.

    def shown(self, name: str, proxy: Proxy, *values: object) -> Any:
        """Return an object as a text, a number, a bool or a hash."""
        handle = handle_of(proxy)
        if handle.is_stray:
            if name == "hash":
                return id(proxy)
            if name not in _TEXTS:
                self._turn(handle, name)
                if handle.told is None:
                    handle.told = self.do(name, proxy, *values)
                return handle.told
        if name == "bool":
            data = self._data_of(proxy, "__len__")
            if data is not None:
                return bool(data)
        return self.do(name, proxy, *values)

    def items(self, proxy: Proxy) -> Any:
        handle = handle_of(proxy)
        if handle.is_stray:
            self._turn(handle, "iter")
            handle.face = _SPENT
        data = self._data_of(proxy, "__iter__")
        if data is not None:
            return iter(data)
        found = self.do("iter", proxy)
        if handle.is_stray and isinstance(found, Proxy):
            # Where the reference has a list of objects, another program may have an iterator, or a container
            # of its own: what these give is what the list would hold.
            handle_of(found).inner = within(handle.sources)
        return found

    def _turn(self, handle: Handle, face: str) -> None:
        """Let a stray show one side of itself, once: with a second one it could contradict itself."""
        if handle.face not in ("", face):
            self.refuse(f"the answer is an object of type {handle.type_name}, and is asked for {face}")
        handle.face = face

    def asked(self, name: str, proxy: Proxy, *values: object) -> Any:
        handle, member = handle_of(proxy), f"__{name}__"
        if name == "len" and handle.face in ("iter", _SPENT):
            # `list` asks an iterator too, and takes an error for an answer.
            raise TypeError(f"object of type {handle.type_name!r} has no len()")
        if name == "next" and handle.is_stray:
            if handle.face != _SPENT:
                self._turn(handle, "iter")
        elif handle.is_stray:
            self.refuse(f"the answer is an object of type {handle.type_name}, and is asked for {name}")
        if name in _WITHIN:
            data = self._data_of(proxy, member)
            if data is not None:
                return getattr(data, member)(*values)
        if name in _FREE or self._has(proxy, member):
            return self.do(name, proxy, *values)
        if name == "len":
            raise TypeError(f"object of type {handle.type_name!r} has no len()")
        return self.refuse(f"the answer is an object of type {handle.type_name}, and is asked for {name}")

    def copied(self, name: str, value: Any) -> Any:
        """Return a copy of an object, made there."""
        made = self._sent(["do", name, [self.node(value)]], handle_of(value).sources)
        if isinstance(made, Proxy | ProxyWithValue):
            handle, before = handle_of(made), handle_of(value)
            handle.labels, handle.is_made, handle.is_stray = before.labels, before.is_made, before.is_stray
            self._returned.discard(handle.number)
        return made

    def leave(self, proxy: Proxy, kind: Any, error: BaseException | None) -> bool:
        """Leave the body of a `with`; return whether the program takes its exception away."""
        if self.is_verdict(error):
            # The test has failed.  The program could swallow that, and would read what was expected.
            return False
        swallows = bool(self.call(self.get(proxy, "__exit__"), (kind, error, None), {}))
        if error is not None and swallows:
            name = type(error).__name__
            own = not self.book.is_learned and self.number_of(error) < 0
            if self.book.is_odd(f"with {self._keys(proxy)[:1]}: {name}") and not own:
                self._note(f"`with` ended early: {handle_of(proxy).type_name}.__exit__ took away a {name}")
        return swallows

    def get(self, holder: object, name: str) -> Any:
        keys = self._keys(holder)
        if name in _READING and isinstance(holder, Proxy):
            data = self._data_of(holder, name)
            if data is not None and hasattr(data, name):
                return getattr(data, name)
        try:
            value = self._sent(["get", self.node(holder), name], joined(keys, f".{name}"))
        except AttributeError as error:
            if self.is_asked_by_test(sys._getframe(2)):
                self.check_seen(error, name)
            raise
        if not self._has(holder, name):
            is_stray = isinstance(holder, Stand) and handle_of(holder).is_stray
            if name.startswith("_") or (name == "keys" and not is_stray):
                # Python's `dict` asks whatever it is given for `keys`; the reference's object has none.
                raise AttributeError(name)
            kind = handle_of(holder).type_name if isinstance(holder, Stand) else type(holder).__name__
            self.refuse(f"the answer is an object of type {kind}, and is asked for {name}")
        self.book.note_asked(keys, name)
        if isinstance(value, Proxy) and not (self.book.is_learned or self.book.learns):
            # It stands for what the object has, not for the object that the test made.
            handle_of(value).is_made = False
        return value

    def set(self, holder: object, name: str, value: object) -> None:
        self._change(["set", self.node(holder), name, self.node(value)], [value])

    def delete(self, holder: object, name: str) -> None:
        self._change(["del", self.node(holder), name])

    def _change(self, operation: Node, given: Sequence[Any] = ()) -> None:
        try:
            self._sent(operation, given=given)
        except AttributeError as error:
            self.check_seen(error, operation[2])
            raise

    def check_seen(self, error: AttributeError, name: str) -> None:
        """Say that the test cannot be run, if an attribute is not there since it is hidden."""
        if str(error).endswith(_HIDDEN):
            self.cannot(f"the test asks for `{name}`, which tests of other programs cannot see")

    def operate(self, name: str, left: Any, right: Any) -> Any:
        """Return the result of an operator with two sides, at least one of them an object of the program's.

        With data on the other side, the program would get to know that data, which may be the expected
        answer, and could say anything about it.  So this is done only for objects that the test itself made,
        and for operators that their class has in the reference: then the operator is what is tested.
        """
        member = f"__{name.rstrip('_')}__"
        datum = self._data_of(left, member, right) if isinstance(left, Proxy) else None
        if datum is None and isinstance(right, Proxy):
            other = self._data_of(right, f"__{_SWAPPED.get(name, name)}__", left)
            if other is not None:
                return getattr(operator, name, divmod)(left, other)
        if datum is not None and not name.startswith("i"):
            return getattr(operator, name, divmod)(datum, right)
        if any(self._may_see(f"__{each.rstrip('_')}__", left, right) for each in names_of(name)):
            return self.heard(member, left, right, self.do(name, left, right))
        if name in ("eq", "ne"):
            are_same = left is right
            return are_same if name == "eq" else not are_same
        proxy, other = (left, right) if isinstance(left, Proxy) else (right, left)
        what = "compared with" if name in _COMPARING else "combined with"
        text = f"the answer is an object of type {handle_of(proxy).type_name}, and is {what} {_short(other)}"
        return self.refuse(text)

    def refuse(self, text: str) -> NoReturn:
        """Note that an object stands where data is expected, and raise `UnfitTest`."""
        self._note(text)
        raise UnfitTest(text)

    def contains(self, holder: Proxy, value: object) -> bool:
        data = self._data_of(holder, "__contains__", value)
        if data is not None:
            return value in data
        if self._may_see("__contains__", holder, value):
            is_in = self.do("contains", holder, value) is True
            return self.heard("__contains__", holder, value, is_in) is True
        return any(item is value or item == value for item in holder)

    def may_tell(self, dual: object, member: str, *others: object) -> bool:
        """Tell whether data of the program's may be asked there about others, and told these."""
        if all(isinstance(other, Proxy | ProxyWithValue) for other in others):
            return True
        handle = handle_of(dual)
        is_sure = handle.is_made and not handle.doubted
        return is_sure and self._may_be_told(dual, (member,), others[0]) == [True]

    def _may_see(self, member: str, left: object, right: object) -> bool:
        if self.book.believes_all:
            return isinstance(left, Proxy | ProxyClass) or isinstance(right, Proxy | ProxyClass)
        if isinstance(left, Stand) and isinstance(right, Stand):
            both = handle_of(left), handle_of(right)
            if any(handle.is_stray for handle in both):
                return False
            if member in ("__eq__", "__ne__") and all(self.book.compares_by_identity(h.labels) for h in both):
                return False
            return self._has(left, member) or self._has(right, member) or self._has(right, _reflected(member))
        proxy = left if isinstance(left, Proxy) else right
        if not isinstance(proxy, Proxy):
            return False
        handle = handle_of(proxy)
        # Where a method of the reference gives back the test's own object, an honest one may give a new one.
        is_own = handle.is_made or (self.book.is_learned and bool(handle.labels))
        if handle.shape != "object" or not is_own or handle.is_stray:
            return False
        if not (self._has(proxy, member) or self._has(proxy, _reflected(member))):
            return False
        if handle.number in self._returned and not (self.book.is_learned or self.book.learns):
            self.cannot(
                f"the program returned the test's own object of type {handle.type_name} as an answer, so its"
                " word about data cannot be taken"
            )
        # Both are noted of the reference.
        may = self._may_be_told(proxy, (member, _reflected(member)), right if proxy is left else left)
        if self.book.is_compared_as_data(handle.sources):
            self.cannot(
                f"the reference's {handle.type_name} is compared as data there, as a named tuple is; the"
                " program's is none, so its word about data cannot be taken"
            )
        if None in may or (any(may) and handle.doubted):
            self.cannot(
                f"{handle.doubted or handle.sources[0]} gives the reference objects and data, and was asked"
                " otherwise there, so the word about data of the program's object cannot be taken"
            )
        return any(may)

    def heard(self, member: str, left: object, right: object, answer: Any) -> Any:
        """Return what an object said to data; note it of the reference.

        A yes where the reference's object says no to the same data is no answer: the test fails.
        """
        if self.book.believes_all or (isinstance(left, Stand) and isinstance(right, Stand)):
            return answer
        holder, told = (left, right) if isinstance(left, Stand) else (right, left)
        handle = handle_of(holder)
        text = self._as_text(handle, told)
        says_yes = answer is not _NO.get(member)
        for each in (member, _reflected(member)) if self.book.learns else ():
            self.book.note_told(handle.sources, each, text, says_yes=says_yes)
        if says_yes and not self.book.learns and not self.book.may_say_yes(handle.sources, member, text):
            self.refuse(
                f"the answer is an object of type {handle.type_name}, and says that it is {_short(told)}"
            )
        return answer

    def _may_be_told(self, holder: object, members: Sequence[str], told: object) -> list[bool | None]:
        """Return for each member what `Book.may_be_told` says."""
        keys, handle = self._keys(holder), handle_of(holder)
        text = self._as_text(handle, told)
        return [self.book.may_be_told(keys, handle.sources, each, text) for each in members]

    def _as_text(self, handle: Handle, told: object) -> str:
        """Return data as a text, if it counts which it is: not where an object came by plain ways alone."""
        if told is None:
            return "None"
        counts = self.book.learns or self.book.leads_to_both(handle.sources)
        return text_of(self.node(told)) if counts else ""


def _reflected(member: str) -> str:
    """Return the name by which the right side of an operator has it."""
    name = member.strip("_")
    return f"__{_SWAPPED[name]}__" if name in _SWAPPED else f"__r{name}__"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:79] + "…"

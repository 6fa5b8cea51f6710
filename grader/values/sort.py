"""What a sort of value is: all that the grader asks about a value, in one place.

This is the page to read first.  A sort lives in a module of `grader.values.sorts`, and `sort_of(value)` finds
it by its exact class.  Nobody else tells one sort from another.  A walk over values is a fold over
`parts` and `made`: it asks the sort of each value for its parts, and never which sort it is.

Values are hostile.  They are of exact classes of Python or of our own stand-ins (`grader.model.values`), so
no method here runs code of a student's.  Whoever walks bounds the levels, where the wire has not done so.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeAlias, TypeVar

from grader.model.case import Comparison
from grader.model.results import Difference
from grader.model.values import DeclaredType, Value
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.values.library_types import library_name

if TYPE_CHECKING:
    from grader.values.canonical import Key, Keys
    from grader.values.python_text import PythonText

V = TypeVar("V")
Role: TypeAlias = tuple[Hashable, ...]
"""What a value stands for, wherever it stands: one for all items of a list, or for one field of a class."""
Node: TypeAlias = list[object]
Inner: TypeAlias = Callable[[Value], Node]


class Place(NamedTuple):
    """Where a part stands in a value.

    at: its number among the parts.
    key: what names the place: an index, the key of a dict, or the member of a set itself.
    step: what the place adds to the role of the value.
    """

    at: int
    key: Value
    step: Hashable


class Sort(ABC, Generic[V]):
    """A sort of value.  The answers here are those of a value without parts.

    classes: the exact classes of its values.
    is_value: whether its values cross the sandbox; the answers about anything else are those of a value.
    is_container: whether it has parts, so that it counts as a level.
    is_alike: whether all its parts stand for the same, as the items of a list do.
    is_open: whether its parts can be replaced one by one.
    is_unordered: whether the order of its parts means nothing.
    forgives: the keys of a comparison that mean something for such an answer.
    tells_type: whether the text of a value for people names its type.
    stands_for: words for what it stands for, where it is no value of the student's.
    has_keys: whether two of its values are equal exactly where their keys are.  A sort with a tolerance of
        its own says no; its values are then in no set, no key of a dict, and in no list without order.
    """

    classes: ClassVar[tuple[type, ...]]
    is_value: ClassVar[bool] = True
    is_container: ClassVar[bool] = False
    is_alike: ClassVar[bool] = False
    is_open: ClassVar[bool] = False
    is_unordered: ClassVar[bool] = False
    forgives: ClassVar[frozenset[str]] = frozenset()
    tells_type: ClassVar[bool] = False
    stands_for: ClassVar[str] = ""
    has_keys: ClassVar[bool] = True

    # -- writing in a spec -----------------------------------------------------------------------------

    def build(self, args: Sequence[Value], named: Mapping[str, Value]) -> V:
        """Return the value of a call in a spec.  The entry point of a plugin's sort names that call.

        Such a value is for what is expected.  It stands on the grader's side alone, and no call takes it.
        It must be equal to itself: `meets` and `difference` take it as an answer too.
        Raises `TypeError` and `ValueError`, whose text goes to the author of the spec.
        """
        raise NotImplementedError

    # -- the whole and its parts -----------------------------------------------------------------------

    def parts(self, value: V) -> Iterable[Value]:
        """Return all values in a value, one level down: items, keys, fields, columns."""
        return ()

    def made(self, value: V, parts: Sequence[Value]) -> V:
        """Return a value like this one with as many other parts.  Raises `TypeError` if it can't hold one."""
        return value

    def shape(self, value: V) -> Hashable:
        """Return what a value is besides its parts.

        Two values are the same if their classes, their shapes and their parts are.  True is not 1 here,
        every nan is the same, and -0.0 is not 0.0.
        """
        return repr(value)

    # -- text ------------------------------------------------------------------------------------------

    def text(self, value: V, python: "PythonText") -> str:
        """Return Python that makes a value; `python` writes its parts, and knows the words for its reader."""
        return python.unwritable(value)

    def type_name(self, value: V) -> str:
        """Return the name of the type of a value, as the student knows it; for people, in one safe line."""
        return library_name(type(value))

    @abstractmethod
    def shown(self, value: V, room: int, level: int, whole: bool) -> str:
        """Return a value as text for people, in about `room` characters.

        The helpers are in `grader.values.show`.  level: how many containers it is in.
        whole: raise `TooLong` rather than leave something out.
        """

    # -- comparison ------------------------------------------------------------------------------------

    def count(self, value: V) -> int:
        """Return the number of items that a value counts for where the work is bounded."""
        return 0

    @abstractmethod
    def key(self, value: V, keys: "Keys", level: int) -> "Key":
        """Return a key: two values have equal keys exactly where `difference` finds none.

        It begins with a rank of `grader.values.canonical`, such as WITH_PARTS.  keys: the walk, which makes
        keys of parts.
        level: how many containers the parts are in.
        """

    def meets(self, expected: V, actual: Value, rules: Comparison) -> bool:
        """Tell whether an answer is compared part by part; else the two differ as a whole."""
        return type(expected) is type(actual)

    @abstractmethod
    def difference(self, expected: V, actual: Any, rules: Comparison, level: int) -> Difference | None:
        """Return the first difference of two values that meet; None if they are equal.

        The helpers are in `grader.values.compare`.  level: how many containers the parts are in.
        """

    def in_any_order(self, expected: V, actual: Any, rules: Comparison) -> Difference | None:
        """Return the same where the order of the parts is free, for sorts that forgive it."""
        raise NotImplementedError

    # -- crossing to a box -----------------------------------------------------------------------------

    def node(self, value: V, inner: Inner) -> Node:
        """Return what crosses to a box for a value: a letter and the nodes of parts, made by `inner`.

        The letters are those of `grader.worker.box.records`.  `["v", value]` crosses as it is.
        """
        return ["v", value]

    # -- single parts, to be replaced one at a time ----------------------------------------------------

    def places(self, value: V) -> Iterable[tuple[Place, Value]]:
        """Return the parts that can be replaced one by one, with their places."""
        return ()

    def replaced(self, value: V, place: Place, part: Value) -> V:
        """Return a value with another part in a place.  Raises `TypeError` if it can't hold it."""
        others = [part if at == place.at else each for at, each in enumerate(self.parts(value))]
        return self.made(value, others)

    def role(self, value: V, role: Role) -> Role:
        """Return the role to which the places of a value add their steps, given the role of the value."""
        return role

    # -- declared types --------------------------------------------------------------------------------

    def names(self, value: V) -> tuple[str, ...]:
        """Return the names that a module must have for a value: its class, or the member of a class."""
        return ()

    def non_data(self, value: V, known: Mapping[str, DeclaredType]) -> str:
        """Return words for what makes a value, its parts aside, no plain data; empty if it is plain data.

        known: the declared types, by name.
        """
        return ""


SORTS: dict[type, Sort[Any]] = {}
"""The sort of each class; a subclass that lies is another class."""
SHOWN: dict[type, Callable[[Any, int, int, bool], str]] = {}
KEYS: dict[type, Callable[[Any, Any, int], "Key"]] = {}
"""`shown` and `key` of the sort of each class, which hot walks look up at once."""


def register(sort: Sort[Any]) -> None:
    """Enter a sort under its classes; `grader.values.sorts` does it."""
    for kind in sort.classes:
        SORTS[kind] = sort
        SHOWN[kind] = sort.shown
        KEYS[kind] = sort.key


def plugin_sorts() -> dict[str, Sort[Any]]:
    """Return the sorts that plugins bring, by the names of their calls in a spec; they are entered then.

    One whose class has a sort already is left out.
    """
    with _ENTERING:
        return _entered()


_ENTERING = Lock()


@cache
def _entered() -> dict[str, Sort[Any]]:
    found = {}
    for name, sort in registry().all_of(Group.VALUES).items():
        taken = [kind.__name__ for kind in sort.classes if kind in SORTS]
        if taken or not sort.classes:
            reason = f"values of {taken[0]} have a sort already" if taken else "it names no classes"
            registry().refuse(registry().entries(Group.VALUES)[name], reason)
        else:
            _check_answers(sort, name)
            register(sort)
            found[name] = sort
    return found


_ANSWERS: Mapping[str, tuple[type, ...]] = {
    "count": (int,),
    "difference": (Difference, type(None)),
    "in_any_order": (Difference, type(None)),
    "key": (tuple,),
    "meets": (bool,),
    "shown": (str,),
    "text": (str,),
    "type_name": (str,),
}
"""The types of what a sort answers, where anything else would fail later in code of ours."""


def _check_answers(sort: Sort[Any], name: str) -> None:
    """Let a plugin's sort raise `PluginFailed` where it gives an answer of another type."""
    plugin = registry().plugin_of(Group.VALUES, name)
    for question, kinds in _ANSWERS.items():
        what = f"plugin {plugin}: `{question}` of its sort {name}"
        setattr(sort, question, _checked(getattr(sort, question), kinds, what))


def _checked(answer: Callable[..., object], kinds: tuple[type, ...], what: str) -> Callable[..., object]:
    def checked(*args: object, **named: object) -> object:
        found = answer(*args, **named)
        if not isinstance(found, kinds):
            raise PluginFailed(f"{what} gave a {type(found).__name__}")
        return found

    return checked


def unregistered(kind: type) -> Sort[Any]:
    """Return the sort of a class that is none of ours: a plugin's, or that of what is no value."""
    plugin_sorts()
    return SORTS.get(kind) or SORTS[object]


def sort_of(value: Value) -> Sort[Any]:
    """Return the sort of a value; what is no value has one too, without parts."""
    return SORTS.get(type(value)) or unregistered(type(value))


def are_plain(nodes: Iterable[Node]) -> bool:
    """Tell whether nodes stand for values that all cross as they are, so that what holds them does too."""
    return all(node[0] == "v" for node in nodes)

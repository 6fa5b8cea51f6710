"""What an expression of a test means: data, something of the program's, or a part of unittest."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeAlias


class Unsaid(Exception):
    """Why a test can't be said by calls and steps."""


class Kind(Enum):
    """The form of an expression of the spec, which decides the step that asks for it."""

    NAME = "a name of an earlier step"
    MODULE = "a name of the module"
    READ = "an attribute"
    CALL = "call"
    OPERATION = "an operation, which needs brackets within another"
    NEW = "new"


@dataclass(frozen=True)
class Data:
    """A value that the test file alone determines."""

    value: Any


@dataclass(frozen=True)
class Remote:
    """Something of the program's, as the spec would say it.  It is not asked for before a step does."""

    text: str
    kind: Kind


@dataclass(frozen=True)
class Callback:
    """A function that the test gives to the program, as a lambda."""

    source: str


@dataclass(frozen=True)
class Mixed:
    """A list, tuple, set or dict of which a part is not data.  opens, closes: its brackets."""

    opens: str
    items: tuple["Thing", ...]
    keys: tuple["Thing", ...] = ()


@dataclass(frozen=True)
class Function:
    """A function or method of the test file, which is followed.  bound: it is called on the test case."""

    node: ast.FunctionDef
    scope: "Scope"
    bound: bool = False


@dataclass(frozen=True)
class Assertion:
    """A method of `unittest.TestCase`."""

    name: str


@dataclass(frozen=True)
class Expecting:
    """The context in which a call must raise.  error: the class as the spec names it."""

    error: str
    pattern: str | None = None


@dataclass(frozen=True)
class Applied:
    """A function of the standard library, called with answers; a checker calls it."""

    function: str
    args: tuple["Thing", ...]


@dataclass(frozen=True)
class Every:
    """Things of which each must hold: `a and b`, `1 < a < 5`."""

    parts: tuple["Thing", ...]


@dataclass(frozen=True)
class Unknown:
    """What a test names and nothing here can say.  It is a reason only where it is used."""

    reason: str


@dataclass(frozen=True)
class Caught:
    """An exception that a step raised, or its `type`, `args` or `message`."""

    step: "Step"
    part: str = ""


@dataclass(frozen=True)
class TestCase:
    """The test case, `self`."""


@dataclass(frozen=True)
class Program:
    """The program's module, imported as a whole."""


@dataclass(frozen=True)
class Library:
    """A built-in, or a module or function of the standard library."""

    value: Any


Thing: TypeAlias = (
    Applied
    | Every
    | Unknown
    | Data
    | Remote
    | Callback
    | Mixed
    | Function
    | Assertion
    | Expecting
    | Caught
    | TestCase
    | Program
    | Library
)


@dataclass
class Step:
    """A step of a scenario: its keys, as the spec has them."""

    keys: dict[str, Any]

    @property
    def expects(self) -> bool:
        return not self.keys.keys().isdisjoint(("returns", "check", "raises"))


@dataclass
class Scope:
    """The names that a piece of code sees."""

    names: dict[str, Thing] = field(default_factory=dict)
    outer: "Scope | None" = None

    def find(self, name: str) -> Thing | None:
        for scope in self.outwards():
            if name in scope.names:
                return scope.names[name]
        return None

    def data(self) -> dict[str, Any]:
        """Return all names whose values Python itself can compute with."""
        return {
            name: thing.value
            for scope in reversed([*self.outwards()])
            for name, thing in scope.names.items()
            if isinstance(thing, Data | Library)
        }

    def outwards(self) -> Iterator["Scope"]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

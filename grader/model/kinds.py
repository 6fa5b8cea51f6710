"""Finds the kind of a case, which is the object that answers all questions about such cases.

Readers, judges, runners and reports ask the kind, and none of them tests which kind it is.  A kind stands
above all of them, since it uses them.  So it is found by its name here, and imported when a case first
needs it.
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from grader.kinds.kind import Kind
    from grader.model.case import Calls, Case


class What:
    """What a case tries: the base of the records of all kinds.

    kind_name: the name of the kind that knows what to do with such a case.
    """

    __slots__ = ()
    kind_name: ClassVar[str]


KINDS = {
    "rule": "grader.kinds.rule",
    "program": "grader.kinds.program",
    "pytest": "grader.kinds.test_file",
    "student tests": "grader.kinds.student_tests",
    "calls": "grader.kinds.calls",
}
"""The package of each kind, in the order in which a case of the spec is taken for one.

`KIND` in its module `kind` is the object; `KEYS` in its module `keys` are its keys in the spec.
"""


@cache
def kind_named(name: str) -> "Kind[Any]":
    """Return the kind of this name."""
    found: Kind[Any] = import_module(f"{KINDS[name]}.kind").KIND
    return found


def kind_of(case: "Case") -> "Kind[Any]":
    """Return the kind of a case."""
    return kind_named(case.what.kind_name)


def calls_of(case: "Case") -> "Calls":
    """Return the calls that a case makes; none for a kind that makes no calls."""
    return kind_of(case).calls_of(case)

"""Finds the kind of a case, which is the object that answers all questions about such cases.

Readers, judges, runners and reports ask the kind, and none of them tests which kind it is.  A kind stands
above all of them, since it uses them.  So it is found by its name here, and imported when a case first
needs it.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from grader.registry.groups import Group
from grader.registry.registry import registry

if TYPE_CHECKING:
    from grader.kinds.kind import Kind
    from grader.model.case import Calls, Case


class What:
    """What a case tries: the base of the records of all kinds.

    kind_name: the name of the kind that knows what to do with such a case.
    """

    __slots__ = ()
    kind_name: ClassVar[str]


@cache
def kind_named(name: str) -> "Kind[Any]":
    """Return the kind of this name."""
    found: Kind[Any] = registry().load(Group.KINDS, name)
    return found


def kind_of(case: "Case") -> "Kind[Any]":
    """Return the kind of a case."""
    return kind_named(case.what.kind_name)


def calls_of(case: "Case") -> "Calls":
    """Return the calls that a case makes; none for a kind that makes no calls."""
    return kind_of(case).calls_of(case)

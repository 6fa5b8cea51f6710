"""What a key of a spec is: its name, the kind of its value, and whether it must be there.

Which keys there are stands in `grader.spec.keys`.
"""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What the value of a key looks like; the text completes "must be"."""

    TEXT = "a text"
    IDENTIFIER = "a short name without blanks"
    PATH = "a path"
    DECIMAL = "a number such as 2 or 0.5"
    INTEGER = "a whole number"
    BOOLEAN = "true or false"
    CHOICE = "one of the words for it"
    DURATION = "a duration such as 500ms, 30s or 2min"
    DURATION_OR_MAPPING = "a duration such as 2min, or a mapping {time: 2min, wall: 5min}"
    SIZE = "a size such as 64KiB, 512MiB or 1GiB"
    TOLERANCE = "a number such as 1e-9"
    SHARE = "a share such as 1% or 0.01"
    PENALTY = "a penalty such as 15% or 1.5"
    MOMENT = "a point in time such as 2026-11-20T23:59:00+01:00"
    CALL = "a call such as f(1, 2)"
    CALL_OR_MAPPING = "a call such as f(1, 2), or a mapping"
    LAMBDA = "a lambda"
    VALUE = "a Python expression"
    ATTRIBUTE = "a name such as tour.N"
    NAMES = "a name or a list of names"
    NAMES_OR_MAPPING = "a name, a list of names, or a mapping of names"
    EXIT = "a whole number from 0 to 255, or any"
    ANSWER = "a line of text, or end"
    RULE = "the kind of a rule, with what it takes: `no recursion` or {forbidden imports: {names: os}}"
    LIST = "a list"
    MAPPING = "a mapping, lines of `key: value`"
    TEXT_OR_MAPPING = "a text or a mapping"


@dataclass(frozen=True, slots=True)
class Field:
    """One key: its name, what its value is, and for a CHOICE the words to choose from."""

    name: str
    kind: Kind
    required: bool = False
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """The keys of one kind of mapping; `title` completes "in …"."""

    title: str
    fields: tuple[Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The keys in the order of the documentation."""
        return tuple(field.name for field in self.fields)

    def field(self, name: str) -> Field:
        """Return the field of that name, which must exist."""
        return next(field for field in self.fields if field.name == name)

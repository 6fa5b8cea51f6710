"""The keys of a spec: one table for each kind of mapping.

The single list of what a spec may hold.  Unknown and missing keys are found with it, and a
test holds `docs/spec.md` against it.  What the values mean is the business of the decoders.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, StrEnum

from grader.model.task import Award, RoundingMode, Visibility


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
    SIZE = "a size such as 64KiB, 512MiB or 1GiB"
    TOLERANCE = "a number such as 1e-9"
    CALL = "a call such as f(1, 2)"
    LAMBDA = "a lambda"
    VALUE = "a Python expression"
    NAMES = "a name or a list of names"
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


def _required(name: str, kind: Kind) -> Field:
    return Field(name, kind, required=True)


def _choice(name: str, words: Iterable[StrEnum | str]) -> Field:
    return Field(name, Kind.CHOICE, choices=tuple(str(word) for word in words))


TASK = Table(
    "a task",
    (
        _required("task", Kind.IDENTIFIER),
        _required("title", Kind.TEXT),
        _required("marks", Kind.DECIMAL),
        Field("reference", Kind.PATH),
        Field("checkers", Kind.PATH),
        _required("modules", Kind.MAPPING),
        Field("python", Kind.TEXT),
        Field("packages", Kind.NAMES),
        Field("limits", Kind.MAPPING),
        Field("budget", Kind.DURATION),
        Field("rounding", Kind.MAPPING),
        Field("seed", Kind.INTEGER),
        Field("let", Kind.MAPPING),
        _required("questions", Kind.LIST),
    ),
)

LIMITS = Table(
    "limits",
    (
        Field("time", Kind.DURATION),
        Field("wall", Kind.DURATION),
        Field("memory", Kind.SIZE),
        Field("output", Kind.SIZE),
        Field("answer", Kind.SIZE),
    ),
)

ROUNDING = Table(
    "rounding",
    (Field("step", Kind.DECIMAL), _choice("mode", RoundingMode)),
)

QUESTION = Table(
    "a question",
    (
        _required("id", Kind.IDENTIFIER),
        _required("title", Kind.TEXT),
        Field("module", Kind.IDENTIFIER),
        _required("marks", Kind.DECIMAL),
        _choice("award", Award),
        Field("limits", Kind.MAPPING),
        _choice("visibility", Visibility),
        _required("cases", Kind.LIST),
    ),
)

CASE = Table(
    "a case",
    (
        Field("call", Kind.CALL),
        Field("sum", Kind.CALL),
        Field("count", Kind.CALL),
        Field("each", Kind.CALL),
        Field("over", Kind.MAPPING),
        Field("watch", Kind.MAPPING),
        Field("returns", Kind.VALUE),
        Field("check", Kind.CALL),
        Field("raises", Kind.TEXT_OR_MAPPING),
        _choice("sequence", ("any",)),
        Field("unordered", Kind.BOOLEAN),
        Field("rel", Kind.TOLERANCE),
        Field("abs", Kind.TOLERANCE),
        Field("unchanged", Kind.BOOLEAN),
        Field("name", Kind.IDENTIFIER),
        Field("weight", Kind.DECIMAL),
        Field("group", Kind.IDENTIFIER),
        Field("hint", Kind.TEXT),
        _choice("visibility", Visibility),
        Field("needs", Kind.NAMES),
        Field("limits", Kind.MAPPING),
    ),
)

RAISES = Table("raises", (_required("type", Kind.IDENTIFIER), Field("message", Kind.TEXT)))

WATCH = Table(
    "a watched callback",
    (_required("answer", Kind.LAMBDA), Field("calls", Kind.VALUE), Field("args", Kind.VALUE)),
)

TABLES = (TASK, LIMITS, ROUNDING, QUESTION, CASE, RAISES, WATCH)

"""The keys of a spec: one table for each kind of mapping.

The single list of what a spec may hold.  Unknown and missing keys are found with it, and a
test holds `docs/spec.md` against it.  What the values mean is the business of the decoders.
"""

from collections.abc import Iterable
from enum import StrEnum

from grader.model.case import Visibility, Whitespace
from grader.model.policy import Of
from grader.model.rule import RuleKind
from grader.model.submission import Repairs
from grader.model.task import Award, RoundingMode
from grader.yamlfile.field import Field, Kind, Table


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
        _choice("repairs", Repairs),
        Field("python", Kind.TEXT),
        Field("packages", Kind.NAMES),
        Field("limits", Kind.MAPPING),
        Field("budget", Kind.DURATION_OR_MAPPING),
        Field("rounding", Kind.MAPPING),
        Field("seed", Kind.INTEGER),
        Field("include", Kind.PATH),
        Field("types", Kind.MAPPING),
        Field("layouts", Kind.MAPPING),
        Field("let", Kind.MAPPING),
        Field("late", Kind.MAPPING),
        Field("smoke", Kind.MAPPING),
        Field("rules", Kind.LIST),
        _required("questions", Kind.LIST),
    ),
)

BUDGET = Table("a budget", (Field("time", Kind.DURATION), Field("wall", Kind.DURATION)))

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

INCLUDED = Table(
    "an included file",
    (Field("types", Kind.MAPPING), Field("layouts", Kind.MAPPING), Field("let", Kind.MAPPING)),
)

TYPE = Table("a class of `types`", (Field("fields", Kind.NAMES), Field("members", Kind.NAMES)))

LAYOUT = Table(
    "a layout",
    (
        _required("legend", Kind.MAPPING),
        Field("empty", Kind.NAMES),
        _choice("origin", ("bottom-left", "top-left")),
        Field("first", Kind.INTEGER),
        Field("size", Kind.TEXT),
        Field("value", Kind.VALUE),
    ),
)

LAYOUT_USE = Table(
    "a value by a layout", (_required("layout", Kind.IDENTIFIER), _required("rows", Kind.TEXT))
)

QUESTION = Table(
    "a question",
    (
        _required("id", Kind.IDENTIFIER),
        _required("title", Kind.TEXT),
        Field("module", Kind.IDENTIFIER),
        _required("marks", Kind.DECIMAL),
        _choice("award", Award),
        Field("pace", Kind.MAPPING),
        Field("limits", Kind.MAPPING),
        _choice("visibility", Visibility),
        Field("picture", Kind.CALL_OR_MAPPING),
        Field("cases", Kind.LIST),
        Field("criteria", Kind.LIST),
        Field("beside", Kind.NAMES),
    ),
)

CRITERION = Table(
    "a criterion",
    (
        _required("id", Kind.IDENTIFIER),
        _required("title", Kind.TEXT),
        _required("marks", Kind.DECIMAL),
        Field("description", Kind.TEXT),
        Field("levels", Kind.LIST),
    ),
)

LEVEL = Table("a level", (_required("marks", Kind.DECIMAL), _required("description", Kind.TEXT)))

LATE = Table(
    "late",
    (
        _required("deadline", Kind.MOMENT),
        Field("grace", Kind.DURATION),
        Field("steps", Kind.LIST),
        _required("then", Kind.PENALTY),
        _choice("of", Of),
        Field("extensions", Kind.PATH),
    ),
)

LATE_STEP = Table(
    "a step of lateness", (_required("within", Kind.DURATION), _required("penalty", Kind.PENALTY))
)

SMOKE = Table(
    "smoke",
    (_required("cases", Kind.NAMES), _required("penalty", Kind.PENALTY), _choice("of", Of)),
)

CASE = Table(
    "a case",
    (
        Field("call", Kind.CALL),
        Field("sum", Kind.CALL),
        Field("count", Kind.CALL),
        Field("each", Kind.CALL),
        Field("program", Kind.IDENTIFIER),
        Field("arguments", Kind.LIST),
        Field("stdin", Kind.TEXT_OR_MAPPING),
        Field("files", Kind.MAPPING),
        Field("dialogue", Kind.LIST),
        Field("player", Kind.CALL),
        Field("stdout", Kind.TEXT_OR_MAPPING),
        Field("stderr", Kind.TEXT_OR_MAPPING),
        Field("exit", Kind.EXIT),
        Field("leaves", Kind.NAMES_OR_MAPPING),
        Field("rule", Kind.RULE),
        Field("scenario", Kind.LIST),
        Field("goes on", Kind.BOOLEAN),
        Field("over", Kind.MAPPING),
        Field("watch", Kind.MAPPING),
        Field("returns", Kind.VALUE),
        Field("check", Kind.CALL),
        Field("raises", Kind.TEXT_OR_MAPPING),
        Field("prints", Kind.TEXT_OR_MAPPING),
        _choice("sequence", ("any",)),
        Field("unordered", Kind.BOOLEAN),
        Field("rel", Kind.TOLERANCE),
        Field("abs", Kind.TOLERANCE),
        Field("differing", Kind.SHARE),
        Field("unchanged", Kind.BOOLEAN),
        Field("name", Kind.IDENTIFIER),
        Field("weight", Kind.DECIMAL),
        Field("group", Kind.IDENTIFIER),
        Field("hint", Kind.TEXT),
        _choice("visibility", Visibility),
        Field("needs", Kind.NAMES),
        Field("limits", Kind.MAPPING),
        Field("pace", Kind.MAPPING),
        Field("picture", Kind.CALL_OR_MAPPING),
    ),
)

PROGRAM_ONLY = (
    *("arguments", "stdin", "files", "dialogue", "player"),
    *("stdout", "stderr", "exit", "leaves"),
)
"""Keys of a case that only a program has."""

RULE = Table("a rule", tuple(Field(kind.value, Kind.MAPPING) for kind in RuleKind))

_EVERY_RULE = (
    Field("modules", Kind.NAMES),
    Field("hint", Kind.TEXT),
    Field("penalty", Kind.PENALTY),
    _choice("of", Of),
    Field("reject", Kind.BOOLEAN),
)
_CONSTRUCTS = (
    Field("constructs", Kind.NAMES),
    Field("patterns", Kind.NAMES),
    Field("functions", Kind.NAMES),
)
_NAMES = (_required("names", Kind.NAMES),)

RULE_OPTIONS = {
    kind: Table(f"`{kind}`", (*own, *_EVERY_RULE))
    for kind, own in {
        RuleKind.NO_RECURSION: (Field("strict", Kind.BOOLEAN),),
        RuleKind.FORBIDDEN_IMPORTS: _NAMES,
        RuleKind.ALLOWED_IMPORTS: _NAMES,
        RuleKind.FORBIDDEN_NAMES: _NAMES,
        RuleKind.NO_GLOBALS: (),
        RuleKind.HEADER: (_required("fields", Kind.MAPPING),),
        RuleKind.FORBIDDEN_CONSTRUCTS: _CONSTRUCTS,
        RuleKind.REQUIRED_CONSTRUCTS: _CONSTRUCTS,
        RuleKind.NO_WARNINGS: (),
        RuleKind.LINTER: (
            Field("select", Kind.NAMES),
            Field("ignore", Kind.NAMES),
            Field("line length", Kind.INTEGER),
        ),
    }.items()
}
"""What each kind of rule takes."""

RULE_OPTION = Table(
    "the options of rules",
    tuple({field.name: field for table in RULE_OPTIONS.values() for field in table.fields}.values()),
)
"""All of them together, for the documentation."""

PICTURE = Table("picture", (_required("by", Kind.CALL), Field("always", Kind.BOOLEAN)))

PACE = Table(
    "pace",
    (
        _required("full", Kind.DECIMAL),
        _required("none", Kind.DECIMAL),
        Field("steps", Kind.INTEGER),
        Field("rounds", Kind.INTEGER),
        Field("floor", Kind.DURATION),
        Field("against", Kind.TEXT),
    ),
)

STEP = Table(
    "a step",
    (
        Field("new", Kind.CALL),
        Field("call", Kind.CALL),
        Field("read", Kind.ATTRIBUTE),
        Field("as", Kind.IDENTIFIER),
        Field("returns", Kind.VALUE),
        Field("check", Kind.CALL),
        Field("raises", Kind.TEXT_OR_MAPPING),
        Field("prints", Kind.TEXT_OR_MAPPING),
        _choice("sequence", ("any",)),
        Field("unordered", Kind.BOOLEAN),
        Field("rel", Kind.TOLERANCE),
        Field("abs", Kind.TOLERANCE),
        Field("differing", Kind.SHARE),
        Field("picture", Kind.CALL_OR_MAPPING),
    ),
)

TURN = Table("a turn of a dialogue", (Field("says", Kind.TEXT_OR_MAPPING), _required("answer", Kind.ANSWER)))

TURN_END = Table("an answer", (_required("end", Kind.BOOLEAN),))

CONTENT = Table("a file's content", (_required("from", Kind.PATH),))

TEXT = Table("an expected text", (_required("text", Kind.TEXT), _choice("whitespace", Whitespace)))

RAISES = Table("raises", (_required("type", Kind.IDENTIFIER), Field("message", Kind.TEXT)))

WATCH = Table(
    "a watched callback",
    (_required("answer", Kind.LAMBDA), Field("calls", Kind.VALUE), Field("args", Kind.VALUE)),
)

TABLES = (
    TASK,
    INCLUDED,
    TYPE,
    LAYOUT,
    LAYOUT_USE,
    LIMITS,
    BUDGET,
    ROUNDING,
    QUESTION,
    CASE,
    STEP,
    TEXT,
    TURN,
    TURN_END,
    CONTENT,
    PICTURE,
    PACE,
    RAISES,
    WATCH,
    CRITERION,
    LEVEL,
    LATE,
    LATE_STEP,
    SMOKE,
    RULE,
    RULE_OPTION,
)

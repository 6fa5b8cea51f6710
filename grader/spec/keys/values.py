"""The kinds of values that only a spec has: calls, expressions, penalties, texts to compare."""

import math
import re
import warnings
from datetime import datetime

from grader.model import task as model
from grader.yamlfile.kinds import (
    INTEGER,
    NAMES,
    NUMBER,
    PATH,
    TEXT,
    choice,
    matching,
    more_than_0,
    quantity,
    within,
    written,
)
from grader.yamlfile.quantities import moment, penalty, share, tolerance
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, Key, KeyKind, KeyTable

MOMENT_HINT = "write date, time and zone, such as 2026-11-20T23:59:00+01:00"

_STRING = {"type": "string"}
SCALAR = {"type": ["string", "number", "boolean", "null"]}
_SHORT = "a short name without blanks"
LONGEST_PATTERN = 1000
_SHARE_PATTERN = r"^([0-9]+(\.[0-9]+)?|\.[0-9]+) ?%?$"


ANY_EXIT = "any"
"""The value of `exit` that accepts every exit code."""


def _exit(fields: Fields, name: str) -> int | str | None:
    scalar = fields.scalar(name)
    if scalar is None or scalar.text == ANY_EXIT:
        return scalar.text if scalar is not None else None
    if type(scalar.value) is int and 0 <= scalar.value <= 255:
        return scalar.value
    fields.misfit(name, scalar)
    return None


def _moment(fields: Fields, name: str) -> datetime | None:
    scalar = fields.scalar(name)
    if scalar is None:
        return None
    value = moment(scalar.text.strip())
    if value is None:
        fields.report(name, f"`{shown(scalar.text)}` is not a point in time with its zone", MOMENT_HINT)
    return value


def pattern_fault(text: str) -> str:
    """Return why a text is not a regular expression; empty where it is one."""
    if len(text) > LONGEST_PATTERN:
        return f"it has more than {LONGEST_PATTERN} characters"
    try:
        with warnings.catch_warnings(action="ignore"):
            re.compile(text, re.MULTILINE)
    except (re.error, RecursionError, OverflowError) as error:
        return str(error)
    return ""


def _pattern(fields: Fields, name: str) -> str | None:
    scalar = fields.scalar(name)
    if scalar is None or TEXT.read(fields, name) is None:
        return None
    fault = pattern_fault(scalar.text)
    if not fault:
        return scalar.text
    if len(scalar.text) > LONGEST_PATTERN:
        fields.report(name, f"`{name}` has more than {LONGEST_PATTERN} characters")
    else:
        fields.report(name, f"`{name}` is not a regular expression: {shown(fault)}")
    return None


MARKS = more_than_0(NUMBER, "marks, more than 0")
CALL = written("a call such as f(1, 2)", "Python call", _STRING)
LAMBDA = written("a lambda", "a lambda", _STRING)
ATTRIBUTE = written("a name such as tour.N", "dotted name", _STRING)
NEW_NAME = written(_SHORT, "a Python name of its own", _STRING)
PRINTED = written("a text", "text", SCALAR)
PATTERN = KeyKind("a text", "regular expression, at most 1000 characters", _pattern, _STRING)
TEXTS = KeyKind("a text or a list of texts", "text, or list of texts", NAMES.read, NAMES.schema)
EXPRESSION = written("a Python expression", "expression", SCALAR)
VALUE = KeyKind("a Python expression", "value", Fields.node, {})

# fmt: off
VALUE_FILE = KeyTable(
    "a value from a file",
    (
        Key("from", PATH.described("path below the spec's folder; at most 1 MiB"),
            "data/words.json", required=True, meaning=
            "the file that holds the value; part of the spec's digest"),
        Key("as", choice(("json", "text", "lines", "rows", "python")), "lines", absent="by its ending",
            meaning=
            "how it is read: `json`; its whole `text` (`.txt`) or the list of its `lines`; the `rows` of a "
            "`.csv`, lists of texts; an expression in `python` (`.py`)"),
    ),
)
"""The keys of a mapping that stands for a value."""
# fmt: on

TASK_ID = matching(
    model.TASK_ID,
    model.TASK_ID_WORDS,
    "lower-case letters, digits, single hyphens; at most 64",
    _SHORT,
)
ID = matching(
    re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"),
    "letters, digits, hyphens and underscores, at most 64",
    "letters, digits, `-`, `_`; at most 64",
    _SHORT,
)
CASE_NAME = matching(
    re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}"),
    "a letter, then letters, digits, hyphens and underscores, at most 64",
    "a letter, then letters, digits, `-`, `_`; at most 64",
    _SHORT,
)
CASE_NUMBER = within(INTEGER, 1, 100_000).described("whole number, from 1")
NAME = KeyKind(_SHORT, "name", TEXT.read, TEXT.schema)
MODULE = NAME.described("a name of `modules`")
IDS = NAMES.described("an id or a list of ids, in quotes")
TOLERANCE = quantity(
    "a number such as 1e-9", "number from 0", tolerance, {"type": ["number", "string"], "minimum": 0}
).bounded(math.isfinite, "must be finite", "number from 0")
RELATIVE = TOLERANCE.bounded(
    lambda value: value < 1,
    "must be less than 1, or 0 is near to every number",
    "number from 0, below 1",
)
_SHARE = quantity(
    "a share such as 1% or 0.01", "share", share, {"type": ["number", "string"], "pattern": _SHARE_PATTERN}
)
SHARE = _SHARE.bounded(
    lambda value: 0 < value < 1, "must lie between 0 and 1 (100%)", "share, more than 0, below 1"
)
SHARE_OR_ALL = _SHARE.bounded(
    lambda value: 0 < value <= 1, "must be more than 0, and 100% at most", "share, more than 0"
)
PENALTY = quantity(
    "a penalty such as 15% or 1.5",
    "penalty",
    penalty,
    {"type": ["number", "string"], "minimum": 0, "pattern": _SHARE_PATTERN},
).bounded(lambda read: not (read[1] and read[0] > 1), "can't take more than 100%", "penalty")
MOMENT = KeyKind("a point in time such as 2026-11-20T23:59:00+01:00", "date, time and zone", _moment, _STRING)
EXIT = KeyKind(
    "a whole number from 0 to 255, or any",
    "whole number, 0 to 255, or `any`",
    _exit,
    {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 255}, {"const": "any"}]},
)
SEED = within(INTEGER, 0, 2**63 - 1, shown_most="2**63 - 1").described("whole number, from 0, below 2^63")
EXAMPLES = within(INTEGER, 1, 1000).described("whole number, 1 to 1000")
GIVEN = KeyKind(
    "a mapping, or a list of mappings",
    "name: strategy; or a list of mappings of name: value",
    Fields.node,
    {"anyOf": [{"type": "object"}, {"type": "array", "items": {"type": "object"}}]},
)

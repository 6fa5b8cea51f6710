"""The keys of a file of reviews: a list of blocks, each of one student, or a shared comment."""

import re

from grader.spec.keys.values import ID
from grader.yamlfile.kinds import INTEGER, LIST, MAPPING, NAMES, NUMBER, TEXT, choice, within
from grader.yamlfile.table import Key, KeyTable

_BY = (Key("by", TEXT), Key("date", TEXT), Key("work", TEXT))
_LINE = within(INTEGER, 1, 10_000_000)

BLOCK = KeyTable(
    "a review",
    (
        Key("student", TEXT, required=True),
        Key("as", choice(("second", "agreed"))),
        *_BY,
        Key("criteria", MAPPING),
        Key("overrides", LIST),
        Key("remarks", LIST),
        Key("again", TEXT, default=""),
    ),
)
MARKED = KeyTable(
    "a criterion's review",
    (
        Key("marks", NUMBER),
        Key("level", TEXT),
        Key("comment", TEXT, default=""),
        Key("uses", NAMES, default=()),
        *_BY,
    ),
)
OVERRIDE = KeyTable(
    "an override",
    (
        Key("question", TEXT, default=""),
        Key("marks", NUMBER, required=True),
        Key("reason", TEXT, required=True),
        *_BY,
    ),
)
REMARK = KeyTable(
    "a remark",
    (
        Key("question", TEXT, default=""),
        Key("file", TEXT, default=""),
        Key("line", _LINE),
        Key("text", TEXT, default=""),
        Key("comment", TEXT, required=True),
        *_BY,
    ),
)
SHARED = KeyTable(
    "a shared comment",
    (
        Key("comment", ID, required=True),
        Key("for", TEXT, default=""),
        Key("text", TEXT, required=True),
        Key("by", TEXT, default=""),
    ),
)
DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DIGEST = re.compile(r"[0-9a-f]{8,64}")

"""The JSON Schema of `results.json`, generated from the declared types of the results.

`python -m grader.store.schema` writes it to `grader-results-1.schema.json` beside this file, for other tools.
A test compares the two.  The docstrings of the types give the descriptions; facts that types cannot state,
such as least values and patterns, stand here as data.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from inspect import cleandoc
from pathlib import Path
from types import NoneType
from typing import Any, TypeAlias, get_args, get_origin

from grader.model import drawing
from grader.model import results as model
from grader.model.person import Person
from grader.model.verdict import Verdict
from grader.store.codec import Key
from grader.store.results_json import RESULTS

Schema: TypeAlias = dict[str, Any]

_NAMED: Mapping[str, Schema] = {
    "mark": {
        "type": "string",
        "description": "An exact number: a decimal where one exists, else a fraction.",
        "pattern": r"^-?[0-9]+(\.[0-9]+|/[1-9][0-9]*)?$",
    },
    "decimal": {
        "type": "string",
        "description": "A decimal number.",
        "pattern": r"^-?[0-9]+(\.[0-9]+)?$",
    },
    "digest": {
        "type": "string",
        "description": "SHA-256 in lower-case hexadecimal digits, or empty where there is nothing to digest.",
        "pattern": "^([0-9a-f]{64})?$",
    },
    "time": {"type": "string", "description": "Date and time by ISO 8601, or empty."},
    "verdict": {
        "description": "What became of a case, or of a question as a whole.",
        "enum": [*Verdict],
    },
    "picture_mark": {"enum": [*drawing.Mark]},
    "point": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer"}},
}
"""Parts that several classes share."""


def _ref(name: str, **more: Any) -> Schema:
    return {"$ref": f"#/$defs/{name}", **more}


_BY_TYPE: Mapping[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": 0},
    float: {"type": "number", "minimum": 0},
    NoneType: {"type": "null"},
    Fraction: _ref("mark"),
    Verdict: _ref("verdict"),
    drawing.Mark: _ref("picture_mark"),
    drawing.Point: _ref("point"),
}

_DEFINED = (
    *(model.RunInfo, model.TaskHead, model.SubmissionResult, model.QuestionResult, model.CaseResult),
    *(
        drawing.Picture,
        drawing.Grid,
        drawing.Sheet,
        model.StepResult,
        model.Timing,
        model.Raised,
        model.Penalty,
    ),
    model.GrowthResult,
    *(model.Override, model.CriterionResult, model.RuleFinding, model.RuleResult),
    *(model.GroupResult, model.Cap, model.AttemptResult, Person),
)
"""Classes with a definition of their own; the schemas of others stand in the places where they are used."""

_ID: Schema = {"type": "string", "minLength": 1}
_COUNT: Schema = {"type": "integer", "minimum": 1}
_SIDE: Schema = {**_COUNT, "maximum": drawing.MAX_SIDE}
_TEXTS: Schema = {"type": "object", "additionalProperties": {"type": "string"}}

_IMAGE: Schema = {
    "type": "object",
    "properties": {
        "width": {"type": "integer", "minimum": 1},
        "height": {"type": "integer", "minimum": 1},
        "palette": {
            "type": "array",
            "description": "Colours such as #ffaa00.",
            "items": {"type": "string", "pattern": "^#[0-9a-f]{6}$"},
        },
        "pixels": {
            "type": "string",
            "description": "A byte for each pixel, its place in the palette, row by row from the top; "
            "zlib, then base64.",
        },
    },
    "required": ["width", "height", "palette", "pixels"],
}

_PICTURE: Schema = {
    "type": "object",
    "description": "A picture of an answer: evidence for people, on which no mark depends. "
    "A grid, an image or a table.",
    "properties": {
        "title": {"type": "string"},
        "text": {"type": "string", "description": "What is to be seen on it, in words."},
        "grid": {"anyOf": [{"type": "null"}, _ref("grid")]},
        "image": {"anyOf": [{"type": "null"}, _IMAGE]},
        "table": _ref("table"),
    },
    "required": ["title", "text", "grid", "image"],
}

_FIELDS: Mapping[Any, Mapping[str, Schema]] = {
    model.RunResults: {"schema": {"const": model.RESULTS_SCHEMA}},
    model.RunInfo: {
        **{"spec_sha256": _ref("digest"), "lock_sha256": _ref("digest")},
        **{"started": _ref("time"), "finished": _ref("time"), "seed": {"type": "integer"}},
    },
    model.TaskHead: {"id": _ID, "max_mark": _ref("decimal")},
    model.SubmissionResult: {
        **{"id": _ID, "mark": _ref("decimal"), "max_mark": _ref("decimal")},
        "content_sha256": _ref("digest"),
    },
    model.QuestionResult: {"id": _ID},
    model.CaseResult: {"id": _ID},
    model.TurnResult: {"number": _COUNT},
    model.Timing: {"rounds": _COUNT},
    model.GrowthResult: {"rounds": _COUNT, "power": {"type": "number"}},
    model.GrowthPoint: {"size": _COUNT},
    Person: {"ids": _TEXTS},
    drawing.Grid: {"columns": _SIDE, "rows": _SIDE, "legend": _TEXTS},
    drawing.Line: {"number": _BY_TYPE[int]},
}
"""For each field: its schema, if the type alone would give another one."""

_ENTRY = re.compile(r"(?:^|  )(\w+(?:, \w+)*): ", re.MULTILINE)


def results_schema() -> Schema:
    defined = {RESULTS.shape(kind).name: _object(kind) for kind in _DEFINED}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:grader:results:1",
        "title": "Results of a marking run (grader-results/1)",
        **_object(model.RunResults),
        "$defs": {**_NAMED, **defined, "picture": _PICTURE},
    }


def _object(kind: Any) -> Schema:
    keys = list(RESULTS.keys(kind))
    about, texts = _described(kind)
    told = {name: {"description": text} for name, text in texts.items()}
    return {
        "type": "object",
        "description": about,
        "properties": {key.name: _property(kind, key) | told.get(key.attribute, {}) for key in keys},
        "required": [key.name for key in keys if key.is_required],
    }


def _described(kind: Any) -> tuple[str, dict[str, str]]:
    """Return the descriptions of a class and of its fields, which its docstring has as `this, that: text`."""
    text, names = cleandoc(kind.__doc__), {one.name for one in fields(kind)}
    found = [each for each in _ENTRY.finditer(text) if names.issuperset(each[1].split(", "))]
    ends = [each.start() for each in found] + [len(text)]
    texts = {
        name: _sentence(text[each.end() : end])
        for each, end in zip(found, ends[1:], strict=True)
        for name in each[1].split(", ")
    }
    return _sentence(text[: ends[0]].partition("\n\n")[0]), texts


def _sentence(text: str) -> str:
    """Return a part of a docstring for readers of JSON."""
    text = " ".join(text.replace("None", "null").split())
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _property(kind: Any, key: Key) -> Schema:
    if key.attribute in _FIELDS.get(kind, {}):
        return _FIELDS[kind][key.attribute]
    members = [member for member in get_args(key.declared) if member is not NoneType]
    if len(members) == len(get_args(key.declared)):
        return _of(key.declared)
    if not key.is_required:  # it is left out instead
        return _of(members[0])
    either = [_of(members[0]), _of(NoneType)]
    return {"anyOf": either[::-1] if is_dataclass(members[0]) else either}


def _of(declared: Any) -> Schema:
    if declared in _BY_TYPE:
        return dict(_BY_TYPE[declared])
    arguments = get_args(declared)
    if get_origin(declared) in (dict, Mapping):
        return {"type": "object", "additionalProperties": _of(arguments[1])}
    if arguments:
        return {"type": "array", "items": _of(arguments[0])}
    if declared in _DEFINED:
        return _ref(RESULTS.shape(declared).name)
    if issubclass(declared, StrEnum):
        return {"enum": [word.value for word in declared]}
    return _object(declared)


def schema_text() -> str:
    """Return the text of the schema's file."""
    return json.dumps(results_schema(), indent=2) + "\n"


if __name__ == "__main__":
    Path(__file__).with_name("grader-results-1.schema.json").write_text(schema_text(), encoding="utf-8")

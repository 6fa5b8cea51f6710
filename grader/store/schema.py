"""The JSON Schema of `results.json`, generated from the declared types of the results.

`python -m grader.store.schema` writes it to `grader-results-1.schema.json` beside this file, for other tools.
A test compares the two.
Facts that types cannot state stand here as data: descriptions, least values, patterns.
"""

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from enum import StrEnum
from fractions import Fraction
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

_ABOUT: Mapping[Any, str] = {
    model.RunResults: "The whole file.",
    model.RunInfo: "Under what conditions the run took place.",
    model.SandboxInfo: "What held student code.",
    model.TaskHead: "What was marked.",
    model.SubmissionResult: "What became of one submission.",
    model.QuestionResult: "What became of one question.",
    model.CaseResult: "What became of one case. Times and memory are measured from outside the process.",
    model.Difference: "Where expected and actual first differ.",
    model.Raised: "An exception of the student's code; all of it is the student's text.",
    model.Frame: "A line of the traceback in the student's own files.",
    model.StepResult: "What became of one step of a scenario.",
    model.Timing: "The time of a right answer beside the reference's, both measured under the same "
    "conditions.",
    model.GrowthResult: "The growth of the time of a right answer over the sizes of its input.",
    model.GrowthPoint: "The time of one size.",
    model.CriterionResult: "What a person made of one criterion.",
    model.GroupResult: "The result of a group of cases that has a rule of its own.",
    model.Cap: "Marks above the most that some questions, or all of them, can earn.",
    model.AttemptResult: "One of several attempts of a student.",
    Person: "The student; for the staff.",
    model.Penalty: "Marks that were taken off.",
    model.Override: "A person's mark in the place of another.",
    model.RuleFinding: "One place where a rule on source is broken.",
    model.RuleResult: "What became of one rule of the task on the source.",
    model.SourceText: "A file of the student's as it was marked; lines end at newlines alone.",
    drawing.Sheet: "A table of texts: labels, cells row by row, and the cells that differ.",
    drawing.Grid: "A board of squares; a point is [column, row], from 0 at the top left.",
    drawing.Cell: "A square that is not simply empty.",
    drawing.Line: "A way from the middle of a square to the next.",
}
"""Descriptions of classes."""

_IDS: Schema = {
    "type": "object",
    "description": "Ids elsewhere, by kind: moodle, canvas, gradescope, brightspace, blackboard, sis, login, "
    "github.",
    "additionalProperties": {"type": "string"},
}

_FIELDS: Mapping[Any, Mapping[str, str | Schema]] = {
    model.RunResults: {
        "schema": {"const": model.RESULTS_SCHEMA},
        "submissions": "In the order of their ids.",
    },
    model.RunInfo: {
        "id": "Differs from run to run.",
        "grader": "Version of the grader.",
        "spec_sha256": _ref("digest"),
        "seed": {"type": "integer"},
        "python": "Version of the interpreter that ran the submissions.",
        "started": _ref("time"),
        "finished": _ref("time"),
        "tools": "Programs that looked at source, with their versions; only where there were any.",
        "lock_sha256": _ref("digest", description="Of the packages' lock file; only where there is one."),
        "spec_faults": "Faults of the spec that its own reference showed; the run was marked anyway.",
    },
    model.SandboxInfo: {"guarantees": "Each guarantee, and whether it held on this host."},
    model.TaskHead: {
        "id": _ID,
        "max_mark": _ref("decimal"),
        "language": "Of the pages for students; absent for English.",
    },
    model.SubmissionResult: {
        "id": {**_ID, "description": "Unique in the file."},
        "name": "For people.",
        "mark": _ref("decimal", description="Rounded once, by the rule of the task."),
        "max_mark": _ref("decimal"),
        "status": "pending: an internal error stands in the way of a right mark.",
        "content_sha256": _ref("digest"),
        "late_s": "Seconds after this student's deadline; 0 where it is in time, or where the time is not "
        "known.",
        "penalties": "What was taken off what the caps have left, in the order in which it was taken.",
        "overrides": "Marks that a person put in the place of others.",
        "problems": "What is wrong with it as a whole.",
        "notes": "What the student should know and what costs nothing.",
        "awaiting": "Criteria that a person has yet to mark; the status is then pending, and they count as "
        "nothing so far.",
        "deadline": "This student's deadline, ISO 8601 in UTC; only where the task has one.",
        "submitted": "When it was handed in, ISO 8601 in UTC; empty where that is not known; only where the "
        "task has a deadline.",
        "rules": "What became of the task's rules on source, in its order; only where it has any.",
        "caps": "What was taken off the sum of the questions, before the penalties; only where one was met.",
        "attempts": "All attempts of the student, in their order; only where the task says which one counts, "
        "and there are several.  The rest of the submission is about the one that counts.",
        "counting": "Which attempt counts: latest, best, last-before-deadline; only with attempts.",
        "person": "The student, for the staff; only where an export or a roster tells.",
        "sources": "The files that were marked: the task's, and those of the student's that they name.",
    },
    model.QuestionResult: {
        "id": _ID,
        "mark": "Not rounded.",
        "award": "How the cases become the mark: all, each, groups, by-time.",
        "criteria": "What people mark, in the place of cases.",
        "groups": "Groups of cases with rules of their own; their marks add up to the question's.",
        "bonus": "Its marks come on top of the task's; absent where they do not.",
    },
    model.CaseResult: {
        "id": _ID,
        "call": "What was tried, as Python where it is a call.",
        "score": "Earned share of the case, 0 to 1.",
        "cpu_s": "Processor time in seconds, as the kernel counts it.",
        "wall_s": "Time by the clock in seconds.",
        "peak_rss_b": "Largest memory in bytes.",
        "time_limit_s": "Limit of the processor time; 0 where there is none.",
        "printed": "What was printed, where the case says what should be.",
        "expected_print": "What should have been printed, where something else was.",
        "steps": "The steps of a scenario, in order.",
        "given": "The files that it found; of a program also its input, named stdin. Long texts are cut.",
        "dialogue": "For a program that is answered line by line: the turns, some left out of a long one.",
        "timing": "Where the case's time was compared with the reference's.",
        "growth": "Where the case's time was measured over growing inputs.",
        "pictures": "The answer as the spec wants it drawn, where it was.",
        "findings": "For a rule on source: where it is broken.",
        "near_limit": "It used more than half of its time limit, for the staff; absent where it did not.",
        "picture_note": "Why it was not drawn, for the staff.",
        "stopped_at": "The line at which a limit ended it, as the student's process said.",
        "title": "The spec's words for it, instead of a long call; absent where it has none.",
    },
    model.Difference: {
        "code": "The place as Python code; absent for the value as a whole, and for a place that none names.",
    },
    model.SourceText: {
        "module": "Its name where it is imported; a frame's file is this name and .py.",
        "file": "Its name as it was handed in.",
        "text": "Of a long file the beginning.",
        "cut_b": "Bytes of UTF-8 that are left out at the end.",
    },
    model.StepResult: {
        "text": "The step as one would type it.",
        "message": "What is wrong, or why it was not judged.",
        "expected": "What was expected, as text.",
        "actual": "What came, as text.",
        "printed": "What was printed, where the step says what should be.",
        "expected_print": "What should have been printed, where something else was.",
    },
    model.TurnResult: {
        "number": {"type": "integer", "minimum": 1},
        "said": "What it printed since its last input; a long text is cut.",
        "answered": "The line it was then given; null for the end of the input.",
        "ended": "It ended instead of asking for input.",
        "wrong": "Here it differs from what it should have said.",
        "stopped": "The case ends here, as the spec says.",
    },
    model.Timing: {
        "reference_s": "CPU seconds of the reference, in the round whose ratio is in the middle of all.",
        "submission_s": "CPU seconds of the submission, in the same round.",
        "ratio": "The submission's time as a multiple of the reference's.",
        "spread": "By what share the ratio may be wrong, as far as the rounds can tell; 0 after a single "
        "one.",
        "rounds": {"type": "integer", "minimum": 1, "description": "How often both were run."},
        "full": "The multiple up to which a time is worth all.",
        "none": "The multiple from which on a time is worth nothing.",
    },
    model.GrowthResult: {
        "name": "The growth that counts, such as linear or n log n.",
        "others": "Faster growths that fit the times as well.",
        "power": {"type": "number", "description": "The power of the size by which the time grows."},
        "too_quick": "The times were too short to tell a growth; then the best counts.",
        "at_most": "The fastest growth that earns all.",
        "points": "The time of each size.",
        "rounds": {"type": "integer", "minimum": 1, "description": "How often each size was run."},
    },
    model.GrowthPoint: {
        "size": {"type": "integer", "minimum": 1},
        "cpu_s": "CPU seconds of one call, without those of its process; the median of the rounds.",
    },
    model.CriterionResult: {"mark": "null until a person has marked it."},
    model.GroupResult: {
        "award": "How its cases become its mark: all, each, threshold, minimum.",
        "at_least": "The least that it must reach: a number of accepted cases, or a share.",
        "mark": "Not rounded.",
        "accepted": "How many of its cases were accepted.",
        "cases": "How many cases it has.",
        "bonus": "Its marks come on top of the question's; absent where they do not.",
    },
    model.Cap: {
        "title": "The section; empty for all questions.",
        "most": "The most that they can earn.",
        "amount": "Marks above it, exact.",
    },
    model.AttemptResult: {
        "mark": "Its own, after its penalties, without a person's mark for the whole.",
        "status": "pending: it could not be marked.",
        "submitted": "ISO 8601 in UTC; empty where that is not known.",
        "late_s": "Seconds after this student's deadline.",
        "counts": "This attempt counts.",
    },
    Person: {
        "name": "Empty where it is not known.",
        "mail": "An address.",
        "ids": _IDS,
        "group": "The group that they hand in with.",
        "work": "The same for all who handed in one work together.",
    },
    model.Penalty: {"reason": "Why, for the student.", "amount": "Marks, exact."},
    model.Override: {
        "question": "Whose mark; empty for that of the whole submission.",
        "before": "The mark without the person.",
        "after": "The mark that counts.",
        "date": "As the person wrote it; may be empty.",
    },
    model.RuleFinding: {
        "line": "0 for the file as a whole.",
        "excerpt": "The line, as the student wrote it.",
    },
    model.RuleResult: {
        "effect": "What breaking it comes to, broken or not.",
        "findings": "None where it is kept.",
        "note": "Why it was not checked on some file.",
    },
    drawing.Grid: {
        "columns": {"type": "integer", "minimum": 1, "maximum": drawing.MAX_SIDE},
        "rows": {"type": "integer", "minimum": 1, "maximum": drawing.MAX_SIDE},
        "across": "Labels of the columns; none, or one for each.",
        "down": "Labels of the rows from the top; none, or one for each.",
        "legend": {
            "type": "object",
            "description": "Words for the marks, fills and pieces that occur, by their names.",
            "additionalProperties": {"type": "string"},
        },
    },
    drawing.Line: {
        "number": {
            **_BY_TYPE[int],
            "description": "Where its squares are numbered, the number of the first.",
        }
    },
}
"""For each field: its description, or its whole schema if the type alone would give another one."""


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
    about = {"description": _ABOUT[kind]} if kind in _ABOUT else {}
    keys = list(RESULTS.keys(kind))
    return {
        "type": "object",
        **about,
        "properties": {key.name: _property(kind, key) for key in keys},
        "required": [key.name for key in keys if key.is_required],
    }


def _property(kind: Any, key: Key) -> Schema:
    note = _FIELDS.get(kind, {}).get(key.attribute, "")
    if not isinstance(note, str):
        return note
    members = [member for member in get_args(key.declared) if member is not NoneType]
    if len(members) == len(get_args(key.declared)):
        found = _of(key.declared)
    elif not key.is_required:  # it is left out instead
        found = _of(members[0])
    else:
        either = [_of(members[0]), _of(NoneType)]
        found = {"anyOf": either[::-1] if is_dataclass(members[0]) else either}
    return {**found, "description": note} if note else found


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

"""Gradescope's `results.json`, checked by hand against its documentation.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/ , "Output format".  `score` overrides
the sum of the tests' scores; one of both has to be there.  Gradescope ignores keys that it does not know;
this reader refuses them, because a key that is misspelt has no effect.
"""

import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from support.class_of_40.sheets.refused import Refused

FORMATS = ("text", "html", "simple_format", "md", "ansi")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")

Check = Callable[[object], bool]


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _text(value: object) -> bool:
    return isinstance(value, str)


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _mapping(value: object) -> bool:
    return isinstance(value, dict)


def _one_of(*words: str) -> Check:
    return lambda value: value in words


_FORMAT, _VISIBILITY = _one_of(*FORMATS), _one_of(*VISIBILITIES)
TOP: Mapping[str, Check] = {
    "score": _number,
    "execution_time": _number,
    "output": _text,
    "output_format": _FORMAT,
    "test_output_format": _FORMAT,
    "test_name_format": _FORMAT,
    "visibility": _VISIBILITY,
    "stdout_visibility": _VISIBILITY,
    "extra_data": _mapping,
    "tests": lambda value: isinstance(value, list),
    "leaderboard": lambda value: isinstance(value, list),
}
TEST: Mapping[str, Check] = {
    "score": _number,
    "max_score": _number,
    "status": _one_of("passed", "failed"),
    "name": _text,
    "name_format": _FORMAT,
    "number": _text,
    "output": _text,
    "output_format": _FORMAT,
    "tags": _texts,
    "visibility": _VISIBILITY,
    "extra_data": _mapping,
}
LEADER: Mapping[str, Check] = {
    "name": _text,
    "value": lambda value: _number(value) or _text(value),
    "order": _one_of("asc", "desc"),
}


def read(data: bytes) -> tuple[Fraction, dict[str, Any]]:
    """Return the mark that Gradescope takes, and the file."""
    try:
        found = json.loads(data.decode(), parse_constant=_no_constant)
    except ValueError as error:
        raise Refused(f"results.json is not JSON: {error}") from None
    _checked(found, TOP, "results.json")
    for number, test in enumerate(found.get("tests", [])):
        _checked(test, TEST, f"tests[{number}]")
    for number, row in enumerate(found.get("leaderboard", [])):
        _checked(row, LEADER, f"leaderboard[{number}]")
        if not {"name", "value"} <= row.keys():
            raise Refused(f"leaderboard[{number}] needs a name and a value")
    if "score" in found:
        total = Fraction(str(found["score"]))
    elif any("score" in test for test in found.get("tests", [])):
        total = sum((Fraction(str(test.get("score", 0))) for test in found["tests"]), Fraction())
    else:
        raise Refused("neither the file nor a test has a score")
    if total < 0:
        raise Refused(f"the score is {total}")
    return total, found


def shown_to_students(found: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the tests that a student sees at once.  One hidden test also hides the student's total."""
    default = found.get("visibility", "visible")
    return [test for test in found.get("tests", []) if test.get("visibility", default) == "visible"]


def _checked(value: object, keys: Mapping[str, Check], where: str) -> None:
    if not isinstance(value, dict):
        raise Refused(f"{where} is no object")
    for key, item in value.items():
        if key not in keys:
            raise Refused(f"{where} has the key {key!r}, which Gradescope does not know")
        if not keys[key](item):
            raise Refused(f"{where}.{key} may not be {item!r}")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")

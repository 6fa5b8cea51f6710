"""The tests of a problem of DMOJ's whose files are named by patterns."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from grader.plugins.convert.draft import Unconvertible

_USUAL = {
    end: rf"^(?=.*?\.{end}|{end}).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$"
    for end in ("in", "out")
}
"""The patterns where a problem states none (docs.dmoj.ca, "Specifying test cases with regexes")."""
_LONGEST = 100
"""The most characters of a pattern, and of a name: a search takes long in a long one alone."""


def tests_named(stated: object, names: Sequence[str], points: object) -> list[dict[str, Any]]:
    """Return the tests as a list of tests would state them.  Raises `Unconvertible`.

    stated: `test_cases`, a mapping or nothing.  names: the files of the archive.
    points: those of each test where `case_points` states none.
    """
    about = stated if isinstance(stated, Mapping) else {}
    found: dict[object, dict[object, dict[str, str]]] = {}
    batches = set()
    for end, key in (("in", "input_format"), ("out", "output_format")):
        pattern = _pattern(about.get(key) or _USUAL[end], key)
        for name in names:
            match = pattern.match(name) if len(name) <= _LONGEST else None
            if match is None:
                continue
            batch, case = _part(match, "batch"), _part(match, "case")
            if case is None:
                raise Unconvertible(f"`{key}` finds no number of a test in {name}")
            if batch is not None:
                batches.add(batch)
            found.setdefault(case if batch is None else batch, {}).setdefault(case, {})[end] = name
    tests: list[dict[str, Any]] = []
    for number, group in enumerate(sorted(found, key=_order)):
        files = [found[group][each] for each in sorted(found[group], key=_order)]
        if group in batches:
            tests.append({"batched": files})
        elif len(files) > 1:
            raise Unconvertible(f"several tests are named {group}")
        else:
            tests.append(dict(files[0]))
        tests[-1]["points"] = _points(about.get("case_points"), number, points)
    if not tests:
        raise Unconvertible("its tests are named by patterns, and no file of its archive has such a name")
    return tests


def _pattern(stated: object, key: str) -> re.Pattern[str]:
    text = str(stated)
    usual = text in _USUAL.values()
    try:
        if usual or len(text) <= _LONGEST:
            return re.compile(text, re.IGNORECASE)
    except re.error:
        pass
    raise Unconvertible(f"`{key}` is no pattern of at most {_LONGEST} characters")


def _part(match: re.Match[str], group: str) -> object:
    text = match.groupdict().get(group)
    return int(text) if text is not None and text.isdecimal() else text


def _order(key: object) -> tuple[bool, int, str]:
    """Texts come first, then numbers, as DMOJ has it."""
    return (True, key, "") if isinstance(key, int) else (False, 0, str(key))


def _points(stated: object, number: int, usual: object) -> object:
    if stated is None:
        return usual
    if not isinstance(stated, list) or number >= len(stated):
        raise Unconvertible("`case_points` has not one number for each test")
    return stated[number]

"""The test data of a problem package: groups of tests, and what each group is worth.

Sources: problem package format, *legacy* (`testdata.yaml`, with the default grader of problemtools) and
2025-09 (`test_group.yaml`).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.marking.rounding import format_mark
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible
from grader.plugins.convert.packages.comparison import accepted_beyond, beyond, default_validator
from grader.plugins.convert.packages.foreign import check_text, inside, mapping_in, number_of, words_of
from grader.plugins.convert.packages.laid import Files
from grader.plugins.convert.packages.tests import Part, Test
from grader.plugins.convert.packages.validators import OwnValidator
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B

_LEGACY, _NEW = "testdata.yaml", "test_group.yaml"
_AGGREGATIONS = ("sum", "avg", "min", "max")
_HARMLESS = frozenset({"first_error", "worst_error", "no_errors", "accept_if_any_accepted", "ignore_sample"})


@dataclass(frozen=True, slots=True)
class Group:
    """A folder of test data.  settings: its own, and for legacy ones those that it inherits."""

    name: str
    settings: Mapping[str, Any]
    tests: tuple[Test, ...]
    groups: tuple["Group", ...]

    def all_tests(self) -> Iterator[Test]:
        yield from self.tests
        for group in self.groups:
            yield from group.all_tests()


def read_groups(
    package: Path,
    flags: list[str],
    validator: OwnValidator | None,
    files: Files,
    draft: Draft,
    *,
    lasts: bool = True,
) -> tuple[Group, Group]:
    """Return the groups `sample` and `secret`.  flags: of the output validator, where a group states none.

    package: the folder in which `data` lies.  lasts: it will still be there when the spec is written.
    validator: the package's own; None for the default one.
    Raises `UsageError`; tests that cannot be said are left out.
    """
    data = package / "data"
    inherited = {"output_validator_flags": flags, **_stated_in(data)}
    reading = _Reading(package, validator, files, draft, lasts)
    sample, secret = (_read(data / name, inherited, reading) for name in ("sample", "secret"))
    return sample, secret


def _stated_in(folder: Path) -> dict[str, Any]:
    """Return the settings that a folder states itself."""
    own = mapping_in(folder / _NEW) or mapping_in(folder / _LEGACY)
    if "output_validator_args" in own:
        own["output_validator_flags"] = own["output_validator_args"]
    return own


@dataclass(frozen=True, slots=True)
class _Reading:
    """The package that is read, and where its parts go."""

    package: Path
    validator: OwnValidator | None
    files: Files
    draft: Draft
    lasts: bool


def _read(folder: Path, inherited: Mapping[str, Any], reading: _Reading) -> Group:
    package, draft = reading.package, reading.draft
    settings = {**inherited, **_stated_in(folder)}
    tests: list[Test] = []
    groups: list[Group] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.is_dir() and not path.suffix:
            groups.append(_read(path, settings, reading))
        elif path.suffix == ".in":
            draft.assertions += 1
            place = path.relative_to(package).as_posix()
            try:
                tests.append(_test(path, settings, reading, place))
                draft.converted += 1
            except Unconvertible as error:
                draft.remark(place, 1, Meaning.LEFT_OUT, str(error))
                continue
            answer = path.with_suffix(".ans").read_text(encoding="utf-8", errors="replace")
            number = accepted_beyond(tests[-1].options, answer)
            if number:
                draft.remark(place, 1, Meaning.STRICTER, beyond(number))
    name = folder.relative_to(package / "data").as_posix()
    return Group(name if name != "." else "", settings, tuple(tests), tuple(groups))


def _test(path: Path, settings: Mapping[str, Any], reading: _Reading, place: str) -> Test:
    """Return the test of an input.  Raises `Unconvertible`."""
    package, validator, files = reading.package, reading.validator, reading.files
    answer = path.with_suffix(".ans")
    for each in (path, answer):
        if not inside(package, each):
            raise Unconvertible(f"{each.name} is not there, or leads out of the package")
        if each.stat().st_size > LARGEST_TEXT_B:
            raise Unconvertible(f"{each.name} is larger than {LARGEST_TEXT_B >> 20} MiB")
    if not place.isprintable():
        raise Unconvertible("its name is no plain text")
    if path.with_suffix(".files").is_dir():
        raise Unconvertible("it has files of its own")
    own = mapping_in(path.with_suffix(".yaml"))
    flags = own.get("output_validator_args", settings.get("output_validator_flags"))
    arguments = own.get("args", settings.get("args"))
    if path.with_suffix(".args").is_file():
        arguments = path.with_suffix(".args").read_text(encoding="utf-8", errors="replace")
    name = path.relative_to(package / "data").with_suffix("").as_posix()
    options = default_validator(words_of(flags)) if validator is None else ""
    check_text(path.read_bytes())
    return Test(
        name,
        given=files.take(f"data/{name}.in", path if reading.lasts else path.read_bytes()),
        answer=files.take(f"data/{name}.ans", answer if reading.lasts else answer.read_bytes()),
        options=options,
        arguments=tuple(words_of(arguments)),
        visibility="" if name.startswith("sample/") else "hidden",
        place=place,
        validator=replace(validator, arguments=tuple(words_of(flags))) if validator is not None else None,
    )


# -- scoring -----------------------------------------------------------------------------------------


def scored_parts(secret: Group, *, by_group: bool) -> list[Part]:
    """Return the parts of a scoring problem.  Raises `Unconvertible`.

    by_group: an `accept_score` is that of its group, as DOMjudge reads it; else, as Kattis does, that of each
    test in it.
    """
    if any("max_score" in group.settings or "score_aggregation" in group.settings for group in _all(secret)):
        return _new_parts(secret)
    return list(_legacy_parts(secret, Fraction(1), by_group=by_group))


def _all(group: Group) -> Iterator[Group]:
    yield group
    for each in group.groups:
        yield from _all(each)


def _legacy_parts(group: Group, share: Fraction, *, by_group: bool) -> Iterator[Part]:
    """Yield the parts of a group.  share: of its score that counts."""
    if group.settings.get("grading") == "custom":
        raise Unconvertible(f"{group.name} has a grader of its own")
    flags = words_of(group.settings.get("grader_flags", ""))
    unknown = [flag for flag in flags if flag not in _HARMLESS and flag not in _AGGREGATIONS]
    if unknown:
        raise Unconvertible(f"{group.name}: the grader's flag `{unknown[0]}` has no counterpart")
    aggregation = next((flag for flag in reversed(flags) if flag in _AGGREGATIONS), "sum")
    if group.tests and group.groups:
        raise Unconvertible(f"{group.name} has both tests and groups")
    if aggregation == "max":
        raise Unconvertible(f"{group.name} takes the best of several scores")
    if group.tests:
        yield _legacy_leaf(group, share, "min" if by_group else aggregation)
        return
    if aggregation == "min":
        yield _smallest([*_parts_below(group, share, by_group=by_group)], group)
        return
    inner = share / len(group.groups) if aggregation == "avg" else share
    yield from _parts_below(group, inner, by_group=by_group)


def _parts_below(group: Group, share: Fraction, *, by_group: bool) -> Iterator[Part]:
    for each in group.groups:
        yield from _legacy_parts(each, share, by_group=by_group)


def _legacy_leaf(group: Group, share: Fraction, aggregation: str) -> Part:
    score = _number(group, "accept_score", 1)
    if _number(group, "reject_score", 0):
        raise Unconvertible(f"{group.name} gives points for a wrong answer")
    stops = group.settings.get("on_reject", "break") == "break"
    if aggregation == "min":
        return Part(group.name, score * share, group.tests)
    number = len(group.tests) if aggregation == "sum" else 1
    if aggregation == "avg" and stops:
        raise Unconvertible(f"{group.name} takes the mean of the tests up to the first that fails")
    return Part(group.name, score * share * number, group.tests, "each", stops)


def with_scores(part: Part, secret: Group) -> Part:
    """Return a part whose validator gives the score of each test.  Raises `Unconvertible`."""
    group = next((each for each in _all(secret) if each.name == part.name), None)
    if group is None or (part.award != "each" and len(part.tests) != 1):
        raise Unconvertible(f"{part.name} takes the least of several scores, or all of them together")
    marks = part.marks
    if "accept_score" not in group.settings and "range" in group.settings:
        # The score of an accepted test is what the validator says.
        bounds = words_of(group.settings["range"])
        if len(bounds) != 2 or bounds[0] not in ("0", "0.0") or not number_of(bounds[1]):
            raise Unconvertible(f"{part.name}: its scores have the range {' '.join(bounds)[:40]}")
        marks = Fraction(bounds[1])
    full = marks / max(len(part.tests), 1)
    if "/" in format_mark(full):
        raise Unconvertible(f"{part.name}: the full score of a test is {full}")
    tests = tuple(
        replace(test, validator=replace(test.validator, full=full)) if test.validator else test
        for test in part.tests
    )
    return replace(part, marks=marks, tests=tests, award="each", stops=False)


def _number(group: Group, key: str, absent: int) -> Fraction:
    """Return a number of a group's settings.  Raises `Unconvertible`."""
    value = group.settings.get(key, absent)
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise Unconvertible(f"{group.name}: `{key}` is no number") from None


def _smallest(parts: list[Part], group: Group) -> Part:
    """Return parts of which the smallest score counts as one part, where that is all or nothing."""
    marks = {part.marks for part in parts}
    if len(marks) != 1 or any(part.award != "all" and len(part.tests) > 1 for part in parts):
        raise Unconvertible(f"{group.name} takes the least of different scores")
    tests = tuple(test for part in parts for test in part.tests)
    return Part(group.name, marks.pop(), tests)


def _new_parts(secret: Group) -> list[Part]:
    """Return the parts of a scoring problem of the format 2025-09."""
    aggregation = secret.settings.get("score_aggregation", "sum")
    if aggregation != "sum" or not secret.groups or secret.tests:
        raise Unconvertible(f"the score of `secret` is not the sum of its groups ({aggregation})")
    parts: list[Part] = []
    for group in secret.groups:
        if group.groups or group.settings.get("static_validation_score") is not None:
            raise Unconvertible(f"{group.name} has groups or a static validation")
        if group.settings.get("max_score", "unbounded") == "unbounded":
            raise Unconvertible(f"the score of {group.name} has no bound")
        marks = _number(group, "max_score", 0)
        award = "each" if group.settings.get("score_aggregation", "pass-fail") == "sum" else "all"
        needed = [name for name in words_of(group.settings.get("require_pass")) if name != "sample"]
        needs = tuple(name if name.startswith("secret/") else f"secret/{name}" for name in needed)
        parts.append(Part(group.name, marks, group.tests, award, stops=award == "all", needs=needs))
    return parts

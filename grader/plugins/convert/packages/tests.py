"""The tests of a package: what a program is given, and what it must answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.authoring.written import Raw, WrittenCase
from grader.plugins.convert.packages.laid import size_of
from grader.plugins.convert.packages.validators import OwnValidator
from grader.yamlfile.quoting import in_quotes, list_in_quotes


@dataclass(frozen=True, slots=True)
class Test:
    """A test.

    name: with its folders, such as `secret/small/01`.  given, answer: the names of its files in the folder
    beside the spec; empty where they hold nothing.  options: of the comparison with the answer.
    validator: None where the grader itself compares.
    """

    name: str
    given: str
    answer: str
    options: str = ""
    arguments: tuple[str, ...] = ()
    visibility: str = ""
    place: str = ""
    validator: OwnValidator | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """Tests that earn marks together.

    award: as a question has it.  stops: after the first one that fails, the others are skipped.
    needs: the names of parts all of whose tests must be accepted.
    """

    name: str
    marks: Fraction
    tests: tuple[Test, ...]
    award: str = "all"
    stops: bool = True
    needs: tuple[str, ...] = ()


def case_of(test: Test, module: str, group: str, name: str) -> WrittenCase:
    """Return a test as a case.  group: empty where it is in none."""
    keys: dict[str, str | Raw] = {"program": Raw(module), "name": Raw(in_quotes(name))}
    if test.arguments:
        keys["arguments"] = Raw(list_in_quotes(test.arguments))
    if test.given:
        keys["stdin"] = Raw(f"{{from: {in_quotes(test.given)}}}")
    start = f"from: {in_quotes(test.answer)}" if test.answer else 'text: ""'
    if test.answer or test.validator is None:
        keys["stdout"] = Raw(f"{{{start}{test.options}}}")
    if test.validator is not None:
        keys["interactor" if test.validator.talks else "validator"] = test.validator.key()
    if test.visibility:
        keys["visibility"] = Raw(test.visibility)
    if group:
        keys["group"] = Raw(group)
    return WrittenCase(keys, module, test.place)


def largest_input(parts: Iterable[Part], contents: Mapping[str, bytes | Path]) -> int:
    """Return the bytes of the largest input."""
    given = (test.given for part in parts for test in part.tests if test.given)
    return max((size_of(contents[name]) for name in given), default=0)

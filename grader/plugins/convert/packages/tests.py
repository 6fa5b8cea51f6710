"""The tests of a package: what a program is given, and what it must answer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from grader.authoring.written import Raw, WrittenCase
from grader.yamlfile.quoting import in_quotes, list_in_quotes


@dataclass(frozen=True, slots=True)
class Test:
    """A test.

    name: with its folders, such as `secret/small/01`.  given, answer: the names of its files in the folder
    beside the spec; empty where they hold nothing.  options: of the comparison with the answer.
    validator: the value of its key; None where the grader itself compares.  talks: it is an interactor.
    """

    name: str
    given: str
    answer: str
    options: str = ""
    arguments: tuple[str, ...] = ()
    visibility: str = ""
    place: str = ""
    validator: Raw | None = None
    talks: bool = False


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


@dataclass(slots=True)
class Files:
    """The files that will lie in the folder beside the spec: contents, or files to copy, by name."""

    folder: str
    contents: dict[str, bytes | Path] = field(default_factory=dict)

    def take(self, name: str, content: bytes | Path) -> str:
        """Note a file, and return its name as the spec says it; empty if it holds nothing."""
        if not _size_of(content):
            return ""
        self.contents[f"{self.folder}/{name}"] = content
        return f"{self.folder}/{name}"


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
        keys["interactor" if test.talks else "validator"] = test.validator
    if test.visibility:
        keys["visibility"] = Raw(test.visibility)
    if group:
        keys["group"] = Raw(group)
    return WrittenCase(keys, module, test.place)


def _size_of(content: bytes | Path) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size


def largest_input(parts: Iterable[Part], contents: Mapping[str, bytes | Path]) -> int:
    """Return the bytes of the largest input."""
    given = (test.given for part in parts for test in part.tests if test.given)
    return max((_size_of(contents[name]) for name in given), default=0)

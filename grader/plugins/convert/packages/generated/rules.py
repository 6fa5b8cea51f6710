"""Lays out the data that BAPCtools' `generators/generators.yaml` describes, as `data/` would hold it.

Its form: https://github.com/RagnarGrootKoerkamp/BAPCtools/blob/master/doc/generators.md.
"""

import hashlib
import itertools
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from grader.plugins.convert.draft import Draft, Meaning, Unconvertible
from grader.plugins.convert.packages.foreign import inside, mapping_in
from grader.plugins.convert.packages.generated.running import OPTION, Made, OwnPrograms, source_of
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B

_FILE = "generators/generators.yaml"
_GROUPS = ("sample", "secret")
_TEXTS = ("in", "ans", "args")
_SEED = re.compile(r"\{seed(:[0-9]+)?\}")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}")
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.=(-?[0-9]{1,9})")
_MOST_OF_A_RULE, _MOST = 100, 2_000
"""The most tests of one rule, as BAPCtools has it, and of a package."""


def are_rules(package: Path) -> bool:
    """Tell whether data is described, and not there: all of it is then taken from the description."""
    return (package / _FILE).is_file() and not any((package / "data" / "secret").rglob("*.in"))


def lay_out(package: Path, into: Path, runs: OwnPrograms | None, draft: Draft, *, asks_answers: bool) -> None:
    """Write the data that is described into a folder, as far as it can be had; the others are left out.

    runs: runs the package's programs; None: nothing of it is run.
    asks_answers: each test needs an answer.  Raises `UsageError`.
    """
    root = mapping_in(package / _FILE)
    named = root.get("generators")
    data = root.get("data")
    width = len(str(_numbered(root, {})))
    rules = _Rules(package, into, runs, draft, asks_answers, named if isinstance(named, dict) else {}, width)
    rules.write_settings(root, "")
    for group in _GROUPS:
        rule = data.get(group) if isinstance(data, dict) else None
        if isinstance(rule, dict):
            rules.group(rule, group, root)
    if rules.number > _MOST:
        draft.remark(_FILE, 1, Meaning.LEFT_OUT, f"what comes after {_MOST:,} tests and groups")


@dataclass(slots=True)
class _Rules:
    """The rules of a package, and where their data goes.

    named: generators of several files, by name.  laid: by the names that rules have, the tests that were laid
    out of them, as paths without endings.
    """

    package: Path
    into: Path
    runs: OwnPrograms | None
    draft: Draft
    asks_answers: bool
    named: Mapping[str, Any]
    width: int
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    laid: dict[str, list[str]] = field(default_factory=dict)
    number: int = 0

    def write_settings(self, rule: Mapping[str, Any], folder: str) -> None:
        for name in ("test_group.yaml", "testdata.yaml"):
            if isinstance(stated := rule.get(name), dict):
                self._write(f"{folder}/{name}", yaml.safe_dump(stated).encode())

    def group(self, rule: Mapping[str, Any], folder: str, above: Mapping[str, Any]) -> list[str]:
        """Lay out a group; return its tests."""
        self.number += 1
        if self.number > _MOST:
            return []
        settings = {key: rule.get(key, above.get(key)) for key in ("solution", "random_salt")}
        self.write_settings(rule, folder)
        tests: list[str] = []
        for own, name, value, count in self._entries(rule.get("data"), folder):
            inner = {"generate": value} if isinstance(value, str) else value
            if not isinstance(inner, dict) or not _NAME.fullmatch(name):
                self._leave(folder, f"`{name[:40]}` is no rule of a test, or no name of one")
                continue
            path = f"{folder}/{name}"
            try:
                found = (
                    self.group(inner, path, settings)
                    if "data" in inner
                    else self._test(inner, path, settings, count)
                )
            except (OSError, ValueError) as error:
                self._leave(folder, f"`{name[:40]}` can't be laid out as files: {error}"[:200])
                continue
            self.laid.setdefault(own, []).extend(found)
            tests.extend(found)
        included = rule.get("include")
        for own in included if isinstance(included, list) else ():
            for path in self.laid.get(str(own), ()):
                tests.extend(self._copied(path, f"{folder}/{path.rpartition('/')[2]}"))
        self.laid.setdefault(folder, []).extend(tests)
        return tests

    def _leave(self, place: str, reason: str) -> None:
        self.draft.remark(f"data/{place}", 1, Meaning.LEFT_OUT, reason)

    def _entries(self, data: object, folder: str) -> Iterator[tuple[str, str, object, int]]:
        """Yield the rules of a group: the name, that of the files, what it says, and its number among equals.

        In a list, tests are numbered through all lists of the package, groups in each.
        """
        is_list = isinstance(data, list)
        parts = data if isinstance(data, list) else [data]
        rules = [
            (str(name or ""), value)
            for each in parts
            if isinstance(each, dict)
            for name, value in each.items()
        ]
        groups = [value for _, value in rules if _is_group(value)]
        places = itertools.count(1)
        for name, value in rules:
            counts = _counts(value)
            if not counts:
                self._leave(f"{folder}/{name}", f"its `count` has not from 1 to {_MOST_OF_A_RULE} numbers")
            for count in counts:
                suffix = _suffix(value, count, counts)
                if not is_list:
                    yield name, f"{name}{suffix}", value, count
                    continue
                width = len(str(len(groups))) if _is_group(value) else self.width
                number = f"{next(places if _is_group(value) else self.numbers):0{width}}"
                yield name, f"{number}-{name}{suffix}" if name else f"{number}{suffix}", value, count

    def _test(self, rule: Mapping[str, Any], path: str, above: Mapping[str, Any], count: int) -> list[str]:
        self.number += 1
        if self.number > _MOST:
            return []
        try:
            files = self._files(rule, path, {**above, **rule}, count)
        except Unconvertible as error:
            self.draft.assertions += 1
            self.draft.remark(f"data/{path}.in", 1, Meaning.LEFT_OUT, str(error))
            return []
        for ending, content in files.items():
            self._write(f"{path}.{ending}", content)
        return [path]

    def _files(
        self, rule: Mapping[str, Any], path: str, settings: Mapping[str, Any], count: int
    ) -> dict[str, bytes]:
        """Return the files of a test by their endings.  Raises `Unconvertible`."""
        files: dict[str, bytes] = {}
        if self.runs is None and (("generate" in rule) or not {"ans", "copy"} & rule.keys()):
            # What was made before, and is kept beside the rules, serves as well.
            files = self._copies(self.package / "data" / path)
        if isinstance(command := rule.get("generate"), str) and "in" not in files:
            files |= self._made(command, settings, count)
        if isinstance(copied := rule.get("copy"), str):
            files |= self._copies(self.package / "generators" / copied)
        for ending in _TEXTS:
            stated = rule.get(ending)
            if isinstance(stated, str):
                files[ending] = (stated if not stated or stated.endswith("\n") else f"{stated}\n").encode()
            elif stated is not None:
                raise Unconvertible(f"its `{ending}` is no text")
        if isinstance(rule.get("yaml"), dict):
            files["yaml"] = yaml.safe_dump(rule["yaml"]).encode()
        if not files.get("in"):
            raise Unconvertible("its rule makes no input")
        if "ans" not in files:
            files["ans"] = self._answer(files["in"], settings) if self.asks_answers else b""
        return files

    def _made(self, command: str, settings: Mapping[str, Any], count: int) -> dict[str, bytes]:
        """Return the files that a generator makes, by their endings.  Raises `Unconvertible`."""
        command = command.replace("{count}", str(count))
        if "{{" in command:
            raise Unconvertible("its generator is given a constant of the package")
        salt = str(settings.get("random_salt") or "") + (f":{count - 1}" if count != 1 else "")
        seed = int(hashlib.sha512((salt + command.strip()).encode()).hexdigest(), 16) % 2**31
        try:
            words = shlex.split(command)
        except ValueError:
            words = []
        if not words:
            raise Unconvertible("its rule names no generator")
        arguments = [_SEED.sub(str(seed), word).replace("{name}", "testcase") for word in words[1:]]
        made = self._ran(self._paths_of(words[0]), arguments, b"", "a generator makes its data")
        files = {each: made.files[f"testcase.{each}"] for each in _TEXTS if f"testcase.{each}" in made.files}
        return {"in": made.stdout, **files}

    def _paths_of(self, name: str) -> list[Path]:
        """Return the files of a generator, the one with which it begins first."""
        folder = self.package / "generators"
        named = self.named.get(name)
        if isinstance(named, list):
            return [folder / str(each) for each in named]
        if (folder / name).is_dir():
            return sorted(each for each in (folder / name).iterdir() if each.is_file())
        return [folder / name]

    def _answer(self, given: bytes, settings: Mapping[str, Any]) -> bytes:
        """Return what the solution answers.  Raises `Unconvertible`."""
        solution = settings.get("solution")
        if not isinstance(solution, str) or not solution.startswith("/"):
            raise Unconvertible("it has no answer, and no solution makes one")
        path = self.package / solution[1:]
        paths = sorted(each for each in path.iterdir() if each.is_file()) if path.is_dir() else [path]
        return self._ran(paths, [], given, "a solution makes its answer").stdout

    def _ran(self, paths: list[Path], arguments: list[str], given: bytes, why: str) -> Made:
        if self.runs is None:
            raise Unconvertible(f"{why}: with `{OPTION}` it is run")
        return self.runs.run(source_of(paths, self.package), arguments, given)

    def _copies(self, stem: Path) -> dict[str, bytes]:
        """Return the files of a test that lie beside each other, and not out of the package."""
        paths = {ending: stem.with_name(f"{stem.name}.{ending}") for ending in (*_TEXTS, "yaml")}
        return {
            ending: path.read_bytes()
            for ending, path in paths.items()
            if inside(self.package, path) and path.stat().st_size <= LARGEST_TEXT_B
        }

    def _copied(self, path: str, target: str) -> list[str]:
        """Lay a test out once more."""
        self.number += 1
        if self.number > _MOST:
            return []
        for ending in (*_TEXTS, "yaml"):
            source = self.into / "data" / f"{path}.{ending}"
            if source.is_file():
                self._write(f"{target}.{ending}", source.read_bytes())
        return [target]

    def _write(self, name: str, content: bytes) -> None:
        path = self.into / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _numbered(rule: object, known: dict[int, int]) -> int:
    """Return how many tests below a rule have a number, as those in lists have.

    known: of rules that were met before, since YAML can name one again and again.
    """
    if not isinstance(rule, dict):
        return 0
    if id(rule) not in known:
        known[id(rule)] = 0
        data = rule.get("data")
        parts = data if isinstance(data, list) else [data]
        values = [value for each in parts if isinstance(each, dict) for value in each.values()]
        known[id(rule)] = sum(
            _numbered(value, known) if _is_group(value) else len(_counts(value)) * isinstance(data, list)
            for value in values
        )
    return known[id(rule)]


def _is_group(value: object) -> bool:
    return isinstance(value, dict) and "data" in value


def _counts(value: object) -> list[int]:
    """Return the numbers for which a rule stands; none where they cannot be told."""
    stated = value.get("count") if isinstance(value, dict) else None
    if stated is None:
        return [1]
    numbers: list[int] = []
    if type(stated) is int:
        numbers = [*range(1, min(stated, _MOST_OF_A_RULE + 1) + 1)]
    elif isinstance(stated, list) and all(type(each) is int for each in stated):
        numbers = stated
    elif isinstance(stated, str) and (found := _RANGE.fullmatch(stated)):
        first, last = int(found[1]), int(found[2])
        numbers = [*range(first, min(last, first + _MOST_OF_A_RULE) + 1)]
    return numbers if len(numbers) <= _MOST_OF_A_RULE else []


def _suffix(value: object, count: int, counts: list[int]) -> str:
    """Return the end of the name of one test among equals; empty where a rule has one."""
    if not isinstance(value, dict) or "count" not in value:
        return ""
    is_whole = max(counts) - min(counts) == len(counts) - 1
    return f"-{count:0{max(len(str(each)) for each in counts) if is_whole else 0}}"

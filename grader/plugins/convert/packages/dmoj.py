"""Reads a problem of DMOJ (https://docs.dmoj.ca/#/problem_format/problem_format): `init.yml` and its data."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.intake.trees.archive import ZIP_ERRORS
from grader.model.errors import Fault, UsageError
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, points_of
from grader.plugins.convert.packages.comparison import text_options
from grader.plugins.convert.packages.foreign import check_text, inside, mapping_in
from grader.plugins.convert.packages.laid import Files
from grader.plugins.convert.packages.questions import add_questions
from grader.plugins.convert.packages.tests import Part, Test
from grader.plugins.convert.packages.validators import OwnValidator, taken_in
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B

_FILE = "init.yml"
_OTHERS = {
    "custom_judge": "a judge of its own runs its programs",
    "signature_grader": "its programs are functions in C",
}


@dataclass(slots=True)
class Problem:
    """A problem that is being read.  about: all of its `init.yml`."""

    package: Path
    about: Mapping[str, Any]
    draft: Draft
    files: Files
    pretests: list[Test] = field(default_factory=list)
    """Tests worth nothing, which those after them need."""

    def parts(self) -> Iterator[Part]:
        """Yield what earns points, in order."""
        cases = self.about.get("test_cases")
        if not isinstance(cases, list):
            raise Unconvertible("its tests are named by patterns")
        batches: list[str] = []
        for number, case in enumerate(cases, 1):
            told = f"{_FILE}: test {number}"
            if not isinstance(case, dict):
                self.draft.remark(_FILE, number, Meaning.LEFT_OUT, f"{told} is no mapping")
                continue
            tests = tuple(self._tests(case, number))
            points = points_of(self._stated(case, "points", 1), told)
            batched = isinstance(case.get("batched"), list)
            name = f"batch-{len(batches) + 1}" if batched else f"test-{number}"
            needs = tuple(batches[i - 1] for i in _numbers(case.get("dependencies")) if 0 < i <= len(batches))
            if batched:
                batches.append(name)
            if not tests:
                self.draft.offer(name, points)
                continue
            if not points:
                self.pretests.extend(tests)
                continue
            # Of a batch, and beside other tests, a part of a test's points is none.
            if not batched and not self.pretests and tests[0].validator is not None:
                validator = replace(tests[0].validator, full=points)
                if validator.protocol == "testlib":
                    yield Part(name, points, (replace(tests[0], validator=validator),), "each", needs=needs)
                    continue
            yield Part(name, points, (*self.pretests, *tests), needs=needs)

    def _tests(self, case: Mapping[str, Any], number: int) -> Iterator[Test]:
        inner = case.get("batched")
        for part, one in enumerate(inner if isinstance(inner, list) else [case], 1):
            self.draft.assertions += 1
            try:
                yield self._test({**case, **one} if isinstance(one, dict) else case, f"{number}-{part}")
                self.draft.converted += 1
            except Unconvertible as error:
                self.draft.remark(_FILE, number, Meaning.LEFT_OUT, f"test {number}: {error}")

    def _test(self, case: Mapping[str, Any], name: str) -> Test:
        if any(key.startswith("generator") for key in case):
            raise Unconvertible("a generator makes its data")
        checker = self._stated(case, "checker", "standard")
        interactive = self._stated(case, "interactive", None)
        validator = None
        if isinstance(interactive, dict):
            validator = replace(self._validator(interactive, "interactor"), talks=True)
        elif _checker(checker)[0] == "bridged":
            validator = self._validator(_checker(checker)[1], "checker")
        options = _compared(checker) if validator is None else ""
        answer = self._content(self._stated(case, "out", None))
        if answer is None and validator is None:
            raise Unconvertible("it has no expected output")
        given = self._content(self._stated(case, "in", None)) or b""
        check_text(given)
        return Test(
            name,
            given=self.files.take(f"data/{name}.in", given),
            answer=self.files.take(f"data/{name}.out", answer or b""),
            options=options,
            visibility="hidden",
            place=_FILE,
            validator=validator,
        )

    def _validator(self, arguments: Mapping[str, Any], what: str) -> OwnValidator:
        """Return a checker or interactor that is a program.  Raises `Unconvertible`."""
        named = arguments.get("files")
        names = [each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str)]
        if not names:
            raise Unconvertible(f"its {what} names no files")
        kind = arguments.get("type", "default")
        if kind not in ("default", "testlib"):
            raise Unconvertible(f"its {what} says its verdict as `{kind}` has it")
        for key in ("flags", "args_format_string"):
            if key in arguments:
                raise Unconvertible(f"its {what} has `{key}`")
        paths = [self.package / name for name in names]
        return taken_in(paths, self.package, self.files, "testlib" if kind == "testlib" else "dmoj")

    def _stated(self, case: Mapping[str, Any], key: str, absent: object) -> Any:
        """Return a value of a test; the problem's own stands for one that it lacks."""
        return case.get(key, self.about.get(key, absent))

    def _content(self, name: object) -> bytes | None:
        """Return the content of a file of the problem; None for no name.  Raises `Unconvertible`."""
        if name is None:
            return None
        archive = self.about.get("archive")
        path = self.package / str(archive if isinstance(archive, str) else name)
        if not inside(self.package, path):
            raise Unconvertible(f"{path.name} is not there, or leads out of the problem's folder")
        if not isinstance(archive, str):
            return _small(path.name, path.stat().st_size, path.read_bytes)
        try:
            with zipfile.ZipFile(path) as opened:
                entry = opened.getinfo(str(name))
                return _small(str(name), entry.file_size, lambda: opened.read(entry))
        except (KeyError, *ZIP_ERRORS):
            raise Unconvertible(f"{name} can't be read from {path.name}") from None


def _small(name: str, size: int, read: Any) -> bytes:
    if size > LARGEST_TEXT_B:
        raise Unconvertible(f"{name} is larger than {LARGEST_TEXT_B >> 20} MiB")
    content: bytes = read()
    return content


def read_problem(package: Path, module: str, folder: str) -> Draft:
    """Return what a problem comes to.  folder: see `kattis.read_package`.  Raises `UsageError`."""
    about = mapping_in(package / _FILE)
    if not about:
        raise UsageError(Fault("this is no problem of DMOJ: it has no init.yml", str(package)))
    where = str(package / _FILE)
    for key, reason in _OTHERS.items():
        if key in about:
            raise UsageError(Fault(f"this problem has no counterpart: {reason}", where))
    draft = Draft(module=module, noun="test", counted="tests")
    files = Files(folder)
    problem = Problem(package, about, draft, files)
    try:
        parts = [*problem.parts()]
    except Unconvertible as error:
        raise UsageError(Fault(f"this problem has no counterpart: {error}", where)) from None
    for meaning, reason in _differences(about):
        draft.remark(_FILE, 1, meaning, reason)
    draft.remark(_FILE, 1, Meaning.STRICTER, "limits are not stated here; 2 s and 512 MiB stand")
    add_questions(draft, parts, module)
    draft.files = files.contents
    return draft


def _differences(about: Mapping[str, Any]) -> Iterator[tuple[Meaning, str]]:
    name = _checker(about.get("checker", "standard"))[0]
    if name in ("standard", "floats", "floatsabs", "floatsrel"):
        yield Meaning.KINDER, "words may stand on other lines than in the expected output"
    if name == "easy":
        yield Meaning.STRICTER, "letters and digits must come in the order of the expected output"


def _checker(stated: object) -> tuple[str, Mapping[str, Any]]:
    """Return the name of a checker and its arguments."""
    if isinstance(stated, dict):
        arguments = stated.get("args")
        return str(stated.get("name", "")), arguments if isinstance(arguments, dict) else {}
    return str(stated), {}


def _compared(stated: object) -> str:
    """Return the options of a text for a checker of DMOJ's own.  Raises `Unconvertible`."""
    name, arguments = _checker(stated)
    mode = {"floatsabs": "absolute", "floatsrel": "relative"}.get(
        name, arguments.get("error_mode", "default")
    )
    if name == "standard":
        return text_options("any")
    if name == "easy":
        return text_options("none", ignores_case=True)
    if name == "identical":
        return text_options("exact")
    if name == "sorted" and arguments.get("split_on", "lines") == "lines":
        return text_options("any", unordered=True)
    if name in ("floats", "floatsabs", "floatsrel") and mode in ("default", "absolute", "relative"):
        precision = arguments.get("precision", 6)
        if type(precision) is not int or not 0 < precision < 20:
            raise Unconvertible(f"the checker's precision is {precision}")
        kinds = {"absolute": ("abs",), "relative": ("rel",)}.get(str(mode), ("abs", "rel"))
        return text_options("any", tolerances=dict.fromkeys(kinds, f"1e-{precision}"))
    raise Unconvertible(f"its checker `{name}` has no counterpart")


def _numbers(value: object) -> list[int]:
    return [each for each in value if type(each) is int] if isinstance(value, list) else []

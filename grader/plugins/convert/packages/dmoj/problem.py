"""Reads a problem of DMOJ (https://docs.dmoj.ca/#/problem_format/problem_format): `init.yml` and its data."""

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from grader.authoring.written import Raw
from grader.intake.trees.archive import ZIP_ERRORS
from grader.model.errors import Fault, UsageError
from grader.model.limits import GIB, MIB
from grader.plugins.convert.draft import Draft, Meaning, Unconvertible, points_of
from grader.plugins.convert.packages.comparison import accepted_beyond, beyond, text_options
from grader.plugins.convert.packages.dmoj.bridged import PROTOCOLS, SHARES, arguments_of
from grader.plugins.convert.packages.dmoj.judges import OF_DMOJ
from grader.plugins.convert.packages.dmoj.patterns import tests_named
from grader.plugins.convert.packages.dmoj.python_judges import python_checker, python_interactor
from grader.plugins.convert.packages.foreign import check_text, inside, mapping_in, words_of
from grader.plugins.convert.packages.generated.running import OPTION, OwnPrograms, source_of
from grader.plugins.convert.packages.laid import Files
from grader.plugins.convert.packages.questions import add_questions
from grader.plugins.convert.packages.tests import Part, Test
from grader.plugins.convert.packages.validators import OwnValidator, taken_in
from grader.spec.decode.answers.expectations import LARGEST_TEXT_B

_FILE = "init.yml"
_OUTPUT_B = 24 << 20
"""The limit of output where a problem states none (`output_limit_length` in judge-server's problem.py)."""
_OTHERS = {
    "signature_grader": "its programs are functions in C",
}


@dataclass(slots=True)
class Problem:
    """A problem that is being read.

    about: all of its `init.yml`.  runs: runs the generators of its data; None: nothing is run.
    """

    package: Path
    about: Mapping[str, Any]
    draft: Draft
    files: Files
    runs: OwnPrograms | None = None
    pretests: list[Test] = field(default_factory=list)
    """Tests worth nothing, which those after them need."""

    def parts(self) -> Iterator[Part]:
        """Yield what earns points, in order."""
        cases = self.about.get("test_cases")
        if not isinstance(cases, list):
            cases = tests_named(cases, self._names(), self.about.get("points", 1))
        batches: list[str] = []
        for number, case in enumerate(cases, 1):
            told = f"{_FILE}: test {number}"
            if not isinstance(case, dict):
                self.draft.remark(_FILE, number, Meaning.LEFT_OUT, f"{told} is no mapping")
                continue
            batched = isinstance(case.get("batched"), list)
            tests = tuple(self._tests(case, number, len(batches) + 1 if batched else 0))
            points = points_of(self._stated(case, "points", 1), told)
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
                validator = tests[0].validator
                if validator.shares:
                    if validator.protocol == "testlib":
                        validator = replace(validator, full=points)
                    yield Part(name, points, (replace(tests[0], validator=validator),), "each", needs=needs)
                    continue
            if any(test.validator is not None and test.validator.shares for test in tests):
                reason = f"{told}: a part of its points is none, in a batch and beside tests worth nothing"
                self.draft.remark(_FILE, number, Meaning.STRICTER, reason)
            yield Part(name, points, (*self.pretests, *tests), needs=needs)

    def _tests(self, case: Mapping[str, Any], number: int, batch: int) -> Iterator[Test]:
        """Yield the tests of a batch, whose number is told, or the one test."""
        inner = case.get("batched")
        for part, one in enumerate(inner if isinstance(inner, list) else [case], 1):
            self.draft.assertions += 1
            try:
                whole = {**case, **one} if isinstance(one, dict) else case
                yield self._test(whole, f"{number}-{part}", batch)
                self.draft.converted += 1
            except Unconvertible as error:
                self.draft.remark(_FILE, number, Meaning.LEFT_OUT, f"test {number}: {error}")

    def _test(self, case: Mapping[str, Any], name: str, batch: int) -> Test:
        about = points_of(self._stated(case, "points", 1), name), self.draft.assertions - 1, batch
        is_binary = self._stated(case, "binary_data", False) is True
        checker = self._stated(case, "checker", "standard")
        interactive = self._stated(case, "interactive", None)
        validator = None
        if isinstance(interactive, dict):
            validator = replace(self._validator(interactive, "interactor"), talks=True)
        elif isinstance(judge := self.about.get("custom_judge"), str):
            validator = replace(python_interactor(judge, self.package, self.files, about), talks=True)
        elif _checker(checker)[0] == "bridged":
            validator = self._validator(_checker(checker)[1], "checker")
        elif _checker(checker)[0] in OF_DMOJ or "." in _checker(checker)[0]:
            validator = python_checker(*_checker(checker), self.package, self.files, about)
        options = _compared(checker) if validator is None else ""
        given, answer = self._data(case)
        if answer is None and validator is None:
            raise Unconvertible("it has no expected output")
        if not is_binary:
            given, answer = _with_lines(given), _with_lines(answer or b"")
        check_text(given)
        number = accepted_beyond(options, (answer or b"").decode("utf-8", "replace"))
        if number:
            self.draft.remark(_FILE, 1, Meaning.STRICTER, f"test {name}: {beyond(number)}")
        return Test(
            name,
            given=self.files.take(f"data/{name}.in", given),
            answer=self.files.take(f"data/{name}.out", answer or b""),
            options=options,
            visibility="hidden",
            place=_FILE,
            validator=validator,
        )

    def _data(self, case: Mapping[str, Any]) -> tuple[bytes, bytes | None]:
        """Return the input and the answer of a test; None for no answer.  Raises `Unconvertible`."""
        given, answer = (self._content(self._stated(case, key, None)) for key in ("in", "out"))
        generator = self._stated(case, "generator", None)
        arguments, read = (self._stated(case, f"generator_{key}", None) for key in ("args", "in"))
        if generator is None or given is not None:
            if arguments is not None or read is not None:
                both = (
                    "has a generator's arguments, and no generator"
                    if generator is None
                    else "names its input"
                )
                raise Unconvertible(f"it {both}, so DMOJ refuses it" if given is not None else f"it {both}")
            return given or b"", answer
        about = generator if isinstance(generator, dict) else {"source": generator}
        sources = about.get("source")
        paths = [self.package / str(name) for name in (sources if isinstance(sources, list) else [sources])]
        if self.runs is None:
            raise Unconvertible(f"a generator makes its data: with `{OPTION}` it is run")
        program = source_of(paths, self.package, words_of(about.get("flags")))
        words = words_of(arguments) or words_of(about.get("args"))
        made = self.runs.run(program, words, self._content(read) or b"")
        if not made.stdout and not made.stderr:
            raise Unconvertible(f"{program.file} prints nothing")
        return made.stdout, made.stderr if answer is None else answer

    def _validator(self, arguments: Mapping[str, Any], what: str) -> OwnValidator:
        """Return a checker or interactor that is a program.  Raises `Unconvertible`."""
        named = arguments.get("files")
        names = [each for each in (named if isinstance(named, list) else [named]) if isinstance(each, str)]
        if not names:
            raise Unconvertible(f"its {what} names no files")
        kind = arguments.get("type", "default")
        if kind not in PROTOCOLS or (kind == "peg" and what == "interactor"):
            raise Unconvertible(f"its {what} says its verdict as `{kind}` has it")
        paths = [self.package / name for name in names]
        flags = words_of(arguments.get("flags"))
        validator = taken_in(paths, self.package, self.files, PROTOCOLS[kind], flags)
        validator = replace(validator, shares=kind in SHARES)
        stated = arguments.get("args_format_string")
        return validator if stated is None else replace(validator, all_arguments=arguments_of(str(stated)))

    def _stated(self, case: Mapping[str, Any], key: str, absent: object) -> Any:
        """Return a value of a test; the problem's own stands for one that it lacks."""
        return case.get(key, self.about.get(key, absent))

    def _content(self, name: object) -> bytes | None:
        """Return the content of a file of the problem; None for no name.  Raises `Unconvertible`."""
        if name is None:
            return None
        archive = self.about.get("archive")
        path = self.package / str(name)
        if inside(self.package, path):
            return _small(path.name, path.stat().st_size, path.read_bytes)
        if not isinstance(archive, str):
            raise Unconvertible(f"{path.name} is not there, or leads out of the problem's folder")
        try:
            with zipfile.ZipFile(self._archive(archive)) as opened:
                entry = opened.getinfo(str(name))
                return _small(str(name), entry.file_size, lambda: opened.read(entry))
        except (KeyError, *ZIP_ERRORS):
            raise Unconvertible(f"{name} can't be read from {Path(archive).name}") from None

    def _archive(self, name: str) -> Path:
        path = self.package / name
        if not inside(self.package, path):
            raise Unconvertible(f"{path.name} is not there, or leads out of the problem's folder")
        return path

    def _names(self) -> list[str]:
        """Return the names of the files in the archive.  Raises `Unconvertible`."""
        archive = self.about.get("archive")
        if not isinstance(archive, str):
            raise Unconvertible("its tests are named by patterns, and it has no archive")
        try:
            with zipfile.ZipFile(self._archive(archive)) as opened:
                return [each.filename for each in opened.infolist() if not each.is_dir()]
        except ZIP_ERRORS:
            raise Unconvertible(f"{Path(archive).name} can't be read") from None


def _with_lines(content: bytes) -> bytes:
    """Return a text as DMOJ gives it to a program: lines that end by a line feed, the last one too."""
    content = content.replace(b"\r\n", b"\r").replace(b"\r", b"\n")
    return content if not content or content.endswith(b"\n") else content + b"\n"


def _small(name: str, size: int, read: Any) -> bytes:
    if size > LARGEST_TEXT_B:
        raise Unconvertible(f"{name} is larger than {LARGEST_TEXT_B >> 20} MiB")
    content: bytes = read()
    return content


def read_problem(package: Path, module: str, folder: str, runs: OwnPrograms | None = None) -> Draft:
    """Return what a problem comes to.  folder, runs: see `kattis.read_package`.  Raises `UsageError`."""
    about = mapping_in(package / _FILE)
    if not about:
        raise UsageError(Fault("this is no problem of DMOJ: it has no init.yml", str(package)))
    where = str(package / _FILE)
    for key, reason in _OTHERS.items():
        if key in about:
            raise UsageError(Fault(f"this problem has no counterpart: {reason}", where))
    draft = Draft(module=module, noun="test", counted="tests")
    files = Files(folder)
    problem = Problem(package, about, draft, files, runs)
    try:
        parts = [*problem.parts()]
    except Unconvertible as error:
        raise UsageError(Fault(f"this problem has no counterpart: {error}", where)) from None
    for meaning, reason in _differences(about):
        draft.remark(_FILE, 1, meaning, reason)
    draft.remark(_FILE, 1, Meaning.STRICTER, "limits are not stated here; 2 s and 512 MiB stand")
    most_b = about.get("output_limit_length")
    most_b = most_b if type(most_b) is int and 0 < most_b <= GIB else _OUTPUT_B
    draft.settings["limits"] = Raw(f"{{output: {max(1, round(most_b / MIB))}MiB}}")
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

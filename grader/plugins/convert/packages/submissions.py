"""The submissions of a package, as right and wrong programs beside the spec."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from grader.languages.toolchain import toolchain_named
from grader.model.verdict import Verdict
from grader.plugins.convert.packages.foreign import inside, mapping_in
from grader.plugins.convert.packages.laid import Files
from grader.reports.views.wording import counted
from grader.yamlfile.quoting import in_quotes

LANGUAGES = ("c", "c++", "java", "javascript")
_ENDINGS = {ending: name for name in LANGUAGES for ending in toolchain_named(name).endings}
_HEADERS = (".h", ".hpp", ".hh")
_FAILED = (Verdict.RUNTIME_ERROR, Verdict.EXCEPTION, Verdict.CRASHED, Verdict.MEMORY_LIMIT)
_SLOW = (Verdict.TIME_LIMIT, Verdict.WALL_LIMIT)
VERDICTS = {
    "accepted": (Verdict.ACCEPTED,),
    "wrong_answer": (Verdict.WRONG_ANSWER,),
    "time_limit_exceeded": _SLOW,
    "run_time_error": _FAILED,
    "output_limit_exceeded": (Verdict.OUTPUT_LIMIT,),
    "compiler_error": (Verdict.LOAD_ERROR,),
    "rejected": (),
    "partially_accepted": (),
    "partial": (),
}
"""By the folder of a submission, the verdicts of which it gets one; none: any but accepted."""
_SCORE = re.compile(r"@EXPECTED_SCORE@:\s*([0-9]+(?:\.[0-9]+)?)")
_PROGRAM_MOST_B = 1024 * 1024


@dataclass(slots=True)
class Programs:
    """The programs of a package that a spec can have beside it.

    is_scored: a program that is not right may have marks.  languages: the toolchains that they need.
    left: how many were left out, by the reason.  reference: the folder of a right one in Python.
    """

    files: Files
    module: str
    is_scored: bool = False
    languages: set[str] = field(default_factory=set)
    left: dict[str, int] = field(default_factory=dict)
    reference: str = ""
    _declared: list[str] = field(default_factory=list)

    def read(self, package: Path, *, native: bool) -> None:
        """Take in the programs.  native: others than those in Python are possible."""
        own = [*mapping_in(package / "submissions" / "submissions.yaml")]
        for path in sorted((package / "submissions").glob("*/*")):
            kind = path.parent.name
            if path.name.startswith("."):
                continue
            if kind not in VERDICTS:
                self._leave(f"in {kind}/, of which no certain result is known")
                continue
            if any(_is_meant(path, pattern) for pattern in own):
                self._leave("with a result of its own in submissions.yaml")
                continue
            found = self._sources(path, package, native=native)
            if isinstance(found, str):
                self._leave(found)
                continue
            self._add(kind, path, found)
        if self._declared:
            self.files.take("wrong/expected.yaml", "\n".join([*self._declared, ""]).encode())

    def _leave(self, reason: str) -> None:
        self.left[reason] = self.left.get(reason, 0) + 1

    def _sources(self, path: Path, package: Path, *, native: bool) -> dict[str, bytes] | str:
        """Return the sources of a program by their names, or why it is left out."""
        paths = [path] if path.is_file() else [each for each in sorted(path.rglob("*")) if each.is_file()]
        if not all(inside(package, each) and each.stat().st_size <= _PROGRAM_MOST_B for each in paths):
            return "too large, or it leads out of the package"
        if not all(each.name.isprintable() for each in paths):
            return "with a file whose name is no plain text"
        sources = {each.name: each.read_bytes() for each in paths}
        languages = {_ENDINGS.get(Path(name).suffix.casefold(), "") for name in sources}
        python = [name for name in sources if name.endswith(".py")]
        if python and len(python) == len(sources):
            return self._of_python(sources)
        languages -= {""} if all(_is_known(name) for name in sources) else set()
        if languages - set(LANGUAGES) or len(languages) != 1:
            return "in a language that was not read"
        if not native:
            return "not in Python, and an input is too large for it"
        (language,) = languages
        if len(sources) > 1 and language == "javascript":
            return "several files in JavaScript"
        self.languages.add(language)
        if len(sources) == 1 and language != "java":
            ((name, text),) = sources.items()
            return {f"{self.module}{Path(name).suffix}": text}
        return sources

    def _of_python(self, sources: dict[str, bytes]) -> dict[str, bytes] | str:
        for text in sources.values():
            try:
                with warnings.catch_warnings(action="ignore"):
                    ast.parse(text)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return "not of this Python"
        if len(sources) == 1:
            return {f"{self.module}.py": next(iter(sources.values()))}
        main = next((name for name in ("__main__.py", "main.py") if name in sources), "")
        if not main or self.module != "main":
            return "several files in Python, none of them main.py"
        return sources

    def _add(self, kind: str, path: Path, sources: dict[str, bytes]) -> None:
        """Note a program and its declaration."""
        score = next((found for text in sources.values() if (found := _stated_score(text))), "")
        side = "right" if kind == "accepted" else "wrong"
        name = self._name(path, side)
        for file, text in sources.items():
            self.files.take(f"{side}/{name}/{file}", text)
        if side == "right" and not self.reference and [*sources] == [f"{self.module}.py"]:
            self.reference = f"{self.files.folder}/{side}/{name}"
        if side == "wrong":
            mark = score or ("" if self.is_scored else "0")
            self._declared.extend(_declaration(name, VERDICTS[kind], mark))

    def _name(self, path: Path, side: str) -> str:
        stem = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "program"
        ending = re.sub(r"[^a-z0-9]", "", path.suffix.lower().replace("+", "p"))
        base = f"{path.parent.name.replace('_', '-')}-{stem}" if side == "wrong" else stem
        name = f"{base}-{ending}" if ending else base
        number = 1
        while any(known.startswith(f"{self.files.folder}/{side}/{name}/") for known in self.files.contents):
            number += 1
            name = f"{base}-{ending}-{number}"
        return name

    def remarks(self) -> Iterator[str]:
        """Yield what was left out, as sentences."""
        for reason, number in self.left.items():
            yield f"{counted(number, 'program')}: {reason}"


def _is_meant(path: Path, pattern: str) -> bool:
    """Tell whether a pattern of `submissions.yaml` may mean a program, or its folder.

    One with braces may mean any, since `fnmatch` knows none.
    """
    name = f"{path.parent.name}/{path.name}"
    return fnmatch(name, pattern) or fnmatch(path.parent.name, pattern) or "{" in pattern


def _is_known(name: str) -> bool:
    return Path(name).suffix.casefold() in (*_ENDINGS, *_HEADERS)


def stated_scores(package: Path) -> set[str]:
    """Return the scores that its right programs say they get (DOMjudge's `@EXPECTED_SCORE@`)."""
    paths = [path for path in (package / "submissions" / "accepted").glob("*") if inside(package, path)]
    return {score for path in paths if (score := _stated_score(path.read_bytes()))}


def _stated_score(text: bytes) -> str:
    """Return the score that a program says it gets; empty where it says none."""
    found = _SCORE.search(text[:4096].decode("utf-8", "replace"))
    return found[1] if found else ""


def _declaration(name: str, verdicts: tuple[Verdict, ...], mark: str) -> Iterator[str]:
    yield f"{in_quotes(name)}:"
    if mark:
        yield f"  mark: {in_quotes(mark)}"
    if verdicts:
        yield f"  verdict: {' or '.join(verdicts)}"
    if not mark and not verdicts:
        yield "  status: marked"

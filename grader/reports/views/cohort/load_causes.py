"""Works that do not load, grouped by cause.

Causes are students' texts for a part, so they are cut, and only so many are kept apart.  A student is known
by the position in the cohort.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from grader.judge.messages import BUILDING, is_out_of_input, without_place
from grader.model.results import CaseResult, Raised, Status, SubmissionResult
from grader.model.verdict import Verdict

MOST_CAUSES = 50
_LONGEST = 200
_MOST_OF_A_STUDENT = 5
_NOT_LOADED = "the module could not be loaded"
_ABSENT = re.compile(r"there is no (.+) in the submission")
_STOPPED = re.compile(r"(.+), in line ([0-9]{1,9}) of (.+)", re.DOTALL)


@dataclass(slots=True)
class LoadCause:
    """Why some works do not load.  places: the files and lines where that shows.  students: all of them."""

    words: str
    files: set[str] = field(default_factory=set)
    lines: set[int] = field(default_factory=set)
    students: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The cause, with its place if that is the same in all works."""
        if len(self.files) != 1 or "" in self.files:
            return self.words
        (file,) = self.files
        line = f", line {next(iter(self.lines))}" if len(self.lines) == 1 else ""
        return f"{self.words} in {file}{line}"


class LoadCauses:
    """The causes of a cohort, gathered from one student at a time.

    students: those whose work does not load.
    """

    def __init__(self) -> None:
        self.students: list[int] = []
        self._causes: dict[str, LoadCause] = {}

    def add(self, submission: SubmissionResult, student: int) -> None:
        """Take in a submission."""
        found = dict(_found(submission))
        if not found:
            return
        if len(found) > 1:
            found.pop(_NOT_LOADED, None)  # another cause says more
        self.students.append(student)
        for words, (file, line) in found.items():
            known = words in self._causes or len(self._causes) < MOST_CAUSES
            cause = self._causes.setdefault(
                words if known else "", LoadCause(words if known else "other causes")
            )
            if student not in cause.students[-1:]:
                cause.students.append(student)
            if known:
                cause.files.add(file)
                cause.lines.add(line)

    @property
    def commonest(self) -> list[LoadCause]:
        """All causes, that of most students first."""
        return sorted(self._causes.values(), key=lambda cause: -len(cause.students))


def _found(submission: SubmissionResult) -> Iterator[tuple[str, tuple[str, int]]]:
    """Yield the causes of one work in words, each with file and line; these are empty and 0 if unknown."""
    # A mark by hand can stand where nothing was handed in: then there is neither a digest nor a problem.
    if submission.status is Status.NO_SUBMISSION or not (submission.content_sha256 or submission.problems):
        return
    told: set[str] = set()
    for case in submission.cases:
        if case.verdict is Verdict.LOAD_ERROR and len(told) < _MOST_OF_A_STUDENT:
            words, file, line = _cause(case)
            if words not in told:
                told.add(words)
                yield words, (file, line)


def _cause(case: CaseResult) -> tuple[str, str, int]:
    if case.raised is not None:
        frame = case.raised.frames[-1] if case.raised.frames else None
        words = _short(_words(without_place(case.raised)))
        return (words, _short(frame.file), frame.line) if frame is not None else (words, "", 0)
    text = case.message.rpartition(f"{_NOT_LOADED}: ")[2]
    absent = _ABSENT.fullmatch(text)
    if absent is not None:
        return f"{_short(absent[1])} is missing", "", 0
    stopped = _STOPPED.fullmatch(text)
    if stopped is not None:
        return _short(stopped[1]), _short(stopped[3]), int(stopped[2])
    return _short(text) or _NOT_LOADED, "", 0


def _words(raised: Raised) -> str:
    if is_out_of_input(raised):
        return "input() at import"
    if raised.type_name == "SystemExit":
        return "the program ends itself at import"
    if raised.type_name in (BUILDING, "ModuleNotFoundError"):
        return raised.message
    return raised.title


def _short(text: str) -> str:
    short = " ".join(text[: 4 * _LONGEST].split())
    return short if len(short) <= _LONGEST else f"{short[: _LONGEST - 1]}…"

"""Tells what a task has, where a program found no such package, or no such file."""

import ntpath
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from grader.model.outcome import Outcome, RaisedAnswer
from grader.model.results import Raised

_MISSING = re.compile(r"No module named '([^'.]{1,80})[^']{0,200}'")
_NO_FILE = re.compile(r"\[Errno 2\] No such file or directory: '([^']{1,200})'")
_MOST_NAMED = 5
_OWN = "what lies beside a program that is handed in does not come along"


def with_what_is_there(
    outcome: Outcome, packages: Sequence[str], files: Sequence[str], memory: str = ""
) -> Outcome:
    """Return the outcome with a suggestion on each import of a package, and each file, that is not there.

    packages: those that the task allows.  files: the names of those that lie in the program's folder.
    memory: the limit, which is told where memory is not there; empty where it is not known.
    """

    def told(raised: Raised) -> Raised:
        return _of_memory(_of_file(_of_package(raised, packages), files), memory)

    return _each_raised(outcome, told)


def _each_raised(outcome: Outcome, told: Callable[[Raised], Raised]) -> Outcome:
    answers = tuple(
        replace(answer, raised=told(answer.raised)) if isinstance(answer, RaisedAnswer) else answer
        for answer in outcome.answers
    )
    raised = told(outcome.raised) if outcome.raised is not None else None
    if answers == outcome.answers and raised == outcome.raised:
        return outcome
    return replace(outcome, answers=answers, raised=raised)


def _of_package(raised: Raised, packages: Sequence[str]) -> Raised:
    found = _MISSING.fullmatch(raised.message) if raised.type_name == "ModuleNotFoundError" else None
    # A part of the standard library may be missing on this host, and is allowed all the same.
    if found is None or found[1] in sys.stdlib_module_names:
        return raised
    allowed = [*packages, "the standard library"]
    return replace(raised, suggestion=f"This task allows {', '.join(allowed)} and your own files only")


def _of_memory(raised: Raised, memory: str) -> Raised:
    if raised.type_name != "MemoryError" or raised.message or not memory:
        return raised
    return replace(raised, suggestion=f"The limit is {memory}")


def _of_file(raised: Raised, files: Sequence[str]) -> Raised:
    found = _NO_FILE.fullmatch(raised.message) if raised.type_name == "FileNotFoundError" else None
    if found is None or raised.suggestion:
        return raised
    if not files:
        return replace(raised, suggestion=f"There are no files here; {_OWN}")
    # A Windows path has no folders for Python on Linux.
    meant = ntpath.basename(found[1].replace("\\\\", "\\")).casefold()
    same = next((name for name in files if ntpath.basename(name).casefold() == meant), "")
    if same:
        return replace(raised, suggestion=f"It lies here as {same}: open it by that name")
    others = len(files) - _MOST_NAMED
    named = ", ".join(files[:_MOST_NAMED]) + (f" and {others} more" if others > 0 else "")
    return replace(raised, suggestion=f"The files here are {named}; {_OWN}")

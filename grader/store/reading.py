"""Reads `results.json`: whole, or one submission at a time.

A missing, cut or foreign file is a user's mistake with one clear message.  All parts of the results have
their declared types; the JSON Schema checks more, such as patterns and least values.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from grader.model.errors import Fault, UsageError
from grader.model.results import RESULTS_SCHEMA, RunResults, SubmissionResult
from grader.store.codec import Misfit
from grader.store.results_json import RESULTS, submission_text

_OPENING = '"submissions": ['
_ID = '{"id": '
"""How the line of a submission begins."""
_DECODER = json.JSONDecoder()
_ENDINGS = (b"}\n]\n}\n", b'"submissions": [\n]\n}\n')
_HEAD_LINES = 50
_TOO_DEEP = "is nested too deeply to be a results file"
_TOO_LONG = "has a number that is too long to be read"
_NOT_TEXT = "is not UTF-8 text, so it is not a results file"
_AGAIN = "mark the submissions again, or take the file from a backup"


def read_results(path: Path) -> RunResults:
    """Return the results in `path` with all submissions in memory.

    Raises UsageError if there is no such file, if it is cut off, or if it is not a results file.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        from grader.store.database import FILE_NAME

        if (path.parent / FILE_NAME).exists():
            hint = "start the same `grader mark` again: it goes on where it stopped"
            _refuse(path, "is not there yet: the run into this folder has not come to its end", hint)
        _refuse(path, "there is no such file", "a run writes it into its output folder")
    except OSError as error:
        _refuse(path, f"cannot be read: {error.strerror or error}")
    except UnicodeDecodeError:
        _refuse(path, _NOT_TEXT)
    if not text.strip():
        _refuse(path, "is empty", _AGAIN)
    try:
        document = json.loads(text)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        what = "ends too early: it was cut off" if cut else f"is not JSON: {error.msg}"
        _refuse(f"{path}:{error.lineno}:{error.colno}", what, _AGAIN)
    except RecursionError:
        _refuse(path, _TOO_DEEP)
    except ValueError:
        _refuse(path, _TOO_LONG, _AGAIN)
    head = _head(path, document)
    if not isinstance(document["submissions"], list):
        _refuse(path, "has submissions that are not a list", _AGAIN)
    # Each result replaces its plain data, whose memory then serves the next result.
    submissions = document["submissions"]
    for number, plain in enumerate(submissions):
        submissions[number] = _submission(path, number, plain)
    return replace(head, submissions=submissions)


def stream_results(path: Path) -> RunResults:
    """Return the results in `path`; its submissions are read again at each iteration.

    Only one submission is in memory at a time if the file has the layout of `write_results`; any other layout
    is read whole.  Raises the same errors as `read_results`.
    """
    head = _head_of_our_layout(path)
    if head is None:
        return read_results(path)
    return replace(_head(path, {**head, "submissions": []}), submissions=_Lines(path))


def texts(submissions: Iterable[SubmissionResult]) -> Iterator[str]:
    """Yield the lines of submissions; those of a file unchanged."""
    return submissions.texts() if isinstance(submissions, _Lines) else map(submission_text, submissions)


def id_of_line(text: str) -> str:
    """Return the id of a submission's line, which comes first in our own layout; empty in another."""
    if not text.startswith(_ID):
        return ""
    try:
        found: object = _DECODER.raw_decode(text, len(_ID))[0]
    except ValueError:
        return ""
    return found if isinstance(found, str) else ""


def with_texts(submissions: Iterable[SubmissionResult]) -> Iterator[tuple[SubmissionResult, str]]:
    """Yield submissions, each with its line, as `texts` yields it."""
    if isinstance(submissions, _Lines):
        return submissions.with_texts()
    return ((submission, submission_text(submission)) for submission in submissions)


class _Lines:
    """The submissions of a file in our own layout, one per line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[SubmissionResult]:
        return (submission for submission, _ in self.with_texts())

    def texts(self) -> Iterator[str]:
        """Yield the line of each submission."""
        with self._path.open(encoding="utf-8") as file:
            try:
                for line in file:
                    if line.rstrip("\n") == _OPENING:
                        break
                for line in file:
                    if line == "]\n":
                        return
                    yield line.rstrip(",\n")
            except UnicodeDecodeError:
                _refuse(self._path, _NOT_TEXT, _AGAIN)

    def with_texts(self) -> Iterator[tuple[SubmissionResult, str]]:
        """Yield each submission with its line."""
        for number, text in enumerate(self.texts()):
            try:
                plain = json.loads(text)
            except json.JSONDecodeError as error:
                _refuse(self._path, f"submission {number + 1} is not JSON: {error.msg}", _AGAIN)
            except RecursionError:
                _refuse(self._path, _TOO_DEEP)
            except ValueError:
                _refuse(self._path, _TOO_LONG, _AGAIN)
            yield _submission(self._path, number, plain), text


def _head_of_our_layout(path: Path) -> dict[str, Any] | None:
    head: dict[str, Any] = {}
    try:
        with path.open("rb") as file:
            if file.readline() != b"{\n":
                return None
            for _ in range(_HEAD_LINES):
                line = file.readline().decode().rstrip("\n")
                if line == _OPENING:
                    break
                head |= json.loads("{" + line.removesuffix(",") + "}")
            else:
                return None
            file.seek(-min(file.seek(0, os.SEEK_END), 64), os.SEEK_END)
            return head if file.read().endswith(_ENDINGS) else None
    except (OSError, ValueError, RecursionError):
        return None


def _head(path: Path, document: Any) -> RunResults:
    if not isinstance(document, dict) or "schema" not in document:
        _refuse(path, f'is not a results file: it has no "schema", which should be {RESULTS_SCHEMA}')
    schema = document["schema"]
    if schema != RESULTS_SCHEMA:
        newer = str(schema).startswith("grader-results/")
        hint = "a newer version of grader wrote it; update this one" if newer else ""
        _refuse(path, f'has the schema "{schema}", not {RESULTS_SCHEMA}', hint)
    head = {key: value for key, value in document.items() if key != "submissions"}
    if "submissions" in document:
        head["submissions"] = []
    try:
        return RESULTS.read(RunResults, head)
    except Misfit:
        _refuse_part(path, RunResults, head, "its head", lambda name: f"the {name}")


def _submission(path: Path, number: int, plain: Any) -> SubmissionResult:
    try:
        return RESULTS.read(SubmissionResult, plain)
    except Misfit:
        where = f"submission {number + 1}"
        _refuse_part(path, SubmissionResult, plain, where, lambda name: _part_of(where, name))


def _part_of(submission: str, name: str) -> str:
    if name == "submission":
        return submission
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} of {submission}"


def _refuse_part(path: Path, kind: type, plain: Any, where: str, named: Callable[[str], str]) -> NoReturn:
    """Raise `UsageError` that names the missing part, or else the part that has a wrong value."""
    for fault in RESULTS.faults(kind, plain, named):
        _refuse(path, f"is incomplete: {fault}", _AGAIN)
    _refuse(path, f"is damaged: {where} has a value of another kind than a run writes", _AGAIN)


def _refuse(where: Path | str, message: str, hint: str = "") -> NoReturn:
    raise UsageError(Fault(message=message, where=str(where), hint=hint)) from None

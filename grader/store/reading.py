"""Reading `results.json` back: whole, or one submission at a time.

A missing, cut or foreign file is a user's mistake with one clear message.  Only the shape
that the reports rely on is checked here; the full check is the JSON Schema's.
"""

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn, cast

from grader.model.errors import Fault, UsageError
from grader.store.document_shape import fits
from grader.store.document_types import (
    SCHEMA,
    CaseDocument,
    CriterionDocument,
    FindingDocument,
    OverrideDocument,
    PenaltyDocument,
    QuestionDocument,
    ResultsDocument,
    RuleDocument,
    RunDocument,
    SandboxDocument,
    SubmissionDocument,
    TaskDocument,
)
from grader.store.json_text import json_text

_OPENING = '"submissions": ['
_ENDINGS = (b"}\n]\n}\n", b'"submissions": [\n]\n}\n')
_HEAD_LINES = 50
_TOO_DEEP = "is nested too deeply to be a results file"
_TOO_LONG = "has a number that is too long to be read"
_NOT_TEXT = "is not UTF-8 text, so it is no results file"
_AGAIN = "mark the submissions again, or take the file from a backup"


def read_document(path: Path) -> ResultsDocument:
    """Return the document in `path` with all of its submissions in memory.

    Raises UsageError if there is no such file, if it is cut off, or if it is no such document.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
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
    return _checked(path, document)


def stream_document(path: Path) -> ResultsDocument:
    """Return the document in `path`; its submissions are read afresh at each iteration.

    Only one submission is in memory at a time where the file has the layout that
    `write_json` gives it; any other layout is read whole.  Raises as `read_document`.
    """
    head = _head_of_our_layout(path)
    if head is None:
        return read_document(path)
    document = _checked(path, {**head, "submissions": []})
    document["submissions"] = _Lines(path)
    return document


def texts(submissions: Iterable[SubmissionDocument]) -> Iterator[str]:
    """Yield the JSON of submissions, of a document from here or elsewhere, each on one line."""
    return submissions.texts() if isinstance(submissions, _Lines) else map(json_text, submissions)


def with_texts(submissions: Iterable[SubmissionDocument]) -> Iterator[tuple[SubmissionDocument, str]]:
    """Yield submissions, each with the text that `texts` gives for it."""
    if isinstance(submissions, _Lines):
        return submissions.with_texts()
    return ((submission, json_text(submission)) for submission in submissions)


class _Lines:
    """The submissions of a file in our own layout, one a line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[SubmissionDocument]:
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

    def with_texts(self) -> Iterator[tuple[SubmissionDocument, str]]:
        """Yield each submission with its line."""
        for number, text in enumerate(self.texts()):
            try:
                submission = json.loads(text)
            except json.JSONDecodeError as error:
                _refuse(self._path, f"submission {number + 1} is not JSON: {error.msg}", _AGAIN)
            except RecursionError:
                _refuse(self._path, _TOO_DEEP)
            except ValueError:
                _refuse(self._path, _TOO_LONG, _AGAIN)
            yield _checked_submission(self._path, number, submission), text


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


def _checked(path: Path, document: Any) -> ResultsDocument:
    if not isinstance(document, dict) or "schema" not in document:
        _refuse(path, f'is not a results file: it has no "schema", which should be {SCHEMA}')
    schema = document["schema"]
    if schema != SCHEMA:
        newer = str(schema).startswith("grader-results/")
        hint = "a newer version of grader wrote it; update this one" if newer else ""
        _refuse(path, f'has the schema "{schema}", not {SCHEMA}', hint)
    _require(path, "the document", document, ResultsDocument)
    _require(path, "the run", document["run"], RunDocument)
    _require(path, "the sandbox", document["run"]["sandbox"], SandboxDocument)
    _require(path, "the task", document["task"], TaskDocument)
    if not (fits(document["run"], RunDocument) and fits(document["task"], TaskDocument)):
        _refuse(path, "is damaged: its head has a value of another kind than a run writes", _AGAIN)
    if not isinstance(document["submissions"], list):
        _refuse(path, "has submissions that are no list", _AGAIN)
    for number, submission in enumerate(document["submissions"]):
        _checked_submission(path, number, submission)
    return cast(ResultsDocument, document)


def _checked_submission(path: Path, number: int, submission: Any) -> SubmissionDocument:
    if not fits(submission, SubmissionDocument):
        _refuse_submission(path, f"submission {number + 1}", submission)
    return cast(SubmissionDocument, submission)


def _refuse_submission(path: Path, where: str, submission: Any) -> NoReturn:
    """Raise `UsageError` with what is missing, or else is no value of ours."""
    _require(path, where, submission, SubmissionDocument)
    for penalty in _items(path, where, submission["penalties"]):
        _require(path, f"a penalty of {where}", penalty, PenaltyDocument)
    for override in _items(path, where, submission["overrides"]):
        _require(path, f"an override of {where}", override, OverrideDocument)
    for rule in _items(path, where, submission.get("rules", [])):
        _require(path, f"a rule of {where}", rule, RuleDocument)
        for finding in _items(path, where, rule["findings"]):
            _require(path, f"a finding of {where}", finding, FindingDocument)
    for question in _items(path, where, submission["questions"]):
        _require(path, f"a question of {where}", question, QuestionDocument)
        for case in _items(path, where, question["cases"]):
            _require(path, f"a case of {where}", case, CaseDocument)
            for finding in _items(path, where, case.get("findings", [])):
                _require(path, f"a finding of {where}", finding, FindingDocument)
        for criterion in _items(path, where, question.get("criteria", [])):
            _require(path, f"a criterion of {where}", criterion, CriterionDocument)
    _refuse(path, f"is damaged: {where} has a value of another kind than a run writes", _AGAIN)


def _items(path: Path, where: str, value: Any) -> Iterable[Any]:
    if not isinstance(value, list):
        _refuse(path, f"is incomplete: {where} has something else where a list is due", _AGAIN)
    return value


def _require(path: Path, where: str, value: Any, shape: Any) -> None:
    required: frozenset[str] = shape.__required_keys__
    if not isinstance(value, dict):
        _refuse(path, f"is incomplete: {where} is not an object", _AGAIN)
    if not required <= value.keys():
        missing = ", ".join(sorted(required - value.keys()))
        _refuse(path, f"is incomplete: {where} lacks {missing}", _AGAIN)


def _refuse(where: Path | str, message: str, hint: str = "") -> NoReturn:
    raise UsageError(Fault(message=message, where=str(where), hint=hint)) from None

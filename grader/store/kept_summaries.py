"""The summaries of a run, kept beside its results, so that a course need not read all cases of a term again.

They hold for a results file of one digest alone.  So they are no second truth: a file that changed, by
whatever hand, is read anew.  Where they can't be written, all goes on without them.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from grader.model.results import RunResults
from grader.store.summaries import (
    DAMAGED,
    KEYS,
    QUESTION_KEYS,
    Summary,
    of_plain,
    plain_summaries,
    questions_of,
    summaries,
)
from grader.store.whole_file import replace_text

_FILE = ".summaries.json"
_SCHEMA = ["grader-summaries/2", *KEYS, *QUESTION_KEYS, "unloaded"]


def kept_summaries(path: Path) -> tuple[RunResults, list[Summary]]:
    """Return what `summaries` does, from what was kept where that still holds.  Raises `UsageError`."""
    file, digest = _file(path), _digest(path)
    place = path.with_name(_FILE)
    results, found = summaries(path)
    known = _kept(place, digest)
    # Another run may have replaced the results between their digest and their head.
    if known is not None and _file(path) == file:
        return results, known
    plain = plain_summaries(path, results)
    if plain is None:
        return results, list(found)
    kept = _shared(plain)
    # Or while they were read.
    if digest and _digest(path) == digest:
        content = {"schema": _SCHEMA, "of": digest, **kept}
        with suppress(OSError):
            replace_text(place, json.dumps(content, ensure_ascii=False) + "\n")
    return results, _summaries(kept)


def _shared(plain: list[dict[str, Any]]) -> dict[str, Any]:
    """Return submissions with a number instead of their questions, and the questions that it counts."""
    numbers: dict[str, int] = {}
    submissions = [
        {**each, "questions": numbers.setdefault(json.dumps(each["questions"]), len(numbers))}
        for each in plain
    ]
    return {"questions": list(map(json.loads, numbers)), "submissions": submissions}


def _summaries(kept: dict[str, Any]) -> list[Summary]:
    """Return the summaries of what `_shared` returned."""
    questions = list(map(questions_of, kept["questions"]))
    return [of_plain(each, questions[each["questions"]]) for each in kept["submissions"]]


def _file(path: Path) -> tuple[int, int, int]:
    """Return what tells a file from the one that takes its place; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


def _digest(path: Path) -> str:
    """Return the digest of a file; empty where it can't be read, which its reader tells better."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _kept(place: Path, digest: str) -> list[Summary] | None:
    """Return the summaries that were kept for results of a digest; None where there are none."""
    try:
        content: Any = json.loads(place.read_text("utf-8"))
        if not digest or content["schema"] != _SCHEMA or content["of"] != digest:
            return None
        return _summaries(content)
    except (OSError, IndexError, *DAMAGED):
        return None

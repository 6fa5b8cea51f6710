"""The times in what Canvas's API answers about the submissions of an assignment, a list of JSON objects.

A signed-in teacher's browser shows it at `/api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions`, at most
100 on a page, so a class can need several files.  With `include[]=submission_history` each attempt has a
time.
Source: the *Submissions* page of Canvas's API documentation.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from grader.model.errors import Fault, UsageError
from grader.yamlfile.quantities import moment
from grader.yamlfile.source import shown

_GUARD = "while(1);"
"""Canvas writes this before an answer that a browser asked for, so that no page can run it as a script."""


def canvas_times(text: str, where: str) -> Iterator[tuple[str, datetime]]:
    """Yield the times of submissions, by the names of a Canvas download.  Raises `UsageError`."""
    try:
        found: Any = json.loads(text.strip().removeprefix(_GUARD))
    except (ValueError, RecursionError):
        raise UsageError(Fault("this is not JSON, as Canvas answers about submissions", where)) from None
    if not isinstance(found, list) or not all(isinstance(each, dict) and _owner(each) for each in found):
        hint = "save what /api/v1/courses/COURSE/assignments/ASSIGNMENT/submissions?per_page=100 shows"
        raise UsageError(Fault("this is not Canvas's list of submissions", where, hint=hint))
    for each in found:
        history = each.get("submission_history")
        attempts = [*(history if isinstance(history, list) else ()), each]
        times = set()
        for written in (one.get("submitted_at") for one in attempts if isinstance(one, dict)):
            time = moment(written) if isinstance(written, str) else None
            if time is not None:
                times.add(time)
            elif written not in (None, ""):
                raise UsageError(Fault(f"`{shown(str(written))}` is not a point in time", where))
        for time in sorted(times):
            yield _owner(each), time


def _owner(submission: dict[str, Any]) -> str:
    """Return the name of whose submission it is; empty where the object says nothing of it."""
    user, anonymous = submission.get("user_id"), submission.get("anonymous_id")
    if isinstance(user, int) and not isinstance(user, bool):
        return f"canvas-{user}"
    return f"canvas-anon-{anonymous}" if isinstance(anonymous, str) and anonymous else ""

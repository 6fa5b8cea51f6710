"""Tells which packages a task allows, where an import found none."""

import re
import sys
from collections.abc import Sequence
from dataclasses import replace

from grader.model.outcome import Outcome, RaisedAnswer
from grader.model.results import Raised

_MISSING = re.compile(r"No module named '([^'.]{1,80})[^']{0,200}'")


def with_allowed_packages(outcome: Outcome, packages: Sequence[str]) -> Outcome:
    """Return the outcome with a suggestion on each import of a package that is not there.

    packages: those that the task allows.
    """
    answers = tuple(
        replace(answer, raised=_told(answer.raised, packages)) if isinstance(answer, RaisedAnswer) else answer
        for answer in outcome.answers
    )
    raised = _told(outcome.raised, packages) if outcome.raised is not None else None
    if answers == outcome.answers and raised == outcome.raised:
        return outcome
    return replace(outcome, answers=answers, raised=raised)


def _told(raised: Raised, packages: Sequence[str]) -> Raised:
    found = _MISSING.fullmatch(raised.message) if raised.type_name == "ModuleNotFoundError" else None
    # A part of the standard library may be missing on this host, and is allowed all the same.
    if found is None or found[1] in sys.stdlib_module_names:
        return raised
    allowed = [*packages, "the standard library"]
    return replace(raised, suggestion=f"This task allows {', '.join(allowed)} and your own files only")

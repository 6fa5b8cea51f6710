"""Regular expressions of the spec over students' texts: what runs in a box to search for one."""

from grader.judge.finding import PATTERN_S
from grader.model.case import Call
from grader.model.limits import Limits
from grader.sandbox.box import Job, Program
from grader.sandbox.request import encode_request

_LIMITS = Limits(time_s=PATTERN_S, wall_s=10.0)
_TEXT = """
import re


def found(pattern, text):
    return re.search(pattern, text) is not None
"""
_SPECIAL = frozenset("\\.^$*+?{}[]|()")

PATTERNS = Program("patterns", {"patterns": _TEXT}, shared=True)
"""What searches for a pattern, in a box of its own."""


def is_plain(pattern: str) -> bool:
    """Tell whether a pattern stands for its own text alone, so that it needs no box."""
    return _SPECIAL.isdisjoint(pattern)


def search_job(pattern: str, text: str) -> Job:
    """Return the search for a pattern in a text, as a job for the box."""
    return Job(encode_request([Call("found", (pattern, text))], _LIMITS), _LIMITS)

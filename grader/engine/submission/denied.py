"""Whether the host denied a program a thread, for which the program is not to blame.

Python says so in words that a program can say itself.  So they count only while few threads are left here.
What other programs of the user, or of the container, take while a run goes on is not known before.
"""

from collections.abc import Iterable

from grader.model.outcome import Outcome, RaisedAnswer
from grader.runtime.threads import OF_SUBMISSION, available_threads
from grader.sandbox.evidence import Evidence

_WORDS = "can't start new thread"


def was_denied_a_thread(found: Iterable[Outcome | Evidence]) -> bool:
    """Tell whether a program said that it got no thread, and few are left."""
    if not any(_says_so(one) for one in found):
        return False
    left = available_threads()
    return left is not None and left < OF_SUBMISSION


def _says_so(found: Outcome | Evidence) -> bool:
    if isinstance(found, Evidence):
        return any(_WORDS.encode() in data for data in (found.report.answer, found.report.stderr))
    raised = [found.raised, *(each.raised for each in found.answers if isinstance(each, RaisedAnswer))]
    return _WORDS in found.stderr or any(_WORDS in each.message for each in raised if each is not None)

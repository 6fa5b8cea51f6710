"""Whether the host denied a program a thread, for which the program is not to blame.

A control group counts what it denies, so whatever a program made of it, and in whatever language, is known.
The limit of a user counts nothing.  Python, Java and C++ tell of it in words that a program can say itself,
so these count only while few threads are left here.  What other programs take while a run goes on is not
known before.
"""

from collections.abc import Iterable

from grader.model.outcome import Outcome, RaisedAnswer
from grader.runtime.threads import OF_SUBMISSION, available_threads, denials_so_far
from grader.sandbox.evidence import Evidence

_WORDS = (
    "can't start new thread",
    "unable to create native thread",
    "Failed to start thread",
    "Resource temporarily unavailable",
)
"""What Python, a Java program, its machine (on stdout), and C++ and Python's `fork` say."""


class HostDenials:
    """Tells of each run of a program whether the host denied it a thread."""

    def __init__(self) -> None:
        self._counted = denials_so_far()

    def met(self, found: Iterable[Outcome | Evidence]) -> bool:
        """Tell whether a thread was denied since the last call, or a program said so while few are left."""
        before, self._counted = self._counted, denials_so_far()
        if self._counted > before:
            return True
        if not any(_says_so(one) for one in found):
            return False
        left = available_threads()
        return left is not None and left < OF_SUBMISSION


def _says_so(found: Outcome | Evidence) -> bool:
    if isinstance(found, Evidence):
        report = found.report
        parts = (report.answer, report.stdout, report.stderr)
        texts = [data.decode("utf-8", "replace") for data in parts]
    else:
        raised = [found.raised, *(each.raised for each in found.answers if isinstance(each, RaisedAnswer))]
        raised += [each.raised for each in found.tests]
        texts = [found.stdout, found.stderr, *(each.message for each in raised if each is not None)]
    return any(words in text for words in _WORDS for text in texts)

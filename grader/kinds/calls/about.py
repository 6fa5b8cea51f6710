"""What a case with calls prints, asks of the reference, and depends on."""

from grader.lab.requests import watched_in
from grader.model.case import Calls, Case, SameAsReference, Text


def printed_texts(what: Calls) -> list[Text]:
    """Return the texts that the calls must print."""
    return [step.prints for step in what.steps if step.prints is not None]


def asks_reference(what: Calls) -> bool:
    """Tell whether an answer, a printed text or a file must be the reference's."""
    if what.plot is not None and what.plot.asks_reference:
        return True
    texts = printed_texts(what)
    texts += [text for _, text in what.folder.texts] if what.folder is not None else []
    return any(isinstance(expect, SameAsReference) for expect in what.expects) or any(
        text.asks_reference for text in texts
    )


def about(case: Case, request: bytes) -> tuple[bytes, str]:
    """Return the calls with the callbacks that the trusted side answers."""
    return request, repr([(watched.name, watched.source) for watched in watched_in(case)])

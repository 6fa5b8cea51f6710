"""A time beside the reference's, in words: both times, their ratio, how sure it is, what it is worth."""

from grader.reports.views.wording import counted, duration, short_number
from grader.store.document_types import TimingDocument


def timing_sentence(timing: TimingDocument, verdict: str, score: str) -> str:
    """Return one sentence on the timing of a case with this verdict and score."""
    full, none = short_number(timing["full"]), short_number(timing["none"])
    worth = {"accepted": "all of the case", "partial": f"{score} of the case"}.get(verdict, "nothing")
    return (
        f"{duration(timing['submission_s'])}, {timing['ratio']:.2f} times the reference's "
        f"{duration(timing['reference_s'])} ({_certainty(timing)}): worth {worth}; "
        f"all up to {full} times, nothing from {none} times on"
    )


def _certainty(timing: TimingDocument) -> str:
    rounds = counted(timing["rounds"], "round")
    if timing["rounds"] == 1:
        return rounds
    return f"the middle of {rounds}, give or take {100 * timing['spread']:.1f} %"

"""A run that goes on, as the page of its cohort tells it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveProgress:
    """marked: submissions on the page.  total: in the run.  report: path of the page after the run.

    proof: a secret of the server's, by which the page knows its answers from those of who has its port later.
    """

    marked: int
    total: int
    report: str
    proof: str = ""

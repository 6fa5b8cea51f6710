"""A run that goes on, as the page of its cohort tells it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Watched:
    """marked: submissions on the page.  total: in the run.  report: path of the page after the run."""

    marked: int
    total: int
    report: str

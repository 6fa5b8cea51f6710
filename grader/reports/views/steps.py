"""The steps of a scenario, and text that was to be printed, as pages and terminal show them."""

from typing import NamedTuple

from grader.reports.views.wording import verdict_wording
from grader.store.document_types import CaseDocument

_STEP_LIMIT = 300
_NOTE_LIMIT = 1000
PRINTED = "printed text"
"""How the place of a difference in printed text begins, as `grader.judge` writes it."""


class StepView(NamedTuple):
    """One step: its number, from 1, the step as one would type it, its verdict, and what is wrong."""

    number: int
    text: str
    word: str
    symbol: str
    tone: str
    note: str


class StepsView(NamedTuple):
    """The steps of a scenario in order."""

    steps: tuple[StepView, ...]


def steps_view(case: CaseDocument) -> StepsView:
    """Return the steps of a scenario; none for other cases."""
    steps = tuple(
        StepView(
            number,
            step["text"][:_STEP_LIMIT],
            (wording := verdict_wording(step["verdict"])).word,
            wording.symbol,
            wording.tone.value,
            # What the case says already need not be said twice.
            "" if case["message"].startswith(f"step {number}, ") else step["message"][:_NOTE_LIMIT],
        )
        for number, step in enumerate(case.get("steps", []), 1)
    )
    return StepsView(steps)


def concerns_print(case: CaseDocument) -> bool:
    """Tell whether what differs is what was printed, and not the answer."""
    found = case["difference"]
    if found is None:
        return False
    # A program has no answer at all.
    return found["where"].startswith(PRINTED) or not (case["expected"] or case["actual"])


def runs_of_steps(steps: tuple[StepView, ...]) -> list[tuple[StepView, int]]:
    """Return the steps with those left out that follow a like one, and how many that are each time.

    Right ones follow right ones, and steps that were not judged others for the same reason.
    """
    runs: list[tuple[StepView, int]] = []
    for step in steps:
        if runs and step.tone != "bad" and (step.tone, step.note) == (runs[-1][0].tone, runs[-1][0].note):
            first, more = runs[-1]
            runs[-1] = (first, more + 1)
        else:
            runs.append((step, 0))
    return runs

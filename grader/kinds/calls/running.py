"""Runs the calls of cases in a submission's box, and the reference's."""

from collections.abc import Sequence

from grader.lab.folders import no_folder
from grader.lab.lab import Lab
from grader.lab.turn import CaseTurn
from grader.model.case import Calls, SameAsReference, Text
from grader.model.kinds import calls_of
from grader.model.limits import allowed
from grader.model.outcome import Outcome
from grader.sandbox.box import Box, Job
from grader.sandbox.evidence import Evidence


def run_calls(turns: Sequence[CaseTurn], lab: Lab) -> Sequence[Outcome | Evidence]:
    """Return the evidence or outcomes of the first cases, at least one, of some that share a box.

    Raises `SandboxFailure`.
    """
    known = lab.known(turns)
    if known:
        for one in known:
            lab.budget.charge(one.report)
        return known
    box = lab.boxes.box(turns[0])
    if isinstance(box, Outcome):
        return [box] * len(turns)
    # A student's box takes one case at a time, since each case changes the budget for the next one.
    return [_run(box, turns[0], lab)]


def _run(box: Box, turn: CaseTurn, lab: Lab) -> Outcome | Evidence:
    case = turn.case
    if calls_of(case).folder is not None:
        refused = no_folder(lab.tools.zygote, "a case")
        if refused is not None:
            return refused
    job = Job(lab.inputs.requests[case.id], allowed(case.limits), lab.tools.oracle.answerer(case))
    with lab.working():
        (found,) = box.gather([job])
        lab.note_waiting(found)
    return lab.counted(turn, found)


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

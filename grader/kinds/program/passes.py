"""Runs a program several times: its validator, or its interactor, gives the input of each next pass."""

from collections.abc import Callable
from dataclasses import replace

from grader.judge.finding import CheckFailed, OwnFault
from grader.kinds.program.judge import ended_well, right_answer
from grader.kinds.program.transcript import last_words
from grader.lab.oracle import Oracle
from grader.model.case import Case, ProgramRun
from grader.model.limits import allowed
from grader.model.outcome import Ending, Outcome, PartnerVerdict, Turn
from grader.wire.byte_text import bytes_of

_SEEDS = 2**63
_BETWEEN = "(pass {} begins)"


def in_passes(
    case: Case,
    run: ProgramRun,
    once: Callable[[ProgramRun, Case], Outcome],
    seed: int,
    oracle: Oracle,
    reference: Outcome | None,
) -> Outcome:
    """Return the outcome of the last pass, with the outputs of all, and what its partner says in the end.

    once: runs the program with an input.  seed: that of the first pass; each has its own, so that a program
    which draws its values cannot count on the same ones.  Each pass has the limits of the case, and all share
    that of the output.  The inputs of the passes are the dialogue.
    """
    outputs: list[str] = []
    turns: list[Turn] = []
    cpu_s = wall_s = peak_b = printed_b = 0.0
    for number in range(1, run.passes + 1):
        outcome = once(run, replace(case, seed=(seed + number - 1) % _SEEDS))
        cpu_s, wall_s = max(cpu_s, outcome.cpu_s), wall_s + outcome.wall_s
        peak_b = max(peak_b, outcome.peak_rss_b)
        printed_b += len(bytes_of(outcome.stdout))
        if printed_b > allowed(case.limits).output_b and ended_well(run, outcome):
            outcome = replace(outcome, ending=Ending.OUTPUT, answers=(), partner=None)
        partner, failure = _partner(run, outcome, oracle, reference)
        outputs.append(outcome.stdout)
        turns += outcome.dialogue
        following = partner.next_input if partner is not None else None
        if not failure and following is not None and number == run.passes:
            (judge,) = run.judges
            failure = f"{judge.file} asks for more than {run.passes} passes"
        if failure or following is None or not ended_well(run, outcome):
            break
        assert partner is not None, "it gave an input"
        shown = following if run.interactor is None else _BETWEEN.format(number + 1)
        turns.append(Turn(last_words(outcome), shown))
        run = _next(run, partner, following)
    if failure:
        return replace(outcome, ending=Ending.INTERNAL, detail=failure, dialogue=(), partner=None)
    return replace(
        outcome,
        stdout="".join(outputs),
        dialogue=tuple(turns),
        partner=partner,
        cpu_s=cpu_s,
        wall_s=wall_s,
        peak_rss_b=int(peak_b),
    )


def _partner(
    run: ProgramRun, outcome: Outcome, oracle: Oracle, reference: Outcome | None
) -> tuple[PartnerVerdict | None, str]:
    """Return what the judge of a pass says, and why it says nothing, where that is our own fault."""
    if run.validator is None or not ended_well(run, outcome):
        return outcome.partner, ""
    try:
        answer = right_answer(run, reference)
        said = oracle.validate(run.validator, run.stdin, answer, outcome.stdout, run.left)
    except (CheckFailed, OwnFault) as failure:
        return None, str(failure)
    return PartnerVerdict(said.score, said.message, next_input=said.next_input, left=said.left), ""


def _next(run: ProgramRun, partner: PartnerVerdict, following: str) -> ProgramRun:
    if run.interactor is not None:
        return replace(run, interactor=replace(run.interactor, stdin=following, left=partner.left))
    return replace(run, stdin=following, left=partner.left)

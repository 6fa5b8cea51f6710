"""Marks the reference again under other circumstances: a case whose verdict or answer changes is not fair."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grader.model.kinds import kind_of
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark
from grader.model.verdict import Verdict
from grader.plugins.validate.trial import reference_program
from grader.plugins.validate.work.crew import JobPool, PendingJob
from grader.plugins.validate.work.jobs import CasesJob, Result

_LOOPS = 2
"""So many loops share the core of the trial."""
_ADDRESS = "0x"
"""A text with an address differs from run to run, and is not compared."""


@dataclass(frozen=True, slots=True)
class _Circumstance:
    words: str
    seed: int = 0
    hash_seed: int = 0
    is_reversed: bool = False
    load: int = 0


def _circumstances() -> Sequence[_Circumstance]:
    return (
        _Circumstance("as before"),
        _Circumstance("with another seed of `random`", seed=1),
        _Circumstance("with another order of sets (PYTHONHASHSEED)", hash_seed=1),
        _Circumstance("with a third order of sets (PYTHONHASHSEED)", hash_seed=77),
        _Circumstance("in reversed order", is_reversed=True),
        _Circumstance("beside busy loops", load=_LOOPS),
    )


def begin_again(crew: JobPool, task: Task, cases: Collection[str]) -> list[PendingJob]:
    """Begin to run the reference under other circumstances.  cases: those that it passes."""
    sources = tuple(sorted(reference_program(task).items()))
    wanted = tuple(case.id for case in task.cases if kind_of(case).runs and case.id in cases)
    return crew.begin(
        [
            CasesJob(
                sources,
                tuple(reversed(wanted)) if each.is_reversed else wanted,
                seed=each.seed,
                hash_seed=each.hash_seed,
                load=each.load,
            )
            for each in _circumstances()
        ]
    )


def steadiness(
    crew: JobPool, task: Task, again: Sequence[PendingJob], first: Mapping[str, Result]
) -> Iterator[Remark]:
    """Yield the cases that depend on circumstances.

    again: as `begin_again` returned it.  first: the reference's results as a submission.
    """
    tried = _circumstances()
    results = crew.results("marking the reference under other circumstances", again)
    plain = results[0]
    for question in task.questions:
        for case in question.cases:
            if case.id not in plain or case.id not in first:
                continue
            for circumstance, result in zip(tried, results, strict=True):
                before = first[case.id] if circumstance.words == tried[0].words else plain[case.id]
                differs = _differs(before, result[case.id])
                if differs:
                    yield Remark(
                        check=Check.STEADY,
                        gravity=Gravity.FAULT,
                        question=question.id,
                        case=case.id,
                        text=f"the reference's {differs[0]} changes {circumstance.words}",
                        details=(("first", differs[1]), ("then", differs[2])),
                    )
                    break


def _differs(before: Result, after: Result) -> tuple[str, str, str] | None:
    """Return what differs, before and after; None if nothing does."""
    if before["verdict"] != after["verdict"]:
        return "verdict", before["verdict"], f"{after['verdict']} {after['message']}".strip()
    answers = before["actual"], after["actual"]
    if answers[0] != answers[1] and before["verdict"] == Verdict.ACCEPTED and _ADDRESS not in answers[0]:
        return "answer", *answers
    return None

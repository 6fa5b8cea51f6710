"""Tells which cases do nothing: nothing fails them, or other cases catch all that they catch."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Any

from grader.model.kinds import kind_of
from grader.model.task import Question, Task
from grader.model.validation import Check, Gravity, Remark
from grader.model.verdict import Verdict

_MOST_NAMED = 8

Failures = Mapping[str, Mapping[str, Set[str]]]
"""By question and case, what fails it: programs and mutants."""


def failures_of(
    task: Task, programs: Mapping[str, Any], by_mutant: Mapping[str, Mapping[str, Collection[str]]]
) -> dict[str, dict[str, set[str]]]:
    """Return what fails each case.

    programs: the facts of programs, by name.  by_mutant: by question and mutant, the cases that fail.
    """
    found: dict[str, dict[str, set[str]]] = {}
    for question in task.questions:
        failing: dict[str, set[str]] = {case.id: set() for case in question.cases}
        for name, facts in programs.items():
            for case, found_of_case in facts["cases"].items():
                if case in failing and found_of_case["verdict"] not in (Verdict.ACCEPTED, Verdict.SKIPPED):
                    failing[case].add(name)
        for mutant, cases in by_mutant.get(question.id, {}).items():
            for case in failing.keys() & cases:
                failing[case].add(mutant)
        found[question.id] = failing
    return found


def never_failed(
    task: Task, failures: Sequence[Failures], mutants: int, *, are_few: bool
) -> Iterator[Remark]:
    """Yield the cases that nothing fails.

    mutants: the number of mutants that were tried.  are_few: fewer than usual, and others were left out, so
        one of those may fail such a case.
    """
    hint = "add a program to wrong/ that fails it, or remove it"
    for question in task.questions:
        for case in question.cases:
            if not any(each[question.id][case.id] for each in failures):
                yield Remark(
                    check=Check.FAILURES,
                    gravity=Gravity.FAULT if kind_of(case).runs and not are_few else Gravity.NOTE,
                    question=question.id,
                    case=case.id,
                    text="nothing fails this case: neither a wrong program, "
                    f"nor {_named(mutants)}, nor an empty file",
                    hint=f"try more mutants, by --mutants; or {hint}" if are_few else hint,
                )


def _named(mutants: int) -> str:
    return f"one of {mutants} mutants" if mutants > 1 else "a mutant"


def unneeded(task: Task, failures: Failures, blank: Set[str]) -> Iterator[Remark]:
    """Yield, by question, the cases without which all that is caught is caught as well.

    blank: names of blank programs, which every case catches.
    """
    for question in task.questions:
        needed = least_cases(question, failures[question.id], blank)
        left = [case.id for case in question.cases if case.id not in needed]
        if left and needed:
            more = f" and {len(left) - _MOST_NAMED} more" if len(left) > _MOST_NAMED else ""
            yield Remark(
                check=Check.NEEDED,
                gravity=Gravity.NOTE,
                question=question.id,
                text=f"{len(needed)} of {len(question.cases)} cases catch all of a sample of mutants, "
                f"and the wrong programs; these do not need {', '.join(left[:_MOST_NAMED])}{more}",
            )


def least_cases(question: Question, failing: Mapping[str, Set[str]], blank: Set[str]) -> list[str]:
    """Return few cases of a question that together catch all that its cases catch, the best first."""
    left = set().union(*failing.values()) - blank if failing else set()
    chosen: list[str] = []
    while left:
        best = max(question.cases, key=lambda case: len(failing[case.id] & left))
        chosen.append(best.id)
        left -= failing[best.id]
    return chosen

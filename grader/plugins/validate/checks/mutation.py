"""Tries mutants against the questions that they touch, and tells which pass.

A question is tried against a mutant if one of its cases reaches the mutated function.  The mutant is caught
if a case fails, or a case of another question that it needs.  If none does, an input is searched for which
the mutant differs.  With one, the question should have caught it; without one, the two are perhaps the same.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, log2
from typing import Any

from grader.model.kinds import kind_of
from grader.model.task import Question, Task
from grader.model.validation import Check, Distinction, Gravity, Mutant, QuestionScore, Remark, Survivor
from grader.model.verdict import Verdict
from grader.plugins.validate.checks.equivalent import Equivalent
from grader.plugins.validate.checks.tripwires import Place, place_of, places_of, with_tripwire
from grader.plugins.validate.trial import questions_with_cases, reference_program
from grader.plugins.validate.work.crew import JobPool, PendingJob
from grader.plugins.validate.work.jobs import CasesJob, SearchJob

CHEAP_S = 0.1
"""A case is cheap if the reference needs at most so much CPU time."""
_LEAST_S = 0.25
"""A mutant's case gets at least so much CPU time, and else a multiple of what the reference needs."""
_TIMES = 5
_LONG_S = 2.0
_SEARCHES_S = 30.0
"""So many seconds of a quiet core are spent on all searches; each gets its share, in steps."""
_SEARCH_STEPS_S = (4.0, 2.0, 1.0, 0.5, 0.2)
_SAMPLE = 8
"""So many mutants of a question are tried against all of its cases, also after one has failed."""
_UNKNOWN = (Verdict.SKIPPED, Verdict.INTERNAL_ERROR)
"""Verdicts that tell nothing about a mutant."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The CPU seconds of the reference, by case, without the cases that it fails."""

    cpu_s: Mapping[str, float]

    def ordered(self, question: Question) -> list[str]:
        """Return the cases of a question that run code and that the reference passes, cheapest first."""
        known = [case.id for case in question.cases if kind_of(case).runs and case.id in self.cpu_s]
        # Measured times differ from run to run, so the order goes by powers of two.
        return sorted(known, key=lambda case: _power(self.cpu_s[case]))

    def most_s(self, case: str) -> float:
        """Return the CPU seconds that a mutant gets."""
        return max(_LEAST_S, _TIMES * self.cpu_s[case])

    def is_cheap(self, case: str) -> bool:
        return self.cpu_s[case] <= CHEAP_S


def _power(seconds: float) -> int:
    return max(0, ceil(log2(max(seconds, 1e-3) / 0.02)))


@dataclass(frozen=True, slots=True)
class Kills:
    """Which cases fail which mutants.

    by_question: by question and mutant id, the cases that fail; empty: the mutant passes.  Among them are
        cases of other questions which cases of this one need.
    failures: cases that could not be judged, with the mutant and the reason.
    """

    mutants: Mapping[str, Mutant]
    by_question: Mapping[str, Mapping[str, Sequence[str]]]
    failures: tuple[tuple[str, str, str], ...]

    @property
    def caught(self) -> dict[str, set[str]]:
        """Ids of the mutants that are caught, by question."""
        return {
            question: {mutant for mutant, failed in by_mutant.items() if failed}
            for question, by_mutant in self.by_question.items()
        }

    @property
    def passing(self) -> list[tuple[str, Mutant]]:
        """The questions and the mutants that pass them, though the question reaches them."""
        return [
            (question, self.mutants[mutant])
            for question, by_mutant in self.by_question.items()
            for mutant, failed in by_mutant.items()
            if not failed
        ]


Probes = Mapping[Place, PendingJob | None]
Pairs = Sequence[tuple[Mutant, str, PendingJob]]
Searches = Sequence[tuple[str, Mutant, PendingJob]]


def begin_probes(crew: JobPool, task: Task, costs: Costs, mutants: Sequence[Mutant]) -> Probes:
    """Begin to find out what reaches each mutated place; see `tripwires`.

    The cases of the smoke test call everything, whatever their question is about, so they are left out.
    """
    telling = Costs({case: cpu_s for case, cpu_s in costs.cpu_s.items() if case not in _smoke(task)})
    reference = reference_program(task)
    every = {question.id for question in questions_with_cases(task)}
    found: dict[Place, PendingJob | None] = {}
    for place in places_of(mutants):
        sources = with_tripwire(reference, place)
        probe = _trying(sources, task, telling, every) if sources is not None else None
        found[place] = crew.begin_one(probe) if probe is not None else None
    return found


def _smoke(task: Task) -> Collection[str]:
    """Return the cases of the smoke test."""
    return task.smoke.cases if task.smoke is not None else ()


def reached(crew: JobPool, task: Task, probes: Probes) -> dict[Place, frozenset[str]]:
    """Return the questions that reach each mutated place; those of the smoke test if no others do."""
    every = frozenset(question.id for question in questions_with_cases(task))
    smoke = frozenset(
        question.id for question in task.questions if any(case.id in _smoke(task) for case in question.cases)
    )
    found = {}
    begun = [one for one in probes.values() if one is not None]
    results = iter(crew.results("finding out what each question reaches", begun))
    for place, one in probes.items():
        facts = next(results) if one is not None else None
        found[place] = every if facts is None else frozenset(_failed(task, facts)) or smoke
    return found


def _failed(task: Task, facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the questions of which a case is not accepted."""
    for question in task.questions:
        verdicts = [facts[case.id]["verdict"] for case in question.cases if case.id in facts]
        if any(verdict != Verdict.ACCEPTED for verdict in verdicts):
            yield question.id


def _trying(
    sources: Mapping[str, str],
    task: Task,
    costs: Costs,
    questions: Collection[str],
    others: Collection[str] = (),
    *,
    stops: bool = True,
    only_cheap: bool = False,
) -> CasesJob:
    """Return the job that tries a program against questions, and against some cases of others."""
    cases = [
        case
        for question in task.questions
        for case in costs.ordered(question)
        if (question.id in questions or case in others) and (costs.is_cheap(case) or not only_cheap)
    ]
    most_s = tuple((case, costs.most_s(case)) for case in cases)
    return CasesJob(tuple(sorted(sources.items())), tuple(cases), most_s, stops)


def _needed_elsewhere(task: Task, question: Question) -> set[str]:
    """Return the cases of other questions without which cases of a question are skipped."""
    needs = {case.id: case.needs for case in task.cases}
    found: set[str] = set()
    waiting = [case.id for case in question.cases]
    while waiting:
        fresh = set(needs[waiting.pop()]) - found
        found |= fresh
        waiting += fresh
    return found - {case.id for case in question.cases}


def begin_mutants(
    crew: JobPool,
    task: Task,
    costs: Costs,
    mutants: Sequence[Mutant],
    reach: Mapping[Place, frozenset[str]],
    *,
    only_cheap: bool,
) -> Pairs:
    """Begin to try every mutant against the questions that reach it.  only_cheap: leave out dear cases."""
    found = []
    for mutant in mutants:
        for question in questions_with_cases(task):
            if question.id in reach[place_of(mutant)]:
                needed = _needed_elsewhere(task, question)
                job = _trying(mutant.sources, task, costs, {question.id}, needed, only_cheap=only_cheap)
                if job.cases:
                    found.append((mutant, question.id, crew.begin_one(job)))
    return found


def kills(crew: JobPool, task: Task, pairs: Pairs, stage: str = "trying mutants") -> Kills:
    """Return which cases fail which mutants."""
    found: dict[str, dict[str, list[str]]] = {question.id: {} for question in task.questions}
    failures = []
    results = crew.results(stage, [begun for _, _, begun in pairs])
    for (mutant, question, _), result in zip(pairs, _with_more_time(crew, task, pairs, results), strict=True):
        verdicts = {case: facts["verdict"] for case, facts in result.items()}
        found[question][mutant.id] = [
            case for case, verdict in verdicts.items() if verdict not in (*_UNKNOWN, Verdict.ACCEPTED)
        ]
        failures += [
            (case, mutant.id, result[case]["message"])
            for case, verdict in verdicts.items()
            if verdict == Verdict.INTERNAL_ERROR
        ]
    return Kills({mutant.id: mutant for mutant, _, _ in pairs}, found, tuple(failures))


def _with_more_time(crew: JobPool, task: Task, pairs: Pairs, results: Sequence[Any]) -> list[Any]:
    """Return the results; those of mutants that met nothing but a time limit, with a longer one.

    A mutant near a limit would be caught beside other programs and not on a quiet machine.  So time alone
    catches what needs far more, such as a loop without end.
    """
    limits = {case.id: case.limits.time_s for case in task.cases}
    again: dict[int, PendingJob] = {}
    for number, ((_, _, begun), result) in enumerate(zip(pairs, results, strict=True)):
        verdicts = {facts["verdict"] for facts in result.values()} - {Verdict.ACCEPTED, Verdict.SKIPPED}
        if verdicts == {Verdict.TIME_LIMIT} and isinstance(begun.job, CasesJob):
            most_s = tuple((case, _longer_s(min(limits[case], most_s))) for case, most_s in begun.job.most_s)
            again[number] = crew.begin_one(replace(begun.job, most_s=most_s, patient=True))
    found = crew.results("giving slow mutants more time", list(again.values())) if again else []
    longer = dict(zip(again, found, strict=True))
    return [longer.get(number, result) for number, result in enumerate(results)]


def _longer_s(most_s: float) -> float:
    """Return four times a short limit, and twice a long one."""
    return max(2 * most_s, min(4 * most_s, _LONG_S))


def begin_search(crew: JobPool, caught: Kills, equivalent: Equivalent) -> Searches:
    """Begin to search an input for each mutant that passes a question, unless a person says that none is."""
    wanted = [
        (question, mutant)
        for question, mutant in caught.passing
        if not equivalent.reason(mutant.id, question)
    ]
    even_s = _SEARCHES_S / max(len(wanted), 1)
    share_s = next((step for step in _SEARCH_STEPS_S if step <= even_s), _SEARCH_STEPS_S[-1])
    return [
        (question, mutant, crew.begin_one(SearchJob(mutant, question, share_s)))
        for question, mutant in wanted
    ]


def begin_sample(crew: JobPool, task: Task, costs: Costs, caught: Kills) -> Pairs:
    """Begin to try some caught mutants of each question against all of its cheap cases.

    Only that tells which cases catch nothing that others do not catch.
    """
    found = []
    for question in questions_with_cases(task):
        known = sorted(caught.caught[question.id])
        for mutant in known[:: max(1, len(known) // _SAMPLE)][:_SAMPLE]:
            sources = caught.mutants[mutant].sources
            job = _trying(sources, task, costs, {question.id}, stops=False, only_cheap=True)
            found.append((caught.mutants[mutant], question.id, crew.begin_one(job)))
    return found


def scores(
    crew: JobPool, task: Task, caught: Kills, equivalent: Equivalent, searches: Searches
) -> tuple[QuestionScore, ...]:
    """Return how well each question catches mutants."""
    stage = "searching inputs that tell survivors apart"
    results = crew.results(stage, [begun for _, _, begun in searches]) if searches else []
    found = {
        (question, mutant.id): _distinction(result)
        for (question, mutant, _), result in zip(searches, results, strict=True)
    }
    return tuple(_score(question, caught, equivalent, found) for question in questions_with_cases(task))


def _score(
    question: Question,
    caught: Kills,
    equivalent: Equivalent,
    found: Mapping[tuple[str, str], Distinction | None],
) -> QuestionScore:
    caught_ids = caught.caught
    passing = [
        Survivor(
            mutant=mutant,
            distinction=found.get((question.id, mutant.id)),
            reason=equivalent.reason(mutant.id, question.id),
            caught_by=tuple(id for id, mutants in caught_ids.items() if mutant.id in mutants),
        )
        for asked, mutant in caught.passing
        if asked == question.id
    ]
    return QuestionScore(
        id=question.id,
        title=question.title,
        caught=len(caught_ids[question.id]),
        survivors=tuple(one for one in passing if one.distinction and one.distinction.is_sure),
        unsure=tuple(one for one in passing if one.distinction and not one.distinction.is_sure),
        alike=tuple(one for one in passing if one.distinction is None and not one.reason),
        equivalent=tuple(one for one in passing if one.reason),
    )


def _distinction(found: object) -> Distinction | None:
    if not isinstance(found, dict) or "found" not in found:
        return None
    fields = found["found"]
    return Distinction(**(fields | {name: tuple(fields[name]) for name in ("lines", "odd")}))


def unjudged(caught: Kills, task: Task) -> Iterator[Remark]:
    """Yield the cases that could not be judged for some mutant: a student's mark would be pending."""
    seen = set()
    for case, mutant, message in caught.failures:
        if case not in seen:
            seen.add(case)
            question = next(each.id for each in task.questions if any(case == one.id for one in each.cases))
            yield Remark(
                check=Check.CHECKERS,
                gravity=Gravity.FAULT,
                question=question,
                case=case,
                text=f"the answer of a mutant cannot be judged: {message}",
                hint=f"the mutant is {mutant}",
            )

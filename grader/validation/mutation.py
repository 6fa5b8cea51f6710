"""Tries mutants against the questions that they touch, and tells which pass.

A question is tried against a mutant if one of its cases reaches the mutated function.  The mutant is caught
if a case fails.  If none does, an input is searched for which the mutant differs: with one, the question should
have caught it; without one, the two are perhaps the same.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2

from grader.model.task import Question, Task
from grader.model.validation import Check, Distinction, Gravity, Mutant, QuestionScore, Remark, Survivor
from grader.model.verdict import Verdict
from grader.validation.crew import Crew
from grader.validation.equivalent import Equivalent
from grader.validation.jobs import Job, Searching, Trying
from grader.validation.trial import questions_with_cases, reference_program
from grader.validation.tripwires import Place, place_of, places_of, with_tripwire

CHEAP_S = 0.1
"""A case is cheap if the reference needs at most so much CPU time."""
_LEAST_S = 0.5
"""A mutant's case gets at least so much CPU time, and else a multiple of what the reference needs."""
_TIMES = 5
_SEARCH_S = 4.0
_UNKNOWN = (Verdict.SKIPPED, Verdict.INTERNAL_ERROR)
"""Verdicts that tell nothing about a mutant."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What the reference needs, by case, in CPU seconds; without the cases that it fails."""

    cpu_s: Mapping[str, float]

    def ordered(self, question: Question) -> list[str]:
        """Return the cases of a question that run code and that the reference passes, cheapest first."""
        known = [case.id for case in question.cases if case.rule is None and case.id in self.cpu_s]
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

    by_question: by question and mutant id, the cases that fail; empty: the mutant passes.
    whole: the questions of which all cases were run, also after one had failed.
    failures: cases that could not be judged, with the mutant and the reason.
    """

    by_question: Mapping[str, Mapping[str, Sequence[str]]]
    whole: frozenset[str]
    failures: tuple[tuple[str, str, str], ...]


def reached(crew: Crew, task: Task, costs: Costs, mutants: Sequence[Mutant]) -> dict[Place, frozenset[str]]:
    """Return the questions that reach each place of a mutant."""
    reference = reference_program(task)
    every = frozenset(question.id for question in questions_with_cases(task))
    places = places_of(mutants)
    jobs: list[Job] = []
    probed = []
    for place in places:
        sources = with_tripwire(reference, place)
        if sources is not None:
            probed.append(place)
            jobs.append(_trying(sources, task, costs, every, stops=True))
    found = dict.fromkeys(places, every)
    for place, result in zip(probed, crew.do("finding what each question reaches", jobs), strict=True):
        found[place] = frozenset(
            question.id
            for question in task.questions
            if any(
                result[case.id]["verdict"] != Verdict.ACCEPTED for case in question.cases if case.id in result
            )
        )
    return found


def _trying(
    sources: Mapping[str, str],
    task: Task,
    costs: Costs,
    questions: Collection[str],
    *,
    stops: bool,
    only_cheap: bool = False,
) -> Trying:
    cases = [
        case
        for question in task.questions
        if question.id in questions
        for case in costs.ordered(question)
        if costs.is_cheap(case) or not only_cheap
    ]
    most_s = tuple((case, costs.most_s(case)) for case in cases)
    return Trying(tuple(sorted(sources.items())), tuple(cases), most_s, stops)


def kills(
    crew: Crew,
    task: Task,
    costs: Costs,
    mutants: Sequence[Mutant],
    reach: Mapping[Place, frozenset[str]],
    *,
    whole: bool,
    only_cheap: bool,
) -> Kills:
    """Try every mutant against the questions that reach it.

    whole: run all cases, also after one has failed.  only_cheap: leave out dear cases.
    """
    pairs = [
        (mutant, question.id)
        for mutant in mutants
        for question in questions_with_cases(task)
        if question.id in reach[place_of(mutant)]
    ]
    jobs = [
        _trying(mutant.sources, task, costs, {question}, stops=not whole, only_cheap=only_cheap)
        for mutant, question in pairs
    ]
    results = crew.do("trying mutants", jobs)
    found: dict[str, dict[str, list[str]]] = {question.id: {} for question in task.questions}
    failures = []
    for (mutant, question), result in zip(pairs, results, strict=True):
        if not result:
            continue
        failed = [
            case for case, facts in result.items() if facts["verdict"] not in (*_UNKNOWN, Verdict.ACCEPTED)
        ]
        found[question][mutant.id] = failed
        failures += [
            (case, mutant.id, facts["message"])
            for case, facts in result.items()
            if facts["verdict"] == Verdict.INTERNAL_ERROR
        ]
    every = frozenset(found) if whole else frozenset()
    return Kills(found, every, tuple(failures))


def scores(
    crew: Crew,
    task: Task,
    mutants: Sequence[Mutant],
    caught: Kills,
    equivalent: Equivalent,
    *,
    search: bool,
) -> tuple[QuestionScore, ...]:
    """Return how well each question catches mutants; search: look for inputs that tell the others apart."""
    by_id = {mutant.id: mutant for mutant in mutants}
    passing = [
        (question.id, by_id[mutant])
        for question in task.questions
        for mutant, failed in caught.by_question[question.id].items()
        if not failed
    ]
    open_pairs = [
        (question, mutant) for question, mutant in passing if not equivalent.reason(mutant.id, question)
    ]
    found: list[Distinction | None] = [None] * len(open_pairs)
    if search:
        jobs = [Searching(mutant, question, _SEARCH_S) for question, mutant in open_pairs]
        found = [_distinction(one) for one in crew.do("searching inputs that tell survivors apart", jobs)]
    survivors: dict[str, list[Survivor]] = {question.id: [] for question in task.questions}
    alike: dict[str, list[Survivor]] = {question.id: [] for question in task.questions}
    for (question, mutant), distinction in zip(open_pairs, found, strict=True):
        (survivors if distinction else alike)[question].append(
            Survivor(mutant=mutant, distinction=distinction)
        )
    return tuple(
        QuestionScore(
            id=question.id,
            title=question.title,
            caught=sum(bool(failed) for failed in caught.by_question[question.id].values()),
            survivors=tuple(survivors[question.id]),
            alike=tuple(alike[question.id]),
            equivalent=tuple(
                Survivor(mutant=mutant, reason=reason)
                for asked, mutant in passing
                if asked == question.id and (reason := equivalent.reason(mutant.id, asked))
            ),
        )
        for question in questions_with_cases(task)
    )


def _distinction(found: object) -> Distinction | None:
    if not isinstance(found, dict):
        return None
    return Distinction(**(found | {"lines": tuple(found["lines"])}))


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

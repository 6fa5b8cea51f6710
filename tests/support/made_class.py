"""A made-up class: students of different ability, cases of different difficulty, answers that many share.

Students are yielded one at a time and depend on their number alone, so a class can be of any size.
"""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from grader.model.case import Visibility
from grader.model.results import CaseResult, QuestionResult, Raised, Status, SubmissionResult, TaskHead
from grader.model.verdict import Verdict, summary

QUESTIONS, CASES = 10, 11
TASK = TaskHead(id="made-up", title="Made up", max_mark=Fraction(2 * QUESTIONS))
HARDEST, KNOWN_ANSWER = "7.11", "None"
"""The case that fewest pass, and the commonest wrong answer there."""
SLOW = "4.3"
"""The case in which many students time out."""

_WRONG = ("None", "0", "[]", "[(0, 0)]", "303", "True")
_LIMIT_S = 2.0


def made_class(count: int) -> Iterator[SubmissionResult]:
    """Yield so many students; a few are pending, and a few handed in nothing."""
    return (_student(number) for number in range(count))


def _student(number: int) -> SubmissionResult:
    chance = Random(number)
    ability = chance.gauss(0, 1)
    name = f"student-{number:05}"
    person = f"{chance.choice(_FIRST)} {chance.choice(_LAST)} {number}"
    if number % 41 == 40:
        return SubmissionResult(
            id=name,
            name=person,
            mark=Fraction(0),
            max_mark=TASK.max_mark,
            status=Status.NO_SUBMISSION,
        )
    broken = number % 97 == 96
    questions = tuple(_question(chance, ability, at, broken) for at in range(1, QUESTIONS + 1))
    return SubmissionResult(
        id=name,
        name=person,
        mark=sum((each.mark for each in questions), Fraction(0)),
        max_mark=TASK.max_mark,
        status=Status.PENDING if broken else Status.MARKED,
        questions=questions,
        late_s=3600 if number % 13 == 0 else 0,
    )


def _question(chance: Random, ability: float, at: int, broken: bool) -> QuestionResult:
    cases = tuple(_case(chance, ability, at, number, broken) for number in range(1, CASES + 1))
    share = Fraction(sum(case.verdict is Verdict.ACCEPTED for case in cases), CASES)
    return QuestionResult(
        id=str(at),
        title=f"function_{at}",
        mark=Fraction(2) if share == 1 else Fraction(1) if share >= Fraction(1, 2) else Fraction(0),
        max_mark=Fraction(2),
        verdict=summary(case.verdict for case in cases),
        award="groups",
        cases=cases,
    )


def _case(chance: Random, ability: float, question: int, number: int, broken: bool) -> CaseResult:
    name = f"{question}.{number}"
    hardness = -2.6 + 0.15 * question + 0.12 * number + (2.4 if name == HARDEST else 0)
    time_s = min(0.004 * 1.5 ** (question + chance.gauss(0, 1)), 0.9)
    verdict, actual, raised = Verdict.ACCEPTED, "42", None
    if broken and name == "2.5":
        verdict, actual = Verdict.INTERNAL_ERROR, ""
    elif chance.gauss(0, 0.6) + ability < hardness:
        verdict, actual = Verdict.WRONG_ANSWER, KNOWN_ANSWER if name == HARDEST else chance.choice(_WRONG)
        if chance.random() < 0.15:
            actual = str(chance.randrange(10_000))
        if chance.random() < 0.2:
            verdict, actual, raised = Verdict.EXCEPTION, "", Raised("NameError", "name 'dim' is not defined")
    if name == SLOW and ability < -1:
        verdict, actual, raised, time_s = Verdict.TIME_LIMIT, "", None, _LIMIT_S + 0.1
    elif name == SLOW and ability < -0.7:
        time_s = 1.7
    return CaseResult(
        id=name,
        call=f"function_{question}({number}, [(0, 0)])",
        verdict=verdict,
        visibility=Visibility.HIDDEN if number > 7 else Visibility.PUBLIC,
        score=Fraction(verdict is Verdict.ACCEPTED),
        cpu_s=time_s,
        wall_s=time_s,
        time_limit_s=_LIMIT_S,
        near_limit=_LIMIT_S / 2 < time_s < _LIMIT_S,
        message="The checker failed." if verdict is Verdict.INTERNAL_ERROR else "",
        expected="42",
        actual=actual,
        raised=raised,
    )


_FIRST = ("Ada", "Zoë", "Kim", "Émile", "Noor", "Li", "Bob", "Eve", "Ülkü", "Jan")
_LAST = ("Schmidt", "Müller", "Okafor", "Łukasz", "Nguyen", "Kaya", "Rossi", "de la Tour")

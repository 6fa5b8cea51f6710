"""Tries checkers on odd answers: they must not fail, hang, or accept what is no answer.

An answer on which a checker raises counts as wrong, and a person has to look whether it is; where the checker
is stopped, or there is no reference whose answer it takes, the mark is pending.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grader.judge.finding import CheckFailed
from grader.lab.oracle import Oracle
from grader.model.case import Check, Expectation
from grader.model.kinds import calls_of, kind_of
from grader.model.outcome import Returned
from grader.model.task import Task
from grader.model.validation import Check as About
from grader.model.validation import Gravity, Remark
from grader.model.values import Opaque, Value
from grader.values.show import show

_PLACE = re.compile(r"\((line \d+ of \S+)\)")
_DEEP = 60
_LONG = 1_000_000
_MANY = 100_000
_RIGHT = "the right answer of"
_OTHER_SEQUENCE = "the right answer as a"


def odd_answers(*, large: bool = True) -> Iterator[tuple[str, Value]]:
    """Yield answers that hardly any call should give, each with words for it.  large: large ones too."""
    plain: list[object] = [
        None,
        True,
        0,
        -1,
        0.5,
        "",
        [],
        (),
        {},
        set(),
        b"",
        [[]],
        [()],
        [None],
        [[None]],
        ((),),
    ]
    yield from ((repr(value), value) for value in plain)
    yield "nan", float("nan")
    yield "inf", float("inf")
    if large:
        yield "a text of a million characters", "x" * _LONG
        yield "a list of 100,000 zeros", [0] * _MANY
    yield "10**5000", 10**5000
    yield "[10**5000]", [10**5000]
    yield "[(10**400, nan)]", [(10**400, float("nan"))]
    yield "{None: [1]}", {None: [1]}
    yield "[1, 'a', None, (2,)]", [1, "a", None, (2,)]
    yield "an object that is no data", Opaque("Thing", "<Thing>")
    deep: list[object] = []
    for _ in range(_DEEP):
        deep = [deep]
    yield f"a list nested {_DEEP} deep", deep


def near_answers(right: Value) -> Iterator[tuple[str, Value]]:
    """Yield answers that are nearly the right one, each with words for it."""
    if isinstance(right, list | tuple) and right:
        kind = type(right)
        yield "the right answer without its last item", right[:-1]
        yield "the right answer without its first item", right[1:]
        yield "the right answer and its last item again", kind([*right, right[-1]])
        yield (
            f"{_OTHER_SEQUENCE} {'tuple' if kind is list else 'list'}",
            (tuple(right) if kind is list else list(right)),
        )
        yield "the right answer in a list", [right]
    if isinstance(right, int | float) and not isinstance(right, bool):
        yield "one more than the right answer", right + 1
        yield "the right answer as a text", show(right)


@dataclass(frozen=True, slots=True)
class CheckerUse:
    """A checker with its arguments, where a spec uses it first.  step: of a scenario; -1: the case's own."""

    question: str
    case: str
    step: int
    check: Check


def checkers_of(task: Task) -> Iterator[CheckerUse]:
    """Yield each checker with its arguments once; of a case with many inputs, with the first one's.

    A program's checker is left out: it always gets what we say that the program did.
    """
    seen: set[tuple[str, str]] = set()
    for question in task.questions:
        for case in question.cases:
            kind = kind_of(case)
            expectations: list[tuple[int, Expectation | None]] = [(-1, calls_of(case).decides)]
            if kind.each_by_itself(case):
                expectations = list(enumerate(calls_of(case).expects))
            are_inputs = kind.each_by_itself(case) and not kind.names_steps(case)
            for step, check in expectations:
                if not isinstance(check, Check):
                    continue
                key = check.checker, case.id if are_inputs else repr(check.arguments)
                if key not in seen:
                    seen.add(key)
                    yield CheckerUse(question.id, case.id, step, check)


def checker_remarks(use: CheckerUse, found: Sequence[Sequence[str]]) -> Iterator[Remark]:
    """Yield what a checker did with odd answers: one remark for its failures, one for what it accepted.

    found: what `try_checker` returned.
    """
    text = use.check.text
    for kind, gravity, words, hint in (
        (
            "failed",
            Gravity.FAULT,
            f"{text} fails on odd answers{_first_place(found)}; these count as wrong, or are pending",
            "let the checker say no: return a sentence, or assert what must hold",
        ),
        ("accepted", Gravity.ODD, f"{text} accepts odd answers; are they right?", ""),
    ):
        details = tuple((answer, said) for what, answer, said in found if what == kind)
        if details:
            yield Remark(
                check=About.CHECKERS,
                gravity=gravity,
                question=use.question,
                case=use.case,
                text=words,
                hint=hint,
                details=details,
            )


def _first_place(found: Sequence[Sequence[str]]) -> str:
    """Return where a checker raised first, as the end of a phrase; empty where it did not."""
    places = (_PLACE.search(said) for what, _, said in found if what == "failed")
    return next((f", first at {place[1]}" for place in places if place), "")


def try_checker(
    task: Task, oracle: Oracle, case: str, step: int, others: tuple[str, ...], *, large: bool = True
) -> list[list[Any]]:
    """Try a checker; return what is odd: kind (`failed` or `accepted`), the answer in words, what it said.

    others: cases whose right answers it must stand.  large: try large answers too.
    """
    check = _check_of(task, case, step)
    right = _right_answer(task, oracle, case, step)
    answers = list(odd_answers(large=large))
    for value in right:
        # With  sequence: any  the spec says that a tuple is as good as a list.
        near = near_answers(value)
        answers += [one for one in near if not (check.any_sequence and one[0].startswith(_OTHER_SEQUENCE))]
    answers += [
        (f"{_RIGHT} {other}", value) for other in others for value in _right_answer(task, oracle, other, -1)
    ]
    found = []
    for words, value in answers:
        oracle.draw_from(None)  # a function that hung is asked again
        try:
            said = oracle.check(check.checker, value, check.arguments)
        except CheckFailed as failure:
            found.append(["failed", words, str(failure)])
            continue
        if said.score > 0 and not words.startswith(_RIGHT) and show(value) not in map(show, right):
            found.append(["accepted", words, said.message])
    return found


def _check_of(task: Task, case_id: str, step: int) -> Check:
    (case,) = (case for case in task.cases if case.id == case_id)
    what = calls_of(case)
    expect = what.decides if step < 0 else what.expects[step]
    assert isinstance(expect, Check)
    return expect


def _right_answer(task: Task, oracle: Oracle, case_id: str, step: int) -> list[Value]:
    """Return the reference's answer to a case, or to one of its steps; none where it gives none."""
    for question in task.questions:
        for case in question.cases:
            what = calls_of(case)
            if case.id == case_id and kind_of(case).each_by_itself(case) == (step >= 0):
                answers = oracle.expected(case, question.module).answers
                found = answers[step : step + 1] if step >= 0 else answers[:1] if not what.combine else ()
                return [answer.value for answer in found if isinstance(answer, Returned)]
    return []

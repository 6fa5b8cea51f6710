"""Compares the limits of cases with what right programs need: the reference, and those in `right/`.

Below three times its need, a right program that is a little slower loses marks.  Far above, a program that
hangs costs the batch that much time.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader.model.kinds import kind_of
from grader.model.limits import KIB, MIB, Limits
from grader.model.task import Question, Task
from grader.model.validation import Check, Gravity, Remark

LEAST = 3
"""A limit should be at least so many times the need."""
MOST = 100
_PROPOSED = 5
_NICE_S = (0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600, 1200)


@dataclass(frozen=True, slots=True)
class _Resource:
    """floor: a need below this counts as this much, since a start alone costs that."""

    name: str
    limit: Callable[[Limits], float]
    need: Callable[[Mapping[str, Any]], float]
    floor: float
    words: Callable[[float], str]
    proposed: Callable[[float], str]


def _nice_s(need_s: float) -> str:
    wanted = need_s * _PROPOSED
    return f"{next((nice for nice in _NICE_S if nice >= wanted), round(wanted)):g}s"


def _nice_b(need_b: float) -> str:
    wanted_mib = 1
    while wanted_mib * MIB < need_b * _PROPOSED:
        wanted_mib *= 2
    return f"{wanted_mib}MiB" if wanted_mib < KIB else f"{wanted_mib // KIB}GiB"


def _seconds(value: float) -> str:
    return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"


def _bytes(value: float) -> str:
    return f"{value / MIB:.0f} MiB" if value >= MIB else f"{value / KIB:.0f} KiB"


_RESOURCES = (
    _Resource("time", lambda limits: limits.time_s, lambda facts: facts["cpu_s"], 0.1, _seconds, _nice_s),
    _Resource(
        "wall",
        lambda limits: limits.wall_s,
        lambda facts: facts["waited_s"],
        0.5,
        _seconds,
        _nice_s,
    ),
    _Resource(
        "memory", lambda limits: limits.memory_b, lambda facts: facts["peak_rss_b"], 16 * MIB, _bytes, _nice_b
    ),
    _Resource(
        "output", lambda limits: limits.output_b, lambda facts: facts["output_b"], 16 * KIB, _bytes, _nice_b
    ),
)


_NEEDS = ("cpu_s", "peak_rss_b", "output_b")


def needs_of(programs: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Return by case the most that any program needs of each resource.

    programs: facts of right programs by case, the reference first; only of its cases.  Where they wait counts
    for the reference alone, since that is measured by the clock.
    """
    reference, *others = programs
    needs = {}
    for case, facts in reference.items():
        every = [facts, *(other[case] for other in others if case in other)]
        needs[case] = {**facts, **{need: max(one[need] for one in every) for need in _NEEDS}}
        needs[case]["waited_s"] = max(0.0, facts["wall_s"] - facts["cpu_s"])
    return needs


def head_room(task: Task, facts: Mapping[str, Mapping[str, Any]]) -> Iterator[Remark]:
    """Yield the limits that are near to or far from the need; one remark a question and resource.

    facts: what right programs need, by case; see `needs_of`.
    """
    for question in task.questions:
        for resource in _RESOURCES:
            rooms = [
                (resource.limit(case.limits) / max(resource.need(facts[case.id]), resource.floor), case.id)
                for case in question.cases
                if case.id in facts and kind_of(case).runs
            ]
            if rooms and min(rooms)[0] < LEAST:
                yield _too_near(task, question, resource, facts, min(rooms))
            elif rooms and max(rooms)[0] > MOST and resource.name != "wall":
                yield _too_far(question, resource, facts, max(rooms))


def _too_near(
    task: Task,
    question: Question,
    resource: _Resource,
    facts: Mapping[str, Mapping[str, Any]],
    nearest: tuple[float, str],
) -> Remark:
    room, case_id = nearest
    need = resource.need(facts[case_id])
    return Remark(
        check=Check.HEAD_ROOM,
        gravity=Gravity.ODD,
        question=question.id,
        case=case_id,
        text=f"the {resource.name} limit is {room:.2g} times what right programs need, "
        f"{resource.words(need)}; another may be slower",
        hint=f"limits: {{{resource.name}: {resource.proposed(need)}}}",
    )


def _too_far(
    question: Question,
    resource: _Resource,
    facts: Mapping[str, Mapping[str, Any]],
    farthest: tuple[float, str],
) -> Remark:
    room, case_id = farthest
    need = max(resource.need(facts[case_id]), resource.floor)
    return Remark(
        check=Check.HEAD_ROOM,
        gravity=Gravity.NOTE,
        question=question.id,
        case=case_id,
        text=f"the {resource.name} limit is {room:.0f} times what right programs need; "
        "a program that hangs costs all of it",
        hint=f"limits: {{{resource.name}: {resource.proposed(need)}}} would do, unless others are slower",
    )

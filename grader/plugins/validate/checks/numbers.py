"""Finds whole numbers that are expected where other answers of the same function are floats.

Types count, so of a mean that happens to be whole `2` is right and `2.0` is wrong, or the other way round.
Students write either, and the reference passes with the one that it happens to return.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from grader.model.case import Calls, Returns, SameAsReference
from grader.model.kinds import calls_of
from grader.model.task import Task
from grader.model.validation import Check, Gravity, Remark

_WHOLE = re.compile(r"-?[0-9]+")
_FLOAT = re.compile(r"-?[0-9.]+(e[-+]?[0-9]+)?")


def number_remarks(task: Task, passed: Mapping[str, Mapping[str, Any]]) -> Iterator[Remark]:
    """Yield a remark for each function, at the first such case.

    passed: the reference's facts on the cases that it passes.
    """
    for question in task.questions:
        whole: dict[str, list[tuple[str, str]]] = {}
        floats: dict[str, int] = {}
        for case in question.cases:
            function = _compared(calls_of(case))
            text = passed.get(case.id, {}).get("actual", "")
            if function and _WHOLE.fullmatch(text):
                whole.setdefault(function, []).append((case.id, text))
            elif function and _FLOAT.fullmatch(text):
                floats[function] = floats.get(function, 0) + 1
        for function in whole.keys() & floats.keys():
            case_id, number = whole[function][0]
            others = "another answer" if floats[function] == 1 else f"{floats[function]} other answers"
            yield Remark(
                check=Check.FAILURES,
                gravity=Gravity.ODD,
                question=question.id,
                case=case_id,
                text=f"{number} is right here and {number}.0 is wrong; {others} of `{function}` are floats",
                hint="if both are right, say `equality: python`, here or in the task",
            )


def _compared(calls: Calls) -> str:
    """Return the function whose one answer is compared with its type; empty where there is none."""
    if len(calls.steps) != 1 or calls.combine is not None or calls.generated is not None:
        return ""
    (expect,) = calls.expects
    if not isinstance(expect, Returns | SameAsReference):
        return ""
    forgives = expect.comparison.python or expect.comparison.rel or expect.comparison.abs
    return "" if forgives else calls.calls[0].function

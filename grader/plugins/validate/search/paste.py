"""An input as lines of YAML that can be pasted into the spec, below `cases:`."""

from collections.abc import Sequence

from grader.model.case import Case, Visibility
from grader.model.kinds import kind_of
from grader.spec.writing.cases import Writer
from grader.spec.writing.dump import dumped


def pasted(
    case: Case,
    writer: Writer,
    *,
    certain: bool,
    time_s: float | None,
    odd: Sequence[str],
    hidden: bool = False,
) -> tuple[str, ...]:
    """Return a case as lines.

    time_s: its time limit, if it is shorter than the question's.
    odd: in what it is unlike nearly all cases.
    hidden: students must not see it.
    """
    keys = kind_of(case).written(case, writer)
    if case.group:
        keys["group"] = case.group
    if time_s is not None:
        keys["limits"] = {"time": _seconds(time_s)}
    if case.seed is not None:
        keys["seed"] = case.seed
    if hidden:
        keys["visibility"] = Visibility.HIDDEN.value
    remarks = []
    if not certain:
        remarks.append("# Many answers may be right here: add the `check` that judges them.")
    if odd:
        remarks.append(f"# Unlike in nearly all cases, {', and '.join(odd)}: is this input meant to work?")
    if time_s is not None:
        remarks.append(
            "# Only this limit tells them apart, and the question allows more: is the mutant too slow?"
        )
    # Steps stand on a line each.
    return *remarks, *dumped([keys], flow=None if kind_of(case).each_by_itself(case) else False).splitlines()


def _seconds(time_s: float) -> str:
    return f"{round(time_s * 1000)}ms" if time_s < 1 else f"{time_s:g}s"

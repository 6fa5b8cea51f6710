"""What a spec takes off a mark: `late`, with students' own deadlines, and `smoke`."""

from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from pathlib import Path

from grader.model.policy import Deduction, Extension, Late, LateStep, Of, Smoke
from grader.spec.keys import LATE, LATE_STEP, SMOKE
from grader.spec.reference.files import Files, read_extensions
from grader.yamlfile.field import Table
from grader.yamlfile.nodes import Broken, Node, Scalar, compose
from grader.yamlfile.nodes import Mapping as MappingNode
from grader.yamlfile.quantities import duration_s, moment, penalty
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.table import Fields, open_fields

MOMENT_HINT = "write date, time and zone, such as 2026-11-20T23:59:00+01:00"
_LONGEST_S = 366 * 24 * 3600


def decode_late(parent: Fields, folder: Path, reporter: Reporter) -> tuple[Late | None, Files | None]:
    """Return what `late` of a task states, and the file of extensions that it names."""
    fields = _open(parent, "late", LATE, reporter)
    if fields is None:
        return None, None
    of = fields.choice("of", Of) or Of.MARK
    deadline = _moment(fields, "deadline")
    grace_s = _seconds(fields, "grace") or 0
    steps = _steps(fields, of, reporter)
    _check_steps(fields, grace_s, steps, reporter)
    then = deduction(fields, "then", of)
    file = read_extensions(fields, folder)
    extensions = decode_extensions(file, deadline, reporter) if file is not None else ()
    if deadline is None or then is None:
        return None, file
    late = Late(
        deadline=deadline,
        grace_s=grace_s,
        steps=tuple(step for step, _ in steps),
        then=then,
        extensions=extensions,
    )
    return late, file


def deduction(fields: Fields, name: str, of: Of) -> Deduction | None:
    """Return the penalty that a key states; `of` is what a percentage of it is a share of."""
    read = fields.quantity(name, penalty)
    if read is None:
        return None
    amount, is_share = read
    if is_share and amount > 1:
        fields.report(name, f"`{name}` can't take more than 100%")
        return None
    return Deduction(amount, of if is_share else None)


def decode_smoke(parent: Fields, cases: Mapping[str, tuple[str, ...]], reporter: Reporter) -> Smoke | None:
    """Return what `smoke` of a task states.

    cases: for each id of a case and of a question, the cases that it stands for.
    """
    fields = _open(parent, "smoke", SMOKE, reporter)
    if fields is None:
        return None
    wanted: dict[str, None] = {}
    for scalar in fields.names("cases"):
        if scalar.text in cases:
            wanted |= dict.fromkeys(cases[scalar.text])
        else:
            message = f"there is no case or question `{shown(scalar.text)}` that a smoke test can have"
            reporter.report(scalar.span, message, reporter.nearest(scalar.text, cases))
    takes = deduction(fields, "penalty", fields.choice("of", Of) or Of.MARK)
    return Smoke(tuple(wanted), takes) if takes is not None else None


def _open(parent: Fields, name: str, table: Table, reporter: Reporter) -> Fields | None:
    node = parent.mapping(name)
    return open_fields(node, table, reporter) if node is not None else None


def _moment(fields: Fields, name: str) -> datetime | None:
    scalar = fields.scalar(name)
    if scalar is None:
        return None
    value = moment(scalar.text.strip())
    if value is None:
        fields.report(name, f"`{shown(scalar.text)}` is not a point in time with its zone", MOMENT_HINT)
    return value


def _seconds(fields: Fields, name: str) -> int | None:
    value = fields.quantity(name, duration_s)
    if value is None:
        return None
    if value > _LONGEST_S:
        fields.report(name, f"`{name}` is longer than a year")
        return None
    return int(value)


def _steps(fields: Fields, of: Of, reporter: Reporter) -> list[tuple[LateStep, Span]]:
    found = []
    for node in fields.items("steps") or ():
        step = open_fields(node, LATE_STEP, reporter)
        if step is None:
            continue
        within_s = _seconds(step, "within")
        takes = deduction(step, "penalty", of)
        if within_s is not None and takes is not None:
            found.append((LateStep(within_s, takes), step.span("within")))
    return found


def _check_steps(
    fields: Fields, grace_s: int, steps: list[tuple[LateStep, Span]], reporter: Reporter
) -> None:
    """Report a step that can never count."""
    before_s, what = grace_s, "the time of grace" if grace_s else "the deadline"
    for step, span in steps:
        if step.within_s <= before_s:
            reporter.report(span, f"this step never counts: it does not end after {what}")
        before_s, what = max(before_s, step.within_s), "the step before it"


def decode_extensions(file: Files, deadline: datetime | None, reporter: Reporter) -> tuple[Extension, ...]:
    """Return the students' own deadlines: by student, a point in time or what is added to the deadline."""
    ((name, content),) = file.contents.items()
    own = Reporter(Source(name, content.decode("utf-8-sig", "replace")))
    root = compose(own) if own.source.text.strip() else None
    found = []
    if isinstance(root, MappingNode):
        for key, value in root.pairs:
            extension = _extension(key.text, value, deadline, own)
            if extension is not None:
                found.append(extension)
    elif root is not None and not isinstance(root, Broken):
        own.report(root.span, "extensions must be a mapping, lines of `student: 48h`")
    reporter.take_over(own)
    return tuple(found)


def _extension(student: str, node: Node, deadline: datetime | None, reporter: Reporter) -> Extension | None:
    if isinstance(node, Broken):
        return None
    text = node.text.strip() if isinstance(node, Scalar) else ""
    own, extra_s = moment(text), duration_s(text.removeprefix("+"))
    if own is None and (extra_s is None or extra_s > _LONGEST_S):
        message = "an extension must be a new deadline or what is added to it, such as 48h"
        reporter.report(node.span, message, MOMENT_HINT)
        return None
    if own is not None and deadline is not None and own < deadline:
        reporter.report(node.span, f"this deadline is before that of all, {deadline.isoformat()}")
    return Extension(student, own, int(extra_s or Fraction(0)))

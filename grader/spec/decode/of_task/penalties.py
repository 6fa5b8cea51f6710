"""The penalties of a task: `late`, with extensions for single students, `smoke` and `instead`."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from grader.model.policy import UNDATED, Deduction, DeductionBase, Extension, Late, LateStep, Smoke
from grader.spec.keys.penalties import LONGEST_S
from grader.spec.keys.values import MOMENT_HINT
from grader.spec.reference.files import Files, read_file
from grader.yamlfile import nodes
from grader.yamlfile.nodes import Broken, Node, Scalar, compose
from grader.yamlfile.quantities import duration_s, moment
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source, Span, shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import if_usable


def decode_late(parent: Fields, folder: Path) -> tuple[Late | None, Files | None]:
    """Return the `late` of a task, `UNDATED` without a deadline, and the file of extensions that it names."""
    fields: Fields | None = parent["late"]
    if fields is None:
        return None, None
    deadline: datetime | None = fields["deadline"] if fields.has("deadline") else UNDATED
    grace_s = int(fields["grace"])
    steps = _steps(fields)
    _check_steps(fields, grace_s, steps)
    then = deduction(fields, "then", fields["of"])
    file = if_usable(read_file, fields, "extensions", folder, "the extensions")
    extensions = decode_extensions(file, deadline, fields.reporter) if file is not None else ()
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


def deduction(fields: Fields, name: str, of: DeductionBase) -> Deduction | None:
    """Return the penalty that a key states; a percentage is a share of `of`."""
    read = fields[name]
    if read is None:
        return None
    amount, is_share = read
    return Deduction(amount, of if is_share else None)


def decode_smoke(parent: Fields, cases: Mapping[str, tuple[str, ...]]) -> Smoke | None:
    """Return the `smoke` of a task.

    cases: the cases of each id, as `case_ids` returns them.
    """
    fields: Fields | None = parent["smoke"]
    if fields is None:
        return None
    wanted: dict[str, None] = {}
    for scalar in fields["cases"]:
        if scalar.text in cases:
            wanted |= dict.fromkeys(cases[scalar.text])
        else:
            message = f"there is no case or question `{shown(scalar.text)}` that a smoke test can have"
            fields.reporter.report(scalar.span, message, fields.reporter.nearest(scalar.text, cases))
    takes = deduction(fields, "penalty", fields["of"])
    return Smoke(tuple(wanted), takes) if takes is not None else None


def decode_instead(parent: Fields) -> Deduction | None:
    """Return the penalty of a task for a file that is marked in place of a work."""
    fields: Fields | None = parent["instead"]
    return deduction(fields, "penalty", fields["of"]) if fields is not None else None


def _steps(late: Fields) -> list[tuple[LateStep, Span]]:
    found = []
    for step in filter(None, late["steps"]):
        within_s, takes = step["within"], deduction(step, "penalty", late["of"])
        if within_s is not None and takes is not None:
            found.append((LateStep(int(within_s), takes), step.span("within")))
    return found


def _check_steps(fields: Fields, grace_s: int, steps: list[tuple[LateStep, Span]]) -> None:
    """Report steps that can never count."""
    before_s, what = grace_s, "the time of grace" if grace_s else "the deadline"
    for step, span in steps:
        if step.within_s <= before_s:
            fields.reporter.report(span, f"this step never counts: it does not end after {what}")
        before_s, what = max(before_s, step.within_s), "the step before it"


def decode_extensions(file: Files, deadline: datetime | None, reporter: Reporter) -> tuple[Extension, ...]:
    """Return the students' own deadlines: points in time, or times added to that of all."""
    ((name, content),) = file.contents.items()
    own = Reporter(Source(name, content.decode("utf-8-sig", "replace")))
    root = compose(own) if own.source.text.strip() else None
    found = []
    if isinstance(root, nodes.Mapping):
        found = [_extension(key.text, value, deadline, own) for key, value in root.pairs]
    elif root is not None and not isinstance(root, Broken):
        own.report(root.span, "extensions must be a mapping, lines of `student: 48h`")
    reporter.take_over(own)
    return tuple(filter(None, found))


def _extension(student: str, node: Node, deadline: datetime | None, reporter: Reporter) -> Extension | None:
    if isinstance(node, Broken):
        return None
    text = node.text.strip() if isinstance(node, Scalar) else ""
    own, extra_s = moment(text), duration_s(text.removeprefix("+"))
    if own is None and (extra_s is None or extra_s > LONGEST_S):
        message = "an extension must be a new deadline or what is added to it, such as 48h"
        reporter.report(node.span, message, MOMENT_HINT)
        return None
    if own is not None and deadline not in (None, UNDATED) and own < deadline:
        reporter.report(node.span, f"this deadline is before that of all, {deadline.isoformat()}")
    return Extension(student, own, int(extra_s or 0))

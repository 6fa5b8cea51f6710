"""The submissions whose mark differs between two runs, and the reasons.

Both documents are read side by side, one submission at a time: each has its submissions in the order of
their ids.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.marking.rounding import parse_mark
from grader.model.results import RunInfo, RunResults, SubmissionResult
from grader.reports.diff.reasons import ABSENT, Reason, mark_told, reasons
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, cells, fit, line
from grader.reports.tone import Tone
from grader.reports.views.wording import counted, short_number

__all__ = ["Change", "Reason", "change_lines", "changes"]

_MOST_CASES = 5


@dataclass(frozen=True, slots=True)
class Change:
    """A submission that differs.

    before, after: its mark; "pending" or "absent" where there is none.
    reasons: for the difference; see `grader.reports.diff.reasons`.
    """

    id: str
    before: str
    after: str
    reasons: tuple[Reason, ...]


def changes(before: Iterable[SubmissionResult], after: Iterable[SubmissionResult]) -> Iterator[Change]:
    """Yield every submission whose mark, status or verdicts differ, in the order of their ids."""
    for old, new in _side_by_side(before, after):
        one = old or new
        assert one is not None
        found = tuple(reasons(old, new)) if old is not None and new is not None else ()
        change = Change(one.id, _mark(old), _mark(new), found)
        if change.before != change.after or change.reasons:
            yield change


def _side_by_side(
    before: Iterable[SubmissionResult], after: Iterable[SubmissionResult]
) -> Iterator[tuple[SubmissionResult | None, SubmissionResult | None]]:
    left, right = iter(before), iter(after)
    old, new = next(left, None), next(right, None)
    while old is not None or new is not None:
        if new is None or (old is not None and old.id < new.id):
            yield old, None
            old = next(left, None)
        elif old is None or new.id < old.id:
            yield None, new
            new = next(right, None)
        else:
            yield old, new
            old, new = next(left, None), next(right, None)


def _mark(submission: SubmissionResult | None) -> str:
    return mark_told(submission) if submission is not None else ABSENT


# -- for the terminal --------------------------------------------------------------------------------


def change_lines(before: RunResults, after: RunResults, width: int = 80) -> Iterator[Line]:
    """Yield the differences between two runs, one submission after another.

    width: columns of the terminal; at least 40 are taken.
    """
    width = max(width, 40)
    task = after.task
    yield line(StyledText(plain(task.title), strong=True), f": {_conditions(before, after)}")
    yield from _files_told(before.run, after.run, width)
    differ = verdicts = others = 0
    for change in changes(before.submissions, after.submissions):
        if change.before != change.after:
            differ += 1
        elif all(reason.is_verdict for reason in change.reasons):
            verdicts += 1
        else:
            others += 1
        yield line()
        yield _headline(change, width)
        yield from (_reason_line(reason, width) for reason in change.reasons[:_MOST_CASES])
        if len(change.reasons) > _MOST_CASES:
            yield line(f"  and {len(change.reasons) - _MOST_CASES} more")
    yield line()
    if not differ + verdicts + others:
        yield line("No mark and no verdict differs.")
        return
    parts = [f"{counted(differ, 'mark')} {'differs' if differ == 1 else 'differ'}"]
    if verdicts:
        parts.append(f"{counted(verdicts, 'submission')} with other verdicts alone")
    if others:
        parts.append(f"{counted(others, 'submission')} with other reasons for the same mark")
    yield line(f"{'; '.join(parts)}.")


def _conditions(before: RunResults, after: RunResults) -> str:
    """Return the conditions in which the runs differ, by the results; these do not hold the packages."""
    runs = before.run, after.run
    told: tuple[tuple[str, Callable[[RunInfo], object]], ...] = (
        ("the spec", lambda run: run.spec_sha256),
        ("Python", lambda run: run.python),
        ("the sandbox", lambda run: (run.sandbox.driver, run.sandbox.guarantees)),
        ("grader", lambda run: run.grader),
        ("the tools", lambda run: run.tools),
        ("the plugins", lambda run: run.plugins),
    )
    differing = [words for words, of in told if of(runs[0]) != of(runs[1])]
    return f"other in {', '.join(differing)}" if differing else "the same spec, Python, sandbox and grader"


def _files_told(before: RunInfo, after: RunInfo, width: int) -> Iterator[Line]:
    """Yield a line for each kind of file beside the submissions that only one run had, or that differs."""
    for kind in sorted({file.kind for run in (before, after) for file in run.files}):
        old, new = ([file for file in run.files if file.kind == kind] for run in (before, after))
        names = [", ".join(file.name for file in side) or "none" for side in (old, new)]
        if old != new:
            same = " (other content)" if names[0] == names[1] else ""
            yield line(fit(plain(f"  {kind}: {names[0]} -> {names[1]}{same}"), width).rstrip())


def _headline(change: Change, width: int) -> Line:
    marks = f"  {_shown(change.before)} -> {_shown(change.after)}"
    name = fit(plain(change.id), max(width - cells(marks), 10)).rstrip()
    return line(StyledText(name, strong=True), StyledText(marks, _tone(change)))


def _shown(mark: str) -> str:
    return mark if not mark[:1].isdigit() else short_number(parse_mark(mark))


def _tone(change: Change) -> Tone | None:
    try:
        difference = float(change.after) - float(change.before)
    except ValueError:
        return Tone.OURS
    return Tone.GOOD if difference > 0 else Tone.BAD if difference < 0 else None


def _reason_line(reason: Reason, width: int) -> Line:
    text = f"  {plain(reason.name)}: {plain(reason.before)} -> {plain(reason.after)}"
    return line(fit(text, width).rstrip())

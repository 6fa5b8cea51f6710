"""The differences between two runs, for the terminal.

What several submissions share is told once, with who they are; then each that has something of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from grader.marking.rounding import parse_mark
from grader.model.results import RunInfo, RunResults
from grader.reports.diff.changes import Change, changes
from grader.reports.diff.reasons import Reason
from grader.reports.diff.shared import FEWEST, Grouped, grouped
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, cells, fit, headline, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.wording import build_told, counted, short_number

_MOST_CASES = 5
_MOST_NAMED = 12
_LONGEST_NAME = 30


def change_lines(
    before: RunResults, after: RunResults, width: int = 80, *, each: bool = False
) -> Iterator[Line]:
    """Yield the differences between two runs: what several share once, then the others one by one.

    width: columns of the terminal; at least 40 are taken.  each: everybody by themselves, with all reasons.
    """
    width = max(width, 40)
    task = after.task
    yield from headline(plain(task.title), f": {_conditions(before, after)}", width)
    if _is_other_grader(before.run, after.run):
        told = f"  grader: {build_told(before.run)} -> {build_told(after.run)}"
        yield from (line(part) for part in wrapped(plain(told), width, indent="    "))
    yield from _files_told(before.run, after.run, width)
    found = tuple(changes(before.submissions, after.submissions))
    groups = Grouped({}, {}, found) if each else grouped(found)
    yield from _shared_lines(groups, width)
    for change in groups.single:
        yield line()
        yield _headline(change, width)
        yield from _reasons_of(change, groups, width, len(change.reasons) if each else _MOST_CASES)
    yield line()
    yield from _sum_lines(found, width)


def _shared_lines(groups: Grouped, width: int) -> Iterator[Line]:
    """Yield what several share, with how many and who."""
    if groups.reasons:
        yield line()
        yield line(StyledText("What several share", strong=True))
    together: dict[tuple[str, ...], list[Reason]] = {}
    for reason, ids in groups.reasons.items():
        together.setdefault(ids, []).append(reason)
    for ids, reasons in together.items():
        yield from (_reason_line(reason, width) for reason in reasons)
        yield from _people_lines(ids, width)
    if groups.marks:
        yield line()
        yield line(StyledText("Marks of those without anything else", strong=True))
    for (before, after), ids in groups.marks.items():
        marks = f"  {_shown(before)} -> {_shown(after)}"
        yield line(StyledText(marks, _tone(before, after)))
        yield from _people_lines(ids, width)


def _people_lines(ids: Sequence[str], width: int) -> Iterator[Line]:
    """Yield how many there are, and some of them by name."""
    indent = 6
    names = [fit(plain(own_id), _LONGEST_NAME).rstrip() for own_id in ids[:_MOST_NAMED]]
    more = len(ids) - len(names)
    parts = [f"{name}," for name in names[:-1]] + names[-1:] + ([f"and {more} more"] if more else [])
    row = f"{counted(len(ids), 'student')}:"
    for part in parts:
        if cells(row) + 1 + cells(part) > width - indent:
            yield line(" " * indent + row)
            row = part
        else:
            row += f" {part}"
    yield line(" " * indent + row)


def _reasons_of(change: Change, groups: Grouped, width: int, most: int) -> Iterator[Line]:
    """Yield what is particular to a submission, and the names of what it shares with others."""
    own = [reason for reason in change.reasons if reason not in groups.reasons]
    yield from (_reason_line(reason, width) for reason in own[:most])
    if len(own) > most:
        yield line(f"  and {len(own) - most} more")
    shared = [plain(reason.name) for reason in change.reasons if reason in groups.reasons]
    if shared:
        yield line(fit(f"  as above: {', '.join(shared)}", width).rstrip())


def _sum_lines(found: Sequence[Change], width: int) -> Iterator[Line]:
    """Yield how many marks differ, which way and by how much."""
    if not found:
        yield line("No mark and no verdict differs.")
        return
    same = [change for change in found if change.before == change.after]
    verdicts = sum(all(reason.is_verdict for reason in change.reasons) for change in same)
    differ, others = len(found) - len(same), len(same) - verdicts
    yield from (line(text) for text in wrapped(_ways(found), width, indent="  ") if text)
    parts = [f"{counted(differ, 'mark')} {'differs' if differ == 1 else 'differ'}"]
    if verdicts:
        parts.append(f"{counted(verdicts, 'submission')} with other verdicts alone")
    if others:
        parts.append(f"{counted(others, 'submission')} with other reasons for the same mark")
    yield from (line(text) for text in wrapped(f"{'; '.join(parts)}.", width, indent="  "))


def _ways(found: Iterable[Change]) -> str:
    """Return which way marks went, and by how much; empty where a few students' own lines say it."""
    moves: dict[str, list[Fraction]] = defaultdict(list)
    for change in found:
        difference = _difference(change.before, change.after)
        if difference:
            moves["up" if difference > 0 else "down"].append(abs(difference))
    if sum(map(len, moves.values())) < FEWEST:
        return ""
    told = []
    for way in ("up", "down"):
        if moves[way]:
            least, most = short_number(min(moves[way])), short_number(max(moves[way]))
            amount = f"by {least}" if least == most else f"by {least} to {most}"
            told.append(f"{counted(len(moves[way]), 'mark')} {way}, {amount}")
    return f"{'; '.join(told)}."


def _conditions(before: RunResults, after: RunResults) -> str:
    """Return the conditions in which the runs differ, by the results; these do not hold the packages."""
    runs = before.run, after.run
    told: tuple[tuple[str, Callable[[RunInfo], object]], ...] = (
        ("the spec", lambda run: run.spec_sha256),
        ("Python", lambda run: run.python),
        ("the sandbox", lambda run: (run.sandbox.driver, run.sandbox.guarantees)),
        ("the tools", lambda run: run.tools),
        ("the plugins", lambda run: run.plugins),
    )
    differing = [words for words, of in told if of(runs[0]) != of(runs[1])]
    differing += ["grader"] if _is_other_grader(*runs) else []
    # Many builds have the same version.
    is_known = all(run.code for run in runs) or "grader" in differing
    unknown = "" if is_known else f"; which builds of grader {runs[0].grader} is not recorded"
    if differing:
        return f"other in {', '.join(differing)}{unknown}"
    return f"the same spec, Python{' and sandbox' if unknown else ', sandbox and grader'}{unknown}"


def _is_other_grader(before: RunInfo, after: RunInfo) -> bool:
    """Tell whether the graders are known to differ: in version, code or commit."""
    pairs = ((before.code, after.code), (before.commit, after.commit))
    return before.grader != after.grader or any(one and other and one != other for one, other in pairs)


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
    return line(StyledText(name, strong=True), StyledText(marks, _tone(change.before, change.after)))


def _shown(mark: str) -> str:
    return mark if not mark[:1].isdigit() else short_number(parse_mark(mark))


def _tone(before: str, after: str) -> Tone | None:
    difference = _difference(before, after)
    if difference is None:
        return Tone.OURS
    return Tone.GOOD if difference > 0 else Tone.BAD if difference < 0 else None


def _difference(before: str, after: str) -> Fraction | None:
    """Return by how much a mark went up; None where one of both is no mark."""
    if not (before[:1].isdigit() and after[:1].isdigit()):
        return None
    return parse_mark(after) - parse_mark(before)


def _reason_line(reason: Reason, width: int) -> Line:
    text = f"  {plain(reason.name)}: {plain(reason.before)} -> {plain(reason.after)}"
    return line(fit(text, width).rstrip())

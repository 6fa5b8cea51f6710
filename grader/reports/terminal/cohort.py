"""A run's results in the terminal: the table of a cohort, with its warnings first.

The table fits 80 columns, in a pipe as well as a terminal; see `lines` for colour.  Every text from a
submission goes through `escape.plain`.
"""

from collections.abc import Iterable, Iterator

from grader.model.results import RunResults, Status
from grader.reports.escape import plain
from grader.reports.terminal.lines import LETTERS, Line, StyledText, cells, fit, headline, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.cohort.cohort import Cohort, Row, cohort_of
from grader.reports.views.cohort.run_warnings import RunWarning, alarms_of, marks_by_hand, warnings_of
from grader.reports.views.mark.mark_breakdown import SO_FAR
from grader.reports.views.wording import counted, share_tone, short_mean, short_number

_MARK_WIDTH = 14
_MOST_ADJUSTED = 12


def summary_lines(results: RunResults, width: int = 80, cohort: Cohort | None = None) -> Iterator[Line]:
    """Yield the table of a cohort, with its warnings first.

    width: columns of the terminal; at least 40 are used.
    cohort: the figures of the results; None to gather them.
    """
    task = results.task
    cohort = cohort or cohort_of(results)
    title = f"{plain(task.title)} ({plain(task.id)})"
    yield from headline(title, f": {counted(len(cohort.rows), 'submission')}", max(width, 40))
    yield line()
    for warned in warnings_of(results.run, cohort):
        names = "; ".join(plain(str(item)) for item in warned.items)
        text = f"! {warned.title}" + (f": {names}" if names else "")
        yield from (
            line(StyledText(part, warned.tone)) for part in wrapped(text, max(width, 40), indent="  ")
        )
        yield line()
    if cohort.rows:
        yield from _table(cohort, max(width, 40))
        yield line()
    yield from (line(part) for part in wrapped(_figures(cohort), max(width, 40)))


def alarm_lines(cohort: Cohort, width: int = 80) -> Iterator[Line]:
    """Yield the alarms; nothing without one."""
    yield from _alarms(alarms_of(cohort), width)


def by_hand_lines(cohort: Cohort, width: int = 80) -> Iterator[Line]:
    """Yield the alarms about marks by hand alone."""
    yield from _alarms(marks_by_hand(cohort), width)


def _alarms(alarms: Iterable[RunWarning], width: int) -> Iterator[Line]:
    for alarm in alarms:
        names = "; ".join(plain(str(item)) for item in alarm.items)
        text = f"! {alarm.title}: {names}. {alarm.text}"
        yield from (line(StyledText(part, alarm.tone)) for part in wrapped(text, max(width, 40), indent="  "))


def _table(cohort: Cohort, width: int) -> Iterator[Line]:
    questions = [plain(id_) for id_ in cohort.questions]
    column = max((cells(id_) for id_ in questions), default=0) + 1
    room = width - _MARK_WIDTH - column * len(questions)
    hidden = len(questions) if room < 20 else 0
    if hidden:
        questions, room = [], width - _MARK_WIDTH
    ids = [plain(row.id) for row in cohort.rows]
    id_width = min(max(cells(id_) for id_ in [*ids, "student"]) + 2, room)
    name_width = room - id_width if any(row.name != row.id for row in cohort.rows) else 0
    if name_width < 8:
        name_width = 0
    name_width = min(name_width, max(cells(plain(row.name)) for row in cohort.rows) + 2)
    name_header = fit("name", name_width) if name_width else ""
    header = fit("student", id_width) + name_header + fit("mark", _MARK_WIDTH)
    yield line(StyledText(header + "".join(fit(id_, column) for id_ in questions), Tone.IDLE))
    for row, id_ in zip(cohort.rows, ids, strict=True):
        letters = [_letter(row, question, column) for question in cohort.questions] if questions else []
        name = fit(plain(row.name), name_width - 2) + "  " if name_width else ""
        yield line(fit(id_, id_width - 2) + "  ", name, _mark(row), *letters)
    if questions:
        yield line()
        legend = ("+ all of the mark", "~ some", "- none", "! pending", ". not marked")
        for part in _packed(legend, width):
            yield line(StyledText(part, Tone.IDLE))
    if hidden:
        text = f"{counted(hidden, 'question')} do not fit in {width} columns; the pages have them."
        yield line()
        yield from (line(StyledText(part, Tone.IDLE)) for part in wrapped(text, width))
    yield from _adjusted(cohort, width)


def _packed(parts: Iterable[str], width: int) -> Iterator[str]:
    """Yield the parts on as few lines as possible."""
    packed = ""
    for part in parts:
        if packed and len(packed) + 3 + len(part) > width:
            yield packed
            packed = ""
        packed += f"   {part}" if packed else part
    yield packed


def _adjusted(cohort: Cohort, width: int) -> Iterator[Line]:
    """Yield a line for each student with a cap, a penalty, several attempts, or a mark that a person set."""
    rows = [
        row
        for row in cohort.rows
        if row.deducted or row.capped or row.attempt or row.overridden or row.instead
    ]
    if rows:
        yield line()
    for row in rows[:_MOST_ADJUSTED]:
        taken = [f"{plain(row.attempt)} counts"] if row.attempt else []
        taken += [f"caps took {short_number(row.capped)}"] if row.capped else []
        taken += [f"penalties took {short_number(row.deducted)}"] if row.deducted else []
        taken += ["another file was marked"] if row.instead else []
        what = "; ".join([*taken, *(["set by hand"] if row.overridden else [])])
        yield from (line(part) for part in wrapped(f"{plain(row.id)}: {what}", width, indent="  "))
    if len(rows) > _MOST_ADJUSTED:
        yield line(f"and {len(rows) - _MOST_ADJUSTED:,} more, see the pages")


def _mark(row: Row) -> StyledText:
    mark, maximum = row.mark, row.max_mark
    if row.failed:
        return StyledText(fit("pending", _MARK_WIDTH), Tone.OURS)
    if row.status == Status.PENDING:
        return StyledText(fit(f"{short_number(mark)} {SO_FAR}", _MARK_WIDTH), Tone.IDLE)
    if row.status == Status.NO_SUBMISSION:
        return StyledText(fit("none", _MARK_WIDTH), Tone.IDLE)
    text = f"{short_number(mark)} of {short_number(maximum)}"
    return StyledText(fit(text, _MARK_WIDTH), share_tone(mark, maximum))


def _letter(row: Row, question: str, column: int) -> StyledText:
    cell = row.cells.get(question)
    if cell is None or row.status == Status.NO_SUBMISSION or cell.awaiting:
        tone = Tone.IDLE
    elif cell.failed:
        tone = Tone.OURS
    else:
        tone = share_tone(cell.mark, cell.max_mark)
    return StyledText(fit(LETTERS[tone], column), tone)


def _figures(cohort: Cohort) -> str:
    mean, median = cohort.mean, cohort.median
    if mean is None or median is None:
        return "No final marks yet."
    full = counted(cohort.full, "student has", "students have")
    return (
        f"Mean {short_mean(mean)}, median {short_mean(median)} of {short_number(cohort.max_mark)}; "
        f"{full} full marks."
    )

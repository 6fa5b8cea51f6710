"""The page of the cohort in words: its figures, rows, warnings and facts."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from grader.model.results import RunInfo, Status, TaskHead
from grader.reports.tone import Tone
from grader.reports.views.cohort.cohort import Cohort, MarkCell, Row
from grader.reports.views.mark.mark_breakdown import SO_FAR
from grader.reports.views.submission.question import AWAITING, tenths
from grader.reports.views.wording import (
    TONE_SYMBOLS,
    build_told,
    counted,
    point_in_time,
    share_tone,
    short_mean,
    short_number,
    verdict_wording,
)
from grader.reports.written_pages import STAFF_FOLDER, page_link

ALL = slice(None)
LOSING = (Tone.BAD, Tone.PART)
"""The tones of a question that costs marks."""


@dataclass(frozen=True, slots=True)
class FigureView:
    """A figure of the cohort; `of` stands behind it in small type."""

    label: str
    value: str
    of: str = ""


@dataclass(frozen=True, slots=True)
class CellView:
    """One question of one student; `value` is the key by which the table sorts, empty for none.

    All texts are empty if the question is not among the results.
    """

    id: str
    mark: str
    value: str
    max_mark: str
    word: str
    symbol: str
    tone: Tone
    tenths: int


@dataclass(frozen=True, slots=True)
class TotalView:
    """The whole mark of one student; `value` is the key by which the table sorts, empty for none.

    handed_in: False if there is nothing to mark.
    """

    mark: str
    value: str
    tone: Tone
    tenths: int
    handed_in: bool


@dataclass(frozen=True, slots=True)
class RowView:
    """One student.

    tags: problems, the attempt that counts, the marks that caps and penalties took, and a note if a person
        set a mark.
    loses_in: the questions that cost marks, for a narrow screen.
    verdicts: those of the cases, see `AllCases.add`.  flags: see `flags_of`.
    """

    id: str
    name: str
    link: str
    total: TotalView
    cells: tuple[CellView, ...]
    tags: tuple[str, ...]
    loses_in: str
    verdicts: str
    flags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A condition of the run; `code` shows it in a fixed-width font."""

    label: str
    value: str
    code: bool = False


def figure_views(cohort: Cohort) -> list[FigureView]:
    of_max = f"of {short_number(cohort.max_mark)}"
    figures = [FigureView("Submissions", f"{len(cohort.rows) - cohort.count(Status.NO_SUBMISSION):,}")]
    if cohort.mean is not None and cohort.median is not None:
        figures.append(FigureView("Mean mark", short_mean(cohort.mean), of_max))
        figures.append(FigureView("Median mark", short_mean(cohort.median), of_max))
    figures.append(FigureView("Full marks", f"{cohort.full:,}"))
    figures.append(FigureView("Pending", f"{cohort.count(Status.PENDING):,}"))
    figures.append(FigureView("Not handed in", f"{cohort.count(Status.NO_SUBMISSION):,}"))
    return figures


def students_by_mark(cohort: Cohort, which: slice = ALL) -> list[Row]:
    """Return students with the highest mark first; those without a mark come last."""
    return sorted(
        cohort.rows[which], key=lambda row: (row.failed or row.status == Status.NO_SUBMISSION, -row.mark)
    )


def student_rows(cohort: Cohort, which: slice = ALL) -> Iterator[RowView]:
    """Yield the students in the order of the results file.  which: a range of them, by position."""
    # Most cells and totals are alike over a cohort, so each kind is made once.
    known: dict[tuple[str, MarkCell], CellView] = {}
    totals: dict[tuple[Fraction, Fraction, Status, bool], TotalView] = {}
    for row in cohort.rows[which]:
        cells = []
        for question in cohort.questions:
            cell = row.cells.get(question)
            if cell is None or row.status == Status.NO_SUBMISSION:
                cells.append(_empty_cell(question))
                continue
            kind = (question, cell)
            view = known.get(kind)
            if view is None:
                view = known[kind] = _cell_view(question, cell)
            cells.append(view)
        all_of_it = (row.mark, row.max_mark, row.status, row.failed)
        total = totals.get(all_of_it)
        if total is None:
            total = totals[all_of_it] = _total_view(*all_of_it)
        yield _row_view(row, tuple(cells), total)


def _empty_cell(question: str) -> CellView:
    return CellView(question, "", "", "", "", "", Tone.IDLE, 0)


def _cell_view(question: str, cell: MarkCell) -> CellView:
    wording = verdict_wording(cell.verdict)
    mark, maximum = cell.mark, cell.max_mark
    is_pending = wording.tone is Tone.OURS and not cell.by_hand
    tone = Tone.OURS if is_pending else Tone.IDLE if cell.awaiting else share_tone(mark, maximum)
    is_open = is_pending or cell.awaiting
    return CellView(
        id=question,
        mark="…" if is_open else short_number(mark),
        value="-1" if is_open else f"{float(mark):.6g}",
        max_mark=short_number(maximum),
        word=AWAITING if cell.awaiting else wording.word,
        symbol=TONE_SYMBOLS[tone],
        tone=tone,
        tenths=tenths(mark, maximum),
    )


def _row_view(row: Row, cells: tuple[CellView, ...], total: TotalView) -> RowView:
    tags = (
        counted(row.problems, "problem") if row.problems else "",
        ", ".join(
            filter(
                None,
                (
                    row.attempt,
                    f"{short_number(row.capped)} above the cap" if row.capped else "",
                    f"{short_number(row.deducted)} off" if row.deducted else "",
                    "set by hand" if row.overridden else "",
                    "another file" if row.instead else "",
                ),
            )
        ),
    )
    return RowView(
        id=row.id,
        name=row.name,
        link=page_link(STAFF_FOLDER, row.id),
        total=total,
        cells=cells,
        tags=tuple(filter(None, tags)),
        loses_in=", ".join(cell.id for cell in cells if cell.tone in LOSING),
        verdicts=row.verdicts,
        flags=tuple(flags_of(row)),
    )


def flags_of(row: Row) -> Iterator[str]:
    """Yield the words by which a student can be looked for."""
    if row.failed:
        yield "pending"
    if row.awaiting:
        yield "awaits the marker"
    if row.problems:
        yield "problem"
    if row.late_s > 0:
        yield "late"
    if row.time_unknown:
        yield "time unknown"
    if row.near_limit:
        yield "near a limit"
    if row.overridden:
        yield "set by hand"
    if row.instead:
        yield "another file"
    if row.status == Status.NO_SUBMISSION:
        yield "nothing handed in"


def _total_view(mark: Fraction, maximum: Fraction, status: Status, failed: bool) -> TotalView:
    if status == Status.NO_SUBMISSION:
        return TotalView("none", "", Tone.IDLE, 0, handed_in=False)
    shown, value, tone = short_number(mark), f"{float(mark):.6g}", share_tone(mark, maximum)
    if failed:
        shown, value, tone = "pending", "", Tone.OURS
    elif status == Status.PENDING:
        shown, tone = f"{shown} {SO_FAR}", Tone.IDLE
    return TotalView(shown, value, tone, tenths(mark, maximum), handed_in=True)


def facts(run: RunInfo, task: TaskHead) -> list[Fact]:
    sandbox = run.sandbox
    held = ", ".join(name for name, holds in sandbox.guarantees.items() if holds)
    broken = ", ".join(name for name, holds in sandbox.guarantees.items() if not holds)
    return [
        Fact("Task", f"{task.title} ({task.id})"),
        Fact("Run", run.id, code=True),
        Fact("Started", point_in_time(run.started) or "—"),
        Fact("Finished", point_in_time(run.finished) or "—"),
        Fact("Grader", build_told(run)),
        Fact("Python", run.python),
        Fact("Seed", str(run.seed), code=True),
        Fact("Digest of the spec", run.spec_sha256, code=True),
        Fact("Sandbox", sandbox.driver or "none"),
        Fact("Guarantees that held", held or "none"),
        Fact("That did not hold", broken or "none"),
    ]

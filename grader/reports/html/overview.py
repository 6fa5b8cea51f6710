"""The page over the reports of several tasks: links, figures, and matters that need a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from urllib.parse import quote

from grader.model.results import RunInfo, RunResults, Status
from grader.reports.html.chart import Chart, histogram
from grader.reports.html.pages import templates
from grader.reports.tone import Tone
from grader.reports.views.cohort.cohort import Cohort, cohort_of
from grader.reports.views.cohort.run_warnings import RunWarning, alarms_of, by_gravity, warnings_of
from grader.reports.views.submission.question import tenths
from grader.reports.views.wording import TONE_SYMBOLS, counted, duration, share_tone, short_mean, short_number
from grader.reports.written_pages import INDEX
from grader.store.whole_file import replacing


@dataclass(frozen=True, slots=True)
class ReportView:
    """One task.

    mean: "—" where no mark is final.  took: the duration of its run; empty where unknown.
    costly: the question in which the class lost the most marks; empty where none were lost.
    """

    id: str
    title: str
    link: str
    submissions: int
    mean: str
    max_mark: str
    tone: Tone
    tenths: int
    needs: tuple[RunWarning, ...]
    took: str
    chart: Chart | None
    costly: str


def report_view(folder: str, results: RunResults, cohort: Cohort | None = None) -> ReportView:
    """Return the row of a task.  folder: the folder of its report, beside the page."""
    cohort = cohort or cohort_of(results)
    mean, maximum = cohort.mean, cohort.max_mark
    return ReportView(
        id=results.task.id,
        title=results.task.title,
        link=f"{quote(folder, safe='')}/{INDEX}",
        submissions=len(cohort.rows) - cohort.count(Status.NO_SUBMISSION),
        mean="—" if mean is None else short_mean(mean),
        max_mark=short_number(maximum),
        tone=Tone.IDLE if mean is None else share_tone(mean, maximum),
        tenths=0 if mean is None else tenths(mean, maximum),
        needs=tuple(by_gravity([*warnings_of(results.run, cohort), *alarms_of(cohort)])),
        took=_took(results.run),
        chart=histogram(cohort),
        costly=_costly(cohort),
    )


def write_overview(path: Path, title: str, reports: Sequence[ReportView], took_s: float) -> None:
    """Write the page.  took_s: seconds that marking all tasks took.  Raises `OSError`."""
    template = templates("index.css").get_template("overview.html.j2")
    submissions = sum(report.submissions for report in reports)
    figures = (
        f"{counted(len(reports), 'task')}, {counted(submissions, 'submission')}, "
        f"marked in {duration(max(1, round(took_s)))}"
    )
    with replacing(path) as file:
        file.writelines(
            template.generate(page_title=title, reports=reports, figures=figures, symbols=TONE_SYMBOLS)
        )


def _costly(cohort: Cohort) -> str:
    question = max(cohort.questions.values(), key=lambda question: question.lost, default=None)
    if question is None or question.lost <= 0:
        return ""
    share = question.lost / (question.max_mark * question.marked)
    return f"{question.id} {question.title}: {round(float(share) * 100)} % lost"


def _took(run: RunInfo) -> str:
    try:
        took = datetime.fromisoformat(run.finished) - datetime.fromisoformat(run.started)
    except ValueError:
        return ""
    seconds = took.total_seconds()
    return duration(seconds) if seconds >= 1 else "under 1 s"

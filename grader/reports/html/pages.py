"""The pages: one for the staff with the whole cohort, two for each student."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

from markupsafe import Markup

from grader.model.drawing import Picture
from grader.model.results import RunInfo, SubmissionResult, TaskHead
from grader.reports.html.chart import MAP_KEY, histogram, strip, student_map
from grader.reports.html.index_parts import all_students
from grader.reports.html.parts import parts, rows_of
from grader.reports.html.templating import own_files, policy, templates
from grader.reports.views.audience import for_student
from grader.reports.views.cohort.cohort import Cohort
from grader.reports.views.cohort.index import (
    facts,
    figure_views,
    student_rows,
    students_by_mark,
)
from grader.reports.views.cohort.questions_by_loss import ABOUT_DISCRIMINATION, question_views
from grader.reports.views.cohort.run_warnings import RunWarning, alarms_of, by_gravity, warnings_of
from grader.reports.views.cohort.watched import LiveProgress
from grader.reports.views.submission.override_snippet import override_snippet
from grader.reports.views.submission.submission import submission_view
from grader.reports.views.wording import TONE_SYMBOLS, point_in_time, short_number
from grader.reports.words import language, speaking
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER, page_link, question_anchor

_KNOWN_FACTS = 1024
_SUBMISSION, _FACTS = "submission.html.j2", "facts.html.j2"


class Neighbours(NamedTuple):
    """The ids of the students before and after one, in the order of the report; empty for none."""

    before: str = ""
    after: str = ""


class Pages:
    """Renders the pages of one run; the templates are compiled once."""

    def __init__(self, run: RunInfo, task: TaskHead, watched: LiveProgress | None = None) -> None:
        """watched: the run goes on, and these pages are served meanwhile."""
        self._run, self._task, self._watched = run, task, watched
        environment = templates()
        environment.globals.update(task=task, run=run, finished=point_in_time(run.finished), watched=watched)
        environment.globals.update(facts=self._facts, draw=self.drawings)
        environment.globals.update(
            question_anchor=question_anchor, staff_page=partial(page_link, STAFF_FOLDER)
        )
        self._template = environment.get_template
        css, self._script, self._index_css = (
            own_files("page.css"),
            own_files("student.js"),
            own_files("page.css", "index.css"),
        )
        self._student_policy = policy(style=css, images="data:")
        self._staff_policy = policy(style=css, script=self._script, images="data:")

    def compile_for_students(self) -> None:
        """Compile the templates of students' pages now, not at the first page: forks then share them."""
        for name in (_SUBMISSION, _FACTS):
            self._template(name)

    @cached_property
    def _facts(self) -> Callable[[Any], Markup]:
        # Most students give the same answers to the same calls, and both pages show these answers.
        @lru_cache(_KNOWN_FACTS)
        def rendered(found: Any, spoken: str) -> Markup:
            return Markup(self._template(_FACTS).render(facts=found))

        return lambda found: rendered(found, language())

    def student(self, submission: SubmissionResult, *, released: bool = False) -> str:
        """Return the page that can be handed to the student.

        submission: the whole result; this method makes the student's view of it.
        """
        with speaking(self._task.language):
            view = submission_view(for_student(submission, released))
            return self._template(_SUBMISSION).render(student=view, staff=False, policy=self._student_policy)

    def staff(
        self, submission: SubmissionResult, *, links: bool = True, beside: Neighbours | None = None
    ) -> str:
        """Return the page with everything, for the staff.

        links: with a link to the student's page, which may be held back.
        beside: the students whose pages it links to.
        """
        view = submission_view(submission, staff=True)
        return self._template(_SUBMISSION).render(
            student=view,
            staff=True,
            policy=self._staff_policy,
            script=self._script,
            student_link=f"../{page_link(STUDENT_FOLDER, submission.id)}" if links else "",
            beside=[
                (way, name, f"../{page_link(STAFF_FOLDER, name)}")
                for way, name in zip(("prev", "next"), beside or Neighbours(), strict=True)
                if name
            ],
            override=override_snippet(view) if view.questions else "",
            reviews=f"reviews/{self._task.id}.yaml",
        )

    def drawings(self, pictures: Iterable[Picture]) -> Markup:
        """Return pictures of answers as SVG and PNG, all texts escaped."""
        from grader.reports.html.pictures import picture_view  # few specs draw any

        return Markup(self._template("pictures.html.j2").render(pictures=map(picture_view, pictures)))

    def index(self, cohort: Cohort, further: Sequence[RunWarning] = ()) -> Iterator[str]:
        """Yield the page of the cohort, for the staff, piece by piece.  further: warnings from elsewhere."""
        script = own_files("index.js", *(["watched.js"] if self._watched is not None else []))
        allowed = policy(style=self._index_css, script=script)
        if self._watched is not None:
            allowed += "; connect-src 'self'"
        return self._template("index.html.j2").generate(
            css=self._index_css,
            policy=allowed,
            warnings=by_gravity([*warnings_of(self._run, cohort), *alarms_of(cohort), *further]),
            symbols=TONE_SYMBOLS,
            figures=figure_views(cohort),
            chart=histogram(cohort),
            questions=question_views(cohort),
            strip=strip,
            about_discrimination=ABOUT_DISCRIMINATION,
            row_count=len(cohort.rows),
            facts=facts(self._run, self._task),
            script=script,
            all_students=self._all_students(cohort),
            **_students(cohort, 1),
        )

    def further(self, cohort: Cohort) -> range:
        """Return the numbers of the pages of the cohort beyond the first."""
        return range(2, len(parts(len(cohort.rows))) + 1)

    def further_index(self, cohort: Cohort, number: int) -> Iterator[str]:
        """Yield one of these pages, for the staff, piece by piece."""
        css = self._index_css
        further = self._template("index_further.html.j2")
        return further.generate(css=css, policy=policy(style=css), **_students(cohort, number))

    def _all_students(self, cohort: Cohort) -> Iterator[Markup]:
        cells: Any = self._template("cells.html.j2").module
        return all_students(cohort, student_rows(cohort), cells.total_cell, cells.question_cell)


def _students(cohort: Cohort, number: int) -> dict[str, Any]:
    shown = parts(len(cohort.rows))
    which = rows_of(shown[number - 1])
    return {
        "parts": shown,
        "part": shown[number - 1],
        "max_mark": short_number(cohort.max_mark),
        "question_ids": list(cohort.questions),
        "rows": student_rows(cohort, which),
        "map": student_map(cohort, [row.verdicts for row in students_by_mark(cohort, which)]),
        "map_key": MAP_KEY,
    }

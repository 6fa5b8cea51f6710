"""The pages: one for the staff with the whole cohort, two for each student.

Every page is one file without any outside resource.  Its content security policy names the digest of its
style sheet (and script) and allows nothing else.  All text goes through `escape.visible` by jinja2's
`finalize`, then through its autoescape.
"""

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket
from markupsafe import Markup, escape

from grader.model.drawing import Picture
from grader.model.results import RunInfo, SubmissionResult, TaskHead
from grader.reports.escape import visible
from grader.reports.html.chart import MAP_KEY, histogram, strip, student_map
from grader.reports.html.index_parts import all_students, parts, rows_of
from grader.reports.views.anchor import case_anchor
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
from grader.reports.words import English, is_english, language, many, say, speaking
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER, page_link, question_anchor

_KNOWN_FACTS = 1024
_SUBMISSION, _FACTS = "submission.html.j2", "facts.html.j2"
_TEMPLATES = Path(__file__).parent / "templates"


class _Compiled(BytecodeCache):
    """The code of the templates, which are compiled once a process, for all runs whose pages it renders."""

    def __init__(self) -> None:
        self._code: dict[str, CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get(bucket.key + bucket.checksum)

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key + bucket.checksum] = bucket.code


_COMPILED = _Compiled()


def templates(*sheets: str) -> Environment:
    """Return the environment of the templates.  sheets: styles beyond those of every page."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_COMPILED,
    )
    css = _own("page.css", *sheets)
    environment.globals.update(css=css, policy=policy(style=css))
    environment.globals.update(in_items=_in_items, say=say, many=many, language=language)
    environment.filters.update(anchor=case_anchor)
    return environment


def _own(*names: str) -> Markup:
    """Return files of our own, the only text that reaches a page as markup."""
    return Markup("".join((_TEMPLATES / name).read_text("utf-8") for name in names))


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
            _own("page.css"),
            _own("student.js"),
            _own("page.css", "index.css"),
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
        script = _own("index.js", *(["watched.js"] if self._watched is not None else []))
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


def templates_digest() -> str:
    """Return the digest of all templates, styles and scripts."""
    files = (path for path in sorted(_TEMPLATES.iterdir()) if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


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


def _in_items(text: str) -> Markup:
    """Return the lines of a text as items of a list, all escaped at once: most lines of a page are folded."""
    return Markup("<li>" + str(escape(visible(text))).replace("\n", "</li><li>") + "</li>")


def _shown(value: Any) -> Any:
    # Markup is our own; of the other types only text can hold misleading characters.
    if isinstance(value, English) and not is_english():
        return Markup('<span lang="en">{}</span>').format(visible(value))
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def policy(style: str, script: str = "", images: str = "") -> str:
    """Return the content security policy of a page with that style and script, and images from `images`."""
    sources = f"default-src 'none'; style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    sources += f"; img-src {images}" if images else ""
    return f"{sources}; script-src {_digest(script)}" if script else sources


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

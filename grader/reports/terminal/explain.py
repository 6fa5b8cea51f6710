"""The way to a mark, for the staff in the terminal: the run, the work, each case, each step.

All text goes through `escape.plain`; see `lines` for colour.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from grader.marking.lateness import in_words
from grader.model.limits import Limits
from grader.model.results import CaseResult, QuestionResult, RunResults, SubmissionResult
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, line, wrapped
from grader.reports.terminal.student import fact_lines, label_of, rule_lines
from grader.reports.tone import Tone
from grader.reports.views.case.case import case_view
from grader.reports.views.case.rules import rules_view
from grader.reports.views.mark.arithmetic import case_counts, exact, question_steps, total_steps
from grader.reports.views.mark.instead import told_instead
from grader.reports.views.mark.policy import attempts_view
from grader.reports.views.provenance import Provenance
from grader.reports.views.submission.submission import submission_view
from grader.reports.views.wording import build_told, counted, duration, point_in_time, size

_LABEL_WIDTH = 11


@dataclass(frozen=True, slots=True)
class ExplainedPart:
    """The part of a submission to explain; empty for all of it."""

    questions: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()

    def questions_of(self, submission: SubmissionResult) -> list[QuestionResult]:
        """Return the questions that are asked for, or that have a case that is."""
        return [one for one in submission.questions if self._has(one)]

    def _has(self, question: QuestionResult) -> bool:
        if not (self.questions or self.cases):
            return True
        return question.id in self.questions or any(case.id in self.cases for case in question.cases)

    def cases_of(self, question: QuestionResult) -> list[CaseResult]:
        """Return the cases of a question that are asked for."""
        every = not self.cases or question.id in self.questions
        return [case for case in question.cases if every or case.id in self.cases]


def explain_lines(
    results: RunResults,
    submission: SubmissionResult,
    known: Provenance,
    wanted: ExplainedPart,
    width: int = 80,
) -> Iterator[Line]:
    """Yield how the mark of a submission came about."""
    width = max(width, 40)
    view = submission_view(submission, staff=True)
    name = view.id if view.name == view.id else f"{view.id} ({view.name})"
    head = StyledText(plain(name), strong=True), ": ", StyledText(view.mark, view.tone, strong=True)
    yield line(*head, f" of {view.max_mark}, {plain(results.task.title)}")
    if view.remark:
        yield from _wrapped(view.remark, width)
    if known.gap:
        yield from (line(StyledText(part, Tone.OURS)) for part in wrapped(plain(known.gap), width, "  "))
    yield line()
    yield _heading("The run")
    yield from _run_lines(results, known, width)
    if submission.made is not None:
        made = submission.made
        where = f"{made.where}, in {made.driver}, with Python {made.python} and grader {made.grader}"
        yield from _pair("made on", where, width)
        for machine in made.evidence:
            yield from _pair("", f"may rest on evidence of {machine}", width)
    yield line()
    yield _heading("What was handed in")
    yield from _work_lines(submission, known, width)
    for rule in rules_view(submission):
        yield line()
        yield from rule_lines(rule, width)
    for question in wanted.questions_of(submission):
        yield line()
        yield from _question_lines(question, submission, known, wanted, width)
    yield line()
    yield _heading("The mark")
    for step in total_steps(submission, known.rounding):
        yield from _wrapped(step, width, "  ")


def _run_lines(results: RunResults, known: Provenance, width: int) -> Iterator[Line]:
    run = results.run
    yield from _pair("run", f"{run.id}, {point_in_time(run.started) or 'time unknown'}", width)
    marked, when = known.marked
    if marked:
        text = f"in the earlier run {marked}, {point_in_time(when)}"
        yield from _pair("marked", f"{text}; kept, since nothing changed that it depends on", width)
    yield from _pair("spec", run.spec_sha256, width)
    for path in known.spec:
        yield from _pair("", path, width)
    yield from _pair("seed", str(run.seed), width)
    yield from _pair("grader", build_told(run), width)
    yield from _pair("Python", run.python, width)
    if known.packages:
        yield from _pair("packages", ", ".join(known.packages), width)
    for tool, version in run.tools.items():
        yield from _pair(tool, version, width)
    for plugin, identity in run.plugins.items():
        yield from _pair("plugin", f"{plugin} {identity}", width)
    held = [name for name, holds in run.sandbox.guarantees.items() if holds]
    gone = [name for name, holds in run.sandbox.guarantees.items() if not holds]
    yield from _pair("sandbox", run.sandbox.driver, width)
    yield from _pair("held", ", ".join(held) or "nothing", width)
    yield from _pair("open", ", ".join(gone) or "nothing", width)


def _work_lines(submission: SubmissionResult, known: Provenance, width: int) -> Iterator[Line]:
    work = known.work
    if work is not None:
        yield from _pair("from", str(work.origin), width)
    if submission.instead is not None:
        yield from _pair("marked", told_instead(submission), width)
        yield from _pair("instead of", submission.instead.work, width)
    yield from _pair("digest", submission.content_sha256 or "(nothing was read)", width)
    for _, file in sorted(work.files.items()) if work is not None else ():
        # As on the page: what follows the last line end is no line.
        lines = counted(file.line_count - file.bare.endswith("\n"), "line")
        yield from _pair(file.name, f"{lines}; the text that was marked:", width)
        yield from _pair("", sha256(file.text.encode("utf-8", "surrogatepass")).hexdigest(), width)
    if submission.submitted or submission.deadline:
        yield from _pair("handed in", point_in_time(submission.submitted) or "time unknown", width)
    if submission.deadline:
        late = f"; {in_words(submission.late_s)} late" if submission.late_s else "; not late"
        text = point_in_time(submission.deadline) + (late if submission.submitted else "")
        yield from _pair("deadline", text, width)
    attempts = attempts_view(submission)
    for attempt in attempts.attempts if attempts is not None else ():
        words = (attempt.mark, attempt.submitted, attempt.late, "this one counts" if attempt.counts else "")
        yield from _pair(attempt.id, ", ".join(filter(None, words)), width)
    if attempts is not None:
        yield from _pair("", attempts.why, width)
    for problem in submission.problems:
        yield from _pair("problem", problem, width)
    for remark in submission.notes:
        yield from _pair("note", remark, width)


def _question_lines(
    question: QuestionResult,
    submission: SubmissionResult,
    known: Provenance,
    wanted: ExplainedPart,
    width: int,
) -> Iterator[Line]:
    marks = f"{exact(question.mark)} of {exact(question.max_mark)}"
    yield _heading(f"Question {question.id}, {question.title}: {marks}")
    for case in wanted.cases_of(question):
        yield from _case_lines(case, known.limits.get(case.id), width)
    for criterion in question.criteria:
        who = ", ".join(filter(None, (criterion.by, criterion.date)))
        text = f"of {exact(criterion.max_mark)}" + (f", by {who}" if who else "")
        text = f"awaits the marker, {text}" if criterion.mark is None else f"{exact(criterion.mark)} {text}"
        yield from _pair(criterion.id, text, width)
        for about in (criterion.title, criterion.comment):
            yield from _pair("", about, width) if about else ()
    for step in question_steps(question, submission):
        yield from _wrapped(f"= {step}", width, "  ")


def _case_lines(case: CaseResult, limits: Limits | None, width: int) -> Iterator[Line]:
    view = case_view(case, staff=True)
    shown = "" if view.visibility == "public" else f"  ({view.visibility})"
    yield line(
        StyledText(f"{plain(view.id)}  ", strong=True),
        StyledText(view.word, Tone(view.tone), strong=True),
        plain(shown),
    )
    yield line("  ", plain(view.heading))
    for fact in view.facts:
        yield from fact_lines(fact, width)
    if limits is not None:
        text = (
            f"{duration(limits.time_s)} processor time, {duration(limits.wall_s)} waiting, "
            f"{size(limits.memory_b)} of memory, {size(limits.output_b)} of output"
        )
        yield from _fact("limits", text, width)
    yield from _fact("used", view.measured or "nothing: it did not run", width)
    yield from _fact("counts", case_counts(case), width)


def _heading(text: str) -> Line:
    return line(StyledText(plain(text), strong=True))


def _pair(label: str, text: str, width: int) -> Iterator[Line]:
    """Yield a label and a text beside it; a path or digest is not broken."""
    start = "  " + plain(label).ljust(_LABEL_WIDTH) + " "
    for number, part in enumerate(wrapped(plain(text), width - len(start), breaks_words=False)):
        yield line(StyledText(start if not number else " " * len(start), Tone.IDLE), part)


def _fact(label: str, text: str, width: int) -> Iterator[Line]:
    for number, part in enumerate(wrapped(plain(text), width - 12)):
        yield line(label_of("" if number else label), part)


def _wrapped(text: str, width: int, start: str = "") -> Iterator[Line]:
    for number, part in enumerate(wrapped(plain(text), width - len(start) - 2)):
        yield line(start, "  " if number else "", part)

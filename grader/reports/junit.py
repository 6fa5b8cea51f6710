"""`junit.xml`: one suite for each student, one test case for each case, as CI systems read it.

A fault of the student's answer is a failure.  A case that ended without an answer (crash, limit), or by our
own fault, is an error.  A skipped case is skipped.  JUnit has no field for marks, so they are properties of
the suite: `mark` (empty where there is none), `max_mark`, `status`, `question.<id>`.  The format is that of
pytest's `xunit2`.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, tostring

from grader.marking.rounding import format_mark
from grader.model.results import CaseResult, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.escape import xml_text
from grader.reports.views.audience import for_student
from grader.reports.views.case.times import growth_sentence, timing_sentence
from grader.reports.views.excerpt import excerpt
from grader.reports.views.mark.instead import told_instead
from grader.store.whole_file import replacing

_ERRORS = frozenset(
    {
        *(Verdict.CRASHED, Verdict.TIME_LIMIT, Verdict.WALL_LIMIT, Verdict.MEMORY_LIMIT),
        *(Verdict.OUTPUT_LIMIT, Verdict.INTERNAL_ERROR),
    }
)
_OUTPUT_LIMIT = 10_000
_COUNTERS = ("tests", "failures", "errors", "skipped")


@dataclass(frozen=True, slots=True)
class Suite:
    """The suite of one submission as text, and its part of the totals of the file."""

    text: str
    counts: Mapping[str, int]
    time_s: float


class JUnitFile:
    """Writes `junit.xml` from submissions that come one at a time; a context manager.

    The suites go to a temporary file first, because the totals stand before them in the file.
    path: appears whole when the block succeeds, and not at all otherwise.
    task_id: prefix of the class names.
    timestamp: of the run, ISO 8601; empty for none.
    for_students: write the students' views (with `released` as in `audience`).
    """

    def __init__(
        self,
        path: Path,
        task_id: str,
        *,
        for_students: bool = False,
        released: bool = False,
        timestamp: str = "",
    ) -> None:
        self._path, self._task_id, self._timestamp = path, task_id, timestamp
        self._for_students, self._released = for_students, released
        self._totals = dict.fromkeys(_COUNTERS, 0)
        self._time_s = 0.0
        self._suites: TextIO | None = None
        self._exits = contextlib.ExitStack()

    def __enter__(self) -> "JUnitFile":
        file = tempfile.TemporaryFile("w+", encoding="utf-8", dir=self._path.parent)
        self._suites = self._exits.enter_context(file)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._exits:
            if kind is None:
                self._assemble()

    def add(self, submission: SubmissionResult) -> None:
        shown = for_student(submission, self._released) if self._for_students else submission
        self.write(suite_of(shown, self._task_id, self._timestamp))

    def write(self, rendered: Suite) -> None:
        assert self._suites is not None, "used outside its with block"
        for counter, count in rendered.counts.items():
            self._totals[counter] += count
        self._time_s += rendered.time_s
        self._suites.write(rendered.text)

    def _assemble(self) -> None:
        assert self._suites is not None
        root = Element("testsuites", {"name": xml_text(self._task_id)})
        for counter, total in self._totals.items():
            root.set(counter, str(total))
        root.set("time", f"{self._time_s:.3f}")
        opening = tostring(root, encoding="unicode", short_empty_elements=False)
        self._suites.seek(0)
        with replacing(self._path) as file:
            file.write('<?xml version="1.0" encoding="utf-8"?>\n')
            file.write(opening.removesuffix("</testsuites>") + "\n")
            shutil.copyfileobj(self._suites, file)
            file.write("</testsuites>\n")


def suite_of(submission: SubmissionResult, task_id: str, timestamp: str = "") -> Suite:
    """Return the suite of one submission, or of a student's view of it."""
    element = suite_element(submission, task_id)
    if timestamp:
        element.set("timestamp", xml_text(timestamp.removesuffix("Z")))
    return Suite(
        text=tostring(element, encoding="unicode") + "\n",
        counts={counter: int(element.get(counter, "0")) for counter in _COUNTERS},
        time_s=float(element.get("time", "0")),
    )


def suite_element(submission: SubmissionResult, task_id: str) -> Element:
    cases = list(_cases(submission, task_id))
    verdicts = [verdict for verdict, _ in cases]
    suite = Element(
        "testsuite",
        {
            "name": xml_text(submission.id),
            "tests": str(len(cases)),
            "failures": str(sum(_kind(verdict) == "failure" for verdict in verdicts)),
            "errors": str(sum(_kind(verdict) == "error" for verdict in verdicts)),
            "skipped": str(sum(_kind(verdict) == "skipped" for verdict in verdicts)),
            "time": f"{sum(float(element.get('time', '0')) for _, element in cases):.3f}",
        },
    )
    properties = SubElement(suite, "properties")
    for name, value in _facts(submission):
        SubElement(properties, "property", {"name": xml_text(name), "value": xml_text(value)})
    suite.extend(element for _, element in cases)
    return suite


def _facts(submission: SubmissionResult) -> Iterator[tuple[str, str]]:
    """Yield the properties of a submission: JUnit has no field for marks."""
    yield "name", submission.name
    yield "status", submission.status
    # One that is pending is no mark, and 0 for nothing handed in is for people to give.
    yield "mark", format_mark(submission.mark) if submission.status is Status.MARKED else ""
    yield "max_mark", format_mark(submission.max_mark)
    for question in submission.questions:
        yield f"question.{question.id}", f"{format_mark(question.mark)} of {format_mark(question.max_mark)}"
    for question in submission.questions:
        for group in question.groups:
            of = f"{format_mark(group.mark)} of {format_mark(group.max_mark)}"
            yield f"group.{question.id}.{group.id}", of
    for cap in submission.caps:
        most = format_mark(cap.most)
        yield "cap", f"{format_mark(cap.amount)}: {cap.title or 'all questions'} at most {most}"
    for taken in submission.penalties:
        yield "penalty", f"{format_mark(taken.amount)}: {taken.reason}"
    for one in submission.overrides:
        change = f"{format_mark(one.before)} to {format_mark(one.after)}"
        yield f"override.{one.question or 'mark'}", f"{change}: {one.reason}"
    if submission.instead is not None:
        yield "instead", told_instead(submission)
    for attempt in submission.attempts:
        yield f"attempt.{attempt.id}", format_mark(attempt.mark) + (" counts" if attempt.counts else "")
    yield from (("awaiting", criterion) for criterion in submission.awaiting)
    yield from (("problem", problem) for problem in submission.problems)


def _cases(submission: SubmissionResult, task_id: str) -> Iterator[tuple[Verdict, Element]]:
    for question in submission.questions:
        class_name = f"{task_id}.{submission.id}.{question.id}"
        for case in question.cases:
            yield case.verdict, _case_element(case, class_name)


def _kind(verdict: Verdict) -> str:
    if verdict == Verdict.ACCEPTED:
        return ""
    if verdict == Verdict.SKIPPED:
        return "skipped"
    return "error" if verdict in _ERRORS else "failure"


def _case_element(case: CaseResult, class_name: str) -> Element:
    # The name is the id alone: a CI system follows a case by its name, and the call may be worded otherwise.
    element = Element(
        "testcase",
        {"classname": xml_text(class_name), "name": xml_text(case.id), "time": f"{case.wall_s:.3f}"},
    )
    file, line = _place(case)
    if file:
        element.set("file", xml_text(file))
        element.set("line", str(line))
    kind = _kind(case.verdict)
    if kind:
        found = SubElement(element, kind, {"message": xml_text(case.message or case.verdict)})
        if kind != "skipped":
            found.set("type", xml_text(case.verdict))
        details = _details(case)
        if details:
            found.text = xml_text(details)
    for tag, text in (("system-out", case.stdout), ("system-err", case.stderr)):
        if text:
            SubElement(element, tag).text = xml_text(_cut(text))
    return element


def _place(case: CaseResult) -> tuple[str, int]:
    """Return where in the student's files a case went wrong; empty where that is not known."""
    if case.raised is not None and case.raised.frames:
        last = case.raised.frames[-1]
        return last.file, last.line
    if case.findings:
        return case.findings[0].file, case.findings[0].line
    return "", 0


def _details(case: CaseResult) -> str:
    if case.withheld:
        return ""
    lines = [f"call: {case.call}"]
    lines += [
        f"{key}: {text}" for key, text in (("expected", case.expected), ("actual", case.actual)) if text
    ]
    if case.difference and case.difference.where:
        lines.append(f"differs at: {case.difference.where}")
    if case.raised:
        raised = case.raised
        lines.append(f"{raised.type_name}: {raised.message}")
        lines += [f"  {frame.file}:{frame.line} in {frame.function}" for frame in raised.frames]
    if case.growth is not None:
        lines.append(f"growth: {growth_sentence(case.growth)}")
    if case.timing is not None:
        lines.append(f"time: {timing_sentence(case.timing, case)}")
    if case.hint:
        lines.append(f"hint: {case.hint}")
    return _cut("\n".join(lines))


def _cut(text: str) -> str:
    part = excerpt(text, _OUTPUT_LIMIT)
    if isinstance(part, str):
        return part
    return f"{part.head}\n… {part.cut} characters left out …\n{part.tail}"

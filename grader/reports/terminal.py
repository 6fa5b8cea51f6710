"""A run's results in the terminal: the table of a cohort, and feedback for one student.

Made for 80 columns, for a pipe as much as for a terminal; see `terminal_lines` for colour.
Every text from a submission goes through `escape.plain`; what a student may see is decided
by `audience`.
"""

import textwrap
from collections.abc import Iterable, Iterator
from fractions import Fraction

from grader.reports.account import SO_FAR
from grader.reports.audience import for_student
from grader.reports.case_view import VALUE_LIMIT, CaseView, DifferenceView, Fact, RaisedView
from grader.reports.cohort import Cohort, Row, cohort_of
from grader.reports.dialogue_view import DialogueView, TurnView
from grader.reports.escape import plain
from grader.reports.excerpt import Excerpt, Pair, excerpt
from grader.reports.rules_view import FindingsView, RuleView
from grader.reports.run_warnings import warnings_of
from grader.reports.steps_view import StepsView, StepView, runs_of_steps
from grader.reports.submission_view import (
    NO_SUBMISSION,
    PENDING,
    QuestionView,
    submission_view,
)
from grader.reports.terminal_lines import Line, Span, cells, fit, line
from grader.reports.wording import Tone, counted, share_tone, short_number
from grader.store.document_types import ResultsDocument, SubmissionDocument, TaskDocument

_LETTERS = {Tone.GOOD: "+", Tone.PART: "~", Tone.BAD: "-", Tone.OURS: "!", Tone.IDLE: "."}
_MARK_WIDTH = 14
_LABEL_WIDTH = 10
_LABELS = {
    "To be printed": "to print",
    "First difference": "differs",
    "Exception": "raised",
    "Error output": "errors",
}
_VALUE_LIMIT = 400
_OUTPUT_LIMIT = 1500
_OUTPUT_LINES = 20
_LAST_TURNS = 8
_MOST_ADJUSTED = 12


def summary_lines(document: ResultsDocument, width: int = 80, cohort: Cohort | None = None) -> Iterator[Line]:
    """Yield the table of a cohort, its warnings first.

    width: columns of the terminal; at least 40 are taken.
    cohort: that of the document; None to gather it.
    """
    task = document["task"]
    cohort = cohort or cohort_of(document)
    title = f"{plain(task['title'])} ({plain(task['id'])})"
    yield line(Span(title, strong=True), f": {counted(len(cohort.rows), 'submission')}")
    yield line()
    for warned in warnings_of(document["run"]["sandbox"], cohort):
        names = "; ".join(plain(item.text) for item in warned.items)
        text = f"! {warned.title}" + (f": {names}" if names else "")
        yield from (line(Span(part, warned.tone)) for part in _wrapped(text, max(width, 40), indent="  "))
        yield line()
    if cohort.rows:
        yield from _table(cohort, max(width, 40))
        yield line()
    yield from (line(part) for part in _wrapped(_figures(cohort), max(width, 40)))


def _table(cohort: Cohort, width: int) -> Iterator[Line]:
    questions = [plain(id_) for id_ in cohort.questions]
    column = max((cells(id_) for id_ in questions), default=0) + 1
    room = width - _MARK_WIDTH - column * len(questions)
    if room < 20:
        questions, room = [], width - _MARK_WIDTH
    ids = [plain(row.id) for row in cohort.rows]
    id_width = min(max(cells(id_) for id_ in [*ids, "student"]) + 2, room)
    name_width = room - id_width if any(row.name != row.id for row in cohort.rows) else 0
    if name_width < 8:
        name_width = 0
    name_width = min(name_width, max(cells(plain(row.name)) for row in cohort.rows) + 2)
    name_header = fit("name", name_width) if name_width else ""
    header = fit("student", id_width) + name_header + fit("mark", _MARK_WIDTH)
    yield line(Span(header + "".join(fit(id_, column) for id_ in questions), Tone.IDLE))
    for row, id_ in zip(cohort.rows, ids, strict=True):
        letters = [_letter(row, question, column) for question in cohort.questions] if questions else []
        name = fit(plain(row.name), name_width - 2) + "  " if name_width else ""
        yield line(fit(id_, id_width - 2) + "  ", name, _mark(row), *letters)
    if questions:
        yield line()
        legend = ("+ all of the mark", "~ some", "- none", "! pending", ". not marked")
        for part in _packed(legend, width):
            yield line(Span(part, Tone.IDLE))
    yield from _adjusted(cohort, width)


def _packed(parts: Iterable[str], width: int) -> Iterator[str]:
    """Yield the parts on as few lines as they fit on."""
    packed = ""
    for part in parts:
        if packed and len(packed) + 3 + len(part) > width:
            yield packed
            packed = ""
        packed += f"   {part}" if packed else part
    yield packed


def _adjusted(cohort: Cohort, width: int) -> Iterator[Line]:
    """Yield a line for each student of whose mark something was taken off, or whose mark was set."""
    rows = [row for row in cohort.rows if row.deducted or row.overridden]
    if rows:
        yield line()
    for row in rows[:_MOST_ADJUSTED]:
        taken = [f"penalties took {short_number(row.deducted)}"] if row.deducted else []
        what = "; ".join([*taken, *(["set by hand"] if row.overridden else [])])
        yield from (line(part) for part in _wrapped(f"{plain(row.id)}: {what}", width, indent="  "))
    if len(rows) > _MOST_ADJUSTED:
        yield line(f"and {len(rows) - _MOST_ADJUSTED:,} more, see the pages")


def _mark(row: Row) -> Span:
    mark, maximum = Fraction(row.mark), Fraction(row.max_mark)
    if row.failed:
        return Span(fit("pending", _MARK_WIDTH), Tone.OURS)
    if row.status == PENDING:
        return Span(fit(f"{short_number(mark)} {SO_FAR}", _MARK_WIDTH), Tone.IDLE)
    if row.status == NO_SUBMISSION:
        return Span(fit("none", _MARK_WIDTH), Tone.IDLE)
    text = f"{short_number(mark)} of {short_number(maximum)}"
    return Span(fit(text, _MARK_WIDTH), share_tone(mark, maximum))


def _letter(row: Row, question: str, column: int) -> Span:
    cell = row.cells.get(question)
    if cell is None or row.status == NO_SUBMISSION or cell.awaiting:
        tone = Tone.IDLE
    elif cell.verdict == "internal-error":
        tone = Tone.OURS
    else:
        tone = share_tone(Fraction(cell.mark), Fraction(cell.max_mark))
    return Span(fit(_LETTERS[tone], column), tone)


def _figures(cohort: Cohort) -> str:
    mean, median = cohort.mean, cohort.median
    if mean is None or median is None:
        return "No final marks yet."
    full = counted(cohort.full, "student has", "students have")
    return (
        f"Mean {short_number(mean)}, median {short_number(median)} of {short_number(cohort.max_mark)}; "
        f"{full} full marks."
    )


def check_lines(
    task: TaskDocument, submission: SubmissionDocument, width: int = 80, released: bool = False
) -> Iterator[Line]:
    """Yield feedback on one submission for its student: the questions, then what is wrong.

    submission: as the results file has it; what is withheld is decided here.
    """
    view = submission_view(for_student(submission, released))
    width = max(width, 40)
    yield line(Span(plain(task["title"]), strong=True), f": {plain(view.name)}")
    for problem in (*view.problems, *view.notes):
        yield from (line(part) for part in _wrapped(f"* {plain(problem)}", width, indent="  "))
    yield line()
    id_width = max((cells(plain(question.id)) for question in view.questions), default=0) + 2
    for question in view.questions:
        yield _question_line(question, id_width, width)
    yield line()
    for question in view.questions:
        for case in question.cases:
            if case.tone != Tone.GOOD and not case.withheld:
                yield from _case_lines(case, width)
                yield line()
    for rule in view.rules:
        if rule.tone is not Tone.GOOD:
            yield from _rule_lines(rule, width)
    if view.remark:
        yield from (line(Span(part, view.tone)) for part in _wrapped(view.remark, width))
    for entry in view.account[:-1]:
        reason = f": {plain(entry.reason)}" if entry.reason else ""
        text = f"{plain(entry.label)} {entry.amount}{reason}"
        yield from (line(Span(part, Tone.IDLE)) for part in _wrapped(text, width, indent="  "))
    yield line("Mark: ", Span(view.mark, view.tone, strong=True), f" of {view.max_mark}")


def _question_line(question: QuestionView, id_width: int, width: int) -> Line:
    mark = f"{question.mark} of {question.max_mark}"
    hidden = sum(case.withheld for case in question.cases)
    word = question.wording.word + (f" ({hidden} hidden)" if hidden else "")
    title_width = max(10, width - id_width - 28 - 14)
    return line(
        fit(plain(question.id), id_width),
        fit(plain(question.title), title_width - 1) + " ",
        Span(fit(word, 28), question.wording.tone),
        Span(fit(mark, 14), question.tone),
    )


def _case_lines(case: CaseView, width: int) -> Iterator[Line]:
    yield line(
        Span(f"{plain(case.id)}  ", strong=True),
        Span(case.word, Tone(case.tone), strong=True),
        Span(f"  {case.meta}", Tone.IDLE),
    )
    # At the left margin and unbroken, so that it can be pasted into Python.
    yield line(_one_line(case.call))
    if case.folded:
        yield line("  The same as before.")
        return
    for fact in case.facts:
        yield from _fact_lines(fact, width)


def _fact_lines(fact: Fact, width: int) -> Iterator[Line]:
    label = _LABELS.get(fact.label, fact.label.lower())
    match fact.content:
        case Pair() as pair:
            yield from _pair_lines(pair)
        case DifferenceView(where, pair):
            yield line(_label(label), plain(where))
            yield from _pair_lines(pair)
        case RaisedView() as raised:
            yield from _raised_lines(label, raised)
        case DialogueView(turns):
            yield from _dialogue_lines(label, turns)
        case FindingsView() as findings:
            yield from _finding_lines(label, findings, width)
        case StepsView(steps):
            yield from _step_lines(label, steps, width)
        case text if fact.kind == "output":
            yield from _output_lines(label, text)
        case text if fact.kind == "text":
            yield from (line("  ", part) for part in _wrapped(_one_line(text), width - 2))
        case text if fact.kind in ("hint", "time"):
            for number, part in enumerate(_wrapped(_one_line(text), width - _LABEL_WIDTH - 2)):
                yield line(_label("" if number else label), part)
        case text if fact.kind != "call":
            # Not wrapped, so that two values stand below one another and can be pasted.
            yield line(_label(label), _one_line(text, _VALUE_LIMIT))


def _rule_lines(rule: RuleView, width: int) -> Iterator[Line]:
    yield line(
        Span(f"{_LETTERS[rule.tone]} rule ", rule.tone, strong=True),
        Span(rule.word, rule.tone, strong=True),
        f"  {plain(rule.rule)}",
    )
    for text in (rule.effect, rule.note):
        yield from (line("  ", part) for part in _wrapped(plain(text), width - 2) if text)
    yield from _finding_lines("where", rule.findings, width)
    if rule.hint:
        yield line(_label("hint"), plain(rule.hint))
    yield line()


def _finding_lines(label: str, findings: FindingsView, width: int) -> Iterator[Line]:
    for place, message, source in findings.found:
        for part in _wrapped(f"{plain(place)}: {plain(message)}", width - _LABEL_WIDTH - 2):
            yield line(_label(label), part)
            label = ""
        if source:
            yield line(_label(""), "    ", plain(source))
    if findings.more:
        yield line(_label(""), Span(f"({findings.more} more)", Tone.IDLE))


def _dialogue_lines(label: str, turns: tuple[TurnView, ...]) -> Iterator[Line]:
    """Yield the last turns: what the program says behind a bar, what it is answered behind an angle."""
    shown = turns[-_LAST_TURNS:]
    if len(shown) < len(turns):
        yield line(_label(label), Span(f"(from turn {shown[0].number} on)", Tone.IDLE))
        label = ""
    for turn in shown:
        said, _, _ = _shortened(turn.said, _OUTPUT_LIMIT)
        tone = Tone.BAD if turn.wrong else None
        for content in plain(said, multiline=True).removesuffix("\n").split("\n") if said else ():
            yield line(_label(label), Span("| ", tone), Span(content, tone))
            label = ""
        answer = Span(plain(turn.answer), strong=True) if turn.is_line else Span(turn.answer, Tone.IDLE)
        wrong = Span("  not as expected", Tone.BAD) if turn.wrong else ""
        yield line(_label(label), Span("> ", Tone.IDLE), answer, wrong)
        label = ""


def _step_lines(label: str, steps: tuple[StepView, ...], width: int) -> Iterator[Line]:
    for number, (step, more) in enumerate(runs_of_steps(steps)):
        mark = Span(f"{_LETTERS[Tone(step.tone)]} ", Tone(step.tone))
        others = Span(f"  and {counted(more, 'more step')}", Tone.IDLE) if more else ""
        yield line(_label("" if number else label), mark, _one_line(step.text, _VALUE_LIMIT), others)
        for part in _wrapped(_one_line(step.note), width - _LABEL_WIDTH - 6) if step.note else ():
            yield line(_label(""), "    ", part)


def _pair_lines(pair: Pair) -> Iterator[Line]:
    for label, part in (("expected", pair.expected), ("answer", pair.actual)):
        before, differs, after = plain(part.before), plain(part.differs), plain(part.after)
        yield line(_label(label), before, Span(differs, strong=True), after)
    before, differs = plain(pair.actual.before), plain(pair.actual.differs)
    yield line(_label(""), " " * cells(before) + "^" * max(1, min(cells(differs), 60)))


def _raised_lines(label: str, raised: RaisedView) -> Iterator[Line]:
    yield line(_label(label), _one_line(raised.title, _VALUE_LIMIT))
    for index, frame in enumerate(raised.frames):
        if raised.left_out and index == len(raised.frames) // 2:
            yield line(_label(""), Span(f"({raised.left_out} lines left out)", Tone.IDLE))
        times = f" ({frame.times} times)" if frame.times > 1 else ""
        yield line(_label(""), plain(frame.place), times)
        if frame.source:
            yield line(_label(""), "    ", plain(frame.source))


def _output_lines(label: str, output: str | Excerpt) -> Iterator[Line]:
    shown, cut, _ = _shortened(output, _OUTPUT_LIMIT)
    lines = plain(shown, multiline=True).rstrip("\n").split("\n")
    for number, content in enumerate(lines[:_OUTPUT_LINES]):
        yield line(_label("" if number else label), "| ", content)
    if cut or len(lines) > _OUTPUT_LINES:
        yield line(_label(""), Span("| (there is more)", Tone.IDLE))


def _label(text: str) -> Span:
    return Span("  " + fit(text, _LABEL_WIDTH), Tone.IDLE)


def _one_line(text: str | Excerpt, limit: int = VALUE_LIMIT) -> str:
    head, cut, tail = _shortened(text, limit)
    return f"{plain(head)} … {cut} characters left out … {plain(tail)}" if cut else plain(head)


def _shortened(text: str | Excerpt, limit: int) -> Excerpt:
    if isinstance(text, str):
        text = excerpt(text, limit)
    if isinstance(text, str):
        return Excerpt(text, 0, "")
    head = text.head[: limit - limit // 4]
    tail = text.tail[max(0, len(text.tail) - limit // 4) :]
    return Excerpt(head, text.cut + len(text.head) - len(head) + len(text.tail) - len(tail), tail)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, width, subsequent_indent=indent, break_on_hyphens=False) or [""]

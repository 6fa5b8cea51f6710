"""Feedback for one student in the terminal; the table of a cohort is in `cohort`.

The feedback fits 80 columns, in a pipe as well as a terminal; see `lines` for colour.  Every text from a
submission goes through `escape.plain`; `audience` decides what a student may see.
"""

from collections.abc import Collection, Iterator, Sequence

from grader.model.results import CaseResult, SubmissionResult, TaskHead
from grader.reports.escape import plain
from grader.reports.terminal.lines import LETTERS, Line, StyledText, cells, fit, headline, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.audience import for_student
from grader.reports.views.case.case import CaseView, DifferenceView, Fact, case_view
from grader.reports.views.case.differing import Pair, Part
from grader.reports.views.case.rules import FindingsView, RuleView
from grader.reports.views.case.steps import (
    AGAIN,
    DialogueView,
    FrameView,
    RaisedView,
    StepsView,
    StepView,
    TurnView,
    runs_of_steps,
)
from grader.reports.views.excerpt import VALUE_LIMIT, Excerpt, excerpt
from grader.reports.views.mark.mark_breakdown import BreakdownLine, shown_sum
from grader.reports.views.mark.policy import GroupView
from grader.reports.views.submission.question import QuestionView
from grader.reports.views.submission.submission import SubmissionView, submission_view
from grader.reports.views.wording import counted, short_number
from grader.reports.words import is_english, many, say, speaking, word

_LABEL_WIDTH = 10
_LABELS = {
    word("To be printed"): word("to print"),
    word("First difference"): word("differs"),
    word("Exception"): word("raised"),
    word("Error output"): word("errors"),
    word("Stopped at"): word("stopped"),
}
_IN_OTHER_WORDS = frozenset({"EOFError", "SystemExit", "RecursionError"})
"""Exceptions of which the message above says what they mean."""
_TOLD_WIDTH, _MARK_WIDTH, _NARROWEST_TITLE = 28, 14, 10
_VALUE_LIMIT = 400
_OUTPUT_LIMIT = 1500
_OUTPUT_LINES = 20
_LAST_TURNS = 8
_MOST_SAME = 8


def check_lines(
    task: TaskHead,
    submission: SubmissionResult,
    width: int = 80,
    released: bool = False,
    *,
    partial: Collection[str] = (),
    part: bool = False,
) -> Iterator[Line]:
    """Return feedback on one submission for its student: the questions, then the faults.

    submission: the whole result; this function makes the student's view of it.
    partial: ids of questions of which marking has more cases, so that these say nothing about the mark.
    part: marking has more cases.
    """
    with speaking(task.language):
        view = submission_view(for_student(submission, released))
        return iter(tuple(_check_lines(task, view, max(width, 40), partial, part=part)))


def _check_lines(
    task: TaskHead, view: SubmissionView, width: int, partial: Collection[str], *, part: bool
) -> Iterator[Line]:
    yield from headline(plain(task.title), f": {plain(view.name)}", width)
    for problem in (*view.problems, *view.notes):
        yield from (line(part) for part in wrapped(f"* {plain(problem)}", width, indent="  "))
    yield line()
    id_width = max((cells(plain(question.id)) for question in view.questions), default=0) + 2
    for question in view.questions:
        is_partial = question.id in partial
        yield from _question_lines(question, id_width, width, is_partial)
        for group in question.groups:
            yield from _group_line(group, id_width, width, is_partial)
    yield line()
    failing = [
        case
        for question in view.questions
        for case in question.cases
        if case.tone != Tone.GOOD and not case.withheld
    ]
    same: dict[tuple[str, str], list[CaseView]] = {_cause(case): [] for case in failing if case.folded}
    for case in failing:
        same.get(_cause(case), []).append(case)
    for case in failing:
        alike = same.get(_cause(case), [case])
        if case is alike[0]:
            yield from _case_lines(case, width)
            yield from _same_lines([plain(other.id) for other in alike[1:]], width)
            yield line()
    for rule in view.rules:
        if rule.tone is not Tone.GOOD:
            yield from rule_lines(rule, width)
    if view.remark:
        yield from (line(StyledText(part, view.tone)) for part in wrapped(view.remark, width))
    if part:
        cases = [case for question in view.questions for case in question.cases]
        yield line(f"{say('Accepted')}: {_accepted(cases)}")
        return
    yield from _breakdown_lines(view.mark_breakdown[:-1], width)
    of = say("of {mark}", mark=view.max_mark)
    yield line(f"{say('Mark')}: ", StyledText(view.mark, view.tone, strong=True), f" {of}")


def _cause(case: CaseView) -> tuple[str, str]:
    """Return what is alike in cases that one cause fails, such as a module that does not load."""
    return case.word, str(_message(case))


def _message(case: CaseView) -> object:
    return next((fact.content for fact in case.facts if fact.kind == "text"), "")


def _same_lines(ids: Sequence[str], width: int) -> Iterator[Line]:
    """Yield that other cases failed for the same cause, which is told once."""
    if ids:
        some = ", ".join(ids[:_MOST_SAME]) + (", …" if len(ids) > _MOST_SAME else "")
        told = many(
            len(ids), "The same in {n} other case: {ids}", "The same in {n} other cases: {ids}", ids=some
        )
        yield from (line("  ", StyledText(part, Tone.IDLE)) for part in wrapped(told, width - 2))


def _accepted(cases: Sequence[CaseView]) -> str:
    accepted = sum(case.tone == Tone.GOOD for case in cases)
    return many(len(cases), "{accepted} of {n} case", "{accepted} of {n} cases", accepted=accepted)


def _question_lines(question: QuestionView, id_width: int, width: int, is_partial: bool) -> Iterator[Line]:
    """Yield a row of the table; in a narrow terminal the verdict has a line of its own."""
    most = say("of {mark} bonus" if question.bonus else "of {mark}", mark=question.max_mark)
    mark = _accepted(question.cases) if is_partial else f"{question.mark} {most}"
    hidden = sum(case.withheld for case in question.cases)
    told = question.wording.word + (say(" ({n} hidden)", n=hidden) if hidden else "")
    found = StyledText(fit(told, _TOLD_WIDTH), question.wording.tone)
    earned = StyledText(fit(mark, _MARK_WIDTH), question.tone)
    title_width = width - id_width - _TOLD_WIDTH - _MARK_WIDTH
    if title_width >= _NARROWEST_TITLE:
        title = fit(plain(question.title), title_width - 1) + " "
        yield line(fit(plain(question.id), id_width), title, found, earned)
        return
    yield line(fit(plain(question.id), id_width), fit(plain(question.title), width - id_width))
    indent = min(id_width, 4)
    told_width = width - indent - max(10, cells(mark))
    told = fit(told, min(_TOLD_WIDTH, told_width) - 1) + " "
    yield line(" " * indent, StyledText(told, question.wording.tone), StyledText(mark, question.tone))


def _group_line(group: GroupView, id_width: int, width: int, is_partial: bool) -> Iterator[Line]:
    """Yield the lines of a group, below its question; the rule follows where marks are lost.

    is_partial: marking has more cases, so that neither rule nor mark can be told.
    """
    rule = f": {group.rule}" if group.tone is not Tone.GOOD and not is_partial else ""
    mark = f"{group.mark} {say('of {mark}', mark=group.max_mark)}" if group.max_mark else group.mark
    mark = "" if is_partial else mark
    text_width = max(20, width - id_width - 16)
    *first, last = wrapped(f"{plain(group.name)} {group.count}".rstrip() + rule, text_width, indent="  ")
    for part in first:
        yield line(" " * id_width, StyledText(fit(part, text_width), Tone.IDLE))
    yield line(
        " " * id_width,
        StyledText(fit(last, text_width), Tone.IDLE),
        "  ",
        StyledText(fit(mark, 14), group.tone),
    )


def _breakdown_lines(lines: Sequence[BreakdownLine], width: int) -> Iterator[Line]:
    """Yield what follows the questions, whose marks stand above already, with their sum as shown."""
    if not lines:
        return
    of_questions = [entry for entry in lines if entry.is_question]
    summed = BreakdownLine(say("Sum of the questions"), short_number(shown_sum(of_questions)))
    set_by_people = [entry for entry in of_questions if entry.reason]
    for entry in (*set_by_people, summed, *(entry for entry in lines if not entry.is_question)):
        reason = f": {plain(entry.reason)}" if entry.reason else ""
        text = f"{plain(entry.label)} {entry.amount}{reason}"
        yield from (line(StyledText(part, Tone.IDLE)) for part in wrapped(text, width, indent="  "))


def case_lines(case: CaseResult) -> Iterator[Line]:
    """Yield feedback on one case, for those who may see it."""
    yield from _case_lines(case_view(case), 80)


def _case_lines(case: CaseView, width: int) -> Iterator[Line]:
    yield line(
        StyledText(f"{plain(case.id)}  ", strong=True),
        StyledText(case.word, Tone(case.tone), strong=True),
        StyledText(f"  {case.meta}", Tone.IDLE),
    )
    # The call is at the left margin and unbroken, so that it can be pasted into Python.
    yield line(_one_line(case.call))
    message = str(_message(case))
    for fact in case.facts:
        yield from fact_lines(fact, width, message)


def fact_lines(fact: Fact, width: int, told: str = "") -> Iterator[Line]:
    """Yield one fact about a case; the call is not repeated.  told: the message that stands above."""
    label = _label(_LABELS.get(fact.label, fact.label))
    if cells(label) >= _LABEL_WIDTH and fact.label != "What happened":
        yield line(StyledText(f"  {plain(label)}", Tone.IDLE))
        label = ""
    match fact.content:
        case Pair() as pair:
            yield from _pair_lines(pair)
        case DifferenceView(where, code, pair):
            place = plain(f"{where} ({code})" if where and code else where or code)
            if fact.label == "What happened":
                yield from (line("  ", part) for part in wrapped(place, width - 2) if place)
            else:
                yield line(label_of(label), place)
            yield from _pair_lines(pair)
        case FrameView() as frame:
            yield from _frame_lines(label, frame)
        case RaisedView() as raised:
            yield from _raised_lines(label, raised, told)
        case DialogueView(turns):
            yield from _dialogue_lines(label, turns)
        case FindingsView() as findings:
            yield from _finding_lines(label, findings, width)
        case StepsView(steps):
            yield from _step_lines(label, steps, width)
        case text if fact.kind == "output":
            yield from _output_lines(label, text)
        case text if fact.kind == "text":
            yield from (line("  ", part) for part in wrapped(_one_line(text), width - 2))
        case text if fact.kind in ("hint", "time"):
            for number, part in enumerate(wrapped(_one_line(text), width - _LABEL_WIDTH - 2)):
                yield line(label_of("" if number else label), part)
        case text if fact.kind != "call":
            # The value is not wrapped, so that two values stand below one another and can be pasted.
            yield line(label_of(label), _one_line(text, _VALUE_LIMIT))


def _label(text: str) -> str:
    """Return a label in the language that is spoken; an English one is in small letters."""
    return text.lower() if is_english() else say(text)


def rule_lines(rule: RuleView, width: int) -> Iterator[Line]:
    yield line(
        StyledText(f"{LETTERS[rule.tone]} {say('rule')} ", rule.tone, strong=True),
        StyledText(rule.word, rule.tone, strong=True),
        f"  {plain(rule.rule)}",
    )
    for text in (rule.effect, rule.note):
        yield from (line("  ", part) for part in wrapped(plain(text), width - 2) if text)
    yield from _finding_lines(_label("Where"), rule.findings, width)
    if rule.hint:
        yield line(label_of(_label("Hint")), plain(rule.hint))
    yield line()


def _finding_lines(label: str, findings: FindingsView, width: int) -> Iterator[Line]:
    for place, message, source, _ in findings.found:
        for part in wrapped(f"{plain(place)}: {plain(message)}", width - _LABEL_WIDTH - 2):
            yield line(label_of(label), part)
            label = ""
        if source:
            yield line(label_of(""), "    ", plain(source))
    if findings.more:
        yield line(label_of(""), StyledText(f"({say('{n} more', n=findings.more)})", Tone.IDLE))


def _dialogue_lines(label: str, turns: tuple[TurnView, ...]) -> Iterator[Line]:
    """Yield the last turns: the program's text after a bar, the answers to it after an angle bracket."""
    shown = turns[-_LAST_TURNS:]
    if len(shown) < len(turns):
        yield line(label_of(label), StyledText(say("(from turn {n} on)", n=shown[0].number), Tone.IDLE))
        label = ""
    for turn in shown:
        said, _, _ = _shortened(turn.said, _OUTPUT_LIMIT)
        tone = Tone.BAD if turn.wrong else None
        for content in plain(said, multiline=True).removesuffix("\n").split("\n") if said else ():
            yield line(label_of(label), StyledText("| ", tone), StyledText(content, tone))
            label = ""
        answer = (
            StyledText(plain(turn.answer), strong=True)
            if turn.is_line
            else StyledText(turn.answer, Tone.IDLE)
        )
        wrong = StyledText(f"  {say('not as expected')}", Tone.BAD) if turn.wrong else ""
        yield line(label_of(label), StyledText("> ", Tone.IDLE), answer, wrong)
        label = ""


def _step_lines(label: str, steps: tuple[StepView, ...], width: int) -> Iterator[Line]:
    for number, (step, more) in enumerate(runs_of_steps(steps)):
        mark = StyledText(f"{LETTERS[Tone(step.tone)]} ", Tone(step.tone))
        others = StyledText(f"  {say('and')} {counted(more, 'more step')}", Tone.IDLE) if more else ""
        yield line(label_of("" if number else label), mark, _one_line(step.text, _VALUE_LIMIT), others)
        for part in wrapped(_one_line(step.note), width - _LABEL_WIDTH - 6) if step.note else ():
            yield line(label_of(""), "    ", part)


def _pair_lines(pair: Pair) -> Iterator[Line]:
    for label, part in ((say("expected"), pair.expected), (say("answer"), pair.actual)):
        pieces = enumerate(map(plain, part))
        yield line(label_of(label), *(StyledText(piece, strong=number % 2 == 1) for number, piece in pieces))
    yield line(label_of(""), _carets(pair.actual))


def _carets(part: Part) -> str:
    """Return a line of blanks with carets below what is marked, at least one."""
    *pieces, _ = map(cells, map(plain, part))
    marks = [
        (" " if number % 2 == 0 else "^") * (min(length, 60) if number % 2 else length)
        for number, length in enumerate(pieces)
    ]
    return "".join(marks) if any(pieces[1::2]) else "".join(marks) + "^"


def _raised_lines(label: str, raised: RaisedView, told: str) -> Iterator[Line]:
    if not _says(told, raised):
        yield line(label_of(label), _one_line(raised.title, _VALUE_LIMIT))
        label = ""
    elif raised.frames:
        label = "where"
    for index, frame in enumerate(raised.frames):
        if raised.left_out and index == len(raised.frames) // 2:
            left_out = many(raised.left_out, "{n} line left out", "{n} lines left out")
            yield line(label_of(""), StyledText(f"({left_out})", Tone.IDLE))
        yield from _frame_lines(label, frame)
        label = ""


def _frame_lines(label: str, frame: FrameView) -> Iterator[Line]:
    often = say("again and again") if frame.times == AGAIN else say("{n} times", n=frame.times)
    times = f" ({often})" if frame.times != 1 else ""
    yield line(label_of(label), plain(frame.place), times)
    if frame.source:
        yield line(label_of(""), "    ", plain(frame.source))
    if frame.end:
        before, marked = plain(frame.source[: frame.start]), plain(frame.source[frame.start : frame.end])
        yield line(label_of(""), "    ", " " * cells(before) + "^" * max(1, cells(marked)))


def _says(told: str, raised: RaisedView) -> bool:
    """Tell whether the message above names the exception, or says in other words what it is."""
    title = raised.title if isinstance(raised.title, str) else raised.title.head
    kind, _, message = title.partition(": ")
    return title in told or (bool(message) and message in told) or kind in _IN_OTHER_WORDS


def _output_lines(label: str, output: str | Excerpt) -> Iterator[Line]:
    shown, cut, _ = _shortened(output, _OUTPUT_LIMIT)
    lines = plain(shown, multiline=True).rstrip("\n").split("\n")
    for number, content in enumerate(lines[:_OUTPUT_LINES]):
        yield line(label_of("" if number else label), "| ", content)
    if cut or len(lines) > _OUTPUT_LINES:
        yield line(label_of(""), StyledText(f"| {say('(there is more)')}", Tone.IDLE))


def label_of(text: str) -> StyledText:
    """Return a label in its column; an empty one continues the line before."""
    return StyledText("  " + fit(text, _LABEL_WIDTH), Tone.IDLE)


def _one_line(text: str | Excerpt, limit: int = VALUE_LIMIT) -> str:
    head, cut, tail = _shortened(text, limit)
    if not cut:
        return plain(head)
    return f"{plain(head)} … {many(cut, '{n} character left out', '{n} characters left out')} … {plain(tail)}"


def _shortened(text: str | Excerpt, limit: int) -> Excerpt:
    if isinstance(text, str):
        text = excerpt(text, limit)
    if isinstance(text, str):
        return Excerpt(text, 0, "")
    head = text.head[: limit - limit // 4]
    tail = text.tail[max(0, len(text.tail) - limit // 4) :]
    return Excerpt(head, text.cut + len(text.head) - len(head) + len(text.tail) - len(tail), tail)

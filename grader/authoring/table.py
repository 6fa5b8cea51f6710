"""The lines of a round in the terminal: a row for each program, then what was not expected."""

from collections.abc import Iterator, Sequence

from grader.authoring.trial import Surprise, TrialRound
from grader.model.results import CaseResult, QuestionResult, SubmissionResult
from grader.reports.escape import plain
from grader.reports.terminal.lines import LETTERS, Line, StyledText, cells, fit, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.wording import counted, share_tone, short_number, verdict_wording

_MOST_SURPRISES = 12
_LONGEST_MESSAGE = 300
_NAME_WIDTH = 32
_MARK_WIDTH = 12
_SMALLEST_ROOM = 20


def tried_lines(tried: TrialRound, width: int) -> Iterator[Line]:
    """Yield the table of a round, then the surprises, each program's first ones.

    width: columns of the terminal; at least 40 are used.
    """
    width = max(width, 40)
    task = tried.task
    count = counted(len(tried.results), "program")
    yield line(StyledText(plain(task.id), strong=True), f": {count}, {counted(len(task.cases), 'case')}")
    yield line()
    name_width = min(_NAME_WIDTH, 2 + max(cells(plain(program.name)) for program, _ in tried.results))
    for program, result in tried.results:
        yield from _row(plain(program.name), result, name_width, width)
    yield line()
    for part in wrapped(
        "+ accepted   ~ partly   - not accepted   . not run   ! our or the spec's fault", width
    ):
        yield line(StyledText(part, Tone.IDLE))
    yield line()
    if not tried.surprises:
        yield line(StyledText("Every program gets what it should.", Tone.GOOD))
        return
    for surprise in tried.surprises[:_MOST_SURPRISES]:
        yield from _surprise(surprise, width)
    more = len(tried.surprises) - _MOST_SURPRISES
    yield line(f"{counted(len(tried.surprises), 'surprise')}" + (f", {more} not shown" if more > 0 else ""))


def _row(name: str, result: SubmissionResult, name_width: int, width: int) -> Iterator[Line]:
    """Yield a program's name and mark, and its questions on as many lines as they need."""
    mark = f"{short_number(result.mark)} of {short_number(result.max_mark)}"
    tone = share_tone(result.mark, result.max_mark)
    indent = name_width + _MARK_WIDTH
    head = [StyledText(fit(name, name_width - 2) + "  "), StyledText(fit(mark, _MARK_WIDTH), tone)]
    if width - indent < _SMALLEST_ROOM:
        yield tuple(head)
        head, indent = [StyledText("  ")], 2
    for packed in _packed(result.questions, width - indent):
        yield (*head, *packed)
        head = [StyledText(" " * indent)]


def _packed(questions: Sequence[QuestionResult], room: int) -> Iterator[list[StyledText]]:
    """Yield the questions' verdicts, as many questions on a line as there is room for."""
    taken, packed = 0, list[StyledText]()
    for question in questions:
        spans = [StyledText(f"{plain(question.id)} "), *map(_letter, question.cases)]
        spans.append(
            StyledText(f" {short_number(question.mark)}   ", share_tone(question.mark, question.max_mark))
        )
        length = sum(cells(span.text) for span in spans)
        if packed and taken + length - 3 > room:
            yield packed
            taken, packed = 0, []
        taken += length
        packed += spans
    yield packed


def _letter(case: CaseResult) -> StyledText:
    tone = verdict_wording(case.verdict).tone
    return StyledText(LETTERS[tone], tone)


def _surprise(surprise: Surprise, width: int) -> Iterator[Line]:
    where = f" {plain(surprise.case)}" if surprise.case else ""
    for number, part in enumerate(
        wrapped(f"{plain(surprise.program)}{where} {plain(surprise.problem)}", width)
    ):
        yield line(StyledText(part, Tone.BAD, strong=not number))
    if surprise.call:
        yield from (line("  ", part) for part in wrapped(_short(surprise.call), width - 2))
    if surprise.message:
        yield from (
            line("  ", StyledText(part, Tone.IDLE)) for part in wrapped(_short(surprise.message), width - 2)
        )
    yield line()


def _short(text: str) -> str:
    text = plain(text)
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 1]}…"

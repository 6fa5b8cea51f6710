"""A validation in the terminal: the result and what to do first, then what each question lacks.

Texts come from the spec and its reference, and go through `escape.plain` as all others do.
"""

from collections.abc import Iterable, Iterator

from grader.model.validation import Gravity, Remark, Survivor, Validation
from grader.reports.escape import plain
from grader.reports.terminal.lines import LETTERS, Line, StyledText, cells, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.validation import (
    TONES,
    QuestionPart,
    check_views,
    first_steps,
    question_parts,
    score_of,
    verdict_of,
)
from grader.reports.views.wording import counted

_MOST_SURVIVORS = 5
_MOST_DETAILS = 4
_LONGEST = 240


def validation_lines(validation: Validation, width: int = 80, page: str = "") -> Iterator[Line]:
    """Yield the result of a validation.

    width: columns of the terminal; at least 40 are used.  page: where everything is, for what is left out.
    """
    width = max(width, 40)
    text, tone = verdict_of(validation)
    yield line(StyledText(plain(validation.title), strong=True), f" ({plain(validation.task)})")
    yield from _wrapped(f"{LETTERS[tone]} {text}", width, tone)
    yield from _wrapped(score_of(validation), width)
    yield line()
    steps = list(first_steps(validation))
    for number, step in enumerate(steps, 1):
        yield from _wrapped(f"{number}. {plain(step)}", width, indent="   ")
    if steps:
        yield line()
    for check in check_views(validation):
        done = f": {check.done}" if check.done else ""
        yield from _wrapped(f"{LETTERS[check.tone]} {check.words}{done}", width, check.tone, indent="  ")
    for part in question_parts(validation):
        if not part.is_quiet:
            yield line()
            yield from _part_lines(part, width)
    quiet = [part for part in question_parts(validation) if part.is_quiet and part.id]
    if quiet:
        yield line()
        names = ", ".join(plain(part.id) for part in quiet)
        questions = "question" if len(quiet) == 1 else "questions"
        yield from _wrapped(f"Nothing to mend in {questions} {names}.", width)
    notes = sum(remark.gravity is Gravity.NOTE for remark in validation.remarks)
    if notes:
        where = f" in {plain(page)}" if page else ""
        yield from _wrapped(f"{counted(notes, 'note')}{where}.", width)


def _part_lines(part: QuestionPart, width: int) -> Iterator[Line]:
    name = f"Question {plain(part.id)}" if part.id else plain(part.title)
    title = f" {plain(part.title)}" if part.id and part.title not in ("", part.id) else ""
    score = f": {part.score}" if part.score else ""
    for text in wrapped(f"{name}{title}{score}", width, indent="  "):
        yield line(StyledText(text, part.tone if part.survivors else None, strong=True))
    for remark in part.remarks:
        if remark.gravity is not Gravity.NOTE:
            yield from _remark_lines(remark, width)
    shown = part.survivors[:_MOST_SURVIVORS]
    if shown:
        yield line("  These mutants pass:")
    pasted: dict[tuple[str, ...], int] = {}
    for number, survivor in enumerate(shown, 1):
        case = survivor.distinction.lines if survivor.distinction else ()
        yield from _survivor_lines(number, survivor, width, pasted.get(case, 0))
        pasted.setdefault(case, number)
    if part.unsure:
        words = f"~ {counted(len(part.unsure), 'more mutant')} to decide about on the page: "
        words += "both answers may be right, the input is unusual, or it is only slow"
        yield from _wrapped(words, width, Tone.PART, indent="    ", start="  ")
    if len(part.survivors) > len(shown):
        yield line(f"  and {counted(len(part.survivors) - len(shown), 'more mutant')} on the page")


def _remark_lines(remark: Remark, width: int) -> Iterator[Line]:
    about = f"{plain(remark.case)}: " if remark.case else ""
    tone = TONES[remark.gravity]
    first, *rest = wrapped(f"{about}{plain(_cut(remark.text))}", width - 4)
    yield line("  ", StyledText(f"{LETTERS[tone]} ", tone, strong=True), first)
    yield from (line("    ", text) for text in rest)
    for label, text in remark.details[:_MOST_DETAILS]:
        yield from _wrapped(
            f"{plain(_cut(label))}: {plain(_cut(text))}", width, indent="        ", start="      "
        )
    if len(remark.details) > _MOST_DETAILS:
        yield line(f"      and {len(remark.details) - _MOST_DETAILS} more")
    if remark.place:
        yield line(StyledText(f"      at {plain(remark.place)}", Tone.IDLE))
    if remark.hint:
        yield from _wrapped(f"hint: {plain(remark.hint)}", width, Tone.IDLE, indent="      ", start="    ")


def _survivor_lines(number: int, survivor: Survivor, width: int, same: int) -> Iterator[Line]:
    """Yield a mutant, and the case that catches it.  same: the mutant that has the case; 0: this one."""
    mutant, found = survivor.mutant, survivor.distinction
    yield from _wrapped(
        f"{number}. {plain(mutant.place)} ({plain(mutant.operator)})", width, indent="     ", start="  "
    )
    for sign, text, tone in (("-", mutant.before, Tone.BAD), ("+", mutant.after, Tone.GOOD)):
        for each in text.split("\n"):
            yield line("     ", StyledText(f"{sign} {plain(each)}", tone))
    if same:
        yield line(StyledText(f"     the case of {same} catches it too", Tone.IDLE))
    elif found:
        for label, text in (("for", found.call), ("reference", found.reference), ("mutant", found.mutant)):
            yield line(StyledText(f"     {label:<10}", Tone.IDLE), plain(_cut(text)))
        yield line(StyledText("     add this case:", Tone.IDLE))
        # Unbroken, so that it can be pasted into the spec.
        yield from (line("      ", plain(each)) for text in found.lines for each in text.split("\n"))


def _wrapped(
    text: str, width: int, tone: Tone | None = None, *, indent: str = "", start: str = ""
) -> Iterable[Line]:
    """Yield a text in lines.  start: before the first one; indent: before the others."""
    first, *rest = wrapped(text, width - max(cells(start), cells(indent)))
    yield line(start, StyledText(first, tone))
    yield from (line(indent, StyledText(each, tone)) for each in rest)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"

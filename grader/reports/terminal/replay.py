"""A case that ran again, for the staff in the terminal: what came, all that it printed, the comparison."""

from collections.abc import Iterator, Sequence

from grader.model.results import CaseResult
from grader.model.verdict import Verdict
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, line, wrapped
from grader.reports.terminal.student import fact_lines, label_of
from grader.reports.tone import Tone
from grader.reports.views.case.case import case_view
from grader.reports.views.excerpt import Excerpt, excerpt
from grader.reports.views.wording import verdict_wording

_OUTPUT_LIMIT = 20_000


def replayed_lines(student: str, case: CaseResult, width: int = 80) -> Iterator[Line]:
    """Yield what a case did."""
    view = case_view(case, staff=True)
    yield line(
        StyledText(f"{plain(student)}, case {plain(view.id)}: ", strong=True),
        StyledText(view.word, Tone(view.tone), strong=True),
    )
    yield line("  ", plain(view.heading))
    for fact in view.facts:
        if fact.kind != "output":
            yield from fact_lines(fact, width)
    yield from _output("stdout", case.stdout)
    yield from _output("stderr", case.stderr)
    yield line(label_of("used"), plain(view.measured) or "nothing: it did not run")


def _output(label: str, text: str) -> Iterator[Line]:
    if not text:
        yield line(label_of(label), StyledText("(nothing)", Tone.IDLE))
        return
    shown = excerpt(text, _OUTPUT_LIMIT)
    parts = [shown] if isinstance(shown, str) else _cut(shown)
    for part in parts:
        for row in plain(part, multiline=True).removesuffix("\n").split("\n"):
            yield line(label_of(label), "| ", row)
            label = ""


def _cut(text: Excerpt) -> list[str]:
    return [text.head, f"… {text.cut} characters left out …", text.tail]


def compared_lines(
    before: CaseResult,
    after: CaseResult,
    conditions: Sequence[tuple[str, str, str]],
    width: int = 80,
    elsewhere: Sequence[str] | None = None,
) -> Iterator[Line]:
    """Yield how a case compares with what was recorded, and the conditions that are not the same.

    conditions: name, and what it was and is now.  elsewhere: where the case's id means another call by now,
    the ids of the cases that make the recorded call.
    """
    word = verdict_wording(after.verdict)
    if elsewhere is not None:
        tone = Tone.BAD
        text = _other_case(before, after, elsewhere)
    elif before.verdict == after.verdict:
        what = _other_than_verdict(before, after)
        tone = Tone.PART if what else Tone.GOOD
        text = f"The same verdict as recorded: {word.word}" + (f", with {what}." if what else ".")
    elif before.verdict is Verdict.SKIPPED:
        tone = Tone.GOOD
        text = f"There is no verdict to compare with ({before.message}).  By itself the case is: {word.word}."
    else:
        tone = Tone.BAD
        text = f"Another verdict than recorded: {verdict_wording(before.verdict).word} -> {word.word}."
    yield from (line(StyledText(part, tone, strong=True)) for part in wrapped(plain(text), width))
    for name, was, now in conditions:
        yield line(f"  {plain(name)} changed:")
        yield line(f"    {plain(was) or '(unknown)'}")
        yield line(f"    -> {plain(now) or '(unknown)'}")
    if not conditions and tone is not Tone.GOOD:
        reason = (
            "Spec, submission, Python, sandbox and grader are the same as in the run: the program answers "
            "differently from time to time, or a limit is near."
        )
        yield from (line("  ", part) for part in wrapped(reason, width - 2))


def _other_case(before: CaseResult, after: CaseResult, elsewhere: Sequence[str]) -> str:
    found = f"; that is {' and '.join(elsewhere)} there" if elsewhere else ""
    was, now = (" ".join(each.call.split()) for each in (before, after))
    return (
        f"{after.id} is another case in this spec: {now}.  Nothing is compared.  The run recorded {was}, "
        f"{verdict_wording(before.verdict).word}{found}."
    )


def _other_than_verdict(before: CaseResult, after: CaseResult) -> str:
    pairs = (
        ("another answer", before.actual, after.actual),
        ("another score", before.score, after.score),
        ("another message", before.message, after.message),
        ("other output", before.stdout, after.stdout),
    )
    return next((what for what, was, now in pairs if was != now), "")

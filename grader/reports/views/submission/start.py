"""The box under a mark: how many questions lose marks, and where to start reading or mending."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grader.judge.messages import UNDER_MAIN, is_out_of_input
from grader.model.results import CaseResult, Raised, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.tone import Tone
from grader.reports.views.anchor import case_anchor
from grader.reports.views.case.causes import Key, cause_of, last_frame, marked_stretch, sentence
from grader.reports.views.handed_in import of_files
from grader.reports.views.submission.question import QuestionView, blocked
from grader.reports.views.wording import counted
from grader.reports.words import many, say
from grader.reports.written_pages import question_anchor

ACCOUNT = "account"
"""The anchor of the arithmetic."""

_SOURCE_LIMIT = 200
_TEXT_LIMIT = 600
_MOST_LOADS = 5


class LoadView(NamedTuple):
    """A module that does not load, or a file that is missing.

    title: what is wrong.  place: the line; empty if it is not known.  source: that line.
    caret: blanks and the signs that point at the code; empty without a source.
    reason: the exception or the message.
    """

    title: str
    place: str
    source: str
    caret: str
    reason: str


class StartView(NamedTuple):
    """The box.

    lead: how many questions lose marks.  loads: modules that do not load; then nothing else is named.
    anchor, label, text: the first fault; `anchor` is empty where there is nothing to go to.
    """

    tone: Tone
    lead: str
    loads: tuple[LoadView, ...] = ()
    blocked: str = ""
    anchor: str = ""
    label: str = ""
    text: str = ""


def start_view(submission: SubmissionResult, questions: Sequence[QuestionView]) -> StartView | None:
    """Return the box; None where nothing was handed in or no question has its mark yet."""
    decided = [view for view in questions if not view.waits and not view.bonus]
    if submission.status is Status.NO_SUBMISSION or not questions:
        return None
    losing = [view for view in decided if view.loses]
    if not losing:
        return _nothing_lost(submission, questions)
    lead = many(
        len(losing),
        "{n} of {questions} loses marks.",
        "{n} of {questions} lose marks.",
        questions=counted(len(questions), "question"),
    )
    loads = tuple(_loads(submission))
    if loads:
        return StartView(Tone.BAD, lead, loads, _blocked_sentence(submission))
    tone = Tone.PART if any(view.tone is not Tone.BAD for view in questions) else Tone.BAD
    for view in losing:
        for part in view.parts:
            if part.opens and part.wording.tone is not Tone.IDLE:
                case = part.shown[0]
                text = case.reason or case.word
                return StartView(tone, lead, anchor=case_anchor(case.id), label=case.id, text=text)
    first = losing[0]
    text = (
        say("only hidden cases fail") if first.cases and first.wording.tone is not Tone.GOOD else first.title
    )
    return StartView(
        tone, lead, anchor=question_anchor(first.number), label=say("question {id}", id=first.id), text=text
    )


def _nothing_lost(submission: SubmissionResult, questions: Sequence[QuestionView]) -> StartView | None:
    if any(view.waits for view in questions):
        return None
    if submission.mark < submission.max_mark:
        lead = say("No question loses marks.")
        return StartView(
            Tone.PART,
            lead,
            anchor=ACCOUNT,
            label=say("How the mark comes about"),
            text=say("what was taken off, and why"),
        )
    return StartView(Tone.GOOD, say("Every question has its full mark."))


# -- modules that do not load ------------------------------------------------------------------------


def _loads(submission: SubmissionResult) -> Iterator[LoadView]:
    """Yield a view for each module that does not load, each reason once."""
    told: set[Key] = set()
    for case in submission.cases:
        if case.verdict != Verdict.LOAD_ERROR or case.withheld:
            continue
        key = cause_of(case).key
        if key not in told and len(told) < _MOST_LOADS:
            told.add(key)
            yield _load_view(case)


def _load_view(case: CaseResult) -> LoadView:
    frame = last_frame(case)
    if case.raised is None or frame is None:
        text = sentence(case)[:_TEXT_LIMIT].removeprefix("the module could not be loaded: ")
        said = of_files(text)
        title = type(said)(said[:1].upper() + said[1:]) if text else say("A module does not load")
        return LoadView(title, "", "", "", "")
    file = frame.file[:_SOURCE_LIMIT]
    source = frame.source.strip()[:_SOURCE_LIMIT]
    start, end = marked_stretch(frame, source)
    return LoadView(
        title=say("{file} does not load", file=file),
        place=say("line {n}", n=frame.line),
        source=source,
        caret=" " * start + "^" * (end - start) or _caret(source, case.raised.message[:_TEXT_LIMIT]),
        reason=_reason(case.raised, f" ({file}, line {frame.line})"),
    )


def _reason(raised: Raised, place: str) -> str:
    """Return an exception without the place that Python adds to a syntax error; the box has it already.

    What asks for input, or ends the program, is told in words.
    """
    if is_out_of_input(raised):
        return say("It asks for input while it is imported: put that part under {main}", main=UNDER_MAIN)
    if raised.type_name == "SystemExit":
        return say("It ends the program while it is imported: put that part under {main}", main=UNDER_MAIN)
    message = raised.message[:_TEXT_LIMIT].removesuffix(place)
    return f"{raised.type_name[:_SOURCE_LIMIT]}: {message}" if message else raised.type_name[:_SOURCE_LIMIT]


def _caret(source: str, message: str) -> str:
    """Return signs under the word that the message quotes first, or under all of the line.

    Only the column of a syntax error is recorded; of another exception, only a word that stands there once is
    taken for the place.
    """
    quoted = message.split("'")[1:2]
    if quoted and quoted[0] and source.count(quoted[0]) == 1:
        return " " * source.index(quoted[0]) + "^" * len(quoted[0])
    return "^" * len(source)


def _blocked_sentence(submission: SubmissionResult) -> str:
    counts = [len(blocked(question.cases)) for question in submission.questions]
    concerned = sum(count > 0 for count in counts)
    return many(
        sum(counts),
        "{n} case of {questions} could not run. Mend this first.",
        "{n} cases of {questions} could not run. Mend this first.",
        questions=counted(concerned, "question"),
    )

"""Judges a program by its dialogue, its output, its files and its exit code."""

from dataclasses import dataclass, replace
from fractions import Fraction

from grader.judge import traces
from grader.judge.checks import judge_check
from grader.judge.endings import BROKEN_OFF, judge_ending
from grader.judge.expected_text import literal_text, shown_text
from grader.judge.files import cut, unlike_files, unlike_text
from grader.judge.finding import Checkers, Expected, Finding, OwnFault
from grader.judge.messages import (
    TEXT_LIMIT,
    is_of_text,
    is_out_of_input,
    place_of,
    raised_message,
    syntax_message,
    without_place,
)
from grader.kinds.program.transcript import last_words
from grader.kinds.program.turns import missing_turn, said_in, unlike_turn
from grader.model.case import Case, Produces, ProgramRun, Text
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.own_code import Validator
from grader.model.results import Difference
from grader.model.verdict import Verdict
from grader.values.show import safe_line
from grader.wire.byte_text import text_of

_EXIT_CODE = "exit code"
_STUCK = "asked for input while its partner waited for more words: is a line, or its end, missing?"


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a program that ended by itself.

    files: the files that it left, by name; None if they are not known.
    raised: the exception that ended it.
    """

    exit_code: int
    files: dict[str, bytes] | None
    raised: RaisedAnswer | None = None


def judge_program(
    case: Case, run: ProgramRun, outcome: Outcome, expected: Expected | None, oracle: Checkers
) -> Finding:
    """Return the finding on a program.  Raises `OwnFault` and `CheckFailed`."""
    finding = _judge_end(run, outcome, expected, oracle)
    if finding is not None:
        return finding
    finding = judge_ending(case, outcome)
    if outcome.ending in BROKEN_OFF:
        return _with_what_was_due(finding, run, outcome, expected)
    return finding


def _judge_end(
    run: ProgramRun, outcome: Outcome, expected: Expected | None, oracle: Checkers
) -> Finding | None:
    """Return the finding on a program; None if a forced end decides the verdict."""
    wanted = run.expect
    reference = _reference_outcome(run, expected)
    # After unexpected words a program gets the end of its input, so its later actions only follow from that.
    find = oracle.find_in_text
    found = unlike_turn(run, outcome, reference, find)
    if found is not None:
        return found
    found = _unlike_partner(outcome, at_once=True)
    if found is not None:
        return found
    if outcome.ending is Ending.STOPPED:
        # All turns are right, and the last one asked for this end.
        is_due = len(outcome.dialogue) == len(run.dialogue) and run.dialogue[-1:] and run.dialogue[-1].stops
        return Finding(verdict=Verdict.ACCEPTED, score=Fraction(1)) if is_due else _invalid()
    if outcome.ending is Ending.MISSING:
        return _invalid()
    if outcome.ending not in (Ending.ANSWERED, Ending.EXITED):
        return None
    end = _end(run, outcome)
    if end is None:
        return _invalid() if outcome.ending is Ending.ANSWERED else None
    found = _raised(end, wanted)
    if found is not None and found.verdict is not Verdict.LOAD_ERROR:
        found = _with_what_was_due(found, run, outcome, expected)
    found = found or missing_turn(run, outcome, reference, find)
    found = found or _unlike_output(run, outcome, reference, oracle)
    partly, found = (found, None) if found is not None and found.score else (None, found)
    found = found or _unlike_errors(wanted, end, outcome, reference, oracle) or _unlike_exit(end, wanted)
    if found is None:
        model = _end(run, reference) if reference is not None else None
        of_reference = model.files if model is not None else None
        found = unlike_files(run.keeps, wanted.files, end.files, of_reference, "the program", find)
    if found is not None:
        return _as_failure(found, end, wanted)
    found = partly or Finding(verdict=Verdict.ACCEPTED, score=Fraction(1))
    if run.check is not None:
        checked = replace(judge_check(run.check, _for_checker(outcome, end), oracle), actual="")
        return min(checked, found, key=lambda each: each.score)
    return found


def _as_failure(found: Finding, end: _End, wanted: Produces) -> Finding:
    """Return a finding as a run-time error if the program itself said that it failed, with its exit code.

    Other words in a turn stay a wrong answer: the program then got the end of its input, and fails of that.
    """
    if found.verdict is not Verdict.WRONG_ANSWER or not end.exit_code or _unlike_exit(end, wanted) is None:
        return found
    told = f"; it ended with exit code {end.exit_code}"
    about_it = found.difference is not None and found.difference.where == _EXIT_CODE
    return replace(found, verdict=Verdict.RUNTIME_ERROR, message=found.message + ("" if about_it else told))


def _invalid() -> Finding:
    return Finding(
        verdict=Verdict.CRASHED, message="there is no valid answer (it wrote to the answer channel)"
    )


def _reference_outcome(run: ProgramRun, expected: Expected | None) -> Outcome | None:
    """Return the outcome of the reference if the case compares with it.  Raises `OwnFault`."""
    if not asks_reference(run):
        return None
    if expected is None or expected.failure or expected.outcome is None:
        raise OwnFault((expected and expected.failure) or "the reference was not run")
    return expected.outcome


def asks_reference(run: ProgramRun) -> bool:
    """Tell whether any part of the expectation must be the same as the reference's."""
    return any(text.asks_reference for text in compared_texts(run))


def compared_texts(run: ProgramRun) -> list[Text]:
    """Return the texts with which words, output and files are compared."""
    wanted = run.expect
    texts = [wanted.stdout, wanted.stderr, *(text for _, text in wanted.files)]
    texts += [exchange.says for exchange in run.dialogue]
    return [text for text in texts if text is not None]


# -- the end -----------------------------------------------------------------------------------------


def _end(run: ProgramRun, outcome: Outcome) -> _End | None:
    """Return the program's end; None if there is no valid evidence of it."""
    if outcome.ending is Ending.EXITED:
        # The program called os._exit, or is none in Python, so its files are not known.
        code = outcome.exit_status
        if code is None or run.keeps:
            return None
        return _End(code, None, traces.exception_in(outcome.stderr) if code == traces.STATUS else None)
    match outcome.answers:
        case (Returned(value={"exit_code": int() as code, "files": dict() as files, **others}),) if (
            not others
        ):
            raised = None
        case (
            Returned(value={"exit_code": int() as code, "files": dict() as files, **others}),
            RaisedAnswer() as raised,
        ) if not others:
            pass
        case _:
            return None
    if type(code) is not int or not 0 <= code <= 255 or not _are_files(files, run.keeps):
        return None
    return _End(code, files, raised)


def _are_files(files: dict[object, object], names: tuple[str, ...]) -> bool:
    return all(name in names and type(content) is bytes for name, content in files.items())


def _raised(end: _End, wanted: Produces) -> Finding | None:
    if end.raised is None:
        return None
    frames = end.raised.raised.frames
    if "SyntaxError" in end.raised.bases and len(frames) == 1 and is_of_text(end.raised.raised):
        # No code of the program ran: an error in text that it compiles itself has a line of the program above
        # it.
        raised = end.raised.raised
        return Finding(
            verdict=Verdict.LOAD_ERROR, message=syntax_message(raised), raised=without_place(raised)
        )
    if wanted.exit_code != 0:
        return None
    verdict = Verdict.MEMORY_LIMIT if "MemoryError" in end.raised.bases else Verdict.EXCEPTION
    raised = end.raised.raised
    if is_out_of_input(raised):
        message = f"asked for input once more than there is{place_of(raised)}"
    else:
        message = raised_message(end.raised)
    return Finding(verdict=verdict, message=message, raised=raised)


def _with_what_was_due(
    found: Finding, run: ProgramRun, outcome: Outcome, expected: Expected | None
) -> Finding:
    """Return a finding on a program that broke off, with what it was to print next, or a file to leave.

    It stays as it is where neither is known.
    """
    wanted = run.expect
    try:
        reference = _reference_outcome(run, expected)
        number = len(outcome.dialogue)
        if number < len(run.dialogue):
            says = run.dialogue[number].says
            text = cut(shown_text(says, said_in(reference, number))) if says is not None else ""
            return replace(found, expected_print=text)
        if wanted.stdout is not None and run.validator is None:
            text = shown_text(wanted.stdout, last_words(reference) if reference else None)
            return replace(found, expected_print=cut(text))
        for name, left in wanted.files:
            text = shown_text(left, _left_by(run, reference, name))
            return replace(found, expected=cut(f"file {name}: {text}"))
    except OwnFault:
        pass
    return found


def _unlike_exit(end: _End, wanted: Produces) -> Finding | None:
    if wanted.exit_code is None or end.exit_code == wanted.exit_code:
        return None
    return Finding(
        verdict=Verdict.WRONG_ANSWER,
        message=f"{_EXIT_CODE}: expected {wanted.exit_code}, got {end.exit_code}",
        difference=Difference(_EXIT_CODE, str(wanted.exit_code), str(end.exit_code)),
        raised=end.raised.raised if end.raised is not None else None,
    )


# -- output and files ----------------------------------------------------------------------------------


def _unlike_output(
    run: ProgramRun, outcome: Outcome, reference: Outcome | None, oracle: Checkers
) -> Finding | None:
    wanted, find = run.expect, oracle.find_in_text
    found = _unlike_partner(outcome, at_once=False)
    if found is not None:
        return found
    if run.validator is not None:
        # After several passes it is the partner.
        return _invalidated(run, run.validator, outcome, reference, oracle) if run.passes == 1 else None
    if wanted.stdout is not None:
        words = last_words(reference) if reference else None
        asks = run.talks
        place = "stdout after the last input" if asks else "stdout"
        found = unlike_text(place, wanted.stdout, words, last_words(outcome), find)
        if found is not None:
            return replace(found, wrong_turn=len(outcome.dialogue) if asks else None)
    return None


def _unlike_errors(
    wanted: Produces, end: _End, outcome: Outcome, reference: Outcome | None, oracle: Checkers
) -> Finding | None:
    if wanted.stderr is not None:
        words, said = _errors_of_reference(reference), outcome.stderr
        if wanted.stderr.is_whole and end.raised is not None:
            # No program of another has the lines of the reference, or of the spec.
            said = traces.without_places(said)
        return unlike_text("stderr", _without_places(wanted.stderr), words, said, oracle.find_in_text)
    return None


def _unlike_partner(outcome: Outcome, *, at_once: bool) -> Finding | None:
    """Return a finding if the interactor refuses the program.

    at_once: where that decides whatever the program did then: it was told that its input had ended.
    """
    partner, turns = outcome.partner, outcome.dialogue
    if partner is None or (at_once and not (partner.is_first or partner.is_stuck)):
        return None
    if partner.is_stuck:
        return Finding(verdict=Verdict.WALL_LIMIT, message=_STUCK, wrong_turn=len(turns) - 1)
    if partner.score == 1 or (at_once and partner.score):
        return None
    is_cut = bool(turns) and turns[-1].answered is None
    return Finding(
        verdict=Verdict.PARTIAL if partner.score else Verdict.WRONG_ANSWER,
        score=partner.score,
        message=safe_line(partner.message, TEXT_LIMIT),
        wrong_turn=len(turns) - 1 if is_cut else None,
    )


def _invalidated(
    run: ProgramRun, validator: Validator, outcome: Outcome, reference: Outcome | None, oracle: Checkers
) -> Finding | None:
    """Return a finding if the validator refuses the output.  Raises `OwnFault` and `CheckFailed`."""
    said = oracle.validate(validator, run.stdin, right_answer(run, reference), outcome.stdout)
    if said.score == 1:
        return None
    message = f"stdout: {safe_line(said.message, TEXT_LIMIT)}"
    verdict = Verdict.PARTIAL if said.score else Verdict.WRONG_ANSWER
    return Finding(verdict=verdict, score=said.score, message=message)


def right_answer(run: ProgramRun, reference: Outcome | None) -> str:
    """Return the answer that a validator is given.  Raises `OwnFault`."""
    wanted = run.expect.stdout
    of_reference = last_words(reference) if reference is not None else None
    return literal_text(wanted, of_reference).value or "" if wanted is not None else ""


def ended_well(run: ProgramRun, outcome: Outcome) -> bool:
    """Tell whether a program ended by itself, as it should."""
    end = _end(run, outcome) if outcome.ending in (Ending.ANSWERED, Ending.EXITED) else None
    return end is not None and _raised(end, run.expect) is None and _unlike_exit(end, run.expect) is None


def _errors_of_reference(reference: Outcome | None) -> str | None:
    """Return the error output of the reference, without the places in its source."""
    return traces.without_places(reference.stderr) if reference is not None else None


def _without_places(text: Text) -> Text:
    """Return an expected error output that an exception of any program can match."""
    if text.is_whole and text.value is not None:
        return replace(text, value=traces.without_places(text.value))
    return text


def _left_by(run: ProgramRun, reference: Outcome | None, name: str) -> str | None:
    """Return the text of a file that the reference left, if it is known."""
    model = _end(run, reference) if reference is not None else None
    left = (model.files or {}).get(name) if model is not None else None
    return text_of(left) if left is not None else None


def as_literals(run: ProgramRun, reference: Outcome | None) -> ProgramRun:
    """Return a program with the reference's texts written out.  Raises `OwnFault`."""

    def literal(text: Text | None, of_reference: str | None) -> Text | None:
        return None if text is None else literal_text(text, of_reference)

    wanted = run.expect
    dialogue = tuple(
        replace(exchange, says=literal(exchange.says, said_in(reference, index)))
        for index, exchange in enumerate(run.dialogue)
    )
    files = tuple((name, literal_text(text, _left_by(run, reference, name))) for name, text in wanted.files)
    stdout = literal(wanted.stdout, last_words(reference) if reference is not None else None)
    stderr = literal(wanted.stderr, _errors_of_reference(reference))
    return replace(run, dialogue=dialogue, expect=replace(wanted, stdout=stdout, stderr=stderr, files=files))


def program_answer(run: ProgramRun, outcome: Outcome) -> dict[str, object] | None:
    """Return a program's answer for a checker, if the program ended by itself; else None."""
    end = _end(run, outcome) if outcome.ending in (Ending.ANSWERED, Ending.EXITED) else None
    return _for_checker(outcome, end) if end is not None else None


def _for_checker(outcome: Outcome, end: _End) -> dict[str, object]:
    files = end.files or {}
    return {
        "stdout": outcome.stdout,
        "stderr": outcome.stderr,
        "exit_code": end.exit_code,
        "files": {name: text_of(content) for name, content in files.items()},
        "dialogue": [(turn.said, turn.answered) for turn in outcome.dialogue],
    }

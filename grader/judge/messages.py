"""The sentences of judging for students: one for each message, calm, without a full stop.

Texts of students (names, messages of exceptions) go through `safe_line` or `show`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from grader.languages.toolchain import WORK, asked, tellers
from grader.model.case import Call, Case
from grader.model.kinds import calls_of
from grader.model.limits import GIB, KIB, MIB, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.results import Difference, Frame, Raised
from grader.values.show import safe_line
from grader.values.walk import names_in

if TYPE_CHECKING:
    from grader.languages.language import Language

UNDER_MAIN = "`if __name__ == '__main__':`"
_UNDER_MAIN = f"put that part under {UNDER_MAIN}"
_NAME_LIMIT = 80
_FAILED_CELL = "cell: "
"""As in `grader.worker.box.calls`."""
_CLOSE = 0.75
"""Similarity from which another name may have been meant."""

STOPPED = "what was defined before is marked"
"""Ends the sentence about a module that raised while it was imported, and of which a part counts."""
_UNMET = "it needs case {}, which was not accepted"
_NEEDS = re.compile(rf"skipped: {_UNMET.format('(.+)')}")
TEXT_LIMIT = 300
"""The most characters of a quoted text in a message, from a student, a checker or the spec."""
BUILDING = "compiler error"
"""The name that a failed build has among exceptions."""
_LINE_DIGITS = 7
_REFUSED = "() missing ", "() takes ", "() got "
"""Python's words on a call whose arguments do not fit."""


def unmet(case_id: str) -> str:
    """Return why a case is skipped that needs another one."""
    return _UNMET.format(case_id)


def needed_by(message: str) -> str:
    """Return the case for want of which a case was skipped, given its message; empty for another reason."""
    found = _NEEDS.fullmatch(message)
    return found[1] if found else ""


def for_call(calls: Sequence[Call], call: Call, sentence: str) -> str:
    """Return a sentence, with its call if the case makes several."""
    return sentence if len(calls) == 1 else f"{call_text(call)}: {sentence}"


def call_text(call: Call) -> str:
    """Return a call as the student would type it."""
    return safe_line(call.text or f"{call.function}(…)", TEXT_LIMIT)


def difference_message(difference: Difference) -> str:
    """Return the place and the two sides of a difference: `item 3: expected (4, 1), got (4, 3)`."""
    place = f"{difference.where}: " if difference.where else ""
    sentence = difference.sentence or difference.sides
    return f"{place}{sentence}"


def raised_text(raised: Raised) -> str:
    """Return an exception as Python shows it: `IndexError: list index out of range`."""
    name = safe_line(raised.type_name, TEXT_LIMIT)
    return f"{name}: {safe_line(raised.message, TEXT_LIMIT)}" if raised.message else name


_SIGNALS = {
    "SIGSEGV": "it used memory that is not its own, as compiled code does that is called with wrong values, "
    "or its calls were nested deeper than its stack holds",
    "SIGFPE": "compiled code divided by zero",
    "SIGABRT": "compiled code found that it could not go on",
}
"""By the signal that ended a program, what mostly leads to it."""


def raised_message(answer: RaisedAnswer) -> str:
    """Return a sentence about an exception and the line that it comes from."""
    raised = answer.raised
    if "SystemExit" in answer.bases:
        return f"called sys.exit() or exit(){place_of(raised)}, so there is no answer"
    if is_out_of_input(raised):
        return f"asked for input{place_of(raised)} where there is none; the values come as arguments"
    if raised.type_name == "TypeError" and not raised.frames and _is_refused(raised.message):
        # The call itself raised it, and none of the student's lines: `f() takes 1 positional argument`.
        return f"can't be called like this: {safe_line(raised.message, TEXT_LIMIT)}"
    if "RecursionError" in answer.bases:
        return (
            f"raised {safe_line(raised.type_name, TEXT_LIMIT)}{place_of(raised)}: the function calls itself "
            "too often; does every path reach a case that ends the recursion?"
        )
    if "MemoryError" in answer.bases and not raised.message:
        what = "it asked for more memory than is allowed"
        return f"raised {raised_text(raised)}{place_of(raised)}: {what}{_suggestion(raised)}"
    return f"raised {raised_text(raised)}{place_of(raised)}{_suggestion(raised)}"


def _is_refused(message: str) -> bool:
    """Tell whether Python says that the arguments of a call do not fit."""
    return any(words in message for words in _REFUSED)


def is_out_of_input(raised: Raised) -> bool:
    """Tell whether `input()` found the end of the input."""
    return raised.type_name == "EOFError" and raised.message == "EOF when reading a line"


def without_place(raised: Raised) -> Raised:
    """Return a syntax error without the place that Python appends to its message."""
    if not raised.frames:
        return raised
    frame = raised.frames[-1]
    return replace(raised, message=raised.message.removesuffix(f" ({frame.file}, line {frame.line})"))


def _suggestion(raised: Raised) -> str:
    return f". {safe_line(raised.suggestion, TEXT_LIMIT)}" if raised.suggestion else ""


def place_of(raised: Raised) -> str:
    """Return the line of an exception in brackets, to follow a sentence; empty if it is not known."""
    if not raised.frames:
        return ""
    frame = raised.frames[-1]
    return f" (line {frame.line} of {safe_line(frame.file, 100)})"


def ending_message(case: Case, outcome: Outcome) -> str:
    """Return a sentence about a case that ended without an answer."""
    detail = safe_line(outcome.detail, TEXT_LIMIT)
    limits = case.limits
    match outcome.ending:
        case Ending.EXITED:
            return f"the program ended by itself before it gave an answer{_in_brackets(detail)}"
        case Ending.KILLED:
            why = _SIGNALS.get(detail, "")
            told = f"{_in_brackets(detail)}{stopped_at(outcome)}"
            return f"the program was ended by a signal before it gave an answer{told}{why and ': '}{why}"
        case Ending.PROTOCOL:
            return f"there is no valid answer{_in_brackets(detail)}"
        case Ending.TIME:
            # The limits of the spec are named rather than the measured times, so equal runs give equal
            # messages.
            if detail:
                # This host does not tell the time of computing, see `grader.worker.keeper.watch`.
                did = f"{limits.wall_s:g} s {detail}{stopped_at(outcome)}"
                return f"stopped after {did}; {limits.time_s:g} s of computing are allowed"
            did = f"{allowed(limits).time_s:g} s of computing{stopped_at(outcome)}"
            return f"stopped after {did}; {limits.time_s:g} s are allowed"
        case Ending.WALL:
            return f"stopped after it waited for {limits.wall_s:g} s{stopped_at(outcome)}"
        case Ending.MEMORY:
            return f"needed more than the {size_text(limits.memory_b)} of memory that are allowed"
        case Ending.OUTPUT:
            return f"printed more than the {size_text(limits.output_b)} that are allowed"
        case Ending.ANSWER_SIZE:
            bound = re.fullmatch(r"more than (\d+) bytes(.*)", detail)
            told = f"more than {size_text(int(bound[1]))}{bound[2]}" if bound is not None else detail
            return f"the answer is too large{_in_brackets(told)}"
        case Ending.FORBIDDEN:
            return "tried something that is not allowed here" + (f": {detail}" if detail else "")
        case Ending.LOAD_FAILED:
            return _load_message(outcome, detail, calls_of(case).own_code)
        case Ending.MISSING:
            return f"{absent_message(calls_of(case).calls, outcome.detail)}{_present_instead(outcome)}"
        case Ending.BUDGET:
            return detail or "skipped: the time for a whole submission is used up"
    return f"the case could not be run{_in_brackets(detail)}"


def stopped_at(outcome: Outcome) -> str:
    """Return the line at which code was stopped, as the end of a sentence; empty if not reported."""
    if outcome.place is None:
        return ""
    file, line = outcome.place
    return f", in line {line} of {safe_line(file, 100)}"


def absent_message(calls: Sequence[Call], claimed: str) -> str:
    """Return a sentence about the name that the module lacks.

    claimed: the name that the box says it did not find.  A box can claim any name, so only a name that the
    case needs is repeated.
    """
    functions = [name for call in calls for name in call.functions]
    if claimed not in functions:
        for call in calls:
            values = (*call.args, *(value for _, value in call.kwargs))
            if any(claimed in names_in(value) for value in values):
                owner, _, member = claimed.partition(".")
                if member:
                    return f"the module's class {owner} has no {member}"
                return f"the module has no class {claimed}"
        claimed = functions[0] if functions else ""
    if any(call.function == claimed and call.bind for call in calls) or claimed[:1].isupper():
        return f"the module has no class {safe_line(claimed, TEXT_LIMIT)}"
    return f"the module has no function {safe_line(claimed, TEXT_LIMIT)}"


def _present_instead(outcome: Outcome) -> str:
    """Return what the module has in place of the missing name, as the end of a sentence.

    Names are repeated only if they are names, since the box can claim any.
    """
    wanted, present = outcome.detail.rpartition(".")[2], outcome.present
    if len(present) == 1 and present[0].startswith(_FAILED_CELL):
        return f"; {safe_line(present[0].removeprefix(_FAILED_CELL), TEXT_LIMIT)}"
    if len(present) == 1 and present[0].endswith(":") and present[0][:-1].isidentifier():
        return f": {safe_line(present[0][:-1], _NAME_LIMIT)}.py is empty"
    kind = next((name[len(wanted) + 2 :] for name in present if name.startswith(f"{wanted}: ")), "")
    if kind.isidentifier():
        return f": {safe_line(wanted, 100)} is {article(kind)} there, which can't be called"
    names = [name for name in present if name.replace(".", "").isidentifier() and len(name) <= _NAME_LIMIT]
    holder = next((name.partition(".")[0] for name in names if name.partition(".")[2] == wanted), "")
    if holder:
        return f": it is a method of the class {holder} there, and the task asks for a function"
    near = _nearest(wanted, [name for name in names if "." not in name])
    return f"; there is {near}: did you mean that?" if near else ""


def _nearest(wanted: str, names: list[str]) -> str:
    """Return the name that was probably meant, or ""."""
    plain = wanted.replace("_", "").casefold()
    for name in names:
        if name.replace("_", "").casefold() == plain:
            return name
    from difflib import get_close_matches  # needed only where a name is missing

    return next(iter(get_close_matches(wanted, names, n=1, cutoff=_CLOSE)), "")


def article(noun: str) -> str:
    """Return a noun with its article: `an int`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def failed_build(files: Collection[str], said: str) -> Outcome:
    """Return the outcome of a program that can't be built.

    files: the names of its source files.  said: the compiler's messages, which are the student's text; the
    first error is told, at its line.
    """
    ours, foreign = tellers()
    languages = (*ours, *foreign)
    lines = [line for line in said.splitlines() if line.strip()]
    for index, line in enumerate(lines):
        file, number, message = _error_at(files, _like_gcc(line, ours))
        if not number and foreign:
            file, number, message = _error_at(files, _like_gcc(line, foreign))
        if number and not message:
            message = _first(languages, lambda each: each.error_near(lines, index))  # noqa: B023  it is called now
        if number and message:
            advice = _first(languages, lambda each: each.advice(file, message))  # noqa: B023
            message = f"{message}; {advice}" if advice else message
            raised = Raised(BUILDING, message[:TEXT_LIMIT], (Frame(file, number, ""),))
            return Outcome(ending=Ending.LOAD_FAILED, raised=raised, stderr=said)
    linker = dict.fromkeys(words for each in languages for words in each.linker_words)
    linked = (line[at:] for line in lines for words in linker if (at := line.find(words)) >= 0)
    errors = (line for line in lines if "rror" in line)
    message = next(linked, None) or next(errors, lines[0] if lines else "the compiler was stopped")
    raised = Raised(BUILDING, message[:TEXT_LIMIT], ())
    return Outcome(ending=Ending.LOAD_FAILED, raised=raised, stderr=said)


def _like_gcc(line: str, languages: "Iterable[Language]") -> str:
    for language in languages:
        line = asked(language, partial(language.like_gcc, line), str) or line
    return line


def _first(languages: "Iterable[Language]", question: "Callable[[Language], str]") -> str:
    """Return the first answer that is not empty."""
    return next(filter(None, (asked(each, partial(question, each), str) or "" for each in languages)), "")


def _error_at(files: Collection[str], line: str) -> tuple[str, int, str]:
    """Return the file and line of the student's that a compiler's message names, 0 for none, and the error.

    Messages are `main.cpp:3:5: error: ...`, `Main.java:3: error: ...`, `./main.go:3:5: ...` or, of Node,
    the file and the line alone.
    """
    name, _, rest = line.removeprefix("./").removeprefix(WORK).partition(":")
    number, _, message = rest.partition(":")
    if name not in files or not number.isdecimal() or len(number) > _LINE_DIGITS:
        return "", 0, ""
    column, found, after = message.partition(":")
    if found and column.isdecimal():
        message = after
    if "warning:" in message or "note:" in message:
        return "", 0, ""
    return name, int(number), message.rpartition("error: ")[2].strip()


def _load_message(outcome: Outcome, detail: str, own_code: Collection[str]) -> str:
    raised = outcome.raised
    if raised is not None and raised.type_name == BUILDING and not outcome.answers:
        return f"your program can't be built: {safe_line(raised.message, TEXT_LIMIT)}{place_of(raised)}"
    if raised is None:
        return f"the module could not be loaded: {detail}" if detail else "the module could not be loaded"
    place = place_of(raised)
    if is_out_of_input(raised):
        return f"your program asks for input while it is imported{place}: {_UNDER_MAIN}"
    if raised.type_name == "SystemExit":
        return f"your program ends itself while it is imported{place}: {_UNDER_MAIN}"
    if "SyntaxError" in _bases(outcome) and is_of_text(raised):
        return syntax_message(raised)
    what = "the module"
    if raised.frames and raised.frames[0].file in own_code:
        what = f"the task's {raised.frames[0].file}, which uses your module,"
    return f"importing {what} raised {raised_text(raised)}{place}{_suggestion(raised)}"


def stop_notes(outcome: Outcome, files: Collection[str]) -> Iterator[str]:
    """Yield a sentence about each file or cell of which a part counts, since it raised at its import.

    outcome: of the import.  files: those of which that may be.  The box can claim anything.
    """
    for answer in outcome.answers[1:]:
        if not isinstance(answer, RaisedAnswer):
            continue
        raised = without_place(answer.raised)
        at = next((frame for frame in raised.frames if frame.file in files), None)
        file, line = (at.file, f" at line {at.line}") if at is not None else ("a module", "")
        if raised.type_name == "SystemExit":
            yield f"{file} ended itself{line}; {STOPPED}"
        else:
            yield f"{file} stopped{line} with {raised_text(raised)}{_suggestion(raised)}; {STOPPED}"


def is_of_text(raised: Raised) -> bool:
    """Tell whether a syntax error is one of a text, with a column, and none that running code raised."""
    return any(frame.column for frame in raised.frames[-1:]) or "was not Python when" in raised.message


def syntax_message(raised: Raised) -> str:
    """Return a sentence about a file that Python cannot read."""
    return f"Python can't read this: {raised_text(without_place(raised))}{place_of(raised)}"


def _bases(outcome: Outcome) -> tuple[str, ...]:
    return next((answer.bases for answer in outcome.answers if isinstance(answer, RaisedAnswer)), ())


def _in_brackets(detail: str) -> str:
    return f" ({detail})" if detail else ""


def size_text(size_b: int) -> str:
    """Return a limit in bytes for people: `1 GiB`, `512 MiB`, `100 bytes`."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size_b >= unit:
            return f"{size_b / unit:.4g} {name}"
    return f"{size_b} bytes"

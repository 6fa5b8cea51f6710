"""The sentences of judging for students: one for each message, calm, without a full stop.

Texts of students (names, messages of exceptions) go through `safe_line` or `show`.
"""

from grader.judge.values.show import safe_line
from grader.model.case import Call, Case
from grader.model.limits import GIB, KIB, MIB, allowed
from grader.model.outcome import Ending, Outcome, RaisedAnswer
from grader.model.results import Difference, Raised
from grader.model.values import EnumMember, Record, parts

TEXT_LIMIT = 300
"""The most characters of a quoted text in a message, from a student, a checker or the spec."""


def for_call(case: Case, call: Call, sentence: str) -> str:
    """Return a sentence, with its call if the case makes several."""
    return sentence if len(case.calls) == 1 else f"{call_text(call)}: {sentence}"


def call_text(call: Call) -> str:
    """Return a call as the student would type it."""
    return safe_line(call.text or f"{call.function}(…)", TEXT_LIMIT)


def difference_message(difference: Difference) -> str:
    """Return the place and the two sides of a difference: `item 3: expected (4, 1), got (4, 3)`."""
    place = f"{difference.where}: " if difference.where else ""
    sentence = difference.sentence or f"expected {difference.expected}, got {difference.actual}"
    return f"{place}{sentence}"


def raised_text(raised: Raised) -> str:
    """Return an exception as Python shows it: `IndexError: list index out of range`."""
    name = safe_line(raised.type_name, TEXT_LIMIT)
    return f"{name}: {safe_line(raised.message, TEXT_LIMIT)}" if raised.message else name


def raised_message(answer: RaisedAnswer) -> str:
    """Return a sentence about an exception and the line that it comes from."""
    raised = answer.raised
    if "SystemExit" in answer.bases:
        return f"called sys.exit() or exit(){place_of(raised)}, so there is no answer"
    if "RecursionError" in answer.bases:
        return (
            f"raised {safe_line(raised.type_name, TEXT_LIMIT)}{place_of(raised)}: the function calls itself "
            "too often; does every path reach a case that ends the recursion?"
        )
    return f"raised {raised_text(raised)}{place_of(raised)}"


def place_of(raised: Raised) -> str:
    """Return the line that an exception comes from, in brackets; empty if it is not known."""
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
            return f"the program was ended by a signal before it gave an answer{_in_brackets(detail)}"
        case Ending.PROTOCOL:
            return f"there is no valid answer{_in_brackets(detail)}"
        case Ending.TIME:
            # The limits of the spec are named rather than the measured times, so equal runs give equal
            # messages.
            did = f"{allowed(limits).time_s:g} s of computing{stopped_at(outcome)}"
            return f"stopped after {did}; {limits.time_s:g} s are allowed"
        case Ending.WALL:
            return f"stopped after it waited for {limits.wall_s:g} s{stopped_at(outcome)}"
        case Ending.MEMORY:
            return f"needed more than the {size_text(limits.memory_b)} of memory that are allowed"
        case Ending.OUTPUT:
            return f"printed more than the {size_text(limits.output_b)} that are allowed"
        case Ending.ANSWER_SIZE:
            return f"the answer is too large{_in_brackets(detail)}"
        case Ending.FORBIDDEN:
            return "tried something that is not allowed here" + (f": {detail}" if detail else "")
        case Ending.LOAD_FAILED:
            return _load_message(outcome, detail)
        case Ending.MISSING:
            return absent_message(case, outcome.detail)
        case Ending.BUDGET:
            return detail or "skipped: the time for a whole submission is used up"
    return f"the case could not be run{_in_brackets(detail)}"


def stopped_at(outcome: Outcome) -> str:
    """Return the line at which code was stopped, as the end of a sentence; empty if not reported."""
    if outcome.place is None:
        return ""
    file, line = outcome.place
    return f", in line {line} of {safe_line(file, 100)}"


def absent_message(case: Case, claimed: str) -> str:
    """Return a sentence about the name that the module lacks.

    claimed: the name that the box says it did not find.  A box can claim any name, so only a name that the
    case needs is repeated.
    """
    functions = [call.function for call in case.calls]
    if claimed not in functions:
        for call in case.calls:
            for part in (p for value in (*call.args, *(v for _, v in call.kwargs)) for p in parts(value)):
                if isinstance(part, Record | EnumMember) and part.type_name == claimed:
                    return f"the module has no class {claimed}"
                if isinstance(part, EnumMember) and f"{part.type_name}.{part.name}" == claimed:
                    return f"the module's class {part.type_name} has no {part.name}"
        claimed = functions[0] if functions else ""
    if any(call.function == claimed and call.bind for call in case.calls):
        return f"the module has no class {safe_line(claimed, TEXT_LIMIT)}"
    return f"the module has no function {safe_line(claimed, TEXT_LIMIT)}"


def _load_message(outcome: Outcome, detail: str) -> str:
    if outcome.raised is None:
        return f"the module could not be loaded: {detail}" if detail else "the module could not be loaded"
    return f"importing the module raised {raised_text(outcome.raised)}{place_of(outcome.raised)}"


def _in_brackets(detail: str) -> str:
    return f" ({detail})" if detail else ""


def size_text(size_b: int) -> str:
    """Return a limit in bytes for people: `1 GiB`, `512 MiB`, `100 bytes`."""
    for unit, name in ((GIB, "GiB"), (MIB, "MiB"), (KIB, "KiB")):
        if size_b >= unit:
            return f"{size_b / unit:.4g} {name}"
    return f"{size_b} bytes"

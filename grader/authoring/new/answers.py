"""From a draft and the reference's answers to a case of the spec."""

import ast
import doctest
from collections.abc import Callable, Iterator, Sequence

from grader.authoring.new.drafts import AnswerForm, NewCase, NewStep, StatedAnswer
from grader.authoring.new.writing import Pairs, WrittenCase
from grader.judge.judge import Expected
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.values import DeclaredType, Value
from grader.values.python_text import literal
from grader.values.walk import first_non_data, parts
from grader.yamlfile.quoting import in_quotes, scalar

Note = Callable[[str], None]

ORACLE = "same as reference"
_LONGEST = 300
"""Longer answers are not written out: the case says `same as reference`."""
_CLOSE = ("rel", "1e-9")
_QUICK = ("limits", "{time: 500ms}")
"""A guess that takes longer is left out."""
_CHECKER = doctest.OutputChecker()
_LENIENT = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def asked(draft: NewCase, module: str) -> WrittenCase:
    """Return the case that asks the reference for every answer of a draft."""
    if draft.stdin is not None:
        return _written(draft, ((*_program(draft, module), ("stdout", ORACLE)),))
    steps = [_asked(step) for step in draft.steps]
    if draft.is_guess and not draft.is_scenario:
        steps[0] = (*steps[0], _QUICK)
    return _written(draft, steps)


def _asked(step: NewStep) -> Pairs:
    head = _head(step)
    if step.bound or step.key == "new":
        return head
    return (*head, ("returns", ORACLE), *((("prints", ORACLE),) if step.key == "call" else ()))


def _head(step: NewStep) -> Pairs:
    bound = (("as", step.bound),) if step.bound else ()
    return ((step.key, scalar(step.text)), *bound)


def _program(draft: NewCase, module: str) -> Pairs:
    assert draft.stdin is not None
    return (("program", module), ("stdin", in_quotes(draft.stdin)))


def _written(draft: NewCase, steps: Sequence[Pairs]) -> WrittenCase:
    origin = draft.origin.partition(":")[0] if not draft.is_guess else draft.origin
    comment = origin if draft.is_guess else f"from {origin}"
    return WrittenCase(tuple(steps), draft.is_scenario, comment, draft)


def answered(
    draft: NewCase, module: str, expected: Expected, types: Sequence[DeclaredType], note: Note
) -> WrittenCase | None:
    """Return a draft's case with the reference's answers; None where it has none that can be compared.

    note: is told of an example that becomes no case, or that says something else.
    """
    try:
        if draft.stdin is not None:
            return _answered_program(draft, module, expected)
        if expected.failure or len(expected.answers) < len(draft.steps):
            raise _Unfit(expected.failure or "the reference gives no answer")
        answers = zip(draft.steps, expected.answers, strict=False)
        steps = [pairs for step, answer in answers if (pairs := _answered(draft, step, answer, types, note))]
    except _Unfit as reason:
        if not draft.is_guess:
            note(f"{draft.origin}: this example is left out: {reason}")
        return None
    said = (key for pairs in steps for key, text in pairs if text != "_")
    if draft.is_guess and not {"returns", "prints", "raises"} & set(said):
        return None
    return _written(draft, steps)


class _Unfit(Exception):
    """A draft has no answer that a case could expect; the text says why."""


def _answered(
    draft: NewCase, step: NewStep, answer: Answer, types: Sequence[DeclaredType], note: Note
) -> Pairs:
    """Return the keys of a step; none for a guess that raises.  Raises `_Unfit`."""
    head, said = _head(step), step.said
    if isinstance(answer, RaisedAnswer):
        name = answer.raised.type_name
        if said is not None and said.kind is AnswerForm.RAISES:
            if said.text and said.text not in answer.bases:
                _disagree(draft, step, said.text, name, note)
            return (*head, ("raises", name))
        if draft.is_guess and draft.is_scenario and not step.bound:
            return ()
        raise _Unfit(f"the reference raises {name}: {answer.raised.message}")
    if step.bound or step.key == "new":
        return head
    problem = first_non_data(answer.value, tuple(types))
    if problem:
        raise _Unfit(f"the answer holds {problem}")
    if said is not None and not _agrees(said, answer):
        _disagree(draft, step, said.text.strip(), _shown(answer), note)
    keys = tuple(_expectations(draft, step, answer))
    return (*head, *keys) if keys else (*head, ("as", "_"))


def _expectations(draft: NewCase, step: NewStep, answer: Returned) -> Iterator[tuple[str, str]]:
    printed = answer.printed or ""
    is_wanted = answer.value is not None or not (printed or draft.is_guess or draft.is_scenario)
    if is_wanted:
        text = literal(answer.value)
        yield "returns", scalar(text) if len(text) <= _LONGEST else ORACLE
        if step.said is not None and step.said.tolerance:
            key, _, number = step.said.tolerance.partition(": ")
            yield key, number
        elif _is_rounded(answer.value):
            yield _CLOSE
    if printed:
        yield "prints", _printed(printed)


def _printed(text: str) -> str:
    fits = len(text) <= _LONGEST and all(c.isprintable() or c in "\n\t" for c in text)
    return in_quotes(text) if fits else ORACLE


def _is_rounded(value: Value) -> bool:
    """Tell whether a value holds a float that is not whole, so that another way to compute it may differ."""
    return (
        any(type(part) is float and not part.is_integer() for part in parts(value)) or type(value) is complex
    )


def _agrees(said: StatedAnswer, answer: Returned) -> bool:
    if said.kind is AnswerForm.RAISES:
        return False
    if said.kind is AnswerForm.SHOWN:
        got = (answer.printed or "") + ("" if answer.value is None else f"{literal(answer.value)}\n")
        return _CHECKER.check_output(said.text, got, _LENIENT)
    if not said.text or said.tolerance:
        return True
    try:
        wanted = ast.literal_eval(said.text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return said.text.replace(" ", "") == literal(answer.value).replace(" ", "")
    return bool(wanted == answer.value)


def _shown(answer: Returned) -> str:
    if answer.value is None and answer.printed:
        return answer.printed.strip()
    return literal(answer.value)


def _disagree(draft: NewCase, step: NewStep, said: str, got: str, note: Note) -> None:
    short = [text if len(text) <= 60 else f"{text[:59]}…" for text in (said or "nothing", got)]
    said_so = f"{step.text} is said to give {short[0]}"
    note(f"{draft.origin}: {said_so}; the reference gives {short[1]}, which counts")


def _answered_program(draft: NewCase, module: str, expected: Expected) -> WrittenCase:
    outcome = expected.outcome
    if outcome is None or expected.failure:
        raise _Unfit(expected.failure or "the reference gives no answer")
    if not outcome.stdout:
        raise _Unfit("the reference prints nothing")
    return _written(draft, ((*_program(draft, module), ("stdout", _printed(outcome.stdout))),))


def stated(draft: NewCase) -> WrittenCase | None:
    """Return a draft's case with the answer that the example itself states; None where it states none."""
    steps = []
    for step in draft.steps:
        said = step.said
        if said is None or not said.text.strip():
            return None
        tolerance = said.tolerance.split(": ")
        keys = [("raises" if said.kind is AnswerForm.RAISES else "returns", scalar(said.text.strip()))]
        keys += [(tolerance[0], tolerance[1])] if len(tolerance) == 2 else []
        steps.append((*_head(step), *keys))
    return _written(draft, steps)

"""From a draft and the reference's answers to a case of the spec."""

import ast
import doctest
from collections.abc import Sequence

from grader.authoring.new.drafts import AnswerForm, NewCase, NewStep, Note, StatedAnswer
from grader.authoring.written import Keys, Raw, WrittenCase
from grader.judge.judge import Expected
from grader.model.outcome import Answer, RaisedAnswer, Returned
from grader.model.values import DeclaredType, Value
from grader.values.python_text import literal
from grader.values.walk import first_non_data, parts
from grader.yamlfile.quoting import in_quotes

_ORACLE = Raw("same as reference")
_LONGEST = 300
"""Longer answers are not written out: the case says `same as reference`."""
CLOSE = {"rel": Raw("1e-9")}
_QUICK: Keys = {"limits": Raw("{time: 500ms}")}
"""A guess that takes longer is left out."""
_CHECKER = doctest.OutputChecker()
_LENIENT = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def asked(draft: NewCase, module: str) -> WrittenCase:
    """Return the case that asks the reference for every answer of a draft."""
    if draft.stdin is not None:
        return _written(draft, module, [_program(draft, module, _ORACLE)])
    steps = [_asked(step) for step in draft.steps]
    if draft.is_guess and not draft.is_scenario:
        steps[0] = {**steps[0], **_QUICK}
    return _written(draft, module, steps)


def _asked(step: NewStep) -> Keys:
    head = _head(step)
    if step.bound or step.key == "new":
        return head
    printed: Keys = {"prints": _ORACLE} if step.key == "call" else {}
    return {**head, "returns": _ORACLE, **printed}


def _head(step: NewStep) -> Keys:
    bound: Keys = {"as": Raw(step.bound)} if step.bound else {}
    return {step.key: step.text, **bound}


def _program(draft: NewCase, module: str, stdout: Raw) -> Keys:
    assert draft.stdin is not None
    return {"program": Raw(module), "stdin": Raw(in_quotes(draft.stdin)), "stdout": stdout}


def _written(draft: NewCase, module: str, steps: Sequence[Keys]) -> WrittenCase:
    keys: Keys = {"scenario": steps} if draft.is_scenario else steps[0]
    # The cases of a file share one comment.
    shared = f"from {draft.file.partition(':')[0]}"
    comment = f"guessed from {draft.origin}" if draft.is_guess else shared
    return WrittenCase(keys, module, draft.file, draft.line, draft.examples, comment)


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
        steps = [keys for step, answer in answers if (keys := _answered(draft, step, answer, types, note))]
    except _Unfit as reason:
        if not draft.is_guess:
            note(f"{draft.origin}: this example is left out: {reason}")
        return None
    if draft.is_guess and not {"returns", "prints", "raises"} & {key for keys in steps for key in keys}:
        return None
    return _written(draft, module, steps)


class _Unfit(Exception):
    """A draft has no answer that a case could expect; the text says why."""


def _answered(
    draft: NewCase, step: NewStep, answer: Answer, types: Sequence[DeclaredType], note: Note
) -> Keys:
    """Return the keys of a step; none for a guess that raises.  Raises `_Unfit`."""
    head, said = _head(step), step.said
    if isinstance(answer, RaisedAnswer):
        name = answer.raised.type_name
        if said is not None and said.kind is AnswerForm.RAISES:
            if said.text and said.text not in answer.bases:
                _disagree(draft, step, said.text, name, note)
            return {**head, "raises": Raw(name)}
        if draft.is_guess and draft.is_scenario and not step.bound:
            return {}
        raise _Unfit(f"the reference raises {name}: {answer.raised.message}")
    if step.bound or step.key == "new":
        return head
    problem = first_non_data(answer.value, tuple(types))
    if problem:
        raise _Unfit(f"the answer holds {problem}")
    if said is not None and not _agrees(said, answer):
        _disagree(draft, step, said.text.strip(), _shown(answer), note)
    return {**head, **(_expectations(draft, step, answer) or {"as": Raw("_")})}


def _expectations(draft: NewCase, step: NewStep, answer: Returned) -> Keys:
    keys: dict[str, str | Raw] = {}
    printed = answer.printed or ""
    is_wanted = answer.value is not None or not (printed or draft.is_guess or draft.is_scenario)
    if is_wanted:
        text = literal(answer.value)
        keys["returns"] = text if len(text) <= _LONGEST else _ORACLE
        if tolerance := _tolerance(step.said):
            keys |= tolerance
        elif _is_rounded(answer.value):
            keys |= CLOSE
    if printed:
        keys["prints"] = _printed(printed)
    return keys


def _tolerance(said: StatedAnswer | None) -> dict[str, Raw]:
    key, _, number = said.tolerance.partition(": ") if said is not None else ("", "", "")
    return {key: Raw(number)} if number else {}


def _printed(text: str) -> Raw:
    fits = len(text) <= _LONGEST and all(c.isprintable() or c in "\n\t" for c in text)
    return Raw(in_quotes(text)) if fits else _ORACLE


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
        return any(_CHECKER.check_output(text, got, _LENIENT) for text in (said.text, said.plain))
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
    return _written(draft, module, [_program(draft, module, _printed(outcome.stdout))])


def stated(draft: NewCase, module: str) -> WrittenCase | None:
    """Return a draft's case with the answer that the example itself states; None where it states none."""
    steps: list[Keys] = []
    for step in draft.steps:
        said = step.said
        if said is None or not said.text.strip():
            return None
        key = "raises" if said.kind is AnswerForm.RAISES else "returns"
        steps.append({**_head(step), key: said.text.strip(), **_tolerance(said)})
    return _written(draft, module, steps)

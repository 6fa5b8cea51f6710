"""The expectations of a case: an answer, the reference's answer, a checker, an exception, printed text."""

import builtins
from dataclasses import replace

from grader.model.case import (
    Check,
    Combine,
    Comparison,
    Expectation,
    Raises,
    Returns,
    SameAsReference,
    Text,
    Whitespace,
)
from grader.model.values import EnumMember, Record, Table, Value, parts
from grader.spec.decode.calls import CaseCalls, bind_to_checkers, read_plain_call
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.expressions.names import is_python_name
from grader.spec.expressions.of_yaml import value_of
from grader.spec.keys.case import COMPARED, EXPECTATIONS
from grader.spec.reference.definitions import Definitions
from grader.yamlfile.nodes import Node, Scalar
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields

ORACLE = "same as reference"

_EXCEPTIONS = sorted(
    name
    for name, item in vars(builtins).items()
    if isinstance(item, type) and issubclass(item, BaseException)
)


def decode_expectation(
    fields: Fields, calls: CaseCalls | None, context: Context, definitions: Definitions | None
) -> Expectation | None:
    """Return the expectation of a case; None if it was reported."""
    kinds = fields.present(*EXPECTATIONS)
    if not kinds and fields.meant.isdisjoint(EXPECTATIONS):
        message = "a case needs one of `returns`, `check` and `raises`"
        context.reporter.report(fields.place, message)
    for kind in kinds[1:]:
        fields.report_key(kind, f"{fields.table.title} can't have both `{kinds[0]}` and `{kind}`")
    comparison = _comparison(fields, kinds[0] if kinds else "returns")
    try:
        match kinds[:1]:
            case ["returns"]:
                return _returns(fields, comparison, calls, context)
            case ["check"]:
                return decode_check(fields, comparison, context)
            case ["raises"]:
                return _raises(fields, context, definitions)
    except Unusable:
        pass
    return None


def decode_optional_expectation(
    fields: Fields, calls: CaseCalls | None, context: Context, definitions: Definitions | None
) -> tuple[bool, Expectation | None]:
    """Return whether a mistake was reported, and the expectation, if there is one."""
    if fields.present(*EXPECTATIONS):
        expect = decode_expectation(fields, calls, context, definitions)
        return expect is None, expect
    for key in fields.present(*COMPARED):
        fields.report_key(key, f"`{key}` has no effect on {fields.table.title} without `returns`")
    return False, None


def _comparison(fields: Fields, kind: str) -> Comparison:
    """Return how answers are compared; report keys that have no effect on this kind of expectation."""
    for key in fields.present(*COMPARED):
        if key not in EXPECTATIONS[kind]:
            fields.report_key(key, f"`{key}` has no effect on {fields.table.title} with `{kind}`")
    others = fields.present("unordered", "sum", "count")
    if fields["differing"] and others:
        fields.report("differing", f"`differing` does not go with `{others[0]}`")
    return Comparison(
        any_sequence=fields["sequence"] is not None,
        unordered=fields["unordered"],
        rel=fields["rel"],
        abs=fields["abs"],
        differing=fields["differing"],
        python=fields["equality"] is not None,
        any_columns=fields["columns"] is not None,
        any_index=fields["index"] is not None,
    )


def _returns(
    fields: Fields, comparison: Comparison, calls: CaseCalls | None, context: Context
) -> Expectation | None:
    node: Node | None = fields["returns"]
    if node is None:
        return None
    if isinstance(node, Scalar) and _is_oracle(node, fields, context):
        _require_reference(fields, "returns", context)
        return SameAsReference(comparison)
    value = value_of(context, node)
    for key in ("unordered", "differing"):
        rows = key == "unordered" and isinstance(value, Table)
        if fields[key] and not rows and not isinstance(value, list | tuple):
            fields.report_key(key, f"`{key}` has no effect: the answer is no list or tuple")
    for key in ("columns", "index"):
        if fields[key] and not any(isinstance(part, Table) for part in parts(value)):
            fields.report_key(key, f"`{key}` has no effect: the answer is no DataFrame or Series")
    if calls is not None and (problem := _impossible(value, calls)):
        fields.report("returns", problem)
    return Returns(value, comparison)


def _require_reference(fields: Fields, key: str, context: Context) -> None:
    if not context.has_reference:
        fields.report(key, f"`{ORACLE}` needs a `reference`, and the task names none")


def _is_oracle(scalar: Scalar, fields: Fields, context: Context) -> bool:
    """Tell whether the text says `same as reference`; report a text that almost says it."""
    text = " ".join(scalar.text.split())
    if text == ORACLE:
        return True
    if "same" in text.lower() and (hint := context.reporter.nearest(text.lower(), [ORACLE])):
        fields.report("returns", f"`{shown(text)}` is not a Python expression", hint)
        raise Unusable
    return False


def _impossible(value: Value, calls: CaseCalls) -> str:
    """Return why the answers can never combine to this value; empty if they can."""
    count = len(calls.calls)
    match calls.combine:
        case Combine.COUNT if type(value) is not int or not 0 <= value <= count:
            return f"`count` gives a whole number from 0 to {count} here, never this"
        case Combine.EACH if type(value) is not list or len(value) != count:
            return f"`each` gives a list of {count} answers here, never this"
        case Combine.SUM if type(value) not in (int, float, complex):
            return "`sum` gives a number, never this"
    return ""


def decode_check(
    fields: Fields, comparison: Comparison, context: Context, key: str = "check", answers: int = 1
) -> Check | None:
    """Return the call of a function of the checkers file that a key states.  Raises Unusable.

    answers: how many of its first parameters the spec does not set.
    """
    call = read_plain_call(fields, key, context)
    if call is None:
        return None
    arguments, checkers = call.arguments, context.checkers
    if not context.has_checkers:
        context.reporter.report(call.place, f"`{key}` needs a `checkers` file, and the task names none")
    elif checkers is not None and checkers.complete and call.function not in checkers.names:
        hint = context.reporter.nearest_or_all(call.function, sorted(checkers.functions))
        message = f"the checkers file has no `{shown(call.function)}`"
        context.reporter.report(call.place, message, hint)
    elif checkers is not None:
        arguments = bind_to_checkers(call, "checker", answers, context)
    return Check(call.function, arguments, call.text, comparison.any_sequence)


def _raises(fields: Fields, context: Context, definitions: Definitions | None) -> Raises | None:
    inner = fields["raises"]
    if not isinstance(inner, Fields):
        return _exception(fields, "raises", context, definitions)
    raises = _exception(inner, "type", context, definitions)
    pattern = inner["message"]
    return replace(raises, message=pattern) if raises is not None else None


def _exception(fields: Fields, key: str, context: Context, definitions: Definitions | None) -> Raises | None:
    name: str | None = fields[key]
    if name is None:
        return None
    if not is_python_name(name):
        fields.report(key, f"`{shown(name)}` is not the name of an exception")
        return None
    # Without a reference any name may be a class of the submission.
    known = definitions is None or not definitions.complete or name in definitions.names
    if name not in _EXCEPTIONS and (not known or hasattr(builtins, name)):
        own = sorted(definitions.names) if definitions is not None else []
        hint = context.reporter.nearest(name, [*_EXCEPTIONS, *own])
        fields.report(key, f"neither Python nor the reference has an exception `{shown(name)}`", hint)
        return None
    return Raises(name)


def check_classes(
    calls: CaseCalls, expect: Expectation, definitions: Definitions | None, place: Span, context: Context
) -> None:
    """Report classes whose instances a case uses and which the reference's module lacks."""
    if definitions is None or not definitions.complete:
        return
    call = calls.calls[0]
    values: list[Value] = [*call.args, *(value for _, value in call.kwargs)]
    if isinstance(expect, Returns):
        values.append(expect.value)
    used = {
        part.type_name for value in values for part in parts(value) if isinstance(part, Record | EnumMember)
    }
    for name in sorted(used - definitions.names):
        message = f"the reference has no class `{shown(name)}` in this module"
        context.reporter.report(place, message)


def decode_text(fields: Fields, key: str, context: Context) -> Text | None:
    """Return the printed text that a key states; None if the key is absent or was reported."""
    whitespace = Whitespace.EXACT
    inner = fields[key]
    if isinstance(inner, Fields):
        fields, key, whitespace = inner, "text", inner["whitespace"]
    scalar: Scalar | None = fields[key] if inner is not None else None
    if scalar is None:
        return None
    if not scalar.style and " ".join(scalar.text.split()) == ORACLE:
        _require_reference(fields, key, context)
        return Text(None, whitespace)
    words = scalar.text.lower()
    if not scalar.style and "reference" in words and (hint := context.reporter.nearest(words, [ORACLE])):
        fields.report(key, f"`{shown(scalar.text)}` is almost, but not quite, `{ORACLE}`", hint)
        return None
    return Text(scalar.text, whitespace)

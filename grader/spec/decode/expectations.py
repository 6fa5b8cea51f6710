"""What a case expects: an answer, the reference's answer, a checker's word, or an exception."""

import builtins
import re
import warnings
from dataclasses import replace
from fractions import Fraction

from grader.model.case import Check, Combine, Comparison, Expectation, Raises, Returns, SameAsReference
from grader.model.values import Value
from grader.spec.decode.arguments import plain_arguments
from grader.spec.decode.calls import Attempt, read_call
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Unusable
from grader.spec.expressions.names import is_python_name
from grader.spec.expressions.of_yaml import value_of
from grader.spec.keys import RAISES
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.signatures import Given, bind
from grader.yamlfile.nodes import Mapping, Scalar
from grader.yamlfile.quantities import share, tolerance
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields, open_fields

ORACLE = "same as reference"

_KINDS = ("returns", "check", "raises")
_COMPARISON = ("sequence", "unordered", "rel", "abs", "differing")
_EXCEPTIONS = sorted(
    name
    for name, item in vars(builtins).items()
    if isinstance(item, type) and issubclass(item, BaseException)
)
_LONGEST_PATTERN = 1000


def decode_expectation(
    fields: Fields, attempt: Attempt | None, context: Context, definitions: Definitions | None
) -> Expectation | None:
    """Return what a case expects; None where it was reported."""
    kinds = fields.present(*_KINDS)
    if not kinds:
        message = "a case needs one of `returns`, `check` and `raises`"
        context.reporter.report(fields.place, message)
    for kind in kinds[1:]:
        message = f"{fields.table.title} can't have both `{kinds[0]}` and `{kind}`"
        context.reporter.report(fields.key_span(kind), message)
    comparison = _comparison(fields, kinds[0] if kinds else "returns", context)
    try:
        match kinds[:1]:
            case ["returns"]:
                return _returns(fields, comparison, attempt, context)
            case ["check"]:
                return decode_check(fields, comparison, context)
            case ["raises"]:
                return _raises(fields, attempt, context, definitions)
    except Unusable:
        pass
    return None


def decode_optional_expectation(
    fields: Fields, attempt: Attempt | None, context: Context, definitions: Definitions | None
) -> tuple[bool, Expectation | None]:
    """Return whether a mistake was reported, and what is expected, if anything is."""
    if fields.present(*_KINDS):
        expect = decode_expectation(fields, attempt, context, definitions)
        return expect is None, expect
    for key in fields.present(*_COMPARISON):
        message = f"`{key}` has no effect on {fields.table.title} without `returns`"
        context.reporter.report(fields.key_span(key), message)
    return False, None


def _comparison(fields: Fields, kind: str, context: Context) -> Comparison:
    """Read how answers are compared; report what has no effect on this kind of case."""
    allowed = {"returns": _COMPARISON, "check": ("sequence",), "raises": ()}[kind]
    for key in fields.present(*_COMPARISON):
        if key not in allowed:
            message = f"`{key}` has no effect on {fields.table.title} with `{kind}`"
            context.reporter.report(fields.key_span(key), message)
    return Comparison(
        any_sequence=fields.word("sequence") is not None,
        unordered=fields.boolean("unordered") or False,
        rel=fields.quantity("rel", tolerance) or 0.0,
        abs=fields.quantity("abs", tolerance) or 0.0,
        differing=_differing(fields),
    )


def _differing(fields: Fields) -> Fraction:
    """Read which share of an answer's items may differ; report what takes no sense with it."""
    value = fields.quantity("differing", share)
    if value is None:
        return Fraction(0)
    if not 0 < value < 1:
        fields.report("differing", "`differing` must lie between 0 and 1 (100%)")
        return Fraction(0)
    if fields.present("unordered", "sum", "count"):
        other = fields.present("unordered", "sum", "count")[0]
        fields.report("differing", f"`differing` does not go with `{other}`")
    return value


def _returns(
    fields: Fields, comparison: Comparison, attempt: Attempt | None, context: Context
) -> Expectation | None:
    node = fields.node("returns")
    if node is None:
        return None
    if isinstance(node, Scalar) and _is_oracle(node, fields, context):
        if not context.has_reference:
            message = f"`{ORACLE}` needs a `reference`, and the task names none"
            fields.report("returns", message)
        return SameAsReference(comparison)
    value = value_of(context, node)
    if comparison.unordered and not isinstance(value, list | tuple):
        message = "`unordered` has no effect: the answer is no list or tuple"
        context.reporter.report(fields.key_span("unordered"), message)
    if comparison.differing and not isinstance(value, list | tuple):
        message = "`differing` has no effect: the answer is no list or tuple"
        context.reporter.report(fields.key_span("differing"), message)
    if attempt is not None and (problem := _impossible(value, attempt)):
        fields.report("returns", problem)
    return Returns(value, comparison)


def _is_oracle(scalar: Scalar, fields: Fields, context: Context) -> bool:
    """Tell whether the reference is to answer; report what was probably meant to say so."""
    text = " ".join(scalar.text.split())
    if text == ORACLE:
        return True
    if "same" in text.lower() and (hint := context.reporter.nearest(text.lower(), [ORACLE])):
        fields.report("returns", f"`{shown(text)}` is not a Python expression", hint)
        raise Unusable
    return False


def _impossible(value: Value, attempt: Attempt) -> str:
    """Return why no answers can ever combine to this value; empty where some can."""
    count = len(attempt.calls)
    match attempt.combine:
        case Combine.COUNT if type(value) is not int or not 0 <= value <= count:
            return f"`count` gives a whole number from 0 to {count} here, never this"
        case Combine.EACH if type(value) is not list or len(value) != count:
            return f"`each` gives a list of {count} answers here, never this"
        case Combine.SUM if type(value) not in (int, float, complex):
            return "`sum` gives a number, never this"
    return ""


def decode_check(
    fields: Fields, comparison: Comparison, context: Context, key: str = "check"
) -> Check | None:
    """Return the call of a function of the checkers file that a key states.  Raises Unusable."""
    written = read_call(fields, key, context)
    if written is None:
        return None
    arguments = plain_arguments(context, written.expression, written.tree)
    span = written.expression.span
    given = [Given(a.keyword, value, span(a.place)) for a, value in arguments]
    place = span(written.tree.func)
    name = written.function
    text = " ".join(written.expression.text.split())
    result = Check(name, tuple((g.name, g.value) for g in given), text, comparison.any_sequence)
    checkers = context.checkers
    if not context.has_checkers:
        context.reporter.report(place, f"`{key}` needs a `checkers` file, and the task names none")
    if checkers is None:
        return result
    if name in checkers.functions:
        bound = bind(name, checkers.functions[name], given, place, context.reporter)
        return replace(result, arguments=bound)
    if name not in checkers.names and checkers.complete:
        hint = context.reporter.nearest_or_all(name, sorted(checkers.functions))
        context.reporter.report(place, f"the checkers file has no `{shown(name)}`", hint)
    elif any(not g.name for g in given):
        message = f"the parameters of checker `{shown(name)}` are not known; name each argument"
        context.reporter.report(place, message)
    return result


def _raises(
    fields: Fields, attempt: Attempt | None, context: Context, definitions: Definitions | None
) -> Raises | None:
    if attempt is not None and attempt.combine is not None:
        message = f"`raises` does not go with `{attempt.combine}`"
        context.reporter.report(fields.key_span("raises"), message, "write a case for each call")
    node = fields.node("raises")
    if not isinstance(node, Mapping):
        return _exception(fields, "raises", context, definitions)
    inner = open_fields(node, RAISES, context.reporter)
    if inner is None:
        return None
    raises = _exception(inner, "type", context, definitions)
    pattern = _pattern(inner)
    return replace(raises, message=pattern) if raises is not None else None


def _exception(fields: Fields, key: str, context: Context, definitions: Definitions | None) -> Raises | None:
    name = fields.text(key)
    if name is None:
        return None
    if not is_python_name(name):
        fields.report(key, f"`{shown(name)}` is not the name of an exception")
        return None
    # Without a reference any name may be a class of the submission's own.
    known = definitions is None or not definitions.complete or name in definitions.names
    if name not in _EXCEPTIONS and (not known or hasattr(builtins, name)):
        own = sorted(definitions.names) if definitions is not None else []
        hint = context.reporter.nearest(name, [*_EXCEPTIONS, *own])
        fields.report(key, f"neither Python nor the reference has an exception `{shown(name)}`", hint)
        return None
    return Raises(name)


def _pattern(fields: Fields) -> str | None:
    """Return the regular expression for the exception's text."""
    scalar = fields.scalar("message")
    if scalar is None or fields.text("message") is None:
        return None
    text = scalar.text
    if len(text) > _LONGEST_PATTERN:
        fields.report("message", f"`message` has more than {_LONGEST_PATTERN} characters")
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        fields.report("message", f"`message` is not a regular expression: {shown(str(error))}")
        return None
    return text

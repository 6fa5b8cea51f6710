"""The expectations of a case: an answer, the reference's answer, a checker, an exception, printed text."""

import builtins
import re
from dataclasses import replace

from grader.judge.expected_text import for_search
from grader.model.case import (
    Check,
    Combine,
    Comparison,
    Expectation,
    Raises,
    Returns,
    SameAsReference,
    Text,
)
from grader.model.values import EnumMember, Record, Value
from grader.spec.decode.calling.calls import CaseCalls, bind_to_checkers, read_plain_call
from grader.spec.decode.calling.written import normal
from grader.spec.expressions.context import Context
from grader.spec.expressions.names import is_python_name
from grader.spec.expressions.of_yaml import value_of
from grader.spec.keys.answers import COMPARED, EXPECTATIONS
from grader.spec.keys.common import PRINTS
from grader.spec.reference.definitions import Definitions
from grader.spec.reference.files import read_attached
from grader.values.show import show
from grader.values.sort import sort_of
from grader.values.walk import parts
from grader.wire.byte_text import text_of
from grader.yamlfile.nodes import Mapping, Node, Scalar, Sequence
from grader.yamlfile.source import Span, shown
from grader.yamlfile.table import Fields, Key
from grader.yamlfile.table import KeyTable as KeyTable
from grader.yamlfile.unusable import Unusable, collecting

ORACLE = "same as reference"

_EXCEPTIONS = sorted(
    name
    for name, item in vars(builtins).items()
    if isinstance(item, type) and issubclass(item, BaseException)
)


def decode_expectation(
    fields: Fields, calls: CaseCalls | None, context: Context, definitions: Definitions | None
) -> Expectation:
    """Return the expectation of a case.  Raises Unusable."""
    kinds = fields.present(*EXPECTATIONS)
    if not kinds and fields.meant.isdisjoint(EXPECTATIONS):
        message = "a case needs one of `returns`, `check` and `raises`"
        context.reporter.report(fields.place, message)
    for kind in kinds[1:]:
        fields.report_key(kind, f"{fields.table.title} can't have both `{kinds[0]}` and `{kind}`")
    comparison = _comparison(fields, kinds[0] if kinds else "returns", context)
    match kinds[:1]:
        case ["returns"]:
            return _returns(fields, comparison, calls, context)
        case ["check"]:
            return decode_check(fields, comparison, context)
        case ["raises"]:
            return _raises(fields, context, definitions)
    raise Unusable


def decode_optional_expectation(
    fields: Fields, calls: CaseCalls | None, context: Context, definitions: Definitions | None
) -> Expectation | None:
    """Return the expectation of a case, None if there is none.  Raises Unusable."""
    if fields.present(*EXPECTATIONS):
        return decode_expectation(fields, calls, context, definitions)
    for key in fields.present(*COMPARED):
        fields.report_key(key, f"`{key}` has no effect on {fields.table.title} without `returns`")
    return None


def _comparison(fields: Fields, kind: str, context: Context) -> Comparison:
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
        python=kind == "returns" and (fields["equality"] or context.equality) == "python",
        any_columns=fields["columns"] is not None,
        any_index=fields["index"] is not None,
    )


def _returns(
    fields: Fields, comparison: Comparison, calls: CaseCalls | None, context: Context
) -> Expectation:
    node: Node = fields.needed("returns")
    if isinstance(node, Scalar) and _is_oracle(node, fields, context):
        _require_reference(fields, "returns", context)
        return SameAsReference(comparison)
    combine = calls.combine if calls is not None else None
    if fields["reads"] and combine in (Combine.SUM, Combine.COUNT):
        fields.report_key("reads", f"`reads` does not go with `{combine}`, whose answers are numbers")
    if fields["reads"] and combine is Combine.EACH and isinstance(node, Sequence):
        value: Value = [_values_read(item, fields, context) for item in node.items]
    else:
        value = _values_read(node, fields, context) if fields["reads"] else value_of(context, node)
    for key in ("unordered", "differing"):
        if fields[key] and key not in sort_of(value).forgives:
            fields.report_key(key, f"`{key}` has no effect: the answer is no list or tuple")
    for part in parts(value) if fields["unordered"] else ():
        if not sort_of(part).has_keys:
            fields.report_key("unordered", f"`unordered` does not go with {show(part)}")
            break
    for key in ("columns", "index"):
        if fields[key] and not any(key in sort_of(part).forgives for part in parts(value)):
            fields.report_key(key, f"`{key}` has no effect: the answer is no DataFrame or Series")
    if calls is not None and (problem := _impossible(value, calls)):
        fields.report("returns", problem)
    return Returns(value, comparison)


def _values_read(node: Node, fields: Fields, context: Context) -> Value:
    """Return the expected value of each text of `reads`.  Raises Unusable."""
    texts = [" ".join(scalar.text.split()) for scalar in fields["reads"]]
    if not isinstance(node, Mapping) or sorted(key.text for key, _ in node.pairs) != sorted(texts):
        hint = f"such as {{{', '.join(f'{text}: …' for text in texts)}}}"
        fields.report("returns", "`returns` must have a value for each text of `reads`", hint)
        raise Unusable
    return {normal(key.text): value_of(context, value) for key, value in node.pairs}


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
) -> Check:
    """Return the call of a function of the checkers file that a key states.  Raises Unusable.

    answers: how many of its first parameters the spec does not set.
    """
    call = read_plain_call(fields, key, context)
    arguments, checkers = call.arguments, context.checkers
    if not context.has_checkers:
        context.reporter.report(call.place, f"`{key}` needs a `checkers` file, and the task names none")
    elif checkers is not None and checkers.complete and call.function not in checkers.names:
        hint = context.reporter.nearest_or_all(call.function, sorted(checkers.functions))
        message = f"the checkers file has no `{shown(call.function)}`"
        context.reporter.report(call.place, message, hint)
    elif checkers is not None:
        arguments = bind_to_checkers(call, "checker", answers, context)
    return Check(call.function, arguments, call.text, comparison.any_sequence, context.has_reference)


def _raises(fields: Fields, context: Context, definitions: Definitions | None) -> Raises:
    inner = fields["raises"]
    if not isinstance(inner, Fields):
        return _exception(fields, "raises", context, definitions)
    with collecting() as take:
        raises = take(_exception, inner, "type", context, definitions)
        pattern = take(inner.usable, "message")
    return replace(raises, message=pattern)


def _exception(fields: Fields, key: str, context: Context, definitions: Definitions | None) -> Raises:
    name: str = fields.needed(key)
    if not is_python_name(name):
        fields.report(key, f"`{shown(name)}` is not the name of an exception")
        raise Unusable
    # Without a reference any name may be a class of the submission.
    known = definitions is None or not definitions.complete or name in definitions.names
    if name not in _EXCEPTIONS and (not known or hasattr(builtins, name)):
        own = sorted(definitions.names) if definitions is not None else []
        hint = context.reporter.nearest(name, [*_EXCEPTIONS, *own])
        fields.report(key, f"neither Python nor the reference has an exception `{shown(name)}`", hint)
        raise Unusable
    has_own = definitions is not None and name in definitions.names
    if name in _EXCEPTIONS and not has_own:
        # Some classes have two names, such as `IOError`; an exception tells that of its class alone.
        name = getattr(builtins, name).__name__
    return Raises(name, by_name=has_own and name in _EXCEPTIONS)


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
    """Return the printed text that a key states; None if the key is absent.  Raises Unusable."""
    return read_text(fields, key, context) if fields.has(key) else None


def read_text(fields: Fields, key: str, context: Context, around: Text | None = None) -> Text:
    """Return the printed text that a key states, which is present.  Raises Unusable.

    around: the text whose line it is; how texts are compared is said there, unless the line says it.
    """
    stated = around or Text(None)
    inner = fields.needed(key)
    if not isinstance(inner, Fields):
        return replace(stated, value=_whole_text(fields, key, context))
    kinds = inner.present(*_TEXT_KINDS)
    if len(kinds) != 1:
        message = f"an expected text needs one of {', '.join(f'`{kind}`' for kind in _TEXT_KINDS)}"
        if kinds:
            message = f"an expected text can't have both `{kinds[0]}` and `{kinds[1]}`"
        if kinds or not inner.meant:
            context.reporter.report(inner.place, message)
        raise Unusable
    for option in inner.present(*_NOT_WITH[kinds[0]]):
        inner.report_key(option, f"`{option}` has no effect with `{kinds[0]}`")
    own = {name: inner[name] for name in inner.present(*_TEXT_OPTIONS) if inner[name] is not None}
    if own.get("unordered") and (own.keys() & {"rel", "abs"} or around is not None):
        other = "a line" if around is not None else "a tolerance"
        inner.report_key("unordered", f"`unordered` does not go with {other}")
    text = replace(stated, value=None, **own)
    match kinds[0]:
        case "text":
            return replace(text, value=_whole_text(inner, "text", context))
        case "from":
            return replace(text, value=_text_of_file(inner, context, is_line=around is not None))
        case "contains":
            parts = tuple(scalar.text for scalar in inner["contains"] or ())
            if not all(for_search(part, text) for part in parts):
                inner.report("contains", "an empty text stands in every text")
            elif isinstance(node := inner.node("contains"), Sequence) and not node.items:
                inner.report("contains", "`contains` is empty")
            if not parts:
                raise Unusable
            return replace(text, contains=parts)
        case "pattern":
            pattern = inner.needed("pattern")
            if pattern == "":
                inner.report("pattern", "an empty pattern matches every text")
                raise Unusable
            return replace(text, pattern=pattern)
    if around is not None:
        inner.report_key("lines", "a line has no lines")
        raise Unusable
    return replace(text, lines=_lines(inner, text, context), every_line=_is_list(inner))


_TEXT_KINDS = ("text", "from", "contains", "pattern", "lines")
_TEXT_OPTIONS = ("whitespace", "unordered", "ignores", "rel", "abs")
_NOT_WITH = {
    "text": (),
    "from": (),
    "contains": ("unordered", "rel", "abs"),
    "pattern": _TEXT_OPTIONS,
    "lines": ("unordered",),
}
LARGEST_TEXT_B = 16 * 1024 * 1024
_MOST_LINES = 1000


def _whole_text(fields: Fields, key: str, context: Context) -> str | None:
    """Return a text; None for the reference's.  Raises Unusable."""
    scalar = fields[key]
    if not isinstance(scalar, Scalar):
        raise Unusable
    if not scalar.style and " ".join(scalar.text.split()) == ORACLE:
        _require_reference(fields, key, context)
        return None
    if scalar.text == ORACLE and key != "text":
        hint = f"without quotes it is the reference's output; these words are {{text: '{ORACLE}'}}"
        fields.report(key, f"`{ORACLE}` in quotes stands for itself", hint)
        raise Unusable
    words = scalar.text.lower()
    if not scalar.style and "reference" in words and (hint := context.reporter.nearest(words, [ORACLE])):
        fields.report(key, f"`{shown(scalar.text)}` is almost, but not quite, `{ORACLE}`", hint)
        raise Unusable
    return scalar.text


def _text_of_file(fields: Fields, context: Context, *, is_line: bool) -> str:
    """Return the text of a file beside the spec.  Raises Unusable."""
    if is_line:
        fields.report_key("from", "a line can't come from a file of its own")
        raise Unusable
    return text_of(read_attached(fields, "from", context.attached, LARGEST_TEXT_B))


def _is_list(fields: Fields) -> bool:
    return isinstance(fields.node("lines"), Sequence)


def _lines(fields: Fields, text: Text, context: Context) -> tuple[tuple[int, Text], ...]:
    """Return the expected lines by number, as `Text.lines` has them.  Raises Unusable."""
    node = fields.node("lines")
    if isinstance(node, Sequence):
        pairs = tuple((Scalar(item.span, str(number)), item) for number, item in enumerate(node.items, 1))
    elif isinstance(node, Mapping):
        pairs = node.pairs
    else:
        if node is not None:
            fields.misfit("lines", node)
        raise Unusable
    good = [key for key, _ in pairs if _is_line_number(key, context)]
    if not pairs or len(pairs) > _MOST_LINES:
        fields.report("lines", f"`lines` must have from 1 to {_MOST_LINES:,} lines")
    if not good or len(good) < len(pairs) or len(pairs) > _MOST_LINES:
        raise Unusable
    # The value of each line is decoded as that of a key with its number.
    table = KeyTable("`lines`", tuple(Key(key.text, PRINTS) for key in good))
    inner = Fields(Mapping(node.span, pairs, node.flow), table, context.reporter)
    with collecting() as take:
        found = [(int(key.text), take(_line, inner, key.text, context, text)) for key in good]
    # From the top, then those that are counted from the end.
    return tuple(sorted(found, key=lambda pair: (pair[0] < 0, pair[0])))


def _line(fields: Fields, number: str, context: Context, around: Text) -> Text:
    line = read_text(fields, number, context, around)
    if line.value is None:
        return line
    value = line.value.removesuffix("\n")
    if "\n" in value:
        fields.report(number, "a line is a single line", "write each line by itself")
        raise Unusable
    return replace(line, value=value)


def _is_line_number(key: Scalar, context: Context) -> bool:
    if _LINE_NUMBER.fullmatch(key.text):
        return True
    hint = "lines are counted from 1; -1 is the last one"
    context.reporter.report(key.span, f"`{shown(key.text)}` is not the number of a line", hint)
    return False


_LINE_NUMBER = re.compile(r"-?[1-9][0-9]{0,6}")

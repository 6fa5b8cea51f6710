"""What an expression can hold, what it gives, and what it can't hold."""

import math
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from time import process_time

import pytest

from grader.model.errors import SpecError
from grader.spec.expressions.bounds import MAX_ITEMS, MAX_ITEMS_OF_SPEC
from grader.spec.expressions.context import Context
from grader.spec.expressions.evaluate import Names, sized
from grader.spec.expressions.of_yaml import value_of
from grader.yamlfile.nodes import compose
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source
from grader.yamlfile.unusable import Unusable


def yaml_value(text: str, names: Names | None = None) -> object:
    """Return the value of a YAML text in a spec; raise SpecError with all its mistakes."""
    reporter = Reporter(Source("a.yaml", text))
    context = Context(reporter=reporter, names=names or {})
    node = compose(reporter)
    try:
        if node is not None:
            return value_of(context, node)
    except Unusable:
        pass
    reporter.raise_if_any()
    raise AssertionError("no value and no mistake")


def value(expression: str, names: Names | None = None) -> object:
    return yaml_value("'" + expression.replace("'", "''") + "'", names)


def mistakes(expression: str, names: Names | None = None) -> list[str]:
    with pytest.raises(SpecError) as caught:
        value(expression, names)
    return [fault.message for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("[(0, 0), (1, 2)]", [(0, 0), (1, 2)]),
        ("{1: {2, 3}, 'a': b'x'}", {1: {2, 3}, "a": b"x"}),
        ("frozenset([1, 2])", frozenset({1, 2})),
        ("frozenset()", frozenset()),
        ("set()", set()),
        ("tuple([1, 2])", (1, 2)),
        ("tuple()", ()),
        ("list((1, [2]))", [1, [2]]),
        ("list(range(3))", [0, 1, 2]),
        ("2.0 / 3", 2.0 / 3),
        ("[1 / 4, 6 / 2]", [0.25, 3.0]),
        ("1j / 2", 0.5j),
        ("set(range(3))", {0, 1, 2}),
        ("[range(3)]", [range(3)]),
        ("range(10**30)", range(10**30)),
        ("date(2024, 2, 29)", date(2024, 2, 29)),
        ("datetime(2024, 2, 29, hour=1)", datetime(2024, 2, 29, 1)),
        ("time(1, 2, tzinfo=timezone.utc)", time(1, 2, tzinfo=UTC)),
        (
            "datetime(1, 1, 1, tzinfo=timezone(-timedelta(hours=1)))",
            datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=-1))),
        ),
        ("timedelta(weeks=1, seconds=-0.5)", timedelta(weeks=1, seconds=-0.5)),
        ("-Fraction(1, 3)", Fraction(-1, 3)),
        ("Fraction('0.25')", Fraction(1, 4)),
        ("{Decimal('0.1'): Path('a', 'b')}", {Decimal("0.1"): PurePosixPath("a/b")}),
        ("()", ()),
        ("1, 2", (1, 2)),
        ("-2 ** 2", -4),
        ("7 // 2 + 7 % 2 - 10 ** 2 * 3", -296),
        ("[0] * 3 + [1]", [0, 0, 0, 1]),
        ("2 * 'ab'", "abab"),
        ("(1,) * -1", ()),
        ("'a' 'b'", "ab"),
        ("1_000", 1000),
        ("2 ** 100", 2**100),
        ("2j", 2j),
        ("None", None),
        ("  [1, 2]  # with a comment", [1, 2]),
        ("float('-inf')", -math.inf),
    ],
)
def test_values(expression: str, expected: object) -> None:
    result = value(expression)
    assert result == expected
    assert type(result) is type(expected)


def test_not_a_number() -> None:
    result = value("float('nan')")
    assert isinstance(result, float)
    assert math.isnan(result)


def test_names_stand_for_their_values() -> None:
    assert value("[start, (x, x)]", {"start": sized((0, 0)), "x": sized(3)}) == [(0, 0), (3, 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("304", 304),
        ("true", True),
        ("null", None),
        ("1e3", 1000.0),
        ('"304"', 304),
        ("\"'304'\"", "304"),
        ("[1, '(2, 3)', [x]]", [1, (2, 3), [5]]),
        ("{1: 2, \"'a'\": true}", {1: 2, "a": True}),
        ("- 1\n- (2, 3)\n", [1, (2, 3)]),
        ("|\n  [1,\n   2]\n", [1, 2]),
    ],
)
def test_yaml_values(text: str, expected: object) -> None:
    assert yaml_value(text, {"x": sized(5)}) == expected


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("x", "`x` is not a known name"),
        ("lambda: 1", "a lambda can only be an argument of a call, on its own"),
        ("[lambda: 1]", "a lambda can only be an argument of a call, on its own"),
        ("1 | 2", "this operator can't be computed in a spec"),
        ("1 << 2", "this operator can't be computed in a spec"),
        ("1 if 2 else 3", "a condition can't be computed here"),
        ("1 and 2", "`and` and `or` can't be computed here"),
        ("not 1", "this can't be computed in a spec"),
        ("+1", "this can't be computed in a spec"),
        ("(y := 1)", "this can't be computed in a spec"),
        ("[*(1, 2)]", "`*` can't unpack here"),
        ("{**{}}", "`**` can't unpack here"),
        ("(1).real", "an attribute can't be looked up here"),
        ("[1][0]", "an index can't be looked up here"),
        ("f'{1}'", "a formatted string can't be computed here"),
        ("...", "`...` is not a value that can be compared"),
        ("open('x')", "`open` can't be called inside an expression"),
        ("__import__('os')", "`__import__` can't be called inside an expression"),
        ("date(2023, 2, 1, 5)", "`date` takes at most 3 here"),
        ("date(2023, 2, 1.0)", "`date` takes whole numbers"),
        ("time(1, 2, fold=1)", "`time` has no `fold` here"),
        ("datetime(2023, 2, 1, tzinfo=ZoneInfo('UTC'))", "a time zone is an offset from UTC here"),
        ("timedelta(days='1')", "`timedelta` takes numbers"),
        ("Fraction(1, 0)", "`Fraction` does not take this: Fraction(1, 0)"),
        ("Fraction(0.1)", "`Fraction` takes one or two whole numbers, or a text"),
        ("Fraction('1e999999999')", "`Fraction` takes one or two whole numbers, or a text"),
        ("Decimal(0.1)", "`Decimal` takes one text or whole number"),
        ("Decimal('sNaN')", "this `Decimal` is too large, or a NaN that signals"),
        ("Decimal('1' * 20_000)", "this `Decimal` is too large, or a NaN that signals"),
        ("Path(1)", "`Path` takes texts"),
        ("range(1, 2, 0)", "`range` takes one to three whole numbers, the third not 0"),
        ("range(stop=3)", "`range` takes no keyword arguments here"),
        ("float('1')", "`float` takes 'nan', 'inf' or '-inf' here"),
        ("frozenset(1)", "`frozenset` takes one list, tuple or set"),
        ("tuple({1, 2})", "`tuple` takes one list, tuple or range"),
        ("list('ab')", "`list` takes one list, tuple or range"),
        ("list([1], [2])", "`list` takes one list, tuple or range"),
        ("list(range(10**9))", f"this value has 1,000,000,000 items; at most {MAX_ITEMS:,} are allowed"),
        ("1 / 0", "this divides by zero"),
        ("10**400 / 3", "the result is too large for a float"),
        ("'a' / 2", "`/` does not go with a str and an int"),
        ("set([1], [2])", "`set` takes one list, tuple or set"),
        ("{[1]}", "a list can't be in a set or be a key"),
        ("{(1, [2]): 3}", "a tuple that holds a list, a dict or a set can't be in a set or be a key"),
        ("frozenset([[1]])", "a list can't be in a set or be a key"),
        ("{1: 2, True: 3}", "this key is in the dict already"),
        ("'a' + 1", "`+` does not go with a str and an int"),
        ("True + 1", "`+` does not go with a bool and an int"),
        ("[1] + (2,)", "`+` does not go with a list and a tuple"),
        ("'%s' % 1", "`%` does not go with a str and an int"),
        ("-'a'", "`-` does not go with a str"),
        ("1 // 0", "this divides by zero"),
        ("0 ** -1", "this divides by zero"),
        ("2.0 ** 10 ** 6", "the result is too large for a float"),
        ("1j % 2", "`%` does not go with complex numbers"),
        ("'abc", "this quote is never closed"),
        ("'''abc'", "this quote is never closed"),
        ("(1", "`(` is never closed"),
        ("1)", "`)` closes nothing that is open here"),
        ("(1]", "`]` closes nothing that is open here"),
        ("1) + (2", "`)` closes nothing that is open here"),
        ("1 +", "this is not a Python expression: invalid syntax"),
        ("12:30", "this is not a Python expression: invalid syntax"),
        (" ", "a Python expression is missing here"),
    ],
)
def test_mistakes(expression: str, message: str) -> None:
    assert mistakes(expression) == [message]


@pytest.mark.parametrize("expression", ["date(2023, 2, 29)", "timedelta(days=10**10)", "Decimal('one')"])
def test_python_says_what_a_value_of_the_library_cannot_be(expression: str) -> None:
    (message,) = mistakes(expression)
    name = expression.partition("(")[0]
    assert message.startswith(f"`{name}` does not take this: ")


def test_every_mistake_of_an_expression_is_told() -> None:
    assert mistakes("[a, (1, b), {c: d}, 1 | 2, e + f]") == [
        *(f"`{name}` is not a known name" for name in "abcd"),
        "this operator can't be computed in a spec",
        *(f"`{name}` is not a known name" for name in "ef"),
    ]


@pytest.mark.parametrize(
    "expression",
    [
        "10**10**10",
        "-10**10**10",
        "9**9**9**9",
        "2**9999 * 2**9999",
        "0x" + "f" * 5000,
        "9" * 5000,
        "'a' * 10**9",
        "[0] * 10**9",
        "10**9 * (0,)",
        "[[0] * 1000] * 1000",
        "[[0] * 90000, [0] * 90000]",
        "'a' * 900000 + 'a' * 900000",
        "set(range(10**9))",
        "set(range(10**30))",
        "set(range(0, -10**30, -1))",
        "{'a' * 600000: 'a' * 600000}",
    ],
)
def test_values_out_of_bounds_are_refused_before_they_are_built(expression: str) -> None:
    start = process_time()
    assert len(mistakes(expression)) == 1
    assert process_time() - start < 5


@pytest.mark.parametrize(
    "expression",
    [
        "(" * 60 + ")" * 60,
        "[" * 5000 + "]" * 5000,
        "-" * 99_999 + "1",
        "not " * 20_000 + "1",
        "lambda: " * 10_000 + "1",
        "1" + "+1" * 49_999,
        "x" + ".x" * 49_999,
        "x" + "()" * 49_999,
        "x" + "[0]" * 30_000,
        "1 if 1 else " * 8_000 + "1",
        "1 and " * 10_000 + "1",
        "f'{" + "-" * 10_000 + "1}'",
        "await " * 10_000 + "x",
        "2" + "**2" * 30_000,
        "a" * 100_001,
    ],
)
def test_deep_or_long_text_is_refused_before_python_sees_it(expression: str) -> None:
    start = process_time()
    (message,) = mistakes(expression)
    assert "levels deep" in message or "characters" in message
    assert process_time() - start < 5


def test_wide_values_are_not_deep() -> None:
    assert value("[" + "(-1, -2), " * 500 + "]") == [(-1, -2)] * 500


def test_values_can_not_grow_from_name_to_name() -> None:
    half = sized([0] * (MAX_ITEMS // 2))
    assert mistakes("[x, x]", {"x": half}) == ["this value has 100,002 items; at most 100,000 are allowed"]


def test_all_values_of_a_spec_together_are_bounded_and_that_is_told_once() -> None:
    reporter = Reporter(Source("a.yaml", "'[0] * 99999'"))
    context = Context(reporter=reporter)
    node = compose(reporter)
    assert node is not None
    for _ in range(MAX_ITEMS_OF_SPEC // MAX_ITEMS):
        value_of(context, node)
    for _ in range(3):
        with pytest.raises(Unusable):
            value_of(context, node)
    with pytest.raises(SpecError) as caught:
        reporter.raise_if_any()
    assert [fault.message for fault in caught.value.faults] == [
        "with this, all values of the spec together are too large"
    ]


@pytest.mark.parametrize("text", ["[(1, 2)]", "[range(1, 2)]", "{a: (1, 2)}"])
def test_an_expression_that_yaml_splits_gets_one_message(text: str) -> None:
    with pytest.raises(SpecError) as caught:
        yaml_value(text)
    (fault,) = caught.value.faults
    assert fault.message == "YAML splits this at its commas before Python sees it"
    assert fault.width == len(text)

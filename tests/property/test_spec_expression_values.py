"""Expressions give the very values that Python gives, and never more than the bounds allow."""

import math
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grader.model.errors import SpecError
from grader.model.kinds import calls_of
from grader.spec import load_task
from grader.spec.expressions.bounds import MAX_INTEGER_BITS, size_of
from grader.spec.expressions.context import Context
from grader.spec.expressions.of_yaml import value_of
from grader.values.python_text import literal
from grader.yamlfile.nodes import compose, resolve
from grader.yamlfile.quantities import decimal, duration_s, integer, size_b, tolerance
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import Source
from grader.yamlfile.unusable import Unusable

PATH = Path("expression.yaml")
unhurried = settings(deadline=None)
hashable = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(alphabet=st.characters(codec="utf-8"))
    | st.binary(max_size=10),
    lambda inner: st.tuples(inner, inner) | st.frozensets(inner, max_size=4),
    max_leaves=6,
)
values = st.recursive(
    hashable | st.sets(hashable, max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(hashable, inner, max_size=3)
    ),
    max_leaves=10,
)


def evaluate(expression: str) -> object:
    """Return the value of an expression in a spec; raise SpecError with all its mistakes."""
    quoted = "'" + expression.replace("'", "''") + "'"
    reporter = Reporter(Source(str(PATH), quoted))
    node = compose(reporter)
    try:
        if node is not None:
            return value_of(Context(reporter=reporter), node)
    except Unusable:
        pass
    reporter.raise_if_any()
    raise AssertionError("no value and no mistake")


def same(left: object, right: object) -> bool:
    """Equal, of equal types all the way down, zeros with equal signs, NaN equal to itself."""
    if type(left) is not type(right):
        return False
    if isinstance(left, float) and isinstance(right, float):
        return math.copysign(1, left) == math.copysign(1, right) and (left == right or left != left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return same(list(left.items()), list(right.items()))
    return left == right


@unhurried
@given(value=values)
def test_a_value_round_trips_through_its_literal(value: object) -> None:
    assert same(evaluate(literal(value)), value)


@unhurried
@given(value=values.filter(lambda value: "inf" not in repr(value)))
def test_a_value_round_trips_through_its_repr(value: object) -> None:
    assert same(evaluate(repr(value)), value)


@unhurried
@given(arguments=st.lists(values, max_size=3), name=values)
def test_the_text_of_a_call_gives_its_arguments_when_it_is_pasted(
    tmp_path_factory: pytest.TempPathFactory, arguments: list[object], name: object
) -> None:
    call = f"f({', '.join(['let_name', *map(literal, arguments)])}, keyword=let_name)".replace("'", "''")
    text = (
        "{task: a, title: A, marks: 1, modules: {m: m.py}, let: {let_name: '%s'}, questions: "
        "[{id: q, title: Q, marks: 1, cases: [{call: '%s', check: 'c()'}]}], checkers: c.py}"
    )
    folder = tmp_path_factory.getbasetemp()
    (folder / "c.py").write_text("def c(answer): pass\n", encoding="utf-8")
    path = folder / "pasted.yaml"
    path.write_text(text % (literal(name).replace("'", "''"), call), encoding="utf-8")
    made = calls_of(load_task(path).cases[0]).calls[0]
    assert same(list(made.args), [name, *arguments])
    assert len(made.text) <= 200 or "let_name" in made.text
    scope = {"f": lambda *args, keyword: (args, keyword), "let_name": name}
    assert same(eval(made.text, scope), (made.args, made.kwargs[0][1]))


@given(value=values | st.complex_numbers())
def test_python_reads_a_literal_as_the_same_value(value: object) -> None:
    read = eval(literal(value))
    assert same(read, value) or (isinstance(value, complex) and repr(read) == repr(value))


@given(value=values)
def test_the_extent_counts_all_items(value: object) -> None:
    def items(part: object) -> int:
        if isinstance(part, dict):
            return sum(1 + items(inner) for pair in part.items() for inner in pair)
        if isinstance(part, list | tuple | set | frozenset):
            return sum(1 + items(inner) for inner in part)
        return 0

    assert size_of(value).items == items(value)


operands = st.recursive(
    st.sampled_from(
        ("0", "1", "2", "-3", "7", "10", "0.5", "1e308", "2j", "'ab'", "[1]", "(1, 2)", "b'x'", "True")
    ),
    lambda inner: st.builds(
        "({} {} {})".format, inner, st.sampled_from(("+", "-", "*", "//", "%", "**")), inner
    ),
    max_leaves=4,
)


@unhurried
@given(expression=operands)
def test_arithmetic_gives_what_python_gives_or_a_mistake(expression: str) -> None:
    try:
        value = evaluate(expression)
    except SpecError:
        return
    assert same(value, eval(expression)) or isinstance(value, complex)


@unhurried
@given(
    expression=st.text(alphabet="0123456789abflmnorstxj()[]{}'\"*+-/%,.: #\\\n", max_size=60)
    | st.lists(
        st.sampled_from(
            ("range(", "float(", "'nan'", "lambda x: ", "[", "]", "(", ")", "9", "**", "*", "'a'", ",")
        )
    ).map("".join)
)
def test_any_text_is_a_bounded_value_or_a_mistake(expression: str) -> None:
    try:
        value = evaluate(expression)
    except SpecError as error:
        located = [fault.where.startswith(f"{PATH}:") for fault in error.faults]
    else:
        located = [not isinstance(value, int) or value.bit_length() <= MAX_INTEGER_BITS]
        assert size_of(value).excess() == ""
    assert all(located)


@given(text=st.text(max_size=30) | st.from_regex(r"[-+]?[0-9.eE+xofINan_:]{0,30}", fullmatch=True))
@example(text="1E310")
def test_scalars_and_quantities_take_any_text(text: str) -> None:
    assert isinstance(resolve(text), bool | int | float | str | None)
    for read in (decimal, duration_s, integer, size_b):
        value = read(text)
        assert value is None or math.isfinite(float(value))
    # An infinite one is refused where a spec has it.
    largest = tolerance(text)
    assert largest is None or largest >= 0

"""A converted assertion means what it meant: its literals are the same, and so is what it accepts."""

import ast
import math
import unittest
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from grader.authoring.written import WrittenCase, WrittenQuestion
from grader.model.case import Returns
from grader.model.kinds import calls_of
from grader.plugins.convert.assertions import BodyReader
from grader.plugins.convert.draft import Draft
from grader.plugins.convert.python.scope import ConvertedScope
from grader.plugins.convert.values import has_nan, read_value
from grader.plugins.convert.write import spec_text
from grader.spec import load_task
from grader.values.compare import first_difference

NUMBERS = (
    st.integers(-3, 3)
    | st.integers()
    | st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5])
    | st.floats(allow_nan=False)
)
ATOMS = st.none() | st.booleans() | NUMBERS | st.text(max_size=4) | st.binary(max_size=3)
KEYS = st.booleans() | st.integers(-3, 3) | st.text(max_size=3) | st.sampled_from([0.0, 1.0, 2.5])
VALUES = st.recursive(
    ATOMS | st.sets(KEYS, max_size=3) | st.frozensets(KEYS, max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)
FOREIGN = {"pytest": "pytest", "math": "math", "np": "numpy"}
SMALL = st.integers(-2000, 2000).map(lambda number: number / 1000) | st.integers(-3, 3)


def source(value: Any) -> str:
    """Return Python text of a value; `repr` but for infinities and empty sets, which it shows otherwise."""
    return repr(value).replace("inf", "float('inf')")


def converted(statement: str) -> tuple[WrittenCase | None, Draft]:
    """Return the case of one statement, and what there is to say about it."""
    draft = Draft()
    body = BodyReader(draft, "t.py", ConvertedScope({"f": ("work", "f")}, foreign=FOREIGN))
    body.read(ast.parse(statement).body)
    return (body.cases[0] if body.cases else None), draft


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("convert")


def loaded(case: WrittenCase, folder: Path) -> tuple[str, Returns]:
    """Return the call and the expectation of a case, after it was written and loaded."""
    draft = Draft([WrittenQuestion("q", "q", Fraction(1), (case,))])
    path = folder / "work.yaml"
    path.write_text(spec_text(draft, "work"), encoding="utf-8")
    [one] = load_task(path).cases
    expect = calls_of(one).decides
    assert isinstance(expect, Returns)
    return str(case.keys["call"]), expect


def same(one: Any, other: Any) -> bool:
    return first_difference(one, other) is None and repr(one) == repr(other)


@given(VALUES)
@example("yes")
@example("a: b # c")
@example("\ud800\x00\x85\u2028'\"")
@example(-0.0)
@example(frozenset())
@example([{"1e3": (1,)}, 1e3, 10**30])
def test_a_literal_is_the_same_in_the_spec(folder: Path, value: Any) -> None:
    assume("inf" not in repr(value) or type(value) is float)
    case, draft = converted(f"assert f({source(value)}) == {source(value)}")
    assert case is not None, draft.remarks
    call, expectation = loaded(case, folder)
    [argument] = ast.parse(call, mode="eval").body.args  # type: ignore[attr-defined]
    assert first_difference(value, read_value(argument, ConvertedScope())) is None
    assert first_difference(value, expectation.value) is None


@given(VALUES, VALUES | st.none(), st.sampled_from(["same", "float", "int", "tuple", "list", "other"]))
@example(2, 2.0, "other")
@example([1, (2,)], [1.0, (2,)], "other")
@example({1, 2}, frozenset({1.0, 2}), "other")
@example(True, 1, "other")
@example(0, False, "other")
@example(1, Fraction(1), "other")
@example(2.0, Decimal(2), "other")
@example(1, 1 + 0j, "other")
@example(2**53 + 1, 2.0**53, "other")
@example({1: "a"}, {True: "a"}, "other")
@example([{1}], [frozenset({1.0})], "other")
@example(0.1, math.nextafter(0.1, 1), "other")
def test_equality_accepts_what_python_accepts(folder: Path, expected: Any, other: Any, change: str) -> None:
    assume("inf" not in repr(expected) and not has_nan(other))
    actual = changed(expected, other, change)
    case, draft = converted(f"assert f() == {source(expected)}")
    assert case is not None, draft.remarks
    _, expectation = loaded(case, folder)
    accepted = first_difference(expectation.value, actual, expectation.comparison) is None
    assert draft.remarks == []
    assert accepted == (actual == expected)


def changed(expected: Any, other: Any, change: str) -> Any:
    """Return an answer that is like the expected one, or another value."""
    match change:
        case "same":
            return expected
        case "float" if type(expected) is int and abs(expected) < 2**53:
            return float(expected)
        case "int" if type(expected) is float and expected.is_integer():
            return int(expected)
        case "tuple" if isinstance(expected, list):
            return tuple(expected)
        case "list" if isinstance(expected, tuple):
            return list(expected)
    return other


@given(SMALL, SMALL, st.integers(0, 8))
def test_almost_equal_accepts_what_unittest_accepts(
    folder: Path, expected: float, difference: float, places: int
) -> None:
    actual = expected + difference / 10**places
    # Half of the last place rounds one way or the other by the last bit.
    assume(abs(abs(actual - expected) * 10**places - 0.5) > 1e-6)
    case, _ = converted(f"self.assertAlmostEqual(f(), {expected!r}, {places})")
    assert case is not None
    _, expectation = loaded(case, folder)
    accepted = first_difference(expectation.value, actual, expectation.comparison) is None
    almost_equal = getattr(unittest.TestCase(), "assertAlmostEqual")  # noqa: B009
    try:
        almost_equal(actual, expected, places)
    except unittest.TestCase.failureException:
        assert not accepted
    else:
        assert accepted


@given(SMALL, SMALL, st.sampled_from(["", ", abs=0.01", ", rel=0.1", ", rel=0.1, abs=0.01"]))
def test_approx_accepts_what_pytest_accepts(
    folder: Path, expected: float, actual: float, options: str
) -> None:
    case, _ = converted(f"assert f() == pytest.approx({expected!r}{options})")
    assert case is not None
    _, expectation = loaded(case, folder)
    wanted = eval(f"pytest.approx({expected!r}{options})", {"pytest": pytest})
    accepted = first_difference(expectation.value, actual, expectation.comparison) is None
    assert accepted == (actual == wanted)

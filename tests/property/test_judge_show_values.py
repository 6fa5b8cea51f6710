"""Laws of showing values: bounded, printable, and readable by Python."""

import ast

from hypothesis import given
from hypothesis import strategies as st

from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Value
from grader.values.compare import first_difference
from grader.values.show import SHORTEST_LIMIT, show

TEXTS = st.text(st.characters(codec=None, categories=None), max_size=40)
LITERAL_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.binary(max_size=40),
)
KEYS: st.SearchStrategy[Value] = st.recursive(LITERAL_SCALARS, st.tuples, max_leaves=2)


def _literals(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.sets(KEYS, min_size=1, max_size=4),
        st.dictionaries(KEYS, inner, max_size=3),
    )


LITERALS: st.SearchStrategy[Value] = st.recursive(LITERAL_SCALARS, _literals, max_leaves=8)
STAND_INS = st.one_of(
    st.builds(Opaque, TEXTS, TEXTS),
    st.builds(Cycle, st.integers(1, 9)),
    st.builds(Record, TEXTS, st.tuples(st.tuples(TEXTS, LITERALS))),
    st.builds(EnumMember, TEXTS, TEXTS),
    st.builds(OddSet, st.sampled_from(["set", "frozenset"]), st.lists(LITERALS, max_size=4).map(tuple)),
    st.complex_numbers(),
    st.floats(),
    st.integers(min_value=10**390, max_value=10**410),
)
ANYTHING: st.SearchStrategy[Value] = st.recursive(
    STAND_INS | LITERAL_SCALARS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=20
)


@given(LITERALS)
def test_python_reads_back_what_is_shown(value: Value) -> None:
    assert first_difference(value, ast.literal_eval(show(value, 100_000))) is None


@given(ANYTHING, st.integers(0, 300))
def test_what_is_shown_is_bounded_and_printable(value: Value, limit: int) -> None:
    text = show(value, limit)
    assert 0 < len(text) <= max(limit, SHORTEST_LIMIT)
    assert text.isprintable()


@given(ANYTHING)
def test_what_fits_is_shown_whole(value: Value) -> None:
    whole = show(value, 100_000)
    assert show(value, max(len(whole), SHORTEST_LIMIT)) == whole

"""Whatever bytes a box answers with: decoded, shown and compared, or refused; never an exception of ours."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from grader.model.case import Comparison
from grader.model.outcome import Ending, RaisedAnswer, Returned
from grader.model.values import Cycle, EnumMember, OddSet, Opaque, Record, Value
from grader.sandbox.evidence import import_outcome_of, outcome_of, watched_call_of
from grader.values.compare import first_difference
from grader.values.show import show
from grader.wire import codec
from grader.wire.encoder import Encoder
from grader.wire.messages import ENDINGS, Report

any_text = st.text(st.characters(codec=None), max_size=10)
atoms = st.one_of(
    st.none(), st.booleans(), st.integers(), st.integers(-(10**5000), 10**5000), st.floats(),
    st.complex_numbers(), any_text, st.binary(max_size=9), st.integers(1, 5).map(Cycle),
    st.builds(Opaque, any_text, any_text), st.builds(EnumMember, any_text, any_text),
)  # fmt: skip
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.builds(
            lambda name, fields: Record(name, tuple(fields)), any_text, st.lists(st.tuples(any_text, inner))
        ),
        st.builds(
            OddSet, st.sampled_from(("set", "frozenset")), st.lists(inner, min_size=1, max_size=3).map(tuple)
        ),
        st.lists(atoms, max_size=4).map(frozenset),
        st.dictionaries(atoms, inner, max_size=3),
    ),
    max_leaves=12,
)
answers = st.one_of(
    st.tuples(st.just("returned"), values),
    st.tuples(st.just("returned"), values, st.lists(values, max_size=3)),
    st.tuples(st.just("raised"), any_text, any_text, st.lists(any_text, max_size=3), st.just([])),
    st.tuples(
        st.just("raised"), any_text, any_text, st.just(["E"]),
        st.lists(st.tuples(any_text, st.integers(), any_text), max_size=3),
    ),
    values,
)  # fmt: skip
comparisons = st.builds(
    Comparison,
    any_sequence=st.booleans(),
    unordered=st.booleans(),
    rel=st.sampled_from((0.0, 1e-9, 0.5)),
    abs=st.sampled_from((0.0, 1e-9, 1.0)),
)


def describe(value: object) -> tuple[str, str, object]:
    match value:
        case Record(type_name=name, fields=fields):
            return "r", name, list(fields)
        case Opaque(type_name=name, text=text):
            return "o", name, text
    return "o", type(value).__name__, ""


def report(answer: bytes, ending: str = "answered") -> Report:
    return Report(ending, 0.1, 0.2, 3, "", answer, answer[:50], answer[:9], "detail", ("open a file",))


@given(st.lists(answers, max_size=3), values, comparisons)
def test_an_answer_of_any_shape_is_judged(
    sent: list[object], expected: Value, comparison: Comparison
) -> None:
    try:
        data = Encoder(1 << 20, 100_000, describe).encode(sent)
    except codec.TooLarge:
        return
    outcome = outcome_of(report(data))
    for answer in outcome.answers:
        if isinstance(answer, Returned):
            assert len(show(answer.value)) < 10_000
            first_difference(answer.value, answer.value, comparison)
            first_difference(expected, answer.value, comparison)
        else:
            assert isinstance(answer, RaisedAnswer)
            assert all(0 <= frame.line < 1 << 31 for frame in answer.raised.frames)


@given(st.binary(max_size=200), st.sampled_from(ENDINGS))
def test_bytes_of_any_kind_are_an_outcome(data: bytes, ending: str) -> None:
    outcome = outcome_of(report(data, ending))
    assert outcome.ending in Ending
    assert import_outcome_of(report(data, ending)).ending in Ending
    assert len(outcome.detail) <= 2001


@given(answers, st.data())
def test_damaged_answers_are_an_outcome(sent: object, data: st.DataObject) -> None:
    try:
        encoded = bytearray(Encoder(1 << 20, 100_000, describe).encode([sent]))
    except codec.TooLarge:
        return
    for _ in range(data.draw(st.integers(1, 4))):
        encoded[data.draw(st.integers(0, len(encoded) - 1))] = data.draw(st.integers(0, 255))
    outcome = outcome_of(report(bytes(encoded)))
    for answer in outcome.answers:
        if isinstance(answer, Returned):
            show(answer.value)
    with contextlib.suppress(codec.Malformed, codec.TooLarge):
        watched_call_of(bytes(encoded))

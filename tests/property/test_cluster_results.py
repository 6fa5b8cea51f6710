"""Results that come back from a cluster are what was sent, or are refused whole."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grader.engine.worker import MarkedSubmission
from grader.model.drawing import Cell, Grid, Line, Picture, Raster
from grader.model.results import (
    CaseResult,
    CriterionResult,
    Difference,
    Frame,
    Override,
    Penalty,
    QuestionResult,
    Raised,
    RuleEffect,
    RuleFinding,
    RuleResult,
    Status,
    StepResult,
    SubmissionResult,
    Timing,
)
from grader.model.verdict import Verdict
from grader.plugins.cluster.results import Malformed, decode_marked, encode_marked

ANY = st.characters(codec=None, categories=None)
TEXTS = st.text(ANY, max_size=20)
FRACTIONS = st.fractions(min_value=-10, max_value=10, max_denominator=1000)
TIMES = st.floats(min_value=0, max_value=1e299) | st.integers(0, 100)

CASES = st.builds(
    CaseResult,
    id=TEXTS,
    call=TEXTS,
    verdict=st.sampled_from(Verdict),
    score=FRACTIONS,
    cpu_s=TIMES,
    peak_rss_b=st.integers(0, 2**60),
    stdout=TEXTS,
    actual=TEXTS,
    difference=st.none() | st.builds(Difference, TEXTS, TEXTS, TEXTS),
    raised=st.none()
    | st.builds(Raised, TEXTS, TEXTS, st.lists(st.builds(Frame, TEXTS, st.integers(), TEXTS)).map(tuple)),
    steps=st.lists(st.builds(StepResult, text=TEXTS, verdict=st.sampled_from(Verdict)), max_size=2).map(
        tuple
    ),
    timing=st.none()
    | st.just(
        Timing(
            reference_s=0.1,
            submission_s=0.2,
            ratio=2.0,
            spread=0.1,
            rounds=3,
            full=Fraction(3, 2),
            none=Fraction(3),
        )
    ),
    pictures=st.sampled_from(
        [
            (),
            (
                Picture(
                    "board", "text", Grid(2, 2, (Cell((0, 1), "x"),), (Line(((0, 0), (1, 1)), number=1),))
                ),
            ),
            (Picture("image", "text", Raster(1, 1, ((0, 1, 2),), b"\n\xff")),),
        ]
    ),
    findings=st.none() | st.lists(st.builds(RuleFinding, TEXTS, st.integers(0, 9), TEXTS)).map(tuple),
)
RESULTS = st.builds(
    SubmissionResult,
    id=TEXTS,
    name=TEXTS,
    mark=FRACTIONS,
    max_mark=FRACTIONS,
    status=st.sampled_from(Status),
    problems=st.lists(TEXTS, max_size=2).map(tuple),
    questions=st.lists(
        st.builds(
            QuestionResult,
            id=TEXTS,
            title=TEXTS,
            mark=FRACTIONS,
            max_mark=FRACTIONS,
            verdict=st.sampled_from(Verdict),
            award=TEXTS,
            cases=st.lists(CASES, max_size=2).map(tuple),
            criteria=st.lists(
                st.builds(
                    CriterionResult, id=TEXTS, title=TEXTS, max_mark=FRACTIONS, mark=st.none() | FRACTIONS
                ),
                max_size=1,
            ).map(tuple),
        ),
        max_size=2,
    ).map(tuple),
    penalties=st.lists(st.builds(Penalty, TEXTS, FRACTIONS), max_size=1).map(tuple),
    overrides=st.just((Override(question="1", before=Fraction(1), after=Fraction(2), reason="r", by="b"),)),
    rules=st.lists(st.builds(RuleResult, rule=TEXTS, effect=st.sampled_from(RuleEffect)), max_size=1).map(
        tuple
    ),
)
ALONE = st.builds(MarkedSubmission, RESULTS, st.binary(max_size=20), st.binary(max_size=20))
MARKED = ALONE | st.builds(lambda one, other: replace(one, members=(other,)), ALONE, ALONE)


@settings(max_examples=40)
@given(MARKED)
def test_a_result_comes_back_as_it_was_sent(marked: MarkedSubmission) -> None:
    back = decode_marked(encode_marked(marked))
    assert back == marked
    assert repr(back) == repr(marked)


@settings(max_examples=60)
@given(MARKED, st.data())
def test_a_result_with_anything_of_another_type_in_it_is_refused(
    marked: MarkedSubmission, data: st.DataObject
) -> None:
    text, _, _ = encode_marked(marked).partition(b"\n")
    whole = json.loads(text.decode("utf-8", "surrogatepass"))
    place: Any = whole
    where: Any = data.draw(st.sampled_from(sorted(place)))
    while isinstance(place[where], list | dict) and place[where] and data.draw(st.booleans()):
        place = place[where]
        where = data.draw(
            st.sampled_from(sorted(place)) if isinstance(place, dict) else st.integers(0, len(place) - 1)
        )
    place[where] = data.draw(st.sampled_from([{}, float("nan"), ["x", {}], {"a": 1}]))
    try:
        decode_marked(json.dumps(whole).encode())
    except Malformed:
        return
    raise AssertionError(f"{place!r} was taken for a part of a result")


@given(st.binary(max_size=50) | st.text(max_size=50).map(str.encode))
def test_other_bytes_are_refused(data: bytes) -> None:
    try:
        decode_marked(data)
    except Malformed:
        return
    raise AssertionError("these were taken for a result")

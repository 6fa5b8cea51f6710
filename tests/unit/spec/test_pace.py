"""How a spec says what times are worth, and which share of an answer may differ."""

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

from grader.model.case import Comparison, Pace, Returns
from grader.model.kinds import calls_of
from grader.model.task import Award

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

CASE = "- {call: 'count_tours(4, [(0, 0)])', returns: 0}"
BY_TIME = "award: by-time\npace: {full: 2, none: 4}"


def timed(pace: str) -> str:
    return f"- {{call: 'count_tours(4, [(0, 0)])', returns: 0, pace: {pace}}}"


def test_a_question_states_the_pace_of_its_cases(spec: "SmallSpec") -> None:
    task = spec.load(CASE, question=BY_TIME)
    assert task.questions[0].award is Award.BY_TIME
    assert calls_of(task.cases[0]).pace == Pace(
        full=Fraction(2), none=Fraction(4), steps=4, rounds=5, floor_s=0.02
    )


def test_a_case_states_its_own(spec: "SmallSpec") -> None:
    pace = "{full: 1.5, none: 10, steps: 1, rounds: 9, floor: 5ms}"
    task = spec.load(f"{CASE}\n{timed(pace)}", question=BY_TIME)
    assert calls_of(task.cases[1]).pace == Pace(
        full=Fraction(3, 2), none=Fraction(10), steps=1, rounds=9, floor_s=0.005
    )


def test_cases_without_a_pace_can_stand_beside_cases_with_one_where_each_counts(spec: "SmallSpec") -> None:
    task = spec.load(f"{CASE}\n{timed('{full: 2, none: 4}')}", question="award: each")
    assert [calls_of(case).pace is not None for case in task.cases] == [False, True]


@pytest.mark.parametrize(
    ("against", "module", "function"),
    [
        ("legal_moves", "knight1", "legal_moves"),
        ("plain", "plain", ""),
        ("plain.slow_count", "plain", "slow_count"),
        ("knight1.legal_moves", "knight1", "legal_moves"),
    ],
)
def test_what_is_compared_with(spec: "SmallSpec", against: str, module: str, function: str) -> None:
    (spec.folder / "reference" / "plain.py").write_text(
        "def count_tours(dim, path):\n    return 0\nslow_count = count_tours\n"
    )
    case = spec.case(CASE, question=f"award: by-time\npace: {{full: 2, none: 4, against: {against}}}")
    what = calls_of(case)
    assert what.pace is not None
    assert (what.pace.module, what.pace.function) == (module, function)


@pytest.mark.parametrize(
    ("pace", "message"),
    [
        ("{full: 2}", "`none` is missing in pace"),
        ("{full: 2, none: 2}", "`none` must be greater than `full`, which is 2"),
        ("{full: 0, none: 2}", "`full` must be greater than 0"),
        ("{full: 2, none: 4, steps: 0}", "`steps` must lie between 1 and 100"),
        ("{full: 2, none: 4, rounds: 51}", "`rounds` must lie between 1 and 50"),
        ("{full: 2, none: 4, floor: 2min}", "`floor` must be at most 1min"),
        ("{full: 2, none: 4, against: knight9}", "the reference has no module or function `knight9`"),
        (
            "{full: 2, none: 4, against: knight1.nothing}",
            "module `knight1` of the reference has no function `nothing`",
        ),
        ("{full: 2, none: 4, against: 'a b'}", "`against` must be a module or a function of the reference"),
        ("{full: 2, none: 4, step: 3}", "`step` is not a key of pace"),
    ],
)
def test_mistakes_in_a_pace(spec: "SmallSpec", pace: str, message: str) -> None:
    (found,) = spec.messages(timed(pace), question="award: each")
    assert found.startswith(message)


def test_the_module_to_compare_with_has_the_functions_of_the_cases(spec: "SmallSpec") -> None:
    (spec.folder / "reference" / "plain.py").write_text("def count_tour(dim, path):\n    return 0\n")
    (found,) = spec.faults(timed("{full: 2, none: 4, against: plain}"), question="award: each")
    assert found.message == "the reference's module `plain` has no `count_tours` to compare with"
    assert found.hint == "did you mean `count_tour`?"


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("call: 'count_tours(4, [])', raises: ValueError", "`pace` goes with `returns` and `check` alone"),
        ("scenario: [{call: 'count_tours(4, [])'}]", "`pace` does not go with `scenario`"),
        ("program: knight1, stdout: ''", "`pace` does not go with `program`"),
        ("call: 'first([1], f)', returns: 1, watch: {f: {answer: 'lambda x: x'}}", "`pace` does not go with"),
    ],
)
def test_a_pace_has_no_effect_on_some_cases(spec: "SmallSpec", case: str, message: str) -> None:
    (found,) = spec.messages(f"- {{{case}}}", question=BY_TIME)
    assert found.startswith(message)


@pytest.mark.parametrize("award", ["all", "groups"])
def test_where_cases_count_whole_or_not_at_all_times_have_no_effect(spec: "SmallSpec", award: str) -> None:
    cases = timed("{full: 2, none: 4}").replace("}}", "}, group: a}" if award == "groups" else "}}")
    (found,) = spec.faults(cases, question=f"award: {award}")
    assert found.message.startswith(f"`pace` has no effect with `award: {award}`")
    assert found.hint == "write `award: by-time`"


def test_by_time_needs_the_time_of_every_case(spec: "SmallSpec") -> None:
    (found,) = spec.messages(f"{CASE}\n{timed('{full: 2, none: 4}')}", question="award: by-time")
    assert found == "case `1.1` has no `pace`, and `award: by-time` goes by it"


def test_without_a_reference_there_is_nothing_to_compare_with(spec: "SmallSpec") -> None:
    text = (
        spec.write(CASE, question=BY_TIME).read_text(encoding="utf-8").replace("reference: reference\n", "")
    )
    (found,) = spec.faults(text=text)
    assert found.message == "`pace` needs a `reference` to compare with, and the task names none"


# -- shares ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "share"), [("1%", "1/100"), ("0.5 %", "1/200"), ("0.25", "1/4"), ("99%", "99/100")]
)
def test_a_share_of_the_items_may_differ(spec: "SmallSpec", written: str, share: str) -> None:
    case = spec.case(
        f"- {{call: 'legal_moves(8, [], (0, 0))', returns: [[1]], differing: {written}, rel: 1e-9}}"
    )
    assert calls_of(case).decides == Returns([[1]], Comparison(rel=1e-9, differing=Fraction(share)))


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("returns: [1], differing: 0", "`differing` must lie between 0 and 1 (100%)"),
        ("returns: [1], differing: 100%", "`differing` must lie between 0 and 1 (100%)"),
        ("returns: [1], differing: -1%", "`differing` must be a share such as 1% or 0.01, not `-1%`"),
        ("returns: [1], differing: 1%, unordered: true", "`differing` does not go with `unordered`"),
        ("returns: 1, differing: 1%", "`differing` has no effect: the answer is no list or tuple"),
        ("raises: ValueError, differing: 1%", "`differing` has no effect on a case with `raises`"),
    ],
)
def test_mistakes_in_a_share(spec: "SmallSpec", case: str, message: str) -> None:
    assert spec.messages(f"- {{call: 'legal_moves(8, [], (0, 0))', {case}}}") == [message]


@pytest.mark.parametrize("kind", ["sum", "count"])
def test_a_share_is_not_for_single_numbers(spec: "SmallSpec", kind: str) -> None:
    case = f"- {{{kind}: 'count_tours(3, [(x, 0)])', over: {{x: range(3)}}, returns: 0, differing: 1%}}"
    assert f"`differing` does not go with `{kind}`" in spec.messages(case)


def test_all_mistakes_in_a_pace_are_reported_at_once(spec: "SmallSpec") -> None:
    found = spec.messages(
        timed("{full: -1, none: 4, steps: 0, rounds: 0, floor: often}"), question="award: each"
    )
    assert [message.split()[0] for message in found] == ["`full`", "`steps`", "`rounds`", "`floor`"]

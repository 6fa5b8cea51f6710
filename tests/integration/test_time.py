"""Time relative to the reference, through spec, sandbox and marks."""

from fractions import Fraction
from pathlib import Path

import pytest
from support.marking import cases, mark, verdicts

from grader.model.results import CaseResult, Status

REFERENCE = """
def work(n):
    return n * (n - 1) // 2

def plain(n):
    total = 0
    for number in range(n):
        total += number
    return total

def broken(n):
    raise ValueError("not today")

def endless(n):
    while True:
        pass
"""
TIMES = """
def work(n):
    for _ in range({times}):
        total = 0
        for number in range(n):
            total += number
    return total
"""


def spec(pace: str, *lines: str, award: str = "by-time") -> str:
    """Return a question with this pace, and a case, or these."""
    head = f'questions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: {award}\n'
    head += f"    pace: {{{pace}}}\n" if pace else ""
    made = lines or ("{call: work(400000), returns: same as reference}",)
    return head + "    cases:\n" + "".join(f"      - {line}\n" for line in made)


def only_case(folder: Path, pace: str, times: int) -> CaseResult:
    return cases(mark(folder, spec(pace), TIMES.format(times=times), reference=REFERENCE))["1.1"]


@pytest.mark.parametrize("against", ["plain", "work.plain"])
@pytest.mark.parametrize(("times", "score"), [(1, "1"), (4, "1/2"), (12, "0")])
def test_a_time_is_worth_what_its_band_is(tmp_path: Path, against: str, times: int, score: str) -> None:
    case = only_case(tmp_path, f"full: 2, none: 8, steps: 1, against: {against}", times)
    assert case.score == Fraction(score)
    assert case.verdict == {"1": "accepted", "1/2": "partial", "0": "time-limit"}[score]
    assert case.timing is not None
    # How exact it is, benchmarks/same_mark.py shows; here it is only to be of that kind.
    assert times / 4 < case.timing.ratio < times * 4
    assert case.timing.ratio == pytest.approx(case.timing.submission_s / case.timing.reference_s)


def test_without_another_baseline_the_reference_itself_is_compared_with(tmp_path: Path) -> None:
    case = only_case(tmp_path, "full: 2, none: 8, floor: 1ms", 1)
    assert (case.verdict, case.score) == ("time-limit", 0)
    assert case.timing is not None
    assert case.timing.reference_s < 0.005


def test_below_the_floor_all_is_earned(tmp_path: Path) -> None:
    case = only_case(tmp_path, "full: 2, none: 8, floor: 10s", 1)
    assert (case.verdict, case.score) == ("accepted", 1)
    assert case.timing is not None
    assert case.timing.rounds == 1


def test_a_wrong_answer_is_not_timed(tmp_path: Path) -> None:
    result = mark(tmp_path, spec("full: 2, none: 4"), "def work(n):\n    return 0\n", reference=REFERENCE)
    case = cases(result)["1.1"]
    assert (case.verdict, case.timing, result.mark) == ("wrong-answer", None, 0)


def test_the_mark_is_the_weighted_mean_of_what_times_earn(tmp_path: Path) -> None:
    result = mark(
        tmp_path,
        spec(
            "full: 2, none: 8, steps: 1, against: plain",
            "{call: work(400000), returns: same as reference, weight: 3}",
            "{call: work(9), returns: 36}",
            "{call: work(9), returns: 37}",
        ),
        TIMES.format(times=4),
        reference=REFERENCE,
    )
    assert list(verdicts(result).values()) == ["partial", "accepted", "wrong-answer"]
    assert result.questions[0].mark == (3 * Fraction(1, 2) + 1) / 5


def test_sums_and_cases_of_their_own_pace(tmp_path: Path) -> None:
    pace = "pace: {full: 2, none: 8, steps: 1, against: plain}"
    result = mark(
        tmp_path,
        spec(
            "",
            "{call: work(4), returns: 6}",
            '{sum: work(n), over: {n: "[150000, 250000]"}, returns: same as reference, ' + pace + "}",
            award="each",
        ),
        TIMES.format(times=4),
        reference=REFERENCE,
    )
    assert list(verdicts(result).values()) == ["accepted", "partial"]
    assert cases(result)["1.1"].timing is None


@pytest.mark.parametrize(
    ("against", "reason"),
    [
        ("broken", "an exception instead of an answer"),
        ("endless", "no answer within the case's limits (time)"),
    ],
)
def test_a_reference_that_gives_no_time_is_our_own_fault(tmp_path: Path, against: str, reason: str) -> None:
    text = spec(f"full: 2, none: 4, against: {against}").replace(
        "same as reference", "same as reference, limits: {time: 1s}"
    )
    result = mark(tmp_path, text, TIMES.format(times=1), reference=REFERENCE)
    case = cases(result)["1.1"]
    assert (case.verdict, result.status) == ("internal-error", Status.PENDING)
    assert case.message == f"the time could not be compared with the reference's (reference: {reason})"

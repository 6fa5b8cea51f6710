"""What a case can expect, through the real loader, sandbox and judge."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.model.results import Status
from grader.model.verdict import Verdict

WORK = """
    def square(x):
        return x * x
    def echo(x):
        return x
    def bad(x):
        raise ValueError("negative: " + str(x))
    def first(xs, f):
        for x in xs:
            result = f(x)
            if result is not None:
                return result
    def sort(xs, key=None):
        xs.sort()
        return xs
    def apply(f, x):
        return f(x)
"""


def test_sums_counts_and_lists_over_ranges(tmp_path: Path) -> None:
    spec = question(
        "{sum: square(x), over: {x: range(5)}, returns: 30}",
        "{count: echo(x), over: {x: '[True, False, 1, True]'}, returns: 2}",
        "{each: square(x), over: {x: range(3)}, returns: '[0, 1, 4]'}",
        "{each: square(x), over: {x: range(3)}, returns: '[0, 1, 5]'}",
    )
    result = mark(tmp_path, spec, WORK)
    assert list(verdicts(result).values()) == ["accepted", "accepted", "accepted", "wrong-answer"]
    assert "square(2)" in cases(result)["1.4"].message


def test_exceptions_by_class_and_text(tmp_path: Path) -> None:
    spec = question(
        "{call: bad(-1), raises: ValueError}",
        "{call: bad(-1), raises: {type: ValueError, message: 'negative: -1'}}",
        "{call: bad(-1), raises: {type: ValueError, message: positive}}",
        "{call: bad(-1), raises: KeyError}",
        "{call: echo(1), raises: ValueError}",
        "{call: bad(-1), raises: Exception}",
    )
    found = list(verdicts(mark(tmp_path, spec, WORK)).values())
    assert found == ["accepted", "accepted", "wrong-answer", "exception", "wrong-answer", "accepted"]


def test_a_watched_callback_is_answered_and_recorded_on_the_trusted_side(tmp_path: Path) -> None:
    watched = "watch: {f: {answer: 'lambda x: x * 10 if x > 1 else None', calls: [1, 2]}}"
    spec = question(f"{{call: 'first([1, 2, 3], f)', {watched}, returns: 20}}")
    assert verdicts(mark(tmp_path, spec, WORK)) == {"1.1": "accepted"}


def test_a_callback_that_is_called_too_often_is_told(tmp_path: Path) -> None:
    work = "def first(xs, f):\n    return next((f(x) for x in xs if f(x) is not None), None)\n"
    watched = "watch: {f: {answer: 'lambda x: x', calls: [1]}}"
    result = mark(tmp_path, question(f"{{call: 'first([1, 2], f)', {watched}, returns: 1}}"), work)
    assert verdicts(result) == {"1.1": "wrong-answer"}
    assert "twice" in cases(result)["1.1"].message


def test_a_lambda_in_a_call_runs_beside_the_students_code(tmp_path: Path) -> None:
    spec = question("{call: 'apply(lambda x: x + 1, 2)', returns: 3}")
    assert verdicts(mark(tmp_path, spec, WORK)) == {"1.1": "accepted"}


def test_arguments_that_must_stay_unchanged(tmp_path: Path) -> None:
    spec = question(
        "{call: 'sort([1, 2, 3])', returns: '[1, 2, 3]', unchanged: true}",
        "{call: 'sort([3, 1, 2])', returns: '[1, 2, 3]', unchanged: true}",
        "{call: 'sort(xs=[3, 1, 2])', returns: '[1, 2, 3]', unchanged: true}",
    )
    found = list(verdicts(mark(tmp_path, spec, WORK)).values())
    assert found == ["accepted", "wrong-answer", "wrong-answer"]


def test_the_reference_is_the_oracle(tmp_path: Path) -> None:
    spec = question(
        "{call: square(12), returns: same as reference}",
        "{call: bad(-1), returns: same as reference}",
        "{call: echo(3), returns: same as reference}",
    )
    reference = """
        def square(x):
            return x ** 2
        def bad(x):
            raise ValueError
        def echo(x):
            return 4
    """
    found = list(verdicts(mark(tmp_path, spec, WORK, reference=reference)).values())
    assert found == ["accepted", "accepted", "wrong-answer"]


def test_a_reference_that_fails_is_our_fault_not_the_students(tmp_path: Path) -> None:
    spec = question("{call: square(12), returns: same as reference}", "{call: echo(1), returns: 1}")
    reference = "import os\ndef square(x):\n    os._exit(1)\ndef echo(x):\n    return x\n"
    result = mark(tmp_path, spec, WORK, reference=reference)
    assert verdicts(result) == {"1.1": "internal-error", "1.2": "accepted"}
    assert result.status is Status.PENDING


CHECKERS = """
    def even(answer):
        return None if answer % 2 == 0 else f"{answer} is odd"
    def broken(answer):
        raise RuntimeError("checker bug")
    def partly(answer, share):
        return share, "only a part"
"""


def test_checkers_decide_explain_and_share_out(tmp_path: Path) -> None:
    spec = question(
        "{call: echo(2), check: even()}",
        "{call: echo(3), check: even()}",
        "{call: echo(3), check: partly(share=0.25)}",
    )
    result = mark(tmp_path, spec, WORK, checkers=CHECKERS)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "wrong-answer", "1.3": "partial"}
    assert "3 is odd" in cases(result)["1.2"].message


def test_a_checker_that_raises_leaves_the_mark_pending(tmp_path: Path) -> None:
    result = mark(tmp_path, question("{call: echo(2), check: broken()}"), WORK, checkers=CHECKERS)
    assert verdicts(result) == {"1.1": "internal-error"}
    assert result.status is Status.PENDING
    assert "checker bug" in cases(result)["1.1"].message


def test_a_checker_is_not_handed_a_students_own_object(tmp_path: Path) -> None:
    work = """
        class Liar:
            def __mod__(self, other):
                return 0
        def echo(x):
            return Liar()
    """
    result = mark(tmp_path, question("{call: echo(2), check: even()}"), work, checkers=CHECKERS)
    assert verdicts(result) == {"1.1": "wrong-answer"}


def test_an_object_that_says_it_equals_everything_equals_nothing(tmp_path: Path) -> None:
    work = """
        class Liar(int):
            def __eq__(self, other):
                return True
            __hash__ = int.__hash__
        def echo(x):
            return Liar(7)
    """
    spec = question("{call: echo(2), returns: 2}", "{call: echo(2), returns: 7}")
    assert list(verdicts(mark(tmp_path, spec, work)).values()) == ["wrong-answer", "accepted"]


SETS = """
from decimal import Decimal
from fractions import Fraction


def plain():
    return [{0.95, 1.1}]


def fractions():
    return [{Fraction(3, 20), Fraction(1, 5)}, 1]


def decimals():
    return [{Decimal("0.20"), Decimal("0.15")}, 1]
"""


@pytest.mark.parametrize(
    ("call", "expected", "more"),
    [
        ("plain", "[{1, 1.1}]", "equality: python, "),
        ("fractions", "[{Fraction(1, 10), Fraction(3, 20)}, 1]", ""),
        ("fractions", "[1, {Fraction(1, 10), Fraction(3, 20)}]", "equality: python, "),
        ("decimals", '[{Decimal("0.15"), Decimal("0.10")}, 1]', ""),
    ],
)
def test_near_numbers_in_a_set_within_a_list_are_paired_by_size(
    tmp_path: Path, call: str, expected: str, more: str
) -> None:
    line = f"{{call: {call}(), returns: '{expected}', {more}unordered: true, abs: 0.05}}"
    case = cases(mark(tmp_path, question(line), SETS))["1.1"]
    assert (case.verdict, case.message) == (Verdict.ACCEPTED, "")

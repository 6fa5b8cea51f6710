"""What a case's evidence comes to: one verdict, one sentence."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import (
    StubCheckers,
    answered,
    call_of,
    case_of,
    checked,
    each_of,
    judged,
    raising,
    returned,
    with_what,
)

from grader.judge.judge import CheckFailed, CheckResult, Expected, judge
from grader.model.case import Check, Combine, Comparison, Raises, Returns, SameAsReference, Visibility
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import CaseResult, Difference, Frame, Raised
from grader.model.values import Opaque, Record, Value
from grader.model.verdict import Verdict

CHECK = Check("tour", (("dim", 5),), "tour(dim=5)")
SAME = SameAsReference()


def _reference(*values: Value) -> Expected:
    return Expected(answers=tuple(map(Returned, values)))


# -- endings ---------------------------------------------------------------------------------------

ENDINGS = {
    Ending.EXITED: Verdict.CRASHED,
    Ending.KILLED: Verdict.CRASHED,
    Ending.PROTOCOL: Verdict.CRASHED,
    Ending.TIME: Verdict.TIME_LIMIT,
    Ending.WALL: Verdict.WALL_LIMIT,
    Ending.MEMORY: Verdict.MEMORY_LIMIT,
    Ending.OUTPUT: Verdict.OUTPUT_LIMIT,
    Ending.ANSWER_SIZE: Verdict.OUTPUT_LIMIT,
    Ending.FORBIDDEN: Verdict.FORBIDDEN,
    Ending.LOAD_FAILED: Verdict.LOAD_ERROR,
    Ending.MISSING: Verdict.MISSING,
    Ending.STOPPED: Verdict.CRASHED,
    Ending.BUDGET: Verdict.SKIPPED,
    Ending.INTERNAL: Verdict.INTERNAL_ERROR,
}


def test_every_ending_but_an_answer_has_its_verdict() -> None:
    assert set(ENDINGS) == set(Ending) - {Ending.ANSWERED}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("expect", [Returns(3), SAME, CHECK, Raises("MemoryError")])
def test_an_ending_without_an_answer_is_never_accepted(ending: Ending, expect: Returns) -> None:
    # Even an answer that came along, and would be right, is none.
    outcome = Outcome(ending=ending, answers=(Returned(3),), detail="detail\x1b[2J")
    result = judge(case_of(expect), outcome, _reference(3), StubCheckers())
    assert result.verdict is ENDINGS[ending]
    assert result.score == 0
    assert result.message
    assert "\x1b" not in result.message
    assert not result.message.endswith(".")


@pytest.mark.parametrize(
    ("outcome", "message"),
    [
        (
            Outcome(ending=Ending.EXITED, detail="exit status 3"),
            "the program ended by itself before it gave an answer (exit status 3)",
        ),
        (
            Outcome(ending=Ending.KILLED, detail="SIGSEGV"),
            "the program was ended by a signal before it gave an answer (SIGSEGV): it used memory that is "
            "not its own, as compiled code does that is called with wrong values, or its calls were nested "
            "deeper than its stack holds",
        ),
        (
            Outcome(ending=Ending.KILLED, detail="SIGFPE", place=("leap.py", 7)),
            "the program was ended by a signal before it gave an answer (SIGFPE), in line 7 of leap.py: "
            "compiled code divided by zero",
        ),
        (
            Outcome(ending=Ending.TIME, cpu_s=0.6123, place=("leap.py", 3)),
            "stopped after 0.6 s of computing, in line 3 of leap.py; 0.5 s are allowed",
        ),
        (Outcome(ending=Ending.TIME, cpu_s=72.4), "stopped after 0.6 s of computing; 0.5 s are allowed"),
        (
            Outcome(ending=Ending.WALL, wall_s=9.0, waited_s=7.12, place=("x.py", 5)),
            "stopped after it waited for 7 s, in line 5 of x.py",
        ),
        (Outcome(ending=Ending.MEMORY), "needed more than the 512 MiB of memory that are allowed"),
        (Outcome(ending=Ending.OUTPUT), "printed more than the 1 MiB that are allowed"),
        (
            Outcome(ending=Ending.ANSWER_SIZE, detail="more than 8388608 bytes"),
            "the answer is too large (more than 8 MiB)",
        ),
        (
            Outcome(ending=Ending.ANSWER_SIZE, detail="more than 100 levels deep"),
            "the answer is too large (more than 100 levels deep)",
        ),
        (
            Outcome(ending=Ending.FORBIDDEN, detail="start a process"),
            "tried something that is not allowed here: start a process",
        ),
        (
            Outcome(ending=Ending.LOAD_FAILED, detail="there is no knight1.py in the submission"),
            "the module could not be loaded: there is no knight1.py in the submission",
        ),
        (
            Outcome(
                ending=Ending.LOAD_FAILED,
                raised=Raised("SyntaxError", "invalid syntax", (Frame("knight1.py", 3, "<module>"),)),
            ),
            "importing the module raised SyntaxError: invalid syntax (line 3 of knight1.py)",
        ),
        (Outcome(ending=Ending.MISSING, detail="f"), "the module has no function f"),
        (Outcome(ending=Ending.MISSING, detail="anything at all"), "the module has no function f"),
        (Outcome(ending=Ending.MISSING), "the module has no function f"),
        (
            Outcome(ending=Ending.BUDGET, detail="skipped: it needs case 3.1, which was not accepted"),
            "skipped: it needs case 3.1, which was not accepted",
        ),
    ],
)
def test_endings_in_words(outcome: Outcome, message: str) -> None:
    case = replace(case_of(Returns(1)), limits=Limits(time_s=0.5))
    assert judged(case, outcome).message == message


def test_the_exception_at_import_is_kept() -> None:
    raised = Raised("NameError", "name 'x' is not defined")
    result = judged(case_of(Returns(1)), Outcome(ending=Ending.LOAD_FAILED, raised=raised))
    assert result.raised == raised


def test_the_call_at_which_a_case_ended_is_named() -> None:
    outcome = Outcome(ending=Ending.TIME, answers=(Returned(1),))
    message = judged(each_of(Returns([1, 2]), Combine.EACH, 2), outcome).message
    assert message.startswith("f(2): stopped after ")


# -- values ----------------------------------------------------------------------------------------


def test_the_right_value_is_accepted() -> None:
    result = judged(case_of(Returns(304)), returned(304))
    assert (result.verdict, result.score, result.message) == (Verdict.ACCEPTED, Fraction(1), "")
    assert (result.expected, result.actual, result.difference) == ("304", "304", None)


def test_a_wrong_value_says_where() -> None:
    result = judged(case_of(Returns([(3, 4), (4, 1)])), returned([(3, 4), (4, 3)]))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.message == "item 2, item 2: expected 1, got 3"
    assert result.difference == Difference("item 2, item 2", "1", "3", code="answer[1][1]")
    assert (result.expected, result.actual) == ("[(3, 4), (4, 1)]", "[(3, 4), (4, 3)]")
    assert result.score == 0


def test_a_missing_return_is_suspected() -> None:
    message = judged(case_of(Returns(304)), returned(None)).message
    assert message == "expected 304, got None (is a return missing?)"
    assert "return" not in judged(case_of(Returns([1])), returned([None])).message


def test_the_comparison_of_the_spec_is_used() -> None:
    relaxed = Comparison(any_sequence=True, unordered=True, abs=0.01)
    assert judged(case_of(Returns([1, 2.0], relaxed)), returned((2, 1))).verdict is Verdict.ACCEPTED
    assert judged(case_of(Returns([1, 2.0])), returned((2, 1))).verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("values", [(), (304, 304)])
@pytest.mark.parametrize("expect", [Returns(304), SAME, CHECK, Raises("ValueError")])
def test_as_many_answers_as_calls_are_needed(values: tuple[Value, ...], expect: Returns) -> None:
    result = judge(case_of(expect), returned(*values), _reference(304), StubCheckers())
    assert result.verdict is not Verdict.ACCEPTED
    assert result.score == 0


def test_a_short_answer_is_a_crash() -> None:
    result = judged(each_of(Returns(3), Combine.SUM, 3), returned(1, 2))
    assert result.verdict is Verdict.CRASHED
    assert result.message == "there is no valid answer (3 calls were made, and 2 answered)"


def test_a_case_without_calls_is_our_fault() -> None:
    for expect in (Returns(1), SAME, CHECK, Raises("ValueError")):
        case = with_what(case_of(expect), steps=())
        assert judge(case, returned(), Expected(), StubCheckers()).verdict is Verdict.INTERNAL_ERROR


# -- exceptions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "bases", "message"),
    [
        (
            "IndexError",
            "list index out of range",
            (),
            "raised IndexError: list index out of range (line 7 of knight1.py)",
        ),
        ("AssertionError", "", (), "raised AssertionError (line 7 of knight1.py)"),
        (
            "SystemExit",
            "0",
            (),
            "called sys.exit() or exit() (line 7 of knight1.py), so there is no answer",
        ),
        (
            "RecursionError",
            "maximum recursion depth exceeded",
            ("RuntimeError",),
            "raised RecursionError (line 7 of knight1.py): the function calls itself too often; "
            "does every path reach a case that ends the recursion?",
        ),
        (
            "PermissionError",
            "[Errno 1] Operation not permitted",
            ("OSError",),
            "raised PermissionError: [Errno 1] Operation not permitted (line 7 of knight1.py)",
        ),
        ("Evil\n", "\x1b[2J\u202e", (), "raised Evil\\n: \\x1b[2J\\u202e (line 7 of knight1.py)"),
    ],
)
def test_an_unexpected_exception(name: str, text: str, bases: tuple[str, ...], message: str) -> None:
    answer = raising(name, text, *bases)
    for expect in (Returns(1), CHECK):
        result = judged(case_of(expect), answered(answer))
        assert result.verdict is Verdict.EXCEPTION
        assert result.message == message
        assert result.raised == answer.raised
        assert result.actual.startswith("raises ")


def test_a_memory_error_is_the_memory_limit() -> None:
    assert judged(case_of(Returns(1)), answered(raising("MemoryError"))).verdict is Verdict.MEMORY_LIMIT
    expected = case_of(Raises("MemoryError"))
    assert judged(expected, answered(raising("MemoryError"))).verdict is Verdict.ACCEPTED


def test_of_several_calls_the_one_that_raised_is_named() -> None:
    # The worker stops at the first exception.
    case = each_of(Returns(6), Combine.SUM, 3)
    result = judged(case, answered(Returned(1), raising("ValueError", "odd")))
    assert result.verdict is Verdict.EXCEPTION
    assert result.message == "f(2): raised ValueError: odd (line 7 of knight1.py)"


def test_an_expected_exception_is_accepted_by_class_or_base() -> None:
    case = case_of(Raises("ValueError"))
    assert judged(case, answered(raising("ValueError"))).verdict is Verdict.ACCEPTED
    result = judged(case, answered(raising("TooBig", "7", "ValueError")))
    assert (result.verdict, result.score) == (Verdict.ACCEPTED, Fraction(1))
    assert (result.expected, result.actual, result.raised) == ("raises ValueError", "raises TooBig: 7", None)


def test_another_exception_than_expected() -> None:
    result = judged(case_of(Raises("ValueError")), answered(raising("IndexError", "7")))
    assert result.verdict is Verdict.EXCEPTION
    assert result.message == "raised IndexError: 7 (line 7 of knight1.py); expected ValueError"
    assert result.raised is not None


def test_a_class_that_is_only_called_as_a_built_in_one() -> None:
    own = replace(raising("ValueError", "7"), bases=("Exception", "BaseException"), namesakes=("ValueError",))
    result = judged(case_of(Raises("ValueError")), answered(own))
    assert result.verdict is Verdict.EXCEPTION
    assert result.message.endswith("expected Python's own ValueError, and this is another class of that name")
    assert judged(case_of(Raises("ValueError", by_name=True)), answered(own)).verdict is Verdict.ACCEPTED


def test_no_exception_where_one_is_expected() -> None:
    result = judged(case_of(Raises("ValueError")), returned(None))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.message == "expected ValueError to be raised, got None"


def test_the_text_of_an_exception_is_searched() -> None:
    case = case_of(Raises("ValueError", "out of r.nge$"))
    assert judged(case, answered(raising("ValueError", "row is out of range"))).verdict is Verdict.ACCEPTED
    result = judged(case, answered(raising("ValueError", "no\x1b")))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.message == "expected the message of ValueError to match 'out of r.nge$', got 'no\\x1b'"
    assert result.expected == "raises ValueError with a message that matches 'out of r.nge$'"
    assert result.raised is not None


def test_a_pattern_that_cannot_be_told_in_time_is_no_match() -> None:
    result = judged(case_of(Raises("ValueError", "(too slow)+")), answered(raising("ValueError", "too slow")))
    assert (result.verdict, result.score) == (Verdict.WRONG_ANSWER, 0)
    assert "could not be matched with '(too slow)+' within 1 s, which counts as no match" in result.message


def test_only_the_start_of_a_huge_text_is_searched() -> None:
    text = "x" * 20_000 + "end"
    result = judged(case_of(Raises("ValueError", "end")), answered(raising("ValueError", text)))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert len(result.message) < 1000


def test_a_broken_pattern_is_our_fault() -> None:
    result = judged(case_of(Raises("ValueError", "(")), answered(raising("ValueError", "(")))
    assert result.verdict is Verdict.INTERNAL_ERROR


def test_an_exception_can_be_expected_of_one_call_only() -> None:
    result = judged(each_of(Raises("ValueError"), Combine.EACH, 2), answered(raising("ValueError")))
    assert result.verdict is Verdict.INTERNAL_ERROR


# -- several calls ---------------------------------------------------------------------------------


def test_each_names_the_call_that_differs() -> None:
    case = each_of(Returns([[1], [2, 3], [4]]), Combine.EACH, 3)
    assert judged(case, returned([1], [2, 3], [4])).verdict is Verdict.ACCEPTED
    result = judged(case, returned([1], [2, 4], [5]))
    assert result.message == "f(2): item 2: expected 3, got 4"
    assert result.difference == Difference("f(2), item 2", "3", "4", code="f(2)[1]")
    assert result.actual == "[[1], [2, 4], [5]]"
    assert "return missing" in judged(case, returned([1], None, [4])).message


def test_each_in_any_order() -> None:
    case = each_of(Returns([1, 2], Comparison(unordered=True)), Combine.EACH, 2)
    assert judged(case, returned(2, 1)).verdict is Verdict.ACCEPTED
    assert judged(case, returned(2, 2)).message == "items: expected 1 among them, got 2 in its place"


@pytest.mark.parametrize("value", [7, [1, 2, 3], "ab"])
def test_each_needs_a_value_for_each_call(value: Value) -> None:
    result = judged(each_of(Returns(value), Combine.EACH, 2), returned(1, 2))
    assert result.verdict is Verdict.INTERNAL_ERROR


def test_sum() -> None:
    case = each_of(Returns(6), Combine.SUM, 3)
    assert judged(case, returned(1, 2, 3)).verdict is Verdict.ACCEPTED
    assert judged(case, returned(1, 2, 4)).message == "expected 6, got 7"
    assert judged(case, returned(1, 2, 3.0)).message == "expected 6 (int), got 6.0 (float)"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (True, "f(2): expected a number, got True"),
        ("2", "f(2): expected a number, got '2'"),
        (None, "f(2): expected a number, got None"),
        (Opaque("int", "2"), "f(2): expected a number, got <int object: 2>"),
    ],
)
def test_only_numbers_are_summed(value: Value, message: str) -> None:
    result = judged(each_of(Returns(6), Combine.SUM, 3), returned(1, value, 3))
    assert (result.verdict, result.message) == (Verdict.WRONG_ANSWER, message)
    assert result.expected == "6"


def test_a_sum_that_overflows_is_a_wrong_answer() -> None:
    result = judged(each_of(Returns(6), Combine.SUM, 2), returned(1.0, 10**400))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.message == "f(2): the answer is too large to be added up"


def test_count_takes_true_alone() -> None:
    case = each_of(Returns(2), Combine.COUNT, 3)
    assert judged(case, returned(True, False, True)).verdict is Verdict.ACCEPTED
    assert judged(case, returned(True, False, False)).message == "expected 2, got 1"
    result = judged(case, returned(1, 0, 1))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.message == "expected 2, got 0; f(1) returned 1, which is neither True nor False"


# -- the reference ---------------------------------------------------------------------------------


def test_the_same_as_the_reference() -> None:
    assert judged(case_of(SAME), returned([1]), _reference([1])).verdict is Verdict.ACCEPTED
    result = judged(case_of(SAME), returned([2]), _reference([1]))
    assert (result.verdict, result.expected, result.actual) == (Verdict.WRONG_ANSWER, "[1]", "[2]")


@pytest.mark.parametrize(
    "expected",
    [None, Expected(), Expected(failure="reference: raised NameError"), Expected(answers=(Returned(1),) * 2)],
)
def test_without_the_reference_there_is_no_verdict(expected: Expected | None) -> None:
    result = judged(case_of(SAME), returned(1), expected)
    assert result.verdict is Verdict.INTERNAL_ERROR
    assert result.message.startswith("the case could not be judged (")


def test_a_reference_that_nothing_can_equal_is_our_fault() -> None:
    result = judged(case_of(SAME), returned(1), _reference([Opaque("map", "")]))
    assert result.verdict is Verdict.INTERNAL_ERROR


@pytest.mark.parametrize(
    ("combine", "model", "values", "message"),
    [
        (Combine.EACH, (1, 2), (1, 3), "f(2): expected 2, got 3"),
        (Combine.SUM, (1, 2), (1, 3), "expected 3, got 4; f(2): expected 2, got 3"),
        (Combine.COUNT, (True, True), (True, 1), "expected 2, got 1; f(2): expected True, got 1"),
    ],
)
def test_several_calls_beside_the_reference(
    combine: Combine, model: tuple[Value, ...], values: tuple[Value, ...], message: str
) -> None:
    case = each_of(SAME, combine, 2)
    assert judged(case, returned(*model), _reference(*model)).verdict is Verdict.ACCEPTED
    result = judged(case, returned(*values), _reference(*model))
    assert (result.verdict, result.message) == (Verdict.WRONG_ANSWER, message)


def test_where_the_reference_raises_the_student_must_raise_the_same() -> None:
    case, expected = case_of(SAME), Expected(answers=(raising("KeyError", "'a'"),))
    result = judged(case, answered(raising("KeyError", "other")), expected)
    assert (result.verdict, result.expected) == (Verdict.ACCEPTED, "raises KeyError: 'a'")
    result = judged(case, answered(raising("IndexError")), expected)
    assert (result.verdict, result.raised is None) == (Verdict.EXCEPTION, False)
    result = judged(case, returned(1), expected)
    assert (result.verdict, result.message) == (
        Verdict.WRONG_ANSWER,
        "expected KeyError to be raised, got 1",
    )


def test_a_reference_that_stops_half_way_is_our_fault() -> None:
    expected = Expected(answers=(raising("KeyError"),))
    result = judged(each_of(SAME, Combine.EACH, 2), answered(raising("KeyError")), expected)
    assert result.verdict is Verdict.INTERNAL_ERROR


def test_a_reference_that_cannot_be_summed_is_our_fault() -> None:
    result = judged(each_of(SAME, Combine.SUM, 2), returned(1, 2), _reference(1, "2"))
    assert result.verdict is Verdict.INTERNAL_ERROR


# -- checkers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("says", "verdict", "message"),
    [
        (CheckResult(Fraction(1)), Verdict.ACCEPTED, ""),
        (CheckResult(Fraction(1, 3), "two of six"), Verdict.PARTIAL, "two of six"),
        (CheckResult(Fraction(1, 3)), Verdict.PARTIAL, "the answer satisfies tour(dim=5) in part"),
        (CheckResult(Fraction(0), "no\x1b way"), Verdict.WRONG_ANSWER, "no\\x1b way"),
        (CheckResult(Fraction(0)), Verdict.WRONG_ANSWER, "the answer does not satisfy tour(dim=5)"),
    ],
)
def test_what_a_checker_says_counts(says: CheckResult, verdict: Verdict, message: str) -> None:
    result = checked(case_of(CHECK), returned([1]), says)
    assert (result.verdict, result.score, result.message) == (verdict, says.score, message)
    assert (result.expected, result.actual) == ("tour(dim=5)", "[1]")


@pytest.mark.parametrize(
    "says", [CheckFailed("tour raised TypeError"), CheckResult(Fraction(2)), CheckResult(Fraction(-1))]
)
def test_a_checker_that_fails_is_our_fault(says: CheckResult | CheckFailed) -> None:
    result = checked(case_of(CHECK), returned([1]), says)
    assert (result.verdict, result.score) == (Verdict.INTERNAL_ERROR, Fraction(0))


def test_a_checker_is_handed_the_answer_as_it_is() -> None:
    oracle = StubCheckers()
    answer = ([1, [2]], {3: [4]})
    judge(case_of(CHECK), returned(answer), None, oracle)
    assert oracle.asked == [("tour", answer, (("dim", 5),))]


def test_with_any_sequence_a_checker_sees_tuples_in_a_list() -> None:
    oracle = StubCheckers()
    check = replace(CHECK, any_sequence=True)
    judge(case_of(check), returned(([1, [2]], {3: [4]}, {5})), None, oracle)
    assert oracle.asked[0][1] == [(1, (2,)), {3: (4,)}, {5}]
    judge(case_of(check), returned([Record("P", (("pos", [1, 2]),))]), None, oracle)
    assert oracle.asked[1][1] == [Record("P", (("pos", (1, 2)),))]
    assert judge(case_of(check), returned(7), None, oracle).verdict is Verdict.ACCEPTED


def test_a_checker_gets_the_list_of_several_answers() -> None:
    oracle = StubCheckers()
    judge(each_of(CHECK, Combine.EACH, 2), returned([1], [2]), None, oracle)
    assert oracle.asked[0][1] == [[1], [2]]


# -- the rest --------------------------------------------------------------------------------------


def test_the_result_carries_case_and_measurements() -> None:
    case = replace(
        case_of(Returns(1), call_of(2, key=3)),
        weight=Fraction(2),
        group="big",
        hint="Think.",
        visibility=Visibility.HIDDEN,
        limits=Limits(time_s=30),
    )
    outcome = replace(returned(1), cpu_s=0.5, wall_s=0.6, peak_rss_b=7, stdout="out\x1b", stderr="err")
    result = judged(case, outcome)
    assert (result.id, result.call) == ("1.1", "f(2, key=3)")
    assert (result.weight, result.group, result.hint) == (Fraction(2), "big", "Think.")
    assert (result.visibility, result.time_limit_s) == (Visibility.HIDDEN, 30)
    assert (result.cpu_s, result.wall_s, result.peak_rss_b) == (0.5, 0.6, 7)
    assert (result.stdout, result.stderr) == ("out\x1b", "err")


def test_texts_are_bounded() -> None:
    result = judged(case_of(Returns(["a" * 10**6] * 100)), returned(["b" * 10**6] * 100))
    assert max(len(result.expected), len(result.actual)) <= 2000
    assert len(result.message) < 1500


# -- the same result for the same work -------------------------------------------------------------


def test_addresses_in_texts_of_objects_are_left_out() -> None:
    """They differ from run to run; other numbers of this form stay."""

    def found(address: str) -> list[CaseResult]:
        text = f"<work.A object at {address}>"
        printed = replace(answered(Returned(1)), stdout=f"<function f at {address}>\n")
        error = RaisedAnswer(Raised("ValueError", text, ()), ("ValueError",))
        outcomes = (answered(Returned([text])), answered(error), printed)
        return [judge(case_of(Returns(3)), outcome, None, StubCheckers()) for outcome in outcomes]

    assert found("0x7f739e3e7900") == found("0x7faec86aa610")
    assert found("0x7f739e3e7900")[0].actual == "['<work.A object>']"
    assert found("0xbeef")[0].actual == "['<work.A object at 0xbeef>']"

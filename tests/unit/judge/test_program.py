"""What a program's doings come to: its dialogue, what it printed, left and ended with."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import StubCheckers, judged, raising

from grader.judge.judge import CheckResult, Expected, judge
from grader.model.case import Case, Check, Exchange, Player, Produces, ProgramRun, Text, Whitespace
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned, Turn
from grader.model.results import CaseResult, GivenText
from grader.model.verdict import Verdict

SAME = Text(None)
BOARD = (Exchange(Text("Size? "), "5"), Exchange(Text("Start? "), "a0"))


def case(produces: Produces | None = None, check: Check | None = None, **run: object) -> Case:
    expect = produces or Produces()
    program = ProgramRun(module="main", expect=expect, check=check, **run)  # type: ignore[arg-type]
    return Case(id="1.1", text="python main.py", what=program)


def ended(
    stdout: str = "",
    exit_code: object = 0,
    files: dict[str, object] | None = None,
    *turns: tuple[str, str | None],
    **more: object,
) -> Outcome:
    answers = (Returned({"exit_code": exit_code, "files": files or {}}),)
    dialogue = tuple(Turn(*turn) for turn in turns)
    return Outcome(ending=Ending.ANSWERED, answers=answers, stdout=stdout, dialogue=dialogue, **more)  # type: ignore[arg-type]


def died(outcome: Outcome, name: str = "ValueError", *bases: str) -> Outcome:
    value = {"exit_code": 1, "files": {}}
    return replace(outcome, answers=(Returned(value), raising(name, "no", *bases)))


def asked_reference(outcome: Outcome) -> Expected:
    return Expected(outcome=outcome)


def test_what_is_not_compared_does_not_count() -> None:
    result = judged(case(), ended("anything", stderr="at all"))
    assert (result.verdict, result.score) == (Verdict.ACCEPTED, 1)


def test_an_exit_code_is_told_with_what_was_printed() -> None:
    result = judged(case(Produces(stdout=Text("6\n"))), ended("5\n", 3))
    assert result.message.endswith("expected 6↵, got 5↵; it ended with exit code 3"), result.message


@pytest.mark.parametrize(
    ("wanted", "got", "verdict"),
    [
        (0, 3, Verdict.RUNTIME_ERROR),
        (2, 1, Verdict.RUNTIME_ERROR),
        (2, 0, Verdict.WRONG_ANSWER),
        (3, 3, Verdict.WRONG_ANSWER),
        (None, 3, Verdict.WRONG_ANSWER),
    ],
)
@pytest.mark.parametrize("printed", ["5\n", "6\n"])
def test_a_program_that_says_it_failed_is_a_run_time_error(
    wanted: int | None, got: int, verdict: Verdict, printed: str
) -> None:
    result = judged(case(Produces(stdout=Text("6\n"), exit_code=wanted)), ended(printed, got))
    right = printed == "6\n" and wanted in (None, got)
    assert result.verdict is (Verdict.ACCEPTED if right else verdict)
    assert result.score == right


def test_a_dialogue_and_files_with_another_exit_code_are_run_time_errors() -> None:
    asked = case(dialogue=BOARD)
    assert judged(asked, ended("", 1, None, ("Size? ", "5"))).verdict is Verdict.RUNTIME_ERROR
    assert judged(asked, ended("", 1, None, ("Sise? ", "5"))).verdict is Verdict.WRONG_ANSWER
    assert judged(asked, ended("", 0, None, ("Size? ", "5"))).verdict is Verdict.WRONG_ANSWER
    left_out = case(Produces(exit_code=0), keeps=("a.txt",))
    assert judged(left_out, ended("", 1)).verdict is Verdict.RUNTIME_ERROR


@pytest.mark.parametrize(
    ("printed", "whitespace", "right"),
    [
        ("3 words\n", Whitespace.EXACT, True),
        ("3 words", Whitespace.EXACT, False),
        ("3 words  \n\n", Whitespace.TRAILING, True),
        ("3  words\n", Whitespace.TRAILING, False),
        (" 3\nwords", Whitespace.ANY, True),
        ("3words", Whitespace.ANY, False),
    ],
)
def test_stdout_is_compared_as_exactly_as_the_spec_says(
    printed: str, whitespace: Whitespace, right: bool
) -> None:
    result = judged(case(Produces(stdout=Text("3 words\n", whitespace))), ended(printed))
    assert (result.verdict is Verdict.ACCEPTED) is right


def test_a_difference_shows_its_place_and_its_blanks() -> None:
    result = judged(case(Produces(stdout=Text("a\nb c\n"))), ended("a\nb  c\n"))
    assert result.verdict is Verdict.WRONG_ANSWER
    assert result.difference is not None
    assert result.difference.where == "stdout, line 2, column 3"
    assert (result.difference.expected, result.difference.actual) == ("b·c↵", "b··c↵")
    assert result.message.startswith("stdout, line 2, column 3: expected b·c↵, got b··c↵")
    assert result.expected_print == "a\nb c\n"


def test_stderr_is_compared_after_stdout() -> None:
    wanted = Produces(stdout=Text("a"), stderr=Text("b"))
    assert judged(case(wanted), ended("x", stderr="x")).message.startswith("stdout")
    assert judged(case(wanted), ended("a", stderr="x")).message.startswith("stderr")
    assert judged(case(wanted), ended("a", stderr="b")).verdict is Verdict.ACCEPTED


# -- endings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "code", "right"), [(0, 0, True), (3, 3, True), (3, 0, False), (None, 7, True)]
)
def test_the_exit_code(wanted: int | None, code: int, right: bool) -> None:
    result = judged(case(Produces(exit_code=wanted)), ended("", code))
    assert (result.verdict is Verdict.ACCEPTED) is right
    assert right or result.message == "exit code: expected 3, got 0"


def test_an_exception_is_one_where_the_program_should_end_well() -> None:
    result = judged(case(Produces(stdout=Text("x"))), died(ended("y")))
    assert result.verdict is Verdict.EXCEPTION
    assert result.message == "raised ValueError: no (line 7 of knight1.py)"
    assert result.raised is not None


def test_an_exception_is_an_end_where_its_exit_code_is_due() -> None:
    assert judged(case(Produces(exit_code=1)), died(ended())).verdict is Verdict.ACCEPTED
    assert judged(case(Produces(exit_code=None)), died(ended())).verdict is Verdict.ACCEPTED
    assert judged(case(Produces(exit_code=2)), died(ended())).verdict is Verdict.RUNTIME_ERROR


def test_a_program_that_runs_out_of_memory() -> None:
    assert judged(case(), died(ended(), "MemoryError")).verdict is Verdict.MEMORY_LIMIT


def test_a_program_that_is_no_python_is_never_right() -> None:
    outcome = died(ended(), "SyntaxError")
    value, answer = outcome.answers
    assert isinstance(answer, RaisedAnswer)
    (frame,) = answer.raised.frames
    placed = replace(answer, raised=replace(answer.raised, frames=(replace(frame, column=1, end_column=2),)))
    assert judged(case(Produces(exit_code=1)), outcome).verdict is Verdict.ACCEPTED, "the program raised it"
    result = judged(case(Produces(exit_code=1)), replace(outcome, answers=(value, placed)))
    assert result.verdict is Verdict.LOAD_ERROR
    assert result.message == "Python can't read this: SyntaxError: no (line 7 of knight1.py)"


def left(detail: str) -> Outcome:
    return Outcome(ending=Ending.EXITED, detail=detail, stdout="done\n")


def test_an_end_without_an_answer_is_an_exit_code() -> None:
    assert judged(case(Produces(stdout=Text("done\n"))), left("exit status 0")).verdict is Verdict.ACCEPTED
    assert judged(case(Produces(exit_code=3)), left("exit status 3")).verdict is Verdict.ACCEPTED
    found = judged(case(), left("exit status 3"))
    assert (found.verdict, found.message) == (Verdict.RUNTIME_ERROR, "exit code: expected 0, got 3")


def test_an_end_without_an_answer_is_a_crash_where_files_are_due() -> None:
    assert judged(case(keeps=("a.txt",)), left("exit status 0")).verdict is Verdict.CRASHED
    assert (
        judged(case(), left("the process that was to run the case never came to be")).verdict
        is Verdict.CRASHED
    )


@pytest.mark.parametrize(
    "ending", [ending for ending in Ending if ending not in (Ending.ANSWERED, Ending.EXITED)]
)
def test_any_other_ending_is_never_right(ending: Ending) -> None:
    wanted = Produces(stdout=Text("x"), exit_code=None)
    result = judged(case(wanted), Outcome(ending=ending, stdout="x", detail="some detail"))
    assert result.verdict is not Verdict.ACCEPTED
    assert result.score == 0
    assert result.message


@pytest.mark.parametrize(
    "answers",
    [
        (),
        (Returned(None),),
        (Returned({"exit_code": 0}),),
        (Returned({"exit_code": True, "files": {}}),),
        (Returned({"exit_code": -1, "files": {}}),),
        (Returned({"exit_code": 256, "files": {}}),),
        (Returned({"exit_code": "0", "files": {}}),),
        (Returned({"exit_code": 0, "files": {}, "verdict": "accepted"}),),
        (Returned({"exit_code": 0, "files": {"other.txt": b""}}),),
        (Returned({"exit_code": 0, "files": {"a.txt": "text"}}),),
        (Returned({"exit_code": 0, "files": {}}), Returned(None)),
        (Returned({"exit_code": 0, "files": {}}), raising("E"), raising("E")),
        (raising("ValueError"),),
    ],
)
def test_an_answer_of_another_shape_is_none(answers: tuple[Returned, ...]) -> None:
    outcome = Outcome(ending=Ending.ANSWERED, answers=answers)
    assert judged(case(keeps=("a.txt",)), outcome).verdict is Verdict.CRASHED


# -- files -------------------------------------------------------------------------------------------


def files_case() -> Case:
    return case(Produces(files=(("a.txt", Text("one\n")),)), keeps=("a.txt", "b.txt"))


def test_files_must_be_there_and_be_right() -> None:
    right = {"a.txt": b"one\n", "b.txt": b"\xff"}
    assert judged(files_case(), ended(files=dict(right))).verdict is Verdict.ACCEPTED
    missing = judged(files_case(), ended(files={"a.txt": b"one\n"}))
    assert missing.message == "the program left no file b.txt"
    wrong = judged(files_case(), ended(files={**right, "a.txt": b"two\n"}))
    assert wrong.message == "file a.txt, line 1, column 1: expected one↵, got two↵"
    assert (wrong.expected, wrong.actual) == ("one\n", "two\n")


# -- the reference ------------------------------------------------------------------------------------


def test_the_same_as_the_reference() -> None:
    wanted = Produces(stdout=SAME, stderr=SAME, files=(("a.txt", SAME),))
    model = asked_reference(ended("x\n", 0, {"a.txt": b"f"}, stderr="e"))
    right = ended("x\n", 0, {"a.txt": b"f"}, stderr="e")
    assert judged(case(wanted, keeps=("a.txt",)), right, model).verdict is Verdict.ACCEPTED
    for wrong in (
        replace(right, stdout="y"),
        replace(right, stderr=""),
        ended("x\n", 0, {"a.txt": b""}, stderr="e"),
    ):
        assert judged(case(wanted, keeps=("a.txt",)), wrong, model).verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("expected", [None, Expected(), Expected(failure="reference: time")])
def test_a_reference_that_says_nothing_is_our_own_fault(expected: Expected | None) -> None:
    for asks in (case(Produces(stdout=SAME)), case(dialogue=(Exchange(SAME, "1"),))):
        assert judged(asks, ended("x"), expected).verdict is Verdict.INTERNAL_ERROR


def test_a_reference_that_says_less_is_our_own_fault() -> None:
    asks = case(dialogue=(Exchange(SAME, "1"), Exchange(SAME, "2")))
    outcome = ended("ab", 0, {}, ("a", "1"), ("b", "2"))
    model = asked_reference(ended("a", 0, {}))
    assert judged(asks, outcome, model).verdict is Verdict.INTERNAL_ERROR


# -- dialogues ---------------------------------------------------------------------------------------


def told(result: CaseResult) -> list[tuple[int, str, str | None, bool, bool]]:
    return [(turn.number, turn.said, turn.answered, turn.ended, turn.wrong) for turn in result.dialogue]


def test_a_dialogue_that_goes_as_it_should() -> None:
    outcome = ended("Size? Start? done\n", 0, {}, ("Size? ", "5"), ("Start? ", "a0"))
    result = judged(case(Produces(stdout=Text("done\n")), dialogue=BOARD), outcome)
    assert result.verdict is Verdict.ACCEPTED
    assert told(result) == [
        (1, "Size? ", "5", False, False),
        (2, "Start? ", "a0", False, False),
        (3, "done\n", None, True, False),
    ]


def test_the_first_turn_that_differs_is_told_whatever_came_of_it() -> None:
    turns = (Turn("Size? ", "5"), Turn("Where? ", None))
    for ending in (Ending.TIME, Ending.EXITED, Ending.KILLED, Ending.OUTPUT, Ending.PROTOCOL):
        outcome = Outcome(ending=ending, stdout="Size? Where? ", dialogue=turns)
        result = judged(case(dialogue=BOARD), outcome)
        assert result.verdict is Verdict.WRONG_ANSWER
        assert result.message.startswith("turn 2, line 1, column 1: expected Start?·, got Where?·")
        assert told(result)[1] == (2, "Where? ", None, False, True)


def test_last_words_are_compared_apart_from_the_dialogue() -> None:
    outcome = ended("Size? Start? oh\n", 0, {}, ("Size? ", "5"), ("Start? ", "a0"))
    result = judged(case(Produces(stdout=Text("done\n")), dialogue=BOARD), outcome)
    assert result.message == "stdout after the last input, line 1, column 1: expected done↵, got oh↵"
    assert told(result)[-1] == (3, "oh\n", None, True, True)


def test_a_program_that_ends_too_early() -> None:
    result = judged(case(dialogue=BOARD), ended("Size? no\n", 0, {}, ("Size? ", "5")))
    assert result.message == "turn 2, line 1, column 1: expected Start?·, got no↵"
    assert told(result)[-1] == (2, "no\n", None, True, True)
    result = judged(case(dialogue=BOARD), ended("Size? Start? ", 0, {}, ("Size? ", "5")))
    assert result.message == "turn 2: the program ended where it should have asked for input"


def test_a_program_that_dies_before_its_turn_is_told_by_its_exception() -> None:
    result = judged(case(dialogue=BOARD), died(ended("Size? ", 1, {}, ("Size? ", "5"))))
    assert result.verdict is Verdict.EXCEPTION


def test_a_program_that_asks_too_often() -> None:
    turns = (("Size? ", "5"), ("Start? ", "a0"), ("Again? ", None))
    result = judged(case(dialogue=BOARD), ended("Size? Start? Again? ", 0, {}, *turns))
    assert result.message == "turn 3: asked for input once more, where it should have ended"
    assert told(result)[-1] == (3, "Again? ", None, False, True)


def test_a_long_dialogue_is_kept_from_both_ends() -> None:
    turns = tuple((f"{number}? ", "x" * 5000) for number in range(1000))
    said = "".join(text for text, _ in turns)
    run = case(player=Player("guess", ()))
    result = judged(run, ended(said, 0, {}, *turns))
    assert len(result.dialogue) == 200
    assert result.dialogue[0].number == 1
    assert result.dialogue[-1].number == 1000
    assert len(result.dialogue[0].answered or "") < 400


# -- checkers, and what is shown -----------------------------------------------------------------------


def test_a_checker_sees_all_of_it() -> None:
    check = Check("grid", (("n", 5),), "grid(n=5)")
    checkers = StubCheckers(CheckResult(Fraction(1, 2), "half of it"))
    outcome = ended("Size? x", 4, {"a.txt": b"\xffa"}, ("Size? ", "5"), stderr="e")
    run = case(Produces(exit_code=None), check, keeps=("a.txt",), player=Player("guess", ()))
    result = judge(run, outcome, None, checkers)
    assert (result.verdict, result.score, result.message) == (Verdict.PARTIAL, Fraction(1, 2), "half of it")
    assert checkers.asked == [
        (
            "grid",
            {
                "stdout": "Size? x",
                "stderr": "e",
                "exit_code": 4,
                "files": {"a.txt": "\udcffa"},
                "dialogue": [("Size? ", "5")],
            },
            (("n", 5),),
        )
    ]


def test_a_checker_is_not_asked_where_something_else_is_wrong() -> None:
    checkers = StubCheckers()
    check = Check("grid", (), "grid()")
    result = judge(case(Produces(stdout=Text("a")), check), ended("b"), None, checkers)
    assert (result.verdict, checkers.asked) == (Verdict.WRONG_ANSWER, [])


def test_what_it_was_given_is_shown_and_cut() -> None:
    run = case(stdin="5\na0\n", files=(("a.txt", b"x" * 10_000), ("b.bin", b"\xff")))
    result = judged(run, ended())
    assert result.given[0] == GivenText("stdin", "5\na0\n")
    assert result.given[1].name == "a.txt"
    assert len(result.given[1].text) < 4100
    assert result.given[2].text == r"\xff"

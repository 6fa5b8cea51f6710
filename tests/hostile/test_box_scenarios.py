"""Attacks from within a scenario: objects that lie, change and vanish; steps that are made up."""

from dataclasses import replace
from fractions import Fraction

import pytest
from support.judge_sample import StubCheckers
from support.sieges import LIMITS, SPINS, Arena, indented

from grader.judge.judge import judge
from grader.model.case import Bound, Call, Calls, Case, Returns, Step
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.model.results import CaseResult
from grader.model.values import Opaque
from grader.model.verdict import Verdict
from grader.sandbox.box import Job
from grader.sandbox.request import encode_request

HEAD = "import gc, os, sys, threading, time\n\n"
NEW = Call("Tour", (), text="tour = Tour()", bind="tour")
READ = Call("tour.N", (), text="tour.N", reads=True)
MOVE = Call("tour.move", (1, 2), text="tour.move(1, 2)")
SHOW = Call("show", (Bound("tour"),), text="show(tour)")


def scenario(*calls: Call, limits: Limits = LIMITS) -> Job:
    return Job(encode_request(calls, limits, stepwise=True), limits)


def besieged(arena: Arena, source: str, *calls: Call, limits: Limits = LIMITS) -> Outcome:
    return arena.besiege(HEAD + source, scenario(*calls, limits=limits)).outcome


def judged(outcome: Outcome, *steps: tuple[Call, object]) -> CaseResult:
    """Judge the evidence by what each step should answer, going on after a failing one."""
    case = Case(
        id="1.1",
        text="",
        what=Calls(
            steps=tuple(Step(call, Returns(value) if value is not ... else None) for call, value in steps),
            apart=True,
            goes_on=True,
        ),
    )
    return judge(case, outcome, None, StubCheckers())


def tour(body: str) -> str:
    return f"class Tour:\n{indented(body)}"


LIARS = {
    "equal to everything": "class L:\n    __eq__ = lambda s, o: True\n    __hash__ = lambda s: 0",
    "an int that lies": "class L(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__",
    "a bool in disguise": "class L:\n    __class__ = bool\n    __bool__ = lambda s: True",
    "a str that lies": "class L(str):\n    __eq__ = lambda s, o: True\n    __hash__ = str.__hash__",
}


@pytest.mark.parametrize("way", LIARS)
def test_an_answer_that_lies_is_not_the_right_one(driver_arena: Arena, way: str) -> None:
    source = LIARS[way] + "\n\n" + tour("N = L()\ndef move(self, x, y): return L()")
    outcome = besieged(driver_arena, source, NEW, READ, MOVE)
    result = judged(outcome, (NEW, ...), (READ, 6), (MOVE, True))
    assert (result.score, result.verdict) == (Fraction(0), Verdict.WRONG_ANSWER)


def test_attributes_are_what_the_object_says_at_the_moment(driver_arena: Arena) -> None:
    body = """
calls = 0
def __getattribute__(self, name):
    Tour.calls += 1
    if name == 'N': return Tour.calls
    if name == 'gone': raise SystemExit
    return object.__getattribute__(self, name)
"""
    gone = Call("tour.gone", (), text="tour.gone", reads=True)
    outcome = besieged(driver_arena, tour(body), NEW, READ, READ, gone, READ)
    assert [getattr(answer, "value", None) for answer in outcome.answers] == [None, 1, 2, None, 4]
    result = judged(outcome, (NEW, ...), (READ, 1), (READ, 1), (gone, 6), (READ, 1))
    assert [str(step.verdict) for step in result.steps] == [
        *("accepted", "accepted", "wrong-answer", "exception", "wrong-answer")
    ]


def test_objects_do_not_cross(driver_arena: Arena) -> None:
    me = Call("tour.me", (), text="tour.me()")
    outcome = besieged(driver_arena, tour("def me(self): return self"), NEW, me)
    assert outcome.answers[0] == Returned(None)
    answer = outcome.answers[1]
    assert isinstance(answer, Returned)
    assert isinstance(answer.value, Opaque)
    assert answer.value.type_name == "Tour"


def test_an_object_that_becomes_another_is_what_it_is(driver_arena: Arena) -> None:
    body = """
N = 6
def move(self, x, y):
    self.__class__ = Other
    return True
"""
    source = "class Other:\n    N = 7\n\n" + tour(body)
    outcome = besieged(driver_arena, source, NEW, READ, MOVE, READ, MOVE)
    values = [answer.value for answer in outcome.answers[:4] if isinstance(answer, Returned)]
    assert values == [None, 6, True, 7]
    assert isinstance(outcome.answers[4], RaisedAnswer)


def test_a_replaced_module_is_not_what_was_bound(driver_arena: Arena) -> None:
    body = """
N = 6
def move(self, x, y):
    global Tour, show
    Tour = None
    del show
    return True
"""
    source = tour(body) + "\n\ndef show(tour):\n    return tour.N\n"
    outcome = besieged(driver_arena, source, NEW, SHOW, MOVE, SHOW, READ)
    assert [type(answer) for answer in outcome.answers] == [*[Returned] * 3, RaisedAnswer, Returned]


ENDINGS = {
    "os._exit(0)": ({Ending.EXITED}, LIMITS),
    "os.kill(os.getpid(), 9)": ({Ending.KILLED, Ending.FORBIDDEN, Ending.ANSWERED}, LIMITS),
    "while True: pass": ({Ending.TIME}, SPINS),
    "time.sleep(99)": ({Ending.WALL}, replace(LIMITS, wall_s=1.5)),
    "sys.stdout.write('x' * (1 << 20))": ({Ending.OUTPUT}, LIMITS),
}


@pytest.mark.parametrize("way", ENDINGS)
def test_a_step_that_ends_it_all_takes_only_itself_and_what_follows(driver_arena: Arena, way: str) -> None:
    endings, limits = ENDINGS[way]
    source = tour(f"N = 6\ndef move(self, x, y):\n    {way}")
    outcome = besieged(driver_arena, source, NEW, READ, MOVE, READ, limits=limits)
    assert outcome.ending in endings
    assert outcome.answers[:2] == (Returned(None), Returned(6))
    result = judged(outcome, (NEW, ...), (READ, 6), (MOVE, True), (READ, 6))
    assert result.score <= Fraction(2, 3)
    assert [str(step.verdict) for step in result.steps[:2]] == ["accepted", "accepted"]


FORGED = """
def channel():
    for found in gc.get_objects():
        if type(found).__name__ == 'Channel':
            return found

def forge(kind, body):
    channel().send(kind, body)

"""
STEP, ANSWER = 30, 24
RETURNED_SIX = r"b't\\x02s\\x08returned\\x86'"
FORGERIES = {
    "a step more": f"forge({STEP}, {RETURNED_SIX})",
    "all of it": f"for _ in range(3): forge({STEP}, {RETURNED_SIX})\nforge({ANSWER}, b'\\x01l\\x80')",
    "the end": f"forge({ANSWER}, b'\\x01l\\x80')",
    "an empty step": f"forge({STEP}, b'')",
    "no answer at all": f"forge({STEP}, b'\\xff\\x00nonsense')",
    "half of one": f"forge({STEP}, {RETURNED_SIX}[:4])",
    "many steps": f"for _ in range(1000): forge({STEP}, {RETURNED_SIX})",
    "a huge step": f"forge({STEP}, b's' + b'x' * (1 << 20))",
    "steps without end": f"while True: forge({STEP}, b'x' * 1000)",
    "another's nonce": f"c = channel()\nc._nonce = bytes(8)\nc.send({STEP}, {RETURNED_SIX})",
}


@pytest.mark.parametrize("way", FORGERIES)
def test_forged_steps_earn_nothing_that_answering_would_not(driver_arena: Arena, way: str) -> None:
    """A forger answers some steps by hand; it can claim what it likes, as by returning it, and no more."""
    body = indented("N = 5\ndef move(self, x, y):\n" + indented(FORGERIES[way] + "\nreturn True"))
    outcome = besieged(driver_arena, f"{FORGED}\nclass Tour:\n{body}", NEW, READ, MOVE, READ)
    assert outcome.ending is not Ending.INTERNAL
    assert sum(len(str(answer)) for answer in outcome.answers) < 4 * LIMITS.answer_b
    result = judged(outcome, (NEW, ...), (READ, 6), (MOVE, True), (READ, 6))
    assert result.verdict is not Verdict.ACCEPTED
    assert result.steps[1].verdict is not Verdict.ACCEPTED


def test_too_many_answers_are_no_answer() -> None:
    outcome = Outcome(ending=Ending.ANSWERED, answers=(Returned(None), Returned(6), Returned(6)))
    assert judged(outcome, (NEW, ...), (READ, 6)).verdict is not Verdict.ACCEPTED
    partial = replace(outcome, ending=Ending.EXITED)
    assert judged(partial, (NEW, ...), (READ, 6)).verdict is not Verdict.ACCEPTED


def test_answers_of_all_steps_share_one_limit(driver_arena: Arena) -> None:
    outcome = besieged(driver_arena, tour("N = 'x' * 100_000"), NEW, READ, READ, READ, READ)
    assert outcome.ending is Ending.ANSWER_SIZE
    assert len(outcome.answers) == 3


def test_many_small_steps_fit(mode_arena: Arena) -> None:
    outcome = besieged(mode_arena, tour("N = 6"), NEW, *[READ] * 999)
    assert outcome.ending is Ending.ANSWERED
    assert len(outcome.answers) == 1000


def test_nothing_is_kept_for_the_next_scenario(mode_arena: Arena) -> None:
    source = HEAD + tour("N = 6")
    siege = mode_arena.besiege(source, scenario(NEW, READ), scenario(READ), scenario(NEW, READ))
    assert siege.endings == [Ending.ANSWERED, Ending.MISSING, Ending.ANSWERED]


@pytest.mark.parametrize("error", ["SystemExit", "KeyError('Tour')", "MemoryError"])
def test_a_module_that_answers_for_its_names_lacks_what_it_refuses(driver_arena: Arena, error: str) -> None:
    outcome = besieged(driver_arena, f"def __getattr__(name):\n    raise {error}\n", NEW, READ)
    assert (outcome.ending, outcome.answers) == (Ending.MISSING, ())

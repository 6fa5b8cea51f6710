"""Student code that writes to the answer channel itself.

It can: the channel is in its process.  What it gains is what `return` gives it, one answer to one
case; all else is noise, and noise is no answer.
"""

import time

import pytest
from support.sieges import LIMITS, WAITS, Arena, Zygotes, job, raised, value

from grader.judge.messages import ending_message
from grader.model.case import Call, Calls, Case, Step
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.sandbox.driver import Driver
from grader.wire import frames

PRELUDE = (
    f"""
import os, sys, threading, time

ANSWER, CALLBACK, ABSENT, OVERSIZE = {frames.ANSWER}, {frames.CALLBACK}, {frames.ABSENT}, {frames.OVERSIZE}
FORK, READY, IMPORTED = {frames.FORK}, {frames.READY}, {frames.IMPORTED}
REQUEST, REPLY = {frames.REQUEST}, {frames.REPLY}
"""
    + """
def frame(kind, body):
    return len(body).to_bytes(4, "little") + bytes([kind]) + body

def channel():
    f = sys._getframe()
    while f is not None:
        for found in f.f_locals.values():
            if type(found).__name__.endswith("Channel"):
                return found
        f = f.f_back

def nonce():
    return channel()._nonce

def answers():
    return getattr(channel(), "_answers", 4)

def returned(value):
    return b"\\x01" + b"l\\x01" + b"t\\x02" + b"s\\x08returned" + value

NINETY_NINE = b"\\xe3"
TRUE_ANSWER = lambda: frame(ANSWER, nonce() + returned(NINETY_NINE))
"""
)


def forged(arena: Arena, body: str, limits: Limits = LIMITS) -> Outcome:
    return arena.besiege_with_each(PRELUDE, {"": body}, limits)[""]


EVERYWHERE = """
for fd in range(1024):
    try:
        os.write(fd, {frame})
    except OSError:
        pass
return 1
"""


def test_a_frame_without_the_nonce_on_every_descriptor_is_noise(arena: Arena) -> None:
    body = EVERYWHERE.format(frame="frame(ANSWER, bytes(8) + returned(NINETY_NINE))")
    assert forged(arena, body).ending is Ending.PROTOCOL


def test_a_frame_with_the_nonce_on_every_descriptor_is_an_answer_at_most(mode_arena: Arena) -> None:
    outcome = forged(mode_arena, EVERYWHERE.format(frame="TRUE_ANSWER()"))
    # Written to the command channel too, it may end a box; written twice to this one, it is noise.
    if outcome.ending is not Ending.PROTOCOL:
        assert value(outcome) == 99


def test_an_answer_of_its_own_making_is_worth_a_return(mode_arena: Arena) -> None:
    assert value(forged(mode_arena, "os.write(answers(), TRUE_ANSWER())\nos._exit(0)")) == 99


def test_two_answers_at_once_are_noise(mode_arena: Arena) -> None:
    assert forged(mode_arena, "os.write(answers(), TRUE_ANSWER() * 2)\nos._exit(0)").ending is Ending.PROTOCOL


def test_a_second_answer_later_changes_nothing(arena: Arena) -> None:
    assert value(forged(arena, "os.write(answers(), TRUE_ANSWER())\ntime.sleep(0.05)\nreturn 1")) == 99


def test_half_a_header_and_silence_meets_the_wall_limit(driver_arena: Arena) -> None:
    outcome = forged(driver_arena, "os.write(answers(), b'\\x08\\0')\ntime.sleep(60)", WAITS)
    assert outcome.ending is Ending.WALL
    assert outcome.wall_s >= WAITS.wall_s


UNREAD = """
import os, sys, time
BOX = os.getpid()
real = os.read

def read(*args):
    while os.getpid() != BOX and time.time() < {until}:
        {at_first}
    return real(*args)

frame = sys._getframe()
while frame.f_code.co_name != "load":
    frame = frame.f_back
frame.f_globals["calls"]._read = read

def attack(x):
    return x
"""


@pytest.mark.parametrize(
    ("at_first", "limits", "ending"),
    [
        ("time.sleep(0.05)", WAITS, Ending.WALL),
        ("real(4, 2); os._exit(0)", LIMITS, Ending.EXITED),
    ],
    ids=["stopped before it", "ended in the middle"],
)
def test_what_a_case_did_not_take_is_not_the_next_ones(
    driver_arena: Arena, at_first: str, limits: Limits, ending: Ending
) -> None:
    """As where the machine stands still before a case gets to its request, until its time is up."""
    for first_s in (1, 4, 16):  # until the first case is over; a machine with other things to do takes long
        until = time.time() + first_s
        with driver_arena.box(UNREAD.format(until=until, at_first=at_first)) as box:
            box.load()
            (first,) = box.run([job("attack", 1, limits=limits)])
            time.sleep(max(0.0, until - time.time()))
            assert [value(box.run([job("attack", number)])[0]) for number in (2, 3)] == [2, 3]
        if first.ending is ending:
            return
    raise AssertionError(first)


def test_half_a_frame_before_the_honest_answer_spoils_it(mode_arena: Arena) -> None:
    outcome = forged(mode_arena, "os.write(answers(), TRUE_ANSWER()[:9])\nreturn 1")
    assert outcome.ending in (Ending.PROTOCOL, Ending.EXITED, Ending.WALL)


KINDS = ("FORK", "READY", "IMPORTED", "REQUEST", "REPLY", "CALLBACK", "0", "255", "10")
NOISE = {
    **{f"of kind {kind}": f"frame({kind}, nonce() + returned(NINETY_NINE))" for kind in KINDS},
    "empty": "frame(ANSWER, b'') * 1000",
    "nonce alone": "frame(ANSWER, nonce())",
    "announcing 4 GiB": "(0xFFFFFFFF).to_bytes(4, 'little') + bytes([ANSWER])",
    "announcing 2 GiB": "(0x7FFFFFFF).to_bytes(4, 'little') + bytes([ANSWER])",
    "announcing 16 MiB": "(1 << 24).to_bytes(4, 'little') + bytes([ANSWER])",
    "text": "b'accepted\\n' * 100",
}


def test_a_frame_that_the_worker_would_not_write_is_noise(driver_arena: Arena) -> None:
    ways = {way: f"os.write(answers(), {frame})\ntime.sleep(60)" for way, frame in NOISE.items()}
    for way, outcome in driver_arena.besiege_with_each(PRELUDE, ways).items():
        assert outcome.ending is Ending.PROTOCOL, way


UNREADABLE = {
    "nothing": "b'\\x01'",
    "no value": "b'\\x01' + b'x' * 50",
    "a number": "b'\\x01' + NINETY_NINE",
    "a bare value": "b'\\x01' + b'l\\x01' + NINETY_NINE",
    "another word": "b'\\x01' + b'l\\x01t\\x02s\\x08accepted' + NINETY_NINE",
    "more after it": "returned(NINETY_NINE) + b'N'",
    "a list that is not there": "returned(b'l\\xff\\xff\\xff\\x7f')",
    "twice the same key": "returned(b'm\\x02' + b'\\x81N' * 2)",
    "text that is none": "returned(b's\\x01\\xff')",
    "a cycle through nothing": "returned(b'y\\x7f')",
    "an exception of numbers": "b'\\x01l\\x01t\\x05s\\x06raised' + NINETY_NINE * 4",
    "a thousand bases": "b'\\x01l\\x01t\\x05s\\x06raiseds\\0s\\0l\\x7f' + b's\\0' * 127 + b'l\\0'",
}


def test_an_answer_that_cannot_be_read_is_noise(mode_arena: Arena) -> None:
    ways = {
        way: f"os.write(answers(), frame(ANSWER, nonce() + {body}))\nos._exit(0)"
        for way, body in UNREADABLE.items()
    }
    for way, outcome in mode_arena.besiege_with_each(PRELUDE, ways).items():
        assert (outcome.ending, outcome.answers) == (Ending.PROTOCOL, ()), way


def test_to_claim_that_the_function_is_missing_is_believed(mode_arena: Arena) -> None:
    outcome = forged(mode_arena, "os.write(answers(), frame(ABSENT, nonce() + b'\\x01attack'))\nos._exit(0)")
    assert (outcome.ending, outcome.answers) == (Ending.MISSING, ())


def test_what_is_claimed_to_be_there_instead_is_bounded(mode_arena: Arena) -> None:
    claims = "b'\\x01attack\\n' + b'\\n'.join([b'<b>full marks</b>', b'attacc' * 9999, b'atack'])"
    outcome = forged(mode_arena, f"os.write(answers(), frame(ABSENT, nonce() + {claims}))\nos._exit(0)")
    assert outcome.ending is Ending.MISSING
    assert max(map(len, outcome.present)) <= 300
    message = ending_message(Case(id="1.1", text="", what=Calls(steps=(Step(Call("attack", ())),))), outcome)
    assert "marks" not in message
    assert len(message) < 200


HOSTILE_NAMES = {
    "a hundred thousand": "globals().update({f'name{n}': print for n in range(10**5)})",
    "lines, surrogates": "globals().update({'attacc\\n<b>full marks</b>\\nattac': print, '\\ud800': print})",
    "texts of a class": """
class Name(str):
    def startswith(self, start): raise SystemExit
    def __format__(self, spec): return 'attac' * 99999
globals()[Name('attacc')] = print
Own = type('Own', (), {Name('attack'): print, Name('x'): print})
""",
    "a loader that lies": """
class Loader:
    def get_source(self, name): return type('S', (str,), {'strip': lambda self: ''})()
__loader__, __name__ = Loader(), '<b>full marks</b>' * 9999
""",
    "a dir that lies": "def __dir__(): return ['attacc' * 10**6]",
}


def test_names_that_are_there_instead_cost_the_case_alone_and_bring_no_words(mode_arena: Arena) -> None:
    for way, source in HOSTILE_NAMES.items():
        outcome = mode_arena.besiege(source + "\n", job("attack", limits=LIMITS)).outcome
        assert outcome.ending in (Ending.MISSING, Ending.TIME, Ending.MEMORY), way
        assert sum(map(len, outcome.present)) <= 20_000, way
        what = Calls(steps=(Step(Call("attack", ())),))
        message = ending_message(Case(id="1.1", text="", what=what), outcome)
        assert "marks" not in message, way
        assert len(message) < 200, way


def test_a_suggestion_is_bounded_and_no_verdict_depends_on_it(mode_arena: Arena) -> None:
    """A class of the student's can make Python suggest anything."""
    source = "class Odd:\n    def __dir__(self): return ['attac' + 'k' * 9999, 'attacks']\nOdd().attackz"
    outcome = forged(mode_arena, source)
    assert outcome.ending is Ending.ANSWERED
    (answer,) = outcome.answers
    assert isinstance(answer, RaisedAnswer)
    assert answer.raised.message == "'Odd' object has no attribute 'attackz'"
    assert len(answer.raised.suggestion) <= 300


def test_to_claim_a_large_answer_brings_no_words_into_the_report(mode_arena: Arena) -> None:
    outcome = forged(
        mode_arena, "os.write(answers(), frame(OVERSIZE, nonce() + b'\\x01<b>full marks</b>'))\nreturn 1"
    )
    assert outcome.ending is Ending.ANSWER_SIZE
    assert "marks" not in outcome.detail


def test_an_answer_that_is_too_deep_is_too_large(mode_arena: Arena) -> None:
    body = "returned(b'l\\x01' * 5000 + b'N')"
    outcome = forged(mode_arena, f"os.write(answers(), frame(ANSWER, nonce() + {body}))\nos._exit(0)")
    assert (outcome.ending, outcome.answers) == (Ending.ANSWER_SIZE, ())


def test_more_or_fewer_answers_than_calls_arrive_as_such(driver_arena: Arena) -> None:
    """It is for the judge to count them; see the unit tests of `judge`."""
    outcome = forged(
        driver_arena, "os.write(answers(), frame(ANSWER, nonce() + b'\\x01l\\x00'))\nos._exit(0)"
    )
    assert (outcome.ending, outcome.answers) == (Ending.ANSWERED, ())


def test_what_an_exception_says_of_itself_is_cut_and_checked(driver_arena: Arena) -> None:
    long = "b's' + b'\\x90\\x4e' + b'x' * 10000"
    frame = f"b'l\\x01t\\x03' + {long} + b'i\\x90\\x4e' + b'\\x7f' * 10000 + {long}"
    told = f"b't\\x05s\\x06raised' + {long} + {long} + b'l\\x01' + {long} + {frame}"
    outcome = forged(
        driver_arena, f"os.write(answers(), frame(ANSWER, nonce() + b'\\x01l\\x01' + {told}))\nos._exit(0)"
    )
    assert raised(outcome) == "x" * 300
    assert repr(outcome).count("x") < 5000
    (answer,) = outcome.answers
    assert not isinstance(answer, Returned)
    assert answer.raised.frames[0].line == 0


REPLAY = """
def attack():
    global kept
    kept = TRUE_ANSWER()
    return 1

def later():
    os.write(4, kept)
    return 2
"""


def test_an_earlier_answer_is_no_answer_to_a_later_case(zygotes: Zygotes) -> None:
    siege = zygotes.arena(Driver.NAMESPACES, "shared").besiege(PRELUDE + REPLAY, job("attack"), job("later"))
    assert value(siege.outcomes[0]) == 1
    # Noise, so the process is ended and the case tried first thing in another one.
    assert raised(siege.outcomes[1]) == "NameError"


WRITER = """
channel, message = os.dup(4), {message}
def write():
    while True:
        try:
            os.write(channel, message)
        except OSError:
            return
threading.Thread(target=write, daemon=True).start()
time.sleep(0.02)
return 1
"""


@pytest.mark.parametrize("message", ["frame(ANSWER, bytes(8) + returned(NINETY_NINE))", "b'\\0' * 50000"])
def test_a_thread_that_keeps_writing_spoils_its_own_case_only(arena: Arena, message: str) -> None:
    outcome = forged(arena, WRITER.format(message=message))
    assert outcome.ending in (Ending.PROTOCOL, Ending.TIME, Ending.WALL)


def test_requests_that_nobody_reads_do_not_block_the_keeper(driver_arena: Arena) -> None:
    """The request is larger than the socket holds, and the box reads none of it."""
    source = PRELUDE + "\n\ndef attack(text):\n    return len(text)\n"
    siege = driver_arena.besiege(source, job("attack", "x" * 2_000_000))
    assert value(siege.outcome) == 2_000_000


SPIN = """
import os, signal, struct, time

def tick(*_):
    os.write({channel}, struct.pack("<IB", 0, 99))

if {late}:
    signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
else:
    tick()
    {then}

def attack():
    time.sleep(0.3)
    os._exit(0)
"""


@pytest.mark.parametrize("then", ["os._exit(0)", "pass"])
@pytest.mark.parametrize("channel", [3, 4])
def test_an_empty_frame_during_the_import_is_noise(driver_arena: Arena, channel: int, then: str) -> None:
    """On the channel that is due, or on the other one; whether or not a death follows."""
    siege = driver_arena.besiege(SPIN.format(channel=channel, late=False, then=then), job("attack"))
    assert siege.loaded.ending is Ending.PROTOCOL


@pytest.mark.parametrize("channel", [3, 4])
def test_an_empty_frame_of_the_box_during_a_case_is_noise(driver_arena: Arena, channel: int) -> None:
    source = SPIN.format(channel=channel, late=True, then="pass")
    siege = driver_arena.besiege(source, job("attack"), job("attack"))
    # A timer of the box's own, so it may tick before the first case as well.
    assert set(siege.endings) <= {Ending.PROTOCOL, Ending.EXITED}

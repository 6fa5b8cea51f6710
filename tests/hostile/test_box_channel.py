"""Student code that writes to the answer channel itself.

It can: the channel is in its process.  What it gains is what `return` gives it, one answer to one
case; all else is noise, and noise is no answer.
"""

import pytest
from sieges import LIMITS, Arena, Siege, job, raised, value

from grader.model.outcome import Ending, Outcome, Returned
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

def nonce():
    f = sys._getframe()
    while f is not None:
        for found in f.f_locals.values():
            if type(found).__name__ == "Channel":
                return found._nonce
        f = f.f_back

def returned(value):
    return b"\\x01" + b"l\\x01" + b"t\\x02" + b"s\\x08returned" + value

NINETY_NINE = b"\\xe3"
TRUE_ANSWER = lambda: frame(ANSWER, nonce() + returned(NINETY_NINE))
"""
)


def forge(arena: Arena, body: str, *more: str) -> Siege:
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    return arena.besiege(PRELUDE + "\n\ndef attack():\n" + lines, job("attack"), *map(job, more))


def forged(arena: Arena, body: str) -> Outcome:
    return forge(arena, body).outcome


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


def test_a_frame_with_the_nonce_on_every_descriptor_is_an_answer_at_most(arena: Arena) -> None:
    outcome = forged(arena, EVERYWHERE.format(frame="TRUE_ANSWER()"))
    # Written to the command channel too, it may end a box; written twice to this one, it is noise.
    if outcome.ending is not Ending.PROTOCOL:
        assert value(outcome) == 99


def test_an_answer_of_its_own_making_is_worth_a_return(arena: Arena) -> None:
    outcome = forged(arena, "os.write(4, TRUE_ANSWER())\nos._exit(0)")
    assert value(outcome) == 99


def test_two_answers_at_once_are_noise(arena: Arena) -> None:
    assert forged(arena, "os.write(4, TRUE_ANSWER() * 2)\nos._exit(0)").ending is Ending.PROTOCOL


def test_a_second_answer_later_changes_nothing(student_arena: Arena) -> None:
    siege = forge(student_arena, "os.write(4, TRUE_ANSWER())\ntime.sleep(0.05)\nreturn 1")
    assert value(siege.outcome) == 99


@pytest.mark.parametrize("size", ["0xFFFFFFFF", "0x7FFFFFFF", "1 << 24"])
def test_a_header_that_announces_too_much_is_noise(driver_arena: Arena, size: str) -> None:
    body = f"os.write(4, ({size}).to_bytes(4, 'little') + bytes([ANSWER]))\ntime.sleep(60)"
    assert forged(driver_arena, body).ending is Ending.PROTOCOL


def test_half_a_header_and_silence_meets_the_wall_limit(driver_arena: Arena) -> None:
    outcome = forged(driver_arena, "os.write(4, b'\\x08\\0')\ntime.sleep(60)")
    assert outcome.ending is Ending.WALL
    assert outcome.wall_s >= LIMITS.wall_s


def test_half_a_frame_before_the_honest_answer_spoils_it(arena: Arena) -> None:
    outcome = forged(arena, "os.write(4, TRUE_ANSWER()[:9])\nreturn 1")
    assert outcome.ending in (Ending.PROTOCOL, Ending.EXITED, Ending.WALL)


@pytest.mark.parametrize(
    "kind", ["FORK", "READY", "IMPORTED", "REQUEST", "REPLY", "CALLBACK", "0", "255", "10"]
)
def test_a_frame_of_another_kind_is_noise(driver_arena: Arena, kind: str) -> None:
    body = f"os.write(4, frame({kind}, nonce() + returned(NINETY_NINE)))\nreturn 1"
    assert forged(driver_arena, body).ending is Ending.PROTOCOL


def test_empty_frames_are_noise(driver_arena: Arena) -> None:
    assert forged(driver_arena, "os.write(4, frame(ANSWER, b'') * 1000)\nreturn 1").ending is Ending.PROTOCOL
    assert forged(driver_arena, "os.write(4, frame(ANSWER, nonce()))\nreturn 1").ending is Ending.PROTOCOL


def test_to_claim_that_the_function_is_missing_is_believed(driver_arena: Arena) -> None:
    outcome = forged(driver_arena, "os.write(4, frame(ABSENT, nonce() + b'\\x01attack'))\nos._exit(0)")
    assert (outcome.ending, outcome.answers) == (Ending.MISSING, ())


def test_to_claim_a_large_answer_brings_no_words_into_the_report(driver_arena: Arena) -> None:
    outcome = forged(
        driver_arena, "os.write(4, frame(OVERSIZE, nonce() + b'\\x01<b>full marks</b>'))\nreturn 1"
    )
    assert outcome.ending is Ending.ANSWER_SIZE
    assert "marks" not in outcome.detail


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
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_an_answer_that_cannot_be_read_is_noise(driver_arena: Arena, kind: str) -> None:
    outcome = forged(driver_arena, f"os.write(4, frame(ANSWER, nonce() + {UNREADABLE[kind]}))\nos._exit(0)")
    assert outcome.ending is Ending.PROTOCOL
    assert outcome.answers == ()


def test_an_answer_that_is_too_deep_or_has_too_many_items_is_too_large(driver_arena: Arena) -> None:
    for body in ("b'l\\x01' * 5000 + b'N'",):
        outcome = forged(driver_arena, f"os.write(4, frame(ANSWER, nonce() + returned({body})))\nos._exit(0)")
        assert (outcome.ending, outcome.answers) == (Ending.ANSWER_SIZE, ())


def test_more_or_fewer_answers_than_calls_arrive_as_such(driver_arena: Arena) -> None:
    """It is for the judge to count them; see the unit tests of `judge`."""
    outcome = forged(driver_arena, "os.write(4, frame(ANSWER, nonce() + b'\\x01l\\x00'))\nos._exit(0)")
    assert (outcome.ending, outcome.answers) == (Ending.ANSWERED, ())


def test_what_an_exception_says_of_itself_is_cut_and_checked(driver_arena: Arena) -> None:
    long = "b's' + b'\\x90\\x4e' + b'x' * 10000"
    frames_part = f"b'l\\x01t\\x03' + {long} + b'i\\x90\\x4e' + b'\\x7f' * 10000 + {long}"
    told = f"b't\\x05s\\x06raised' + {long} + {long} + b'l\\x01' + {long} + {frames_part}"
    siege = forge(driver_arena, f"os.write(4, frame(ANSWER, nonce() + b'\\x01l\\x01' + {told}))\nos._exit(0)")
    assert raised(siege.outcome) == "x" * 300
    assert repr(siege.outcome).count("x") < 5000
    (answer,) = siege.outcome.answers
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


def test_an_earlier_answer_is_no_answer_to_a_later_case(shared_arena: Arena) -> None:
    siege = shared_arena.besiege(PRELUDE + REPLAY, job("attack"), job("later"))
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
def test_a_thread_that_keeps_writing_spoils_its_own_case_only(student_arena: Arena, message: str) -> None:
    outcome = forged(student_arena, WRITER.format(message=message))
    assert outcome.ending in (Ending.PROTOCOL, Ending.TIME, Ending.WALL)


def test_requests_that_nobody_reads_do_not_block_the_keeper(driver_arena: Arena) -> None:
    """The request is larger than the socket holds, and the box reads none of it."""
    source = PRELUDE + "\n\ndef attack(text):\n    return len(text)\n"
    siege = driver_arena.besiege(source, job("attack", "x" * 2_000_000))
    assert value(siege.outcome) == 2_000_000

"""Attacks on what is taken in while a call prints: by ways around it, through it and against it."""

from dataclasses import replace

import pytest
from support.sieges import LIMITS, Arena, Siege, indented

from grader.model.case import Call
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.sandbox.box import Job
from grader.sandbox.request import encode_request

HEAD = "import gc, io, os, sys, threading, time\n\nKEPT = sys.stdout\nN = 'x' * 99\n"

HONEST = {
    "print": "print('K')",
    "write": "sys.stdout.write('K\\n')",
    "a stdout kept since the import": "KEPT.write('K\\n')",
    "the buffer": "sys.stdout.buffer.write(b'K\\n')",
    "the buffer and the text": "sys.stdout.buffer.write(b'K'); print()",
    "without a line end until the end": "print('K', end=''); sys.stdout.write('\\n')",
    "the raw stream": "sys.stdout.buffer.raw.write(b'K\\n')",
    "__stdout__": "print('K', file=sys.__stdout__)",
    "another wrapper, flushed": "print('K', file=io.TextIOWrapper(sys.stdout.buffer, write_through=True))",
    "a thread that is waited for": "t = threading.Thread(target=print, args=['K'])\nt.start()\nt.join()",
    "and then closed": "print('K')\nsys.stdout.close()",
    "and then detached": "print('K')\nsys.stdout.detach()",
    "and then replaced": "print('K')\nsys.stdout = io.StringIO()\nprint('x')",
    "and then deleted": "print('K')\ndel sys.stdout",
    "and then no stream": "print('K')\nsys.stdout = None",
    "in another encoding": "sys.stdout.reconfigure(encoding='utf-16-le')\nsys.stdout.buffer.write(b'K\\n')",
    "and an exception": "print('K')\nraise ValueError",
}
BESIDE = {
    "to the descriptor": "os.write(1, b'K\\n')",
    "to a stream of one's own": "os.fdopen(1, 'w', closefd=False).write('K\\n')",
    "to the standard error": "print('K', file=sys.stderr)",
    "into a stream in memory": "sys.stdout = io.StringIO()\nprint('K')",
}


def calls_of(*functions: str) -> tuple[Call, ...]:
    return tuple(Call(function, ()) for function in functions)


def printing(*functions: str, limits: Limits = LIMITS) -> Job:
    """A case that asks what calls print."""
    return Job(encode_request(calls_of(*functions), limits, prints=True, stepwise=True), limits)


def besieged(arena: Arena, body: str, limits: Limits = LIMITS, *, after: str = "pass") -> Outcome:
    source = f"{HEAD}\ndef attack():\n{indented(body)}\n\ndef after():\n{indented(after)}\n"
    siege: Siege = arena.besiege(source, printing("attack", "after", limits=limits), captures=True)
    return siege.outcome


def printed(outcome: Outcome) -> list[str | None]:
    assert outcome.ending is Ending.ANSWERED, outcome
    return [answer.printed for answer in outcome.answers]


@pytest.mark.parametrize("way", HONEST)
def test_every_way_of_printing_is_taken_in(driver_arena: Arena, way: str) -> None:
    outcome = besieged(driver_arena, HONEST[way])
    assert printed(outcome) == ["K\n", ""]
    assert outcome.stdout == ""


@pytest.mark.parametrize("way", BESIDE)
def test_what_goes_past_the_stream_is_not_taken_in(driver_arena: Arena, way: str) -> None:
    outcome = besieged(driver_arena, BESIDE[way])
    assert printed(outcome) == ["", ""]
    assert outcome.stdout + outcome.stderr in ("K\n", "")


def test_every_mode_takes_in_the_same(mode_arena: Arena) -> None:
    source = "def attack():\n    print('K', end='')\n\ndef after():\n    print('x')\n    raise ValueError\n"
    siege = mode_arena.besiege(source, printing("attack", "after"), printing("after"), captures=True)
    assert [printed(outcome) for outcome in siege.outcomes] == [["K", "x\n"], ["x\n"]]


def test_cases_that_do_not_ask_print_as_ever(mode_arena: Arena) -> None:
    source = "def attack():\n    print('K')\n    return 1\n"
    plain = Job(encode_request(calls_of("attack"), LIMITS), LIMITS)
    siege = mode_arena.besiege(source, plain, printing("attack"), plain, captures=True)
    assert [outcome.stdout for outcome in siege.outcomes] == ["K\n", "", "K\n"]
    assert siege.outcomes[0].answers == siege.outcomes[2].answers == (Returned(1),)


def test_without_the_stream_of_ours_there_is_no_claim(mode_arena: Arena) -> None:
    siege = mode_arena.besiege("def attack():\n    print('K')\n", printing("attack"))
    assert printed(siege.outcome) == [None]


def test_what_the_import_printed_is_no_calls(driver_arena: Arena) -> None:
    source = "import sys\nsys.stdout.write('from the import')\n\n\ndef attack():\n    print('K')\n"
    siege = driver_arena.besiege(source, printing("attack"), captures=True)
    assert printed(siege.outcome) == ["K\n"]
    assert siege.loaded.stdout == "from the import"


def test_what_a_thread_prints_later_is_not_the_calls(driver_arena: Arena) -> None:
    body = "print('K')\nthreading.Thread(target=lambda: (time.sleep(0.05), print('late'))).start()"
    outcome = besieged(driver_arena, body)
    assert printed(outcome) == ["K\n", ""]


def test_what_a_thread_prints_during_a_later_step_is_that_steps(driver_arena: Arena) -> None:
    body = "threading.Thread(target=lambda: (time.sleep(0.03), print('late'))).start()"
    assert printed(besieged(driver_arena, body, after="time.sleep(0.1)")) == ["", "late\n"]


def test_what_an_answers_own_methods_print_is_not_the_calls(driver_arena: Arena) -> None:
    body = "class A:\n    def __repr__(self):\n        print('from repr')\n        return 'A'\nreturn A()"
    outcome = besieged(driver_arena, body)
    assert printed(outcome) == ["", ""]
    assert outcome.stdout == "from repr\n"


FLOODS = {
    "lines": "while True: print('x' * 99)",
    "one line": "print('x' * (1 << 23))",
    "without an end": "while True: print('x', end='')",
    "bytes": "while True: sys.stdout.buffer.write(b'x' * 4096)",
    "a thread": "t = threading.Thread(target=lambda: [print(N) for _ in iter(int, 1)])\nt.start(); t.join()",
    "with errors caught": "while True:\n    try: print('x' * 99)\n    except BaseException: pass",
    "two streams": "while True:\n    print('x' * 99)\n    print('x' * 99, file=sys.stderr)",
}


@pytest.mark.parametrize("way", FLOODS)
def test_a_flood_is_too_much_output(driver_arena: Arena, way: str) -> None:
    outcome = besieged(driver_arena, FLOODS[way])
    assert outcome.ending is Ending.OUTPUT
    assert outcome.answers == ()
    assert len(outcome.stdout) <= LIMITS.output_b


def test_a_flood_in_a_later_step_leaves_the_earlier_ones(driver_arena: Arena) -> None:
    outcome = besieged(driver_arena, "print('K')", after="while True: print('x' * 99)")
    assert outcome.ending is Ending.OUTPUT
    assert outcome.answers == (Returned(None, printed="K\n"),)
    assert outcome.stdout.startswith("K\nxxx")


def test_all_steps_share_the_limit(driver_arena: Arena) -> None:
    outcome = besieged(driver_arena, "print('x' * 40_000)", after="print('x' * 40_000)")
    assert outcome.ending is Ending.OUTPUT


def test_printed_text_counts_as_a_part_of_the_answer(driver_arena: Arena) -> None:
    limits = replace(LIMITS, output_b=256 * 1024, answer_b=8 * 1024)
    outcome = besieged(driver_arena, "print('x' * 10_000)", limits)
    assert outcome.ending is Ending.ANSWER_SIZE


CAPTURE = "c = [o for o in gc.get_objects() if type(o).__name__ == 'Capture'][0]\n"
TAMPERING = {
    "the switch's memory": "s = sys.stdout.buffer.raw\ns._kept[:] = b'K\\n' * 9",
    "turned off": "sys.stdout.buffer.raw.off()\nprint('K')",
    "more room": "s = sys.stdout.buffer.raw\ns._room_b = 1 << 60\nprint('K')",
    "no stream at all": f"{CAPTURE}c.__dict__.clear()",
    "a flush that raises": "class S:\n    def flush(self): raise SystemExit\nsys.stdout = S()",
    "a flush that is none": "class S:\n    flush = 7\nsys.stdout = S()",
    "a text that is none": "s = sys.stdout.buffer.raw\ns.off = lambda: 7",
    "a text that is a number": f"{CAPTURE}c.off = lambda: 7",
    "a subclass of str": (
        "class S(str):\n    def __eq__(self, other): return True\n    __hash__ = str.__hash__\n"
        f"{CAPTURE}c.off = lambda: S('x')"
    ),
}


@pytest.mark.parametrize("way", TAMPERING)
def test_tampering_claims_no_more_than_printing_would(driver_arena: Arena, way: str) -> None:
    outcome = besieged(driver_arena, TAMPERING[way])
    assert outcome.ending is not Ending.INTERNAL
    for answer in outcome.answers:
        assert isinstance(answer, Returned | RaisedAnswer)
        assert answer.printed is None or type(answer.printed) is str


def test_a_flush_that_hangs_costs_its_own_case(driver_arena: Arena) -> None:
    body = "class S:\n    def flush(self):\n        while True: pass\nsys.stdout = S()"
    patient = Limits(time_s=0.2, wall_s=15.0)
    assert besieged(driver_arena, body, patient).ending is Ending.TIME

"""Too much of everything: memory, output, answers."""

from support.sieges import LIMITS, MEMORY_B, Arena, indented, job, value

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, RaisedAnswer, Returned
from grader.model.values import Cycle
from grader.sandbox.box import Job
from grader.sandbox.request import encode_request

HEAD = "import ctypes, functools, mmap, os, sys, threading\n\nN = range(10 ** 9)\n"


def attack(body: str) -> str:
    return f"{HEAD}\ndef attack():\n{indented(body)}"


MEMORY = {
    "bytes at once": "bytearray(1 << 40)",
    "bytes within a factor": "bytearray(200 << 20)",
    "bytes bit by bit": "kept = []\nwhile True: kept.append(bytearray(1 << 20))",
    "a list of numbers": "[0] * (1 << 40)",
    "a text": "x = 'x'\nwhile True: x += x",
    "a number": "1 << (1 << 40)",
    "a dict": "{n: n for n in range(10 ** 9)}",
    "anonymous memory": "kept = []\nwhile True: kept.append(mmap.mmap(-1, 1 << 20))",
    "libc": "while ctypes.CDLL(None).malloc(1 << 20): pass\nraise MemoryError",
    "recursion past the limit": "sys.setrecursionlimit(10 ** 9)\nf = lambda x: f(x) + 1\nf(0)",
    "with errors caught": "k = []\nwhile True:\n    try: k.append(bytearray(1 << 20))\n    except: pass",
    "in a thread": "t = threading.Thread(target=bytearray, args=[1 << 40])\nt.start()\nbytes(1 << 40)",
}
LONG = Limits(time_s=0.4, wall_s=1.0)


def test_memory_is_bounded(driver_arena: Arena) -> None:
    for way, outcome in driver_arena.besiege_with_each(HEAD, MEMORY, LONG).items():
        # On a busy machine what spins gets so little of the processor that it seems to wait.
        ended = outcome.ending in (Ending.ANSWERED, Ending.MEMORY, Ending.KILLED, Ending.TIME, Ending.WALL)
        assert ended, way
        for answer in outcome.answers:
            assert isinstance(answer, RaisedAnswer), way
            assert {"MemoryError", "RecursionError", "OverflowError", "OSError"} & set(answer.bases), way
        assert outcome.peak_rss_b < MEMORY_B + 32 * MIB, way


def test_memory_within_the_limit_is_there(arena: Arena) -> None:
    size = 40 << 20
    outcome = arena.besiege(attack(f"return len(bytearray({size}))"), job("attack")).outcome
    assert value(outcome) == size
    assert outcome.peak_rss_b > size


def test_many_threads_memory_is_one_processes(driver_arena: Arena) -> None:
    body = """
kept = []
for _ in range(8):
    thread = threading.Thread(target=lambda: kept.append(bytearray(30 << 20)))
    thread.start()
    thread.join()
return len(kept)"""
    count = value(driver_arena.besiege(attack(body), job("attack")).outcome)
    assert isinstance(count, int)
    assert count <= MEMORY_B // (30 << 20)


def test_recursion_ends_in_an_exception_that_can_be_told(mode_arena: Arena) -> None:
    outcome = mode_arena.besiege(attack("f = lambda x: f(x) + 1\nreturn f(0)"), job("attack")).outcome
    (answer,) = outcome.answers
    assert isinstance(answer, RaisedAnswer)
    assert answer.raised.type_name == "RecursionError"


FLOODS = {
    "lines": "while True: print('x' * 100)",
    "no line": "while True: print('x' * 100, end='')",
    "one text": "print('x' * 10_000_000)",
    "errors": "while True: print('x' * 100, file=sys.stderr)",
    "both": "while True: print('x' * 100) or print('y' * 100, file=sys.stderr)",
    "system calls": "while True: os.write(1, b'x' * 65536)",
    "a thread": (
        "t = threading.Thread(target=lambda: [os.write(1, b'x' * 999) for _ in N])\nt.start(), t.join()"
    ),
    "zeros": "while True: os.write(2, bytes(4096))",
}


def test_output_is_limited(driver_arena: Arena) -> None:
    for way, outcome in driver_arena.besiege_with_each(HEAD, FLOODS).items():
        assert outcome.ending is Ending.OUTPUT, way
        assert len(outcome.stdout) <= LIMITS.output_b
        assert len(outcome.stderr) <= LIMITS.output_b


def test_output_within_the_limit_arrives_whole(mode_arena: Arena) -> None:
    ways = {str(count): f"print('x' * {count}, end='')\nreturn 1" for count in (0, 1, 65535, LIMITS.output_b)}
    for count, outcome in mode_arena.besiege_with_each(HEAD, ways).items():
        assert value(outcome) == 1
        assert outcome.stdout == "x" * int(count)


def test_output_belongs_to_its_case(arena: Arena) -> None:
    source = "import os, sys\ndef say(x):\n    print(x)\n    os.write(2, x.encode())\n    return x\n"
    outcomes = arena.besiege(source, job("say", "one"), job("say", "two"), job("say", "three")).outcomes
    assert [(o.stdout, o.stderr) for o in outcomes] == [
        ("one\n", "one"),
        ("two\n", "two"),
        ("three\n", "three"),
    ]


STREAMS = {
    "none": "sys.stdout = None\nreturn 1",
    "closed": "sys.stdout.close()\nreturn 1",
    "closed below": "os.close(1)\nos.close(2)\nreturn 1",
    "hostile": "sys.stdout = type('S', (), {'flush': lambda self: 1 / 0, 'write': print})()\nreturn 1",
    "no streams": "sys.stderr = sys.stdout = object()\nreturn 1",
    "no text": "os.write(1, bytes(range(256)))\nreturn 1",
}


def test_whatever_becomes_of_the_streams_the_answer_counts(arena: Arena) -> None:
    for way, outcome in arena.besiege_with_each(HEAD, STREAMS).items():
        assert value(outcome) == 1, way


ANSWERS = {
    "bytes": "return b'x' * 10_000_000",
    "text": "return '\\ud800' * 200_000",
    "items": "return [0] * 2_000_000",
    "levels": "return functools.reduce(lambda inner, _: [inner], range(200), 0)",
    "levels of a dict": "return functools.reduce(lambda inner, _: {1: inner}, range(200), 0)",
    "levels of a subclass": (
        "L = type('', (list,), {})\nreturn functools.reduce(lambda inner, _: L([inner]), N[:200])"
    ),
    "a number": "return 1 << 100_000_000",
    "many small": "return [[] for _ in range(300_000)]",
    "a list that grows": "class L(list):\n    __iter__ = lambda s: iter(int, 1)\nreturn [L([0] * 10 ** 6)]",
}


def test_an_answer_is_bounded(mode_arena: Arena) -> None:
    for way, outcome in mode_arena.besiege_with_each(HEAD, ANSWERS).items():
        assert (outcome.ending, outcome.answers) == (Ending.ANSWER_SIZE, ()), way


def test_a_cycle_is_told_as_one(mode_arena: Arena) -> None:
    outcome = mode_arena.besiege(attack("a = [1]\na.append({2: (a,)})\nreturn a"), job("attack")).outcome
    assert value(outcome) == [1, {2: (Cycle(3),)}]


def test_an_object_is_told_in_few_words(mode_arena: Arena) -> None:
    body = "class C:\n    __repr__ = lambda self: 'x' * 10 ** 7\nC.__name__ = 'y' * 10 ** 5\nreturn C()"
    told = value(mode_arena.besiege(attack(body), job("attack")).outcome)
    assert len(repr(told)) < 3000


def test_answers_of_many_calls_share_one_limit(mode_arena: Arena) -> None:
    outcome = mode_arena.besiege(attack("return 'x' * 60_000"), job("attack", times=10)).outcome
    assert outcome.ending is Ending.ANSWER_SIZE
    few = mode_arena.besiege(attack("return 'x' * 60_000"), job("attack", times=3)).outcome
    assert few.answers == (Returned("x" * 60_000),) * 3


def test_arguments_are_each_calls_own(mode_arena: Arena) -> None:
    """Also where the grader holds one object for two calls."""
    shared = [0]
    request = encode_request([Call("attack", (shared,)), Call("attack", (shared,))], LIMITS, unchanged=True)
    source = "def attack(xs):\n    xs.append(1)\n    return len(xs)\n"
    outcome = mode_arena.besiege(source, Job(request, LIMITS)).outcome
    assert outcome.answers == (Returned(2, ([0, 1],)), Returned(2, ([0, 1],)))
    assert shared == [0]

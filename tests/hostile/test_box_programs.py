"""Hostile programs: what one that is run as a whole can do to its input, its output, its dialogue and us.

A program owns its process and the channel that tells how it ended.  What it gains by writing there is
what ending so would give it; the limits hold, the next run is as if it had never been.
"""

from collections.abc import Callable

import pytest
from hostile.test_box_channel import PRELUDE
from support.sieges import LIMITS, SPINS, WAITS, Arena, Zygotes

from grader.model.case import Exchange, ProgramRun
from grader.model.limits import Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned, WatchedCall
from grader.model.values import Value
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.request import encode_program
from grader.wire import frames

MEMORY_B = 128 << 20
ASKS = (Exchange(None, "x"),)
CONTROL = """
import os
print(input(), os.listdir(".") if os.getcwd() == "/box/work" else [])
"""

Answer = Callable[[WatchedCall], Value]


def run(
    arena: Arena,
    text: str,
    answer: Answer | None = None,
    *,
    keeps: tuple[str, ...] = (),
    stdin: str = "",
    limits: Limits = LIMITS,
    **modules: str,
) -> Outcome:
    """Run a program, and then an honest one in the same box, which must not notice."""
    order = ProgramRun(module="main", stdin=stdin, keeps=keeps, dialogue=ASKS if answer else ())
    hostile = Job(encode_program(order, limits), limits, answer, asks=answer is not None)
    with _box(arena, {"main": text, **modules}) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        (outcome,) = box.run([hostile])
        assert outcome.ending is not Ending.INTERNAL
        assert outcome.cpu_s < limits.time_s + 1.5
        assert len(outcome.stdout) <= limits.output_b + 1
        (after,) = box.run([Job(encode_program(ProgramRun(module="control", stdin="7\n"), LIMITS), LIMITS)])
    assert (after.stdout, code(after)) == ("7 []\n", 0), after
    return outcome


def _box(arena: Arena, sources: dict[str, str]) -> Box:
    start = Limits(time_s=5.0, wall_s=20.0)
    return Box(
        arena.zygote,
        Program("main", {**sources, "control": CONTROL}, runs=True),
        MEMORY_B,
        start,
        1.0,
        purse=UNBILLED,
    )


def end(outcome: Outcome) -> dict[str, object]:
    assert outcome.ending is Ending.ANSWERED, outcome
    answer = outcome.answers[0]
    assert isinstance(answer, Returned)
    assert isinstance(answer.value, dict)
    return answer.value


def code(outcome: Outcome) -> object:
    return end(outcome)["exit_code"]


def raised(outcome: Outcome) -> str:
    assert len(outcome.answers) == 2, outcome
    answer = outcome.answers[1]
    assert isinstance(answer, RaisedAnswer)
    return answer.raised.type_name


@pytest.fixture
def strong_arena(zygotes: Zygotes) -> Arena:
    """The strongest driver, for what has nothing to do with walls."""
    return zygotes.arena(Driver.NAMESPACES, "snapshot")


class Script:
    """Answers line by line and keeps what was said."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.said: list[bytes] = []

    def __call__(self, call: WatchedCall) -> Value:
        (part,) = call.args
        assert call.name == "<stdin>"
        assert isinstance(part, bytes)
        self.said.append(part)
        return self.lines[len(self.said) - 1] if len(self.said) <= len(self.lines) else None


# -- the channel ---------------------------------------------------------------------------------------

END = 'b"\\x00l\\x01t\\x02s\\x08returnedm\\x02s\\x09exit_code\\x80s\\x05filesm\\x00"'


def test_a_forged_end_is_worth_an_end(arena: Arena) -> None:
    text = (
        PRELUDE
        + f"print('mine')\nsys.stdout.flush()\nos.write(4, frame(ANSWER, nonce() + {END}))\nos._exit(9)\n"
    )
    outcome = run(arena, text)
    assert outcome.stdout == "mine\n"
    assert end(outcome) == {"exit_code": 0, "files": {}}


def test_two_ends_are_noise(strong_arena: Arena) -> None:
    text = PRELUDE + f"os.write(4, frame(ANSWER, nonce() + {END}) * 2)\nos._exit(0)\n"
    assert run(strong_arena, text).ending is Ending.PROTOCOL


@pytest.mark.parametrize("kind", ["CALLBACK", "REQUEST", "REPLY", "FORK", "IMPORTED", "99"])
def test_frames_that_are_not_due_are_noise(strong_arena: Arena, kind: str) -> None:
    text = PRELUDE + f"os.write(4, frame({kind}, nonce() + {END}))\ntime.sleep(60)\n"
    assert run(strong_arena, text).ending is Ending.PROTOCOL
    assert run(strong_arena, text, Script("x")).ending is Ending.PROTOCOL


def test_to_claim_that_something_is_missing_is_no_end(strong_arena: Arena) -> None:
    text = PRELUDE + "os.write(4, frame(ABSENT, nonce() + b'\\x01x'))\nos._exit(0)\n"
    assert run(strong_arena, text).ending is Ending.MISSING


def test_a_question_where_there_is_no_dialogue_is_noise(strong_arena: Arena) -> None:
    text = PRELUDE + f"os.write(4, frame({frames.READ}, nonce()))\ntime.sleep(60)\n"
    assert run(strong_arena, text).ending is Ending.PROTOCOL


# -- dialogues -----------------------------------------------------------------------------------------


def test_what_was_said_comes_from_the_pipe_whoever_asks(driver_arena: Arena) -> None:
    """It asks by a frame of its own and says something else in it; the pipe is believed."""
    script = Script("one", "two")
    text = (
        PRELUDE
        + f"""
os.write(1, b"said")
os.write(4, frame({frames.READ}, nonce() + b"never said this"))
print(os.read(4, 100)[-3:])
os.write(4, frame({frames.READ}, nonce()))
print(os.read(4, 100)[-3:])
"""
    )
    outcome = run(driver_arena, text, script)
    assert script.said == [b"said", b"b'one'\n"]
    assert outcome.stdout == "saidb'one'\nb'two'\n"


def test_questions_in_advance_are_answered_one_by_one(strong_arena: Arena) -> None:
    script = Script("one", "two", "three")
    text = (
        PRELUDE
        + f"os.write(4, frame({frames.READ}, nonce()) * 3)\ntime.sleep(0.3)\nprint('late')\nos._exit(0)\n"
    )
    run(strong_arena, text, script)
    assert script.said[:1] == [b""]
    assert len(script.said) <= 3


@pytest.mark.acceptance  # they take seconds
def test_ten_thousand_questions_are_enough(strong_arena: Arena) -> None:
    limits = Limits(time_s=8.0, wall_s=30.0, output_b=64 * 1024, answer_b=1024 * 1024)
    text = PRELUDE + f"while True:\n    os.write(4, frame({frames.READ}, nonce()))\n    os.read(4, 100)\n"
    outcome = run(strong_arena, text, Script("x"), limits=limits)
    assert outcome.ending is Ending.ANSWER_SIZE
    assert outcome.detail == "more than 10000 questions for input"


def test_a_million_reads_after_the_end_cost_its_own_time(strong_arena: Arena) -> None:
    script = Script("x")
    text = "import sys\nwhile True:\n    sys.stdin.readline()\n"
    assert run(strong_arena, text, script, limits=SPINS).ending is Ending.TIME
    assert len(script.said) == 2


def test_a_prompt_with_escapes_is_told_as_it_is(strong_arena: Arena) -> None:
    script = Script("x")
    run(strong_arena, "input('\\x1b[2J\\x1b]0;t\\x07\\u202e? ')\n", script)
    assert script.said == ["\x1b[2J\x1b]0;t\x07\u202e? ".encode()]


def test_a_flood_before_a_question_is_ended(strong_arena: Arena) -> None:
    script = Script("x")
    outcome = run(strong_arena, "print('x' * 10**6)\ninput()\n", script)
    assert outcome.ending is Ending.OUTPUT
    assert script.said == []


def test_a_dialogue_that_waits_for_nothing_meets_the_wall_limit(strong_arena: Arena) -> None:
    outcome = run(strong_arena, "input('a')\nimport time\ntime.sleep(60)\n", Script("x"), limits=WAITS)
    assert outcome.ending is Ending.WALL


# -- input ---------------------------------------------------------------------------------------------

KILLED_INPUTS = {
    "closed": "import sys\nsys.stdin.close()\n",
    "closed below": "import os\nos.close(0)\n",
    "none": "import sys\nsys.stdin = None\n",
    "something else": "import sys\nsys.stdin = 3\n",
    "another descriptor": "import os\nos.dup2(os.open('/dev/null', os.O_RDONLY), 0)\n",
    "the answer channel": "import os\nos.dup2(4, 0)\n",
}


@pytest.mark.parametrize("way", KILLED_INPUTS)
@pytest.mark.parametrize("asks", [False, True])
def test_a_program_that_kills_its_input_harms_itself(strong_arena: Arena, way: str, asks: bool) -> None:
    text = KILLED_INPUTS[way] + "print(input())\n"
    script = Script("x") if asks else None
    outcome = run(strong_arena, text, script, stdin="" if asks else "x\n", limits=WAITS)
    assert outcome.ending in (Ending.ANSWERED, Ending.WALL, Ending.PROTOCOL, Ending.EXITED)


def test_endless_reading_ends_with_the_input(driver_arena: Arena) -> None:
    text = "import os\ntotal = 0\nwhile part := os.read(0, 65536):\n    total += len(part)\nprint(total)\n"
    assert run(driver_arena, text, stdin="x" * (1 << 20)).stdout == f"{1 << 20}\n"


def test_an_input_that_nobody_reads_blocks_nobody(strong_arena: Arena) -> None:
    assert run(strong_arena, "print(1)\n", stdin="x" * (1 << 20)).stdout == "1\n"


# -- output and ends -----------------------------------------------------------------------------------


def test_floods_are_ended(driver_arena: Arena) -> None:
    for text in (
        "while True:\n    print('x' * 1000)\n",
        "import os\nwhile True:\n    os.write(2, b'x' * 1000)\n",
    ):
        assert run(driver_arena, text).ending is Ending.OUTPUT


def test_an_end_before_the_flush_loses_what_was_not_flushed(strong_arena: Arena) -> None:
    outcome = run(strong_arena, "import os\nprint('a line')\nprint('no line', end='')\nos._exit(3)\n")
    assert (outcome.ending, outcome.detail) == (Ending.EXITED, "exit status 3")
    assert outcome.stdout == "a line\n"


def test_daemon_threads_that_go_on_printing_end_with_it(driver_arena: Arena) -> None:
    text = """
import threading, time
printed = threading.Event()
def work():
    while True:
        print("more")
        printed.set()
        time.sleep(0.001)
threading.Thread(target=work, daemon=True).start()
printed.wait()
"""
    outcome = run(driver_arena, text)
    assert code(outcome) == 0
    assert set(outcome.stdout.split()) == {"more"}


def test_a_thread_that_never_ends_meets_a_limit(strong_arena: Arena) -> None:
    text = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,)).start()\n"
    assert run(strong_arena, text, limits=WAITS).ending is Ending.WALL


def test_handlers_and_finalizers_have_no_time_of_their_own(strong_arena: Arena) -> None:
    loop = "    while True:\n        pass\n"
    for text in (
        f"import atexit\n@atexit.register\ndef f():\n{loop}",
        f"class A:\n    def __del__(self):\n    {loop.replace(chr(10), chr(10) + '    ')}\na = A()\n",
        f"import sys\ndef f(*_):\n{loop}\nsys.excepthook = f\nraise ValueError\n",
    ):
        assert run(strong_arena, text, limits=SPINS).ending is Ending.TIME


def test_tools_that_were_tampered_with_spoil_their_own_case_only(strong_arena: Arena) -> None:
    tampering = {
        "os": "import os\nos.open = os.read = os.fstat = os.close = os.write = None\n",
        "builtins": "import builtins\nbuiltins.isinstance = builtins.print = None\n",
        "sys": "import sys\nsys.modules.clear()\nsys.stdout = sys.stderr = None\n",
        "gc": "import gc\ngc.collect = None\n",
        "exit": "import atexit\natexit._run_exitfuncs = None\n",
        "threading": "import threading\nthreading._shutdown = lambda: 1 / 0\n",
        "globals": "globals()[3] = 4\nglobals().clear()\n",
        "frames": "import sys\nf = sys._getframe()\nwhile f:\n    f.f_globals.clear()\n    f = f.f_back\n",
        "recursion": "import sys\nsys.setrecursionlimit(60)\n",
    }
    for way, text in tampering.items():
        outcome = run(
            strong_arena, text, keeps=("a.txt",) if strong_arena.driver is Driver.NAMESPACES else ()
        )
        assert outcome.ending in (Ending.ANSWERED, Ending.EXITED, Ending.KILLED), way


def test_an_exception_with_a_hostile_class(strong_arena: Arena) -> None:
    text = """
class Meta(type):
    def __getattribute__(cls, name):
        raise SystemExit(0)
class Trouble(Exception, metaclass=Meta):
    def __str__(self):
        raise SystemExit(0)
    __cause__ = __context__ = property(lambda self: 1 / 0)
raise Trouble
"""
    outcome = run(strong_arena, text)
    assert outcome.ending in (Ending.ANSWERED, Ending.EXITED)
    assert outcome.ending is Ending.EXITED or code(outcome) != 0


# -- processes, files, secrets -------------------------------------------------------------------------


def test_no_process_is_started(driver_arena: Arena) -> None:
    for text in ("import os\nos.fork()\n", "import os\nos.execv('/bin/sh', ['sh'])\n"):
        outcome = run(driver_arena, text)
        assert outcome.ending is Ending.FORBIDDEN
        assert outcome.detail in ("start a process", "start a program")


FILES = """
import os
os.symlink("/etc/passwd", "a.txt")
os.symlink("real.txt", "b.txt")
open("real.txt", "w").write("real")
os.mkdir("c.txt")
"""


@pytest.fixture(params=["snapshot", "fresh"])
def folder_arena(request: pytest.FixtureRequest, zygotes: Zygotes) -> Arena:
    """The one driver that has folders for programs."""
    return zygotes.arena(Driver.NAMESPACES, request.param)


def test_only_regular_files_come_out(folder_arena: Arena) -> None:
    outcome = run(folder_arena, FILES, keeps=("a.txt", "b.txt", "c.txt", "d.txt", "real.txt"))
    assert end(outcome)["files"] == {"real.txt": b"real"}


def test_thousands_of_files_are_gone_for_the_next_run(folder_arena: Arena) -> None:
    text = """
import os
os.makedirs("/".join("d" * 200))
for number in range(10**6):
    open(str(number), "w").close()
"""
    assert raised(run(folder_arena, text)) == "OSError"


def test_files_are_bounded_by_the_answer(folder_arena: Arena) -> None:
    text = "open('a.txt', 'wb').write(b'x' * 10**6)\n"
    outcome = run(folder_arena, text, keeps=("a.txt", "b.txt"))
    assert (outcome.ending, outcome.detail) == (Ending.ANSWER_SIZE, f"more than {LIMITS.answer_b} bytes")
    text = """
import os
for name in "ab":
    os.truncate(os.open(name, os.O_CREAT | os.O_WRONLY), 10**6)
"""
    assert run(folder_arena, text, keeps=("a", "b")).ending is Ending.ANSWER_SIZE


def test_a_program_can_read_what_stands_beside_it_and_nothing_else(strong_arena: Arena) -> None:
    """The modules beside it are documented as readable; lines to come and names of checkers are not there."""
    text = """
import gc, sys
import beside
print(beside.__loader__.get_source("beside"))
wanted = " ".join(["a", "line", "to", "come"])
print(any(wanted in x for x in gc.get_objects() if type(x) in (list, tuple, dict)), input())
"""
    outcome = run(strong_arena, text, Script("one", "a line to come"), beside="SECRET = 1\n")
    assert outcome.stdout.split() == ["SECRET", "=", "1", "False", "one"]


def test_memory_is_bounded(driver_arena: Arena) -> None:
    outcome = run(driver_arena, "x = [bytearray(1 << 24) for _ in range(100)]\n")
    assert raised(outcome) == "MemoryError"


def test_what_is_printed_after_the_answer_is_not_the_next_case_s(driver_arena: Arena) -> None:
    """It is looked for in `run`: the honest program in the same box prints its own alone."""
    text = r"""
import os, sys
def later(status, end=os._exit, write=os.write):
    write(1, b"later\n" * 100)
    write(2, b"later\n" * 100)
    end(status)
os._exit = later
frame = sys._getframe()
while frame is not None:
    frame.f_globals["_exit"] = later
    frame = frame.f_back
print("now")
"""
    assert run(driver_arena, text).stdout.startswith("now\n")

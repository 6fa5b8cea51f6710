"""Small attacks on the sandbox, each through the real path; what must not happen is asserted here.

Every attack runs under the three drivers that marking may use.  After each, the next case and
the next submission in the same zygote must give right answers.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from grader.model.case import Call
from grader.model.limits import MIB, Limits
from grader.model.outcome import Ending, Outcome, RaisedAnswer, Returned
from grader.sandbox.box import Box, Job, Program
from grader.sandbox.budget import UNBILLED
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.request import encode_request
from grader.sandbox.zygote import Zygote

# A long wall limit, so that a busy machine makes no difference, but for attacks that only wait.
LIMITS = Limits(time_s=0.4, wall_s=20.0, output_b=64 * 1024, answer_b=1 * MIB)
WAITING = replace(LIMITS, wall_s=0.8)
MEMORY_B = 128 * MIB
CONTROL = "\n\ndef control(x):\n    return [x, (x, None)]\n"


@pytest.fixture(scope="module", params=[Driver.NAMESPACES, Driver.LANDLOCK, Driver.SECCOMP])
def zygote(request: pytest.FixtureRequest) -> Iterator[Zygote]:
    with Zygote(request.param, find_interpreter("")) as started:
        yield started


def job(function: str, *args: object, limits: Limits = LIMITS) -> Job:
    return Job(encode_request([Call(function, args)], limits), limits)


def open_box(zygote: Zygote, source: str, limits: Limits = LIMITS) -> Box:
    return Box(
        zygote, Program("work", {"work": source + CONTROL}), MEMORY_B, limits, LIMITS.time_s, purse=UNBILLED
    )


def attack(zygote: Zygote, source: str, *args: object, limits: Limits = LIMITS) -> Outcome:
    """Run `attack(*args)` of `source`, then see that others are none the worse for it."""
    with open_box(zygote, source) as box:
        assert box.load()[0].ending is Ending.ANSWERED
        outcome = box.run([job("attack", *args, limits=limits)])[0]
        assert box.run([job("control", 1)])[0].answers == (Returned([1, (1, None)]),)
    with open_box(zygote, "") as box:
        assert box.load()[0].ending is Ending.ANSWERED
        assert box.run([job("control", 2)])[0].answers == (Returned([2, (2, None)]),)
    assert outcome.cpu_s < LIMITS.time_s + 0.5
    return outcome


def returned(outcome: Outcome) -> bool:
    return outcome.ending is Ending.ANSWERED and isinstance(outcome.answers[-1], Returned)


def import_failure(zygote: Zygote, source: str) -> Outcome:
    with open_box(zygote, source, WAITING) as box:
        return box.load()[0]


# -- the answer channel ----------------------------------------------------------------------------


def test_answers_of_many_calls_share_one_limit(zygote: Zygote) -> None:
    request = encode_request([Call("attack", ())] * 20, LIMITS)
    with open_box(zygote, "def attack():\n    return 'x' * 100_000\n") as box:
        box.load()
        assert box.run([Job(request, LIMITS)])[0].ending is Ending.ANSWER_SIZE


def test_a_flood_of_the_answer_channel_at_import_ends_the_import(zygote: Zygote) -> None:
    source = "import os\nwhile True:\n    os.write(4, b'\\0' * 65536)\n"
    assert import_failure(zygote, source).ending in (Ending.WALL, Ending.TIME, Ending.PROTOCOL)


def test_closing_every_descriptor_is_no_answer(zygote: Zygote) -> None:
    outcome = attack(zygote, "import os\ndef attack():\n    os.closerange(0, 1024)\n    return 1\n")
    assert outcome.ending in (Ending.EXITED, Ending.KILLED)


def test_an_answer_kept_for_the_next_case_is_not_its_answer(zygote: Zygote) -> None:
    source = """
import os, socket, threading, time
def attack():
    channel = socket.socket(fileno=os.dup(4))
    frame = (9 + 5).to_bytes(4, "little") + bytes([24]) + b"\\0" * 8 + b"\\x01" + b"l\\x01N"
    threading.Thread(target=lambda: [channel.send(frame) for _ in range(100)], daemon=True).start()
    time.sleep(0.05)
    return 1
"""
    assert not returned(attack(zygote, source))


def test_patched_modules_and_frames_change_no_verdict(zygote: Zygote) -> None:
    source = """
import builtins, gc, sys
class Everything:
    def __eq__(self, other): return True
    def __hash__(self): return 0
def attack():
    frame = sys._getframe()
    seen = []
    while frame is not None:
        seen.append(sorted(map(str, frame.f_locals))[:50])
        frame = frame.f_back
    builtins.len = lambda x: 0
    for found in gc.get_objects():
        if type(found).__name__ == "module":
            try: found.encode = found.dumps = lambda *a, **k: b""
            except Exception: pass
    return Everything()
"""
    outcome = attack(zygote, source)
    for answer in outcome.answers:
        assert not isinstance(answer, Returned) or type(answer.value).__name__ == "Opaque"


# -- ending badly ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "endings"),
    [
        ("os._exit(0)", {Ending.EXITED}),
        ("os._exit(86)", {Ending.MEMORY, Ending.EXITED}),
        ("os.abort()", {Ending.KILLED}),
        ("os.kill(os.getpid(), 9)", {Ending.KILLED, Ending.ANSWERED}),
        ("os.kill(os.getpid(), 19)", {Ending.WALL, Ending.ANSWERED}),
        ("os.kill(-1, 9)", {Ending.KILLED, Ending.EXITED, Ending.ANSWERED}),
        ("os.kill(os.getppid(), 9)", {Ending.ANSWERED}),
        ("import ctypes; ctypes.string_at(0)", {Ending.KILLED}),
        ("time.sleep(60)", {Ending.WALL}),
        ("threading.Lock().acquire() and threading.Event().wait()", {Ending.WALL}),
        ("10 ** 10 ** 8 % 7", {Ending.TIME}),
        ("re.match('(a+)+$', 'a' * 60 + 'b')", {Ending.TIME}),
        ("[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15, 24)] and spin()", {Ending.TIME}),
        ("[threading.Thread(target=spin).start() for _ in range(4)] and spin()", {Ending.TIME}),
        ("bytearray(1 << 40)", {Ending.ANSWERED}),
        ("[bytearray(1 << 20) for _ in range(100000)]", {Ending.ANSWERED, Ending.MEMORY, Ending.KILLED}),
        ("[print('x' * 1000) for _ in range(10 ** 9)]", {Ending.OUTPUT}),
        ("[os.write(2, b'x' * 4096) for _ in range(10 ** 9)]", {Ending.OUTPUT}),
        ("[0] * 3_000_000", {Ending.ANSWER_SIZE}),
        ("'x' * (2 << 20)", {Ending.ANSWER_SIZE}),
        ("functools.reduce(lambda a, _: [a], range(500), [])", {Ending.ANSWER_SIZE}),
        ("1 << (1 << 26)", {Ending.ANSWER_SIZE}),
    ],
)
def test_what_ends_badly_costs_one_case(zygote: Zygote, body: str, endings: set[Ending]) -> None:
    *before, last = body.split("; ")
    source = (
        "import functools, os, re, signal, threading, time\n"
        "def spin():\n    while True:\n        pass\n"
        "def attack():\n" + "".join(f"    {line}\n" for line in before) + f"    return {last}\n"
    )
    outcome = attack(zygote, source, limits=WAITING if Ending.WALL in endings else LIMITS)
    assert outcome.ending in endings, outcome
    if "getppid" in body:
        assert not returned(outcome)


def test_a_million_levels_or_a_cycle_come_back_bounded(zygote: Zygote) -> None:
    source = "def attack():\n    a = []\n    a.append(a)\n    return a\n"
    outcome = attack(zygote, source)
    assert returned(outcome)
    assert "Cycle" in repr(outcome.answers)


# -- reaching out ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "os.fork()",
        "__import__('subprocess').run(['/bin/true'])",
        "__import__('multiprocessing').Process(target=print).start()",
        "os.execv('/bin/true', ['true'])",
        "socket.socket()",
        "socket.create_connection(('127.0.0.1', 9), 1)",
        "os.setuid(0) or os.setgroups([])",
        "os.chroot('/')",
        "__import__('resource').setrlimit(7, (4096, 4096))",
    ],
)
def test_what_the_sandbox_refuses_is_refused(zygote: Zygote, body: str) -> None:
    outcome = attack(zygote, f"import os, socket\ndef attack():\n    return {body}\n")
    assert not returned(outcome) or (zygote.driver is not Driver.NAMESPACES and body.startswith("os.setuid"))


@pytest.mark.parametrize(
    "name",
    ["ptrace", "bpf", "unshare", "mount", "keyctl", "io_uring_setup", "userfaultfd", "process_vm_readv"],
)
def test_calls_that_no_honest_program_makes_end_the_process(zygote: Zygote, name: str) -> None:
    from grader.worker.walls.syscalls import FATAL

    source = (
        "import ctypes\ndef attack(number):\n"
        "    libc = ctypes.CDLL(None, use_errno=True)\n"
        "    return libc.syscall(number, 0, 0, 0, 0, 0, 0)\n"
    )
    assert attack(zygote, source, FATAL[name]).ending is Ending.FORBIDDEN


def test_a_fork_past_the_library_is_refused_with_and_without_the_parents_flag(zygote: Zygote) -> None:
    source = """
import ctypes
def attack(number, flags):
    libc = ctypes.CDLL(None, use_errno=True)
    return libc.syscall(number, flags, 0, 0, 0, 0)
"""
    from grader.worker.walls.syscalls import BY_ARGUMENT

    for flags in (17, 0x8000 | 17, 0x10000000 | 17):
        outcome = attack(zygote, source, BY_ARGUMENT["clone"], flags)
        assert outcome.answers == (Returned(-1),)


def test_nothing_of_the_graders_is_in_the_environment(
    zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_TEST_SECRET", "secret")
    with Zygote(zygote.driver, find_interpreter("")) as own:
        outcome = attack(
            own,
            "import os, sys\ndef attack():\n"
            "    return [dict(os.environ), sys.argv, sys.orig_argv, sys.path]\n",
        )
    assert returned(outcome)
    assert "secret" not in repr(outcome.answers)
    assert str(Path.cwd()) not in repr(outcome.answers[0])


def test_other_files_are_out_of_reach(zygote: Zygote, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    source = """
import os
def attack(path):
    found = []
    for attempt in (lambda: open(path).read(), lambda: open(path, "w"), lambda: os.stat(path).st_size,
                    lambda: os.listdir(os.path.dirname(path)), lambda: os.link(path, "linked")):
        try:
            found.append(attempt() and True)
        except OSError:
            found.append(False)
    return found
"""
    outcome = attack(zygote, source, str(secret))
    assert secret.read_text() == "secret" or zygote.driver is Driver.SECCOMP
    match outcome.answers:
        case (Returned(value=[read, write, stat, listing, link]),):
            if zygote.driver is not Driver.SECCOMP:
                assert (read, write, listing, link) == (False, False, False, False)
            if zygote.driver is Driver.NAMESPACES:
                assert stat is False
        case _:
            pytest.fail(repr(outcome))


def test_no_socket_of_another_process_is_reached(zygote: Zygote) -> None:
    name = f"\0grader-attack-{os.getpid()}"
    reached = threading.Event()
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(name)
        server.listen()
        server.settimeout(0.2)
        outcome = attack(
            zygote,
            "import socket\ndef attack(name):\n    s = socket.socket(socket.AF_UNIX)\n    s.connect(name)\n",
            name,
        )
        try:
            server.accept()[0].close()
            reached.set()
        except TimeoutError:
            pass
    assert not reached.is_set()
    assert not returned(outcome)


def test_scratch_is_bounded_and_gone_for_the_next_submission(zygote: Zygote) -> None:
    source = """
import os
def attack():
    found, written = os.listdir("."), 0
    try:
        for number in range(5000):
            with open(f"file-{number}", "wb") as file:
                written += file.write(b"x" * (1 << 20))
    except OSError:
        pass
    return [found, written]
"""
    if zygote.driver is Driver.SECCOMP:
        return  # It promises neither.
    if zygote.driver is Driver.LANDLOCK:
        outcome = attack(zygote, "def attack():\n    return open('file', 'w').write('x')\n")
        assert isinstance(outcome.answers[0], RaisedAnswer)
        return
    for _ in range(2):
        match attack(zygote, source).answers:
            case (Returned(value=[[], int(written)]),):
                assert 1 << 20 <= written <= 16 << 20
            case other:
                pytest.fail(repr(other))


def test_an_exception_that_cannot_be_told_is_still_an_exception(zygote: Zygote) -> None:
    source = """
class Nasty(Exception):
    def __str__(self): raise Nasty()
    __class__ = property(lambda self: 1 / 0)
def attack():
    raise Nasty()
"""
    match attack(zygote, source).answers:
        case (RaisedAnswer(raised=raised),):
            assert raised.type_name == "Nasty"
            assert raised.message == ""
        case other:
            pytest.fail(repr(other))


def test_no_process_is_left(zygote: Zygote) -> None:
    before = _boxes()
    for body in ("os._exit(1)", "time.sleep(60)", "os.kill(os.getpid(), 19)"):
        attack(zygote, f"import os, time\ndef attack():\n    {body}\n", limits=WAITING)
    # Nobody waits for a box that is closed; its keeper ends it at once.
    deadline = time.monotonic() + 20
    while not _boxes() <= before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _boxes() <= before


def _boxes() -> set[int]:
    """The pids of all boxes on this host that belong to this test's zygotes."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if (entry / "comm").read_text().strip() == "grader-box" and _is_ours(int(entry.name)):
                    found.add(int(entry.name))
            except OSError:
                continue
    return found


def _is_ours(pid: int) -> bool:
    while pid > 1:
        if pid == os.getpid():
            return True
        status = Path(f"/proc/{pid}/status").read_text()
        pid = int(next(line for line in status.splitlines() if line.startswith("PPid:")).split()[1])
    return False

"""The memory of a whole box: what a limit for each process does not see must be little, and bounded too."""

from pathlib import Path

import pytest
from support.marking import mark, verdicts
from support.processes import looking
from support.sieges import MEMORY_B, Arena, indented, job, value

from grader.model.limits import MIB
from grader.model.outcome import Ending, RaisedAnswer
from grader.sandbox.driver import WALLS

HEAD = """
import ctypes, fcntl, mmap, os, socket, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)
KEPT = []


def descriptors():
    try:
        while True:
            KEPT.append(os.pipe())
    except OSError:
        return 2 * len(KEPT)


def call(number, *args):
    return LIBC.syscall(*map(ctypes.c_long, (number, *args)))
"""


def attack(body: str, head: str = HEAD) -> str:
    return f"{head}\n\ndef attack():\n{indented(body)}"


def whole(arena: Arena, body: str, *, head: str = HEAD) -> int:
    """What `body` returns, which is a number."""
    found = value(arena.besiege(attack(body, head), job("attack")).outcome)
    assert isinstance(found, int)
    return found


def test_no_thread_gets_descriptors_of_its_own(driver_arena: Arena) -> None:
    """The limit is one for each table of descriptors; 64 threads with one each had 3,800 of them."""
    body = """
done, counts = threading.Event(), []
def work():
    LIBC.close_range(60, 60, 2)  # CLOSE_RANGE_UNSHARE
    before = len(KEPT)
    counts.append(descriptors() - 2 * before)
    done.wait()
threading.stack_size(65536)
for _ in range(30):
    threading.Thread(target=work, daemon=True).start()
time.sleep(0.1)
return 2 * len(KEPT)"""
    assert whole(driver_arena, body) <= 64


def test_nor_does_one_that_is_made_past_the_library(driver_arena: Arena) -> None:
    # VM, SIGHAND and THREAD, without FILES; the arguments' order is that of both architectures.
    body = """
number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
return call(number, 0x100 | 0x800 | 0x10000, 0, 0, 0, 0)"""
    assert whole(driver_arena, body) == -1


def test_what_lies_in_pipes_and_sockets_is_little(driver_arena: Arena) -> None:
    body = """
sent = 0
try:
    while True:
        KEPT.append(socket.socketpair() if len(KEPT) % 2 else os.pipe())
except OSError:
    pass
for one, other in KEPT:
    ends = [(one, other)] if isinstance(one, socket.socket) else []
    try:
        if not ends:
            os.set_blocking(other, False)
            while True:
                sent += os.write(other, bytes(4096))
        for end in ends[0]:
            end.setblocking(False)
        while True:
            sent += one.send(bytes(65536))
    except OSError:
        pass
return sent"""
    assert MIB < whole(driver_arena, body) < 16 * MIB


@pytest.mark.parametrize("kind", ["F_SETLK", "F_OFD_SETLK"])
def test_locks_on_ranges_take_no_memory(driver_arena: Arena, kind: str) -> None:
    """They are the kernel's memory, and no limit counts them."""
    body = f"""
import struct
file = os.open(os.__file__, os.O_RDONLY)
for place in range(100):
    lock = struct.pack("hhqqi4x", fcntl.F_RDLCK, 0, 2 * place, 1, 0)
    fcntl.fcntl(file, getattr(fcntl, {kind!r}, 37), lock)
# Another owner sees those that are held.
question = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
answer = fcntl.fcntl(file, 36 if {kind!r} == "F_SETLK" else fcntl.F_GETLK, question)
return struct.unpack("hhqqi4x", answer)[0] != fcntl.F_UNLCK"""
    assert whole(driver_arena, body) is False


MADE = {
    "memfd_create": "return os.memfd_create('x')",
    "memfd_secret": "return call(447, 0) if call(447, 0) >= 0 else 1 / 0",
    "System V": "return LIBC.shmget(0, 1 << 20, 0o1600) if LIBC.shmget(0, 1 << 20, 0o1600) >= 0 else 1 / 0",
    "in /dev/shm": "return os.open('/dev/shm/x', os.O_CREAT | os.O_RDWR)",
    "without a name": "return os.open('/dev/shm', os.O_TMPFILE | os.O_RDWR)",
    "posix": "from multiprocessing import shared_memory as s\nreturn s.SharedMemory('x', True, 1 << 20).size",
    "a message queue": "return 1 if LIBC.mq_open(b'/x', 0o100 | 2, 0o600, None) >= 0 else 1 / 0",
    "urgent bytes": "return socket.socketpair()[0].send(b'x', socket.MSG_OOB)",
}


def test_memory_that_outlives_its_mapping_cannot_be_made(driver_arena: Arena) -> None:
    names = [name for name in MADE if WALLS[driver_arena.driver].landlock or "shm" not in MADE[name]]
    names = [name for name in names if name != "posix" or WALLS[driver_arena.driver].landlock]
    found = driver_arena.besiege_with_each(HEAD, {name: MADE[name] for name in names})
    for name, outcome in found.items():
        assert outcome.ending in (Ending.ANSWERED, Ending.FORBIDDEN), name
        assert all(isinstance(answer, RaisedAnswer) for answer in outcome.answers), (name, outcome.answers)


HOARD = """
def hoard(size=1 << 20):
    try:
        while True:
            piece = mmap.mmap(-1, size)
            for at in range(0, size, 4096):
                piece[at] = 1
            KEPT.append(piece)
    except (OSError, MemoryError):
        return len(KEPT) * size
"""


def test_a_module_and_its_case_share_no_more_than_two_limits(driver_arena: Arena) -> None:
    """The module takes all that it can, in memory that forks share; then a case lets go and takes anew."""
    head = f"{HEAD}\n{HOARD}\nFIRST = hoard()\nfor _ in range(8): KEPT.pop()\n"
    body = """
for piece in KEPT: piece.close()
KEPT.clear()
return FIRST + hoard()"""
    assert MEMORY_B < whole(driver_arena, body, head=head) <= 2 * (MEMORY_B + 8 * MIB)


def test_stacks_of_threads_are_the_process_s_memory(driver_arena: Arena) -> None:
    body = """
threading.stack_size(8 << 20)
done = threading.Event()
def fill():
    LIBC.memset(ctypes.create_string_buffer(1 << 18), 1, 1 << 18)
    done.wait()
try:
    for count in range(200):
        threading.Thread(target=fill, daemon=True).start()
except (RuntimeError, MemoryError):
    pass
return count * (8 << 20)"""
    assert whole(driver_arena, body) <= MEMORY_B + 16 * MIB


def test_files_in_scratch_are_bounded_whatever_becomes_of_their_names(driver_arena: Arena) -> None:
    """Removed files that are still open or mapped count, and pages that a pipe holds are few."""
    scratch_b = WALLS[driver_arena.driver].scratch_b
    body = """
total = 0
try:
    for number in range(60):
        file = os.open(str(number), os.O_CREAT | os.O_RDWR)
        os.unlink(str(number))
        KEPT.append((file, mmap.mmap(-1, 4096)))
        while True:
            total += os.write(file, b'x' * 65536)
            if total >> 20 > number:
                break
except OSError:
    pass
ends = os.pipe() if not os.close(KEPT[0][0]) else None
held = 0
for file, _ in KEPT[1:]:
    try:
        os.lseek(file, 0, 0)
        held += os.splice(file, ends[1], 65536, flags=2)
    except OSError:
        break
    os.ftruncate(file, 0)
return total + held"""
    if not scratch_b:
        head = HEAD.replace("KEPT = []", "KEPT = [(os.open(os.devnull, os.O_RDONLY), None)]")
        assert whole(driver_arena, body, head=head) == 0
        return
    assert whole(driver_arena, body) <= scratch_b + MIB


MODULES = "abcdefgh"


def test_a_submission_of_many_modules_has_one_box_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each holds what its import took, so their number is part of what a submission can hold."""
    names = ", ".join(f"{name}: {name}.py" for name in MODULES)
    monkeypatch.setattr(
        "support.marking.HEAD", f"task: s\ntitle: S\nmarks: {len(MODULES)}\nmodules: {{{names}}}\n"
    )
    questions = [
        f'  - id: "{name}"\n    title: T\n    module: {name}\n    marks: 1\n    cases:\n'
        "      - {call: f(1), returns: 2}\n      - {call: f(2), returns: 3, visibility: hidden}\n"
        for name in MODULES
    ]
    source = "import time\nclass Kept: pass\n\ndef f(x):\n    time.sleep(0.05)\n    return x + 1\n"
    most = 0

    def count(pids: list[int]) -> None:
        nonlocal most
        most = max(most, sum(_holds_memory(pid) for pid in pids if _name_of(pid) == "grader-box"))

    with looking(count):
        result = mark(tmp_path, "questions:\n" + "".join(questions), dict.fromkeys(MODULES, source))
    assert set(verdicts(result).values()) == {"accepted"}
    # The one, and the case that it forked.
    assert 1 <= most <= 2


def _holds_memory(pid: int) -> bool:
    """Whether a process has pages still; one that is ending has given them back long before it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) > 0
    except OSError:
        return False


def _name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""

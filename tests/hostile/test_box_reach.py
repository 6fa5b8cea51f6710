"""What student code can do to the world outside its process: nothing.

Effects are looked at from outside wherever there is one to see.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from support.sieges import Arena, job, value

from grader.model.outcome import Ending
from grader.worker.walls.syscalls import FATAL

HEAD = """
import ctypes, fcntl, mmap, os, resource, signal, socket, struct, sys, threading, time

LIBC = ctypes.CDLL(None, use_errno=True)

def refused(call):
    try:
        result = call()
    except (OSError, ValueError, AttributeError):
        return True
    return isinstance(result, int) and result < 0
"""

# Each returns a negative number or raises where it is refused.
CALLS = (
    "LIBC.personality(0xFFFFFFFF)", "LIBC.prctl(1, 0, 0, 0, 0)", "LIBC.prctl(4, 1, 0, 0, 0)",
    "LIBC.prctl(22, 2, 0, 0, 0)", "LIBC.prctl(36, 1, 0, 0, 0)", "LIBC.prctl(38, 0, 0, 0, 0)",
    "LIBC.prctl(40, 0, 0, 0, 0)", "LIBC.mlockall(3)", "LIBC.shmget(0, 4096, 0o1600)",
    "LIBC.msgget(0, 0o1600)", "LIBC.semget(0, 1, 0o1600)", "LIBC.inotify_init1(0)", "LIBC.vhangup()",
    "LIBC.capset(bytes(8), bytes(24))", "LIBC.sethostname(b'x', 1)", "LIBC.settimeofday(bytes(16), None)",
    "LIBC.ioperm(0x70, 1, 1)", "LIBC.iopl(3)", "os.memfd_create('x')", "os.sched_setaffinity(0, {0})",
    "os.sched_setscheduler(0, 3, os.sched_param(0))", "os.setpriority(0, 0, -5)", "os.nice(1)",
    "os.setsid()", "os.setpgid(0, 0)", "os.link('a', 'b')", "os.mkfifo('pipe')", "os.mknod('node')",
    "os.truncate('file', 0)", "os.setuid(0)", "os.setgroups([0])", "os.setresuid(1, 1, 1)",
    "os.pidfd_open(os.getpid())", "resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))",
    "resource.setrlimit(resource.RLIMIT_CPU, (999, 999))",
    "resource.prlimit(0, resource.RLIMIT_AS, (-1, -1))",
    "resource.prlimit(os.getppid() or 1, resource.RLIMIT_AS)",
    "fcntl.fcntl(1, fcntl.F_SETOWN, os.getpid())", "fcntl.fcntl(1, 10, signal.SIGKILL)",
    "fcntl.fcntl(1, 15, struct.pack('ii', 1, os.getpid()))", "socket.socket(socket.AF_INET)",
    "socket.socket(socket.AF_INET6)", "socket.socket(socket.AF_UNIX)",
    "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", "socket.socket(40, socket.SOCK_STREAM)",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)",
    "socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW)", "socket.socketpair(socket.AF_INET)",
    "socket.socketpair()[0].bind('name')", "socket.socketpair()[0].listen()",
    "socket.socketpair()[0].accept()", "socket.socketpair()[0].connect('/run/docker.sock')",
    "fcntl.ioctl(1, 0x5412, b'x')", "fcntl.ioctl(0, 0xC0502100, bytes(80))",
)  # fmt: skip


def test_calls_that_reach_further_are_refused(arena: Arena) -> None:
    names = ", ".join(f"({call!r}, lambda: {call})" for call in CALLS)
    attack = "def attack():\n    return [name for name, call in CALLS if not refused(call)]\n"
    source = f"{HEAD}\nCALLS = [{names}]\n\n{attack}"
    assert value(arena.besiege(source, job("attack")).outcome) == []


@pytest.mark.parametrize("name", sorted(FATAL))
def test_calls_that_no_honest_program_makes_end_the_process(zygotes, name: str) -> None:
    """Under one driver: the filter is the same in all, and its program is tested by itself."""
    arena: Arena = zygotes.arena("namespaces", "snapshot")
    source = HEAD + "\ndef attack(number):\n    return LIBC.syscall(number, 0, 0, 0, 0, 0, 0)\n"
    outcome = arena.besiege(source, job("attack", FATAL[name])).outcome
    assert (outcome.ending, outcome.answers) == (Ending.FORBIDDEN, ())


@pytest.mark.parametrize(
    "name", ["ptrace", "bpf", "io_uring_setup", "keyctl", "userfaultfd", "unshare", "mount"]
)
def test_such_calls_at_import_are_a_failure_to_load(driver_arena: Arena, name: str) -> None:
    siege = driver_arena.besiege(HEAD + f"\nLIBC.syscall({FATAL[name]}, 0, 0, 0, 0, 0, 0)\n", job("attack"))
    assert siege.loaded.ending is Ending.FORBIDDEN


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="machine code of x86_64")
def test_the_other_door_of_x86_is_closed(driver_arena: Arena) -> None:
    """`int 0x80` makes the system calls of 32-bit programs, with other numbers."""
    body = """
    page = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(page))
    return ctypes.CFUNCTYPE(ctypes.c_int)(address)()
"""
    siege = driver_arena.besiege(HEAD + "\ndef attack():" + body, job("attack"))
    assert siege.outcome.ending is Ending.FORBIDDEN


@contextmanager
def victim() -> Iterator["subprocess.Popen[bytes]"]:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


SIGNALLING = {
    "kill": "os.kill(pid, 9)",
    "kill of the group": "os.killpg(pid, 9)",
    "queue": "LIBC.sigqueue(pid, 9, 0)",
    "of a thread": "LIBC.syscall({'x86_64': 200, 'aarch64': 130}[os.uname().machine], pid, 9)",
    "descriptor's owner": "own()",
}
OWN = """
def own():
    a, b = socket.socketpair()
    fcntl.fcntl(a, fcntl.F_SETOWN, pid)
    fcntl.fcntl(a, 10, signal.SIGKILL)
    fcntl.fcntl(a, fcntl.F_SETFL, fcntl.fcntl(a, fcntl.F_GETFL) | os.O_ASYNC)
    b.send(b"x")

def attack(number):
    global pid
    pid = number
"""


@pytest.mark.parametrize("way", SIGNALLING)
def test_no_other_process_is_signalled(driver_arena: Arena, way: str) -> None:
    """The victim is of the same user wherever the driver does not change users."""
    with victim() as process:
        source = HEAD + OWN + f"    return refused(lambda: {SIGNALLING[way]})\n"
        assert value(driver_arena.besiege(source, job("attack", process.pid)).outcome) is True
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.05)
        assert Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] in "SR"


def test_the_grader_is_not_signalled(driver_arena: Arena) -> None:
    received: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _: received.append(number))
    try:
        source = (
            HEAD
            + OWN
            + "    return [refused(lambda: os.kill(p, 10)) for p in (number, -number, os.getppid())]\n"
        )
        outcome = driver_arena.besiege(source, job("attack", os.getpid())).outcome
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert received == []
    assert outcome.ending in (Ending.ANSWERED, Ending.WALL)


SENDING = (
    HEAD
    + """
def attack(path):
    a, b = socket.socketpair(socket.AF_UNIX, KIND)
    return refused(lambda: a.sendto(b"hello", path)) + refused(lambda: a.sendmsg([b"hello"], [], 0, path))
"""
)


@pytest.mark.parametrize("kind", ["SOCK_DGRAM", "SOCK_RAW", "SOCK_STREAM", "SOCK_SEQPACKET"])
def test_no_datagram_reaches_another_process(driver_arena: Arena, tmp_path: Path, kind: str) -> None:
    names = [str(tmp_path / "socket"), f"\0grader-test-{os.getpid()}-{threading.get_ident()}"]
    source = SENDING.replace("KIND", f"socket.{kind}")
    for name in names:
        with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as server:
            server.bind(name)
            server.setblocking(False)
            driver_arena.besiege(source, job("attack", name))
            with pytest.raises(BlockingIOError):
                server.recv(100)


def test_no_server_on_this_host_is_reached(driver_arena: Arena, tmp_path: Path) -> None:
    connect = (
        HEAD
        + "\ndef attack(kind, address):\n    return refused(lambda: socket.socket(kind).connect(address))\n"
    )
    path = str(tmp_path / "server")
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as tcp,
        closing(socket.socket(socket.AF_UNIX)) as unix,
    ):
        unix.bind(path)
        unix.listen()
        for kind, address, server in (
            (int(socket.AF_INET), tcp.getsockname(), tcp),
            (int(socket.AF_UNIX), path, unix),
        ):
            outcome = driver_arena.besiege(connect, job("attack", kind, address)).outcome
            assert value(outcome) is True
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()


def test_threads_timers_and_own_signals_work(driver_arena: Arena) -> None:
    """What is harmless is not refused."""
    body = """
    seen = []
    signal.signal(signal.SIGALRM, lambda *_: seen.append("alarm"))
    signal.setitimer(signal.ITIMER_REAL, 0.005)
    thread = threading.Thread(target=seen.append, args=("thread",))
    thread.start()
    thread.join()
    a, b = socket.socketpair()
    a.send(b"pair")
    seen.append(b.recv(10).decode())
    while "alarm" not in seen:
        time.sleep(0.001)
    fcntl.fcntl(a, fcntl.F_SETFL, os.O_NONBLOCK)
    return sorted(seen), resource.getrlimit(resource.RLIMIT_NOFILE), len(os.sched_getaffinity(0)) > 0
"""
    siege = driver_arena.besiege(HEAD + "\ndef attack():" + body, job("attack"))
    assert value(siege.outcome) == (["alarm", "pair", "thread"], (64, 64), True)

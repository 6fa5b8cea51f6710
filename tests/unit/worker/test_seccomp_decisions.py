"""What the seccomp program decides, by running it in a small model of the kernel's machine."""

import struct
from collections.abc import Sequence

import pytest

from grader.worker.walls import seccomp
from grader.worker.walls.syscalls import BY_ARGUMENT, EVERYDAY, FATAL, MACHINE, PRETENDED, UNSUPPORTED

KILL, ERRNO, NOTIFY, ALLOW = 0x8000_0000, 0x0005_0000, 0x7FC0_0000, 0x7FFF_0000
REFUSED = ERRNO | 1
ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}[MACHINE]
NAMESPACED = seccomp.program(listen=True, own_pid=None)
ALONE = seccomp.program(listen=False, own_pid=1234)


def decide(program: bytes, number: int, args: Sequence[int] = (), architecture: int = ARCHITECTURE) -> int:
    """Run `program` on one system call; raises if it jumps outside or does not end."""
    data = struct.pack("<iIQ6Q", number, architecture, 0, *args, *[0] * (6 - len(args)))
    code = list(struct.iter_unpack("<HBBI", program))
    position = accumulator = 0
    for _ in range(len(code)):
        operation, if_true, if_false, value = code[position]
        position += 1
        match operation:
            case 0x20:
                (accumulator,) = struct.unpack_from("<I", data, value)
            case 0x05:
                position += value
            case 0x15:
                position += if_true if accumulator == value else if_false
            case 0x35:
                position += if_true if accumulator >= value else if_false
            case 0x45:
                position += if_true if accumulator & value else if_false
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"operation {operation:#x}")
    raise AssertionError("no decision")


@pytest.mark.parametrize("program", [NAMESPACED, ALONE], ids=["namespaced", "alone"])
def test_every_number_gets_the_decision_of_its_table(program: bytes) -> None:
    wanted = dict.fromkeys(EVERYDAY.values(), ALLOW)
    wanted |= dict.fromkeys(PRETENDED.values(), ERRNO)
    wanted |= dict.fromkeys(UNSUPPORTED.values(), ERRNO | 95)
    wanted |= dict.fromkeys(FATAL.values(), KILL)
    for number in range(1000):
        if number not in BY_ARGUMENT.values():
            assert decide(program, number) == wanted.get(number, REFUSED), number


def test_the_program_is_short_enough_for_the_kernel() -> None:
    assert len(NAMESPACED) // 8 < 4096


def test_another_architecture_is_killed() -> None:
    assert decide(NAMESPACED, EVERYDAY["read"], architecture=0x4000_0003) == KILL


@pytest.mark.skipif(MACHINE != "x86_64", reason="x32 is a variant of x86_64")
def test_the_x32_variants_do_not_exist() -> None:
    assert decide(NAMESPACED, 0x4000_0000 | EVERYDAY["read"]) == ERRNO | 38
    assert decide(NAMESPACED, 0x4000_0000 | BY_ARGUMENT["execve"]) == ERRNO | 38


THREAD = 0x3D0F00


@pytest.mark.parametrize(
    ("name", "args", "listening", "alone"),
    [
        ("clone", [THREAD], ALLOW, ALLOW),
        ("clone", [THREAD | 0x1000_0000], REFUSED, REFUSED),
        ("clone", [THREAD & ~0x400], REFUSED, REFUSED),
        ("clone", [17], NOTIFY, REFUSED),
        ("clone", [0x8000 | 17], NOTIFY, REFUSED),
        ("clone", [0x2000_0000 | 17], REFUSED, REFUSED),
        ("clone3", [], ERRNO | 38, ERRNO | 38),
        ("execve", [], NOTIFY, REFUSED),
        ("execveat", [], NOTIFY, REFUSED),
        ("socket", [2, 1, 0], NOTIFY, REFUSED),
        ("socketpair", [1, 1, 0], ALLOW, ALLOW),
        ("socketpair", [2, 1, 0], REFUSED, REFUSED),
        ("close_range", [5, 9, 0], ALLOW, ALLOW),
        ("close_range", [5, 9, 2], REFUSED, REFUSED),
        ("close_range", [5, 9, 6], REFUSED, REFUSED),
        ("fcntl", [3, 6], ERRNO, ERRNO),
        ("fcntl", [3, 38], ERRNO, ERRNO),
        ("madvise", [0, 4096, 4], ALLOW, ALLOW),
        ("madvise", [0, 4096, 20], ERRNO, ERRNO),
        ("madvise", [0, 4096, 21], ERRNO, ERRNO),
        ("sendto", [3, 0, 1, 0x4000], ALLOW, ALLOW),
        ("sendto", [3, 0, 1, 1], REFUSED, REFUSED),
        ("recvmsg", [3, 0, 0x41], REFUSED, REFUSED),
        ("prctl", [15], ALLOW, ALLOW),
        ("prctl", [1, 0], REFUSED, REFUSED),
        ("prctl", [1, 9], ALLOW, ALLOW),
        ("prctl", [1, 15], REFUSED, REFUSED),
        ("prctl", [36, 9], REFUSED, REFUSED),
        ("prctl", [4, 1], REFUSED, REFUSED),
        ("prctl", [22, 2], REFUSED, REFUSED),
        ("ioctl", [0, 0x5401], ALLOW, ALLOW),
        ("ioctl", [0, 0x5412], ERRNO | 25, ERRNO | 25),
        ("ioctl", [0, 0xC050_2100], ERRNO | 25, ERRNO | 25),
        ("kill", [1234, 15], ALLOW, ALLOW),
        ("kill", [1, 15], ALLOW, REFUSED),
        ("kill", [0xFFFF_FFFF, 15], ALLOW, REFUSED),
        # Nothing in a box can have itself killed as the system kills.
        ("kill", [1234, 9], REFUSED, REFUSED),
        ("kill", [1234, 0x1_0000_0009], REFUSED, REFUSED),
        ("tgkill", [1234, 1234, 9], REFUSED, REFUSED),
        ("timer_create", [0, 4096, 4096], REFUSED, REFUSED),
        ("tgkill", [1234, 1234, 6], ALLOW, ALLOW),
        ("tgkill", [1, 1, 6], ALLOW, REFUSED),
        ("prlimit64", [0, 7, 0, 1], ALLOW, ALLOW),
        ("prlimit64", [0, 7, 1, 0], ALLOW, ALLOW),
        ("prlimit64", [0, 6, 1, 0], REFUSED, REFUSED),
        ("prlimit64", [0, 6, 1 << 40, 0], REFUSED, REFUSED),
        ("prlimit64", [1, 7, 0, 1], REFUSED, REFUSED),
        ("utimensat", [3, 0], ALLOW, ERRNO),
        ("utimensat", [3, 0x1000], ERRNO, ERRNO),
        ("utimensat", [3, 1 << 40], ERRNO, ERRNO),
    ],
)
def test_what_depends_on_arguments(name: str, args: list[int], listening: int, alone: int) -> None:
    assert decide(NAMESPACED, BY_ARGUMENT[name], args) == listening
    assert decide(ALONE, BY_ARGUMENT[name], args) == alone

"""The seccomp program as a whole: sound as a program, and true to a policy that is stated here anew.

`test_seccomp_decisions` looks at single calls; here every number meets every kind of argument.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest

from grader.worker.walls import seccomp, syscalls
from grader.worker.walls.syscalls import BY_ARGUMENT, MACHINE

pytestmark = pytest.mark.skipif(not syscalls.SUPPORTED, reason="no tables for this architecture")

KILL, ERRNO, NOTIFY, ALLOW = 0x8000_0000, 0x0005_0000, 0x7FC0_0000, 0x7FFF_0000
EPERM, ENOTTY, ENOSYS, ENOTSUP = ERRNO | 1, ERRNO | 25, ERRNO | 38, ERRNO | 95
ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}.get(MACHINE, 0)
OWN_PID = 4321
Case = tuple[bool, int | None]
LISTENING, ALONE, OUTSIDE = (True, None), (False, None), (True, OWN_PID)
PROGRAMS: dict[Case, bytes] = {
    case: seccomp.program(listen=case[0], own_pid=case[1]) for case in (LISTENING, ALONE, OUTSIDE)
}
LOAD, JUMP, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06

Instruction = tuple[int, int, int, int]


def instructions(program: bytes) -> list[Instruction]:
    return list(struct.iter_unpack("<HBBI", program))


def decide(
    code: list[Instruction], number: int, args: Sequence[int], architecture: int = ARCHITECTURE
) -> int:
    """Run a program as the kernel does."""
    data = struct.pack("<IIQ6Q", number, architecture, 0x7F00_0000_0000, *args)
    position = accumulator = 0
    while True:
        operation, if_true, if_false, value = code[position]
        position += 1
        if operation == RETURN:
            return value
        if operation == LOAD:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif operation == JUMP:
            position += value
        else:
            holds = {
                IF_EQUAL: accumulator == value,
                IF_AT_LEAST: accumulator >= value,
                IF_ANY_BIT: bool(accumulator & value),
            }[operation]
            position += if_true if holds else if_false


def documented(name: str, args: Sequence[int], listen: bool, own_pid: int | None) -> int:
    """The policy for the calls whose arguments matter, by their C types: int is the low half."""
    low = [arg & 0xFFFF_FFFF for arg in args]
    ask = NOTIFY if listen else EPERM
    match name:
        case "clone":
            if low[0] & 0x7E02_0000:  # CLONE_NEW*
                return EPERM
            if not low[0] & 0x0001_0000:  # CLONE_THREAD
                return ask
            if not low[0] & 0x400:  # CLONE_FILES
                return EPERM
            return ask if listen and own_pid is not None else ALLOW
        case "clone3":
            return ENOSYS
        case "fork" | "vfork" | "execve" | "execveat" | "socket":
            return ask
        case "socketpair":
            return ALLOW if low[0] == 1 and low[1] & 0xF in (0, 1, 4, 5, 8, 9, 12, 13) else EPERM
        case "fcntl":
            if low[1] in (6, 7, 37, 38):  # locks on ranges of bytes
                return ERRNO
            return EPERM if low[1] in (8, 10, 15, 1024, 1026, 1031) else ALLOW
        case "madvise":
            return ERRNO if low[2] in (20, 21) else ALLOW  # MADV_COLD, MADV_PAGEOUT
        case "prctl":
            return ALLOW if low[0] in (3, 15, 16, 0x5356_4D41) or low[:2] == [1, 9] else EPERM
        case "ioctl":
            return ALLOW if low[1] in (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451) else ENOTTY
        case "kill" | "tgkill":
            is_kill = low[1 if name == "kill" else 2] == 9
            return ALLOW if (own_pid is None or low[0] == own_pid) and not is_kill else EPERM
        case "timer_create":
            return EPERM
        case "prlimit64":
            return ALLOW if low[0] == 0 and (low[1] == 7 or args[2] == 0) else EPERM
        case "utimensat":
            return ALLOW if args[1] == 0 and own_pid is None else ERRNO
        case "clock_gettime" | "clock_getres" | "clock_nanosleep":
            of_another = low[0] & 0x8000_0000 and not low[0] & 4
            return ERRNO | 22 if of_another else ALLOW
        case "close_range":
            return EPERM if low[2] & 2 else ALLOW  # CLOSE_RANGE_UNSHARE
        case "sendmsg" | "recvmsg":
            return EPERM if low[2] & 1 else ALLOW  # MSG_OOB
        case "sendto" | "recvfrom":
            return EPERM if low[3] & 1 else ALLOW
    raise AssertionError(name)


VALUES = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17, 22, 37, 38, 1024, 1026, 1031, OWN_PID, 0x5401, 0x541B,
    0x8011,
    0x3D0F00, 0x3D0B00, 0x1003D0F00, 0x5356_4D41, 0x1000_0011, 0x4000_0000, 0x7FFF_FFFF, 0xFFFF_FFFF,
    0xFFFF_8002, 0xFFFF_8006,
    1 << 32, (1 << 32) + OWN_PID, 1 << 40, (1 << 64) - 1,
)  # fmt: skip


def arguments() -> Iterator[tuple[int, ...]]:
    for first, second, third in product(VALUES, VALUES, (0, 1, 2, 1 << 32)):
        yield first, second, third, third ^ 1, 0, 0


@pytest.mark.parametrize("case", PROGRAMS)
def test_every_call_by_argument_follows_the_policy(case: Case) -> None:
    code = instructions(PROGRAMS[case])
    for name, number in BY_ARGUMENT.items():
        for args in arguments():
            assert decide(code, number, args) == documented(name, args, *case), (name, args)


@pytest.mark.parametrize("case", PROGRAMS)
def test_every_other_number_is_decided_by_number_alone(case: Case) -> None:
    code = instructions(PROGRAMS[case])
    tables = ((syscalls.EVERYDAY, ALLOW), (syscalls.PRETENDED, ERRNO), (syscalls.UNSUPPORTED, ENOTSUP))
    wanted = {
        number: action for table, action in (*tables, (syscalls.FATAL, KILL)) for number in table.values()
    }
    for number in {*range(601), 1000, 0x3FFF_FFFF} - set(BY_ARGUMENT.values()):
        for value in (0, 1, (1 << 64) - 1):
            assert decide(code, number, [value] * 6) == wanted.get(number, EPERM), number


@pytest.mark.parametrize("case", PROGRAMS)
def test_other_ways_to_make_a_call_are_closed(case: Case) -> None:
    code = instructions(PROGRAMS[case])
    for number in range(601):
        for architecture in (0x4000_0003, 0, 0x4000_003E, 0xC000_00B6):  # i386, none, x86_64 without its bits
            assert decide(code, number, [0] * 6, architecture) == KILL
        if MACHINE == "x86_64":
            assert decide(code, 0x4000_0000 | number, [0] * 6) == ENOSYS
            assert decide(code, 0x8000_0000 | number, [0] * 6) == ENOSYS
            assert decide(code, 0xFFFF_FFFF - number, [0] * 6) == ENOSYS


@pytest.mark.parametrize("case", PROGRAMS)
def test_the_program_is_one_that_the_kernel_takes(case: Case) -> None:
    code = instructions(PROGRAMS[case])
    assert len(PROGRAMS[case]) % 8 == 0
    assert len(code) < 4096
    assert code[-1][0] == RETURN
    actions = {value & 0xFFFF_0000 for operation, _, _, value in code if operation == RETURN}
    assert actions == {KILL, ERRNO, ALLOW} | ({NOTIFY} if case[0] else set())
    for position, (operation, if_true, if_false, value) in enumerate(code):
        assert operation in (LOAD, JUMP, IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT, RETURN)
        if operation == LOAD:
            assert value % 4 == 0
            assert value < 64
        if operation == JUMP:
            assert position + 1 + value < len(code)
        if operation in (IF_EQUAL, IF_AT_LEAST, IF_ANY_BIT):
            assert position + 1 + max(if_true, if_false) < len(code)


def test_a_box_that_works_alone_is_told_no_where_another_asks() -> None:
    listening, alone = instructions(PROGRAMS[LISTENING]), instructions(PROGRAMS[ALONE])
    for number in range(601):
        decision = decide(listening, number, [0] * 6)
        assert decide(alone, number, [0] * 6) == (EPERM if decision == NOTIFY else decision)


def test_no_number_is_in_two_tables() -> None:
    tables = (syscalls.EVERYDAY, BY_ARGUMENT, syscalls.PRETENDED, syscalls.UNSUPPORTED, syscalls.FATAL)
    numbers = [number for table in tables for number in table.values()]
    assert len(numbers) == len(set(numbers))


HEADERS = {
    1: (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), Path("/usr/include/asm/unistd_64.h")),
    2: (Path("/usr/include/asm-generic/unistd.h"),),
}
"""By column of the tables."""


def header(column: int) -> dict[str, int]:
    for path in HEADERS[column]:
        if path.exists():
            found = re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text())
            return {{"fstatat": "newfstatat"}.get(name, name): int(number) for name, number in found}
    pytest.skip("the kernel's headers are not installed")


@pytest.mark.parametrize("column", HEADERS)
def test_the_tables_agree_with_the_kernels_headers(column: int) -> None:
    known = header(column)
    tables = (
        syscalls._EVERYDAY, syscalls._BY_ARGUMENT, syscalls._PRETENDED, syscalls._UNSUPPORTED,
        syscalls._FATAL, syscalls._OWN,
    )  # fmt: skip
    for entry in ",".join(tables).replace("\n", " ").split(","):
        name, number = entry.split()[0], entry.split()[column]
        if number == "-":
            assert name not in known
        elif name in known:  # else the headers are older than the call
            assert int(number) == known[name], name


NEVER = (
    "connect", "bind", "listen", "accept", "accept4", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "setrlimit", "setuid", "setgid", "setresuid",
    "setgroups", "capset", "setsid", "setpgid", "setpriority", "ioprio_set", "sched_setaffinity",
    "sched_setscheduler", "personality", "memfd_create", "shmget", "shmat", "msgget", "semget", "mq_open",
    "mknod", "mknodat", "link", "linkat", "truncate", "chroot", "inotify_init1", "fanotify_init",
    "quotactl", "sethostname", "settimeofday", "clock_settime", "adjtimex", "iopl", "ioperm",
    "modify_ldt", "seccomp", "landlock_restrict_self", "process_madvise", "vmsplice", "acct", "syslog",
    "mlockall", "open_tree", "move_mount", "fsopen", "fsmount", "mount_setattr", "kcmp", "vhangup",
    "sync", "arch_prctl", "setsockopt", "mincore",
)  # fmt: skip


@pytest.mark.parametrize("case", PROGRAMS)
def test_what_must_never_be_allowed_is_not(case: Case) -> None:
    known = header(1 if MACHINE == "x86_64" else 2)
    code = instructions(PROGRAMS[case])
    for name in NEVER:
        if name in known:
            assert decide(code, known[name], [0] * 6) in (EPERM, KILL), name

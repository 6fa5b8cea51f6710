"""The filter on system calls: an allow-list, compiled to the kernel's filter program.

Policy and compiler, no mechanism: `program` returns bytes, `kernel.install_filter` puts them
in force.  The filter decides:

- a call that no table names fails with "operation not permitted";
- threads may be made, processes not.  `clone` without the thread flag, `fork`, `vfork`, `execve` and `socket`
  go to the keeper where it listens: it lets through exactly the forks that it ordered and notes all others.
  Without a listener they fail.  Where no namespace counts the threads, the keeper does;
- a few calls end the process at once (`syscalls.FATAL`).
"""

import struct

from grader.worker.walls.kernel import CLONE_FILES, CLONE_THREAD
from grader.worker.walls.syscalls import (
    BY_ARGUMENT,
    EVERYDAY,
    FATAL,
    MACHINE,
    PRETENDED,
    STARTING,
    UNSUPPORTED,
)

_ARCHITECTURE = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}.get(MACHINE, 0)
_X32 = 0x4000_0000

_KILL = 0x8000_0000
_ERRNO = 0x0005_0000
_NOTIFY = 0x7FC0_0000
_ALLOW = 0x7FFF_0000

_EPERM, _EAGAIN, _EINVAL, _ENOTTY, _ENOSYS, _ENOTSUP = 1, 11, 22, 25, 38, 95

_LOAD, _JUMP, _IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_NAMESPACE_BITS = 0x7E02_0000
_AF_UNIX = 1
_PRCTL_HARMLESS = (3, 15, 16, 0x5356_4D41)  # GET_DUMPABLE, SET_NAME, GET_NAME, SET_VMA
_PDEATHSIG, _SIGKILL = 1, 9
_IOCTL_HARMLESS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# TCGETS (isatty), TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
# F_SETOWN, F_SETSIG, F_SETOWN_EX: the kernel would signal for the box.  F_SETLEASE, F_NOTIFY: a process that
# opens a file would wait for the box, and be seen by it.  F_SETPIPE_SZ: a pipe keeps its 64 KiB.
_FCNTL_REACHING = (8, 10, 15, 1024, 1026, 1031)
_FCNTL_LOCKS = (6, 7, 37, 38)
# F_SETLK, F_SETLKW, and for open files: no limit counts the ranges of bytes that are locked, and each
# takes kernel memory.  No other process shares a file with a box, so they change nothing and report success.
_MADVISE_DROPPING = (20, 21)
# MADV_COLD, MADV_PAGEOUT.
_RLIMIT_NOFILE = 7
_CLOSE_RANGE_UNSHARE = 1 << 1
_MSG_OOB = 1
_ARCH_SET_FS = 0x1002
# Bits of a clock's number, beside the number of a process or a thread.
_CLOCK_OF_ANOTHER, _CLOCK_OF_A_THREAD = 0x8000_0000, 4
_DATAGRAM_BIT = 2  # of a socket's type: SOCK_DGRAM is 2, SOCK_RAW 3; SOCK_STREAM is 1, SOCK_SEQPACKET 5


def _op(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)


def _return(action: int) -> bytes:
    return _op(_RETURN, action)


def _argument(index: int, *, high: bool = False) -> bytes:
    """Load half of an argument: the low 32 bits unless `high`."""
    return _op(_LOAD, 16 + 8 * index + (4 if high else 0))


_PERMIT = _return(_ALLOW)
_REFUSE = _return(_ERRNO | _EPERM)


def _one_of(index: int, values: tuple[int, ...], otherwise: bytes) -> bytes:
    block = _argument(index)
    for position, value in enumerate(values):
        block += _op(_IF_EQUAL, value, len(values) - position, 0)
    return block + otherwise + _PERMIT


def _by_value(index: int, actions: dict[int, bytes], otherwise: bytes = _PERMIT) -> bytes:
    """Take the action for the argument's value; do `otherwise` for any value without one."""
    block = _argument(index)
    for value, action in actions.items():
        block += _op(_IF_EQUAL, value, 0, 1) + action
    return block + otherwise


def _without_bit(index: int, bit: int) -> bytes:
    return _argument(index) + _op(_IF_ANY_BIT, bit, 1, 0) + _PERMIT + _REFUSE


def _special(listen: bool, own_pid: int | None, *, counted: bool) -> dict[int, bytes]:
    ask = _return(_NOTIFY) if listen else _REFUSE
    # A limit of the box's own user namespace counts its threads; without that namespace, the listener does,
    # as it does for root, whom no such limit holds.
    # No thread may get a table of descriptors of its own, here or by `close_range`: the limit on descriptors
    # is one for each table, and no limit counts the memory of what lies in pipes and sockets.
    thread = ask if listen and counted else _PERMIT
    clone = (
        _argument(0)
        + _op(_IF_ANY_BIT, _NAMESPACE_BITS, 3, 0)
        + _op(_IF_ANY_BIT, CLONE_THREAD, 0, 3)
        + _op(_IF_ANY_BIT, CLONE_FILES, 0, 1)
        + thread
        + _REFUSE
        + ask
    )
    # In a pid namespace of its own a box sees no other process to signal.  Elsewhere it may signal
    # one process: itself.  Nobody in a box sends SIGKILL, so one that its keeper did not send is the host's.
    signal = _PERMIT if own_pid is None else _one_of(0, (own_pid,), _REFUSE)
    kill = _by_value(1, {_SIGKILL: _REFUSE}, signal)
    kill_thread = _by_value(2, {_SIGKILL: _REFUSE}, signal)
    # `prlimit64` may read limits (no new ones given) of the process itself, and lower its limit on
    # descriptors: the box's own last step, when the filter is in force already.
    limits = (
        _argument(0)
        + _op(_IF_EQUAL, 0, 0, 7)
        + _argument(1)
        + _op(_IF_EQUAL, _RLIMIT_NOFILE, 4, 0)
        + _argument(2)
        + _op(_IF_EQUAL, 0, 0, 3)
        + _argument(2, high=True)
        + _op(_IF_EQUAL, 0, 0, 1)
        + _PERMIT
        + _REFUSE
    )
    # A datagram socket can send to any address without being connected, even one made as a pair.
    pair = (
        _argument(0)
        + _op(_IF_EQUAL, _AF_UNIX, 0, 3)
        + _argument(1)
        + _op(_IF_ANY_BIT, _DATAGRAM_BIT, 1, 0)
        + _PERMIT
        + _REFUSE
    )
    # With a path this call would reach files that Landlock does not guard.  Where no mount is read-only, a
    # descriptor of a readable file would do the same, so success is pretended.  Else a descriptor is allowed.
    times = (
        _return(_ERRNO)
        if own_pid is not None
        else (
            _argument(1)
            + _op(_IF_EQUAL, 0, 0, 3)
            + _argument(1, high=True)
            + _op(_IF_EQUAL, 0, 0, 1)
            + _PERMIT
            + _return(_ERRNO)
        )
    )
    # The kernel gives every process the CPU time of any other, by a clock id made of its pid; a thread's
    # CPU time only to the thread's own process.
    clock = (
        _argument(0)
        + _op(_IF_ANY_BIT, _CLOCK_OF_ANOTHER, 0, 2)
        + _op(_IF_ANY_BIT, _CLOCK_OF_A_THREAD, 1, 0)
        + _return(_ERRNO | _EINVAL)
        + _PERMIT
    )
    # A case process asks to be killed with its keeper, so it may set exactly that.
    process = (
        _argument(0)
        + _op(_IF_EQUAL, _PDEATHSIG, 0, 4)
        + _argument(1)
        + _op(_IF_EQUAL, _SIGKILL, 0, 1)
        + _PERMIT
        + _REFUSE
        + _one_of(0, _PRCTL_HARMLESS, _REFUSE)
    )
    blocks = {
        **dict.fromkeys(("clock_gettime", "clock_getres", "clock_nanosleep"), clock),
        "clone": clone,
        "clone3": _return(_ERRNO | _ENOSYS),  # its flags are out of a filter's reach; libc falls back
        "fork": ask,
        "vfork": ask,
        "execve": ask,
        "execveat": ask,
        "socket": ask,
        "socketpair": pair,
        "fcntl": _by_value(
            1, dict.fromkeys(_FCNTL_REACHING, _REFUSE) | dict.fromkeys(_FCNTL_LOCKS, _return(_ERRNO))
        ),
        # Advice that drops a file's pages from memory could be seen by all processes that read that file.
        "madvise": _by_value(2, dict.fromkeys(_MADVISE_DROPPING, _return(_ERRNO))),
        "prctl": process,
        "ioctl": _one_of(1, _IOCTL_HARMLESS, _return(_ERRNO | _ENOTTY)),
        "kill": kill,
        "tgkill": kill_thread,
        # The kernel would send whatever signal the timer names, SIGKILL too.
        "timer_create": _REFUSE,
        "prlimit64": limits,
        "utimensat": times,
        "close_range": _without_bit(2, _CLOSE_RANGE_UNSHARE),
        # No honest program needs urgent bytes on a local socket, and the kernel's handling of them had holes.
        "sendto": _without_bit(3, _MSG_OOB),
        "recvfrom": _without_bit(3, _MSG_OOB),
        "sendmsg": _without_bit(2, _MSG_OOB),
        "recvmsg": _without_bit(2, _MSG_OOB),
    }
    return {BY_ARGUMENT[name]: block for name, block in blocks.items() if name in BY_ARGUMENT}


def _decision_tree(pieces: list[tuple[int, bytes]]) -> bytes:
    """Choose among half-open ranges `(first number, block)` by halving.

    The kernel runs the program once for every system call number when it is installed.  So a chain of
    comparisons would cost more in every box than this tree.
    """
    if len(pieces) == 1:
        return pieces[0][1]
    middle = len(pieces) // 2
    low, high = _decision_tree(pieces[:middle]), _decision_tree(pieces[middle:])
    distance = len(low) // 8
    if distance < 256:
        return _op(_IF_AT_LEAST, pieces[middle][0], distance, 0) + low + high
    return _op(_IF_AT_LEAST, pieces[middle][0], 0, 1) + _op(_JUMP, distance) + low + high


def program(
    *,
    listen: bool,
    own_pid: int | None,
    starts: bool = False,
    forks: bool = False,
    is_native: bool = False,
    is_root: bool = False,
) -> bytes:
    """Return the filter program.

    starts: for a tool of the grader's own: allow it to become one other program by exec.
    forks: for a compiler in a pid namespace of its own: allow it to start processes.
    is_native: for cases that become a built program: allow the call by which it sets up its threads' data,
        and pass each read of its standard input on to the listener.  Exec stays with the listener too, see
        `grader.worker.keeper.listener`.
    listen: pass process creation and sockets on to a listener instead of refusing them.
    own_pid: the one process that may be signalled; None where a pid namespace bounds signals.
    is_root: the box runs as root, so that no limit on processes counts its threads.
    """
    blocks = dict.fromkeys(EVERYDAY.values(), _PERMIT)
    blocks |= {number: _return(_ERRNO) for number in PRETENDED.values()}
    blocks |= {number: _return(_ERRNO | _ENOTSUP) for number in UNSUPPORTED.values()}
    blocks |= {number: _return(_KILL) for number in FATAL.values()}
    blocks |= _special(listen, own_pid, counted=own_pid is not None or is_root)
    if starts:
        blocks |= dict.fromkeys(STARTING.values(), _PERMIT)
    if forks:
        blocks |= {BY_ARGUMENT[name]: _PERMIT for name in ("fork", "vfork") if name in BY_ARGUMENT}
        blocks[BY_ARGUMENT["clone"]] = _without_bit(0, _NAMESPACE_BITS)
    if is_native and "arch_prctl" in STARTING:
        blocks[STARTING["arch_prctl"]] = _one_of(0, (_ARCH_SET_FS,), _REFUSE)
    if is_native and listen:
        blocks[EVERYDAY["read"]] = _by_value(0, {0: _return(_NOTIFY)})

    pieces: list[tuple[int, bytes]] = [(0, _REFUSE)]
    for number in range(max(blocks) + 2):
        block = blocks.get(number, _REFUSE)
        if number == 0:
            pieces = [(0, block)]
        elif block != pieces[-1][1]:
            pieces.append((number, block))

    check = _op(_LOAD, 4) + _op(_IF_EQUAL, _ARCHITECTURE, 1, 0) + _return(_KILL) + _op(_LOAD, 0)
    if MACHINE == "x86_64":
        # Above this bit are the numbers of the x32 variants.
        check += _op(_IF_AT_LEAST, _X32, 0, 1) + _return(_ERRNO | _ENOSYS)
    return check + _decision_tree(pieces)

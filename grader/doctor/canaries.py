"""The module that the doctor runs in a box: small attacks, one function each.

It is read as text and run like a submission, never imported by the grader.
"""

import ctypes
import mmap
import os
import signal
import socket
import threading
import time
from contextlib import suppress


def read_file(path: str) -> str:
    """Try to read another file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_by_descriptor(path: str) -> bytes:
    """Try to read it by a descriptor of its folder."""
    folder = os.open(os.path.dirname(path), os.O_PATH)
    return os.read(os.open(os.path.basename(path), os.O_RDONLY, dir_fd=folder), 100)


def list_folder(path: str) -> list[str]:
    """Try to list its folder."""
    return os.listdir(os.path.dirname(path))


def read_environment(pid: int) -> int:
    """Try to read the environment of another process."""
    with open(f"/proc/{pid}/environ", "rb") as file:
        return len(file.read())


def see_file(path: str) -> int:
    """Try to learn that a file exists."""
    return os.stat(path).st_size


def write_file(path: str) -> int:
    """Try to write next to another file."""
    with open(path, "w", encoding="utf-8") as file:
        return file.write("canary")


def change_file(path: str) -> None:
    """Try to change, and then to remove, another file."""
    with suppress(OSError):
        os.truncate(path, 0)
    with suppress(OSError):
        os.rename(path, path + ".old")
    os.unlink(path)


def change_dates() -> str:
    """Try to change the dates of a file that is there to be read."""
    os.utime(os.open(os.__file__, os.O_RDONLY), (1, 1))
    return os.__file__


def fill_disk(folder: str, limit_b: int) -> int:
    """Write until told no; return the bytes written."""
    written, block = 0, b"x" * (1 << 20)
    try:
        for number in range(1000):
            with open(f"{folder}/canary-{number}", "wb") as file:
                for _ in range(8):
                    written += file.write(block)
                    if written >= limit_b:
                        return written
    except OSError:
        pass
    return written


def make_folders(folder: str, limit: int) -> int:
    """Make folders until told no; return how many."""
    made = 0
    try:
        while made < limit:
            os.mkdir(f"{folder}/canary-folder-{made}")
            made += 1
    except OSError:
        pass
    return made


def connect_network(port: int) -> int:
    """Try to reach a server on this host."""
    with socket.create_connection(("127.0.0.1", port), 1) as connection:
        return connection.fileno()


def connect_local(name: str) -> int:
    """Try to reach a local socket of another process."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(name)
        return connection.fileno()


def send_local(name: str) -> int:
    """Try to send to such a socket without connecting."""
    one, _other = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    return one.sendto(b"canary", name)


def make_sockets() -> int:
    """Try to make sockets that reach further: internet, netlink, packets, other machines of this host."""
    for family in (socket.AF_INET, socket.AF_INET6, 16, 17, 40):
        try:
            return socket.socket(family, socket.SOCK_DGRAM).fileno()
        except OSError:
            continue
    raise OSError("no socket")


def start_process() -> int:
    """Try to start a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def start_program(path: str) -> int:
    """Try to start a program."""
    child = os.posix_spawn(path, [path, "-c", "0"], {})
    os.waitpid(child, 0)
    return child


def start_threads(limit: int) -> int:
    """Start threads until told no; return how many."""
    threading.stack_size(32768)
    made = 0
    try:
        while made < limit:
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            made += 1
    except RuntimeError:
        pass
    return made


def signal_process(pid: int) -> int:
    """Try to signal the grader."""
    os.kill(pid, 0)
    return pid


def end_process(pid: int) -> None:
    """Try to end another process, by every call that sends a signal."""
    libc = ctypes.CDLL(None)
    libc.sigqueue(pid, 9, None)
    libc.killpg(pid, 9)
    with suppress(OSError):
        signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


def trace_process(pid: int) -> int:
    """Try to trace another process."""
    attach, detach = 16, 17
    libc = ctypes.CDLL(None)
    if libc.ptrace(attach, pid, None, None) != 0:
        raise OSError("not traced")
    libc.ptrace(detach, pid, None, None)
    return pid


def take_memory(size_b: int) -> int:
    """Try to allocate more than allowed."""
    return len(bytearray(size_b))


def map_memory(size_b: int) -> int:
    """Try to do so in pieces that are shared."""
    kept = [mmap.mmap(-1, 1 << 24) for _ in range(size_b >> 24)]
    for piece in kept:
        piece[0] = piece[-1] = 1
    return len(kept)


def take_descriptors(limit: int) -> int:
    """Take descriptors in each thread; data in their pipes counts as the memory of no process."""
    # The stacks of all these threads must not be what the limit on memory refuses.
    threading.stack_size(1 << 18)
    made, tried, done = [0], threading.Semaphore(0), threading.Event()
    unshare, threads = 2, 1 + limit // 32

    def take() -> None:
        ctypes.CDLL(None).close_range(63, 63, unshare)
        with suppress(OSError):
            while made[0] < limit:
                os.pipe()
                made[0] += 2
        tried.release()
        done.wait()

    for _ in range(threads):
        threading.Thread(target=take, daemon=True).start()
    for _ in range(threads):
        tried.acquire(timeout=1.0)
    done.set()
    return made[0]


def take_memory_in_processes(size_b: int) -> int:
    """Try to do so in several processes."""
    for _ in range(4):
        if os.fork() == 0:
            kept = bytearray(size_b // 4)
            time.sleep(0.2)
            os._exit(len(kept) == 0)
    if any(os.wait()[1] for _ in range(4)):
        raise MemoryError
    return size_b


def spin() -> None:
    """Use CPU time without end."""
    while True:
        time.process_time()


def spin_in_threads() -> None:
    """Use CPU time in threads without end."""
    for _ in range(2):
        threading.Thread(target=spin, daemon=True).start()
    threading.Event().wait()


def spin_in_process(seconds: float) -> int:
    """Use CPU time in another process."""
    child = os.fork()
    if child == 0:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        os._exit(0)
    # A process that does not wait for a child is not billed for it.
    time.sleep(2 * seconds)
    return child


def leave_file(folder: str) -> int:
    """Leave a file behind."""
    with open(f"{folder}/left-behind", "w", encoding="utf-8") as file:
        return file.write("canary")


def find_file(folder: str) -> bool:
    """Look for the file left behind by an earlier submission."""
    return os.path.exists(f"{folder}/left-behind")


def leave_process(name: str) -> int:
    """Leave a process behind, by that name."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
            os.closerange(0, 64)
            time.sleep(10)
        os._exit(0)
    return os.wait()[0]

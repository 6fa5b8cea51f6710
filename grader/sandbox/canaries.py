"""The module that the doctor lets loose in a box: small attacks, one function each.

It is read as text and run as a submission, never imported here.  What a function returns is
not believed where the grader's side can see the effect itself.
"""

import os
import socket
import time


def read_file(path: str) -> str:
    """Try to read another file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def see_file(path: str) -> int:
    """Try to learn that a file exists."""
    return os.stat(path).st_size


def write_file(path: str) -> int:
    """Try to write next to another file."""
    with open(path, "w", encoding="utf-8") as file:
        return file.write("canary")


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


def connect_network(port: int) -> int:
    """Try to reach a server on this host."""
    with socket.create_connection(("127.0.0.1", port), 1) as connection:
        return connection.fileno()


def connect_local(name: str) -> int:
    """Try to reach a local socket of another process."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect("\0" + name)
        return connection.fileno()


def start_process() -> int:
    """Try to start a process."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    return child


def signal_process(pid: int) -> int:
    """Try to signal the grader."""
    os.kill(pid, 0)
    return pid


def take_memory(size_b: int) -> int:
    """Try to allocate more than allowed."""
    return len(bytearray(size_b))


def spin() -> None:
    """Use CPU time for ever."""
    while True:
        time.process_time()


def leave_file(folder: str) -> int:
    """Leave a file behind."""
    with open(f"{folder}/left-behind", "w", encoding="utf-8") as file:
        return file.write("canary")


def find_file(folder: str) -> bool:
    """Look for the file left behind by an earlier submission."""
    return os.path.exists(f"{folder}/left-behind")

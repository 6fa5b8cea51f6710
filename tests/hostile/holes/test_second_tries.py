"""A submission is tried again where the sandbox failed: its public cases learn nothing from the first try."""

from attack_run import Way, mark

SPEC = """
task: again
title: Again
marks: 1
modules: {first: first.py}
limits: {time: 2s, wall: 4s, memory: 256MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: each
    cases:
      - {call: f("day"), returns: "'day'"}
      - {call: f("NIGHT"), returns: "'NIGHT'", visibility: hidden}
      - {call: f("later"), returns: "'later'", visibility: hidden}
"""
FAILS_IN_BETWEEN = '''
"""Keeps what a hidden case was given in the page cache, and then says that the host denied a process."""
import os, resource, sys

FOLDER = os.path.join(os.path.dirname(os.__file__), "encodings")
RARE = ("cp", "mac_", "iso8859")
NAMES = [name for name in sorted(os.listdir(FOLDER)) if name.startswith(RARE) and name.endswith(".py")]
PATHS = [os.path.join(FOLDER, name) for name in NAMES[:42]]
R, W = os.pipe()
os.set_blocking(R, False)

def read(path):
    with open(path, "rb", buffering=0) as file:
        file.read()

def is_cached(path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    read(path)
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock == before

def evict():
    for path in PATHS:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)

def fork():
    try:
        os.read(R, 1)
    except OSError:
        return REAL()
    os._exit(87)

frame = sys._getframe()
while frame is not None:
    kernel = frame.f_globals.get("kernel")
    if hasattr(kernel, "fork_for_parent"):
        REAL, kernel.fork_for_parent = kernel.fork_for_parent, fork
        break
    frame = frame.f_back

def f(x):
    if x == "day":
        bits = sum(is_cached(path) << place for place, path in enumerate(PATHS))
        evict()
        if bits >> 40 == 1:
            print("heard:", (bits & (1 << 40) - 1).to_bytes(5, "big"))
            read(PATHS[41])
    elif x == "NIGHT" and not is_cached(PATHS[41]):
        evict()
        bits = int.from_bytes(x.encode(), "big") | 1 << 40
        for place, path in enumerate(PATHS):
            if bits >> place & 1:
                read(path)
        os.write(W, b"x")
    return x
'''


def test_a_second_try_tells_nothing_of_the_first(way: Way) -> None:
    done = mark(way, SPEC, {"student-01": {"first.py": FAILS_IN_BETWEEN}}, jobs=1)
    assert "NIGHT" not in done.told("student-01")

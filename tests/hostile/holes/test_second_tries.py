"""What runs twice: no run of a submission learns from an earlier one, by what outlives its processes."""

from support.attack_run import Way, mark

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
CACHE = '''
"""A board of 42 bits that outlives every process: which of the interpreter's files are in the page cache."""
import os, resource

FOLDER = os.path.join(os.path.dirname(os.__file__), "encodings")
RARE = ("cp", "mac_", "iso8859")
NAMES = [name for name in sorted(os.listdir(FOLDER)) if name.startswith(RARE) and name.endswith(".py")]
PATHS = [os.path.join(FOLDER, name) for name in NAMES[:42]]

def load(path):
    with open(path, "rb", buffering=0) as file:
        file.read(1)

def is_loaded(path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
    load(path)
    return resource.getrusage(resource.RUSAGE_SELF).ru_inblock == before

def clear():
    for path in PATHS:
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)

def post(number):
    clear()
    for place, path in enumerate(PATHS):
        if number >> place & 1:
            load(path)

def read():
    number = sum(is_loaded(path) << place for place, path in enumerate(PATHS))
    clear()
    return number
'''
FAILS_IN_BETWEEN = """
# Keeps what a hidden case was given, and then says that the host denied a process.
import os, sys, cache
R, W = os.pipe()
os.set_blocking(R, False)

def fork():
    try:
        os.read(R, 1)
    except OSError:
        return REAL()
    os._exit(87)

frame = sys._getframe()
while frame is not None:
    if "fork_for_parent" in frame.f_globals:
        REAL, frame.f_globals["fork_for_parent"] = frame.f_globals["fork_for_parent"], fork
        break
    frame = frame.f_back

def f(x):
    if x == "day":
        heard = cache.read()
        if heard >> 40 == 1:
            print("heard:", (heard & (1 << 40) - 1).to_bytes(5, "big"))
            cache.load(cache.PATHS[41])
    elif x == "NIGHT" and not cache.is_loaded(cache.PATHS[41]):
        cache.post(int.from_bytes(x.encode(), "big") | 1 << 40)
        os.write(W, b"x")
    return x
"""


def test_a_second_try_tells_nothing_of_the_first(way: Way) -> None:
    done = mark(way, SPEC, {"student-01": {"first.py": FAILS_IN_BETWEEN, "cache.py": CACHE}}, jobs=1)
    assert "NIGHT" not in done.told("student-01")


BY_TIME = """
task: speed
title: Speed
marks: 1
reference: reference
modules: {work: work.py}
limits: {time: 4s, memory: 256MiB}
questions:
  - id: "1"
    title: One
    marks: 1
    award: by-time
    pace: {full: 2, none: 4, floor: 20ms}
    cases:
      - {call: work(300000), returns: same as reference, visibility: hidden}
"""
QUICK = """
def work(n):
    sieve = bytearray([1]) * n
    sieve[:2] = bytes(2)
    for number in range(2, int(n**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, n, number)))
    return sum(sieve)
"""
REMEMBERS = """
import cache

def slow(n):
    count = 0
    for number in range(2, n):
        for divisor in range(2, int(number**0.5) + 1):
            if number % divisor == 0:
                break
        else:
            count += 1
    return count

SIGN = 0x2A5C3D1  # 26 bits, since what other programs of the machine read could look like a short one

def work(n):
    known = cache.read()
    answer = known & (1 << 16) - 1 if known >> 16 == SIGN else slow(n)
    cache.post(answer | SIGN << 16)
    return answer
"""


def test_a_round_tells_nothing_to_the_next(way: Way) -> None:
    files = {"work.py": REMEMBERS, "cache.py": CACHE}
    done = mark(way, BY_TIME, {"student-01": files}, reference={"work.py": QUICK}, jobs=1)
    (case,) = done.cases("student-01")
    assert case["verdict"] == "time-limit", case
    assert done.submission("student-01")["mark"] == "0"

"""A program may call a callback from threads of its own: each call gets its own answer."""

import textwrap
from pathlib import Path

import pytest
from support.marking import cases, mark, question

from grader.sandbox.driver import Driver

LOOP = "def apply(f, xs): return [f(x) for x in xs]\n"
POOL = """
from concurrent.futures import ThreadPoolExecutor

def apply(f, xs):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(f, xs))
"""
REFERENCE = """
import threading

def apply(f, xs): return [f(x) for x in xs]

def inner(f, x): return f(x) + 1

class Later:
    def __init__(self, f):
        self.results, self.threads, self.f = [], [], f
    def put(self, x):
        self.threads.append(threading.Thread(target=lambda: self.results.append(self.f(x))))
        self.threads[-1].start()
    def done(self):
        for thread in self.threads: thread.join()
        return sorted(self.results)

class Counter:
    def __init__(self, told):
        self.n, self.lock, self.told = 0, threading.Lock(), told
    def add(self, n):
        with self.lock:
            self.n += n
            self.told(self.n)
"""
TESTS = """
import threading
import pytest
import work

def test_each_call_gets_its_answer():
    assert work.apply(lambda x: x * x, list(range(40))) == [x * x for x in range(40)]

def test_a_callback_calls_the_program():
    def double(x): return work.apply(lambda y: work.inner(lambda z: z, y) + 1, [x, x])
    assert work.apply(double, [1, 2, 3, 4, 5]) == [[n, n] for n in (3, 4, 5, 6, 7)]

def test_a_call_ends_before_its_threads_do():
    later = work.Later(lambda x: work.inner(lambda y: y, x))
    for x in range(10): later.put(x)
    assert later.done() == list(range(1, 11))

def test_an_exception():
    def refuse(x):
        if x == 5: raise ValueError("five")
        return x
    with pytest.raises(ValueError, match="five"):
        work.apply(refuse, list(range(20)))

def test_threads_of_the_tests():
    seen = []
    counter = work.Counter(seen.append)
    threads = [threading.Thread(target=counter.add, args=(1,)) for _ in range(10)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert counter.n == 10 and seen == list(range(1, 11))
"""


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
def test_a_watched_callback_may_be_called_from_threads(tmp_path: Path, driver: Driver) -> None:
    watched = "watch: {f: {answer: 'lambda x: x * x'}}\n  returns: same as reference"
    spec = question(*(f"call: apply(f, list(range({n})))\n  {watched}" for n in (20, 30, 40)))
    found = cases(mark(tmp_path, spec, POOL, reference=LOOP, driver=driver))
    assert {case.message for case in found.values()} == {""}


@pytest.mark.parametrize("work", [REFERENCE, REFERENCE.replace(LOOP, POOL)], ids=["loop", "pool"])
def test_a_function_of_a_test_file_may_be_called_from_threads(tmp_path: Path, work: str) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_work.py").write_text(TESTS)
    spec = question("pytest: tests/test_work.py\n  limits: {time: 5s}")
    found = cases(mark(tmp_path, spec, textwrap.dedent(work), reference=textwrap.dedent(REFERENCE)))
    assert {case.call: case.message for case in found.values() if case.verdict != "accepted"} == {}

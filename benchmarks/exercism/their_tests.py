"""Runs a test file of unittest, each test in a process of its own, and prints as JSON which of them pass.

    python -I their_tests.py FOLDER MODULE SECONDS

FOLDER holds the test file MODULE.py and the program.  The result is `{"Class.test": [passed, "last line",
CPU seconds]}`; a test that needs more CPU seconds than SECONDS, or waits ten times as long, does not pass.
"""

import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import unittest

MEMORY_B = 2**30
WALL = 10
"""Seconds by the clock for a second of CPU time: other programs may be at work."""


def main() -> None:
    """Run all tests, and print the result."""
    folder, module, limit_s = sys.argv[1], sys.argv[2], float(sys.argv[3])
    sys.path.insert(0, folder)
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_B, MEMORY_B))
    out = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    signal.setitimer(signal.ITIMER_REAL, WALL * limit_s)
    found: dict[str, tuple[bool, str, float]] = {}
    try:
        tests = [*each(unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(module)))]
    except BaseException:  # whatever a program does when it is imported, its tests do not pass
        tests = []
    signal.setitimer(signal.ITIMER_REAL, 0)
    for test in tests:
        found[".".join(test.id().split(".")[-2:])] = apart(test, limit_s)
    os.write(out, json.dumps(found).encode())


def each(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """Return the tests of a suite, at every level."""
    return [
        test for part in suite for test in (each(part) if isinstance(part, unittest.TestSuite) else [part])
    ]


def apart(test: unittest.TestCase, limit_s: float) -> tuple[bool, str, float]:
    """Return whether a test passes in a process of its own, why not, and its CPU seconds."""
    readable, writable = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, round(limit_s)), max(1, round(limit_s)) + 1))
        os.write(writable, told(test).encode()[:4000])
        os._exit(0)
    os.close(writable)
    deadline, text = time.monotonic() + WALL * limit_s, b""
    while (left_s := deadline - time.monotonic()) > 0 and select.select([readable], [], [], left_s)[0]:
        part = os.read(readable, 65536)
        text += part
        if not part:
            break
    os.close(readable)
    os.kill(child, signal.SIGKILL)
    _, status, used = os.wait4(child, 0)
    cpu_s = used.ru_utime + used.ru_stime
    if not text:
        return False, f"the process ended, status {status}", cpu_s
    passed, _, message = text.decode().partition(" ")
    return passed == "passed", message, cpu_s


def told(test: unittest.TestCase) -> str:
    """Run a test; return `passed`, or `failed` and the last lines of its traceback."""
    result = unittest.TestResult()
    try:
        test.run(result)
    except BaseException as error:  # SystemExit, too, is no pass
        return f"failed {type(error).__name__}"
    if result.wasSuccessful():
        return "passed " + "".join(reason for _, reason in result.skipped)
    _, traceback = [*result.failures, *result.errors][0]
    return "failed " + " | ".join(traceback.strip().splitlines()[-3:])


if __name__ == "__main__":
    main()

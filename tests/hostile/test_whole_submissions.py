"""What a submission can do with all of its cases together, beyond what each may do by itself."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts
from support.rows import first_of

from grader.sandbox.driver import Driver

BUDGET = "budget: 2s\nlimits: {time: 500ms, wall: 1s}\n"
CASES = [f"{{call: f({number}), returns: {number}}}" for number in range(16)]

SLOW_TO_IMPORT = """
import os, threading, time

while time.process_time() < 0.35:
    pass
"""
WASTEFUL = {
    "an import for each case": (
        "threading.Thread(target=time.sleep, args=(99,), daemon=True).start()\n\ndef f(x):\n    return x\n"
    ),
    "an import after each file": ("def f(x):\n    open('left', 'w').write('x')\n    return x\n"),
}


@pytest.mark.parametrize("way", first_of(WASTEFUL))
def test_imports_anew_are_taken_from_the_budget(tmp_path: Path, way: str) -> None:
    result = mark(tmp_path, BUDGET + question(*CASES), SLOW_TO_IMPORT + WASTEFUL[way])
    found = list(verdicts(result).values())
    assert "skipped" in found
    assert found.index("skipped") < 10


def test_waiting_is_taken_from_the_budget_even_where_an_answer_follows(tmp_path: Path) -> None:
    limits = "budget: {time: 1s, wall: 3s}\nlimits: {time: 500ms, wall: 3s}\n"
    source = "import time\n\ndef f(x):\n    time.sleep(1.2)\n    return x\n"
    found = list(verdicts(mark(tmp_path, limits + question(*CASES), source)).values())
    assert found == ["accepted"] * 2 + ["skipped"] * 14


def test_a_callback_works_for_a_case_for_as_long_as_patience_lasts(tmp_path: Path) -> None:
    """What the grader works on itself is none of the case's CPU time; a case must not live off that.

    All of the calls together would take minutes, more than a test may.
    """
    spec = "limits: {time: 300ms, wall: 300ms}\n" + question(
        '{call: "first(f)", watch: {f: {answer: "lambda n: sum(range(n))"}}, returns: 1}'
    )
    source = "def first(f):\n    for _ in range(1000):\n        f(12_000_000)\n    return 1\n"
    result = mark(tmp_path, spec, source)
    assert verdicts(result) == {"1.1": "wall-limit"}


LEAKY = """
    import mmap, os

    SHARED = mmap.mmap(-1, 100)
    READ, WRITE = os.pipe()
    os.set_blocking(READ, False)
    WRITES = True

    def f(x):
        found = bytes(SHARED[:99]).strip(b"\\0").decode()
        try:
            found += open("kept").read()
        except OSError:
            pass
        try:
            found += os.read(READ, 99).decode()
        except OSError:
            pass
        print("found:", found)
        SHARED[: len(x)] = x.encode()
        os.write(WRITE, x.encode())
        try:
            WRITES and open("kept", "w").write(x)
        except OSError:
            pass
        return x
    """


@pytest.mark.parametrize("driver", [Driver.NAMESPACES, Driver.LANDLOCK])
@pytest.mark.parametrize("writes", [True, False])
def test_the_input_of_a_hidden_case_is_never_in_the_output_of_another(
    tmp_path: Path, driver: Driver, writes: bool
) -> None:
    source = LEAKY.replace("WRITES = True", f"WRITES = {writes}")
    spec = question(
        "{call: \"f('public-1')\", returns: \"'public-1'\"}",
        "{call: \"f('secret-1')\", returns: \"'secret-1'\", visibility: hidden}",
        "{call: \"f('public-2')\", returns: \"'public-2'\"}",
        "{call: \"f('later-1')\", returns: \"'later-1'\", visibility: after-due}",
        "{call: \"f('public-3')\", returns: \"'public-3'\"}",
    )
    found = {name: case.stdout for name, case in cases(mark(tmp_path, spec, source, driver=driver)).items()}
    for name in ("1.1", "1.3", "1.5"):
        assert "secret" not in found[name]
        assert "later" not in found[name]
    assert "secret" not in found["1.4"]
    # What the same student sees anyway does pass, by memory that an import shared; not where a file that
    # was written had the module imported anew.
    assert ("public-1" in found["1.3"]) is not (writes and driver is Driver.NAMESPACES)

"""Tests that hang cost themselves alone; behind the timer of each test stands the keeper."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.marking import cases, mark, question

from grader.model.limits import Limits
from grader.model.results import CaseResult
from grader.plugins.tests.test_file import turn

TESTS = """
import threading
import time
import pytest
import work

def spin(number):
    while number == 2:
        pass

@pytest.mark.parametrize("number", [1, 2, 3])
def test_body(number):
    spin(number)
    assert work.double(number) == 2 * number

@pytest.fixture
def made(request):
    spin(request.param)
    return request.param

@pytest.mark.parametrize("made", [1, 2, 3], indirect=True)
def test_fixture(made):
    assert work.double(made) == 2 * made

@pytest.fixture
def ended(request):
    yield request.param
    if request.param == 2:
        time.sleep(100)

@pytest.mark.parametrize("ended", [1, 2, 3], indirect=True)
def test_teardown(ended):
    assert work.double(ended) == 2 * ended

@pytest.mark.timeout(0.1)
def test_marked():
    spin(2)

@pytest.mark.timeout(0.1)
def test_time_of_the_program():
    assert work.slow()

def test_callback():
    work.apply(lambda: spin(2))

@pytest.fixture
def given(request):
    return work.ends_at_two(request.param)

@pytest.mark.parametrize("given", [1, 2, 3], indirect=True)
def test_program_ends(given):
    assert given
"""
WORK = """
import os, time

def double(x):
    return 2 * x

def slow():
    time.sleep(0.3)
    return True

def apply(f):
    try:
        f()
    except BaseException:
        pass

def ends_at_two(x):
    if x == 2:
        os._exit(3)
    return True
"""


def run(folder: Path, tests: str, limit_s: float, wall_s: float | None = None) -> dict[str, CaseResult]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(tests)
    with pytest.MonkeyPatch.context() as patch:
        limits = Limits(time_s=limit_s, wall_s=wall_s or limit_s, answer_b=64 << 20)
        # Each module has the name of its own; one that was imported first here would keep these limits.
        patch.setattr(turn, "TEST_LIMITS", limits)
        found = cases(mark(folder, question("pytest: tests/test_work.py"), WORK))
    return {case.call.partition("::test_")[2]: case for case in found.values()}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CaseResult]:
    return run(tmp_path_factory.mktemp("hanging"), TESTS, 0.9)


@pytest.mark.acceptance
@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("body", 9, "it computed for "),
        ("fixture", 9, "it computed for "),
        ("teardown", 29, "it waited for "),
    ],
)
def test_a_row_that_hangs_is_stopped_and_the_others_are_judged(
    found: dict[str, CaseResult], name: str, line: int, reason: str
) -> None:
    case = found[name]
    assert case.verdict == "internal-error"
    message, _, _ = case.message.partition("; of")
    place = message.partition("(test ")[2]
    assert place.startswith(f"test_{name}[2]: stopped in line ")
    assert place.partition(" of test_work.py: ")[2].startswith(reason)
    assert int(place.partition("line ")[2].split()[0]) in (line - 1, line)
    assert "2 of 3 rows could be judged, 2 pass" in case.message


@pytest.mark.acceptance
def test_a_mark_says_how_long_a_test_may_take(found: dict[str, CaseResult]) -> None:
    assert "it computed for 0." in found["marked"].message


@pytest.mark.acceptance
def test_the_time_of_the_program_is_not_the_tests(found: dict[str, CaseResult]) -> None:
    assert found["time_of_the_program"].verdict == "accepted"


@pytest.mark.acceptance
def test_a_callback_that_hangs_is_the_tests_fault(found: dict[str, CaseResult]) -> None:
    assert found["callback"].verdict == "internal-error"
    assert "test test_callback: stopped in line" in found["callback"].message


@pytest.mark.acceptance
def test_a_program_that_ends_in_a_fixture_costs_its_own_row(found: dict[str, CaseResult]) -> None:
    assert [step.verdict for step in found["program_ends"].steps] == ["accepted", "crashed", "accepted"]


@pytest.mark.acceptance
def test_a_thread_that_goes_on_leaves_time_for_the_next_row(tmp_path: Path) -> None:
    body = "    one = threading.Thread(target=spin, args=[number])\n    one.start()\n    one.join()\n"
    text, _, _ = TESTS.partition("@pytest.fixture")
    case = run(tmp_path, text.replace("    spin(number)\n", body), 4, wall_s=20)["body"]
    assert "test test_body[2]: stopped in line 15 of test_work.py: it computed" in case.message
    assert "2 of 3 rows could be judged, 2 pass" in case.message


KEEPER = {
    "C": "def test_it():\n    sum(range(10**12))\n",
    "collection": "while True:\n    pass\n\ndef test_it():\n    pass\n",
}


@pytest.mark.acceptance
@pytest.mark.parametrize("way", KEEPER)
def test_behind_the_timer_stands_the_keeper(tmp_path: Path, way: str) -> None:
    case = run(tmp_path, KEEPER[way], 0.9)["it"]
    assert case.verdict == "internal-error"
    assert "test test_it was stopped after" in case.message
    assert " of test_work.py" in case.message


def test_the_cell_runs_without_the_plugin_too() -> None:
    code = "import sys; sys.modules['pytest_timeout'] = None; import grader.plugins.tests.cell.main"
    subprocess.run([sys.executable, "-c", code], check=True)

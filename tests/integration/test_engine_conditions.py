"""Whatever the driver, the Python and the way cases are run: the same work gets the same verdicts."""

from pathlib import Path

import pytest
from support.marking import mark, question, verdicts

from grader.model.errors import UsageError
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import find_interpreter


def test_state_does_not_pass_from_case_to_case(tmp_path: Path) -> None:
    work = "calls = []\ndef count():\n    calls.append(1)\n    return len(calls)\n"
    spec = question(*["{call: count(), returns: 1}"] * 3)
    assert set(verdicts(mark(tmp_path, spec, work)).values()) == {"accepted"}


def test_random_numbers_are_the_same_in_every_case(tmp_path: Path) -> None:
    work = "import random\ndef draw():\n    return random.random()\n"
    spec = question(*["{call: draw(), returns: 0.8444218515250481}"] * 2)
    assert set(verdicts(mark(tmp_path, spec, work)).values()) == {"accepted"}


def test_the_order_of_a_set_is_the_same_in_every_run(tmp_path: Path) -> None:
    work = "def order():\n    return list({'a', 'b', 'c', 'd', 'e', 'f'})\n"
    spec = question("{call: order(), returns: same as reference}")
    assert set(verdicts(mark(tmp_path, spec, work, reference=work)).values()) == {"accepted"}


@pytest.mark.parametrize("driver", LADDER)
def test_every_driver_marks_alike(tmp_path: Path, driver: Driver) -> None:
    work = "def square(x):\n    return x * x\ndef bad(x):\n    raise ValueError\n"
    spec = question(
        "{call: square(3), returns: 9}",
        "{call: square(3), returns: 8}",
        "{call: bad(1), returns: 1}",
        "{call: absent(1), returns: 1}",
    )
    found = list(verdicts(mark(tmp_path, spec, work, driver=driver)).values())
    assert found == ["accepted", "wrong-answer", "exception", "missing"]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_submissions_run_on_another_python(tmp_path: Path, version: str) -> None:
    try:
        find_interpreter(version)
    except UsageError:
        pytest.skip(f"there is no Python {version} here")
    work = "import sys\ndef version():\n    return tuple(sys.version_info[:2])\n"
    expected = tuple(map(int, version.split(".")))
    spec = question(f"{{call: version(), returns: '{expected}'}}")
    assert verdicts(mark(tmp_path, spec, work, python=version)) == {"1.1": "accepted"}

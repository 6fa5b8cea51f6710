"""Seeds of single cases: what `random` and NumPy start with, in calls, programs, the reference and replay."""

import random
from pathlib import Path

import pytest
from support.marking import cases, mark, verdicts

from grader.sandbox.driver import LADDER, Driver

SPEC = """
seed: 5
questions:
  - id: "1"
    title: draw
    marks: 1
    award: each
    cases:
      - {{call: draw(), returns: {5}}}
      - {{call: draw(), returns: {7}, seed: 7}}
      - {{call: draw(), returns: {7}, seed: 7, visibility: hidden}}
      - {{call: draw(), returns: {0}, seed: 0}}
      - {{call: draw(), returns: same as reference, seed: 9}}
      - {{program: work, stdout: "{7}\\n", seed: 7}}
"""
WORK = """
import random
def draw(): return random.randrange(10**6)
if __name__ == "__main__": print(draw())
"""


def drawn(seed: int) -> int:
    return random.Random(seed).randrange(10**6)


def spec() -> str:
    text = SPEC.replace("{{", "{").replace("}}", "}")
    for seed in (5, 7, 0):
        text = text.replace(f"{{{seed}}}", str(drawn(seed)))
    return text


@pytest.mark.parametrize("driver", LADDER)
def test_each_case_starts_with_its_own_seed(driver: Driver, tmp_path: Path) -> None:
    result = mark(tmp_path, spec(), WORK, reference=WORK, driver=driver)
    assert set(verdicts(result).values()) == {"accepted"}
    assert cases(result)["1.5"].actual == str(drawn(9))


def test_numpy_starts_with_the_seed_too(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    expected = [int(numpy.random.RandomState(seed).randint(10**6)) for seed in (7, 8)]
    text = f"""
packages: [numpy]
questions:
  - id: "1"
    title: draw
    marks: 1
    award: each
    cases:
      - {{call: draw(), returns: {expected[0]}, seed: 7}}
      - {{call: draw(), returns: {expected[1]}, seed: {2**32 + 8}}}
"""
    work = "import numpy as np\ndef draw(): return int(np.random.randint(10**6))\n"
    assert set(verdicts(mark(tmp_path, text, work)).values()) == {"accepted"}


def test_a_module_called_numpy_does_no_harm(tmp_path: Path) -> None:
    work = {"work": "import numpy\n" + WORK, "numpy": "def __getattr__(name): raise SystemError(name)\n"}
    assert verdicts(mark(tmp_path, spec(), work, reference=WORK))["1.2"] == "accepted"

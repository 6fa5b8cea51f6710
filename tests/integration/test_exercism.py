"""The converter of `benchmarks/exercism`, on two exercises of our own in the style of Exercism's."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXERCISES = ROOT / "tests" / "data" / "exercism"


@pytest.mark.acceptance  # it marks a course
def test_exercises_are_said_and_their_programs_judged_as_by_unittest(tmp_path):
    file = tmp_path / "found.json"
    command = ["-m", "benchmarks.exercism", str(EXERCISES), "--only", "cheat", "meter", "--mutants", "1"]
    command += ["--json", str(file), "-j", "1", "--keep", str(tmp_path)]
    ran = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert file.is_file(), ran.stdout + ran.stderr
    cheat, meter = json.loads(file.read_text("utf-8"))
    assert meter["tests"] == meter["example"] == 11
    assert meter["ways"] == {"call": 1, "steps": 7, "checker": 2, "harness": 1}
    assert meter["stub"] == 0
    assert meter["mutants"] == 1
    assert meter["verdicts"] == 3 * meter["tests"]
    assert meter["differences"] == []
    assert "each_coin([1, 2, 5], lambda coin: coin * 10)" in (tmp_path / "meter" / "meter.yaml").read_text(
        "utf-8"
    )
    # The stub of this one is equal to everything, which unittest believes.
    (difference,) = cheat["differences"]
    assert (difference["program"], difference["passes"], difference["accepted"]) == ("stub", True, False)
    assert "unittest passes, ours: wrong-answer" in ran.stdout
    assert ran.returncode == 1

"""CPU time as the kernel counts it, with a grace that is stated."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.model.limits import GRACE, Limits, allowed

SPINS = """
    import time

    def spin(seconds):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        return seconds
"""


def test_the_grace_is_a_fifth() -> None:
    assert GRACE == 1.2
    assert allowed(Limits(time_s=10.0, wall_s=31.0)) == Limits(time_s=12.0, wall_s=31.0)


@pytest.mark.parametrize(
    ("share", "verdict"),
    [(0.3, "accepted"), (0.5, "accepted"), (2.0, "time-limit"), (4.0, "time-limit")],
)
def test_half_of_a_limit_passes_and_twice_does_not(tmp_path: Path, share: float, verdict: str) -> None:
    """A program that counts CPU time itself needs the same at any load."""
    spec = "limits: {time: 500ms}\n" + question(f"{{call: spin({share * 0.5}), returns: {share * 0.5}}}")
    result = mark(tmp_path, spec, SPINS)
    assert verdicts(result) == {"1.1": verdict}
    measured = cases(result)["1.1"].cpu_s
    assert measured >= min(share * 0.5, GRACE * 0.5)


def test_what_answers_within_the_grace_is_in_time(tmp_path: Path) -> None:
    spec = "limits: {time: 500ms}\n" + question("{call: spin(0.53), returns: 0.53}")
    result = mark(tmp_path, spec, SPINS)
    assert verdicts(result) == {"1.1": "accepted"}
    assert cases(result)["1.1"].cpu_s >= 0.53


def test_an_import_has_the_same_grace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.lab.boxes.IMPORT_LIMITS", Limits(time_s=0.5, wall_s=20.0))
    right = "\ndef f():\n    return 1\n"
    spin = SPINS.replace("\n    ", "\n")
    result = mark(tmp_path, question("{call: f(), returns: 1}"), f"{spin}\nspin(0.5)\n{right}")
    assert verdicts(result) == {"1.1": "accepted"}

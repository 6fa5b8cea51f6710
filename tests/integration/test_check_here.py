"""`grader check` with the driver of macOS and Windows, by nothing that only Linux has: it runs there too."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command_line import environment

from grader.sandbox.driver import CHOICE

KINDS = Path(__file__).parents[1] / "data" / "elsewhere"


def said(*arguments: str | Path, code: int) -> str:
    """Return what a command writes, which ends with a status."""
    done = subprocess.run(
        [sys.executable, "-m", "grader", *map(str, arguments)],
        env=environment(**{CHOICE: "portable"}, PYTHONIOENCODING="utf-8"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout.decode()


def cases(*arguments: str | Path, code: int) -> dict[str, Any]:
    document = json.loads(said("check", *arguments, "--json", code=code))
    questions = document["submission"]["questions"]
    return {case["id"]: case for question in questions for case in question["cases"]}


def test_right_work_is_accepted() -> None:
    found = cases(KINDS / "kinds.yaml", KINDS / "reference", code=0)
    assert len(found) == 13
    assert {case["verdict"] for case in found.values()} == {"accepted"}


def test_no_wrong_work_is() -> None:
    found = cases(KINDS / "kinds.yaml", KINDS / "wrong", code=1)
    assert {"accepted", "internal-error"}.isdisjoint(case["verdict"] for case in found.values())
    assert found["1.2"]["verdict"] == found["3.sums"]["verdict"] == "wrong-answer"
    assert found["1.1"]["verdict"] == "time-limit"
    assert found["2.2"]["verdict"] == "rule-broken"


@pytest.mark.parametrize("folder", ["plain", "with a space", "Zoë 日本", "x" * 60])
def test_a_handout_is_found_and_checked_in_any_folder(folder: str, tmp_path: Path) -> None:
    place = tmp_path / folder
    said("bundle", KINDS / "kinds.yaml", "-o", place, code=0)
    (place / "talk.py").write_bytes((KINDS / "reference" / "talk.py").read_bytes())
    # As an editor on Windows saves it.
    text = (KINDS / "reference" / "kinds.py").read_text(encoding="utf-8")
    (place / "kinds.py").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    found = cases(place / "kinds.yaml", place, code=0)
    assert {case["verdict"] for case in found.values()} == {"accepted"}

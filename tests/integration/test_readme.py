"""The README shows a piece of the quick start, whose page to hand out keeps its hidden case."""

import html
import re
import subprocess
from pathlib import Path

from support.command_line import COMMAND, environment
from support.typed_session import typed

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start" / "instructor.md").read_text(encoding="utf-8")


def test_the_piece_of_a_spec_is_that_of_the_quick_start() -> None:
    (piece,) = re.findall(r"^```yaml\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert piece in START


def test_the_picture_is_small_enough_to_load() -> None:
    picture = ROOT / "docs" / "images" / "report.png"
    data = picture.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20], "big") == 1280
    assert len(data) < 200_000


def test_the_page_to_hand_out_keeps_the_hidden_cases(tmp_path: Path) -> None:
    first = next(typed(START, tmp_path))
    assert first.command == "grader mark words.yaml submissions"
    subprocess.run([COMMAND, "report", "reports/words"], cwd=tmp_path, env=environment(), check=True)
    report = tmp_path / "reports" / "words"
    staff, student = (
        html.unescape((report / who / "bo.html").read_text(encoding="utf-8")) for who in ("staff", "students")
    )
    assert "initials('')" in staff
    assert "initials('')" not in student
    assert "initials('ada lovelace')" in student

"""A narrow terminal, of 40 columns: every table keeps to it."""

from pathlib import Path

import pytest
from support.command_line import BATCH, SPEC, grader

from grader.reports.terminal.lines import cells

WIDTH = 40
TIMES = "student-01: 2026-11-21T12:00:00Z\n"


@pytest.mark.parametrize("command", ["mark", "check", "intake", "doctor"])
def test_tables_keep_to_forty_columns(command: str, tmp_path: Path) -> None:
    (tmp_path / "times.yaml").write_text(TIMES)
    asked = {
        "mark": ("mark", SPEC, BATCH, "-o", tmp_path / "out"),
        "check": ("check", SPEC, BATCH / "student-01"),
        "intake": ("intake", SPEC, BATCH, "--times", tmp_path / "times.yaml"),
        "doctor": ("doctor",),
    }
    done = grader(*asked[command], COLUMNS=str(WIDTH))
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    table = lines[:-1] if command != "doctor" else lines[lines.index("") :][:12]
    assert len(table) > 8
    assert [row for row in table if cells(row) > WIDTH] == []

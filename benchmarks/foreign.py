"""Runs this checkout's `grader` for the scripts that compare it with other graders on their own tests."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any


def grader(*words: object) -> subprocess.CompletedProcess[str]:
    """Return the end of a command of this checkout's."""
    return subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)], capture_output=True, text=True, check=False
    )


def marked_by(spec: Path, batch: Path, out: Path, *options: str) -> list[dict[str, Any]]:
    """Mark a batch into a folder; return its submissions as `results.json` has them, or end the script."""
    done = grader("mark", spec, batch, "-o", out, "--no-cache", *options)
    if not (out / "results.json").exists():
        sys.exit(done.stderr)
    submissions: list[dict[str, Any]] = json.loads((out / "results.json").read_text())["submissions"]
    return submissions

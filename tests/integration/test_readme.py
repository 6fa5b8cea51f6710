"""What the README tells a newcomer to type works as it says."""

import json
import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    """Return the one code block of that language that contains a text."""
    (found,) = (
        text for text in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if containing in text
    )
    return str(found)


def grader(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from grader.cli import main; main()", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=False)


def test_the_first_assignment_of_ones_own_works_as_told(tmp_path: Path) -> None:
    (tmp_path / "double.yaml").write_text(block("yaml", "task: double"))
    work = tmp_path / "submissions" / "student-01"
    work.mkdir(parents=True)
    (work / "work.py").write_text(block("python", "def double"))
    command = block("console", "grader mark double.yaml").removeprefix("$ grader ").split()

    done = grader(tmp_path, *command)

    assert done.returncode == 0, done.stderr
    assert "2 of 2" in done.stdout
    assert (tmp_path / "reports" / "double" / "index.html").exists()
    results = json.loads((tmp_path / "reports" / "double" / "results.json").read_text())
    assert [submission["mark"] for submission in results["submissions"]] == ["2"]
    page = (tmp_path / "reports" / "double" / "students" / "student-01.html").read_text()
    assert "abab" not in page

    check = grader(work, "check", "../../double.yaml", ".")
    assert check.returncode == 0, check.stdout


def test_the_pages_that_the_readme_names_exist() -> None:
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (Path(__file__).parents[2] / name).exists(), name

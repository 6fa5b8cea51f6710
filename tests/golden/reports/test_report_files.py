"""A small run, rendered: every output as the file beside this test has it.

`GRADER_UPDATE_GOLDEN=1` writes the files anew; look at what `git diff` says then.
"""

import os
import re
from pathlib import Path

import pytest
from support.results_sample import results

from grader.reports.render import render_all
from grader.reports.terminal.cohort import summary_lines
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.store.results_json import write_results

GOLDEN = Path(__file__).parent / "files"

RENDERED = (
    "results.json",
    "index.html",
    "staff/student-02.html",
    "staff/student-03.html",
    "students/student-02.html",
    "students/student-04.html",
    "students/student-05.html",
    "students/student-06.html",
    "marks.csv",
    "junit.xml",
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report")
    write_results(directory / "results.json", results())
    render_all(results(), directory)
    return directory


def compare(name: str, content: bytes) -> None:
    golden = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_bytes(content)
    assert content == golden.read_bytes()


@pytest.mark.parametrize("name", RENDERED)
def test_rendered_file(report: Path, name: str) -> None:
    content = (report / name).read_bytes()
    if name.endswith(".html"):
        # The style and the script are files of their own, and would drown what changed.
        content = re.sub(rb"(?s)<(style|script)>.*?</\1>", rb"<\1></\1>", content)
        content = re.sub(rb"sha256-[\w+/=]+", b"sha256-", content)
    compare(name, content)


def test_summary_in_the_terminal() -> None:
    compare("summary.txt", to_text(summary_lines(results())).encode())


@pytest.mark.parametrize("index", [0, 1, 2, 3, 4, 5])
def test_feedback_in_the_terminal(index: int) -> None:
    found = results()
    student = list(found.submissions)[index]
    compare(f"check-{student.id}.txt", to_text(check_lines(found.task, student)).encode())

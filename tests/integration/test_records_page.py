"""The example behind `docs/cases/records.md` is marked as the page says."""

import re
from pathlib import Path

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

PAGE = (Path(__file__).parents[1] / "golden" / "case_pages" / "records.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    return found


def test_the_pages_example_is_marked_as_it_says(tmp_path: Path) -> None:
    (spec,) = blocks("yaml")
    reference, checkers, submission = blocks("python")
    (messages,) = blocks("text")
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "meadow.py").write_text(reference)
    (tmp_path / "checkers.py").write_text(checkers)
    (tmp_path / "meadow.yaml").write_text(spec)
    task = load_task(tmp_path / "meadow.yaml")
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        right, wrong = [
            marker.mark(Submission(name, name, {"meadow": SourceFile("meadow.py", text)})).result
            for name, text in (("right", reference), ("wrong", submission))
        ]
    assert right.mark == task.marks
    assert wrong.mark == 0
    told = {case.id: case.message for question in wrong.questions for case in question.cases}
    for line in messages.splitlines():
        name, _, message = line.partition(": ")
        assert told[name] == message

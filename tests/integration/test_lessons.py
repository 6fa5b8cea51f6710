"""What the reference does in a test is learned once, unless something of the moment stopped it."""

from pathlib import Path

import pytest
from support.marking import HEAD, question

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.submission import SourceFile, Submission
from grader.plugins.tests.test_file import learning
from grader.sandbox.driver import Driver
from grader.spec import load_task

TESTS = "import work\n\ndef test_it():\n    assert work.f() == 1\n"
RIGHT = "def f():\n    return 1\n"
SLEEPS = "import time\n\ndef f():\n    time.sleep(10)\n    return 1\n"


@pytest.mark.parametrize(("reference", "count"), [(RIGHT, 1), (SLEEPS, 2)], ids=["ends", "waits"])
def test_how_often_the_reference_is_asked_for_two_submissions(
    reference: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    ask = learning._asked

    def noted(*arguments):
        asked.append(ask(*arguments))
        return asked[-1]

    monkeypatch.setattr(learning, "_asked", noted)
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text(reference)
    (tmp_path / "tests.py").write_text(TESTS)
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        HEAD + "reference: reference\nlimits: {time: 500ms, wall: 1s}\n" + question("{pytest: tests.py}")
    )
    with Marker(prepare_run(load_task(spec), Driver.NAMESPACES, "")) as marker:
        for name in ("student-01", "student-02"):
            marker.mark(Submission(name, name, {"work": SourceFile("work.py", RIGHT)}))
    assert len(asked) == count

"""Mark a batch of twenty cheap cases each, from reading its files to its results, and check the marks.

Run as `python marking.py FOLDER DRIVER`.
"""

import sys
from dataclasses import replace
from pathlib import Path

from grader.engine.batch import mark_all
from grader.engine.run_config import prepare_run
from grader.engine.worker import MarkedSubmission
from grader.intake import discover
from grader.sandbox.driver import Driver
from grader.spec import load_task


def main(batch: Path, driver: Driver) -> None:
    """Mark all submissions of a folder in this process."""
    task = load_task(Path(__file__).with_name("spec.yaml"))
    candidates = discover([batch], dict(task.modules))
    # With conditions, so that the evidence of cases is kept, as every run does.
    order = replace(prepare_run(task, driver, ""), conditions="benchmark")
    marks = [
        step.result.mark for step in mark_all(order, candidates, 1) if isinstance(step, MarkedSubmission)
    ]
    assert len(marks) == len(list(batch.iterdir())), "each is marked"
    assert set(marks) == {1}, "every submission of the batch is right"


main(Path(sys.argv[1]), Driver(sys.argv[2]))

"""The results of many students: those of the sample again and again."""

from dataclasses import replace
from pathlib import Path

from grader.model.results import RunResults
from grader.store.results_json import write_results
from support.results_sample import RUN, TASK, submissions


def many_results(count: int) -> RunResults:
    """Return the results of so many students."""
    known = submissions()
    return RunResults(
        RUN,
        TASK,
        [replace(known[number % len(known)], id=f"student-{number:05}") for number in range(count)],
    )


def write_many_results(folder: Path, count: int) -> Path:
    """Write the results of so many students into a new folder; return it."""
    folder.mkdir()
    write_results(folder / "results.json", many_results(count))
    return folder

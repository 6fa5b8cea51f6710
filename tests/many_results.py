"""The results of many students: those of the sample again and again."""

from dataclasses import replace
from pathlib import Path

from results_sample import RUN, TASK, submissions

from grader.model.results import RunResults
from grader.store.results_json import write_results


def many_results(count: int) -> RunResults:
    """Return the results of so many students."""
    known = submissions()
    return RunResults(
        RUN,
        TASK,
        [replace(known[number % len(known)], id=f"student-{number:05}") for number in range(count)],
    )


def write_many_results(folder: Path, count: int) -> Path:
    """Write them into a new folder, and return it."""
    folder.mkdir()
    write_results(folder / "results.json", many_results(count))
    return folder

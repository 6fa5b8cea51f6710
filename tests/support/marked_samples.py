"""The results of a sample batch, marked once for all processes of a test session."""

import fcntl
from pathlib import Path

import pytest

from grader.model.results import RunResults, TaskHead
from grader.spec import load_task
from grader.store.reading import read_results
from grader.store.results_json import write_results
from support.declared import mark_declared, read_declared
from support.results_sample import RUN

ROOT = Path(__file__).parents[2]
SPECS = {path.stem: path for path in sorted((ROOT / "specs").glob("*.yaml"))}


def marked_sample(name: str, folders: pytest.TempPathFactory) -> RunResults:
    """Return the results of a task's sample batch, with shorter limits where they are declared to be met."""
    base = folders.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base  # each process of xdist has its own
    path = shared / f"samples-{name}" / "results.json"
    path.parent.mkdir(exist_ok=True)
    with (path.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            task, batch = load_task(SPECS[name]), ROOT / "submissions" / name
            marked = mark_declared(task, [batch], read_declared(batch), beside=batch)
            write_results(path, RunResults(RUN, TaskHead.of(task), list(marked.values())))
    return read_results(path)

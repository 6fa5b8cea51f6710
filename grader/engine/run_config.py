"""The configuration that all submissions of a run share.

The reference is asked here, before any submission.  A run whose earlier results all hold skips this.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from grader.engine.locked import require_locked
from grader.lab.oracle import Oracle
from grader.lab.run_inputs import Expectations, ask_reference, asks_reference
from grader.model.errors import Fault, NoSandbox
from grader.model.task import Task
from grader.runtime.cores import only_core
from grader.sandbox.budget import Purse
from grader.sandbox.data_files import data_folder
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


@dataclass(frozen=True, slots=True)
class RunConfig:
    """The configuration of a run; it can be pickled.

    python: as `find_interpreter` takes it.
    conditions: see `grader.engine.cache.keys.conditions_key`; empty if no evidence is kept.
    """

    task: Task
    driver: Driver
    python: str
    expectations: Expectations
    conditions: str = ""

    def start(self, hash_seed: int = 0) -> Zygote:
        """Start a zygote on one core, for one submission at a time.  Raises `SandboxFailure`."""
        interpreter, core = find_interpreter(self.python), only_core()
        data = data_folder(self.task.data)
        return Zygote(
            self.driver, interpreter, self.task.preloaded, core=core, data=data, hash_seed=hash_seed
        )


def prepare_run(
    task: Task, driver: Driver, python: str, expectations: Expectations | None = None
) -> RunConfig:
    """Ask the reference for all expected answers, and return the run's configuration.

    expectations: the reference's answers, if they are known.
    Raises `NoSandbox` if the sandbox does not start with the spec's packages, and `UsageError` if they are
    not those of its lock file.
    """
    with starting_sandbox(task):
        # Before processes are forked, which then share it.
        data = data_folder(task.data)
    if expectations is not None:
        return RunConfig(task, driver, python, expectations)
    require_locked(task, find_interpreter(python))
    if not asks_reference(task) and not task.packages:
        return RunConfig(task, driver, python, {})
    with (
        starting_sandbox(task),
        Zygote(driver, find_interpreter(python), task.preloaded, data=data) as zygote,
    ):
        oracle = Oracle(zygote, task, Purse())
        try:
            return RunConfig(task, driver, python, ask_reference(task, oracle))
        finally:
            oracle.close()


@contextmanager
def starting_sandbox(task: Task) -> Iterator[None]:
    """Turn a failure of the sandbox, before a run, into `NoSandbox`."""
    try:
        yield
    except SandboxFailure as failure:
        raise NoSandbox(fault_of_start(task, failure, "the sandbox does not start")) from failure


def fault_of_start(task: Task, failure: SandboxFailure, otherwise: str) -> Fault:
    """Return why no submission can run: a package of the task that is not installed, or `otherwise`."""
    missing = re.search(r"No module named '([\w.]+)'", str(failure))
    if missing and task.packages:
        message = f"the submissions' Python has no package {missing[1]}, which the task needs"
        return Fault(message, hint="install it there, or name another Python with --python")
    hint = "do all of the spec's packages import in the submissions' Python?" if task.packages else ""
    return Fault(f"{otherwise}: {failure}", hint=hint or "see `grader doctor`")

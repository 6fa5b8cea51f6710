"""What a run asks for, once it is known that there is something to mark.

The reference is asked here, before any submission; a run whose results all still hold needs none of this.
"""

from grader.engine.submission.oracle import Oracle
from grader.engine.submission.prepared import ask_reference, asks_reference
from grader.engine.worker import Order
from grader.model.errors import Fault, NoSandbox
from grader.model.task import Task
from grader.sandbox.driver import Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


def prepare_order(task: Task, driver: Driver, python: str) -> Order:
    """Ask the reference for all that is expected, and bundle what every submission needs."""
    if not asks_reference(task) and not task.packages:
        return Order(task, driver, python, {})
    try:
        with Zygote(driver, find_interpreter(python), task.preloaded) as zygote:
            oracle = Oracle(zygote, task)
            try:
                known = ask_reference(task, oracle)
            finally:
                oracle.close()
    except SandboxFailure as failure:
        hint = "are the spec's packages installed for the submissions' Python?  See --python"
        raise NoSandbox(
            Fault(
                f"the sandbox does not start: {failure}",
                hint=hint if task.packages else "see `grader doctor`",
            )
        ) from failure
    return Order(task, driver, python, known)

"""The zygote of the strongest driver that works on this host, for what runs without a mark in sight."""

from grader.model.errors import Fault, UsageError
from grader.sandbox.driver import WALLS, Driver, Guarantee, drivers_of_check
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


def strongest_zygote(interpreter: Interpreter, packages: tuple[str, ...], data: str = "") -> Zygote:
    """Start the first zygote of the ladder that works.  Raises `SandboxFailure` with the reasons.

    packages, data: see `Zygote`.
    """
    failures = []
    for driver in drivers_of_check():
        try:
            if driver is Driver.PORTABLE:
                from grader.sandbox.portable.zygote import PortableZygote  # noqa: PLC0415  (few hosts need it)

                return PortableZygote(interpreter, packages, data=data)
            return Zygote(driver, interpreter, packages, data=data)
        except SandboxFailure as failure:
            failures.append(f"{driver}: {failure}")
    raise SandboxFailure("; ".join(dict.fromkeys(failures)))


def refuse_code_without_walls(driver: Driver, what: str) -> None:
    """Refuse code of a task that nobody named where it could change this user's files.  Raises `UsageError`.

    what: names the code for people.
    """
    if Guarantee.FILES_WRITE not in WALLS[driver].promises:
        reason = f"nobody named this task, and its own code would run without a sandbox here: {what}"
        raise UsageError(Fault(reason, hint="if you trust it, name its file: grader check TASK.yaml"))

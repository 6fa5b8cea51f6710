"""The zygote of the strongest driver that works on this host, for what runs without a mark in sight."""

from shlex import quote

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


def refuse_unnamed_without_walls(driver: Driver, spec: str) -> None:
    """Refuse a task that nobody named where it could change this user's files.  Raises `UsageError`.

    Any task runs code, if only by what of the work it calls, and with what.  spec: its file, for people.
    """
    if Guarantee.FILES_WRITE not in WALLS[driver].promises:
        reason = "nobody named this task, and no sandbox holds its code here"
        raise UsageError(
            Fault(reason, spec, hint=f"if you trust it, name its file first: grader check {quote(spec)}")
        )

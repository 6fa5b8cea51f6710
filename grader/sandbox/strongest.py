"""The zygote of the strongest driver that works on this host, for what runs without a mark in sight."""

from grader.sandbox.driver import Driver, drivers_of_check
from grader.sandbox.interpreter import Interpreter
from grader.sandbox.zygote import SandboxFailure, Zygote


def strongest_zygote(interpreter: Interpreter, packages: tuple[str, ...]) -> Zygote:
    """Start the first zygote of the ladder that works.  Raises `SandboxFailure` with the reasons."""
    failures = []
    for driver in drivers_of_check():
        try:
            if driver is Driver.PORTABLE:
                from grader.sandbox.portable.zygote import PortableZygote  # noqa: PLC0415  (few hosts need it)

                return PortableZygote(interpreter, packages)
            return Zygote(driver, interpreter, packages)
        except SandboxFailure as failure:
            failures.append(f"{driver}: {failure}")
    raise SandboxFailure("; ".join(dict.fromkeys(failures)))

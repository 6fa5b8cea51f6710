"""Code of the instructor's that runs in one process with a student's module."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OwnFile:
    """Code of the instructor's that runs before or after a student's module.

    module: the name of its file, without `.py`.  text: its source.  names: those that it gives to the module
    or takes of it; none: all.  imports: the modules of the task that it imports.
    """

    module: str
    text: str
    names: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.module}.py"


@dataclass(frozen=True, slots=True)
class Around:
    """The code around a student's module, which can read and change it."""

    before: OwnFile | None = None
    after: OwnFile | None = None

    @property
    def files(self) -> tuple[OwnFile, ...]:
        return tuple(file for file in (self.before, self.after) if file is not None)


@dataclass(frozen=True, slots=True)
class Harness:
    """A module of the instructor's that runs beside the student's code, which can read and change it.

    module: its name.  text: its source.  imports: the modules of the task that it imports.
    """

    module: str
    text: str
    imports: tuple[str, ...] = ()

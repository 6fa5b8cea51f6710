"""The settings of a zygote: one immutable record of plain data from the grader."""

from typing import NamedTuple

EXIT_NO_CELL = 97
"""Exit status of a tool's cell whose walls could not be built; its standard error says which step failed."""
EXIT_NOT_BUILT = 96
"""Exit status of a cell in which a compiler did not make a program; its messages are on standard error."""


DATA = "/box/data"
"""Where a root of our own has the task's files, read-only; a scratch folder has a link to each."""


class Settings(NamedTuple):
    """How the boxes of one zygote are made.  (No dataclass: its import would make each fork larger.)

    namespaces, landlock, seccomp: which walls to build; the driver decides.
    listen: let the keeper decide about forks through seccomp's listener; without it each case
        imports the module again in a process of its own.
    readable: directories or files that a box may read: interpreter, libraries, packages.
    hidden: directories below `readable` that are covered by empty ones.
    shown: files and directories of packages, which may lie below hidden directories.  Without a root of our
        own, boxes may read all of `path`.
    path: directories for `sys.path` besides the standard library's.
    modules: what can be imported from `path`; None: everything.
    preload: modules imported before the first fork, besides those that every zygote has.
    uid: user to become first, where the grader runs as root; -1 to stay.  Without a root of our own,
        the zygote becomes that user only if that user can read everything needed.
    scratch_b, scratch_files: size of the folder that a box may write to; 0 bytes for none.
    data: the folder with the task's own files, which boxes read and cannot write to; empty for none.
    core: the core that all boxes run on; -1 for any.  Students' code is denied the call to leave it.
    """

    namespaces: bool
    landlock: bool
    seccomp: bool
    listen: bool
    readable: tuple[str, ...]
    hidden: tuple[str, ...]
    shown: tuple[str, ...]
    path: tuple[str, ...]
    modules: tuple[str, ...] | None
    preload: tuple[str, ...]
    uid: int
    scratch_b: int
    scratch_files: int
    core: int = -1
    data: str = ""

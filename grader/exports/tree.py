"""A folder that an export writes: whole, beside its place, then renamed."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

from grader.model.errors import Fault, UsageError

_OURS = ".grader-export"


def replacing_tree(target: Path, make: Callable[[Path], None]) -> Path:
    """Make a folder, instead of an earlier export if there is one; return its path.

    make: fills an empty folder.  Raises `UsageError` where something else lies there already.
    """
    if target.exists() and not (target / _OURS).is_file():
        hint = "choose another with -o"
        raise UsageError(Fault("there is something here that is no earlier export", str(target), hint=hint))
    made = target.with_name(f".{target.name}.{os.getpid()}.part")
    old = target.with_name(f".{target.name}.{os.getpid()}.old.part")
    try:
        made.mkdir()
        make(made)
        (made / _OURS).touch()
        if target.exists():
            target.rename(old)
        made.rename(target)
    finally:
        shutil.rmtree(made, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return target

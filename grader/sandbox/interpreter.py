"""Which Python runs the submissions, and what of it a box must be able to read."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grader.model.errors import Fault, UsageError

_OLDEST = (3, 11)

# Run in the interpreter itself: it alone knows its folders.  Its site-packages are found without
# importing anything from them.
_QUESTION = """
import json, os, sys, sysconfig
base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
paths, base_paths = sysconfig.get_paths(), sysconfig.get_paths(vars=base)
maps = set()
try:
    for line in open("/proc/self/maps"):
        if "/" in line:
            maps.add(line[line.index("/"):].rstrip("\\n"))
except OSError:
    pass
print(json.dumps({
    "version": list(sys.version_info[:3]),
    "implementation": sys.implementation.name,
    "executable": os.path.realpath(sys.executable),
    "library": [base_paths["stdlib"], base_paths["platstdlib"]],
    "packages": [paths["purelib"], paths["platlib"]],
    "others": [base_paths["purelib"], base_paths["platlib"]],
    "mapped": sorted(path for path in maps if ".so" in path or path == os.path.realpath(sys.executable)),
}))
"""

_SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that can run submissions.

    command: the name it was found by; a virtual environment's own `python` stays that.
    version: such as "3.12.1".
    readable: folders and files that it needs at run time, outermost ones only.
    packages: its folders of third-party packages.
    hidden: other such folders below `readable`, which are never shown.
    """

    command: str
    version: str
    readable: tuple[str, ...]
    packages: tuple[str, ...]
    hidden: tuple[str, ...]


@lru_cache(maxsize=8)
def find_interpreter(wanted: str) -> Interpreter:
    """Return the interpreter `wanted`: a path, a version such as "3.12", or "" for the grader's own.

    Raises `UsageError` where there is none or it is not CPython 3.11 or later.
    """
    command = _locate(wanted)
    try:
        done = subprocess.run(
            [command, "-I", "-c", _QUESTION], capture_output=True, timeout=60, check=True, text=True
        )
        facts = json.loads(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise UsageError(
            Fault(f"{command} does not run: {error}", hint="give another one with --python")
        ) from error
    version = tuple(facts["version"])
    if facts["implementation"] != "cpython" or version[:2] < _OLDEST:
        found = ".".join(map(str, version))
        raise UsageError(
            Fault(
                f"{command} is {facts['implementation']} {found}; submissions need CPython 3.11 or later",
                hint="give another one with --python",
            )
        )
    candidates = [*facts["library"], *facts["mapped"], *_SYSTEM]
    return Interpreter(
        command=command,
        version=".".join(map(str, version)),
        readable=_outermost(path for path in candidates if os.path.lexists(path)),
        packages=tuple(dict.fromkeys(facts["packages"])),
        hidden=tuple(dict.fromkeys(path for path in facts["others"] if path not in facts["packages"])),
    )


def _locate(wanted: str) -> str:
    if not wanted:
        return sys.executable
    if os.sep in wanted:
        if Path(wanted).exists():
            return wanted
        raise UsageError(Fault(f"there is no Python at {wanted}"))
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if wanted == running:
        return sys.executable
    name = wanted if wanted.startswith("python") else f"python{wanted}"
    found = shutil.which(name)
    if found is None:
        raise UsageError(
            Fault(
                f"{name} is not on the PATH",
                hint=f"install it, or name another with --python (here: {running})",
            )
        )
    return found


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Drop paths that lie below another one; keep symbolic links, whose target is kept as well."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(map(os.path.normpath, paths))):
        if not any(path.startswith(parent + "/") for parent in kept if not os.path.islink(parent)):
            kept.append(path)
    return tuple(kept)

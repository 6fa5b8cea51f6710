"""Finds the Python that runs the submissions, and the files of it that a box must be able to read."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from grader.model.errors import Fault, UsageError
from grader.sandbox import interpreter_facts

_OLDEST = (3, 11)

_SYSTEM = ("/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/share/zoneinfo")


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python that can run submissions.

    command: the path it was found at, which may be a virtual environment's `python`.
    version: such as "3.12.1".
    readable: folders and files that it needs at run time, outermost ones only.
    packages: its folders of third-party packages.
    hidden: other such folders below `readable`, which boxes never see.
    executable: the program itself, links resolved.  library: folders of the standard library.
    """

    command: str
    version: str
    readable: tuple[str, ...]
    packages: tuple[str, ...]
    hidden: tuple[str, ...]
    executable: str = ""
    library: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def find_interpreter(wanted: str) -> Interpreter:
    """Return the interpreter `wanted`: a path, a version such as "3.12", or "" for the grader's own.

    Raises `UsageError` where there is none or it is not CPython 3.11 or later.
    """
    failures: list[str] = []
    for command in _candidates(wanted):
        facts = _ask(command, failures)
        if facts is not None:
            return _checked(command, facts)
    if failures:
        raise UsageError(Fault("; ".join(failures), hint="give another one with --python"))
    running = f"{sys.version_info[0]}.{sys.version_info[1]}"
    raise UsageError(
        Fault(
            f"there is no Python {wanted} here",
            hint=f"install it, or name another with --python (grader itself runs on {running})",
        )
    )


def _candidates(wanted: str) -> Iterator[str]:
    """Yield the commands that may be the wanted interpreter, the likeliest first."""
    if not wanted or wanted == f"{sys.version_info[0]}.{sys.version_info[1]}":
        yield sys.executable
    elif os.sep in wanted or (os.altsep is not None and os.altsep in wanted):
        if os.path.exists(wanted):
            yield os.path.abspath(wanted)  # boxes have a current folder of their own
    else:
        name = wanted if wanted.startswith("python") else f"python{wanted}"
        for folder in os.get_exec_path():
            found = shutil.which(name, path=folder)
            if found is not None:
                yield found
        # A version manager's command on the PATH runs only the versions that are switched on.
        installed: list[Path] = []
        # A folder that this user can't enter holds none for them, and a user id alone has no home.
        with suppress(OSError, RuntimeError):
            root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
            installed = sorted((root / "versions").glob(f"*/bin/{name}"), reverse=True)
        yield from map(str, installed)


def _ask(command: str, failures: list[str]) -> dict[str, Any] | None:
    """Return an interpreter's facts about itself; None, and a reason in `failures`, if it does not run."""
    # With PYTHONHOME, this process differs from a box, which does not get the variable.
    if command == sys.executable and "PYTHONHOME" not in os.environ:
        return interpreter_facts.facts()
    question = [command, "-I", interpreter_facts.__file__]
    try:
        done = subprocess.run(question, capture_output=True, timeout=60, text=True)
        if done.returncode == 0:
            facts: dict[str, Any] = json.loads(done.stdout)
            return facts
        said = done.stderr.strip().splitlines()
        failures.append(f"{command} does not run: {said[-1] if said else f'exit status {done.returncode}'}")
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        failures.append(f"{command} does not run: {error}")
    return None


def _checked(command: str, facts: dict[str, Any]) -> Interpreter:
    version = ".".join(map(str, facts["version"]))
    if facts["implementation"] != "cpython" or tuple(facts["version"])[:2] < _OLDEST:
        raise UsageError(
            Fault(
                f"{command} is {facts['implementation']} {version}; submissions need CPython 3.11 or later",
                hint="give another one with --python",
            )
        )
    candidates = [*facts["library"], *facts["mapped"], *_SYSTEM]
    return Interpreter(
        command=command,
        version=version,
        readable=_outermost(path for path in candidates if os.path.lexists(path)),
        packages=tuple(dict.fromkeys(facts["packages"])),
        hidden=tuple(dict.fromkeys(path for path in facts["others"] if path not in facts["packages"])),
        executable=facts["executable"],
        library=tuple(dict.fromkeys(facts["library"])),
    )


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    """Drop paths that lie below another one; keep symbolic links, whose target is kept as well."""
    kept: list[str] = []
    for path in sorted(dict.fromkeys(map(os.path.normpath, paths))):
        if not any(path.startswith(parent + "/") for parent in kept if not os.path.islink(parent)):
            kept.append(path)
    return tuple(kept)

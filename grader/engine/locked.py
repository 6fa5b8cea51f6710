"""Compares the packages that submissions can import with the task's lock file."""

from shlex import quote

from grader.engine.cache.installed import releases
from grader.model.errors import Fault, UsageError
from grader.model.task import Lock, Task
from grader.sandbox.interpreter import Interpreter

_MOST_TOLD = 5


def require_locked(task: Task, interpreter: Interpreter) -> None:
    """Raise `UsageError` if the installed packages are not those of the task's lock file."""
    if task.lock is None:
        return
    installed = (release.partition(" ") for release in releases(task.packages, interpreter))
    wrong = differing(task.lock, {name: version for name, _, version in installed})
    if wrong:
        more = [f"and {len(wrong) - _MOST_TOLD} more"] if len(wrong) > _MOST_TOLD else []
        told = "; ".join([*wrong[:_MOST_TOLD], *more])
        message = f"the packages of Python {interpreter.version} are not those of {task.lock.file}: {told}"
        raise UsageError(Fault(message, hint=f"install them: {_command(task, interpreter)}"))


def differing(lock: Lock, installed: dict[str, str]) -> list[str]:
    """Return in words where installed packages, as version by name, differ from the lock file."""
    locked: dict[str, list[str]] = {}
    for name, version in lock.releases:
        locked.setdefault(name, []).append(version)
    wrong = []
    for name, version in installed.items():
        if name not in locked:
            wrong.append(f"{name} {version} is not in it")
        elif version not in locked[name]:
            wrong.append(f"{name} is {version}, not {' or '.join(locked[name])}")
    return wrong


def _command(task: Task, interpreter: Interpreter) -> str:
    assert task.lock is not None
    path = str(task.spec_path.parent / task.lock.path)
    python = quote(interpreter.command)
    if path.endswith(".lock"):
        folder = quote(str((task.spec_path.parent / task.lock.path).parent))
        return f"uv export --project {folder} --no-emit-project | uv pip install --python {python} -r -"
    if path.endswith(".toml"):
        return f"uv pip sync --python {python} {quote(path)}"
    return f"{python} -m pip install -r {quote(path)}"

"""The code that everybody was given: starter code beside the spec."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.model.errors import Fault, UsageError
from grader.store.record_parts import RecordedSpec

HANDOUT = "handout"
_MOST_FILES = 1_000
_LARGEST_B = 1 << 20


def starter_texts(spec: RecordedSpec, starter: Sequence[Path]) -> list[str]:
    """Return the texts of starter code.

    starter: files or folders; by default `handout` beside the spec, if it is still there.
    Raises `UsageError` if a named path holds no Python file.
    """
    texts: list[str] = []
    named = list(starter)
    if not named:
        path = Path(spec.path)
        beside = path.with_suffix("") / HANDOUT
        named = [beside] if beside.is_dir() else []
    for path in named:
        found = list(_files(path))
        if not found:
            hint = "--starter takes .py files and folders"
            raise UsageError(Fault("there is no Python file", str(path), hint=hint))
        texts += found
    return texts


def _files(path: Path) -> Iterator[str]:
    try:
        files = sorted(path.rglob("*.py"))[:_MOST_FILES] if path.is_dir() else [path]
        for file in files:
            if file.is_file():
                with file.open("rb") as stream:
                    yield stream.read(_LARGEST_B).decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(Fault(f"cannot be read: {error.strerror or error}", str(path))) from error

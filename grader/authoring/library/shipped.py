"""Opens libraries: the one that the grader brings along, and folders of others.

The grader's own lies in the checkout, and in an installation as one file, which a build packs
(`.ci/pack_library.py`).
"""

import io
import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grader
from grader.authoring.library.library import Library
from grader.intake.trees.folder import FolderTree
from grader.intake.trees.memory import MemoryTree
from grader.model.errors import Fault, UsageError

PACKED = "tasks.tar.gz"
SHELVES = (("specs",), ("docs", "cookbook"))
"""The folders of the checkout with tasks: assignments, and recipes."""
OWN = "the library of grader"


@contextmanager
def own_library() -> Iterator[Library]:
    """Open the grader's own library.  Raises `UsageError` in an installation without it."""
    packed = Path(__file__).with_name(PACKED)
    checkout = Path(grader.__file__).parents[1]
    if packed.is_file():
        yield Library(MemoryTree(_unpacked(packed)), OWN, OWN, grader.__version__, SHELVES)
    elif all(checkout.joinpath(*shelf).is_dir() for shelf in SHELVES):
        with FolderTree(checkout) as tree:
            yield Library(tree, OWN, OWN, grader.__version__, SHELVES)
    else:
        hint = "pip install grader-harness brings it; what a handout carries is for `grader check` alone"
        raise UsageError(Fault("this installation has no library of tasks", hint=hint))


@contextmanager
def library_in(folder: Path) -> Iterator[Library]:
    """Open the library in a folder.  Raises `UsageError`."""
    # The folder is the person's own choice; links in it are not.
    real = Path(os.path.realpath(folder))
    try:
        tree = FolderTree(real)
    except OSError as error:
        raise UsageError(Fault(f"the library can't be read: {error.strerror}", str(folder))) from error
    with tree:
        yield Library(tree, str(folder), real.name)


def _unpacked(path: Path) -> Iterator[tuple[str, bytes]]:
    try:
        with tarfile.open(fileobj=io.BytesIO(path.read_bytes()), mode="r:gz") as archive:
            for member in archive:
                file = archive.extractfile(member)
                if file is not None:
                    yield member.name, file.read()
    except (OSError, tarfile.TarError, EOFError) as error:
        hint = "install the grader again: pip install --force-reinstall grader-harness"
        raise UsageError(Fault("the library of tasks is damaged", str(path), hint=hint)) from error

"""The folder that results go to: whether they can go there, said before any work is done."""

import os
from pathlib import Path
from typing import NoReturn

from grader.model.errors import Fault, UsageError
from grader.reports.written_pages import STAFF_FOLDER, STUDENT_FOLDER


def check_apart(folder: Path, submissions: tuple[Path, ...]) -> None:
    """Raises `UsageError` where results would lie in what was handed in, or pages between it."""
    try:
        place = folder.resolve()
        of_pages = [(folder / name).resolve() for name in (STAFF_FOLDER, STUDENT_FOLDER)]
    except (OSError, RuntimeError):  # as Python before 3.13 says it
        refuse_to_write(folder, "its path leads in a circle")
    named = [path.resolve() for path in submissions]
    if sum(path.parent == place for path in named) > 1:
        # Students who were named one by one; whoever names all that lies there next has the pages among them.
        refuse_to_write(folder, "they would lie among the submissions")
    for path in named:
        below = any(each.is_relative_to(path) for each in (place, *of_pages))
        if below or any(path.is_relative_to(each) for each in of_pages):
            refuse_to_write(folder, "they would lie among the submissions")


def check_writable(folder: Path) -> None:
    """Raises `UsageError` where the folder could not be made, or not be written to."""
    try:
        existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))
    if not existing.is_dir():
        refuse_to_write(
            folder, f"{existing} is a file" if existing != folder else "there is a file of that name"
        )
    if not os.access(existing, os.W_OK | os.X_OK):
        refuse_to_write(folder, "permission denied")


def make_folder(folder: Path) -> None:
    """Make the folder and those above it.  Raises `UsageError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        refuse_to_write(folder, error.strerror or str(error))


def refuse_to_write(folder: Path, reason: str) -> NoReturn:
    """Raises `UsageError`."""
    hint = "choose another folder with -o"
    raise UsageError(Fault(f"cannot write the results: {reason}", str(folder), hint=hint)) from None

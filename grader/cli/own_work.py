"""Finds a student's task and a student's work from the folder that they are in."""

import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from shlex import quote

import click

from grader.cli.options import SPEC_SUFFIXES, check_order
from grader.intake import Candidate, discover
from grader.intake.candidate import SourceKind
from grader.intake.layouts.plain import PLAIN, Expected
from grader.intake.names import is_python, listed, readable
from grader.model.errors import Fault, NothingToMark, UsageError
from grader.yamlfile.top_keys import looks_like_spec

_MOST_FILES = 200
"""The most files of a folder that are looked at."""
_MOST_NAMED = 3
_MANY = 2
_NEAR, _FURTHEST = 2, 3
"""In so many folders a task is sought outside of a repository, this one included: anybody's, one's own."""


def spec_and_path(arguments: Sequence[Path]) -> tuple[Path, Path]:
    """Return the spec and the work of a call of `grader check`; look for the one that it did not name.

    Raises `UsageError` and `click.UsageError`.
    """
    if len(arguments) == _MANY:
        spec, path = arguments
        check_order(spec, [path], "your work")
        return spec, path
    if not arguments:
        return find_spec(Path()), Path()
    (one,) = arguments
    if one.suffix in SPEC_SUFFIXES:
        return one, Path()
    if not one.exists():
        # Its message names the nearest file.
        discover([one], {})
    return find_spec(one if one.is_dir() else one.parent), one


def find_spec(folder: Path) -> Path:
    """Return the spec in a folder, or in the nearest one above it up to the repository's root.

    Outside a repository only the folder, its parent and the one above that are looked at.  Raises
    `UsageError` if there is none, or if a folder has several.
    """
    start = Path(os.path.abspath(folder))
    places, is_repository = _places(start)
    for place in places:
        specs = sorted(_specs_in(place))
        if len(specs) == 1:
            return Path(os.path.relpath(specs[0]))
        if specs:
            names = ", ".join(readable(path.name) for path in specs[:_MOST_NAMED])
            more = ", …" if len(specs) > _MOST_NAMED else ""
            first = quote(readable(os.path.relpath(specs[0])))
            message = f"several tasks lie here: {names}{more}"
            raise UsageError(Fault(message, readable(str(place)), hint=f"name yours: grader check {first}"))
    hint = "unpack your instructor's handout here, or name its file: grader check TASK.yaml"
    above = "above it" if is_repository else "in the two above it"
    raise UsageError(Fault(f"there is no task in this folder, nor {above}", readable(str(folder)), hint=hint))


def _places(folder: Path) -> tuple[list[Path], bool]:
    """Return where to look, and whether it ends at the root of a repository."""
    above = [folder, *folder.parents]
    for number, place in enumerate(above):
        if (place / ".git").exists():
            return above[: number + 1], True
    # In a folder that others share a task may be a stranger's, and nobody would look for it there.
    further = [place for place in above[_NEAR:_FURTHEST] if _is_own(place)]
    return [*above[:_NEAR], *further], False


def _is_own(folder: Path) -> bool:
    """Tell whether a folder belongs to the user, and not everybody can write to it."""
    if not hasattr(os, "getuid"):
        return True
    try:
        found = folder.stat()
    except OSError:
        return False
    # Many systems give each user a group of their own, which may write to all that is theirs.
    return found.st_uid == os.getuid() and not found.st_mode & stat.S_IWOTH


def _specs_in(folder: Path) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return
    for name in [name for name in names if name.endswith(SPEC_SUFFIXES)][:_MOST_FILES]:
        if looks_like_spec(folder / name):
            yield folder / name


def own_work(path: Path, modules: Mapping[str, str]) -> Candidate:
    """Return the work at a path, as one student's.

    modules: module name -> file name.  Raises `UsageError` and `NothingToMark` with words for students.
    """
    asked = listed(modules.values())
    here = _files(path) if path.is_dir() else []
    name = readable(os.path.basename(os.path.abspath(path)))
    if Expected(modules).holds(here):
        return Candidate(name, name, SourceKind.FOLDER, Path(os.path.realpath(path)))
    try:
        candidates = discover([path], modules, layout=PLAIN)
    except NothingToMark:
        raise NothingToMark(_nothing(path, modules.values(), here)) from None
    if len(candidates) == 1:
        return candidates[0]
    python = [file for file in here if is_python(file)]
    if python:
        message, hint = f"the task asks for {asked}; found {listed(python)}", f"rename yours to {asked}"
        raise UsageError(Fault(message, readable(str(path)), hint=f"{hint}, or name it: grader check FILE"))
    names = [candidate.name for candidate in candidates[:_MOST_NAMED]]
    more = ", …" if len(candidates) > _MOST_NAMED else ""
    raise click.UsageError(
        f"{path} holds {len(candidates)} submissions ({', '.join(names)}{more}); name the one that is yours"
    )


def _files(folder: Path) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file())
    except OSError:
        return []


def _nothing(path: Path, files: Collection[str], here: Sequence[str]) -> Fault:
    """Return the message about a place without Python files, among which one can be named wrongly."""
    asked = listed(files)
    for name in here:
        meant = next((file for file in files if name.casefold() == f"{file}.txt".casefold()), "")
        if meant:
            message = f"found {readable(name)}; the task asks for {meant}"
            return Fault(message, readable(str(path)), hint=f"rename it to {meant}; the system may hide .txt")
    message = f"there is no Python file here; the task asks for {asked}"
    hint = f"save your work here as {asked}, or name the place where it lies: grader check FOLDER"
    return Fault(message, readable(str(path)), hint=hint)


def own_files(path: Path) -> Iterator[Path]:
    """Yield the files that verdicts depend on: Python files here, and one folder below."""
    if not path.is_dir():
        yield path
        return
    try:
        with os.scandir(path) as entries:
            below = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in below:
        if is_python(entry.name):
            yield Path(entry.path)
        elif entry.name[0] != "." and entry.is_dir():
            yield from (Path(entry.path, name) for name in _files(Path(entry.path)) if is_python(name))

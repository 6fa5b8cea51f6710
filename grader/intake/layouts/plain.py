"""Tells one student's folder from a folder of students, by where the task's files lie.

It looks at names only, and at no more of them than it needs: ten thousand folders of students are
listed once, and few of them are opened.

Two plain readings can fit one layout.  A folder with a single folder of work in it is
taken as a batch of one student; a zip of that kind as one student's work, because that is
what zipping a folder gives.
"""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import chain, islice

from grader.intake.names import (
    folded,
    folded_file,
    is_archive,
    is_python,
    listed,
    main_sources,
    stem,
    with_other_endings,
)
from grader.intake.trees.tree import Level, Parts, Tree, TreeEntry
from grader.model.errors import Fault, UsageError
from grader.model.task import AskedFiles

PLAIN, GIT = "plain", "git"
"""The names of layouts that no LMS has given: folders of any kind, and clones of repositories."""

CLOSE = 0.75
"""Similarity from which a file name counts as a typing mistake."""

_NAME_MOST = 300
_COMPARED = 40
"""Characters of a name that are compared; the time for it grows with their square."""
_MOST_FOLDERS = 1000
"""Folders that are looked at for work; what has more may hold some."""
COMPARED_NAMES = 100
"""Names of one folder that are compared with those that are asked for."""
_ATTEMPT = re.compile(r"(?:attempt|try|version)[ _-]?([0-9]{1,6})", re.IGNORECASE)
"""A folder that holds one of several attempts."""
_USUAL = "src source sources code python py solution solutions submission work project"
_USUAL_WRAPPERS = frozenset(_USUAL.split())
"""Folders named after their content, not after a student."""


class Expected:
    """The file names that a task asks for, in the forms in which they are looked for."""

    def __init__(self, modules: Mapping[str, str]) -> None:
        self.files = tuple(modules.values())
        others = modules.others.values() if isinstance(modules, AskedFiles) else ()
        names = (*map(with_other_endings, self.files), *others)
        self.folded = frozenset(folded_file(name) for group in names for name in group)
        beside = modules.beside if isinstance(modules, AskedFiles) else {}
        self._endings, self._further = tuple(beside), tuple(chain.from_iterable(beside.values()))

    def is_source(self, name: str) -> bool:
        """Tell whether a name ends as a source's does, in Python or in a language that the task allows."""
        return is_python(name) or bool(self._endings and folded_file(name).endswith(self._endings))

    def is_code(self, name: str) -> bool:
        """Tell whether a name ends as a source's does, or as a header's that sources include."""
        return self.is_source(name) or bool(self._further and folded_file(name).endswith(self._further))

    def is_work(self, name: str) -> bool:
        """Tell whether a file can be a submission by itself: a source, or an archive."""
        return self.is_source(name) or is_archive(name)

    def sources(self, names: Iterable[str]) -> list[str]:
        """Return the sources among names; a single notebook beside them is no work of its own."""
        others = [name for name in names if self.is_source(name) and not is_python(name)]
        return [*main_sources(names), *others]

    def holds(self, names: Collection[str]) -> bool:
        """Tell whether one of these names is asked for; upper and lower case are alike."""
        return any(folded_file(name) in self.folded for name in names)

    def among(self, level: Level) -> bool:
        """Tell whether one of these files lies in a folder, if only as a link."""
        return self.holds(level.files) or self.holds(level.links)

    def nearest(self, name: str) -> str:
        """Return the file name that was probably meant, or "".  Editors make `a.py.txt` of `a.py`."""
        whole = {folded(file): file for file in self.files}.get(folded(stem(name[:_NAME_MOST])))
        if whole:
            return whole
        ratio, best = max(((_similarity(name, file), file) for file in self.files), default=(0.0, ""))
        return best if ratio >= CLOSE else ""


def _similarity(name: str, expected: str) -> float:
    one, other = (folded(stem(text)[:_COMPARED])[:_COMPARED] for text in (name, expected))
    matcher = SequenceMatcher(None, one, other)
    return matcher.ratio() if matcher.quick_ratio() >= CLOSE else 0.0


def batch_folder(tree: Tree, expected: Expected, *, is_zip_file: bool = False) -> Parts | None:
    """Return the folder whose folders and files are one student's each; None: all is one's.

    Never fails; an empty tree is an empty batch.
    """
    level = tree.level(())
    python = expected.sources(level.files)
    archives = _archives(level)
    if expected.among(level):
        return () if _several(_students(tree, (), level, expected)) else None
    if python:
        beside = archives or any(_depths(tree, (), level, expected))
        return () if beside or _one_file_each(python, expected) else None
    if archives or not level.folders:
        return ()
    if len(level.folders) == 1:
        return _under_one_folder(tree, level.folders[0], expected, is_zip_file=is_zip_file)
    if all(map(_ATTEMPT.fullmatch, level.folders)):
        return None
    wrappers = [name for name in level.folders if _is_wrapper(name, expected)]
    if len(wrappers) != 1 or list(islice(_holders(tree, (), level, expected), 2)) != wrappers:
        return ()
    others = (name for name in _students(tree, (), level, expected) if name not in wrappers)
    return () if _several(others) else None


def _under_one_folder(tree: Tree, name: str, expected: Expected, *, is_zip_file: bool) -> Parts | None:
    """Return the same for a tree that holds a single folder, which may be but a wrapper."""
    level = tree.level((name,))
    if expected.among(level) or any(map(expected.is_source, level.files)):
        if _several(_students(tree, (name,), level, expected)):
            return (name,)
        return None if is_zip_file or _is_wrapper(name, expected) else ()
    if level.folders and all(map(_ATTEMPT.fullmatch, level.folders)):
        return None if is_zip_file or _is_wrapper(name, expected) else ()
    depths = list(islice(_depths(tree, (name,), level, expected), 2))
    works = len(depths) + _archives(level)
    many = works > 1 or 2 in depths or (not works and len(level.folders) > 1)
    return (name,) if many else ()


def check_one_students(level: Level, expected: Expected, where: str) -> None:
    """Raise `UsageError` where files that seem one student's may well be several students'.

    That is so where a file that the task asks for lies there several times, and only in other names, such as
    `amy_knight1.py` and `bob_knight1.py`.
    """
    python = expected.sources(level.files)
    if expected.among(level) or len(expected.files) < 2:
        return
    for file in expected.files:
        wanted = re.compile(rf"(?:.*[\W_])?{re.escape(folded(stem(file)))}(?:[\W_].*)?", re.DOTALL)
        odd = [name for name in python if wanted.fullmatch(folded(stem(name[: _COMPARED * 4])))]
        if len(odd) > 1:
            raise UsageError(
                Fault(
                    f"it's not sure whose work lies here: {listed(odd)} may all be {file}; expected files of "
                    "the names that the task asks for, a folder for each student, or an LMS's download",
                    where,
                    hint="give --layout plain if all of it is one student's",
                )
            )


def work_folder(entries: Collection[TreeEntry], expected: Expected) -> Parts:
    """Return where in one student's work the task's files lie: its root, one folder below, or deeper.

    Of folders that are numbered attempts, the latest.  Deeper, only where no other folder holds such a file.
    """
    names = [entry.parts for entry in entries if entry.parts]
    here = [parts[0] for parts in names if len(parts) == 1]
    below = [parts for parts in names if len(parts) == 2]
    if expected.holds(here):
        return ()
    holders = {parts[0] for parts in below if expected.holds(parts[1:])}
    if not holders and not any(expected.is_source(name) for name in here):
        holders = {parts[0] for parts in below if expected.is_source(parts[1])}
    attempts = sorted((int(match[1]), name) for name in holders if (match := _ATTEMPT.fullmatch(name)))
    if len(holders) > 1 and len(attempts) == len(holders):
        return (attempts[-1][1],)
    if not holders:
        return _deeper(names, here, expected)
    return (holders.pop(),) if len(holders) == 1 else ()


def _deeper(names: Iterable[Parts], here: Iterable[str], expected: Expected) -> Parts:
    """Return the only folder that holds a file of the task or, where there is no source above, any source."""
    every = list(names)
    holders = {parts[:-1] for parts in every if expected.holds(parts[-1:])}
    if not holders and not any(map(expected.is_source, here)):
        holders = {parts[:-1] for parts in every if expected.is_source(parts[-1])}
    return holders.pop() if len(holders) == 1 else ()


def attempts_in(tree: Tree, folder: Parts, expected: Expected) -> tuple[str, ...]:
    """Return the folders that hold the attempts of one student, in their order; none where it is one work."""
    level = tree.level(folder)
    if expected.among(level) or any(map(expected.is_source, level.files)):
        return ()
    holders = [name for name in level.folders if holds_work(tree, (*folder, name), expected)]
    numbered = sorted((int(match[1]), name) for name in holders if (match := _ATTEMPT.fullmatch(name)))
    return tuple(name for _, name in numbered) if 1 < len(numbered) == len(holders) else ()


def holds_work(tree: Tree, folder: Parts, expected: Expected) -> bool:
    """Tell whether work may lie in a folder or below it: Python, an archive, or a file of the task."""
    waiting = deque([folder])
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return False
        above = waiting.popleft()
        level = tree.level(above)
        if _may_hold_work(level, expected):
            return True
        waiting += [(*above, name) for name in level.folders]
    return True


def _may_hold_work(level: Level, expected: Expected) -> bool:
    return bool(level.unread) or any(map(expected.is_work, level.files)) or expected.holds(level.files)


def _holders(tree: Tree, folder: Parts, level: Level, expected: Expected) -> Iterator[str]:
    """Yield the folders below that hold one of the task's files themselves."""
    for name in level.folders:
        if expected.among(tree.level((*folder, name))):
            yield name


def _students(tree: Tree, folder: Parts, level: Level, expected: Expected) -> Iterator[str]:
    """Yield the folders below that may be students': they hold an archive, or a file of the task."""
    for name in level.folders:
        inner = tree.level((*folder, name))
        if expected.among(inner) or _archives(inner) or any(_holders(tree, (*folder, name), inner, expected)):
            yield name


def _depths(tree: Tree, folder: Parts, level: Level, expected: Expected) -> Iterator[int]:
    """Yield 1 for each folder below that holds a file of the task; 2 if a wrapper in it does."""
    for name in level.folders:
        inner = tree.level((*folder, name))
        if expected.among(inner):
            yield 1
        elif len(list(islice(_holders(tree, (*folder, name), inner, expected), 2))) == 1:
            yield 2


def _several(names: Iterator[str]) -> bool:
    """Tell whether there is more than one.

    One folder with another copy is usually an old version; in two or more they are students'.
    """
    return len(list(islice(names, 2))) > 1


def _archives(level: Level) -> int:
    return sum(map(is_archive, level.files))


def _is_wrapper(name: str, expected: Expected) -> bool:
    return folded(name) in _USUAL_WRAPPERS or f"{folded(name)}.py" in expected.folded


def _one_file_each(python: Collection[str], expected: Expected) -> bool:
    """Tell whether each Python file is a student's: several, and not one slip of the pen."""
    if len(expected.files) > 1 or len(python) < 2:
        return False
    slips = (name for name in islice(python, COMPARED_NAMES) if expected.nearest(name))
    return len(list(islice(slips, 2))) != 1

"""Finds the packages that a task allows, and imports them once for all of its boxes."""

import importlib
import os
import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from grader.worker.box import arrays, plots, tables

_OWN = "grader."
"""Begins the names of our own modules."""


class _Named:
    """A finder for a folder of packages that finds modules of some names only."""

    def __init__(self, finder: Any, names: frozenset[str]) -> None:
        self._finder = finder
        self._names = names

    def find_spec(self, name: str, target: ModuleType | None = None) -> ModuleSpec | None:
        found: ModuleSpec | None = None
        if name.partition(".")[0] in self._names:
            found = self._finder.find_spec(name, target)
        return found

    def invalidate_caches(self) -> None:
        self._finder.invalidate_caches()


def look_in(folders: Iterable[str], names: Iterable[str] | None) -> None:
    """Before the first box: have imports look in `folders`, after the library, for modules of these names.

    names: None for all.  Without a root of our own, a program that takes imports apart finds the others too.
    """
    folders = [*folders]
    sys.path[:] = [entry for entry in sys.path if entry] + folders
    if folders and names is not None:
        from pkgutil import get_importer  # noqa: PLC0415  (few tasks have packages)

        known = frozenset(names)
        for folder in folders:
            finder = get_importer(folder)
            if finder is not None:
                sys.path_importer_cache[folder] = _Named(finder, known)


def preload(names: Iterable[str]) -> None:
    """Before the first box: import modules, some of them ours, and prepare for the values of packages."""
    wanted = [*names]
    for name in wanted:
        if name.startswith(_OWN):
            _make_importable(name.rpartition(".")[0])
    if any(name.partition(".")[0] not in sys.stdlib_module_names for name in wanted):
        _with_folder(wanted)
    else:
        _load(wanted)
    arrays.prepare()
    tables.prepare()
    plots.prepare()


def _make_importable(package: str) -> None:
    """Make a package of ours, of which a zygote has `wire` and `worker` alone.

    Nothing can be imported from the packages that it is in.
    """
    from grader import worker  # noqa: PLC0415  (its path says where the others are)

    top, *inner = package.split(".")
    for depth in range(1, len(inner)):
        outer = ".".join((top, *inner[:depth]))
        sys.modules.setdefault(outer, ModuleType(outer)).__path__ = []
    module = ModuleType(package)
    module.__path__ = ["/".join((os.path.dirname(worker.__path__[0]), *inner))]
    sys.modules[package] = module


def _load(names: list[str]) -> None:
    for name in names:
        importlib.import_module(name)


def _with_folder(names: list[str]) -> None:
    """Import modules while matplotlib has a folder to write to, which it looks for when it is imported."""
    import shutil  # noqa: PLC0415  (few tasks have packages)
    import tempfile  # noqa: PLC0415

    os.environ["MPLBACKEND"] = "agg"
    try:
        folder = tempfile.mkdtemp(prefix="grader-")
    except OSError:
        _load(names)
        return
    os.environ["MPLCONFIGDIR"] = folder
    try:
        _load(names)
    finally:
        del os.environ["MPLCONFIGDIR"]
        shutil.rmtree(folder, ignore_errors=True)
        # The folder that was just found is the host's; a box has its own, or none that it can write to.
        tempfile.tempdir = os.environ.get("TMPDIR")

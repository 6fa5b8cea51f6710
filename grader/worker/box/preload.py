"""Imports the packages that a task allows, once for all of its boxes."""

import importlib
import os
import sys
from collections.abc import Iterable

from grader.worker.box import arrays, plots, tables


def preload(names: Iterable[str]) -> None:
    """Before the first box: import modules, and prepare for the values of packages."""
    wanted = [*names]
    if any(name.partition(".")[0] not in sys.stdlib_module_names for name in wanted):
        _with_folder(wanted)
    else:
        _load(wanted)
    arrays.prepare()
    tables.prepare()
    plots.prepare()


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

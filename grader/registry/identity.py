"""The identity of the plugins on which a mark can depend: name, version, and digest of the code.

The version alone would not do: a plugin's author sets it by hand, and code that is installed for editing
changes under one version.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from grader.registry.groups import IN_MARKS
from grader.registry.installed import Plugin
from grader.registry.registry import registry


@cache
def plugins_in_marks() -> dict[str, str]:
    """Return version and digest of each installed plugin that brings something on which a mark can depend.

    One that cannot be imported counts too: on another day it can, under the same version.
    """
    found = {entry.plugin for group in IN_MARKS for entry in registry().claimed(group)}
    return {plugin.name: _identity(plugin) for plugin in sorted(filter(None, found), key=str)}


def _identity(plugin: Plugin) -> str:
    """Return the version of a plugin, and the digest of all files of its package with their names."""
    total = hashlib.sha256()
    for folder, path in files_of(plugin):
        name = path.relative_to(folder).as_posix().encode(errors="surrogateescape")
        for part in (name, path.read_bytes()):
            total.update(len(part).to_bytes(8, "big"))
            total.update(part)
    return f"{plugin.version}, code {total.hexdigest()}"


def files_of(plugin: Plugin) -> Iterator[tuple[Path, Path]]:
    """Yield the files of a plugin's package without compiled ones, each after the package's folder."""
    for folder in folders_of(plugin.package):
        for path in [folder] if folder.is_file() else sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield folder, path


def owner(file: str, plugins: Iterable[Plugin]) -> Plugin | None:
    """Return which of these plugins a file of code belongs to; None if it is none's."""
    for plugin in plugins:
        if any(Path(file).is_relative_to(folder) for folder in folders_of(plugin.package)):
            return plugin
    return None


@cache
def folders_of(package: str) -> tuple[Path, ...]:
    """Return the folders of a top package, or the file of a top module; nothing where there is none."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ()
    if spec is None:
        return ()
    if spec.submodule_search_locations is not None:
        return tuple(map(Path, spec.submodule_search_locations))
    return (Path(spec.origin),) if spec.origin else ()

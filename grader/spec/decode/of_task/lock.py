"""The lock file of a task: which versions its packages have, as pip, uv or PEP 751 write it."""

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from grader.model.task import Lock
from grader.spec.reference.files import Files, read_file
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import if_usable

_PINNED = re.compile(r"([A-Za-z0-9][\w.-]*)\s*(?:\[[^]]*\])?\s*==\s*([\w.+!-]+)\s*(?:;.*|--hash.*)?")
_LONGEST_B = 4 * 1024 * 1024


def decode_lock(parent: Fields, folder: Path) -> tuple[Lock | None, Files | None]:
    """Return the `lock` of a task, and its file; report a file that locks nothing."""
    file = if_usable(read_file, parent, "lock", folder, "the lock file")
    if parent.has("lock") and not parent.has("packages"):
        parent.report_key("lock", "`lock` goes with `packages`", "such as packages: [numpy]")
    if file is None:
        return None, None
    ((name, content),) = file.contents.items()
    try:
        if len(content) > _LONGEST_B:
            raise ValueError("it is longer than 4 MiB")
        text = content.decode()
        pairs = _of_toml(text) if name.endswith((".toml", ".lock")) else _of_requirements(text)
        releases = tuple(sorted({(normal(one), version) for one, version in pairs}))
        if not releases:
            raise ValueError("it names no package with its version")
    except (ValueError, RecursionError) as error:
        hint = "such as a line numpy==2.1.0, a `uv.lock` or a `pylock.toml`"
        parent.report("lock", f"{shown(name)} is no lock file: {shown(str(error))}", hint)
        return None, file
    return Lock(name, parent["lock"], sha256(content).hexdigest(), releases), file


def normal(name: str) -> str:
    """Return a distribution's name in the form for comparison (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _of_toml(text: str) -> Iterator[tuple[str, str]]:
    """Yield the packages of a `uv.lock` or a `pylock.toml`."""
    import tomllib

    document: dict[str, Any] = tomllib.loads(text)
    packages = document.get("package", document.get("packages"))
    for one in packages if isinstance(packages, list) else ():
        match one:
            case {"name": str(name), "version": str(version)}:
                yield name, version


def _of_requirements(text: str) -> Iterator[tuple[str, str]]:
    """Yield the packages of pip's requirements.  Raises `ValueError` for one without its version."""
    for number, line in enumerate(text.replace("\\\n", " ").replace("\\\r\n", " ").splitlines(), 1):
        wanted = re.sub(r"(^|\s)#.*", "", line).strip()
        if not wanted or wanted.startswith("-"):
            continue
        pinned = _PINNED.fullmatch(wanted)
        if pinned is None:
            raise ValueError(f"requirement {number} has no single version: {wanted[:80]}")
        yield pinned[1], pinned[2]

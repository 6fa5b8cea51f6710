"""Makes the wheel of an installed distribution again.

pip keeps no wheel, but all files of one lie in the environment, with their digests in its RECORD.  What is
made is for a check: a distribution's compiled part is left out where it does without, and our own library of
tasks, which has their references and hidden cases.  The version says so.
"""

import base64
import csv
import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import grader
from grader.authoring.library.shipped import PACKED
from grader.model.errors import Fault, UsageError

OWN = "grader-harness"
"""The name under which pip knows this grader."""
_COMPILED = (".so", ".pyd")
_REDUCED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    # It looks for its compiled part, and goes on where that is missing.
    "pyyaml": ("+pure", _COMPILED),
    # A handout is for a check: no library of tasks, no converters, and no page to mark by hand, which needs
    # more packages.
    OWN: (
        "+check",
        (f"/library/{PACKED}", "/plugins/convert/", "/review.js", "/review_queue.js", "/review.css"),
    ),
}
"""Distributions that do without some files: the label of their version then, and how the files' names end.

What ends with a slash is a folder, of which all is left out.
"""
_OF_INSTALLERS = {"INSTALLER", "RECORD", "REQUESTED", "direct_url.json", "uv_build.json", "uv_cache.json"}
_SCRIPTS = ("../", "bin/", "Scripts/")
_TAG = "py3-none-any"
_WHEEL = f"Wheel-Version: 1.0\nGenerator: grader {grader.__version__}\nRoot-Is-Purelib: true\nTag: {_TAG}\n"
_DATE = (2020, 2, 2, 0, 0, 0)
"""The date of every file: that of a build by hatchling, so that a release and this give the same bytes."""
_FILE, _METADATA = 0o100644 << 16, 0o644 << 16
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel for every system.  distribution, version: of what it installs.  name: of its file."""

    distribution: str
    version: str
    name: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def wheel_of(name: str) -> Wheel:
    """Return the wheel of an installed distribution.

    Raises `UsageError` if pip did not install it, if its files are others now, or if it is not plain Python.
    """
    try:
        found = distribution(name)
    except PackageNotFoundError:
        raise _unknown(name) from None
    files, info = _files(found, name)
    version = found.version
    if name == OWN:
        if version.removesuffix(_REDUCED[OWN][0]) != grader.__version__:
            reason = f"grader {grader.__version__} runs here, and pip knows {OWN} {version}"
            raise UsageError(Fault(reason, hint="install it again, and make the handout again"))
        files = _with_package(found, files)
    if name in _REDUCED:
        files, info, version = _reduced(files, info, version, *_REDUCED[name])
    elif any(path.endswith(_COMPILED) for path in files):
        raise UsageError(Fault(f"{name} {version} is not plain Python, so no wheel of it fits everywhere"))
    if f"Tag: {_TAG}\n" not in files.get(f"{info}/WHEEL", b"").decode():
        files[f"{info}/WHEEL"] = _WHEEL.encode()
    stem = info.removesuffix(".dist-info")
    return Wheel(name, version, f"{stem}-{_TAG}.whl", _zipped(files, info))


def _unknown(name: str) -> UsageError:
    reason = f"{name} was not installed by pip here, so its wheel cannot be made"
    return UsageError(Fault(reason, hint=f"install it in an environment: pip install {OWN}"))


def _files(found: Distribution, name: str) -> tuple[dict[str, bytes], str]:
    """Return the files of a distribution by their paths in a wheel, and the folder of its metadata."""
    files: dict[str, bytes] = {}
    folders = set()
    for file in found.files or ():
        path = file.as_posix()
        if file.name == "RECORD":
            folders.add(path.partition("/")[0])
        if path.startswith(_SCRIPTS) or path.endswith((".pth", ".pyc")) or file.name in _OF_INSTALLERS:
            continue
        try:
            content = Path(str(found.locate_file(file))).read_bytes()
        except OSError as error:
            reason = f"a file of {name} cannot be read: {error.strerror}"
            raise UsageError(Fault(reason, str(found.locate_file(file)))) from None
        if file.hash is not None and _digest(content) != f"{file.hash.mode}={file.hash.value}":
            reason = f"this file of {name} is not the one that was installed"
            hint = f"install it again: pip install --force-reinstall {name}"
            raise UsageError(Fault(reason, str(found.locate_file(file)), hint=hint))
        files[path] = content
    info = next(iter(folders), "")
    if not info.endswith(".dist-info") or f"{info}/METADATA" not in files:
        raise _unknown(name)
    return files, info


def _with_package(found: Distribution, files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files with the grader's own.  An editable installation lists none."""
    package = Path(grader.__file__).parent
    if "grader/__init__.py" not in files:
        of_package = {
            path.relative_to(package.parent).as_posix(): path.read_bytes()
            for path in package.rglob("*")
            if path.is_file() and path.suffix != ".pyc" and not _is_hidden(path.relative_to(package))
        }
        return {**of_package, **files}
    if Path(str(found.locate_file("grader"))).resolve() != package.resolve():
        reason = f"the grader that runs here is not the {OWN} that pip installed"
        raise UsageError(Fault(reason, str(package), hint="leave PYTHONPATH out, and make the handout again"))
    return dict(files)


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def _reduced(
    files: Mapping[str, bytes], info: str, version: str, label: str, endings: tuple[str, ...]
) -> tuple[dict[str, bytes], str, str]:
    """Return the files of a distribution without some, the folder of its metadata and its version.

    label: is added to the version.
    """
    label = f"{version.removesuffix(label)}{label}"
    folder = f"{info.removesuffix('.dist-info').removesuffix(version)}{label}.dist-info"
    plain = {
        path.replace(f"{info}/", f"{folder}/", 1): content
        for path, content in files.items()
        if not (path.endswith(endings) or any(each in path for each in endings if each.endswith("/")))
    }
    head = f"{folder}/METADATA"
    plain[head] = re.sub(rb"(?m)^Version: .*$", f"Version: {label}".encode(), plain[head], count=1)
    return plain, folder, label


def _zipped(files: Mapping[str, bytes], info: str) -> bytes:
    """Return a wheel, in the order of a build: a folder's files before its folders, metadata last."""
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(files, key=lambda path: (path.startswith(f"{info}/"), _place(path))):
            _add(archive, path, files[path], info)
            rows.writerow((path, _digest(files[path]), len(files[path])))
        rows.writerow((f"{info}/RECORD", "", ""))
        _add(archive, f"{info}/RECORD", record.getvalue().encode(), info)
    return content.getvalue()


def _place(path: str) -> list[tuple[bool, str]]:
    *folders, name = path.split("/")
    return [*((True, folder) for folder in folders), (False, name)]


def _add(archive: zipfile.ZipFile, path: str, content: bytes, info: str) -> None:
    entry = zipfile.ZipInfo(path, _DATE)
    entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, _UNIX
    entry.external_attr = _METADATA if path.startswith(f"{info}/") else _FILE
    archive.writestr(entry, content, compresslevel=9)


def _digest(content: bytes) -> str:
    code = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={code.decode()}"

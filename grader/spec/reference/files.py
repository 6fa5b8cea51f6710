"""The instructor's files that a spec names: the reference's modules and the checkers.

They are read and parsed, never run; their bytes are part of the spec's digest.
"""

import os
from dataclasses import dataclass, field, replace
from importlib.util import decode_source
from pathlib import Path

from grader.intake.names import is_notebook
from grader.intake.source.notebook import NOTEBOOK_MAX_B, code_of_notebook
from grader.intake.source.text import Care
from grader.model.submission import ALL_CELLS, as_python
from grader.model.task import OwnCode
from grader.runtime.folders import walked
from grader.spec.reference.definitions import Definitions, read_definitions
from grader.wire.notebook import as_one_file
from grader.yamlfile.reporter import Reporter
from grader.yamlfile.source import shown
from grader.yamlfile.table import Fields
from grader.yamlfile.unusable import Unusable, if_usable

MAX_FILE_B = 1024 * 1024
MAX_ENTRIES = 2_000
"""The most files and folders below the reference; more means that the wrong folder is named."""

_CACHE = "__pycache__"


@dataclass(frozen=True, slots=True)
class Files:
    """Files that were read.

    path: the folder or the file, absolute.
    contents: the bytes of each file, by its name relative to the folder, sorted.
    of_notebooks: the code of those that are notebooks, as Python files.
    """

    path: Path
    contents: dict[str, bytes] = field(default_factory=dict)
    of_notebooks: dict[str, bytes] = field(default_factory=dict)

    @property
    def python(self) -> dict[str, bytes]:
        """The Python files, and those that the notebooks stand for."""
        return self.of_notebooks | {
            name: each for name, each in self.contents.items() if not is_notebook(name)
        }


def read_reference(fields: Fields, folder: Path) -> Files:
    """Read the Python files and notebooks of the reference.  Raises Unusable if one can't be read."""
    path = _path(fields, "reference", folder)
    _check_may_be_read(fields, "reference", path, folder)
    try:
        if not path.is_dir():
            fields.report("reference", f"there is no folder {shown(_name(path))}", _RELATIVE)
            raise Unusable
        contents = _python_files(path)
        for name in contents:
            _check_may_be_read(fields, "reference", path / name, folder)
    except _Refused as refused:
        fields.report("reference", str(refused))
        raise Unusable from None
    except (OSError, ValueError) as error:
        fields.report("reference", f"the reference can't be read: {_reason(error)}")
        raise Unusable from None
    if not contents:
        fields.report("reference", "the reference holds no .py files")
    of_notebooks = {}
    for name, content in contents.items():
        if is_notebook(name):
            found = code_of_notebook(content, ALL_CELLS, Care())
            if found.problem:
                fields.report("reference", f"{shown(name)} {found.problem}")
            of_notebooks[as_python(name)] = as_one_file(found.text).encode("utf-8", "surrogatepass")
    return Files(_absolute(path), contents, of_notebooks)


def read_file(fields: Fields, key: str, folder: Path, what: str) -> Files:
    """Read the file that a key names.  what: names it in messages.  Raises Unusable if it can't be read."""
    path = _path(fields, key, folder)
    _check_may_be_read(fields, key, path, folder)
    return _read(fields, key, path, what)


def _read(fields: Fields, key: str, path: Path, what: str, most_b: int = MAX_FILE_B) -> Files:
    """Read a file; report one that can't be read at the key, and raise Unusable."""
    try:
        if path.is_file():
            return Files(_absolute(path), {path.name: _content(path, most_b)})
        fields.report(key, f"there is no file {shown(_name(path))}", _RELATIVE)
    except _Refused as refused:
        fields.report(key, str(refused))
    except (OSError, ValueError) as error:
        fields.report(key, f"{what} can't be read: {_reason(error)}")
    raise Unusable


def lies_inside(fields: Fields, key: str, attached: Files) -> bool:
    """Tell whether the file that a key names lies in the spec's folder, behind links too; report others."""
    if _is_below(attached.path / fields[key], attached.path):
        return True
    fields.report(key, "this file lies outside of the spec's folder", _RELATIVE)
    return False


def _check_may_be_read(fields: Fields, key: str, path: Path, folder: Path) -> None:
    """Refuse what lies outside of the spec's folder, where nobody named the task.  Raises Unusable."""
    reporter = fields.reporter
    if reporter.was_named or _is_below(path, folder):
        return
    message = "this lies outside of the task's folder, and nobody named this task"
    fields.report(key, message, f"if you trust it: grader check {reporter.source.name}")
    raise Unusable


def _is_below(path: Path, folder: Path) -> bool:
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def read_attached(fields: Fields, key: str, attached: Files, most_b: int = MAX_FILE_B) -> bytes:
    """Read a file that stands beside the spec, and add it to `attached`.  Raises Unusable.

    attached: the spec's folder, and its files that were read so far.
    """
    return read_attached_at(fields, key, fields.needed(key), attached, most_b)


def read_attached_at(fields: Fields, key: str, name: str, attached: Files, most_b: int = MAX_FILE_B) -> bytes:
    """Read the file of that name, as `read_attached` does for the one that a key names."""
    path = Path(os.path.normpath(attached.path / name))
    _check_may_be_read(fields, key, path, attached.path)
    file = _read(fields, key, path, "the file", most_b)
    (content,) = file.contents.values()
    attached.contents[os.path.relpath(file.path, attached.path)] = content
    return content


def text_of(content: bytes) -> str:
    """Return the text of a Python file.  Raises `SyntaxError`, `UnicodeDecodeError`."""
    return decode_source(content)


def own_code(files: Files, fields: Fields, key: str, modules: tuple[tuple[str, str], ...] = ()) -> OwnCode:
    """Return the modules among files; report those that are not Python text.

    modules: the names of modules, and their files; any other module has the name of its file.
    Only files directly in the folder are modules; a deeper file can't be imported by its name.
    """
    names = {file: name for name, file in modules}
    texts = {}
    for name, content in files.python.items():
        if "/" in name:
            continue
        try:
            texts[names.get(name, name.removesuffix(".py"))] = decode_source(content)
        except (SyntaxError, UnicodeDecodeError) as error:
            fields.report(key, f"{shown(name)} can't be read as Python: {error}")
    return OwnCode(files.path, texts)


def define_modules(
    reference: Files, modules: tuple[tuple[str, str], ...], reporter: Reporter
) -> dict[str, Definitions]:
    """Return the definitions of each module of the reference that Python can read."""
    found: dict[str, Definitions] = {}
    for module, file_name in modules:
        if file_name in reference.python:
            definitions = if_usable(_define, reference, file_name, reporter, frozenset[str]())
            if definitions is not None:
                found[module] = definitions
    return found


def define_checkers(checkers: Files, reporter: Reporter) -> Definitions:
    """Return the definitions of the checkers file.  Raises Unusable."""
    (content,) = checkers.contents.values()
    return read_definitions(_name(checkers.path), content, reporter)


def _define(reference: Files, file_name: str, reporter: Reporter, seen: frozenset[str]) -> Definitions:
    """Read one module's definitions, with the names that `import *` brings in.  Raises Unusable."""
    name = _name(reference.path / file_name)
    definitions = read_definitions(name, reference.python[file_name], reporter)
    names = definitions.names
    complete = True
    for module in definitions.star_imports:
        neighbour = f"{module}.py"
        if neighbour in seen:
            continue
        imported = None
        if neighbour in reference.python:
            imported = if_usable(_define, reference, neighbour, reporter, seen | {file_name})
        names |= imported.names if imported else frozenset()
        complete = complete and imported is not None and imported.complete
    return replace(definitions, names=names, complete=complete)


class _Refused(Exception):
    """Files are not read; the text says why."""


_RELATIVE = "paths are relative to the spec's folder"


def _path(fields: Fields, key: str, folder: Path) -> Path:
    return Path(os.path.normpath(folder / fields.needed(key)))


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))


def _name(path: Path) -> str:
    """Return the path for messages, relative to the working directory if it lies below it."""
    absolute = _absolute(path)
    here = Path.cwd()
    return str(absolute.relative_to(here) if absolute.is_relative_to(here) else absolute)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or "its path is not valid"


def _python_files(folder: Path) -> dict[str, bytes]:
    """Return the .py files below a folder, and notebooks where there is no such file of that name.

    Hidden folders and caches are left out.
    """
    contents: dict[str, bytes] = {}
    entries = 0
    for parent, folders, files in walked(folder):
        entries += len(folders) + len(files)
        if entries > MAX_ENTRIES:
            raise _Refused(f"this folder holds more than {MAX_ENTRIES:,} files; it can't be a reference")
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f != _CACHE)
        for file in sorted(files):
            path = Path(parent, file)
            stands_alone = is_notebook(file) and parent == str(folder) and as_python(file) not in files
            if (file.endswith(".py") or stands_alone) and path.is_file():
                most_b = NOTEBOOK_MAX_B if stands_alone else MAX_FILE_B
                contents[path.relative_to(folder).as_posix()] = _content(path, most_b)
    return dict(sorted(contents.items()))


def _content(path: Path, most_b: int = MAX_FILE_B) -> bytes:
    with path.open("rb") as stream:
        content = stream.read(most_b + 1)
    if len(content) > most_b:
        raise _Refused(f"{shown(path.name)} is larger than {most_b // 1024} KiB")
    return content

"""Validators of a package's own: their source files, copied beside the spec."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from grader.authoring.written import Raw
from grader.marking.rounding import format_mark
from grader.plugins.convert.draft import Unconvertible
from grader.plugins.convert.packages.foreign import inside
from grader.plugins.convert.packages.laid import Files
from grader.spec.reference.files import MAX_FILE_B
from grader.yamlfile.quoting import in_quotes, list_in_quotes

_ENDINGS = {".py": (".py",), ".c": (".c", ".h"), ".cpp": (".cpp", ".cc", ".cxx", ".h", ".hpp", ".hh")}
"""By the ending of a program, those of the files that it can consist of."""
_SAME = {".cc": ".cpp", ".cxx": ".cpp"}
_USUAL = ("main", "validate", "validator", "output_validator", "checker", "check")
_MOST_FILES = 64
_DEFINITION = re.compile(r"-D([A-Za-z_]\w*)(=([^\n\\]{1,200}))?", re.ASCII)
_OF_BUILDING = re.compile(r"-(O[0-3s]?|g[0-3]?|W[\w=+-]*|std=(c|gnu)(\+\+)?\d\w|pipe|lm|static|s)")
FOLDER = "validator"


@dataclass(frozen=True, slots=True)
class OwnValidator:
    """A validator of a package's.

    file: its path as the spec says it.  protocol: empty for the usual one.  talks: with the programs.
    arguments: what it is given besides.  passes: how often a program runs at most.
    full: the score of what is right in full; 0 where it gives none.
    shares: it can accept a part.
    all_arguments: those in place of the protocol's and of `arguments`; none: these stand.
    """

    file: str
    protocol: str = ""
    talks: bool = False
    arguments: tuple[str, ...] = ()
    passes: int = 1
    full: Fraction = Fraction(0)
    all_arguments: tuple[str, ...] = ()
    shares: bool = False

    def key(self) -> Raw:
        """Return the value of a case's key `validator`."""
        keys = [f"file: {in_quotes(self.file)}"]
        keys += [f"arguments: {list_in_quotes(self.arguments)}"] if self.arguments else []
        keys += [f"all_arguments: {list_in_quotes(self.all_arguments)}"] if self.all_arguments else []
        keys += [f"protocol: {self.protocol}"] if self.protocol else []
        keys += [f"passes: {self.passes}"] if self.passes > 1 else []
        keys += [f"score: {format_mark(self.full)}"] if self.full else []
        return Raw(f"{{{', '.join(keys)}}}" if keys[1:] else in_quotes(self.file))


def validator_in(folder: Path, package: Path, files: Files) -> OwnValidator:
    """Take in the one validator of a folder, which may lie in a folder in it.  Raises `Unconvertible`."""
    inner = _visible(folder)
    if len(inner) == 1 and inner[0].is_dir():
        inner = _visible(inner[0])
    if any(path.name in ("build", "run") for path in inner):
        raise Unconvertible("its validator is built or started by a script of its own")
    if lost := [path.name for path in inner if path.is_symlink() and not path.is_file()]:
        raise Unconvertible(f"{lost[0]}, a link beside its validator, leads nowhere")
    return taken_in([path for path in inner if path.is_file()], package, files)


def _visible(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.iterdir()) if not path.name.startswith(".")]


def gives_scores(files: Files) -> bool:
    """Tell whether the validator among files may give scores: its source then speaks of a score."""
    sources = [content for name, content in files.contents.items() if f"/{FOLDER}/" in name]
    return any(b"score" in each.read_bytes() for each in sources if isinstance(each, Path))


def taken_in(
    paths: Sequence[Path],
    package: Path,
    files: Files,
    protocol: str = "",
    flags: Sequence[str] = (),
) -> OwnValidator:
    """Take in a validator of these files, which lie in the package.  Raises `Unconvertible`.

    flags: of the compiler; those that define a name become a line of the sources.
    """
    for path in paths:
        if not inside(package, path):
            raise Unconvertible(f"{path.name} is not there, or leads out of the package")
        if '"' in path.name or not path.name.isprintable():
            raise Unconvertible("a file of its validator has a name that is no plain text")
        if not 0 < path.stat().st_size <= MAX_FILE_B:
            raise Unconvertible(f"{path.name} is empty, or larger than {MAX_FILE_B >> 20} MiB")
    programs = [path for path in paths if _kind(path) in _ENDINGS]
    kinds = {_kind(path) for path in programs}
    if len(kinds) != 1 or len(paths) > _MOST_FILES:
        raise Unconvertible("its validator is no single program in Python, C or C++")
    kind = kinds.pop()
    endings = _ENDINGS[kind]
    head = defined_by(flags)
    if head and kind == ".py":
        raise Unconvertible("flags of a compiler stand beside a validator in Python")
    main = _main_of(programs)
    for path in paths:
        if path.suffix in endings:
            is_source = bool(head) and _kind(path) == kind
            content = head + f'#line 1 "{path.name}"\n'.encode() + path.read_bytes() if is_source else path
            files.take(f"{FOLDER}/{path.name}", content)
    return OwnValidator(f"{files.folder}/{FOLDER}/{main.name}", protocol)


def defined_by(flags: Sequence[str]) -> bytes:
    """Return the lines that do what flags of a compiler do.  Raises `Unconvertible`.

    Flags that say how the program is built, and not what it does, are left out.
    """
    lines: list[str] = []
    words = iter(flags)
    for word in words:
        if word == "-D":
            word += next(words, "")
        if (found := _DEFINITION.fullmatch(word)) is not None:
            lines.append(f"#define {found[1]} {found[3] or '1'}\n")
        elif not _OF_BUILDING.fullmatch(word):
            raise Unconvertible(f"its compiler is given the flag `{word[:40]}`")
    return "".join(lines).encode()


def _kind(path: Path) -> str:
    return _SAME.get(path.suffix, path.suffix)


def _main_of(programs: list[Path]) -> Path:
    """Return the file with which a program begins.  Raises `Unconvertible`."""
    if len(programs) == 1:
        return programs[0]
    for name in _USUAL:
        for path in programs:
            if path.stem == name:
                return path
    raise Unconvertible("it is not known with which of its files the validator begins")

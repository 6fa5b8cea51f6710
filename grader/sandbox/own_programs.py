"""The texts of our own programs that run in boxes: the rules, and pytest with what stands for a program."""

import re
from collections.abc import Iterator
from pathlib import Path

from grader.sandbox.zygote_process import package_folder

_PACKAGE = "__path__ = []\n"
"""A package is needed by its name alone."""
_IMPORT = re.compile(r"^from (grader\.[\w.]+) import (?:\((?P<lines>[^)]*)\)|(?P<line>.*))", re.MULTILINE)


def own_sources(package: str) -> dict[str, str]:
    """Return the text of each module in a package of ours, and of what they import of ours, by its name.

    Nothing is imported here.
    """
    root = Path(package_folder())
    sources: dict[str, str] = {}
    files = sorted(root.joinpath(*package.split(".")[1:]).rglob("*.py"))
    while files:
        file = files.pop()
        *above, module = file.relative_to(root).with_suffix("").parts
        packages = [".".join(("grader", *above[:depth])) for depth in range(len(above) + 1)]
        sources |= dict.fromkeys(packages, _PACKAGE)
        name = f"{packages[-1]}.{module}"
        if module != "__init__" and name not in sources:
            sources[name] = file.read_text("utf-8")
            files += _imported(sources[name], root)
    return sources


def _imported(text: str, root: Path) -> Iterator[Path]:
    """Yield the files of our modules that a module imports."""
    for found in _IMPORT.finditer(text):
        place = root.joinpath(*found[1].split(".")[1:])
        names = re.findall(r"\w+", found["lines"] or found["line"])
        for path in (place, *(place / name for name in names)):
            if path.with_suffix(".py").is_file():
                yield path.with_suffix(".py")

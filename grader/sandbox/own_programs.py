"""The texts of our own programs that run in boxes: the rules, and pytest with what stands for a program."""

from pathlib import Path

from grader.sandbox.zygote_process import package_folder

_PACKAGE = "__path__ = []\n"
"""A package is needed by its name alone."""


def own_sources(*names: str) -> dict[str, str]:
    """Return the text of each of our modules, by its name; of a package, all modules in it.

    Nothing is imported here.
    """
    root = Path(package_folder())
    sources: dict[str, str] = {}
    for name in names:
        path = root.joinpath(*name.split(".")[1:])
        for file in sorted(path.rglob("*.py")) if path.is_dir() else (path.with_suffix(".py"),):
            *above, module = file.relative_to(root).with_suffix("").parts
            packages = [".".join(("grader", *above[:depth])) for depth in range(len(above) + 1)]
            sources |= dict.fromkeys(packages, _PACKAGE)
            if module != "__init__":
                sources[f"{packages[-1]}.{module}"] = file.read_text("utf-8")
    return sources

"""What a Python knows about itself and nobody else does: its version and its folders.

Asked of the grader's own Python by a call, and of any other by running this file in it, by itself,
so that nothing of the grader's can be imported here.  No package of its site-packages is imported.
"""

import json
import os
import sys
import sysconfig
from typing import Any


def facts() -> dict[str, Any]:
    """Return plain data: version, kind, and which folders and files this Python consists of.

    library: folders of the standard library.  packages: of third-party packages; others: such folders
    of the Python that a virtual environment is made from.  mapped: files that are mapped into memory by
    more than an import: the program and its libraries.
    """
    base = {"base": sys.base_prefix, "platbase": sys.base_exec_prefix}
    paths, base_paths = sysconfig.get_paths(), sysconfig.get_paths(vars=base)
    executable = os.path.realpath(sys.executable)
    packages = [paths["purelib"], paths["platlib"]]
    others = [base_paths["purelib"], base_paths["platlib"]]
    imported = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    return {
        "version": list(sys.version_info[:3]),
        "implementation": sys.implementation.name,
        "executable": executable,
        "library": [base_paths["stdlib"], base_paths["platstdlib"]],
        "packages": packages,
        "others": others,
        "mapped": [
            path
            for path in _mapped()
            if path == executable
            or (
                ".so" in path
                and path not in imported
                and not any(path.startswith(folder + "/") for folder in packages + others)
            )
        ],
    }


def _mapped() -> list[str]:
    """Return the files that are mapped into memory; none where the system does not tell."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as table:
            return sorted({line[line.index("/") :].rstrip("\n") for line in table if "/" in line})
    except OSError:
        return []


if __name__ == "__main__":
    print(json.dumps(facts()))

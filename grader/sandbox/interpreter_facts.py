"""Facts that only a Python itself knows: its version and its folders.

The grader calls `facts` for its own Python and runs this file in any other.  So this file imports the
standard library only.
"""

import json
import os
import sys
import sysconfig
from typing import Any


def facts() -> dict[str, Any]:
    """Return plain data: version, kind, and the folders and files of this Python.

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

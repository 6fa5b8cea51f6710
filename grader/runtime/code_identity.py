"""The identity of a grader: the digest of its own modules, and the version of the Python that runs them.

A run sends the text of this module to the workers of a cluster, which run it before they import anything
of their own grader.  So the run's code identifies the worker's grader, and a worker cannot claim another one.
This module therefore imports the standard library alone, and reads the grader's files without importing them.
"""

import hashlib
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_VERSION = re.compile(r'^__version__\s*=\s*"([^"]+)"', re.MULTILINE)


@cache
def own_identity() -> str:
    """Return the identity of the grader that runs this."""
    return identity_of(Path(__file__).parents[1])


def installed() -> Path | None:
    """Return the folder of the grader that this Python would import; None where there is none."""
    spec = find_spec("grader")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def version_in(folder: Path) -> str:
    """Return the version that an installation states; empty where it states none."""
    found = _VERSION.search((folder / "__init__.py").read_text("utf-8"))
    return found.group(1) if found else ""


def python_version() -> str:
    """Return the version of the Python that runs us, such as "3.12.1".

    Judgements depend on it: it decides which characters can be printed, for example.
    """
    return sys.version.split()[0]


def identity_of(folder: Path) -> str:
    """Return the identity of the grader in a folder, run by our Python."""
    return f"{_code_digest(folder)} {python_version()}"


def _code_digest(folder: Path) -> str:
    """Return the digest of all modules below a folder, with their names."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        for part in (path.relative_to(folder).as_posix().encode("utf-8", "surrogatepass"), path.read_bytes()):
            total.update(len(part).to_bytes(8, "big"))
            total.update(part)
    return total.hexdigest()

"""What tells one grader from another: the digest of its own modules, and the Python that runs them.

The workers of a cluster are sent this text and run it before anything of their own grader: what
they claim about themselves is then found out by the run's code, not by theirs.  So it imports
nothing but the standard library, and looks at files without importing them.
"""

import hashlib
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_VERSION = re.compile(r'^__version__\s*=\s*"([^"]+)"', re.MULTILINE)


def installed() -> Path | None:
    """Return the folder of the grader that this Python would import; None where there is none."""
    spec = find_spec("grader")
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def version_in(folder: Path) -> str:
    """Return the version that an installation says it has; empty where it says none."""
    found = _VERSION.search((folder / "__init__.py").read_text("utf-8"))
    return found.group(1) if found else ""


def own_python() -> str:
    """Return the version of the Python that runs us, such as "3.12.1".

    What is judged depends on it as on our own code: which characters can be printed, say.
    """
    return sys.version.split()[0]


def identity_of(folder: Path) -> str:
    """Return what tells the grader in a folder from others: the digest of its code, and our Python."""
    return f"{code_in(folder)} {own_python()}"


def code_in(folder: Path) -> str:
    """Return the digest of all modules below a folder, with their names."""
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        for part in (path.relative_to(folder).as_posix().encode("utf-8", "surrogatepass"), path.read_bytes()):
            total.update(len(part).to_bytes(8, "big"))
            total.update(part)
    return total.hexdigest()


@cache
def own_code() -> str:
    """Return the identity of the grader that runs now, see `identity_of`."""
    return identity_of(Path(__file__).parents[1])

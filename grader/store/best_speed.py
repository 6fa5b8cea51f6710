"""The least CPU time that a known piece of work ever took on this machine, kept from run to run.

A run that has no quiet moment of its own would otherwise take a busy machine for all that it can do.
The file is in the user's cache folder; losing it costs nothing but that knowledge, so whatever is wrong
with it is passed over.
"""

import json
import os
import sys
from pathlib import Path

from grader.store.json_text import json_text
from grader.store.whole_file import replace_text

PIECE = 1
"""Which piece of work it is; times of another one tell nothing."""

_FILE = "best-speed.json"


def noted_best_s() -> float:
    """Return the CPU seconds that were noted for this processor and this Python; 0 for none."""
    best_s = _noted().get(_key())
    return best_s if isinstance(best_s, float) and 0 < best_s < 1 else 0.0


def note_best_s(best_s: float) -> None:
    """Note that it took so little, unless somebody else noted less."""
    noted = _noted()
    if 0 < noted_best_s() <= best_s:
        return
    try:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        replace_text(folder / _FILE, json_text(noted | {_key(): best_s}))
    except (OSError, ValueError, RuntimeError):  # the last where there is no home
        return


def _noted() -> dict[str, object]:
    try:
        noted = json.loads((_folder() / _FILE).read_bytes())
    except (OSError, ValueError, RuntimeError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _folder() -> Path:
    """Return the grader's folder in the user's cache (XDG Base Directory Specification 0.8)."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(given) if os.path.isabs(given) else Path.home() / ".cache") / "grader"


def _key() -> str:
    """Return what the time depends on besides the moment."""
    return f"piece {PIECE}, {_processor()}, {sys.implementation.name} {sys.version}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            for line in file:
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return f"{sys.platform} {os.uname().machine}" if hasattr(os, "uname") else sys.platform

"""What a person may have meant by a path that is not there."""

import os
from difflib import get_close_matches
from pathlib import Path


def nearest_file(path: Path) -> Path | None:
    """Return what lies in the folder of `path` under the name most like its own."""
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        return None
    near = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return path.parent / near[0] if near else None

"""Whether a folder's pages for students are held back until a person releases them: a file in it says so."""

import os
from pathlib import Path

STATE = "release.json"
PUBLISHED = "published.json"
"""A copy of the results that the released pages were made from."""


def is_held(directory: Path) -> bool:
    """Tell whether students' pages are held back.  A damaged or foreign state holds them too."""
    return os.path.lexists(directory / STATE)


def are_released(folder: Path) -> bool:
    """Tell whether students' pages are those of the results: made by the run, or released since."""
    published = folder / PUBLISHED
    if not is_held(folder):
        return True
    return published.is_file() and published.read_bytes() == (folder / "results.json").read_bytes()

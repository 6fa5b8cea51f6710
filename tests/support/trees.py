"""The type of the fixtures that lay out submissions from a dictionary."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

MakeTree: TypeAlias = Callable[[str, Mapping[str, str | bytes]], Path]
"""Takes a name, and contents by path; returns the folder or archive that it made."""

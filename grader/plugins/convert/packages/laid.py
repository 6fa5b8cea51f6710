"""The files of a package that will lie beside the spec."""

from dataclasses import dataclass, field
from pathlib import Path


def size_of(content: bytes | Path) -> int:
    return len(content) if isinstance(content, bytes) else content.stat().st_size


@dataclass(slots=True)
class Files:
    """The files that will lie in the folder beside the spec: contents, or files to copy, by name."""

    folder: str
    contents: dict[str, bytes | Path] = field(default_factory=dict)

    def take(self, name: str, content: bytes | Path) -> str:
        """Note a file, and return its name as the spec says it; empty if it holds nothing."""
        if not size_of(content):
            return ""
        self.contents[f"{self.folder}/{name}"] = content
        return f"{self.folder}/{name}"

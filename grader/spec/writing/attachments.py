"""Files beside a spec that is written: what is too long for a line of it."""

from collections.abc import Iterator, Mapping
from itertools import count


class Attachments:
    """The files beside a spec that is written.  contents: by path.  values: paths by names of `let`.

    folder: where they lie.
    """

    def __init__(self, folder: str, taken: Mapping[str, bytes | None] | None = None) -> None:
        """taken: the other files there, with None for those that are still to be written."""
        self._folder = folder
        self._taken = taken or {}
        self._count = 0
        self.contents: dict[str, bytes] = {}
        self.values: dict[str, str] = {}

    def path_of(self, content: bytes) -> str:
        """Return the path of a file with this content, which is added if there is none."""
        known = next((path for path, each in self.contents.items() if each == content), None)
        if known is not None:
            return known
        self._count += 1
        path = f"{self._folder}/{self._count}.txt"
        self.contents[path] = content
        return path

    def lay(self, name: str, content: bytes) -> str:
        """Return the path of a file with this content: its name, or where that is taken, one in a folder."""
        there = {**self._taken, **self.contents}
        path = next(path for path in self._paths(name) if there.get(path, content) == content)
        self.contents[path] = content
        return path

    def _paths(self, name: str) -> Iterator[str]:
        yield name
        yield f"{self._folder}/{name}"
        for number in count(2):
            yield f"{self._folder}/{number}/{name}"

    def name_of(self, text: str) -> str:
        """Return the name of `let` for the value of an expression."""
        path = self.path_of(text.encode("utf-8", "surrogatepass"))
        name = f"large_{path.rpartition('/')[2].removesuffix('.txt')}"
        self.values[name] = path
        return name

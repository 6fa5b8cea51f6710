"""Files in memory as a tree: what a person gave in place of a student's work."""

from collections.abc import Iterable, Iterator

from grader.intake.trees.tree import Contents, Level, Parts, Tree, TreeEntry


class MemoryTree(Tree):
    """Some files.  files: their paths, with forward slashes, and their bytes."""

    def __init__(self, files: Iterable[tuple[str, bytes]]) -> None:
        self._files = dict(files)

    def level(self, folder: Parts) -> Level:
        below = [_parts(name)[len(folder) :] for name in self._files if _parts(name)[: len(folder)] == folder]
        return Level(
            tuple(sorted({parts[0] for parts in below if len(parts) > 1})),
            tuple(sorted(parts[0] for parts in below if len(parts) == 1)),
        )

    def entry(self, folder: Parts, name: str) -> TreeEntry:
        return TreeEntry(name, (name,), len(self._files["/".join((*folder, name))]))

    def contents(self, folder: Parts) -> Contents:
        found = sorted(parts for parts in map(_parts, self._files) if parts[: len(folder)] == folder)
        below = [parts[len(folder) :] for parts in found]
        sizes = [len(self._files["/".join(parts)]) for parts in found]
        return Contents(
            [TreeEntry("/".join(parts), parts, size) for parts, size in zip(below, sizes, strict=True)]
        )

    def chunks(self, folder: Parts, entry: TreeEntry) -> Iterator[bytes]:
        yield self._files["/".join((*folder, *entry.parts))]


def _parts(name: str) -> Parts:
    return tuple(name.split("/"))

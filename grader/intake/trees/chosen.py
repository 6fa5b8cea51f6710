"""Some files of a tree as a tree, under other names: one student's among those of others."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import BinaryIO

from grader.intake.trees.tree import Allowance, Contents, Level, Parts, Tree, TreeEntry


class ChosenTree(Tree):
    """Files of one folder of a tree.  names: the name there, by the name here."""

    def __init__(self, tree: Tree, folder: Parts, names: Mapping[str, str]) -> None:
        self._tree, self._folder, self._names = tree, folder, names

    def level(self, folder: Parts) -> Level:
        return Level(files=tuple(sorted(self._names)))

    def entry(self, folder: Parts, name: str) -> TreeEntry:
        found = self._tree.entry(self._folder, self._names[name])
        return replace(found, name=name, parts=(name,))

    def contents(self, folder: Parts) -> Contents:
        return Contents([self.entry((), name) for name in sorted(self._names)])

    def chunks(self, folder: Parts, entry: TreeEntry) -> Iterator[bytes]:
        return self._tree.chunks(self._folder, self._tree.entry(self._folder, self._names[entry.name]))

    def file(self, folder: Parts, entry: TreeEntry, allowance: Allowance) -> BinaryIO:
        return self._tree.file(
            self._folder, self._tree.entry(self._folder, self._names[entry.name]), allowance
        )

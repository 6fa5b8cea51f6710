"""Finds the tasks of a library, and the files of each.  Nothing of a task is run, and no link is followed.

A library can be a stranger's.  So its files are read through a tree that never leaves its folder, and of a
spec only those keys are looked at that name files.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from posixpath import normpath

from grader.authoring.library.named_files import named_files
from grader.authoring.library.page import Page, read_page
from grader.intake.names import listed, shown
from grader.intake.trees.tree import TOTAL_MAX_B, Allowance, Parts, Refused, Tree, TreeEntry
from grader.intake.windows import fault_of_name
from grader.model.errors import Fault, UsageError
from grader.model.limits import MIB
from grader.model.task import is_task_id

SHELF = "specs"
"""The folder of a copy in which the spec stands; as `grader new` has it."""
LICENCES = ("LICENSE", "LICENCE", "COPYING")
_ENDINGS = ("", ".md", ".txt")
_README = "README.md"
_DEEPEST, _MOST_FOLDERS = 4, 2_000
_PAGE_MOST_B = MIB


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a task.  shelf: the folder of its spec, from the library's root."""

    name: str
    shelf: Parts


class Library:
    """The tasks below a folder, or below some folders of it."""

    def __init__(
        self, tree: Tree, where: str, title: str, version: str = "", shelves: Sequence[Parts] = ()
    ) -> None:
        """where: names the library in messages, title: in copies.  version: of all its tasks.

        shelves: the folders with tasks; all that are found, if none is named.
        Raises `UsageError` where two tasks have the same name.
        """
        self._tree, self.where, self.title, self.version = tree, where, title, version
        found = [Place(name, shelf) for shelf in shelves for name in self._names(shelf)]
        self.places: dict[str, Place] = {}
        for place in found if shelves else self._found():
            if other := self.places.get(place.name):
                both = [f"{'/'.join((*each.shelf, each.name))}.yaml" for each in (other, place)]
                raise UsageError(Fault(f"two tasks are called {place.name}: {listed(both)}", where))
            self.places[place.name] = place

    def place(self, name: str) -> Place:
        """Return the place of a task.  Raises `UsageError`, with the names that are near."""
        if name in self.places:
            return self.places[name]
        near = get_close_matches(name[:100], self.places, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else _some(list(self.places))
        raise UsageError(Fault(f"there is no task {shown(name)!r} in this library", self.where, hint=hint))

    def page(self, place: Place) -> Page:
        """Return the page of a task, with what the nearest `README.md` says for it.  Raises `UsageError`."""
        page = read_page(self._text(place.shelf, f"{place.name}.md"))
        for depth in range(len(place.shelf), -1, -1):
            if _README in self._tree.level(place.shelf[:depth]).files:
                return page.with_shared(read_page(self._text(place.shelf[:depth], _README)).about)
        return page

    def files(self, place: Place) -> dict[str, bytes]:
        """Return the files of a task, by their paths in a copy.  Raises `UsageError`.

        These are the spec, the page, all in the folder beside, what the spec names elsewhere in the library,
        and the text of the licence.
        """
        reading = Allowance()
        found: dict[str, bytes] = {}
        spec, page = f"{place.name}.yaml", f"{place.name}.md"
        for name in (spec, page):
            self._take((*place.shelf, name), place, reading, found)
        if place.name in self._tree.level(place.shelf).folders:
            self._take_folder((*place.shelf, place.name), place, reading, found)
        waiting, seen = [spec], {spec}
        while waiting:
            text = found[f"{SHELF}/{waiting[0]}"]
            for name in named_files(text, f"{self.where}: {waiting.pop(0)}"):
                for path in self._take_named(name, place, reading, found):
                    if path.endswith((".yaml", ".yml")) and path not in seen:
                        seen.add(path)
                        waiting.append(path)
        self._take_licence(place, reading, found)
        return dict(sorted(found.items()))

    def _found(self, folder: Parts = (), seen: list[int] | None = None) -> Iterator[Place]:
        """Yield the tasks in a folder and below it, but for what is in the folders of tasks."""
        seen = seen if seen is not None else []
        seen.append(len(folder))
        if len(seen) > _MOST_FOLDERS:
            hint = "name the folder with the tasks"
            raise UsageError(
                Fault(f"there are more than {_MOST_FOLDERS} folders here", self.where, hint=hint)
            )
        names = self._names(folder)
        yield from (Place(name, folder) for name in names)
        if len(folder) < _DEEPEST:
            for inner in self._tree.level(folder).folders:
                if inner not in names:
                    yield from self._found((*folder, inner), seen)

    def _names(self, folder: Parts) -> list[str]:
        """Return the names of the tasks in a folder: a spec and a page each."""
        files = set(self._tree.level(folder).files)
        stems = (name.removesuffix(".yaml") for name in files if name.endswith(".yaml"))
        return sorted(stem for stem in stems if is_task_id(stem) and f"{stem}.md" in files)

    def _take_named(
        self, name: str, place: Place, reading: Allowance, found: dict[str, bytes]
    ) -> Iterator[str]:
        """Take what a spec names; yield the paths from the spec's folder that are new.

        What is not there is told when the spec is read.
        """
        path = normpath("/".join((*place.shelf, name)))
        if name.startswith("/") or "\\" in name or path.split("/")[0] == "..":
            reason = f"the spec of {place.name} names {shown(name)}, which lies outside of the library"
            raise UsageError(Fault(reason, self.where, hint="what a task needs lies in the library's folder"))
        if path == "." or (*place.shelf, "")[: path.count("/") + 1] == tuple(path.split("/")):
            reason = f"the spec of {place.name} names {shown(name)}, a folder with more than this task"
            raise UsageError(Fault(reason, self.where, hint="give what it needs a folder of its own"))
        *above, last = path.split("/")
        if not self._has_folder(tuple(above)):
            return
        level = self._tree.level(tuple(above))
        before = set(found)
        if last in level.folders:
            self._take_folder((*above, last), place, reading, found)
        elif last in level.files or last in level.links:
            self._take((*above, last), place, reading, found)
        yield from (each.removeprefix(f"{SHELF}/") for each in sorted(set(found) - before))

    def _has_folder(self, folder: Parts) -> bool:
        return all(name in self._tree.level(folder[:depth]).folders for depth, name in enumerate(folder))

    def _take_licence(self, place: Place, reading: Allowance, found: dict[str, bytes]) -> None:
        """Take the text of the licence: the task's own, or the nearest one above it."""
        own = (*place.shelf, place.name)
        target = f"{SHELF}/{place.name}"
        for folder in (own[:depth] for depth in range(len(own), -1, -1)):
            if folder == own and not any(path.startswith(f"{target}/") for path in found):
                continue
            for name in (f"{stem}{ending}" for stem in LICENCES for ending in _ENDINGS):
                if name in self._tree.level(folder).files:
                    if folder != own:
                        found[f"{target}/{name}"] = self._content(
                            folder, self._tree.entry(folder, name), reading
                        )
                    return

    def _take_folder(self, folder: Parts, place: Place, reading: Allowance, found: dict[str, bytes]) -> None:
        try:
            entries = self._tree.contents(folder).entries
        except Refused as refused:
            raise self._refused("/".join(folder), refused) from None
        except OSError as error:
            raise self._refused("/".join(folder), Refused(f"can't be read ({error.strerror})")) from None
        for entry in entries:
            target = self._target((*folder, *entry.parts), place)
            found.setdefault(target, self._content(folder, entry, reading))

    def _take(self, path: Parts, place: Place, reading: Allowance, found: dict[str, bytes]) -> None:
        target = self._target(path, place)
        if target not in found:
            found[target] = self._content(path[:-1], self._tree.entry(path[:-1], path[-1]), reading)

    def _target(self, path: Parts, place: Place) -> str:
        """Return the place of a file in a copy: as it lies from the spec's folder.  Raises `UsageError`."""
        shared = 0
        while shared < min(len(path) - 1, len(place.shelf)) and path[shared] == place.shelf[shared]:
            shared += 1
        up = len(place.shelf) - shared
        if up > 1:
            reason = f"{shown('/'.join(path))} lies {up} folders above the spec of {place.name}"
            hint = "put it beside the spec, or one folder above as `grader new` does"
            raise UsageError(Fault(reason, self.where, hint=hint))
        if any(not part.isprintable() for part in path) or fault_of_name("/".join(path)):
            raise self._refused("/".join(path), Refused("has a name that is none on every system"))
        return "/".join((*(() if up else (SHELF,)), *path[shared:]))

    def _content(self, folder: Parts, entry: TreeEntry, reading: Allowance) -> bytes:
        name = "/".join((*folder, *(entry.parts or (entry.name,))))
        try:
            return b"".join(reading.take(self._tree, folder, entry, TOTAL_MAX_B))
        except Refused as refused:
            raise self._refused(name, refused) from None

    def _text(self, folder: Parts, name: str) -> str:
        entry = self._tree.entry(folder, name)
        try:
            content = b"".join(Allowance().take(self._tree, folder, entry, _PAGE_MOST_B))
            return content.decode("utf-8-sig")
        except Refused as refused:
            raise self._refused("/".join((*folder, name)), refused) from None
        except UnicodeDecodeError:
            raise self._refused("/".join((*folder, name)), Refused("is not UTF-8 text")) from None

    def _refused(self, name: str, why: Refused) -> UsageError:
        return UsageError(Fault(f"{shown(name)} {why}", self.where))


def _some(names: Sequence[str]) -> str:
    if not names:
        return "a task is a spec NAME.yaml with its page NAME.md beside it"
    return f"there is {listed(names, 12)}"

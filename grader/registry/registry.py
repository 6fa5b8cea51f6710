"""Finds what there is of each family by name, imports it when it is first needed, and tells what is unusable.

A plugin that cannot be used is left out as a whole entry, and everything else works as without it: a broken
plugin costs nobody a mark.  Each such fault is told once.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from threading import RLock
from typing import Any, TypeVar

from grader.registry.groups import OURS, STATED, WANTED, Group
from grader.registry.installed import Entry, Plugin, installed_entries
from grader.registry.shapes import misfit
from grader.registry.undoing import undoing

T = TypeVar("T")

_LONGEST = 1000
_NUMBER = re.compile(r"[0-9]{1,4}")

API = "1.0"
"""The version of `grader.api`: a plugin for 1.x works with any 1.y that is not older."""


class PluginFailed(Exception):
    """Something of a plugin cannot be used; the text says what and why."""


@dataclass(frozen=True, slots=True)
class PluginFault:
    """The reason why something of a plugin is left out."""

    entry: Entry
    reason: str

    def __str__(self) -> str:
        return f"plugin {self.entry.plugin}: {self.entry} is left out: {self.reason}"


class Registry:
    """All entry points of this process, ours and those of installed plugins.  Threads may share it.

    tell: is called with each fault when it is found.
    """

    def __init__(self, installed: Iterable[Entry]) -> None:
        self.tell: Callable[[PluginFault], None] = _tell_nobody
        self.faults: list[PluginFault] = []
        self._entries: dict[Group, dict[str, Entry]] = {
            group: {name: Entry(group, name, value) for name, value in OURS.get(group, {}).items()}
            for group in Group
        }
        self._loaded: dict[tuple[Group, str], Any] = {}
        self._refused: dict[tuple[Group, str], PluginFault] = {}
        self._lock = RLock()
        self._claimed: dict[Group, list[Entry]] = {group: [] for group in Group}
        self.installed = tuple(installed)
        """The entry points of all plugins, also of those that are left out."""
        self._enter()

    def _enter(self) -> None:
        claims = Counter((entry.group, entry.name) for entry in self.installed)
        for entry in self.installed:
            assert entry.plugin is not None
            reason = entry.plugin.problem or _unfit_api(entry.plugin.api) or _unfit_place(entry, entry.plugin)
            if not reason and entry.name in OURS.get(entry.group, {}):
                reason = "the grader has one of this name itself"
            if not reason and claims[entry.group, entry.name] > 1:
                rivals = {str(each.plugin): None for each in self.installed if _same_claim(each, entry)}
                reason = f"{' and '.join(rivals)} claim this name, so neither gets it"
                reason = reason if len(rivals) > 1 else "it claims this name twice"
            if reason:
                self._fault(entry, reason)
            else:
                self._entries[entry.group][entry.name] = entry
                self._claimed[entry.group].append(entry)

    @property
    def plugins(self) -> tuple[Plugin, ...]:
        """Return the plugins of which something is usable so far, by name."""
        found = {e.plugin for entries in self._entries.values() for e in entries.values() if e.plugin}
        return tuple(sorted(found, key=str))

    def entries(self, group: Group) -> Mapping[str, Entry]:
        """Return what there is of a family by name: ours, then those of plugins."""
        return self._entries[group]

    def foreign(self, group: Group) -> list[Entry]:
        """Return what plugins bring to a family."""
        return [entry for entry in self._entries[group].values() if entry.plugin is not None]

    def claimed(self, group: Group) -> list[Entry]:
        """Return what plugins bring to a family by their metadata, also what was found unusable since.

        So this is the same in each process, whatever that has imported.
        """
        return self._claimed[group]

    def is_foreign(self, group: Group, name: str) -> bool:
        """Tell whether a plugin brings what has this name."""
        return self._entries[group][name].plugin is not None

    def plugin_of(self, group: Group, name: str) -> Plugin:
        """Return the plugin that brings what has this name; it must not be ours."""
        plugin = self._entries[group][name].plugin
        assert plugin is not None
        return plugin

    def names(self, group: Group) -> list[str]:
        """Return the names of what is usable of a family: ours, then those of plugins, imported now."""
        for entry in self.foreign(group):
            with suppress(PluginFailed):
                self.load(group, entry.name)
        return list(self._entries[group])

    def all_of(self, group: Group) -> dict[str, Any]:
        """Return what is usable of a family, by name."""
        return {name: self.load(group, name) for name in self.names(group)}

    def load(self, group: Group, name: str) -> Any:
        """Return the object of an entry.

        Raises `PluginFailed` if it is a plugin's and cannot be used, and `KeyError` if there is none.
        """
        key = group, name
        if key in self._loaded:
            return self._loaded[key]
        with self._lock:
            if key in self._refused and name not in self._entries[group]:
                raise PluginFailed(str(self._refused[key]))
            entry = self._entries[group][name]
            value = self._guarded(entry, entry.value)
            if entry.plugin is not None:
                self._require_fit(value, entry)
            self._loaded[key] = value
        return self._loaded[key]

    def _require_fit(self, value: Any, entry: Entry) -> None:
        """Leave an entry out, and raise `PluginFailed`, if its object cannot be what it promises."""
        try:
            reason = _unfit(value, entry)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # its attributes may be code of the plugin's
            reason = f"raised {described(error)}"
        if reason:
            self.refuse(entry, f"{entry.value} {reason}")
            raise PluginFailed(str(self.faults[-1]))

    def load_beside(self, group: Group, name: str, beside: str) -> Any:
        """Return `module:object` of the package in which an entry lies.  Raises as `load`."""
        entry = self._entries[group][name]
        return self._guarded(entry, f"{entry.value.partition(':')[0].rpartition('.')[0]}.{beside}")

    def attempt(self, group: Group, name: str, call: Callable[[], T]) -> T | None:
        """Return what a call of a thing's code returns; None if a plugin's raises, which is then left out."""
        entry = self._entries[group][name]
        if entry.plugin is None:
            return call()
        try:
            return call()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also what a plugin's author did not mean as an error, such as a skip
            self.refuse(entry, f"it raised {described(error)}")
            return None

    def refuse(self, entry: Entry, reason: str) -> None:
        """Leave an entry of a plugin out from now on, and tell why."""
        with self._lock:
            kept = {name: each for name, each in self._entries[entry.group].items() if each != entry}
            # Another table, since a thread may be going through this one.
            self._entries[entry.group] = kept
            self._loaded.pop((entry.group, entry.name), None)
            self._fault(entry, reason)

    def _guarded(self, entry: Entry, value: str) -> Any:
        if entry.plugin is None:
            return _named(value)
        try:
            with undoing():
                return _named(value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also `SystemExit`, or what pytest raises to skip a module
            self.refuse(entry, f"{value} cannot be imported: {described(error)}")
            raise PluginFailed(str(self.faults[-1])) from error

    def _fault(self, entry: Entry, reason: str) -> None:
        fault = PluginFault(entry, reason)
        self._refused[entry.group, entry.name] = fault
        self.faults.append(fault)
        self.tell(fault)


def described(error: BaseException) -> str:
    """Return an exception in words: its type and the begin of its message."""
    try:
        text = str(error)
    except Exception:  # a plugin's exception is a plugin's code
        text = "it cannot say what"
    return f"{type(error).__name__}: {text[:_LONGEST]}".rstrip(": ")


def _tell_nobody(_: PluginFault) -> None:
    """Tell nobody, as in processes that only mark: the command has told it already."""


def _same_claim(one: Entry, other: Entry) -> bool:
    return (one.group, one.name) == (other.group, other.name)


def _unfit_api(made_for: str) -> str:
    """Return why a plugin for a version of `grader.api` cannot be used; empty if it can."""
    if not made_for:
        return "it does not say for which version of grader.api it is made"
    wanted, ours = made_for.split("."), API.split(".")
    if len(wanted) != len(ours) or not all(map(_NUMBER.fullmatch, wanted)):
        return f"{made_for!r} is no version of grader.api, which are like {API}"
    if wanted[0] != ours[0] or int(wanted[1]) > int(ours[1]):
        return f"it is made for version {made_for} of grader.api, and this grader has {API}"
    return ""


def _unfit_place(entry: Entry, plugin: Plugin) -> str:
    """Return why an entry is not in the plugin's own package, whose digest is recorded; empty if it is."""
    if not plugin.package.isidentifier():
        return f"the package that it names, {plugin.package!r}, is not a top package"
    if plugin.package == "grader" or plugin.package in sys.stdlib_module_names:
        return f"the package that it names, {plugin.package}, is not its own"
    if not entry.name.isprintable() or not entry.name:
        return f"{entry.name!r} is no name"
    if not all(map(str.isidentifier, re.split(r"[.:]", entry.value))) or entry.value.count(":") > 1:
        return f"{entry.value!r} is not of the form module:object"
    top = entry.value.partition(":")[0].partition(".")[0]
    return "" if top == plugin.package else f"{entry.value} is not in its package {plugin.package}"


def _unfit(value: Any, entry: Entry) -> str:
    """Return why an object cannot be what its entry promises; empty if it can."""
    wanted = WANTED[entry.group]
    if not isinstance(value, _named(wanted)):
        return f"is of type {type(value).__name__}, and not {wanted.partition(':')[2]}"
    problem = misfit(value, STATED.get(entry.group, ()))
    if problem:
        return f"cannot be used: {problem}"
    own = getattr(value, "name", entry.name)
    return "" if own == entry.name else f"calls itself {own!r}"


def _named(value: str) -> Any:
    """Return what `module:object` names."""
    module, _, names = value.partition(":")
    found = import_module(module)
    for name in filter(None, names.split(".")):
        found = getattr(found, name)
    return found


@cache
def registry() -> Registry:
    """Return the registry of this process."""
    return Registry(installed_entries())

"""Tells what a handout needs beside the grader: plugins for its cases, values, languages; packages; tools."""

from collections.abc import Iterator

from grader.engine.submission.required_tools import tools_of
from grader.model.case import Case, Check, Returns
from grader.model.kinds import calls_of, kind_of
from grader.model.task import Task
from grader.model.values import Value
from grader.registry.groups import Group
from grader.registry.installed import Plugin
from grader.registry.registry import registry
from grader.values.sort import plugin_sorts, sort_of
from grader.values.walk import parts


def needed_plugins(task: Task) -> tuple[Plugin, ...]:
    """Return the plugins without which the spec of a task cannot be read, by name."""
    known = registry()
    names = {(Group.LANGUAGES, toolchain.name) for toolchain in task.toolchains}
    names |= {(Group.KINDS, case.what.kind_name) for case in task.cases}
    sorts = {sort: name for name, sort in plugin_sorts().items()}
    if sorts:
        found = (sort_of(part) for case in task.cases for value in _values(case) for part in parts(value))
        names |= {(Group.VALUES, sorts[sort]) for sort in found if sort in sorts}
    plugins = {known.entries(group)[name].plugin for group, name in names if name in known.entries(group)}
    return tuple(sorted(filter(None, plugins), key=str))


def needed_beside(task: Task) -> tuple[str, ...]:
    """Return the packages and tools that a check uses.  Raises `UsageError` if a tool is missing."""
    return tuple(sorted({*task.packages, *tools_of(task)}))


def _values(case: Case) -> Iterator[Value]:
    """Yield the values that a case states: arguments, and what is expected."""
    for call in calls_of(case).calls:
        yield from call.args
        yield from (value for _, value in call.kwargs)
    for expect in kind_of(case).expectations(case):
        if isinstance(expect, Returns):
            yield expect.value
        elif isinstance(expect, Check):
            yield from (value for _, value in expect.arguments)

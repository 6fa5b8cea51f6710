"""The rules of a task, and the tools that it needs on this host."""

from grader.model.kinds import kind_of
from grader.model.task import Task
from grader.registry.groups import Group
from grader.registry.registry import PluginFailed, registry
from grader.spec.given.drawing import version


def tools_of(task: Task) -> dict[str, str]:
    """Return the tools that a task needs, with their versions: for rules and cases, and to draw its inputs.

    Raises `UsageError` if one is missing or cannot do what the rules ask of it.
    """
    found = {}
    if task.has_rules:
        from grader.sandbox.tools.source_tools import tools_for

        found = {tool.name: tool.version for tool in tools_for(task.every_rule)}
    needed = {
        name: (kind_of(case).name, find)
        for case in task.cases
        for name, find in kind_of(case).tools(case).items()
    }
    for name, (kind, find) in needed.items():
        version_of_it: object = find()
        if not isinstance(version_of_it, str):
            plugin = registry().plugin_of(Group.KINDS, kind)
            raise PluginFailed(f"plugin {plugin}: its kind {kind} does not say the version of {name}")
        found[name] = version_of_it
    if any(kind_of(case).drawn_inputs(case) is not None for case in task.cases):
        found["hypothesis"] = version()
    return found

"""The rules of a task, and the tools that it needs on this host."""

from grader.model.kinds import kind_of
from grader.model.task import Task
from grader.spec.given.drawing import version


def tools_of(task: Task) -> dict[str, str]:
    """Return the tools that a task needs, with their versions: for rules and cases, and to draw its inputs.

    Raises `UsageError` if one is missing or cannot do what the rules ask of it.
    """
    found = {}
    if task.has_rules:
        from grader.sandbox.tools.source_tools import tools_for

        found = {tool.name: tool.version for tool in tools_for(task.every_rule)}
    needed = {name: find for case in task.cases for name, find in kind_of(case).tools(case).items()}
    found |= {name: find() for name, find in needed.items()}
    if any(kind_of(case).drawn_inputs(case) is not None for case in task.cases):
        found["hypothesis"] = version()
    return found

"""The rules of a task, and the tools that it needs on this host."""

from grader.model.kinds import kind_of
from grader.model.task import Task
from grader.sandbox.test_cells import find_pytest
from grader.spec.given.drawing import version


def tools_of(task: Task) -> dict[str, str]:
    """Return the tools that a task needs, with their versions: for rules, test files, and to draw its inputs.

    Raises `UsageError` if one is missing or cannot do what the rules ask of it.
    """
    found = {}
    if task.has_rules:
        from grader.sandbox.tools.source_tools import tools_for

        found = {tool.name: tool.version for tool in tools_for(task.every_rule)}
    if any(kind_of(case).tests_by(case) for case in task.cases):
        found["pytest"] = find_pytest()
    if any(kind_of(case).drawn_inputs(case) is not None for case in task.cases):
        found["hypothesis"] = version()
    return found

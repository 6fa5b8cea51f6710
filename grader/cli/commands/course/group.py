"""`grader course`: a command's module is imported when it is called, else `report` would pay for `mark`."""

from importlib import import_module

import click

_SUMMARIES = {
    # In the order in which they are used; the help shows them without an import of the commands.
    "new": "Write course.yaml from what is there: specs, rosters, downloads.",
    "check": "Read all that the course names, and tell every mistake in it.",
    "mark": "Mark the tasks whose results are stale, and no others.",
    "report": "Write the pages of the course and of each student, and a gradebook.",
    "export": "Write the sheets of all marked tasks for the LMS.",
}


class _LazyCourse(click.Group):
    """Imports a command of a course when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_SUMMARIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _SUMMARIES:
            return None
        command: click.Command = getattr(import_module(f"grader.cli.commands.course.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUMMARIES.items()))


@click.group(cls=_LazyCourse)
def course() -> None:
    """Work on all tasks of a course, as course.yaml in this folder or above says.

    In such a folder, other commands take a task's name instead of its spec or results:
    grader mark leap; grader explain leap student-01; grader release leap.
    """

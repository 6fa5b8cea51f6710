"""The commands, and the messages for those that cannot be carried out.

A command's module is imported when it is called, so that `check` does not pay for `mark`.
"""

import gc
import os
import re
import sys
from contextlib import suppress
from difflib import get_close_matches
from typing import Any

import click

from grader import __version__
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note, tell
from grader.model.errors import Fault, SpecError, SpecNotProven, UsageError
from grader.registry.groups import Group
from grader.registry.installed import OFF
from grader.registry.registry import PluginFailed, PluginFault, registry
from grader.reports.escape import plain

_SUMMARIES = {
    # The help shows them without an import of the commands.
    "new": "Start a task from a reference or from examples, or copy one of a library.",
    "try": "Try a spec against its reference, its right and its wrong programs.",
    "mark": "Mark a batch: a table of marks, and a page for each student.",
    "review": "Mark by hand: on a page of this machine, by keys, or in a sheet.",
    "course": "All tasks of a course: check, mark what is stale, and see where it stands.",
    "check": "Check your own work before you hand it in.",
    "bundle": "Make the handout for students: public cases, starter code, a page.",
    "intake": "Show what would be marked, and what would be left out, before anything runs.",
    "validate": "Test the tests of a spec before it marks anybody.",
    "library": "Tasks to take over: list them, and check that all of a folder are sound.",
    "report": "Render a run's pages again, for one to release them.",
    "export": "Write the marks for an LMS: its own sheet filled in, and feedback.",
    "gradescope": "Mark the submission in Gradescope's container.",
    "release": "Write students' pages that were held back, after a look at what changes.",
    "explain": "Tell how a mark came about, step by step.",
    "replay": "Run one case of a finished run again, and show all that it did.",
    "remark": "Mark a finished run again from its record alone.",
    "similar": "Find works of a run that are unusually alike: a hint for a person.",
    "diff": "Tell which marks differ between two runs, and which cases did it.",
    "convert": "Turn simple tests of another tool into a spec.",
    "doctor": "Tell what the sandbox guarantees on this host.",
    "plugin": "Start a plugin: a kind of case of your own, with its tests.",
    "plugins": "Tell which plugins are installed, what they bring, and what is wrong with them.",
}


_MEANT = {"grade": "mark", "score": "mark", "run": "mark", "init": "new", "start": "new", "test": "check"}
"""Words of other tools for our commands."""
_NOT_FOR_CHECKS = ("grader.plugins.convert", "hypothesis", "jinja2", "markupsafe", "rich")
"""Libraries that pip installs with the grader, and a room of it, that `check` of a handout does without."""

_OF_OTHERS = 0o077
"""The bits of a mask of new files that are about others than their owner."""


class _LazyGroup(click.Group):
    """Imports a command, ours or a plugin's, when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return registry().names(Group.COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command: click.Command | None = None
        if cmd_name in registry().entries(Group.COMMANDS):
            with suppress(PluginFailed):
                command = registry().load(Group.COMMANDS, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUMMARIES.items()))
        foreign = [name for name in self.list_commands(ctx) if name not in _SUMMARIES]
        if foreign:
            with formatter.section("Commands of plugins"):
                formatter.write_dl([(plain(name), _short_help(name)) for name in foreign])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        # Plugins are not looked at for a command of ours.
        known = self.list_commands(ctx) if args and args[0] not in _SUMMARIES else list(_SUMMARIES)
        if args and args[0] not in known and not args[0].startswith("-"):
            near = [_MEANT[args[0]]] if args[0] in _MEANT else get_close_matches(args[0], known, 1)
            choice = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            ctx.fail(f"there is no command {args[0]!r}; {choice}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="The first thing to try: grader mark SPEC.yaml FOLDER",
)
@click.version_option(__version__, prog_name="grader")
def _commands() -> None:
    """Mark Python coursework in a sandbox, and show everyone why."""
    # What was imported is never garbage: else the first search would look through all of it.
    gc.freeze()
    gc.enable()  # a command that ends soon turns it off again


def _require_folder() -> None:
    """Raise `UsageError` where the current folder was taken away, from which each path is looked up."""
    try:
        os.getcwd()
    except OSError:
        hint = "it was removed, perhaps made anew: go there again with cd"
        raise UsageError(Fault("the current folder is gone", hint=hint)) from None


def run() -> int:
    """Run the command that the arguments ask for; return the exit status."""
    _keep_own_rights()
    known = registry()
    known.tell = _tell_fault
    if known.installed:
        from grader.registry.watch import begin_to_watch

        begin_to_watch(known, note)
    for fault in known.faults:
        _tell_fault(fault)
    try:
        _require_folder()
        return int(_commands(prog_name="grader", standalone_mode=False) or 0)
    except click.exceptions.Abort:
        return ExitCode.INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        return _tell_misuse(error)
    except UsageError as error:
        return tell_faults(error)
    except ModuleNotFoundError as error:
        if error.name not in _NOT_FOR_CHECKS:
            raise
        hint = "pip install grader-harness brings it; what a handout carries is for `grader check` alone"
        return tell_faults(UsageError(Fault(f"this needs {error.name}, which is not installed", hint=hint)))
    except PluginFailed as failure:
        return _tell_failure(str(failure))
    except BaseException as error:
        from grader.registry.blame import blamed, is_plugins  # pathlib, which `--help` does without

        if not is_plugins(error) or (isinstance(error, SystemExit) and _is_of_plugin(sys.argv[1:2])):
            raise
        return _tell_failure(blamed(error))


def _keep_own_rights() -> None:
    """Keep the user's rights to new files, whatever the mask of the shell says.

    Without them none of our own folders could be entered, and nobody could read the results.  Boxes have a
    mask of their own.
    """
    mask = os.umask(_OF_OTHERS)
    os.umask(mask & _OF_OTHERS)


def _tell_failure(failure: str) -> int:
    tell(f"error: {plain(failure)}")
    tell(f"hint: {OFF}=none leaves all plugins out; what was marked until now is kept")
    return ExitCode.PENDING


def _is_of_plugin(command: list[str]) -> bool:
    """Tell whether a command is a plugin's, which may end the process as it likes."""
    return any(entry.name in command for entry in registry().foreign(Group.COMMANDS))


def _short_help(name: str) -> str:
    """Return the line of a plugin's command in the help; empty where it cannot say one."""
    command: click.Command = registry().load(Group.COMMANDS, name)
    told: object = registry().attempt(Group.COMMANDS, name, command.get_short_help_str)
    return plain(told) if isinstance(told, str) else ""


def _tell_fault(fault: PluginFault) -> None:
    """Print why something of a plugin is left out."""
    tell(f"warning: {plain(str(fault))}")


def _tell_misuse(error: click.ClickException) -> int:
    """Print an error in the arguments, in the same form as every other mistake; return the exit status."""
    # Click lists choices on lines of their own.
    message = re.sub(r"\s*\n\s*", " ", error.format_message()).rstrip(".")
    tell(f"error: {plain(message[:1].lower() + message[1:])}")
    context: Any = getattr(error, "ctx", None)
    if context is not None:
        tell(f"hint: {context.get_usage().removeprefix('Usage: ')}; see {context.command_path} --help")
    return error.exit_code


def tell_faults(error: UsageError) -> int:
    """Print all mistakes of the user, without a traceback; return the exit status."""
    for fault in error.faults:
        tell("error: " + plain(str(fault), multiline=True))
    if len(error.faults) > 1:
        tell(f"{len(error.faults)} errors")
    if isinstance(error, SpecError) and os.environ.get(OFF) == "none":
        tell(f"hint: {OFF}=none leaves plugins out, and a spec may need one")
    if isinstance(error, SpecNotProven):
        tell(f"hint: {error.advice}")
    return error.exit_code

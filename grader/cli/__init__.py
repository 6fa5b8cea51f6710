"""The command line: `grader COMMAND`.

Data goes to stdout; progress, messages and logs to stderr.  Exit codes are in `ExitCode`.
Commands are imported when they are called, so that each starts as fast as it can.
"""

import importlib
import sys
from enum import IntEnum

import click

from grader import __version__
from grader.model.errors import UsageError


class ExitCode(IntEnum):
    """What the exit status says; other tools rely on it."""

    DONE = 0
    """Done; low marks are not a failure."""
    NOT_MET = 1
    """`--fail-under`, or a check, was not met."""
    USAGE = 2
    """The command cannot be carried out as given."""
    SPEC = 3
    """The spec is invalid."""
    NOTHING = 4
    """There was nothing to mark."""
    PENDING = 5
    """Some marks are pending through internal errors."""
    SANDBOX = 6
    """No sandbox here is strong enough."""
    INTERRUPTED = 130
    """Interrupted."""


_COMMANDS = ("mark", "check", "report", "doctor")


class _LazyGroup(click.Group):
    """Finds a command `x` as the function `x` of `grader.cli.x`, when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"grader.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], _COMMANDS, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            ctx.fail(f"there is no command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="grader")
def _commands() -> None:
    """Mark Python coursework in a sandbox, and show everyone why."""


def main() -> None:
    """Run the command line of this process; never returns."""
    try:
        status = _commands(standalone_mode=False)
    except click.exceptions.Abort:
        status = ExitCode.INTERRUPTED
    except KeyboardInterrupt:
        status = ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show()
        status = error.exit_code
    except UsageError as error:
        _tell(error)
        status = error.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody left to tell.
        sys.stderr.close()
        status = ExitCode.DONE
    sys.exit(int(status or 0))


def _tell(error: UsageError) -> None:
    """Print what a user did wrong, without a traceback."""
    from grader.reports.escape import plain

    for fault in error.faults:
        click.echo("error: " + plain(str(fault), multiline=True), err=True)
    if len(error.faults) > 1:
        click.echo(f"{len(error.faults)} errors", err=True)

"""The command line: `grader COMMAND`.

Data goes to stdout; progress, messages and logs to stderr.  Exit codes are in `ExitCode`.
Commands are imported when they are called, so that each starts as fast as it can.
"""

import importlib
import signal
import sys
from enum import IntEnum
from typing import Any, NoReturn

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


_COMMANDS = ("mark", "check", "report", "diff", "doctor")


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
            choice = f"did you mean {near[0]}?" if near else f"there are {', '.join(_COMMANDS)}"
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


def main() -> NoReturn:
    """Run the command line of this process."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # A signal that this process was started with ignored stays ignored (nohup, a shell's `&`).
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt_once)
    try:
        status = _commands(prog_name="grader", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        status = ExitCode.INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        status = error.exit_code
    except click.ClickException as error:
        status = _tell_misuse(error)
    except UsageError as error:
        status = _tell_faults(error)
    sys.exit(int(status or 0))


def _interrupt_once(*_: object) -> None:
    """Interrupt what is going on; a second Ctrl-C must not interrupt the tidying up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _tell_misuse(error: click.ClickException) -> int:
    """Print what is wrong with the arguments, in the same form as every other mistake."""
    from grader.cli.output import tell
    from grader.reports.escape import plain

    message = error.format_message().rstrip(".")
    tell(f"error: {plain(message[:1].lower() + message[1:])}")
    context: Any = getattr(error, "ctx", None)
    if context is not None:
        tell(f"hint: {context.get_usage().removeprefix('Usage: ')}; see {context.command_path} --help")
    return error.exit_code


def _tell_faults(error: UsageError) -> int:
    """Print everything that a user did wrong, without a traceback."""
    from grader.cli.output import tell
    from grader.reports.escape import plain

    for fault in error.faults:
        tell("error: " + plain(str(fault), multiline=True))
    if len(error.faults) > 1:
        tell(f"{len(error.faults)} errors")
    return error.exit_code

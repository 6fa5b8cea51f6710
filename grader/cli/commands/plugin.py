"""`grader plugin new`: starts a plugin."""

from pathlib import Path
from shlex import quote

import click

from grader.authoring.plugin.start import start_plugin
from grader.cli.exit_code import ExitCode
from grader.cli.options import PATH
from grader.cli.output import print_lines
from grader.reports.escape import plain
from grader.reports.terminal.lines import line


@click.group()
def plugin() -> None:
    """Start a plugin; `grader plugins` lists those that are installed."""


@plugin.command()
@click.argument("folder", type=PATH)
def new(folder: Path) -> int:
    """Start a plugin in FOLDER: a kind of case that works, and its tests.

    FOLDER must be new; its name is the plugin's, such as grader-stable.  Nothing is overwritten.
    docs/plugins.md leads from there to a wheel.

    Example: grader plugin new grader-stable
    """
    paths = start_plugin(folder)
    # A path alone would be a name on PyPI.
    prefix = "" if folder.is_absolute() else "./"
    print_lines(
        [
            *(line("new: ", plain(str(path))) for path in paths),
            line(),
            line("Now, from here: out of the folder in which it is called, grader imports nothing."),
            line("  pip install -e ", plain(quote(f"{prefix}{folder}[test]"))),
            line("  grader plugins && pytest ", plain(quote(str(folder)))),
        ]
    )
    return ExitCode.DONE

"""Options that several commands share, and their values."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from grader.cli.messages import note
from grader.model.case import Visibility
from grader.sandbox.driver import LADDER

SPEC_SUFFIXES = (".yaml", ".yml")
PATH = click.Path(path_type=Path)

python_option = click.option(
    "--python",
    default="",
    metavar="PYTHON",
    help="Interpreter of the submissions: a path, or a version such as 3.12.  "
    "[default: what the spec says, else grader's own]",
)

released_option = click.option(
    "--released", is_flag=True, help="Show students the cases that are hidden until the due date."
)


def note_if_none_opens(visibilities: Iterable[Visibility]) -> None:
    """Say that `--released` shows nothing more, where no case waits for the due date."""
    if Visibility.AFTER_DUE not in visibilities:
        note("no case has `visibility: after-due`, so --released shows nothing more; hidden ones stay hidden")


def require_option(help_text: str) -> Callable[[Any], Any]:
    """Return the option `--require`, with what it says about a command."""
    return click.option(
        "--require",
        type=click.Choice([str(driver) for driver in LADDER]),
        default="landlock",
        show_default=True,
        metavar="DRIVER",
        help=help_text,
    )


@dataclass(frozen=True, slots=True)
class Least:
    """The least mark that is asked for, or a percentage of the maximum; `text` as it was written."""

    number: Fraction
    is_share: bool
    text: str

    def of(self, max_mark: Fraction) -> Fraction:
        """Return the mark itself."""
        return max_mark * self.number / 100 if self.is_share else self.number


def mark_or_share(text: str) -> Least:
    """Return the least mark that `6.5` or `60%` states.  Raises `click.BadParameter`."""
    text = text.strip()
    try:
        least = Least(Fraction(text.removesuffix("%")), text.endswith("%"), text)
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{text!r} is neither a mark such as 6.5 nor a share such as 60%") from None
    if least.number < 0 or (least.is_share and least.number > 100):
        raise click.BadParameter(
            f"{text!r} can't be reached; it is a mark from 0, or a share from 0% to 100%"
        )
    return least


def check_order(spec: Path, others: Iterable[Path], what: str) -> None:
    """Raise `click.UsageError` where the spec does not come first, which is the commonest slip.

    what: names the other arguments, in the plural or the singular.
    """
    if spec.suffix in SPEC_SUFFIXES:
        return
    for path in others:
        if path.suffix in SPEC_SUFFIXES:
            raise click.UsageError(f"{path} looks like the spec; it comes first, before {what}")

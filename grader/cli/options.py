"""Options and parameter types that several commands share."""

import shutil
from fractions import Fraction

import click

from grader.sandbox.driver import LADDER

python_option = click.option(
    "--python",
    default="",
    metavar="PYTHON",
    help="Interpreter of the submissions: a path, or a version such as 3.12.  Default: what the spec "
    "says, else grader's own.",
)

DRIVERS = [str(driver) for driver in LADDER]


class MarkOrPercent(click.ParamType["tuple[Fraction, bool]"]):
    """A mark such as 6.5, or a share of the maximum such as 60%."""

    name = "MARK"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Fraction, bool]:
        """Return the number, and whether it is a percentage."""
        if isinstance(value, tuple):
            return value
        text = str(value).strip()
        try:
            number = Fraction(text.removesuffix("%"))
        except (ValueError, ZeroDivisionError):
            self.fail(f"{text!r} is neither a mark such as 6.5 nor a share such as 60%", param, ctx)
        return number, text.endswith("%")


def width_of_terminal() -> int:
    """Return how wide a table may be: the terminal's columns, 80 in a pipe."""
    return shutil.get_terminal_size((80, 24)).columns

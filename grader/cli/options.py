"""Options that several commands share, and their values."""

from fractions import Fraction

import click

from grader.intake.layouts.recognise import NAMES

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

layout_option = click.option(
    "--layout",
    type=click.Choice(NAMES),
    metavar="NAME",
    help=f"The layout of the submissions: {', '.join(NAMES)}.  [default: found out]",
)


def mark_or_share(text: str) -> tuple[Fraction, bool]:
    """Return the number in `6.5` or `60%`, and whether it is a percentage.  Raises `click.BadParameter`."""
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        return Fraction(number), percent
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{text!r} is neither a mark such as 6.5 nor a share such as 60%") from None

"""Options that several commands share, and their values."""

from fractions import Fraction

import click

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


def mark_or_share(text: str) -> tuple[Fraction, bool]:
    """Return the number in `6.5` or `60%`, and whether it is a percentage.  Raises `click.BadParameter`."""
    number, percent = text.strip().removesuffix("%"), text.strip().endswith("%")
    try:
        return Fraction(number), percent
    except (ValueError, ZeroDivisionError):
        raise click.BadParameter(f"{text!r} is neither a mark such as 6.5 nor a share such as 60%") from None

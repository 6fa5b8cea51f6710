"""Options on how a batch of submissions came."""

import click

from grader.cli.options import PATH
from grader.intake.layouts.recognise import layout_names

_LAYOUTS = layout_names()

layout_option = click.option(
    "--layout",
    type=click.Choice(_LAYOUTS),
    metavar="NAME",
    help=f"The layout of the submissions: {', '.join(_LAYOUTS)}.  [default: found out]",
)

roster_option = click.option(
    "--roster",
    type=PATH,
    metavar="FILE",
    help="The list of the class, CSV as the LMS gives it: names, ids, groups, extensions.",
)

times_option = click.option(
    "--times",
    type=PATH,
    metavar="FILE",
    help="When submissions came, by student: YAML, CSV, or a Gradescope export's metadata.",
)

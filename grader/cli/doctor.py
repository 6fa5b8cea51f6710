"""`grader doctor`: what this host can guarantee, found out by attack."""

import json

import click

from grader.cli.options import python_option


@click.command()
@python_option
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(python: str, as_json: bool) -> int:
    """Tell what the sandbox can guarantee on this host.

    Tries small attacks through every driver, from the strongest down.  `grader mark` takes the
    first driver that works.  Exits with 6 if none is strong enough for marking.
    """
    from grader.cli import ExitCode
    from grader.sandbox.doctor import ADVICE, examine
    from grader.sandbox.driver import LADDER, Driver, Guarantee
    from grader.sandbox.interpreter import find_interpreter

    interpreter = find_interpreter(python)
    found = [examine(driver, interpreter) for driver in LADDER]
    taken = next((examination for examination in found if not examination.failure), None)
    fit = taken is not None and LADDER.index(taken.driver) <= LADDER.index(Driver.LANDLOCK)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "driver": str(taken.driver) if taken else None,
                    "fit_for_marking": fit,
                    "python": interpreter.version,
                    "drivers": {
                        str(examination.driver): {
                            "failure": examination.failure,
                            "guarantees": {str(name): held for name, held in examination.held.items()},
                        }
                        for examination in found
                    },
                },
                indent=2,
            )
        )
        return ExitCode.DONE if fit else ExitCode.SANDBOX
    width = max(len(name) for name in Guarantee) + 2
    click.echo(f"Submissions run on Python {interpreter.version} ({interpreter.command}).\n")
    click.echo(" " * width + "".join(f"{examination.driver:>12}" for examination in found))
    for guarantee in Guarantee:
        cells = [
            "-" if examination.failure else "held" if examination.held[guarantee] else "OPEN"
            for examination in found
        ]
        click.echo(f"{guarantee:<{width}}" + "".join(f"{cell:>12}" for cell in cells))
    click.echo()
    for examination in found:
        if examination.failure:
            click.echo(f"{examination.driver} does not work here: {examination.failure}")
    if taken is None:
        click.echo("No sandbox works on this host.")
        return ExitCode.SANDBOX
    click.echo(f"`grader mark` will use: {taken.driver}")
    for guarantee, held in taken.held.items():
        if not held:
            click.echo(f"  {guarantee} is open: {ADVICE[guarantee]}")
    if not fit:
        click.echo("That is too weak for marking, unless you say --require " + str(taken.driver))
    return ExitCode.DONE if fit else ExitCode.SANDBOX

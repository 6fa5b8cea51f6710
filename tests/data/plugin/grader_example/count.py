"""`grader count`: how many works of a run are marked."""

from pathlib import Path

import click

from grader.api.commands import Status, finished_run


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
def count(folder: Path) -> int:
    """Count the marked works of a run."""
    found = [each.status for each in finished_run(folder).results.submissions]
    click.echo(f"{found.count(Status.MARKED)} of {len(found)} are marked")
    return 0

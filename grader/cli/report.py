"""`grader report`: render a run's outputs again from its results.json."""

from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--released", is_flag=True, help="Students may see the cases that are hidden until the due date."
)
def report(folder: Path, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Example: grader report reports/knights-tour --released
    """
    from grader.cli import ExitCode
    from grader.reports.render import render_all
    from grader.store.reading import read_document

    path = folder / "results.json" if folder.is_dir() else folder
    document = read_document(path)
    render_all(document, path.parent, released)
    click.echo(f"report: {path.parent / 'index.html'}", err=True)
    return ExitCode.DONE

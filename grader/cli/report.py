"""`grader report`: render a run's outputs again from its results.json."""

from pathlib import Path

import click

from grader.cli.options import released_option


@click.command(short_help="Render a run's pages again, for one to release them.")
@click.argument("folder", type=click.Path(path_type=Path))
@released_option
def report(folder: Path, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Nothing is marked again, and results.json stays as it is.

    Example: grader report reports/knights-tour --released
    """
    from grader.cli import ExitCode
    from grader.cli.output import tell
    from grader.engine.cores import default_processes
    from grader.reports.escape import plain
    from grader.reports.render import render_all
    from grader.store.reading import stream_document

    path = folder / "results.json" if folder.is_dir() else folder
    index = render_all(stream_document(path), path.parent, released, default_processes())
    tell(f"report: {plain(str(index))}")
    return ExitCode.DONE

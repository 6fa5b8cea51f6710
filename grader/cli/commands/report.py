"""`grader report`: render a run's outputs again from its results.json."""

import os
from contextlib import nullcontext
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.options import released_option
from grader.cli.output import tell, tell_what_is_held
from grader.engine.output_folder import existing_store
from grader.reports.escape import plain
from grader.reports.render import render_all
from grader.runtime.cores import default_processes
from grader.store.reading import stream_results


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@released_option
def report(folder: Path, released: bool) -> int:
    """Render the pages, marks.csv and junit.xml in FOLDER again, from its results.json.

    Nothing is marked again, and results.json stays as it is.

    Example: grader report reports/knights-tour --released
    """
    path = folder / "results.json" if folder.is_dir() else folder
    results = stream_results(path)
    try:
        # The open record keeps another grader from writing the pages of its run between ours.  Rendering
        # itself reports a folder that cannot be written to.
        can_write = os.access(path.parent, os.W_OK)
        with (existing_store(path.parent) if can_write else None) or nullcontext():
            index = render_all(results, path.parent, released, default_processes())
    except KeyboardInterrupt:
        tell("interrupted while the report was written; the same command writes all of it")
        # Click prints an empty line for an interrupt of its own.
        raise click.Abort from None
    tell(f"report: {plain(str(index))}")
    tell_what_is_held(path.parent)
    return ExitCode.DONE

"""`grader convert`: the simple parts of another tool's tests, as a spec."""

import re
from pathlib import Path

import click

from grader.cli.exit_code import ExitCode
from grader.cli.messages import tell
from grader.cli.options import PATH
from grader.cli.output import print_lines
from grader.plugins.convert import TOOLS, WITH_GENERATORS, read_tests, written
from grader.plugins.convert.draft import Meaning
from grader.plugins.convert.packages.generated.running import OPTION
from grader.reports.escape import plain
from grader.reports.terminal.lines import line


@click.command()
@click.argument("path", type=PATH, metavar="FILE|FOLDER")
@click.option(
    "--from",
    "tool",
    type=click.Choice(list(TOOLS)),
    required=True,
    metavar="TOOL",
    help=f"The tool of the tests: {', '.join(TOOLS)}.",
)
@click.option(
    "-o", "--output", type=PATH, required=True, metavar="SPEC", help="The spec to write, a new file."
)
@click.option(
    "--module",
    default="",
    metavar="NAME",
    help="The students' module, where the tests name none.  [default: the name of SPEC]",
)
@click.option(
    OPTION,
    is_flag=True,
    help="Run the programs of a problem package that make its data, in the sandbox.",
)
def convert(path: Path, tool: str, output: Path, module: str, run_generators: bool) -> int:
    """Turn the simple tests in FILE or FOLDER into a new spec.

    A problem package, and one of DMOJ's, bring their data and programs along.

    Nothing of the tests is run without --run-generators.  What has no certain counterpart is left out; the
    list on stdout names each place and why.

    Example: grader convert tests/ --from pytest -o hw1.yaml
    """
    name = module or re.sub(r"\W", "_", output.stem, flags=re.ASCII)
    if not name.isidentifier():
        raise click.UsageError(f"{name!r} is no name of a module; name the students' module with --module")
    if run_generators and tool not in WITH_GENERATORS:
        raise click.UsageError(f"{OPTION} goes with --from {' or '.join(sorted(WITH_GENERATORS))} alone")
    if run_generators:
        tell(f"running programs of {plain(str(path))} that make its data, in the sandbox")
    draft = read_tests(path, tool, name, output.stem, run_generators=run_generators)
    made = written(draft, output, path.name, tool)
    remarks = sorted(set(draft.remarks), key=lambda remark: (remark.file, remark.line, str(remark)))
    print_lines(line(plain(str(remark))) for remark in remarks)
    left = sum(remark.meaning is Meaning.LEFT_OUT for remark in remarks)
    tell(
        f"{draft.converted} of {draft.assertions} {draft.counted} converted; "
        f"{left} places left out, {len(remarks) - left} with another meaning"
    )
    if points := draft.points_left_out():
        tell(plain(points))
    beside = ", with its checkers beside it" if made.checkers else ""
    beside += f", and {plain(output.stem)}/ with its files" if draft.files else ""
    tell(f"spec: {plain(str(output))}{beside}")
    if any("/right/" in name or "/wrong/" in name for name in draft.files):
        tell(f"next: grader try {plain(str(output))} marks the programs that came with it")
    elif draft.reference:
        tell("next: `grader mark` tries the reference that came with it first")
    else:
        tell("next: add `reference:` to it; `grader mark` tries your own solution first")
    return ExitCode.DONE

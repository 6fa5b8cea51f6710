"""Tells of results that somebody changed after they were made."""

from grader.cli.messages import tell
from grader.engine.record import FinishedRun, changed_since
from grader.intake.names import listed
from grader.reports.escape import plain


def tell_if_changed(run: FinishedRun) -> None:
    """Tell on stderr of which students results.json says something else than the record of its run."""
    changed = changed_since(run)
    if changed:
        what = f"! results.json does not say what the record of its run says of {listed(changed)}: somebody "
        what += "changed it, and the next `grader mark` takes that back; marks by hand go into the reviews"
        tell(plain(what))

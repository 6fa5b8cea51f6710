"""Tells of results that somebody changed after they were made, and of plugins that are gone since."""

from grader.cli.messages import note, tell
from grader.engine.record import FinishedRun, changed_since
from grader.intake.names import listed
from grader.registry.identity import plugins_in_marks
from grader.reports.escape import plain


def tell_if_changed(run: FinishedRun, task: str = "") -> None:
    """Tell on stderr of which students results.json says something else than the record of its run.

    task: its name in a course.
    """
    changed = changed_since(run)
    if changed:
        what = f"! {task}: " if task else "! "
        what += f"results.json does not say what the record of its run says of {listed(changed)}: somebody "
        what += "changed it, and the next `grader mark` takes that back; marks by hand go into the reviews"
        tell(plain(what))


def tell_missing_plugins(run: FinishedRun) -> None:
    """Tell on stderr which plugins of a run are not here: its spec may say nothing without them."""
    recorded = run.results.run.plugins
    gone = sorted(recorded.keys() - plugins_in_marks().keys())
    missing = [f"{name} {recorded[name].partition(',')[0]}" for name in gone]
    if missing:
        note(f"this run had {listed(missing)}, which cannot be used here; see `grader plugins`")

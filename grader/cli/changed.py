"""Tells what came after a run: changed results, marks by hand, and plugins that are gone."""

from grader.cli.messages import note, tell
from grader.course.find import NamedTask, task_of
from grader.course.strangers import require_known
from grader.course.terms import terms_in, terms_of_last_run
from grader.engine.freshness import is_outdated
from grader.engine.record import FinishedRun, changed_since
from grader.engine.reviews_taken import waiting_reviews
from grader.intake.names import listed
from grader.model.errors import UsageError
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


def tell_if_stale(run: FinishedRun, named: NamedTask | None, *, is_headed: bool = False) -> None:
    """Tell on stderr that a course would mark a task otherwise now than its results say.

    named: the task; None where a command took a folder, of which the record tells the course.  is_headed: the
    line begins with the task's name.  Raises `UsageError` where the course names people whom nobody knows.
    """
    named = named or _task_of(run)
    if named is None:
        return
    require_known(named.course)
    head = f"{named.task.name}: " if is_headed else ""
    try:
        is_old = is_outdated(named.course, named.task)
    except UsageError as error:
        fault = error.faults[0]
        note(f"{head}it can't be told whether these marks hold: {fault.where}: {fault.message}")
        return
    if is_old:
        what = "these marks are older than what the course makes them from"
        note(f"{head}{what}; `grader course mark {named.task.name}` marks again")


def _task_of(run: FinishedRun) -> NamedTask | None:
    """Return the task of a course into whose folder a run went, as its record says; None for none."""
    try:
        kept = terms_of_last_run(run.folder)
        if kept is None or not kept.path.is_file():
            return None
        named = task_of(terms_in(kept).task, kept.path)
    except UsageError:
        return None
    return named if named.task.reports.resolve() == run.folder.resolve() else None


def tell_if_marked_since(run: FinishedRun, task: str = "") -> None:
    """Tell on stderr whom people marked by hand since a run, whose results lack that.

    task: its name in a course.
    """
    head = f"{task}: " if task else ""
    try:
        waiting = waiting_reviews(run, _tell_nobody)
    except UsageError as error:
        fault = error.faults[0]
        what = f"it can't be told who was marked by hand since this run: {fault.where}: {fault.message}"
        note(f"{head}{what}")
        return
    # The record may be that of a later run that did not end.
    if waiting is None or waiting.begun.info.id != run.results.run.id:
        return
    names = sorted({*waiting.others, *(change.work.id for change in waiting.changes)})
    command = f"grader report {run.folder}" if waiting.changes else "grader mark"
    note(f"{head}people marked by hand since this run: {listed(names)}; `{command}` takes it in")


def _tell_nobody(_: str) -> None:
    """Leave out what is told of the files of reviews: `grader report` tells it."""


def tell_missing_plugins(run: FinishedRun) -> None:
    """Tell on stderr which plugins of a run are not here: its spec may say nothing without them."""
    recorded = run.results.run.plugins
    gone = sorted(recorded.keys() - plugins_in_marks().keys())
    missing = [f"{name} {recorded[name].partition(',')[0]}" for name in gone]
    if missing:
        note(f"this run had {listed(missing)}, which cannot be used here; see `grader plugins`")

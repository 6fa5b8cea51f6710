"""`grader course mark`: marks each task whose results are older than what they are made from."""

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from grader.cli.commands.course.options import course_at, course_option
from grader.cli.exit_code import ExitCode
from grader.cli.messages import note
from grader.cli.output import if_interrupted, print_lines, width_of_terminal
from grader.cli.run import tell_faults
from grader.course.arithmetic.slip import SlipLedger
from grader.course.arithmetic.slip_changes import slip_changes
from grader.course.course import Course, CourseTask
from grader.course.find import named_in
from grader.course.gathering import unsure_in, words_of_unsure
from grader.course.one_at_a_time import only_run
from grader.course.slipping import ledgers_of, slips_for
from grader.course.strangers import require_known
from grader.course.terms import moved_since
from grader.engine.freshness import stamp_of, status_if_fresh
from grader.model.errors import UsageError
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, line, wrapped

_INTERRUPTED = "interrupted; the same command goes on from there"
_UNCHANGED = "unchanged"
_MOST_TOLD = 20
_UNDECIDED = "unchanged, and some marks are pending"
_AS_BEFORE = (_UNCHANGED, _UNDECIDED)
_IS_MARKED = ("marked", "marked, and some marks are pending", *_AS_BEFORE)
_RUN = "import grader.cli; grader.cli.main()"


@click.command()
@click.argument("names", nargs=-1, metavar="[TASK]...")
@course_option
@click.option("-j", "--jobs", type=click.IntRange(1), metavar="N", help="Submissions marked at a time.")
@click.option("-q", "--quiet", is_flag=True, help="No progress on stderr.")
def mark(names: tuple[str, ...], path: Path | None, jobs: int | None, quiet: bool) -> int:
    """Mark the tasks whose results are stale, and no others.

    TASK are the tasks to look at; without any, all of the course.  A task is stale if its submissions, spec,
    people's files or terms changed since it was marked.  One that fails stops no other.  Exits with the
    status of the first that failed.

    Example: grader course mark
    """
    course = course_at(path)
    require_known(course)
    tasks = [named_in(course, name) for name in names] or list(course.tasks)
    status = int(ExitCode.DONE)
    words: dict[str, str] = {}
    since: dict[str, str] = {}
    with if_interrupted(_INTERRUPTED), only_run(course):
        before = _ledgers(course)
        for task in tasks:
            words[task.name], ended = _marked(course, task, jobs, since, quiet=quiet)
            status = status or ended
        # The time of one task can take slip days from another, which was marked before it.
        for task in tasks if course.slip_days is not None else ():
            if task.slip and words[task.name] in _IS_MARKED:
                text, ended = _marked(course, task, jobs, since, quiet=quiet)
                words[task.name] = words[task.name] if text in _AS_BEFORE else text
                status = status or ended
    width = max(map(len, words))
    print_lines([line(plain(f"{name:<{width}}  {text}")) for name, text in words.items()])
    if any(text in _IS_MARKED and text not in _AS_BEFORE for text in words.values()):
        print_lines(_moved_lines(before, _ledgers(course), since))
    for each in unsure_in(course):
        note(words_of_unsure(*each))
    return status


def _ledgers(course: Course) -> Mapping[str, SlipLedger]:
    """Return the slip days of everybody; none where damaged results hide them, which is told elsewhere."""
    try:
        return ledgers_of(course)
    except UsageError:
        return {}


def _moved_lines(
    before: Mapping[str, SlipLedger], after: Mapping[str, SlipLedger], since: Mapping[str, str]
) -> Iterator[Line]:
    """Yield whose other tasks have more or fewer slip days now; marks that people know may differ by them.

    since: what changed before this command, by how such a line begins.
    """
    found = [
        f"{student}: {text}"
        for student in sorted(before.keys() & after.keys())
        for text in slip_changes(before[student], after[student])
    ]
    found += [text for head, text in since.items() if not any(each.startswith(head) for each in found)]
    if found:
        yield line()
        yield line("Slip days of other tasks changed:")
    for text in found[:_MOST_TOLD]:
        yield from (line(part) for part in wrapped(plain(text), width_of_terminal(), indent="  "))
    if len(found) > _MOST_TOLD:
        yield line(f"and {len(found) - _MOST_TOLD} more; see the pages of grader course report")


def _marked(
    course: Course, task: CourseTask, jobs: int | None, since: dict[str, str], *, quiet: bool
) -> tuple[str, int]:
    """Mark a task if it is stale; return what became of it in words, and the status.

    since: whose slip days for it changed since its last run is added.
    """
    if not any(path.exists() for path in task.submissions):
        return "no submissions yet", ExitCode.DONE
    try:
        slips = slips_for(course, task)
    except UsageError as error:
        return "not marked: its slip days can't be told", tell_faults(error)
    try:
        stamp = stamp_of(course, task, slips)
    except UsageError as error:
        return "not marked: its spec has mistakes", tell_faults(error)
    before = status_if_fresh(task, stamp)
    if before is not None:
        # What could not be decided then is still pending.
        return _UNCHANGED if before == ExitCode.DONE else _UNDECIDED, before
    if not quiet:
        note(f"{task.name}: {task.spec}")
    moved = {
        f"{student}: {task.name} ": f"{student}: {task.name} {words}"
        for student, words in moved_since(course, task, slips)
    }
    ended = _run(course, task, jobs, quiet=quiet)
    if ended not in (ExitCode.DONE, ExitCode.PENDING):
        return f"not marked: exit status {ended}", ended
    since |= moved
    return _IS_MARKED[0 if ended == ExitCode.DONE else 1], ended


def _run(course: Course, task: CourseTask, jobs: int | None, *, quiet: bool) -> int:
    """Run `grader mark` for a task, in a process of its own; return its exit status."""
    command: Sequence[str] = [sys.executable, "-P", "-c", _RUN, "mark", "--course", course.path.name]
    command = [*command, *(["-j", str(jobs)] if jobs else []), *(["--quiet"] if quiet else [])]
    command = [*command, "--", task.name]
    # The task's own table goes nowhere: its page has it.
    return subprocess.run(command, cwd=course.path.parent, stdout=subprocess.DEVNULL, check=False).returncode

"""Warnings that the staff should read before they trust or hand out the marks of a run."""

from collections.abc import Iterator
from dataclasses import dataclass

from grader.model.results import RunInfo, SandboxInfo
from grader.reports.views.cohort import CaseFigures, Cohort
from grader.reports.views.wording import Tone, counted, guarantee_sentence, is_weak, verdict_wording

_MOST_NAMED = 12
_MOST_SHOWN = 100
_LEAST_REACHED = 3
"""With fewer submissions that reached a case, chance alone can make all of them fail."""


@dataclass(frozen=True, slots=True)
class Named:
    """A line of a warning; `student_id` where it names a student, else empty."""

    text: str
    student_id: str = ""


@dataclass(frozen=True, slots=True)
class Warned:
    """One warning: a title that states it completely, advice, and the items that it is about."""

    title: str
    text: str
    tone: Tone
    items: tuple[Named, ...] = ()


def warnings_of(run: RunInfo, cohort: Cohort) -> list[Warned]:
    """Return the warnings of a run, the gravest first."""
    found = _about_spec(run)
    pending = [
        Named(f"{row.name}: {row.failure}" if row.failure else row.name, row.id)
        for row in cohort.rows
        if row.failed
    ]
    if pending:
        found.append(
            Warned(
                f"{counted(len(pending), 'mark')} {'is' if len(pending) == 1 else 'are'} pending",
                "The grader itself failed on some of the cases. These are not marks of zero: "
                "mark again before you hand them out.",
                Tone.OURS,
                _bounded(pending),
            )
        )
    sandbox_warning = _about(run.sandbox)
    if sandbox_warning:
        found.append(sandbox_warning)
    found += _about_people(cohort)
    faulty = [Named(row.name, row.id) for row in cohort.rows if row.problems]
    if faulty:
        found.append(
            Warned(
                f"{counted(len(faulty), 'submission')} with problems",
                "What was handed in could not be taken as it is; the pages say why.",
                Tone.PART,
                _bounded(faulty),
            )
        )
    return found + _about_limits(cohort)


def alarms_of(cohort: Cohort) -> list[Warned]:
    """Return an alarm about the cases that nobody passed, if there are any.  It changes no mark."""
    failed = {
        name: figures
        for name, figures in cohort.cases.items()
        if figures.reached >= _LEAST_REACHED and not figures.passed
    }
    if not failed:
        return []
    return [
        Warned(
            f"Nobody passed {counted(len(failed), 'case')}",
            "No mark was changed for that. Is the spec right there?",
            Tone.OURS,
            _bounded([Named(_alarm(name, figures)) for name, figures in failed.items()]),
        )
    ]


def _alarm(name: str, figures: CaseFigures) -> str:
    text = f"{name}: none of {figures.reached:,}"
    if figures.answer is None or not figures.same:
        return text
    verdict, answer = figures.answer
    what = verdict_wording(verdict).word
    return f"{text}, all with the same outcome: {what}" + (f", {_one_line(answer)}" if answer else "")


def _one_line(text: str) -> str:
    short = " ".join(text.split())
    return short if len(short) <= _MOST_SHOWN else f"{short[: _MOST_SHOWN - 1]}…"


def _about_spec(run: RunInfo) -> list[Warned]:
    if not run.spec_faults:
        return []
    return [
        Warned(
            f"Marked although the spec has {counted(len(run.spec_faults), 'fault')}",
            "The reference does not pass its own spec, so right work may have lost marks: "
            "mend the spec and mark again before you hand them out.",
            Tone.BAD,
            _bounded([Named(fault) for fault in run.spec_faults]),
        )
    ]


def _about_limits(cohort: Cohort) -> list[Warned]:
    near = [(row, told) for row in cohort.rows for told in row.near_limit]
    if not near:
        return []
    return [
        Warned(
            f"{counted(len(near), 'case')} near {'its' if len(near) == 1 else 'their'} time limit",
            "They used more than half of it, so a slower machine could have stopped them. "
            "Does the spec give right work the time that it needs?",
            Tone.PART,
            _bounded([Named(f"{row.name}: case {told}", row.id) for row, told in near]),
        )
    ]


def _about_people(cohort: Cohort) -> Iterator[Warned]:
    waiting = [Named(row.name, row.id) for row in cohort.rows if row.awaiting]
    if waiting:
        yield Warned(
            f"{counted(len(waiting), 'submission awaits', 'submissions await')} the marker",
            "Their marks are those so far: a person has yet to mark some criteria.",
            Tone.IDLE,
            _bounded(waiting),
        )
    timeless = [Named(row.name, row.id) for row in cohort.rows if row.time_unknown]
    if timeless:
        yield Warned(
            f"{counted(len(timeless), 'time')} of submission {'is' if len(timeless) == 1 else 'are'} unknown",
            "The task has a deadline; nothing was taken off for lateness here.",
            Tone.PART,
            _bounded(timeless),
        )


def _about(sandbox: SandboxInfo) -> Warned | None:
    driver, guarantees = sandbox.driver, sandbox.guarantees
    broken = tuple(
        Named(f"{name}: {guarantee_sentence(name)}") for name, held in guarantees.items() if not held
    )
    if is_weak(driver):
        return Warned(
            f"Weak sandbox: {driver or 'none'}",
            "Code written to deceive the grader may have succeeded: "
            "trust these marks as far as you trust the students.",
            Tone.BAD,
            broken,
        )
    if not guarantees:
        return Warned(
            "What the sandbox guaranteed was not recorded",
            f"The driver was {driver}. The doctor command tells what this host can guarantee.",
            Tone.PART,
        )
    if not broken:
        return None
    number = counted(len(broken), "guarantee")
    return Warned(f"{number} of the sandbox did not hold", f"The driver was {driver}.", Tone.PART, broken)


def _bounded(items: list[Named]) -> tuple[Named, ...]:
    if len(items) <= _MOST_NAMED:
        return tuple(items)
    return (*items[:_MOST_NAMED], Named(f"and {len(items) - _MOST_NAMED:,} more"))

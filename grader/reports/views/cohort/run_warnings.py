"""Matters of a run that need a person before its marks are trusted or handed out."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.judge.messages import STOPPED
from grader.model.results import RunInfo, SandboxInfo, Status
from grader.reports.tone import Tone
from grader.reports.views.cohort.case_figures import MOST_NAMED, CaseFigures, Tally
from grader.reports.views.cohort.cohort import Cause, Cohort, Row
from grader.reports.views.cohort.load_causes import LoadCause
from grader.reports.views.wording import counted, duration, guarantee_sentence, is_weak, verdict_wording

_GRAVITY = (Tone.BAD, Tone.OURS, Tone.PART, Tone.IDLE, Tone.GOOD)
_MOST_SHOWN = 100
_MOST_ITEMS = 12
_MOST_BY_HAND = 500
_LEAST_REACHED = 3
"""With fewer submissions that reached a case, chance alone can make all of them fail."""


@dataclass(frozen=True, slots=True)
class Student:
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class WarningItem:
    """A line of a warning: a text, the students that it is about, or both.

    more: students who are not named.  case: a case whose figures explain the line; page: a page that does.
    Both are empty for none.
    """

    text: str = ""
    students: tuple[Student, ...] = ()
    more: int = 0
    case: str = ""
    page: str = ""

    def __str__(self) -> str:
        more = self.more + max(0, len(self.students) - MOST_NAMED)
        names = [student.name for student in self.students[:MOST_NAMED]]
        names += [f"{more:,} more"] if more else []
        people = " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else ""
        return f"{self.text} ({people})" if self.text and people else self.text or people


@dataclass(frozen=True, slots=True)
class RunWarning:
    """One warning: a title that states it completely, advice, and the items that it is about."""

    title: str
    text: str
    tone: Tone
    items: tuple[WarningItem, ...] = ()


def warnings_of(run: RunInfo, cohort: Cohort) -> list[RunWarning]:
    """Return the warnings of a run, the gravest first."""
    found = _about_spec(run)
    pending = [row for row in cohort.rows if row.failed]
    if pending:
        found.append(
            RunWarning(
                f"{counted(len(pending), 'mark')} {'is' if len(pending) == 1 else 'are'} pending",
                "The grader itself failed on some of the cases. These are not marks of zero: "
                "mark again before you hand them out.",
                Tone.OURS,
                _bounded([_caused(cohort, *one) for one in cohort.causes.items()]),
            )
        )
    sandbox_warning = _about(run.sandbox)
    if sandbox_warning:
        found.append(sandbox_warning)
    found += _about_people(cohort)
    faulty = [row for row in cohort.rows if row.problems]
    if faulty:
        found.append(
            RunWarning(
                f"{counted(len(faulty), 'submission')} with problems",
                "What was handed in could not be taken as it is; the pages say why.",
                Tone.PART,
                (_people(faulty),),
            )
        )
    in_part = [row for row in cohort.rows if row.in_part]
    if in_part:
        found.append(
            RunWarning(
                f"{counted(len(in_part), 'work')} raised at import; {STOPPED}",
                "So it is with `import: keep` in the spec, and with notebooks. The pages have the lines.",
                Tone.IDLE,
                (_people(in_part),),
            )
        )
    instead = [row for row in cohort.rows if row.instead]
    if instead:
        count = counted(len(instead), "work")
        found.append(
            RunWarning(
                f"Another file was marked in place of {count}",
                "",
                Tone.IDLE,
                _bounded([WarningItem(row.instead, (Student(row.id, row.called),)) for row in instead]),
            )
        )
    return found + _about_limits(cohort) + _about_equal(cohort) + _about_absent(cohort)


def by_gravity(warnings: Iterable[RunWarning]) -> list[RunWarning]:
    """Return warnings with the gravest first: marks that may be wrong, our own faults, then all others."""
    return sorted(warnings, key=lambda warned: _GRAVITY.index(warned.tone))


def _caused(cohort: Cohort, message: str, cause: Cause) -> WarningItem:
    cases = ", ".join(cause.cases)
    several = len(cause.cases) > 1 or cause.more_cases
    where = f"case{'s' if several else ''} {cases}{' and more' if cause.more_cases else ''}" if cases else ""
    told = ": ".join(filter(None, (where, message))) or "for other reasons; the pages say why"
    return _tallied(cohort, told, cause.students)


def _tallied(cohort: Cohort, text: str, tally: Tally, case: str = "") -> WarningItem:
    """Return a line about students that the figures know by their positions."""
    return _people([cohort.rows[number] for number in tally.students], text, tally.count, case)


def _people(rows: list[Row], text: str = "", count: int = 0, case: str = "") -> WarningItem:
    shown = tuple(Student(row.id, row.called) for row in rows[:MOST_NAMED])
    return WarningItem(text, shown, (count or len(rows)) - len(shown), case)


def alarms_of(cohort: Cohort) -> list[RunWarning]:
    """Return alarms about marks by hand, checkers that raised, works that do not load, and cases that nobody
    passed.

    They change no mark.
    """
    return [
        *marks_by_hand(cohort),
        *_about_checkers(cohort),
        *_about_unloaded(cohort),
        *_about_unpassed(cohort),
    ]


def _about_checkers(cohort: Cohort) -> list[RunWarning]:
    if not cohort.unchecked:
        return []
    return [
        RunWarning(
            f"Checkers raised {counted(len(cohort.unchecked), 'exception')} on answers",
            "These answers count as wrong. Is one of them right? Then let the checker take it, and mark "
            "again; else let it say no with assert.",
            Tone.BAD,
            _bounded([_caused(cohort, *one) for one in cohort.unchecked.items()]),
        )
    ]


def _about_unloaded(cohort: Cohort) -> list[RunWarning]:
    causes, count = cohort.unloaded.commonest, len(cohort.unloaded.students)
    if not causes:
        return []
    return [
        RunWarning(
            f"{counted(count, 'work')} {'does' if count == 1 else 'do'} not load",
            "What needs such a file counts as failed. To mark a mended one: --instead.",
            Tone.PART,
            tuple(_unloaded(cohort, cause) for cause in causes),
        )
    ]


def _unloaded(cohort: Cohort, cause: LoadCause) -> WarningItem:
    """Return the line of a cause, with all its students: a page names every one of them."""
    number = len(cause.students)
    rows = [cohort.rows[student] for student in cause.students]
    text = f"{cause.text}: {counted(number, 'work')}" if number > 1 else cause.text
    return WarningItem(text, tuple(Student(row.id, row.called) for row in rows))


def marks_by_hand(cohort: Cohort) -> Iterator[RunWarning]:
    """Yield the alarms about marks by hand."""
    for title, advice, tone, found in (
        (
            "by hand for works that changed since",
            "The person's mark counts all the same. Look at the work that is there now; then write its "
            "digest behind `work` in the review, or give another mark. The student's page has the digest.",
            Tone.BAD,
            [(row, row.outdated) for row in cohort.rows if row.outdated],
        ),
        (
            "by hand below what the cases give",
            "The person's mark counts all the same. Is it meant so?",
            Tone.PART,
            [(row, row.lowered) for row in cohort.rows if row.lowered],
        ),
        (
            "by hand for questions that other cases need",
            "Those cases did not run, and earn nothing: a person's mark does not make them run. Give their "
            "questions a mark by hand too, or mend what failed and mark again.",
            Tone.BAD,
            [(row, row.still_skipped) for row in cohort.rows if row.still_skipped],
        ),
    ):
        if found:
            count = counted(sum(len(texts) for _, texts in found), "mark")
            items = [
                WarningItem(text, (Student(row.id, row.called),)) for row, texts in found for text in texts
            ]
            yield RunWarning(f"{count} {title}", advice, tone, _bounded(items, _MOST_BY_HAND))
    yield from _about_instead(cohort)


def _about_instead(cohort: Cohort) -> Iterator[RunWarning]:
    """Yield the alarms about files that were marked in place of works."""
    outdated = [(row, row.for_other_work) for row in cohort.rows if row.for_other_work]
    if outdated:
        works = "a work" if len(outdated) == 1 else "works"
        yield _alarm_of(
            f"{counted(len(outdated), 'file')} given instead of {works} that changed since",
            "What was given was marked all the same. Look at the work that is there now. Then give the file "
            "again, or mark the work itself with --instead STUDENT=.",
            Tone.BAD,
            outdated,
        )
    others = [(row, row.other_file) for row in cohort.rows if row.other_file]
    if others:
        have, be = ("has", "is") if len(others) == 1 else ("have", "are")
        yield _alarm_of(
            f"{counted(len(others), 'file')} given instead {have} changed or {be} gone",
            "What was given was marked all the same. Give it again if it is to count as it is now.",
            Tone.PART,
            others,
        )


def _alarm_of(title: str, advice: str, tone: Tone, found: Iterable[tuple[Row, str]]) -> RunWarning:
    items = [WarningItem(text, (Student(row.id, row.called),)) for row, text in found]
    return RunWarning(title, advice, tone, _bounded(items, _MOST_BY_HAND))


def _about_unpassed(cohort: Cohort) -> list[RunWarning]:
    failed = [
        figures
        for figures in cohort.cases.values()
        if figures.reached >= _LEAST_REACHED and not figures.passed
    ]
    if not failed:
        return []
    return [
        RunWarning(
            f"Nobody passed {counted(len(failed), 'case')}",
            "No mark was changed for that. Is the spec right there?",
            Tone.OURS,
            _bounded([WarningItem(_alarm(figures), case=figures.id) for figures in failed]),
        )
    ]


def _alarm(figures: CaseFigures) -> str:
    text = f"{figures.id}: none of {figures.reached:,}"
    only = figures.failures.the_only
    if only is None:
        return text
    what = verdict_wording(only.verdict).word
    answer = one_line(only.answer)
    return f"{text}, all with the same outcome: {what}" + (f", {answer}" if answer else "")


def one_line(text: str, longest: int = _MOST_SHOWN) -> str:
    short = " ".join(text.split())
    return short if len(short) <= longest else f"{short[: longest - 1]}…"


def _about_spec(run: RunInfo) -> list[RunWarning]:
    if not run.spec_faults:
        return []
    return [
        RunWarning(
            f"Marked although the spec has {counted(len(run.spec_faults), 'fault')}",
            "The reference does not pass its own spec, so right work may have lost marks: "
            "mend the spec and mark again before you hand them out.",
            Tone.BAD,
            _bounded([WarningItem(fault) for fault in run.spec_faults]),
        )
    ]


def _about_limits(cohort: Cohort) -> list[RunWarning]:
    near = [figures for figures in cohort.cases.values() if figures.times.near.count]
    if not near:
        return []
    near.sort(key=lambda figures: (-figures.times.high.count, -figures.times.near.count))
    return [
        RunWarning(
            f"{counted(len(near), 'case')} near {'its' if len(near) == 1 else 'their'} time limit",
            "Students used more than half of it, so a slower machine could have stopped them. "
            "Does the spec give right work the time that it needs?",
            Tone.PART,
            _bounded([_near(cohort, figures) for figures in near]),
        )
    ]


def _near(cohort: Cohort, figures: CaseFigures) -> WarningItem:
    near, limit_s = figures.times.near, figures.times.limit_s
    slowest = near.named()
    times = f"up to {duration(slowest[0][0])} of {duration(limit_s)}"
    text = f"{figures.id}: {counted(near.count, 'student')}, {times}"
    return _tallied(cohort, text, Tally(near.count, [student for _, student in slowest]), figures.id)


def _about_equal(cohort: Cohort) -> list[RunWarning]:
    groups = cohort.equal_works
    if not groups:
        return []
    number = sum(tally.count for tally in groups)
    return [
        RunWarning(
            f"{counted(number, 'submission')} equal to another",
            "All of their files are the same, byte for byte. This is a hint for a person, never a mark; "
            "the similar command finds more.",
            Tone.PART,
            _bounded([_tallied(cohort, "", tally) for tally in groups]),
        )
    ]


def _about_absent(cohort: Cohort) -> list[RunWarning]:
    absent = [row for row in cohort.rows if row.status == Status.NO_SUBMISSION]
    if not absent:
        return []
    number = counted(len(absent), "student has", "students have")
    return [RunWarning(f"{number} handed in nothing", "", Tone.IDLE, (_people(absent),))]


def _about_people(cohort: Cohort) -> Iterator[RunWarning]:
    waiting = [row for row in cohort.rows if row.awaiting]
    if waiting:
        yield RunWarning(
            f"{counted(len(waiting), 'submission awaits', 'submissions await')} the marker",
            "Their marks are those so far: a person has yet to mark some criteria.",
            Tone.IDLE,
            (_people(waiting),),
        )
    timeless = [row for row in cohort.rows if row.time_unknown]
    if timeless:
        yield RunWarning(
            f"{counted(len(timeless), 'time')} of submission {'is' if len(timeless) == 1 else 'are'} unknown",
            "The task has a deadline; nothing was taken off for lateness here.",
            Tone.PART,
            (_people(timeless),),
        )


def _about(sandbox: SandboxInfo) -> RunWarning | None:
    driver, guarantees = sandbox.driver, sandbox.guarantees
    broken = tuple(
        WarningItem(f"{name}: {guarantee_sentence(name)}") for name, held in guarantees.items() if not held
    )
    if is_weak(driver):
        return RunWarning(
            f"Weak sandbox: {driver or 'none'}",
            "Code written to deceive the grader may have succeeded: "
            "trust these marks as far as you trust the students.",
            Tone.BAD,
            broken,
        )
    if not guarantees:
        return RunWarning(
            "What the sandbox guaranteed was not recorded",
            f"The driver was {driver}. The doctor command tells what this host can guarantee.",
            Tone.PART,
        )
    if not broken:
        return None
    number = counted(len(broken), "guarantee")
    return RunWarning(f"{number} of the sandbox did not hold", f"The driver was {driver}.", Tone.PART, broken)


def _bounded(items: Iterable[WarningItem], most: int = _MOST_ITEMS) -> tuple[WarningItem, ...]:
    items = tuple(items)
    if len(items) <= most:
        return items
    return (*items[:most], WarningItem(f"and {len(items) - most:,} more"))

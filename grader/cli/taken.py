"""The files that a batch would be marked from: a table for people, and JSON."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grader.intake import Candidate, read, read_for
from grader.marking.lateness import in_utc, in_words
from grader.marking.totals import seconds_late
from grader.model.task import Task
from grader.reports.escape import plain
from grader.reports.terminal.lines import Line, StyledText, cells, fit, line, wrapped
from grader.reports.tone import Tone
from grader.reports.views.wording import counted

_ID_MOST, _NAME_MOST = 30, 24
_NARROW = 60
_FILES, _TIME, _LATE, _ATTEMPT = 11, 17, 14, 11


@dataclass(frozen=True, slots=True)
class TakenFiles:
    """The files of one student, or of one attempt.

    modules: the files that would be read, by module.  asked_for: how many of them the task asks for.
    submitted: ISO 8601, empty where it is not known.  late_s: seconds after the deadline.
    """

    candidate: Candidate
    modules: dict[str, str]
    asked_for: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    submitted: str = ""
    late_s: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON's values."""
        candidate, person = self.candidate, self.candidate.person
        return {
            "id": candidate.id,
            "name": candidate.name,
            "mail": person.mail if person is not None else "",
            "ids": dict(person.ids) if person is not None else {},
            "group": person.group if person is not None else "",
            "attempt": candidate.attempt,
            "path": str(candidate.path.joinpath(*candidate.inside)),
            "commit": candidate.commit,
            "files": self.modules,
            "submitted": self.submitted,
            "late_s": self.late_s,
            "is_late": self.is_late,
            "problems": list(self.problems),
            "notes": list(self.notes),
        }

    @property
    def is_late(self) -> bool:
        """Whether it is late: by its time or, where that is not known, as a download says."""
        return self.late_s > 0 if self.submitted else self.candidate.is_late


def taken_of(candidates: Iterable[Candidate], task: Task | None) -> Iterator[TakenFiles]:
    """Yield what would be taken, read from the files; a row for each attempt."""
    for candidate in candidates:
        for each in candidate.attempts or (candidate,):
            yield _taken(each, task)


def _taken(candidate: Candidate, task: Task | None) -> TakenFiles:
    submission = read_for(task, candidate) if task is not None else read(candidate, {})
    asked_for = task.asked if task is not None else {}
    record = candidate.record
    time = record.submitted if record is not None else None
    return TakenFiles(
        candidate,
        {module: file.name for module, file in sorted(submission.files.items())},
        sum(module in submission.files for module in asked_for),
        submission.problems,
        submission.notes,
        in_utc(time) if time is not None else "",
        seconds_late(task, submission) if task is not None else 0,
    )


def table(rows: Sequence[TakenFiles], task: Task | None, width: int) -> Iterator[Line]:
    """Yield the table.  width: columns of the terminal; at least 40 are used.

    In a narrow one names are left out, and times have lines of their own.
    """
    width = max(width, 40)
    is_narrow = width < _NARROW
    asked_for = len(task.modules) if task is not None else 0
    attempts = _ATTEMPT if any(row.candidate.attempt for row in rows) else 0
    room = width - _FILES - attempts - (0 if is_narrow else _TIME + _LATE)
    ids = max((cells(plain(row.candidate.id)) for row in rows), default=0) + 1
    ids = min(max(ids, 8), _ID_MOST, room - 8)
    names = 0 if is_narrow else min(room - ids, _NAME_MOST)
    heads = (
        fit("student", ids)
        + (fit("name", names) if names else "")
        + fit("files", _FILES)
        + (fit("attempt", attempts) if attempts else "")
    )
    times = "" if is_narrow else f"{fit('handed in (UTC)', _TIME)}late"
    yield line(StyledText(heads + times, Tone.IDLE))
    for row in rows:
        name = plain(row.candidate.name) if row.candidate.name != row.candidate.id else ""
        cells_of_row = fit(plain(row.candidate.id), ids - 1) + " "
        cells_of_row += fit(name, names - 1) + " " if names else ""
        cells_of_row += fit(_files(row, asked_for), _FILES)
        cells_of_row += fit(plain(row.candidate.attempt), attempts) if attempts else ""
        time = row.submitted[:16].replace("T", " ")
        tone = None if row.modules else Tone.BAD
        if is_narrow:
            yield line(StyledText(cells_of_row, tone))
            told = ", ".join(filter(None, (f"{time} UTC" if time else "", _late(row))))
            yield from map(line, wrapped(f"  {told}", width, indent="  ") if told else ())
        else:
            yield line(StyledText(cells_of_row + fit(time, _TIME), tone), _late(row))
        for sign, texts in (("! ", row.problems), ("  ", row.notes)):
            for text in texts:
                yield from map(line, wrapped(f"  {sign}{plain(text)}", width, indent="      "))
    students = len({row.candidate.id for row in rows})
    without = sum(not row.modules for row in rows)
    text = counted(students, "student")
    yield line()
    yield line(f"{text}, {counted(without, 'submission')} without a Python file" if without else text)


def _files(row: TakenFiles, asked_for: int) -> str:
    """Return `2 of 2`, or `1 of 2 +3` with files that the task does not ask for."""
    more = len(row.modules) - row.asked_for
    if not asked_for:
        return str(more)
    return f"{row.asked_for} of {asked_for}" + (f" +{more}" if more else "")


def _late(row: TakenFiles) -> str:
    if row.late_s > 0:
        return in_words(row.late_s)
    return "late" if row.is_late else ""

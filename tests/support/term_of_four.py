"""A term of three tasks and 200 people, whose four sections hand in at four LMSs: downloads, sheets, marks.

The expected marks are computed here from what each person did, without the grader.  Of each section one hands
in nothing, one half a day late, one more than a day late over the night in which the clocks change, two have
more time, two hand in again, two have one name, and one hands in a PDF alone; three of Gradescope's are a
group.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

from support.class_of_40.layouts import blackboard, canvas, gradescope, moodle
from support.class_of_40.people import Attempt, Student
from support.class_of_40.programs import Program
from support.class_of_40.rosters import text
from support.class_of_40.sheets import blackboard as blackboard_sheet
from support.class_of_40.sheets import canvas as canvas_sheet
from support.class_of_40.sheets import moodle as moodle_sheet
from support.class_of_40.task import DUE

ZONE = ZoneInfo("Europe/Zurich")
SECTIONS = ("moodle", "canvas", "gradescope", "blackboard")
HALF_A_DAY, MORE_THAN_A_DAY = timedelta(hours=12), timedelta(hours=24, minutes=30)
NOTHING, LATE, TOO_LATE, EXTENDED, LABELLED, AGAIN, AGAIN_LATE, TWIN, OTHER_TWIN, PDF = range(3, 13)
"""The places in a section of those who do something special."""
GROUP = range(20, 23)
_FIRST = ("Zoë", "José", "Søren", "Łucja", "Aoife", "Jürgen", "Anaïs", "Bo")
_LAST = ("Brontë", "Núñez", "Kjær", "Żak", "O'Brien", "Groß", "Lefèvre", "Ng")


@dataclass(frozen=True)
class Sheet:
    """A task.  right, wrong: programs, and what the wrong one is worth.  by_hand: marks of a person."""

    name: str
    due: datetime
    cases: tuple[str, ...]
    right: str
    wrong: str
    wrong_mark: Fraction
    most: int = 10
    by_hand: int = 0


def _local(day: int, month: int) -> datetime:
    return datetime(2026, month, day, 23, 59, tzinfo=ZONE)


TASKS = (
    Sheet(
        "leap",
        _local(24, 10),  # The clocks change in the night after it.
        ("leap(2000)", "leap(1900)", "leap(1996)", "leap(1997)"),
        "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
        "def leap(year):\n    return year % 4 == 0\n",
        Fraction(15, 2),
    ),
    Sheet(
        "double",
        _local(7, 11),
        ("double(0)", "double(-1)", "double(21)"),
        "def double(number):\n    return 2 * number\n",
        "def double(number):\n    return number + 1\n",
        Fraction(0),
    ),
    Sheet(
        "essay",
        _local(14, 11),
        ('essay("ada")', 'essay("bo")', 'essay("")'),
        "def essay(name):\n    return name[:1]\n",
        "def essay(name):\n    return name[0]\n",
        Fraction(4),
        most=6,
        by_hand=4,
    ),
)
SPEC = """task: {name}
title: Sheet {name}
marks: 10
reference: ../reference
modules: {{{name}: {name}.py}}
late: {{steps: [{{within: 24h, penalty: 25%}}], then: 100%}}
questions:
  - id: "1"
    title: All of it
    marks: {most}
    award: each
    cases:
{cases}"""
BY_HAND = """  - id: report
    title: Report
    marks: 4
    criteria:
      - {id: method, title: Method, marks: 4}
"""


@dataclass(frozen=True)
class Member(Student):
    """A person of a section.  place: in it.  task: the place of the task that this is about."""

    place: int = 0
    task: int = 0
    section: str = field(default="", kw_only=True)

    @property
    def participant(self) -> int:
        """Moodle's number, which it gives in each assignment anew."""
        return 7000 + 1000 * self.task + (self.number * 37) % 1000


def members(task: int = 0) -> list[Member]:
    """Return all people, as they handed in to one task."""
    return [_member(section, place, task) for section in SECTIONS for place in range(50)]


def _member(section: str, place: int, task: int) -> Member:
    number = 50 * SECTIONS.index(section) + place + 1
    first, last = _FIRST[number % 8], f"{_LAST[number // 8 % 8]}-{number}"
    if place in (TWIN, OTHER_TWIN):
        first, last = "Maria", f"Silva {section}"
    sheet = TASKS[task]
    granted = {EXTENDED: timedelta(hours=48), LABELLED: timedelta(hours=24)}.get(place, timedelta())
    group = "Team Ä" if section == "gradescope" and place in GROUP else ""
    member = Member(
        number,
        first,
        last,
        "",
        group=group,
        extension=sheet.due - DUE + granted,
        place=place,
        task=task,
        section=section,
    )
    return replace(member, attempts=tuple(_attempts(member, sheet)))


def _attempts(member: Member, sheet: Sheet) -> Iterator[Attempt]:
    early, place = sheet.due - timedelta(days=1), member.place
    if place == NOTHING or (member.group and place != GROUP[0]):
        return
    if place == PDF:
        upload = {"report.pdf": b"%PDF-1.7 " + member.key.encode()}
        yield Attempt(_at(early), None, upload, {}, ("report.pdf",))
        return
    if place in (AGAIN, AGAIN_LATE):
        yield _attempt(member, sheet, early, is_right=place == AGAIN_LATE)
    late = {
        LATE: HALF_A_DAY,
        TOO_LATE: MORE_THAN_A_DAY,
        EXTENDED: HALF_A_DAY,
        LABELLED: HALF_A_DAY,
        AGAIN_LATE: HALF_A_DAY,
        AGAIN: -timedelta(hours=1),
    }.get(place)
    at = sheet.due.astimezone(UTC) + late if late is not None else early
    yield _attempt(member, sheet, at, is_right=_is_right(member))


def _attempt(member: Member, sheet: Sheet, at: datetime, *, is_right: bool) -> Attempt:
    code = (sheet.right if is_right else sheet.wrong) + f"# {member.key}\n"
    files = {f"{sheet.name}.py": code.encode()}
    mark = sheet.most if is_right else int(sheet.wrong_mark)
    return Attempt(_at(at), Program(mark, None, None), files, files)


def _at(at: datetime) -> datetime:
    return at.astimezone(ZONE)


def _is_right(member: Member) -> bool:
    if member.place in (AGAIN, TWIN):
        return True
    return member.place not in (AGAIN_LATE, OTHER_TWIN) and member.number % 3 != 0


def by_hand(member: Member) -> int:
    """Return the marks that a person gives for the report."""
    return member.number % 5


def expected(member: Member, *, later: bool = False) -> Fraction | None:
    """Return the mark of a member's work; None where nothing was handed in.

    later: the case of 1900 is gone from the first task.
    """
    sheet = TASKS[member.task]
    if member.place == NOTHING:
        return None
    leader = _member(member.section, GROUP[0], member.task) if member.group else member
    own = Fraction(sheet.most) if _is_right(leader) else sheet.wrong_mark
    if later and sheet.name == "leap":
        own = Fraction(10)
    if member.place == PDF:
        own = Fraction(0)
    total = own + (by_hand(member) if sheet.by_hand else 0)
    share = {LATE: Fraction(3, 4), AGAIN_LATE: Fraction(3, 4), TOO_LATE: Fraction(0)}
    mark = total * share.get(member.place, Fraction(1))
    return Fraction((mark * 200 + 1) // 2, 100)  # two decimals, halves up


def write_term_of_four(folder: Path) -> None:
    """Write specs, reference, roster, downloads, times and sheets, and no course file."""
    for name in ("specs", "reference", *(f"in/{sheet.name}" for sheet in TASKS)):
        (folder / name).mkdir(parents=True)
    for task, sheet in enumerate(TASKS):
        (folder / "reference" / f"{sheet.name}.py").write_text(sheet.right)
        write_spec(folder, sheet)
        _downloads(folder / "in" / sheet.name, task)
    rows = [["student", "name", "mail", "group", "login", "sis", "canvas"]]
    rows += [
        [one.key, one.name, one.mail, one.group, one.login, one.sis_id, str(one.canvas_id)]
        for one in members()
    ]
    (folder / "people.csv").write_text(text(rows), encoding="utf-8")


def write_spec(folder: Path, sheet: Sheet, *, without: str = "") -> None:
    """Write the spec of a task.  without: a case that it has no longer."""
    cases = "".join(
        f"      - call: {call}\n        returns: same as reference\n"
        for call in sheet.cases
        if call != without
    )
    content = SPEC.format(name=sheet.name, most=sheet.most, cases=cases) + (BY_HAND if sheet.by_hand else "")
    (folder / "specs" / f"{sheet.name}.yaml").write_text(content)


def _downloads(folder: Path, task: int) -> None:
    people = members(task)
    sections = {name: [one for one in people if one.section == name] for name in SECTIONS}
    for name, layout in (("moodle", moodle), ("canvas", canvas), ("blackboard", blackboard)):
        layout.render(folder, sections[name]).path.rename(folder / f"{name}.zip")
    gradescope.render(folder, sections["gradescope"]).path.rename(folder / "gradescope.zip")
    (folder / "worksheet.csv").write_bytes(moodle_sheet.blank(sections["moodle"]))
    (folder / "gradebook.csv").write_bytes(canvas_sheet.blank(sections["canvas"]))
    (folder / "offline.csv").write_bytes(blackboard_sheet.blank(sections["blackboard"]))
    answers = [
        {
            "user_id": one.canvas_id,
            "submitted_at": one.attempts[-1].at.astimezone(UTC).isoformat() if one.attempts else None,
        }
        for one in sections["canvas"]
    ]
    (folder / "canvas.json").write_text("while(1);" + json.dumps(answers))


def course_text(released: str = "") -> str:
    """Return the course's file as a lecturer completes it.  released: the task of which marks are told."""
    extended = [one for one in members() if one.place == EXTENDED]
    labelled = [one.key for one in members() if one.place == LABELLED]
    lines = [
        "course: term-of-four",
        "title: Programming, autumn 2026",
        f"zone: {ZONE.key}",
        "roster: people.csv",
        f"labels: {{extra-time: [{', '.join(labelled)}]}}",
        "tasks:",
    ]
    for sheet in TASKS:
        folder = f"in/{sheet.name}"
        zips = ", ".join(f"{folder}/{name}.zip" for name in SECTIONS)
        lines += [
            f"  {sheet.name}:",
            f"    spec: specs/{sheet.name}.yaml",
            f"    submissions: [{zips}]",
            f"    due: {sheet.due:%Y-%m-%d %H:%M}",
            f"    times: [{folder}/worksheet.csv, {folder}/canvas.json]",
            f"    sheets: {{moodle: {folder}/worksheet.csv, canvas: {folder}/gradebook.csv,",
            f"             blackboard: {folder}/offline.csv}}",
            f'    columns: {{canvas: "{canvas_sheet.ASSIGNMENT_ID}",',
            f'              blackboard: "{blackboard_sheet.COLUMN_ID}"}}',
            "    category: sheet",
            *(["    released: true"] if sheet.name == released else ()),
        ]
    lines.append("extensions:")
    lines += [f"  - {{student: {one.key}, add: 48h, reason: ill}}" for one in extended]
    lines.append("  - {label: extra-time, add: 24h, reason: accommodation}")
    lines += [
        "gradebook:",
        "  sheets: {of: sheet, by: marks}",
        "pass:",
        "  - {column: sheets, at least: 50%}",
    ]
    return "\n".join(lines) + "\n"

"""The 40 people of the class, each with an oddity, their ids in each LMS, and their attempts.

All of them are made up.  Ids stand in a fixed order, so that `s07` has the number 7 in each LMS.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from support.class_of_40 import programs
from support.class_of_40.programs import Program
from support.class_of_40.task import DUE
from support.class_of_40.zips import zipped

TEAM = "Team_Ä: 1/2"
"""The name of the group of three: an underscore, an accent, and two characters that no file name may hold."""
TEAM_ID = 881
EARLY = DUE - timedelta(hours=26)


@dataclass(frozen=True)
class Attempt:
    """The files and the text that a person handed in at once.

    upload: the files as they were uploaded, by path; zips are not opened.
    work: the Python files that are in it.
    left_out: names of files in it that are no work.
    text: typed into the LMS's own text field.
    """

    at: datetime
    program: Program | None
    upload: Mapping[str, bytes]
    work: Mapping[str, bytes]
    left_out: tuple[str, ...] = ()
    text: str = ""

    @property
    def mark(self) -> int | None:
        """The marks of 10 that it is worth, before any penalty; None where there is nothing to mark."""
        return self.program.mark if self.program is not None else None


@dataclass(frozen=True)
class Student:
    """One person.  oddity: why they are in the class."""

    number: int
    first: str
    last: str
    oddity: str
    attempts: tuple[Attempt, ...] = ()
    group: str = ""
    extension: timedelta = timedelta()
    login: str = ""
    mail: str = field(default="", init=False)

    def __post_init__(self) -> None:
        """Give everybody a login and a mail, but for the one without a name."""
        object.__setattr__(self, "login", self.login or f"stu{self.number:02}")
        object.__setattr__(self, "mail", f"{self.login}@example.edu" if self.name else "")

    @property
    def key(self) -> str:
        """The name of this person in tests."""
        return f"s{self.number:02}"

    @property
    def name(self) -> str:
        """First name, last name."""
        return " ".join(part for part in (self.first, self.last) if part)

    @property
    def sortable(self) -> str:
        """Last name, comma, first name, as Canvas sorts."""
        return ", ".join(part for part in (self.last, self.first) if part)

    @property
    def sis_id(self) -> str:
        """The id that the university gives, with zeros in front that a spreadsheet would lose."""
        return f"00{4100 + self.number}"

    @property
    def participant(self) -> int:
        """Moodle's id of the person in this assignment."""
        return 7000 + self.number

    @property
    def canvas_id(self) -> int:
        """Canvas's id of the person."""
        return 50100 + self.number

    @property
    def d2l_id(self) -> int:
        """Brightspace's id of the person."""
        return 39700 + self.number

    @property
    def github(self) -> str:
        """The name at GitHub, which has nothing to do with the person's."""
        return f"octo-{self.number:02}"

    @property
    def due(self) -> datetime:
        """When this person's work has to be in."""
        return DUE + self.extension

    def late_s(self, attempt: Attempt) -> int:
        """Return by how many seconds an attempt was late."""
        return max(0, int((attempt.at - self.due).total_seconds()))

    def counted(self, policy: str = "latest") -> Attempt | None:
        """Return the attempt that counts by a policy of the spec's key `attempts`; None if there is none."""
        choice = list(self.attempts)
        if policy == "last-before-deadline":
            choice = [attempt for attempt in choice if not self.late_s(attempt)] or choice[:1]
        if policy == "best":
            choice.sort(key=lambda attempt: -1 if attempt.mark is None else attempt.mark)
        return choice[-1] if choice else None

    def mark(self, policy: str = "latest") -> int | None:
        """Return the mark of 10, before any penalty; None where there is nothing to mark."""
        if self.group and not self.attempts:
            return next(
                member.mark(policy) for member in CLASS if member.group == self.group and member.attempts
            )
        counted = self.counted(policy)
        return counted.mark if counted is not None else None


def _plain(
    number: int, program: Program, at: datetime = EARLY, extra: Mapping[str, bytes] | None = None
) -> Attempt:
    files = program.files(f"s{number:02}")
    return Attempt(at, program, {**files, **(extra or {})}, files, tuple(extra or ()))


def _packed(number: int, program: Program, how: str, at: datetime = EARLY) -> Attempt:
    """Return an attempt whose files are packed in the way that `how` names."""
    work = program.files(f"s{number:02}")
    left_out: tuple[str, ...] = ()
    if how == "nested zip":
        upload = {"homework.zip": zipped({"inner.zip": zipped(work)})}
    elif how == "zip in a folder":
        upload = {"my work/homework.zip": zipped(work)}
    elif how == "wrapper folder":
        upload = {"homework.zip": zipped({f"homework-main/{name}": data for name, data in work.items()})}
    else:
        junk = {
            "__MACOSX/._shapes.py": b"\0\5\26\7junk",
            ".DS_Store": b"\0\0\0\1Bud1",
            "__pycache__/x.pyc": b"\0",
        }
        upload, left_out = {"Archive.zip": zipped({**work, **junk})}, tuple(junk)
    return Attempt(at, program, upload, work, left_out)


def _class() -> tuple[Student, ...]:
    # number, first name, last name, oddity, program
    named: list[tuple[int, str, str, str, Program]] = [
        (1, "Zoë", "Brontë", "accents", programs.RIGHT),
        (2, "Jose\u0301", "Nu\u0301n\u0303ez", "combining characters", programs.NO_PERIMETER),
        (3, "محمد", "الأحمد", "right to left", programs.NO_LONGEST),
        (4, "小龍", "李", "CJK", programs.HALF),
        (5, "🎓", "😀", "a name of emoji alone", programs.RIGHT),
        (6, "Séamus", "O'Brien", "apostrophe", programs.NO_PERIMETER),
        (7, "Anne-Marie", "Smith-Jones", "hyphens", programs.RIGHT),
        (9, "Agent", "007", "digits", programs.NO_LONGEST),
        (10, "John", "Smith, Jr.", "comma", programs.RIGHT),
        (11, "Maria", "Silva", "two people of one name", programs.RIGHT),
        (12, "Maria", "Silva", "two people of one name", programs.NOTHING_RIGHT),
        (13, "", "", "no name, no mail", programs.ONLY_SHAPES),
        (14, "", "Prince", "one-word name", programs.HALF),
        (15, "=cmd|' /C calc'!A0", "=1+1", "CSV formula: =", programs.NO_PERIMETER),
        (16, "+1", "+Plus", "CSV formula: +", programs.RIGHT),
        (17, "-2+3", "-Minus", "CSV formula: -", programs.RIGHT),
        (18, "@SUM(1+1)", "@At", "CSV formula: @", programs.ONLY_AREA),
        (19, "\tTab", "\tLeading", "CSV formula: tab", programs.RIGHT),
        (20, "Maximilian" * 9, "Wolfeschlegelstein" * 5, "very long name", programs.NO_LONGEST),
        (21, "", "CON", "a Windows device", programs.SYNTAX_ERROR),
        (22, "..Dotty", "Dots", "leading dots", programs.RIGHT),
        (23, "ada", "lovelace", "twins in upper and lower case", programs.RIGHT),
        (24, "Ada", "LOVELACE", "twins in upper and lower case", programs.ONLY_AREA),
        (39, "Rob", "Late", "a last name that is a mark of Canvas", programs.NO_LONGEST),
    ]
    people = [Student(n, first, last, oddity, (_plain(n, p),)) for n, first, last, oddity, p in named]
    minute, day = timedelta(minutes=1), timedelta(days=1)
    notes = {"notes_007_1.txt": b"no code, and underscores in the name\n"}
    text = Attempt(EARLY, None, {}, {}, ("onlinetext.html",), "<p>def area(w, h): return w * h</p>")
    people += [
        Student(
            8,
            "Tom_T",
            "Under_12_score",
            "underscores",
            (_plain(8, programs.HALF, extra=notes),),
            login="tom_u_8",
        ),
        Student(
            25,
            "Thea",
            "Three",
            "three attempts, one late",
            (
                _plain(25, programs.RIGHT),
                _plain(25, programs.HALF, DUE - timedelta(hours=2)),
                _plain(25, programs.NO_PERIMETER, DUE + timedelta(hours=3)),
            ),
        ),
        Student(
            26,
            "Rita",
            "Resubmit",
            "a resubmission",
            (_plain(26, programs.ONLY_SHAPES), _plain(26, programs.RIGHT, DUE - timedelta(hours=1))),
        ),
        Student(27, "Nora", "Nested", "nested zip", (_packed(27, programs.RIGHT, "nested zip"),)),
        Student(
            28, "Fred", "Folder", "zip in a folder", (_packed(28, programs.NO_LONGEST, "zip in a folder"),)
        ),
        Student(
            29, "Wim", "Wrapper", "wrapper folder", (_packed(29, programs.NO_PERIMETER, "wrapper folder"),)
        ),
        Student(30, "Mac", "Junk", "macOS junk", (_packed(30, programs.RIGHT, "macOS junk"),)),
        Student(31, "Nobody", "Nothing", "nothing handed in"),
        Student(32, "Emma", "Empty", "an empty file", (_plain(32, programs.EMPTY_SHAPES),)),
        Student(
            33,
            "Ext",
            "Ended",
            "an extension",
            (_plain(33, programs.RIGHT, DUE + 2 * day),),
            extension=3 * day,
        ),
        Student(34, "Minute", "After", "late by a minute", (_plain(34, programs.RIGHT, DUE + minute),)),
        Student(35, "Days", "After", "late by two days", (_plain(35, programs.HALF, DUE + 2 * day),)),
        Student(36, "Gina", "Grün", "a group; uploads", (_plain(36, programs.NO_PERIMETER),), TEAM),
        Student(37, "Hal", "Grün", "a group; does not upload", (), TEAM),
        Student(38, "Ira", "Grün", "a group; does not upload", (), TEAM),
        Student(40, "Tilda", "Typist", "typed text and no file", (text,)),
    ]
    return tuple(sorted(people, key=lambda student: student.number))


CLASS = _class()
BY_KEY = {student.key: student for student in CLASS}

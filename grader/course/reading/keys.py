"""The keys of a course file."""

import re
from fractions import Fraction

from grader.course.course import By, Decided, Missing, Short
from grader.model.task import PageLanguage
from grader.yamlfile.kinds import (
    BOOLEAN,
    DURATION,
    INTEGER,
    MAPPING,
    NAMES,
    NUMBER,
    PATH,
    POSITIVE,
    TEXT,
    choice,
    each,
    inner,
    mapping_of,
    named,
    quantity,
    within,
)
from grader.yamlfile.quantities import duration_s, share
from grader.yamlfile.table import Key, KeyKind, KeyTable

_TIME = KeyKind(
    "a point in time",
    "time with an offset, or local in `zone`, or `EVENT + 3 days 23:59`",
    TEXT.read,
    TEXT.schema,
)
SHARE_HINT = "write it with a percent sign, such as 50%"
_SHARE = quantity(
    "a share such as 50%",
    "share",
    share,
    {"type": ["number", "string"]},
    hint=SHARE_HINT,
)
_COUNT = within(INTEGER, 0, 1000)
_DAYS = re.compile(r"([0-9]{1,3}) *(?:d|days?)")


def _long_s(text: str) -> Fraction | None:
    days = _DAYS.fullmatch(text)
    return Fraction(int(days[1]) * 86400) if days is not None else duration_s(text)


_LONG = quantity("a time such as 7 days or 48h", "days, or duration", _long_s, {"type": ["number", "string"]})

# A table reads best as a table: a line for what a key is, then its meaning.
# fmt: off

TASK = KeyTable(
    "a task of a course",
    (
        Key("spec", PATH, "specs/leap.yaml", meaning="the spec; a task without one is marked elsewhere"),
        Key("submissions", NAMES, "in/leap", default=(), meaning=
            "downloads or folders with what was handed in; they may come later"),
        Key("due", _TIME, "2026-10-02 23:59", meaning=
            "until when it is handed in; the deadline of `late` in the spec, if that has none"),
        Key("times", NAMES, "in/leap-times.csv", default=(),
            absent="in the downloads, or in a Moodle worksheet under `sheets`",
            meaning="files with the times of submissions"),
        Key("reviews", NAMES, "reviews/leap.yaml", default=(), absent="reviews/TASK.yaml beside the spec",
            meaning="files with marks by hand and overrides; tasks that have one spec each name their own"),
        Key("reports", PATH, "reports/leap", absent="reports/NAME", meaning="the folder of the results"),
        Key("layout", TEXT, "moodle", default="", absent="found out", meaning=
            "the layout of the submissions"),
        Key("category", TEXT, "sheet", default="", meaning="tasks of one category can be named together"),
        Key("columns", mapping_of(TEXT, "format: column"), "{moodle: Sheet 1}", meaning=
            "the column of the marks in the sheet of each LMS"),
        Key("sheets", mapping_of(PATH, "format: path"), "{moodle: in/worksheet.csv}", meaning=
            "the sheet of each LMS, as it was downloaded"),
        Key("slip", BOOLEAN, "true", default=False, meaning="slip days can be spent on it"),
        Key("released", BOOLEAN, "true", default=False, meaning="students know their marks"),
        Key("told", _TIME, "week 3 + 1 day 12:00", meaning=
            "when they were told their marks; requests to look again have their time from then"),
        Key("marks", POSITIVE, "60", meaning="of a task that is marked elsewhere: the most that it is worth"),
        Key("sheet", PATH, "marks/exam.csv", meaning=
            "of a task that is marked elsewhere: a CSV with its marks"),
        Key("column", TEXT, "Points", meaning="of a task that is marked elsewhere: the column of the marks"),
    ),
    synonyms={
        "batch": ("submissions", "the folder or download is `submissions`"),
        "deadline": ("due", "here it is `due`"),
    },
)

EXTENSION = KeyTable(
    "an extension",
    (
        Key("student", TEXT, "student-07", meaning="whom it is for: an id, a name or a mail"),
        Key("label", TEXT, "extra-time", meaning="for all who have this label"),
        Key("task", NAMES, "leap", default=(), absent="all tasks", meaning=
            "the tasks that it holds for, or categories"),
        Key("until", _TIME, "2026-10-04 23:59", meaning="the new deadline"),
        Key("add", DURATION, "48h", meaning="the time that is added to that of all"),
        Key("reason", TEXT, "ill", required=True, meaning="why; the staff's pages show it"),
        Key("by", TEXT, "A. Marker", default="", meaning="who granted it"),
        Key("date", TEXT, "2026-09-24", default="", meaning="when"),
    ),
)

EXCUSED = KeyTable(
    "an excuse",
    (
        Key("student", TEXT, "student-12", required=True, meaning="who: an id, a name or a mail"),
        Key("task", NAMES, "leap", required=True, default=(), meaning="what need not be done, or categories"),
        Key("reason", TEXT, "exchange term", required=True, meaning="why"),
        Key("by", TEXT, "A. Marker", default="", meaning="who decided it"),
    ),
)

ADDED_DAYS = KeyTable(
    "added slip days",
    (
        Key("student", TEXT, "student-11", required=True, meaning="who gets them"),
        Key("on", _TIME, "2026-10-20 00:00", required=True, meaning=
            "they count for tasks that are due from then on"),
        Key("add", within(INTEGER, 1, 1000), "1", required=True, meaning="how many"),
        Key("reason", TEXT, "server was down", required=True, meaning="why"),
    ),
)

SLIP_DAYS = KeyTable(
    "slip days",
    (
        Key("budget", _COUNT, "4", required=True, meaning=
            "days of lateness that each person may spend over the term"),
        Key("unit", DURATION, "24h", default=Fraction(86400), absent="24h", meaning=
            "the length of a day; a begun one counts whole"),
        Key("grace", DURATION, "10min", default=Fraction(0), absent="none", meaning=
            "lateness up to this spends none"),
        Key("at most", _COUNT, "2", absent="the budget", meaning="for one task"),
        Key("short", choice(Short), "penalty", default=Short.PENALTY, meaning=
            "lateness that no day is left for: the penalty of the spec, or zero and no day is spent"),
        Key("budgets", mapping_of(_COUNT, "student: days"), "{student-11: 6}", meaning=
            "the days of single people"),
        Key("added", each(ADDED_DAYS), "[{student: student-11, on: 2026-10-20 00:00, add: 1, reason: ill}]",
            default=(), meaning="days that come later"),
    ),
)

REQUESTS = KeyTable(
    "requests to look again",
    (
        Key("file", PATH, "requests.yaml", required=True, meaning="the list of the requests"),
        Key("within", _LONG, "7 days", absent="no bound", meaning=
            "the time for them, from when students are `told` their marks"),
        Key("each", within(INTEGER, 0, 1000), "3", absent="no bound", meaning=
            "so many of one person in the term"),
        Key("another", BOOLEAN, "true", default=False, meaning="who gave a mark does not answer"),
    ),
)

ANSWER = KeyTable(
    "an answer",
    (
        Key("by", TEXT, "B. Marker", required=True, meaning="who answers"),
        Key("date", TEXT, "2026-10-20", required=True, meaning="when"),
        Key("decision", choice(Decided), "changed", required=True, meaning=
            "the mark stays, it is another one, or nobody looked"),
        Key("marks", NUMBER, "3", meaning="with `changed`: the marks of the question, or of the whole"),
        Key("text", TEXT, "The case was wrong.", default="", meaning="why; the student reads it"),
    ),
)

REQUEST = KeyTable(
    "a request to look again",
    (
        Key("student", TEXT, "student-07", required=True, meaning="who asks: an id, a name or a mail"),
        Key("task", TEXT, "leap", required=True, meaning="the task"),
        Key("question", TEXT, '"1"', default="", absent="the whole", meaning="the question of the task"),
        Key("asked", _TIME, "2026-10-14 10:30", required=True, meaning="when"),
        Key("text", TEXT, "1900 was no leap year.", required=True, meaning="why"),
        Key("answer", inner(ANSWER), "{by: B. Marker, date: 2026-10-20, decision: kept}", absent="it is open",
            meaning="the answer"),
    ),
)

COLUMN = KeyTable(
    "a column of the gradebook",
    (
        Key("title", TEXT, "Sheets", absent="its name", meaning="for people"),
        Key("of", NAMES, "[leap, tour]", default=(), meaning="the tasks, or categories, that it is over"),
        Key("by", choice(By), "share", meaning=
            "with `of`: tasks count alike, by the `share` of their marks, or by their `marks`"),
        Key("drop", _COUNT, "1", default=0, absent="none", meaning=
            "so many tasks count for nothing: the worst ones"),
        Key("never drop", NAMES, "[essay]", default=(), meaning="tasks that count always"),
        Key("missing", choice(Missing), "zero", default=Missing.ZERO, meaning=
            "what nothing handed in is worth: zero, or not known yet"),
        Key("weights", mapping_of(_SHARE, "column: share"), "{sheets: 40%, exam: 60%}", meaning=
            "instead of `of`: columns above, with their parts; together 100%"),
        Key("bonus", mapping_of(_SHARE, "column: share"), "{quiz: 5%}", meaning=
            "columns whose parts come on top"),
        Key("at most", _SHARE, "100%", absent="no bound", meaning="the most that it can be"),
        Key("step", _SHARE, "0.1%", default=Fraction(0), absent="not rounded", meaning=
            "it is rounded to a multiple of this, halves up"),
    ),
)

SCALE = KeyTable(
    "the scale",
    (
        Key("column", TEXT, "total", required=True, meaning="the column that decides"),
        Key("steps", MAPPING, '{90%: "1.0", 50%: "4.0", 0%: "5.0"}', required=True, meaning=
            "each grade by the least share that it needs"),
    ),
)

PASS = KeyTable(
    "a rule for passing",
    (
        Key("column", TEXT, "sheets", meaning="this column must reach `at least`"),
        Key("at least", TEXT, "50%", required=True, meaning="a share of the column, or a number of tasks"),
        Key("count", NAMES, "sheet", default=(), meaning=
            "instead of `column`: tasks or categories that are counted"),
        Key("with", _SHARE, "40%", meaning="with `count`: the share that a task needs to be counted"),
    ),
)

COURSE = KeyTable(
    "a course",
    (
        Key("course", TEXT, "algo-26", required=True, meaning="its short name"),
        Key("title", TEXT, "Algorithms, autumn 2026", required=True, meaning="for people"),
        Key("zone", TEXT, "Europe/Zurich", meaning=
            "the time zone of times without an offset, and of the pages"),
        Key("language", choice(PageLanguage), "de", default=PageLanguage.ENGLISH, meaning=
            "the language of the course's pages: `en` or `de`; a task's own pages go by its spec"),
        Key("roster", PATH, "people/roster.csv", meaning="the list of the class, as an LMS gives it"),
        Key("labels", mapping_of(NAMES, "label: people"), "{extra-time: [student-11]}", meaning=
            "people by what holds for several of them"),
        Key("events", mapping_of(TEXT, "name: date"), "{week 1: 2026-09-14}", meaning=
            "dates that others count from"),
        Key("lms", TEXT, "moodle", default="", meaning="the format of the sheets that go back"),
        Key("tasks", named(TASK, "name: task"), "{leap: {spec: specs/leap.yaml}}", required=True, meaning=
            "the tasks by name; commands take the name instead of the spec"),
        Key("extensions", each(EXTENSION), "[{student: student-07, task: leap, add: 48h, reason: ill}]",
            default=(), meaning="more time for single people"),
        Key("excused", each(EXCUSED), "[{student: student-12, task: leap, reason: exchange term}]",
            default=(), meaning="tasks that single people need not do"),
        Key("slip days", inner(SLIP_DAYS), "{budget: 4}", meaning="days of lateness for everybody to spend"),
        Key("requests", inner(REQUESTS), "{file: requests.yaml, within: 7 days}", meaning=
            "requests to look again"),
        Key("gradebook", named(COLUMN, "name: column"), "{sheets: {of: sheet, by: share}}", meaning=
            "how marks become a result; a column uses those above it"),
        Key("scale", inner(SCALE), '{column: total, steps: {50%: "4.0"}}', meaning="grades"),
        Key("pass", each(PASS), "[{column: total, at least: 50%}]", default=(), meaning=
            "all that must be reached"),
    ),
    synonyms={
        "students": ("roster", "the list of the class is `roster`"),
        "timezone": ("zone", "here it is `zone`"),
        "extension": ("extensions", "here it is `extensions`"),
    },
)
# fmt: on

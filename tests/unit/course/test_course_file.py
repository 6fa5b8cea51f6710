"""A course file: what is read, and every mistake at its line and column."""

from contextlib import suppress
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from grader.course.course import By, Course, Missing, PassRule, Short
from grader.course.reading.course_file import course_in
from grader.course.reading.keys import (
    ADDED_DAYS,
    COLUMN,
    COURSE,
    EXCUSED,
    EXTENSION,
    PASS,
    SCALE,
    SLIP_DAYS,
    TASK,
)
from grader.course.reading.page import PAGE, generated
from grader.model.errors import UsageError
from grader.model.policy import Extension
from grader.model.task import PageLanguage
from grader.yamlfile.table import KeyTable

HEAD = "course: c\ntitle: C\nzone: Europe/Zurich\n"
TASKS = "tasks:\n  leap: {spec: leap.yaml, category: sheet}\n  tour: {spec: tour.yaml, category: sheet}\n"


def read(folder: Path, text: str) -> Course:
    for name in ("leap.yaml", "tour.yaml", "exam.csv", "roster.csv"):
        (folder / name).write_text("")
    return course_in(folder / "course.yaml", text.encode())


def mistakes(folder: Path, text: str) -> list[tuple[str, str]]:
    """Return the place and the message of each mistake."""
    with pytest.raises(UsageError) as caught:
        read(folder, text)
    return [(fault.where.partition("course.yaml:")[2], fault.message) for fault in caught.value.faults]


def test_a_folder_of_reviews_is_no_file_of_them(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    text = HEAD + "tasks:\n  leap: {spec: leap.yaml, category: sheet, reviews: [new.yaml, marks]}\n"
    assert mistakes(tmp_path, text) == [("5:64", "`marks` is a folder")]


@pytest.mark.parametrize(
    ("essay", "resit", "told"),
    [
        ("spec: leap.yaml", "spec: leap.yaml", "essay and resit have one spec"),
        ("spec: leap.yaml", "spec: copy.yaml", "essay and resit have one spec"),
        ("spec: leap.yaml", "spec: leap.yaml, reviews: r.yaml", "essay and resit have one spec"),
        ("spec: leap.yaml, reviews: r.yaml", "spec: tour.yaml, reviews: ./r.yaml", "share a file of reviews"),
        ("spec: leap.yaml", "spec: tour.yaml, reviews: reviews/leap.yaml", "has the reviews of essay"),
        ("spec: leap.yaml", "spec: tour.yaml, reviews: reviews/leap/B.yaml", "has the reviews of essay"),
        ("spec: leap.yaml, reviews: a.yaml", "spec: leap.yaml, reviews: b.yaml", ""),
        ("spec: leap.yaml", "spec: tour.yaml", ""),
    ],
)
def test_each_task_has_reviews_of_its_own(tmp_path: Path, essay: str, resit: str, told: str) -> None:
    """Marks by hand of the first exam counted for the resit, and those of the resit changed the first."""
    text = f"{HEAD}tasks:\n  essay: {{{essay}}}\n  resit: {{{resit}}}\n"
    for name, task in (("leap", "leap"), ("copy", "leap"), ("tour", "tour")):
        (tmp_path / f"{name}.yaml").write_text(f"task: {task}\n")
    try:
        course_in(tmp_path / "course.yaml", text.encode())
    except UsageError as error:
        (fault,) = error.faults
        assert told in fault.message
        assert fault.hint == "give each of them `reviews` of its own"
        assert told
    else:
        assert not told


def test_all_keys_together(tmp_path: Path) -> None:
    course = read(
        tmp_path,
        HEAD
        + """roster: roster.csv
lms: moodle
labels: {slow: [a, b]}
events: {week 1: 2026-09-14, talk: 2026-09-15 10:15}
tasks:
  leap:
    {spec: leap.yaml, submissions: [in/a, in/b.zip], due: week 1 + 11 days 23:59, category: sheet,
     columns: {moodle: Sheet 1}, sheets: {moodle: in/w.csv}, reviews: r.yaml, reports: out/leap,
     released: true, slip: true}
  exam: {marks: 60, sheet: exam.csv, column: Points}
extensions:
  - {label: slow, task: sheet, add: 2h, reason: x}
  - {student: c, until: 2026-12-01T00:00+00:00, reason: y, by: A. Marker, date: 2026-11-01}
excused: [{student: d, task: sheet, reason: z}]
slip days: {budget: 3, unit: 12h, grace: 5min, at most: 2, short: zero, budgets: {a: 5},
            added: [{student: a, on: talk, add: 1, reason: ill}]}
gradebook:
  sheets: {of: sheet, by: marks, missing: pending}
  exam: {of: exam, by: share}
  total: {title: All, weights: {sheets: 40%, exam: 0.6}, bonus: {sheets: 5%}, at most: 100%, step: 1%}
scale: {column: total, steps: {0%: "5.0", 50%: "4.0"}}
pass: [{column: total, at least: 50%}, {count: [leap, exam], with: 40%, at least: 2}]
""",
    )
    leap = course.tasks[0]
    assert leap.due == datetime(2026, 9, 25, 21, 59, tzinfo=UTC)
    assert leap.submissions == (tmp_path / "in/a", tmp_path / "in/b.zip")
    assert (leap.reports, leap.released, leap.slip) == (tmp_path / "out/leap", True, True)
    assert course.elsewhere[0].marks == 60
    assert course.names == ("leap", "exam")
    assert course.granted(leap) == (
        Extension("a", None, 7200),
        Extension("b", None, 7200),
        Extension("c", datetime(2026, 12, 1, tzinfo=UTC)),
    )
    slip = course.slip_days
    assert slip is not None
    assert (slip.budget, slip.unit_s, slip.grace_s, slip.at_most) == (3, 43200, 300, 2)
    assert (slip.short, slip.budgets, slip.added[0].on.isoformat()) == (
        Short.ZERO, {"a": 5}, "2026-09-15T10:15:00+02:00",
    )  # fmt: skip
    sheets, _, total = course.gradebook.columns
    assert (sheets.by, sheets.missing) == (By.MARKS, Missing.PENDING)  # type: ignore[union-attr]
    assert (total.title, total.weights["exam"], total.step) == (  # type: ignore[union-attr]
        "All", Fraction(3, 5), Fraction(1, 100),
    )  # fmt: skip
    assert course.gradebook.scale is not None
    assert course.gradebook.scale.steps == ((Fraction(1, 2), "4.0"), (Fraction(0), "5.0"))
    assert course.gradebook.rules[1] == PassRule(share=Fraction(2, 5), tasks=("leap", "exam"), count=2)


@pytest.mark.parametrize(
    ("due", "told"),
    [
        ("2026-10-02 23:59", "`2026-10-02 23:59` has no time zone"),
        ("2026-10-02", "`2026-10-02` has no time of day"),
        ("2026-02-30 12:00", "there is no `2026-02-30 12:00`"),
        ("tomorrow", "`tomorrow` is no point in time"),
        ("2026-10-25 02:30", "`2026-10-25 02:30` is there twice in Europe/Zurich, since the clocks change"),
        ("2026-03-29 02:30", "`2026-03-29 02:30` does not exist in Europe/Zurich, since the clocks change"),
    ],
)
def test_a_due_time_that_is_none(tmp_path: Path, due: str, told: str) -> None:
    head = HEAD.replace("zone: Europe/Zurich\n", "") if "no time zone" in told else HEAD
    line = head.count("\n") + 2
    found = mistakes(tmp_path, f"{head}tasks:\n  leap: {{spec: leap.yaml, due: {due}}}\n")
    assert found == [(f"{line}:32", told)]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("extensions: [{student: a, task: leep, add: 1h, reason: x}]", "there is no task or category `leep`"),
        ("extensions: [{student: a, task: leap, reason: x}]", "an extension has `until`, or `add`"),
        ("extensions: [{add: 1h, reason: x}]", "an extension names a `student`, or a `label`"),
        ("extensions: [{label: slow, add: 1h, reason: x}]", "there is no label `slow`"),
        ("excused: [{student: a, task: leap}]", "`reason` is missing in an excuse"),
        ("gradebook: {a: {of: sheet}}", "`by` is missing: do tasks count by `share`, or by `marks`?"),
        ("gradebook: {a: {of: sheet, by: share, drop: 2}}", "of 2 tasks at most 1 can be dropped"),
        ("gradebook: {a: {by: share}}", "the column `a` needs `of`, or `weights`"),
        (
            "gradebook: {a: {of: sheet, by: share}, b: {weights: {a: 90%}}}",
            "the weights together are 90%, not 100%",
        ),
        ("gradebook: {b: {weights: {a: 100%}}}", "there is no column `a` above"),
        ("pass: [{column: a, at least: 50%}]", "there is no column `a` above"),
        ("pass: [{count: sheet, with: 50%, at least: 3}]", "`3` must be a number of tasks, at most 2"),
        ("slip days: {budget: 1, unit: 0s}", "`unit` must be longer than nothing, and at most a year"),
        ("students: x", "`students` is not a key of a course"),
    ],
)
def test_a_mistake_is_told_once_with_its_line(tmp_path: Path, more: str, told: str) -> None:
    found = mistakes(tmp_path, f"{HEAD}{TASKS}{more}\n")
    assert [text for _, text in found] == [told]
    assert found[0][0].startswith("7:")


@pytest.mark.parametrize(
    ("task", "told"),
    [
        ("leap: {spec: leep.yaml}", "`leep.yaml` does not exist"),
        ("leap: {}", "`marks` is missing in the task `leap`"),
        ("leap: {spec: leap.yaml, marks: 3}", "`marks` is for a task that is marked elsewhere"),
        ("leap: {marks: 3, sheet: exam.csv, column: x, times: t}", "`times` needs a `spec`"),
        ("a/b: {spec: leap.yaml}", "`a/b` can't be the name of a task"),
        ('"": {spec: leap.yaml}', "`` can't be the name of a task"),
    ],
)
def test_a_task_that_is_none(tmp_path: Path, task: str, told: str) -> None:
    found = mistakes(tmp_path, f"{HEAD}tasks:\n  {task}\n")
    assert found[0][0].startswith("5:")
    assert told in found[0][1]


def test_the_page_has_the_tables_of_keys() -> None:
    page = Path(__file__).parents[3] / "docs" / PAGE
    text = page.read_text(encoding="utf-8")
    assert generated(text) == text, "run `python -m grader.course.reading.page`"


NONE = (
    "",
    "[]",
    "x",
    "tasks: {}",
    "course: [",
    "tasks: {a: b}",
    f"{HEAD}tasks: {{leap: {{spec: [a]}}}}",
    "\0",
)


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_course_is_a_clear_mistake(tmp_path: Path, text: str) -> None:
    assert mistakes(tmp_path, text)


ODD = (
    "", "''", "[]", "{}", "[[]]", "{a: {b: c}}", "-1", "1e999", "0/0", "true", "~", "9" * 50, '"\\u202e"',
    "2026-13-01 25:61",
)  # fmt: skip
HOLDERS = (
    (COURSE, ""),
    (TASK, TASKS + "  x: {@}"),
    (EXTENSION, TASKS + "extensions: [{@}]"),
    (EXCUSED, TASKS + "excused: [{@}]"),
    (SLIP_DAYS, TASKS + "slip days: {@}"),
    (ADDED_DAYS, TASKS + "slip days: {budget: 1, added: [{@}]}"),
    (COLUMN, TASKS + "gradebook: {a: {of: sheet, by: share}, b: {@}}"),
    (SCALE, TASKS + "scale: {@}"),
    (PASS, TASKS + "pass: [{@}]"),
)


@pytest.mark.parametrize(("table", "around"), HOLDERS, ids=[table.title for table, _ in HOLDERS])
def test_no_odd_value_of_any_key_is_a_crash(tmp_path: Path, table: KeyTable, around: str) -> None:
    for key in table.names:
        for odd in ODD:
            text = around.replace("@", f"{key}: {odd}") if around else f"{key}: {odd}\n"
            with suppress(UsageError):
                read(tmp_path, HEAD + text)


def test_the_language_of_the_pages_is_one_that_there_is(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD + TASKS).language is PageLanguage.ENGLISH
    assert read(tmp_path, HEAD + "language: de\n" + TASKS).language is PageLanguage.GERMAN
    assert mistakes(tmp_path, HEAD + "language: fr\n" + TASKS) == [
        ("4:11", "`language` must be one of en, de, not `fr`")
    ]

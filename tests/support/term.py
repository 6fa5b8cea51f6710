"""A term of a course: tasks, people, submissions, an exam, and the file that holds it together.

Of the people one has accents, two have one name, one hands in nothing, one is ill, one is excused.
"""

from collections.abc import Sequence
from pathlib import Path

TASKS = {
    "leap": "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
    "double": "def double(number):\n    return 2 * number\n",
    "initial": "def initial(name):\n    return name[0]\n",
}
CALLS = {
    "leap": ("leap(2000)", "leap(1900)", "leap(1996)", "leap(1997)"),
    "double": ("double(0)", "double(-1)", "double(21)"),
    "initial": ('initial("ada")', 'initial("bo")'),
}
WRONG = {
    "leap": "def leap(year):\n    return year % 4 == 0\n",
    "double": "def double(number):\n    return number + 1\n",
    "initial": "def initial(name):\n    return name\n",
}
SPEC = """task: @
title: Sheet @
marks: 4
reference: ../reference
modules: {@: @.py}
late: {steps: [{within: 24h, penalty: 25%}], then: 100%}
questions:
  - id: "1"
    title: All of it
    marks: 4
    award: each
    cases:
"""
COURSE = """course: term
title: A term
zone: Europe/Zurich
roster: roster.csv
events: {week 1: 2026-09-14}
labels: {extra-time: [student-03]}
tasks:
  leap: {spec: specs/leap.yaml, submissions: in/leap, times: in/leap-times.yaml, category: sheet,
         due: week 1 + 11 days 23:59, released: true}
  double: {spec: specs/double.yaml, submissions: in/double, category: sheet, due: 2026-10-02 23:59}
  initial: {spec: specs/initial.yaml, submissions: in/initial, category: sheet, due: 2026-10-09 23:59}
  exam: {marks: 60, sheet: exam.csv, column: Points, due: 2027-01-20 12:00}
extensions:
  - {student: student-02, task: leap, add: 48h, reason: ill, by: A. Marker}
  - {label: extra-time, task: sheet, add: 24h, reason: accommodation}
excused:
  - {student: student-04, task: double, reason: exchange term}
gradebook:
  sheets: {title: Sheets, of: sheet, by: share, drop: 1}
  exam: {title: Exam, of: exam, by: share, missing: pending}
  total: {title: Total, weights: {sheets: 40%, exam: 60%}, step: 0.1%}
scale: {column: total, steps: {90%: "1.0", 70%: "2.0", 50%: "4.0", 0%: "5.0"}}
pass:
  - {column: sheets, at least: 50%}
  - {count: sheet, with: 40%, at least: 2}
"""
NAMES = ("Ada Löwe", "Bo Ré", "Cy Ng", "Di Fox", "Bo Ré", "Ed Oz")


def write_term(folder: Path, people: int = 6, course: str = COURSE) -> Path:
    """Write a term into a folder; return the course's file.

    The first half of the people hands in right work.  Student 6 hands in nothing, student 1 the first sheet
    12 hours late.
    """
    ids = [f"student-{number:02}" for number in range(1, people + 1)]
    for name in ("specs", "reference", *(f"in/{task}" for task in TASKS)):
        (folder / name).mkdir(parents=True)
    for task, text in TASKS.items():
        (folder / "reference" / f"{task}.py").write_text(text)
        cases = "".join(f"      - call: {call}\n        returns: same as reference\n" for call in CALLS[task])
        (folder / "specs" / f"{task}.yaml").write_text(SPEC.replace("@", task) + cases)
        for number, student in enumerate(ids):
            if student != "student-06":
                work = folder / "in" / task / student
                work.mkdir()
                (work / f"{task}.py").write_text(text if number < people / 2 else WRONG[task])
    times = "".join(
        f"{student}: {'2026-09-26T12:00' if student == 'student-01' else '2026-09-25T12:00'}:00+02:00\n"
        for student in ids
        if student != "student-06"
    )
    (folder / "in" / "leap-times.yaml").write_text(times)
    (folder / "roster.csv").write_text(_roster(ids), encoding="utf-8")
    marks = "".join(f"{student},{48 if number % 2 else ''}\n" for number, student in enumerate(ids))
    (folder / "exam.csv").write_text(f"student,Points\n{marks}")
    path = folder / "course.yaml"
    path.write_text(course)
    return path


def _roster(ids: Sequence[str]) -> str:
    names = [*NAMES, *(f"Person {number + 1}" for number in range(len(NAMES), len(ids)))]
    lines = [f"{student},{name},{student}@example.org\n" for student, name in zip(ids, names, strict=False)]
    return "student,name,mail\n" + "".join(lines)

"""A course of two pairs: their works, the roster with its groups, and what marking makes of both."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from support.command_line import grader, results

SPEC = """\
task: t
title: T
marks: 4
modules: {m: m.py}
questions:
  - id: "1"
    title: q
    marks: 4
    award: each
    cases:
      - {call: f(1), returns: 1}
      - {call: f(2), returns: 2}
      - {call: f(3), returns: 3}
      - {call: f(4), returns: 4}
"""
NAMES = {"s1": "Ada Fox", "s2": "Bo Ng", "s3": "Cy Oz", "s4": "Di Dun", "s5": "Ed Ex", "s6": "Fay Gil"}
BEFORE = {"s1": "Alpha", "s2": "Alpha", "s3": "Beta", "s4": "Beta"}
MARKS = {"Ada Fox": "4", "Bo Ng": "4", "Cy Oz": "1", "Di Dun": "1"}
FOLDERS = ("Alpha", "Beta")
MOODLE = ("Alpha_31_assignsubmission_file", "Beta_32_assignsubmission_file")


def write_course(course: Path, works: Mapping[str, int], spec: str = SPEC) -> None:
    """Write the spec, and works by the names of their folders.  works: how many cases each gets right."""
    for folder, most in works.items():
        hand_in(course, folder, most)
    (course / "t.yaml").write_text(spec)
    tasks = "tasks: {t: {spec: t.yaml, submissions: in}}"
    (course / "course.yaml").write_text(f"course: c\ntitle: C\nroster: people.csv\n{tasks}\n")


def hand_in(course: Path, folder: str, most: int) -> None:
    path = course / "in" / folder / "m.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"def f(n): return n if n <= {most} else 0\n")


def take_back(course: Path, *folders: str) -> None:
    for folder in folders:
        shutil.rmtree(course / "in" / folder)


def enrol(course: Path, **groups: str) -> None:
    """Write the roster: both pairs, and who has another group, or comes to it."""
    write_roster(course, {**BEFORE, **groups})


def write_roster(course: Path, groups: Mapping[str, str]) -> None:
    lines = [f"{one},{NAMES[one]},{one}@u.edu,{group}\n" for one, group in groups.items()]
    (course / "people.csv").write_text("student,name,mail,group\n" + "".join(lines))


def rename(course: Path, *names: str) -> None:
    """Give the folders of both groups new names."""
    folders = sorted((course / "in").iterdir())
    for place, each in enumerate(folders):
        each.rename(course / "in" / f"then-{place}")
    for place, (each, name) in enumerate(zip(folders, names, strict=True)):
        (course / "in" / f"then-{place}").rename(each.with_name(re.sub("^[^_]+", name, each.name)))


def marked(course: Path, *more: str) -> tuple[dict[str, str], str]:
    """Return the marks, or the status of who has none, and what was told."""
    done = grader("mark", "t", "-q", *more, cwd=course)
    submissions = results(course / "reports/t")["submissions"]
    found = {one["name"]: one["mark"] if one["status"] == "marked" else one["status"] for one in submissions}
    return found, " ".join(done.stderr.split())

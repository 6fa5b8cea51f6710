"""Works that several people handed in together: on a cluster each member has the mark that they have here."""

from pathlib import Path

import pytest
from support.command_line import grader, reproducible, results
from support.daskers import DaskCluster

SPEC = """\
task: pair
title: Pair
marks: 4
modules: {work: work.py}
late: {deadline: 2026-11-20T12:00:00Z, then: 50%}
instead: {penalty: 25%}
questions:
  - {id: "1", title: One, marks: 2, cases: [{call: one(), returns: 1}]}
  - {id: "2", title: Two, marks: 2, cases: [{call: two(), returns: 2}]}
"""
ONE, TWO = "def one():\n    return 1\n", "def two():\n    return 2\n"
ROSTER = """\
student,group,extension
student-01,A,
student-02,A,48h
student-03,A,
student-04,A,
student-05,B,
student-06,B,
"""
TIMES = "student-01: 2026-11-21T12:00:00Z\nstudent-05: [2026-11-20T11:00:00Z, 2026-11-20T11:59:00Z]\n"
REVIEWS = "- {student: student-03, by: A. Marker, overrides: [{question: '2', marks: 1, reason: seen}]}\n"


@pytest.mark.parametrize("policy", ["", "attempts: best\n"])
def test_each_member_of_a_group_has_a_mark(honest: DaskCluster, tmp_path: Path, policy: str) -> None:
    files = {
        "pair.yaml": SPEC + policy,
        "works/student-01/work.py": ONE,
        "works/student-05/attempt-1/work.py": ONE + TWO,
        "works/student-05/attempt-2/work.py": TWO,
        "mended.py": ONE + TWO,
        "roster.csv": ROSTER,
        "times.yaml": TIMES,
        "reviews.yaml": REVIEWS,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    beside = ("--roster", "roster.csv", "--times", "times.yaml", "--reviews", "reviews.yaml")
    instead = ("--instead", "student-04=mended.py", "--by", "A. Marker", "--reason", "by mail")
    mark = ("mark", "pair.yaml", "works", *beside, *instead)
    here = grader(*mark, "-o", "here", cwd=tmp_path)
    there = grader(*mark, "-o", "there", "--cluster", honest.address, cwd=tmp_path)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here.stdout
    found = results(tmp_path / "there")
    assert reproducible(found) == reproducible(results(tmp_path / "here"))
    late = ["1", "2", "1.5", "1.5"]
    assert [one["mark"] for one in found["submissions"]] == [*late, *(["4", "4"] if policy else ["2", "2"])]

"""Which works are told as equal: those that were read and are the same, never those that nobody read."""

from pathlib import Path

from support.declared import mark_folders

from grader.intake.trees.tree import SOURCE_MAX_B
from grader.reports.views.cohort.cohort import Cohort
from grader.reviewing.works import works_of
from grader.spec import load_task

SPEC = """
task: half
title: Half
marks: 1
modules: {work: work.py}
questions:
  - {id: "1", title: Half, marks: 1, cases: [{call: half(4), returns: 2}]}
"""


def test_works_of_which_nothing_was_read_are_not_equal(tmp_path: Path) -> None:
    (tmp_path / "half.yaml").write_text(SPEC)
    task = load_task(tmp_path / "half.yaml")
    texts = {"large": "#" * (SOURCE_MAX_B + 1), "larger": "#" * (SOURCE_MAX_B + 2), "one": "", "two": ""}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "work.py").write_text(text or "def half(n):\n    return n / 2\n")
        (tmp_path / name / "README.txt").write_text("as it was given out")
    results = mark_folders(task, [tmp_path / name for name in texts])
    assert all("work.py" in results[name].problems[0] for name in ("large", "larger"))
    cohort = Cohort(task.marks)
    for name in texts:
        cohort.add(results[name])
    assert [[cohort.rows[at].id for at in group.students] for group in cohort.equal_works] == [["one", "two"]]
    works = works_of([(each, "") for each in results.values()], task.id, blind=False)
    assert {each.id: len(each.equal) for each in works} == {"large": 0, "larger": 0, "one": 1, "two": 1}

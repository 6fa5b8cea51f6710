"""After a change of the spec only the cases that it changes run again, and every mark is judged anew."""

import json
import re
import shutil
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any, TypeAlias
from uuid import uuid4

import pytest
from support import restricted
from support.command_line import COMMAND, MINI, SPEC, grader, reproducible, results, run
from support.memo import MEMO

from grader.store.database import FILE_NAME

STUDENTS = ("student-01", "student-02", "student-03")

STAMPED = r"\1\n    print(__import__('time').time_ns(), end=' ')"
"""Each call prints when it was made, so that no two runs of a case are alike."""

Found: TypeAlias = dict[tuple[str, str], dict[str, Any]]


@pytest.fixture(scope="module")
def marked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small task and a part of its batch, marked; what is there is for `work` to copy."""
    work = Path(shutil.copytree(MINI, tmp_path_factory.mktemp("evidence") / "work"))
    for folder in (work / "submissions").iterdir():
        if folder.name not in STUDENTS:
            shutil.rmtree(folder)
            continue
        module = folder / "words.py"
        module.write_text(re.sub(r"^(def .*:)$", STAMPED, module.read_text(), flags=re.MULTILINE))
    mark(work)
    return work


@pytest.fixture
def work(tmp_path: Path, marked_once: Path) -> Path:
    """A copy of the small task and of a part of its batch, which were marked before."""
    return Path(shutil.copytree(marked_once, tmp_path / "work"))


def mark(work: Path, *options: str, spec: str = SPEC.name, without: Sequence[str] = ()) -> Found:
    """Mark the batch, and return its cases by submission and id.  without: see `restricted`."""
    command: list[str | Path] = [COMMAND, "mark", work / spec, work / "submissions", "-o", work / "out"]
    if without:
        command = [sys.executable, restricted.__file__, *without, "--", *command]
    done = run([*command, *options])
    assert done.returncode == 0, done.stderr
    return found(work)


def found(work: Path) -> Found:
    return {
        (submission["id"], case["id"]): case
        for submission in results(work / "out")["submissions"]
        for question in submission["questions"]
        for case in question["cases"]
    }


def change(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


def lasting(output: Path) -> Any:
    """Return the results without what no two runs have in common."""
    return json.loads(re.sub(r"\b\d{19} ", "", json.dumps(reproducible(results(output)))))


def ran(before: Found, after: Found) -> set[tuple[str, str]]:
    """Return what was measured anew; what did not run has no time."""
    marks = ("cpu_s", "wall_s", "stdout")
    return {
        key
        for key, case in after.items()
        if case["wall_s"] and [case[name] for name in marks] != [before[key][name] for name in marks]
    }


def test_nothing_runs_again_for_a_change_that_is_none_of_a_cases_business(work: Path) -> None:
    before = found(work)
    change(work / SPEC.name, "title: vowels", "title: How many vowels")
    change(work / SPEC.name, "award: each", "award: all")
    assert ran(before, mark(work)) == set()


def test_only_the_case_that_was_changed_runs_again(work: Path) -> None:
    before = found(work)
    change(work / SPEC.name, "vowels('rhythm')", "vowels('rhythms')")
    after = mark(work)
    assert {case for _, case in ran(before, after)} == {"1.2"}
    assert after["student-01", "1.2"]["call"] == "vowels('rhythms')"


def test_a_case_runs_again_under_other_limits(work: Path) -> None:
    before = found(work)
    change(work / SPEC.name, "weight: 2", "weight: 2\n        limits: {time: 600ms}")
    assert {case for _, case in ran(before, mark(work))} == {"3.2"}


def test_a_verdict_is_judged_anew_from_the_same_evidence(work: Path) -> None:
    before = found(work)
    assert before["student-01", "3.2"]["verdict"] == "accepted"
    change(work / "checkers.py", 'return "a list is due"', 'return "a list was due"')
    change(work / "checkers.py", "return None if", 'return "never good enough" if')
    after = mark(work, "--anyway")
    assert ran(before, after) == set()
    assert after["student-01", "3.2"]["verdict"] == "wrong-answer"
    assert after["student-01", "3.2"]["message"] == "never good enough"


def test_a_changed_submission_runs_whole(work: Path) -> None:
    before = found(work)
    with (work / "submissions" / "student-01" / "words.py").open("a") as file:
        file.write("\n# changed\n")
    again = ran(before, mark(work))
    assert again == {key for key in before if key[0] == "student-01"}


def test_without_the_cache_everything_runs_again(work: Path) -> None:
    before = found(work)
    change(work / SPEC.name, "title: vowels", "title: How many vowels")
    after = mark(work, "--no-cache")
    assert ran(before, after) == {key for key, case in after.items() if case["wall_s"]}


def test_evidence_that_cannot_be_read_is_found_anew(work: Path) -> None:
    undisturbed = lasting(work / "out")
    before = found(work)
    with sqlite3.connect(work / "out" / FILE_NAME) as database:
        database.execute("UPDATE evidence SET found = randomblob(length(found))")
    database.close()
    (work / SPEC.name).write_text("# Another digest, the same task.\n" + (work / SPEC.name).read_text())
    after = mark(work)
    assert ran(before, after) == {key for key, case in after.items() if case["wall_s"]}
    again = lasting(work / "out")
    assert again["submissions"] == undisturbed["submissions"]


def test_results_from_evidence_are_those_of_a_run_from_scratch(work: Path, tmp_path: Path) -> None:
    change(work / SPEC.name, "vowels('aeiou')", "vowels('aeiouu')")
    change(work / SPEC.name, "returns: 5", "returns: 6")
    mark(work)
    fresh = tmp_path / "fresh"
    done = grader("mark", work / SPEC.name, work / "submissions", "-o", fresh)
    assert done.returncode == 0, done.stderr
    assert lasting(work / "out") == lasting(fresh)
    assert [submission["id"] for submission in results(fresh)["submissions"]] == [*STUDENTS]


DIALOGUE = """\
task: talk
title: Talk
marks: 2
checkers: checkers.py
modules: {talk: talk.py}
questions:
  - id: "1"
    title: talk
    module: talk
    marks: 2
    award: each
    cases:
      - program: talk
        player: upwards(to=3)
        stdout: "who? who? who? 6\\n"
      - program: talk
        dialogue:
          - {says: "who? ", answer: "4"}
          - {says: "who? ", answer: end}
        stdout: "4\\n"
"""
PLAYER = """\
def upwards(turns, to):
    return str(len(turns)) if len(turns) < to else None
"""
TALK = """\
total = 0
try:
    while True:
        total += int(input("who? "))
except EOFError:
    print(total)
"""


@pytest.mark.acceptance
def test_a_dialogue_runs_again_where_the_other_side_changed(tmp_path: Path) -> None:
    (tmp_path / "submissions" / "student-01").mkdir(parents=True)
    (tmp_path / "submissions" / "student-01" / "talk.py").write_text(TALK)
    (tmp_path / "talk.yaml").write_text(DIALOGUE)
    (tmp_path / "checkers.py").write_text(PLAYER)
    before = mark(tmp_path, spec="talk.yaml")
    assert [case["dialogue"] for case in before.values()]
    change(tmp_path / "talk.yaml", "title: Talk", "title: A talk")
    after = mark(tmp_path, spec="talk.yaml")
    assert after == before
    change(tmp_path / "talk.yaml", 'answer: "4"', 'answer: "5"')
    after = mark(tmp_path, spec="talk.yaml")
    assert {case for _, case in ran(before, after)} == {"1.2"}
    change(tmp_path / "checkers.py", "return str(len(turns))", "return str(2 * len(turns))")
    assert {case for _, case in ran(after, mark(tmp_path, spec="talk.yaml"))} == {"1.1"}


FILES = """\
task: memo
title: Memo
marks: 3
modules: {memo: memo.py}
questions:
  - id: "1"
    title: f
    module: memo
    marks: 3
    award: each
    cases:
      - call: f(1)
        returns: "''"
      - call: f(2)
        returns: "'1;'"
      - call: f(3)
        returns: "''"
"""


@pytest.mark.acceptance
def test_a_mark_does_not_depend_on_the_files_of_other_cases(tmp_path: Path) -> None:
    """Else what is kept of a case would be stale when one before it is taken out of the spec."""
    (tmp_path / "submissions" / "student-01").mkdir(parents=True)
    (tmp_path / "submissions" / "student-01" / "memo.py").write_text(MEMO)
    (tmp_path / "memo.yaml").write_text(FILES)
    before = [case["verdict"] for case in mark(tmp_path, spec="memo.yaml").values()]
    assert before == ["accepted", "wrong-answer", "accepted"]
    change(tmp_path / "memo.yaml", "      - call: f(1)\n        returns: \"''\"\n", "")
    kept = [case["verdict"] for case in mark(tmp_path, spec="memo.yaml").values()]
    anew = [case["verdict"] for case in mark(tmp_path, "--no-cache", spec="memo.yaml").values()]
    assert kept == anew == ["wrong-answer", "accepted"]


LEFT_BEHIND = """\
import os


def f(n):
    if n == 1:
        open(PLACE, "w").close()
        return False
    found = os.path.exists(PLACE)
    if found:
        os.remove(PLACE)
    return found
"""
SEES = """\
task: sees
title: Sees
marks: 2
modules: {sees: sees.py}
questions:
  - id: "1"
    title: f
    module: sees
    marks: 2
    award: each
    cases:
      - call: f(1)
        returns: "False"
      - call: f(2)
        returns: "True"
"""


@pytest.mark.acceptance
def test_nothing_is_kept_of_cases_where_the_sandbox_lets_them_see_each_others_files(tmp_path: Path) -> None:
    (tmp_path / "submissions" / "student-01").mkdir(parents=True)
    place = f"PLACE = {gettempdir()!r} + '/{uuid4()}'\n"
    (tmp_path / "submissions" / "student-01" / "sees.py").write_text(place + LEFT_BEHIND)
    (tmp_path / "sees.yaml").write_text(SEES)

    def verdicts() -> list[str]:
        weak = ("namespaces", "landlock")
        cases = mark(tmp_path, "--require", "seccomp", spec="sees.yaml", without=weak)
        return [case["verdict"] for case in cases.values()]

    assert verdicts() == ["accepted", "accepted"]
    change(tmp_path / "sees.yaml", '      - call: f(1)\n        returns: "False"\n', "")
    assert verdicts() == ["wrong-answer"]

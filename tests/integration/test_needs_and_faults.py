"""Cases that need others: a fault of ours is no fault of the student's, and rules take part as cases do."""

from pathlib import Path

import pytest
from support.command_line import Done, grader, results
from support.marking import HEAD, cases, mark, verdicts

from grader.model.errors import SpecError
from grader.spec import load_task

WORK = "def f(x):\n    return x\n"
CHECKERS = "def ok(answer):\n    return 'a', 'b', 'c'\n\n\ndef refuses(answer):\n    return 'no'\n"
TWO = """
task: sample
title: Sample
marks: 5
checkers: checkers.py
modules: {{work: work.py}}
smoke: {{cases: ["2.1"], penalty: 10%}}
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - {{call: f(3), check: {checker}()}}
  - id: "2"
    title: Two
    marks: 4
    award: each
    cases:
      - {{call: f(4), returns: 4, needs: "1"}}
      - {{call: f(5), returns: 5, needs: "2.1"}}
"""
OVERRIDE = '- student: student-01\n  by: M\n  overrides: [{question: "1", marks: 1, reason: it is right}]\n'


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    (tmp_path / "checkers.py").write_text(CHECKERS)
    (tmp_path / "in" / "student-01").mkdir(parents=True)
    (tmp_path / "in" / "student-01" / "work.py").write_text(WORK)
    (tmp_path / "reviews.yaml").write_text(OVERRIDE)
    return tmp_path


def marked(batch: Path, checker: str, *more: str) -> Done:
    (batch / "task.yaml").write_text(TWO.format(checker=checker))
    return grader("mark", "task.yaml", "in", "-o", "out", *more, cwd=batch)


def test_what_needs_a_case_that_we_failed_to_judge_is_pending_as_that_is(batch: Path) -> None:
    marked(batch, "ok")
    (result,) = results(batch / "out")["submissions"]
    assert result["status"] == "pending"
    assert {case["verdict"] for each in result["questions"] for case in each["cases"]} == {"internal-error"}
    assert result["penalties"] == []


def test_an_override_of_what_failed_settles_that_question_alone(batch: Path) -> None:
    done = marked(batch, "ok", "--reviews", "reviews.yaml")
    (result,) = results(batch / "out")["submissions"]
    assert (result["status"], result["penalties"]) == ("pending", [])
    assert "case 2.1: the case could not be run (it needs case 1.1, which could not be run)" in " ".join(
        done.stdout.split()
    )


def test_an_override_that_other_cases_waited_for_is_an_alarm(batch: Path) -> None:
    done = marked(batch, "refuses", "--reviews", "reviews.yaml")
    (result,) = results(batch / "out")["submissions"]
    assert result["status"] == "marked"
    told = " ".join(done.stderr.split())
    assert "1 mark by hand for questions that other cases need" in told
    assert "question 1: 1 by M; skipped, since they need it: 2.1, 2.2" in told
    assert "questions that other cases need" in (batch / "out" / "index.html").read_text()


def test_an_override_for_which_nothing_waits_is_none(batch: Path) -> None:
    (batch / "in" / "student-01" / "work.py").write_text("def f(x):\n    return x if x > 3 else None\n")
    (batch / "task.yaml").write_text(
        TWO.format(checker="ok").replace("check: ok()", "returns: 3").replace('needs: "1"', "weight: 1")
    )
    done = grader("mark", "task.yaml", "in", "-o", "out", "--reviews", "reviews.yaml", cwd=batch)
    assert "other cases need" not in done.stderr


# -- a group that stops, with a rule in it ---------------------------------------------------------------

GROUP = """
questions:
  - id: "1"
    title: One
    marks: 1
    award: groups
    groups: {g: {award: each, marks: 1, stops: true}}
    cases:
"""
LOOPS = "rule: {required constructs: {constructs: for, functions: f}}"
KEPT = "rule: no recursion"
STOPS = [
    ("call: f(1), returns: 7", "call: f(2), returns: 2", LOOPS, "call: f(3), returns: 3, visibility: hidden"),
    ("call: f(1), returns: 7", LOOPS, LOOPS, "call: f(3), returns: 3"),
    ("call: f(1), returns: 7", KEPT, "call: f(3), returns: 3"),
    (LOOPS, "call: f(1), returns: 1", "call: f(3), returns: 3"),
    (LOOPS, KEPT, "call: f(3), returns: 3, visibility: after-due"),
]


@pytest.mark.parametrize("group", STOPS, ids=range(len(STOPS)))
def test_a_group_that_stops_stops_at_rules_and_across_them(group: tuple[str, ...], tmp_path: Path) -> None:
    lines = "".join(f"      - {{{each}, group: g}}\n" for each in group)
    found = verdicts(mark(tmp_path, GROUP + lines, WORK))
    first, *others = found.values()
    assert first in ("wrong-answer", "rule-broken")
    assert others == ["skipped"] * len(others)


def test_where_a_rule_is_kept_and_all_is_right_nothing_is_skipped(tmp_path: Path) -> None:
    lines = f"      - {{call: 'f(1)', returns: 1, group: g}}\n      - {{{KEPT}, group: g}}\n"
    found = verdicts(mark(tmp_path, f"{GROUP}{lines}      - {{call: f(2), returns: 2, group: g}}\n", WORK))
    assert set(found.values()) == {"accepted"}


def test_a_handout_of_such_a_group_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text("def f(x):\n    for _ in 'a':\n        return x\n")
    lines = "".join(
        f"      - {{{each}, group: g}}\n"
        for each in ("call: f(1), returns: 1", LOOPS, "call: f(2), returns: 2")
    )
    (tmp_path / "task.yaml").write_text(f"{HEAD}reference: reference\n{GROUP}{lines}")
    done = grader("bundle", "task.yaml", "-o", "hand", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    public = [case.needs for case in load_task(tmp_path / "hand" / "sample.yaml").cases]
    assert public == [case.needs for case in load_task(tmp_path / "task.yaml").cases]
    (tmp_path / "hand" / "work.py").write_text(WORK)
    checked = grader("check", cwd=tmp_path / "hand")
    assert "1.3  skipped" in checked.stdout


# -- rules that need cases, and cases that need questions -------------------------------------------------


def test_a_rule_can_need_a_case(tmp_path: Path) -> None:
    spec = (
        '\nquestions:\n  - id: "1"\n    title: One\n    marks: 1\n    award: each\n    cases:\n'
        f'      - {{call: f(1), returns: 7}}\n      - {{{KEPT}, needs: "1.1"}}\n'
        '      - {call: f(2), returns: 2, needs: "1.2"}\n'
    )
    result = mark(tmp_path, spec, WORK)
    assert [*verdicts(result).values()] == ["wrong-answer", "skipped", "skipped"]
    assert cases(result)["1.2"].message == "skipped: it needs case 1.1, which was not accepted"


def test_a_case_cannot_need_what_a_person_marks(tmp_path: Path) -> None:
    (tmp_path / "task.yaml").write_text(
        f"{HEAD.replace('marks: 1', 'marks: 2')}questions:\n"
        '  - {id: "1", title: One, marks: 1, cases: [{call: f(1), returns: 1, needs: "2"}]}\n'
        '  - {id: "2", title: Two, marks: 1, criteria: [{id: a, title: A, marks: 1}]}\n'
    )
    with pytest.raises(SpecError, match="question `2` has no cases: a person marks it"):
        load_task(tmp_path / "task.yaml")


def test_a_case_that_another_question_needs_runs_though_its_own_is_decided(tmp_path: Path) -> None:
    spec = (
        "\nlimits: {time: 500ms}\nquestions:\n"
        '  - {id: "1", title: One, marks: 0.2, award: all, cases: [{call: slow(), returns: 1},\n'
        "      {call: f(1), returns: 1}, {call: f(2), returns: 2}]}\n"
        '  - {id: "2", title: Two, marks: 0.8, cases: [{call: f(3), returns: 3, needs: "1.2"}]}\n'
    )
    found = verdicts(mark(tmp_path, spec, f"{WORK}\n\ndef slow():\n    while True:\n        pass\n"))
    assert found == {"1.1": "time-limit", "1.2": "accepted", "1.3": "skipped", "2.1": "accepted"}

"""Rules on source, from the spec to the result: penalties, marks of their own, rejection, tools."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import grader, results
from support.marking import cases, mark

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.model.results import RuleEffect, Status
from grader.model.submission import SourceFile, Submission
from grader.model.verdict import Verdict
from grader.sandbox.driver import Driver
from grader.spec import load_task

RECURSIVE = "def f(n):\n    return n and f(n - 1)\n"
LOOP = "def f(n):\n    while n:\n        n -= 1\n    return n\n"

QUESTIONS = """
questions:
  - id: "1"
    title: f
    marks: 1
    award: each
    cases:
      - {call: f(3), returns: 0}
"""


def with_rules(rules: str, questions: str = QUESTIONS) -> str:
    return f"rules: {rules}\n{questions}"


def with_case(rule: str) -> str:
    return QUESTIONS + f"      - {{rule: {rule}, name: rule, weight: 3}}\n"


def test_a_broken_rule_costs_its_penalty_once_and_says_where(tmp_path: Path) -> None:
    work = RECURSIVE + "def g():\n    return g()\n"
    result = mark(tmp_path, with_rules("[{no recursion: {penalty: 25%, hint: Use a loop.}}]"), work)
    assert result.mark == Fraction(3, 4)
    assert [(p.reason, p.amount) for p in result.penalties] == [
        ("rule broken: no recursion (work.py line 2)", Fraction(1, 4))
    ]
    (rule,) = result.rules
    assert (rule.rule, rule.effect, rule.hint) == ("no recursion", RuleEffect.PENALTY, "Use a loop.")
    found = [(f.file, f.line, f.message, f.excerpt) for f in rule.findings]
    assert found == [
        ("work.py", 2, "`f` calls itself", "return n and f(n - 1)"),
        ("work.py", 4, "`g` calls itself", "return g()"),
    ]


def test_a_rule_that_is_kept_costs_nothing(tmp_path: Path) -> None:
    result = mark(tmp_path, with_rules("[{no recursion: {penalty: 25%}}]"), LOOP)
    assert (result.mark, result.penalties) == (1, ())
    assert [rule.findings for rule in result.rules] == [()]


def test_a_rule_without_a_penalty_is_only_told(tmp_path: Path) -> None:
    result = mark(tmp_path, with_rules("[no recursion]"), RECURSIVE)
    assert (result.mark, result.penalties) == (1, ())
    (rule,) = result.rules
    assert rule.effect is RuleEffect.TOLD
    assert rule.findings


def test_a_rejecting_rule_lets_nothing_run(tmp_path: Path) -> None:
    work = "import multiprocessing\nprint('it ran')\n" + LOOP
    result = mark(tmp_path, with_rules("[{forbidden imports: {names: multiprocessing, reject: true}}]"), work)
    assert (result.mark, result.status) == (0, Status.MARKED)
    reason = "not marked: rule broken: forbidden imports: multiprocessing (work.py line 1)"
    assert result.problems == (reason,)
    (case,) = result.questions[0].cases
    assert (case.verdict, case.message, case.stdout) == (Verdict.SKIPPED, reason, "")


def test_all_rules_are_told_of_a_rejected_submission(tmp_path: Path) -> None:
    rules = "[{forbidden imports: {names: os, reject: true}}, no recursion, no globals]"
    result = mark(tmp_path, with_rules(rules), "import os\nx = 1\n" + RECURSIVE)
    assert [len(rule.findings) for rule in result.rules] == [1, 1, 1]


def test_a_rule_can_have_a_mark_of_its_own(tmp_path: Path) -> None:
    result = mark(tmp_path, with_case("no recursion"), RECURSIVE)
    assert result.mark == Fraction(1, 4)
    case = cases(result)["1.rule"]
    assert case.verdict is Verdict.RULE_BROKEN
    assert case.message == "work.py line 2: `f` calls itself"
    assert case.findings is not None
    assert [finding.excerpt for finding in case.findings] == ["return n and f(n - 1)"]


def test_a_kept_rule_earns_its_mark(tmp_path: Path) -> None:
    result = mark(tmp_path, with_case("no recursion"), LOOP)
    assert result.mark == 1
    assert cases(result)["1.rule"].findings == ()


def test_cases_can_need_a_rule(tmp_path: Path) -> None:
    spec = QUESTIONS.replace("returns: 0}", "returns: 0, needs: '1.rule'}")
    result = mark(tmp_path, spec + "      - {rule: no recursion, name: rule}\n", RECURSIVE)
    assert cases(result)["1.1"].verdict is Verdict.SKIPPED
    assert result.mark == 0


def test_what_is_no_python_breaks_no_rule_and_passes_none(tmp_path: Path) -> None:
    spec = with_rules("[{no recursion: {penalty: 1}}, {header: {fields: {name: x}, reject: true}}]")
    result = mark(tmp_path, spec + "      - {rule: no globals, name: rule}\n", "def f(:\n")
    assert (result.penalties, result.problems) == ((), ())
    assert [rule.findings for rule in result.rules] == [(), ()]
    assert all("work.py is not valid Python" in rule.note for rule in result.rules)
    assert cases(result)["1.rule"].verdict is Verdict.LOAD_ERROR


def test_a_missing_file_breaks_no_rule_and_passes_none(tmp_path: Path) -> None:
    spec = with_rules("[{no recursion: {penalty: 1}}]")
    result = mark(tmp_path, spec + "      - {rule: no globals, name: rule}\n", {"other": LOOP})
    assert [rule.note for rule in result.rules] == ["there is no work.py"]
    case = cases(result)["1.rule"]
    assert (case.verdict, case.message) == (Verdict.LOAD_ERROR, "there is no work.py in the submission")


def test_warnings_come_from_the_compiler(tmp_path: Path) -> None:
    result = mark(tmp_path, with_rules("[no warnings]"), LOOP + "if f(1) is 0:\n    pass\n")
    ((found,),) = (rule.findings for rule in result.rules)
    assert (found.line, found.excerpt) == (5, "if f(1) is 0:")
    assert '"is" with' in found.message


def test_the_linter_has_the_rules_of_the_spec_and_obeys_no_comment(tmp_path: Path) -> None:
    work = "# ruff: noqa\nimport os  # noqa: F401\nl = 1  # noqa\n" + LOOP
    result = mark(tmp_path, with_rules("[{linter: {select: [F, E7], penalty: 0.5}}]"), work)
    (rule,) = result.rules
    assert [(f.line, f.message[:4]) for f in rule.findings] == [(2, "F401"), (3, "E741")]
    assert result.mark == Fraction(1, 2)


def test_line_length_and_ignored_rules_are_told_to_the_linter(tmp_path: Path) -> None:
    work = "import os\n" + LOOP + "# " + "x" * 60 + "\n"
    spec = with_rules("[{linter: {select: [F, E5], ignore: F401, line length: 50}}, {linter: {select: E5}}]")
    result = mark(tmp_path, spec, work)
    assert [[f.message[:4] for f in rule.findings] for rule in result.rules] == [["E501"], []]


def test_patterns_are_found_and_missed(tmp_path: Path) -> None:
    spec = QUESTIONS + (
        '      - {rule: {forbidden constructs: {patterns: "while $N: $$$BODY"}}, name: forbidden}\n'
        '      - {rule: {required constructs: {patterns: ["return $X", "$X.sort($$$)"]}}, name: required}\n'
    )
    found = cases(mark(tmp_path, spec, LOOP))
    assert found["1.forbidden"].message == "work.py line 2: `while $N: $$$BODY` is not allowed"
    assert found["1.required"].message == "work.py: `$X.sort($$$)` is missing"


def test_rules_look_at_several_modules_together(tmp_path: Path) -> None:
    texts = {
        "work": "import helper\ndef f(n): return helper.g(n)\n",
        "helper": "import work\ndef g(n): return work.f(n)\n",
    }
    path = tmp_path / "t.yaml"
    head = "task: t\ntitle: T\nmarks: 1\nmodules: {work: work.py, helper: helper.py}\n"
    questions = QUESTIONS.replace("title: f", "title: f\n    module: work")
    path.write_text(head + with_rules("[no recursion]", questions))
    files = {name: SourceFile(f"{name}.py", text) for name, text in texts.items()}
    with Marker(prepare_run(load_task(path), Driver.NAMESPACES, "")) as marker:
        result = marker.mark(Submission("student-01", "student-01", files)).result
    (rule,) = result.rules
    assert [finding.message for finding in rule.findings] == [
        "g -> f -> g: `g` calls `f` on line 2, `f` calls `g` on work.py line 2"
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A spec with a linter's rule, and a submission."""
    head = "task: t\ntitle: T\nmarks: 1\nmodules: {work: work.py}\n"
    (tmp_path / "t.yaml").write_text(head + with_rules("[{linter: {select: F401, penalty: 10%}}]"))
    (tmp_path / "in" / "student-01").mkdir(parents=True)
    (tmp_path / "in" / "student-01" / "work.py").write_text("import os\n" + LOOP)
    return tmp_path


def test_the_results_file_has_rules_findings_and_the_version_of_the_tool(folder: Path) -> None:
    done = grader("mark", "t.yaml", "in", "-o", "out", cwd=folder)
    assert done.returncode == 0, done.stderr
    document = json.loads((folder / "out" / "results.json").read_text())
    assert set(document["run"]["tools"]) == {"ruff"}
    (submission,) = document["submissions"]
    (rule,) = submission["rules"]
    assert (rule["broken"], rule["effect"]) == (True, "penalty")
    assert rule["findings"] == [
        {"file": "work.py", "line": 1, "message": "F401: `os` imported but unused", "excerpt": "import os"}
    ]
    assert submission["mark"] == "0.9"


def test_pages_and_terminal_show_file_line_and_excerpt(folder: Path) -> None:
    grader("mark", "t.yaml", "in", "-o", "out", cwd=folder)
    page = (folder / "out" / "students" / "student-01.html").read_text()
    assert "Rules on the source" in page
    assert "work.py, line 1" in page
    assert "<pre>import os</pre>" in page
    told = grader("check", "t.yaml", "in/student-01", cwd=folder).stdout
    assert "work.py, line 1: F401" in told
    assert "import os" in told


@pytest.mark.parametrize("command", ["mark", "check"])
@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("{linter: {select: ZZZ9}}", "Unknown rule selector `ZZZ9`"),
        ("{forbidden constructs: {patterns: 'f(('}}", "does not take this pattern for Python"),
    ],
)
def test_what_a_tool_does_not_know_is_told_before_marking(
    folder: Path, command: str, rule: str, message: str
) -> None:
    spec = folder / "t.yaml"
    spec.write_text(spec.read_text().replace("{linter: {select: F401, penalty: 10%}}", rule))
    where = ["in", "-o", "out"] if command == "mark" else ["in/student-01"]
    done = grader(command, "t.yaml", *where, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder / "out" / "results.json").exists()


UNSAID = """
def f(n):
    return n and f(n - 1)
def g(a, b):
    return a
def h(a):
    return a
"""


@pytest.mark.parametrize(
    ("rule", "verdict", "score"),
    [
        ("{docstrings: {for: functions, each: 20%}}", Verdict.PARTIAL, Fraction(2, 5)),
        ("{docstrings: {for: functions, each: 50%}}", Verdict.RULE_BROKEN, 0),
        ("{docstrings: {for: functions}}", Verdict.RULE_BROKEN, 0),
        ("{docstrings: {for: classes, each: 50%}}", Verdict.ACCEPTED, 1),
        ("{type hints: {functions: [f, g], each: 30%}}", Verdict.PARTIAL, Fraction(2, 5)),
        ("{required recursion: {functions: f}}", Verdict.ACCEPTED, 1),
        ("{required recursion: {functions: [f, g], each: 50%}}", Verdict.PARTIAL, Fraction(1, 2)),
    ],
)
def test_a_case_can_give_a_part_of_its_marks(
    tmp_path: Path, rule: str, verdict: Verdict, score: Fraction
) -> None:
    case = cases(mark(tmp_path, with_case(rule), UNSAID))["1.rule"]
    assert (case.verdict, case.score) == (verdict, score)
    assert bool(case.findings) == (verdict is not Verdict.ACCEPTED)


@pytest.mark.parametrize(
    ("costs", "taken"),
    [("each: 0.1, penalty: 0.5", Fraction(3, 10)), ("each: 0.1, penalty: 0.2", Fraction(1, 5))],
)
def test_each_finding_costs_up_to_the_penalty(tmp_path: Path, costs: str, taken: Fraction) -> None:
    result = mark(tmp_path, with_rules(f"[{{docstrings: {{for: functions, {costs}}}}}]"), UNSAID)
    assert (result.mark, len(result.rules[0].findings)) == (1 - taken, 3)


def test_findings_of_the_linter_have_weights(tmp_path: Path) -> None:
    work = "import os\nimport re\nfrom sys import *\n" + LOOP
    weights = "{select: [F], each: 10%, weights: {F401: 2, F403: 0}}"
    case = cases(mark(tmp_path, with_case(f"{{linter: {weights}}}"), work))["1.rule"]
    assert (case.verdict, case.score) == (Verdict.PARTIAL, Fraction(6, 10))
    assert case.findings is not None
    assert [finding.message.rpartition(" (")[2] for finding in case.findings] == [
        "counts 2 times)", "counts 2 times)", "costs nothing)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "spec",
    [with_rules("[no recursion]"), with_rules("[{no recursion: {penalty: 25%}}]"), with_case("no recursion")],
    ids=["told", "penalty", "case"],
)
def test_rules_on_no_module_are_no_fault_of_ours(tmp_path: Path, spec: str) -> None:
    result = mark(tmp_path, spec, {})
    assert (result.mark, result.status) == (0, Status.NO_SUBMISSION), result.problems


@pytest.mark.parametrize("by_hand", [False, True])
def test_an_override_of_a_question_of_a_rejected_work_counts_nothing(by_hand: bool, tmp_path: Path) -> None:
    """So it is whether or not another question is marked by hand; the whole mark alone can be set."""
    second = '  - {id: "2", title: Two, marks: 2, criteria: [{id: x, title: X, marks: 2}]}\n'
    criteria = second if by_hand else ""
    (tmp_path / "task.yaml").write_text(
        f"task: t\ntitle: T\nmarks: {6 if by_hand else 4}\nmodules: {{work: work.py}}\n"
        "rules: [{forbidden imports: {names: [threading], reject: true}}]\nquestions:\n"
        f'  - {{id: "1", title: One, marks: 4, cases: [{{call: f(), returns: 1}}]}}\n{criteria}'
    )
    (tmp_path / "in" / "student-01").mkdir(parents=True)
    (tmp_path / "in" / "student-01" / "work.py").write_text("import threading\ndef f():\n    return 1\n")
    given = "  criteria: {2.x: {marks: 2}}\n" if by_hand else ""
    for override, left in (('question: "1", marks: 4', "0"), ("marks: 3", "3")):
        (tmp_path / "r.yaml").write_text(
            f"- student: student-01\n  by: M\n{given}  overrides: [{{{override}, reason: he had leave}}]\n"
        )
        done = grader("mark", "task.yaml", "in", "-o", "out", "--reviews", "r.yaml", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        (one,) = results(tmp_path / "out")["submissions"]
        assert (one["status"], one["mark"]) == ("marked", left)


def test_a_smoke_test_does_not_name_hidden_cases(tmp_path: Path) -> None:
    spec = (
        "\nsmoke: {cases: [1.secret-list, 1.shown], penalty: 10%}\nquestions:\n"
        '  - {id: "1", title: One, marks: 1, award: each, cases: [{call: f(1), returns: 1, name: shown},\n'
        "      {call: f(2), returns: 2, name: secret-list, visibility: hidden}, {call: f(3), returns: 3}]}\n"
    )
    for work, told in (
        ("def f(x):\n    return x if x != 2 else 0\n", "the smoke test failed: 1 of its cases"),
        ("def f(x):\n    return 3\n", "the smoke test failed: 1.shown (wrong answer), and 1 more"),
    ):
        (folder := tmp_path / str(len(work))).mkdir()
        (penalty,) = mark(folder, spec, work).penalties
        assert penalty.reason == told

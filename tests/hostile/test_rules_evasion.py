"""Submissions that keep what a rule forbids out of its sight: in a second file, or behind a detour."""

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
from support.marking import cases, mark
from support.rows import first_of

from grader.kinds.rule.looking import rule_on
from grader.lab.tools import MarkingTools
from grader.model.results import Status, SubmissionResult
from grader.model.rule import Rule, RuleKind
from grader.model.submission import AS_BYTES, SourceFile, Submission
from grader.sandbox.budget import Budget
from grader.sandbox.driver import LADDER, Driver
from grader.sandbox.interpreter import find_interpreter
from grader.sandbox.tools.rule_box import LOOK_WALL_S, RuleBox
from grader.sandbox.zygote import Zygote
from grader.spec import load_task

SPEC = """
rules:
  - no recursion: {penalty: 25%}
  - forbidden imports: {names: [itertools, os], penalty: 25%}
  - forbidden names: {names: [eval, exec, .sort], penalty: 25%}
questions:
  - id: "1"
    title: total
    marks: 1
    cases:
      - call: total([1, [2, [3]]])
        returns: 6
"""
HELPER = """
    import itertools, os
    def total(x):
        [].sort()
        eval("1")
        return sum(map(total, x)) if isinstance(x, list) else x
"""
SECOND_FILE = {
    "attribute": "import h\ndef total(x):\n    return h.total(x)\n",
    "star": "from h import *\n",
    "in a function": "def total(x):\n    from h import total\n    return total(x)\n",
    "computed": "total = __import__(chr(104)).total\n",
    "by way of another": "from g import total\n",
}
DETOURS = {
    "built-ins of a function": """
        bi = print.__self__
        it = bi.__import__("itertools")
        def total(x):
            bi.eval("1")
            return sum(map(globals()["total"], x)) if isinstance(x, list) else x
        """,
    "loader": """
        g = __loader__.find_spec.__globals__
        it = g["sys"].modules["itertools"]
        def total(x):
            g["__builtins__"]["eval"]("1")
            return sum(map(total, x)) if isinstance(x, list) else x
        """,
}
RECURSIVE = {
    "conversion": """
        class V:
            def __init__(self, x): self.x = x
            def __index__(self): return sum(int(V(y)) for y in self.x) if isinstance(self.x, list) else self.x
        def total(x):
            return int(V(x))
        """,
    "aliases of the parts of an object": """
        class Adding:
            def __init__(self): self.each = self.add
            def add(self, x): return sum(map(self.each, x)) if isinstance(x, list) else x
        total = Adding().add
        """,
}
BY_VALUES = {
    "decorator": """
        def fix(f):
            class Box:
                def __call__(self, x):
                    return f(self, x)
            return Box()
        @fix
        def total(me, x):
            return sum(map(me, x)) if isinstance(x, list) else x
        """,
    "table": """
        def total(x):
            return sum(TABLE["total"](y) for y in x) if isinstance(x, list) else x
        TABLE = {"total": total}
        """,
    "table of names": """
        def total(x):
            return sum(map(globals()["total"], x)) if isinstance(x, list) else x
        """,
    "attribute of the function": """
        def total(x):
            return sum(total.__call__(y) for y in x) if isinstance(x, list) else x
        """,
    "partial": """
        from functools import partial
        def total(x):
            return sum(partial(total, y)() for y in x) if isinstance(x, list) else x
        """,
    "list that is emptied": """
        def total(x):
            return sum([total].pop()(y) for y in x) if isinstance(x, list) else x
        """,
    "attribute set by its name": """
        class Adding:
            def add(self, x): return sum(self.each(y) for y in x) if isinstance(x, list) else x
        setattr(Adding, "each", Adding.add)
        total = Adding().add
        """,
    "module imported by its name": """
        import importlib, sys
        def total(x):
            again = sys.modules[__name__].total
            return sum(again(y) for y in x) if isinstance(x, list) else x
        """,
    "dispatch by type": """
        from functools import singledispatch
        @singledispatch
        def total(x): return x
        def of_list(x): return sum(total(y) for y in x)
        total.register(list, of_list)
        """,
    "code object": """
        import types
        def total(x):
            again = types.FunctionType(total.__code__, globals())
            return sum(again(y) for y in x) if isinstance(x, list) else x
        """,
}


def broken(result: SubmissionResult) -> list[str]:
    return [rule.rule.partition(":")[0] for rule in result.rules if rule.findings]


@pytest.mark.parametrize("driver", first_of(LADDER))
@pytest.mark.parametrize("name", SECOND_FILE)
def test_what_stands_in_a_second_file_breaks_the_rules(name: str, driver: Driver, tmp_path: Path) -> None:
    files = {"work": SECOND_FILE[name], "h": HELPER, "g": "from h import total\n"}
    result = mark(tmp_path, SPEC, files, driver=driver)
    assert result.mark == Fraction(42, 100), "a quarter was taken off three times"
    assert broken(result) == ["no recursion", "forbidden imports", "forbidden names"]
    for rule in result.rules:
        assert "h.py" in {finding.file for finding in rule.findings}


def test_a_file_that_is_not_imported_breaks_none(tmp_path: Path) -> None:
    honest = "def total(x):\n    return 6\n"
    result = mark(tmp_path, SPEC, {"work": honest, "h": HELPER, "broken": "def f(:"})
    assert (result.mark, broken(result)) == (1, [])


@pytest.mark.parametrize("name", DETOURS)
def test_a_detour_breaks_the_rules(name: str, tmp_path: Path) -> None:
    result = mark(tmp_path, SPEC, DETOURS[name])
    assert {"forbidden imports", "forbidden names"} <= set(broken(result))
    assert result.rules[0].findings or "not decidable here: " in result.rules[0].note


@pytest.mark.parametrize("name", RECURSIVE)
def test_recursion_by_a_detour_is_told(name: str, tmp_path: Path) -> None:
    assert broken(mark(tmp_path, SPEC, RECURSIVE[name])) == ["no recursion"]


@pytest.mark.parametrize("name", first_of(BY_VALUES, 3))
def test_recursion_that_names_do_not_tell_breaks_a_strict_rule_alone(name: str, tmp_path: Path) -> None:
    questions = SPEC[SPEC.index("questions:") :]
    result = mark(tmp_path, f"rules: [no recursion: {{penalty: 25%}}]\n{questions}", BY_VALUES[name])
    (rule,) = result.rules
    assert (result.mark, rule.findings) == (1, ())
    assert "not decidable here: " in rule.note
    strict = "rules: [no recursion: {penalty: 25%, strict: true}]\n"
    result = mark(tmp_path, f"{strict}{questions}", BY_VALUES[name])
    (rule,) = result.rules
    assert (result.mark, rule.note) == (Fraction(75, 100), "")
    assert rule.findings[0].message.startswith("not decidable here: ")


@pytest.mark.parametrize(("options", "verdict"), [("{}", "accepted"), ("{strict: true}", "rule-broken")])
def test_a_case_with_a_rule_tells_what_is_not_decidable(options: str, verdict: str, tmp_path: Path) -> None:
    rule = f"{{rule: {{no recursion: {options}}}}}"
    spec = f"questions:\n  - {{id: '1', title: One, marks: 1, cases: [{rule}]}}\n"
    case = cases(mark(tmp_path, spec, BY_VALUES["table"]))["1.1"]
    assert case.verdict == verdict
    assert case.message.startswith(
        "work.py line 3: not decidable here: `total` calls `TABLE[…]`, by which it may come to call itself"
    )


def test_a_rule_about_one_module_covers_what_that_imports(tmp_path: Path) -> None:
    (tmp_path / "sample.yaml").write_text(
        dedent("""
        task: sample
        title: Sample
        marks: 1
        modules: {one: one.py, two: two.py}
        rules:
          - no recursion: {modules: one, penalty: 50%}
          - header: {modules: one, fields: {name: 'Name'}}
        questions:
          - {id: "1", title: One, module: one, marks: 1, cases: [{call: f(0), returns: 0}]}
        """)
    )
    task = load_task(tmp_path / "sample.yaml")
    recursive = "def f(x):\n    return x and f(x - 1)\n"

    def found(**texts: str) -> list[list[str]]:
        files = {name: SourceFile(f"{name}.py", text) for name, text in texts.items()}
        with (
            Zygote(LADDER[0], find_interpreter(""), ()) as zygote,
            MarkingTools(lambda: zygote, task) as place,
        ):
            submission = Submission("student-01", "student-01", files)
            outcome = rule_on(task, submission, place.rule_box, Budget(60.0, 120.0))
        return [[finding.file for finding in rule.findings] for rule in outcome.rules]

    assert found(one="def f(x): pass\n", two=recursive, h=recursive) == [[], ["one.py"]]
    assert found(one="# Name\nimport two\n", two="import h\n", h=recursive) == [["h.py"], []]


# -- what a look costs -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    with Zygote(LADDER[0], find_interpreter(""), ()) as opened:
        yield opened


def rule(kind: RuleKind, *modules: str) -> Rule:
    return Rule(kind=kind, text=kind.value, modules=modules)


@pytest.mark.acceptance  # `make test` has a look without budget
def test_all_looks_at_a_submission_draw_from_one_total(zygote: Zygote) -> None:
    """Each of these files takes its time alone; eight took 130 s."""
    slow = "a=1\n" * (1 << 18)
    files = {f"h{number}": (f"h{number}.py", slow) for number in range(8)}
    files["work"] = ("work.py", "exec(input())\ndef f(n):\n    return f(n - 1)\n")
    total, whole = Budget(4.0, LOOK_WALL_S), RuleBox(zygote)
    seen = whole.look(files, [rule(RuleKind.NO_GLOBALS, "work"), rule(RuleKind.NO_RECURSION, "work")], total)
    whole.close()
    assert set(seen.too_complex[0]) >= {f"h{number}" for number in range(1, 8)}
    assert [place.module for place in seen.broken[1]] == ["work"]
    assert -2.0 < total.cpu_left_s < 1.0


@pytest.mark.parametrize("kind", [RuleKind.NO_RECURSION, RuleKind.LINTER, RuleKind.FORBIDDEN_CONSTRUCTS])
def test_without_budget_a_file_counts_as_too_complex(kind: RuleKind, tmp_path: Path) -> None:
    options = {
        RuleKind.LINTER: "{select: [F]}",
        RuleKind.FORBIDDEN_CONSTRUCTS: "{patterns: ['while $X: $$$Y']}",
    }.get(kind, "{}")
    spec = "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\n"
    spec += f"rules: [{{{kind}: {options}}}]\nquestions:\n"
    spec += "  - {id: '1', title: One, marks: 1, cases: [{call: f(0), returns: 0}]}\n"
    (tmp_path / "sample.yaml").write_text(spec)
    task = load_task(tmp_path / "sample.yaml")
    submission = Submission("s", "s", {"work": SourceFile("work.py", "def f(x):\n    return x\n")})
    budget = Budget(0.0, 1.0)
    with Zygote(LADDER[0], find_interpreter(""), ()) as opened, MarkingTools(lambda: opened, task) as place:
        (result,) = rule_on(task, submission, place.rule_box, budget).rules
        assert [finding.message for finding in result.findings] == [
            "the source is too complex for this rule to be checked, which counts as broken"
        ]
        budget = Budget(60.0, 120.0)
        (result,) = rule_on(task, submission, place.rule_box, budget).rules
    assert not result.findings
    assert budget.cpu_left_s < 60.0


@pytest.mark.acceptance
def test_tools_draw_from_the_budget_and_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A linter over hundreds of files that nobody needs does not take minutes.

    To read them takes most of a second on a busy machine, and the linter would take twenty.
    """
    monkeypatch.setattr("grader.kinds.rule.looking.LOOK_S", 2.5)
    files = {"work": "exec(input())\ndef f():\n    pass\n"}
    files |= {f"h{number}": "x = 1\n" for number in range(2_000)}
    spec = "rules: [{linter: {select: [F]}}]\nquestions:\n"
    spec += "  - {id: '1', title: One, marks: 1, cases: [{rule: no recursion}]}\n"
    result = mark(tmp_path, spec, files)
    assert result.status is Status.MARKED
    assert result.rules[0].findings
    assert cases(result)["1.1"].verdict == "accepted"


# -- files that Python itself decodes --------------------------------------------------------------------


def test_rules_read_bytes_as_python_does(tmp_path: Path) -> None:
    encoded = AS_BYTES + "# coding: utf-7\n+AGkAbQBwAG8AcgB0ACAAbwBz-\ndef total(x):\n    return 6\n"
    result = mark(tmp_path, SPEC, {"work": encoded})
    assert broken(result) == ["forbidden imports"]


def test_tools_read_bytes_as_the_rules_do(tmp_path: Path) -> None:
    encoded = AS_BYTES + "# coding: utf-7\n+AGkAbQBwAG8AcgB0ACAAcwB5AHM-\ndef total(x):\n    return 6\n"
    rules = "rules: [{linter: {select: [F]}}, {header: {fields: {name: 'coding'}}}]\n"
    result = mark(
        tmp_path, rules + SPEC.partition("questions:")[1] + SPEC.partition("questions:")[2], encoded
    )
    assert broken(result) == ["linter"]
    assert result.mark == 1


LOOKS_RECURSIVE = {
    "dead call": "def total(x):\n    return plain(x)\n    return total(x)\n",
    "never true": "OFF = False\ndef total(x):\n    if OFF: return total(x)\n    return plain(x)\n",
    "never called": "def total(x):\n    def go(y): return go(y)\n    return plain(x)\n",
    "handed over": "def total(x):\n    id(total)\n    return plain(x)\n",
    "in a text": "def total(x):\n    'total(x)'\n    return plain(x)\n",
    "in a comment": "def total(x):  # total(x)\n    return plain(x)\n",
    "another function of its name": """
        def total(x): return total(x)
        def total(x): return plain(x)
        """,
    "a class of its name": """
        class total:
            def total(self): return self.total()
        def total(x): return plain(x)
        """,
    "recursion beside it": "def down(n): return down(n - 1)\ndef total(x): return plain(x)\n",
    "short circuit": "def total(x):\n    return plain(x) or 0 and total(x)\n",
    "an assertion": "def total(x):\n    assert True or total(x)\n    return plain(x)\n",
    "a second file": "from h import total\n",
    "an exec that shadows": "def total(x): return plain(x)\nexec('def go(x): return go(x)')\n",
}
PLAIN = """
def plain(x):
    while any(isinstance(y, list) for y in x):
        x = [z for y in x for z in (y if isinstance(y, list) else [y])]
    return sum(x)
"""


@pytest.mark.parametrize("name", first_of(LOOKS_RECURSIVE, 4))
def test_what_only_looks_recursive_breaks_the_rule_that_requires_it(name: str, tmp_path: Path) -> None:
    questions = SPEC[SPEC.index("questions:") :]
    rule = "      - {rule: {required recursion: {functions: total}}, name: rule}\n"
    work = PLAIN + dedent(LOOKS_RECURSIVE[name])
    files = {"work": work, "h": PLAIN + "def total(x): return plain(x)\n"}
    found = cases(mark(tmp_path, questions + rule, files))
    assert [str(found[name].verdict) for name in ("1.1", "1.rule")] == ["accepted", "rule-broken"]


def test_findings_that_cost_nothing_hide_no_other_one(tmp_path: Path) -> None:
    questions = SPEC[SPEC.index("questions:") :]
    rule = "{linter: {select: [F, E7], each: 60%, weights: {E701: 0}}}"
    work = "def total(x): return 6\n" + "if 1: pass\n" * 80 + "import os, re\n"
    found = cases(mark(tmp_path, f"{questions}      - {{rule: {rule}, name: rule}}\n", work))
    assert str(found["1.rule"].verdict) == "rule-broken"


def test_a_text_that_is_too_complex_costs_all(tmp_path: Path) -> None:
    questions = SPEC[SPEC.index("questions:") :]
    rule = "{docstrings: {each: 1%}}"
    work = "def total(x):\n    return 6\n" + "y = " + "-" * 50_000 + "1\n"
    found = cases(mark(tmp_path, f"{questions}      - {{rule: {rule}, name: rule}}\n", work))
    assert found["1.rule"].score == 0

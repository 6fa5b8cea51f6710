"""Rules on source in a spec: what they become, and every mistake with its place."""

from fractions import Fraction
from pathlib import Path

import pytest

from grader.model.errors import SpecError
from grader.model.kinds import calls_of
from grader.model.policy import Deduction, DeductionBase
from grader.model.rule import Rule, RuleKind
from grader.model.task import Task
from grader.spec import load_task

HEAD = """\
task: t
title: T
marks: 1
modules: {one: one.py, two: two.py}
"""
QUESTION = """\
questions:
  - {id: "1", title: Q, module: two, marks: 1, cases: [{call: f(), returns: 1}]}
"""


def task_with(folder: Path, rules: str) -> Task:
    path = folder / "t.yaml"
    path.write_text(f"{HEAD}rules:\n{rules}\n{QUESTION}")
    return load_task(path)


def task_with_case(folder: Path, case: str) -> Task:
    path = folder / "t.yaml"
    question = f'questions:\n  - {{id: "1", title: Q, module: two, marks: 1, cases: [{case}]}}\n'
    path.write_text(HEAD + question)
    return load_task(path)


def only(task: Task) -> Rule:
    (rule,) = task.rules
    return rule.rule


def test_a_rule_of_a_task_is_about_all_modules_and_only_told(tmp_path: Path) -> None:
    (rule,) = task_with(tmp_path, "  - no recursion").rules
    assert rule.rule == Rule(kind=RuleKind.NO_RECURSION, text="no recursion", modules=("one", "two"))
    assert (rule.takes, rule.rejects) == (None, False)


@pytest.mark.parametrize(
    ("options", "takes"),
    [
        ("{penalty: 10%}", Deduction(Fraction(1, 10), DeductionBase.MARK)),
        ("{penalty: 10%, of: maximum}", Deduction(Fraction(1, 10), DeductionBase.MAXIMUM)),
        ("{penalty: 0.5}", Deduction(Fraction(1, 2))),
    ],
)
def test_a_penalty_is_a_share_or_marks(tmp_path: Path, options: str, takes: Deduction) -> None:
    (rule,) = task_with(tmp_path, f"  - no globals: {options}").rules
    assert rule.takes == takes


def test_a_rule_can_reject(tmp_path: Path) -> None:
    (rule,) = task_with(tmp_path, "  - forbidden imports: {names: os, reject: true}").rules
    assert rule.rejects


def test_a_rule_on_recursion_can_be_strict(tmp_path: Path) -> None:
    strict, lenient = task_with(tmp_path, "  - no recursion: {strict: true}\n  - no recursion: {}").rules
    assert (strict.rule.strict, lenient.rule.strict) == (True, False)


def test_options_are_read(tmp_path: Path) -> None:
    rules = """\
  - forbidden imports: {names: [os, concurrent.futures], modules: one, hint: No.}
  - forbidden names: {names: [eval, os.system, .sort]}
  - header: {fields: {name: 'Name: \\S', e-mail: '@'}}
  - required constructs: {constructs: [while, f-string], functions: [f, g]}
  - forbidden constructs: {patterns: "$X.sort($$$)"}
  - linter: {select: [E, F401], ignore: E501, line length: 100}
  - linter: {}
"""
    imports, names, header, required, forbidden, linter, default = (
        each.rule for each in task_with(tmp_path, rules).rules
    )
    assert (imports.names, imports.modules, imports.hint) == (("os", "concurrent.futures"), ("one",), "No.")
    assert names.text == "forbidden names: eval, os.system, .sort"
    assert header.fields == (("name", "Name: \\S"), ("e-mail", "@"))
    assert (required.constructs, required.functions) == (("while", "f-string"), ("f", "g"))
    assert required.text == "required constructs: while, f-string in f, g"
    assert forbidden.patterns == ("$X.sort($$$)",)
    assert (linter.select, linter.ignore, linter.line_length) == (("E", "F401"), ("E501",), 100)
    assert default.select == ("E4", "E7", "E9", "F")


def test_what_is_asked_of_functions_is_read(tmp_path: Path) -> None:
    rules = """\
  - required recursion: {functions: [f, Tree.g]}
  - docstrings
  - docstrings: {for: [classes], each: 5%, penalty: 20%, of: maximum}
  - type hints: {functions: f, each: 0.1, penalty: 1}
  - linter: {each: 1%, penalty: 10%, weights: {E: 0.5, F: 2}}
"""
    recursion, every, classes, hints, linter = task_with(tmp_path, rules).rules
    assert recursion.rule.functions == ("f", "Tree.g")
    assert recursion.rule.text == "required recursion in f, Tree.g"
    assert (every.rule.documented, every.rule.text) == (("module", "classes", "functions"), "docstrings")
    assert classes.rule.text == "docstrings: classes"
    assert classes.each == Deduction(Fraction(1, 20), DeductionBase.MAXIMUM)
    assert (hints.each, hints.takes) == (Deduction(Fraction(1, 10)), Deduction(Fraction(1)))
    assert linter.rule.weights == (("E", Fraction(1, 2)), ("F", Fraction(2)))
    assert [linter.rule.weight_of(code) for code in ("E501", "F401", "B007")] == [Fraction(1, 2), 2, 1]
    (case,) = task_with_case(tmp_path, "{rule: {docstrings: {each: 25%}}}").cases
    assert isinstance(case.what, Rule)
    assert case.what.each == Fraction(1, 4)


def test_a_rule_as_a_case_is_about_the_module_of_its_question(tmp_path: Path) -> None:
    (case,) = task_with_case(tmp_path, "{rule: no recursion, weight: 2, hint: H, name: loops}").cases
    assert case.what == Rule(kind=RuleKind.NO_RECURSION, text="no recursion", modules=("two",))
    assert (case.id, case.text, case.weight, case.hint) == ("1.loops", "no recursion", 2, "H")
    assert (calls_of(case).calls, calls_of(case).decides) == ((), None)
    (case,) = task_with_case(tmp_path, "{rule: {no recursion: {modules: [one, two]}}}").cases
    assert isinstance(case.what, Rule)
    assert case.what.modules == ("one", "two")


@pytest.mark.parametrize(
    ("rule", "place", "message"),
    [
        ("no recursoin", "6:5", "`no recursoin` is no kind of rule"),
        ("{no recursoin: {}}", "6:6", "`no recursoin` is not a key of a rule"),
        ("{no recursion: {}, no globals: {}}", "6:5", "a rule is one kind"),
        ("{}", "6:5", "a rule is one kind"),
        ("[no recursion]", "6:5", "a rule must be a mapping"),
        ("{no recursion: }", "6:6", "`no recursion` has no value"),
        ("{no recursion: 10%}", "6:20", "must be a mapping"),
        ("{no recursion: {penality: 10%}}", "6:21", "`penality` is not a key of `no recursion`"),
        ("{no recursion: {penalty: 110%}}", "6:30", "`penalty` can't take more than 100%"),
        ("{no recursion: {penalty: 1, reject: true}}", "6:21", "no effect on a rule that rejects"),
        ("{no recursion: {of: mark}}", "6:21", "`of` goes with `penalty` alone"),
        ("{no recursion: {modules: three}}", "6:30", "`three` is not among the task's `modules`"),
        ("forbidden imports", "6:5", "`names` is missing"),
        ("{forbidden imports: {}}", "6:25", "`names` is missing"),
        ("{forbidden imports: {names: os/path}}", "6:33", "takes the name of a module, not `os/path`"),
        ("{forbidden names: {names: eval()}}", "6:31", "takes eval, os.system or .sort, not `eval()`"),
        ("{header: {fields: {}}}", "6:23", "`fields` names no field"),
        ("{header: {fields: {name: '('}}}", "6:30", "this is no regular expression"),
        ("{header: {fields: {name: [a]}}}", "6:30", "a header's field has a pattern"),
        ("{forbidden constructs: {}}", "6:28", "needs one of `constructs` and `patterns`"),
        ("{forbidden constructs: {constructs: whlie}}", "6:41", "`whlie` is no construct that is known here"),
        ("{forbidden constructs: {patterns: --help}}", "6:39", "a pattern is a piece of Python"),
        (
            "{forbidden constructs: {patterns: x, functions: f}}",
            "6:42",
            "`functions` goes with",
        ),
        ("{linter: {select: e501}}", "6:23", "takes a rule of the linter such as E501, not `e501`"),
        ("{required recursion: {functions: f()}}", "6:38", "takes the name of a function, not `f()`"),
        ("{docstrings: {for: methods}}", "6:24", "`for` takes module, classes, functions, not `methods`"),
        ("{type hints: {for: module}}", "6:19", "`for` is not a key of `type hints`"),
        ("{docstrings: {each: 10%}}", "6:19", "`each` goes with `penalty` alone"),
        ("{docstrings: {each: 10%, penalty: 1}}", "6:25", "both percentages, or both marks"),
        ("{docstrings: {each: 10%, reject: true}}", "6:19", "`each` has no effect on a rule that rejects"),
        ("{linter: {weights: {e501: 1}, each: 1, penalty: 2}}", "6:25", "codes of the linter such as E501"),
        ("{linter: {weights: {E501: x}, each: 1, penalty: 2}}", "6:31", "a weight is a number, from 0"),
        ("{linter: {weights: {E501: 2}, penalty: 2}}", "6:15", "`weights` has no effect without `each`"),
        ("{linter: {line length: 1000}}", "6:28", "`line length` must lie between 40 and 320"),
    ],
)
def test_a_mistake_is_told_with_its_place(tmp_path: Path, rule: str, place: str, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        task_with(tmp_path, f"  - {rule}")
    told = [str(fault) for fault in caught.value.faults]
    assert len(told) == 1
    assert f"t.yaml:{place}: " in told[0]
    assert message in told[0]


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("{rule: no recursion, call: f()}", "`call` does not go with `rule`"),
        ("{rule: no recursion, returns: 1}", "`returns` does not go with `rule`"),
        ("{rule: no recursion, limits: {time: 1s}}", "`limits` does not go with `rule`"),
        (
            "{rule: {no recursion: {penalty: 10%}}}",
            "`penalty` has no effect on a rule with a mark",
        ),
        ("{rule: {no recursion: {reject: true}}}", "`reject` has no effect on a rule with a mark of its own"),
        ("{rule: {docstrings: {each: 0.5}}}", "`each` of a case is a percentage of its marks"),
        ("{rule: {no recursion: {hint: H}}}", "`hint` has no effect on a rule with a mark of its own"),
    ],
)
def test_what_does_not_go_with_a_rule_is_told(tmp_path: Path, case: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        task_with_case(tmp_path, case)


def test_near_words_are_suggested(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="did you mean `while`"):
        task_with(tmp_path, "  - forbidden constructs: {constructs: whiel}")
    with pytest.raises(SpecError, match="did you mean `no recursion`"):
        task_with(tmp_path, "  - no recursoin")

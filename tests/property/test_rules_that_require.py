"""Dead code never meets a rule that requires; findings never raise a mark."""

import ast
import sys
from fractions import Fraction
from textwrap import indent

from hypothesis import given
from hypothesis import strategies as st

from grader.judge.rules import case_result, cost_of, seen_of
from grader.model.case import Case
from grader.model.policy import Deduction
from grader.model.rule import Rule, RuleKind, TaskRule
from grader.model.submission import SourceFile
from grader.rules.program import check
from grader.rules.source.binding import build
from grader.rules.source.live import live_nodes

_SIMPLE = ("x += 1", "total(x)", "y = [z for z in x]", "other(x)", "x.go()", "f = lambda: total(x)")
_BLOCKS = ("if x:", "for y in x:", "while x:", "with x:", "def inner():", "class A:", "try:")


def _block(head: str, body: str) -> str:
    return f"{head}\n{indent(body, '    ')}" + ("\nfinally:\n    pass" if head == "try:" else "")


CODE = st.recursive(
    st.lists(st.sampled_from(_SIMPLE), min_size=1, max_size=3).map("\n".join),
    lambda inner: st.lists(st.builds(_block, st.sampled_from(_BLOCKS), inner), min_size=1, max_size=3).map(
        "\n".join
    ),
    max_leaves=8,
)
DEAD = st.sampled_from((
    "return 0\n{}", "raise ValueError\n{}", "if False:\n{:i}", "while 0:\n{:i}", "if 1:\n    return 0\n{}",
    "try:\n    return 0\nexcept ValueError:\n    return 1\n{}", "def never():\n{:i}", "assert 0\n{}",
    "for _ in ():\n{:i}", "if x:\n    return 1\nelse:\n    raise ValueError\n{}",
))  # fmt: skip
RULES = [
    ("required recursion", ["one"], False, {"functions": ["total"]}),
    ("required constructs", ["one"], False, {"constructs": ["loop"], "functions": ["total"]}),
    ("required constructs", ["one"], False, {"constructs": ["comprehension"], "functions": ["total"]}),
]


def reports(body: str) -> list[bool]:
    text = f"def total(x):\n{indent(body, '    ')}\n    return 0\ndef other(x): return 0\n"
    ast.parse(text)
    usual = sys.getrecursionlimit()
    try:
        _, _, _, found = check({"one": ("one.py", text)}, RULES)
    finally:
        sys.setrecursionlimit(usual)
    return [bool(broken) for broken, *_ in found]


@given(CODE, DEAD)
def test_dead_code_meets_no_rule(code: str, dead: str) -> None:
    body = dead.replace("{:i}", indent(code, "    ")).replace("{}", code)
    assert reports(body) == [True, True, True]


@given(CODE)
def test_what_is_alive_is_of_the_text(code: str) -> None:
    tree = ast.parse(code)
    nodes = [node for node in live_nodes(tree, build(tree)) if isinstance(node, ast.stmt | ast.expr)]
    assert len(nodes) == len(set(map(id, nodes)))
    assert set(map(id, nodes)) <= set(map(id, ast.walk(tree)))


FOUND = st.sampled_from(("E501: a", "E701: b", "F401: c"))
PLACES = st.lists(st.tuples(st.just("one"), st.integers(0, 3), FOUND), max_size=6)
SHARES = st.fractions(0, 1, max_denominator=10)


@given(PLACES, PLACES, SHARES, SHARES, st.dictionaries(st.sampled_from(("E", "E5", "F")), SHARES))
def test_more_findings_never_raise_a_mark(
    few: list[tuple[str, int, str]],
    more: list[tuple[str, int, str]],
    each: Fraction,
    most: Fraction,
    weights: dict[str, Fraction],
) -> None:
    rule = Rule(
        kind=RuleKind.LINTER, text="linter", modules=("one",), each=each, weights=tuple(weights.items())
    )
    case = Case(id="1.1", text="", what=rule)
    files = {"one": SourceFile("one.py", "x = 1\n" * 3)}
    seen = [seen_of(rule, files, {"one": "one.py"}, places, (), (), {}) for places in (few, [*few, *more])]
    scores = [case_result(case, one).score for one in seen]
    assert 0 <= scores[1] <= scores[0] <= 1
    of_task = TaskRule(rule, Deduction(most), Deduction(each))
    costs = [cost.amount for one in seen if (cost := cost_of(of_task, one)) is not None]
    assert costs[0] <= costs[1] <= most

"""Every mutant of a random small function is another program that Python takes."""

import ast
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.mutant_sample import a_case, a_task

from grader.model.case import Returns
from grader.plugins.validate.mutants import mutants_of

NAMES = st.sampled_from(["a", "b", "xs", "é"])
ATOMS = st.one_of(
    NAMES,
    st.integers(-2, 3).map(str),
    st.sampled_from(
        ["True", "None", "'Text.'", "0.5", "[1, 2, 3]", "((1, 2), (3, 4), (5, 6))", "f'{a:>{b}}'"]
    ),
)


def compound(inner):
    two = st.tuples(inner, inner)
    return st.one_of(
        two.map("({0[0]} + {0[1]})".format),
        two.map("({0[0]} < {0[1]} <= a)".format),
        two.map("({0[0]} and {0[1]})".format),
        two.map("({0[0]} // {0[1]})".format),
        two.map("({0[0]} if a == b else {0[1]})".format),
        two.map("[x for x in {0[0]} if x != {0[1]}]".format),
        two.map("f({0[0]}, {0[1]})".format),
        two.map("({0[0]}, {0[1]})".format),
        inner.map("sorted({}, key=len)".format),
        inner.map("(not {})".format),
        inner.map("range({})".format),
        inner.map("xs[{}]".format),
        inner.map("(lambda x: {})".format),
        inner.map("sum(x for x in {})".format),
        inner.map("{{x for x in {}}}".format),
    )


EXPRESSIONS = st.recursive(ATOMS, compound, max_leaves=6)


def block(lines):
    return ["    " + line for line in lines]


def statements(inner):
    blocks = st.lists(inner, min_size=1, max_size=2).map(
        lambda parts: [line for part in parts for line in part]
    )
    pair = st.tuples(EXPRESSIONS, blocks, blocks)
    return st.one_of(
        pair.map(
            lambda p: [f"if {p[0]}:", *block(p[1]), f"elif {p[0]}:", *block(p[2]), "else:", *block(p[1])]
        ),
        pair.map(lambda p: [f"if {p[0]}:", *block(p[1])]),
        pair.map(lambda p: [f"for a, b in {p[0]}:", *block(p[1]), "    continue"]),
        pair.map(lambda p: [f"while {p[0]}:", *block(p[1]), "    break"]),
        pair.map(lambda p: ["try:", *block(p[1]), "except ValueError:", *block(p[2])]),
        pair.map(
            lambda p: [
                f"match {p[0]}:",
                "    case 1:",
                *block(block(p[1])),
                "    case _:",
                *block(block(p[2])),
            ]
        ),
    )


SIMPLE = EXPRESSIONS.flatmap(
    lambda e: st.sampled_from(
        [[f"return {e}"], [f"a = {e}"], [f"a += {e}"], [f"xs.append({e})"], [f"xs[0] = {e}"],
         ["raise ValueError('no')"], [f"a, b = b, {e}"], [f"print({e}, end='')"], [f"total = 0; total = {e}"]]
    )
)  # fmt: skip
BODIES = st.lists(st.recursive(SIMPLE, statements, max_leaves=5), min_size=1, max_size=4)


@settings(max_examples=40)
@given(BODIES, st.sampled_from([[1], {2}, 3, True, (4,)]))
@pytest.mark.acceptance  # `make test` has `unit/validation/mutants`
def test_mutants_parse_and_differ(body, answer):
    lines = [line for part in body for line in part]
    reference = "\n".join(["def f(a, b, xs=(), é=1):", *block(lines), "    return f(b, a)", ""])
    task = a_task(reference, a_case("f", [1, 2, [3], 4], expect=Returns(answer)))
    seen = {ast.dump(ast.parse(reference))}
    ids = set()
    for mutant in mutants_of(task):
        tree = ast.dump(ast.parse(mutant.sources["work"]))
        assert tree not in seen
        seen.add(tree)
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):  # `is` with a literal
            compile(mutant.sources["work"], "work", "exec")
        assert mutant.id not in ids
        ids.add(mutant.id)

"""Calls that are expressions: what they become, how they are written again, and what they use."""

import ast
from typing import TYPE_CHECKING

import pytest

from grader.model.case import Bound, Shipped, Watched
from grader.model.formula import Formula
from grader.model.kinds import calls_of
from grader.reports.standalone import of_calls

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

TEXTS = [
    "OffBoardError(1) + 2 * OffBoardError(2)",
    "(OffBoardError(1) + 2) * OffBoardError(2)",
    "-OffBoardError(1) ** 2",
    "(-OffBoardError(1)) ** OffBoardError(2)",
    "(OffBoardError(1) + 1).real",
    "not first([1], None) in OffBoardError(2)",
    "(OffBoardError(1) == OffBoardError(2)) == OffBoardError(3)",
    "first([1], None) is not None",
    "OffBoardError(-1) - -1",
    "legal_moves(8, [], (0, 0))[0][1:3:-1]",
    "OffBoardError(8)[:first([2], None)]",
    "sorted(legal_moves(8, [], (0, 0)), key=lambda move: first(move, None), reverse=True)",
    "{'a': first([1], None), 2: [first([2], None), (3,), {first([4], None)}]}",
    "first(map(lambda x: x + 1, [1, 2]), None)(3).split(sep=4)",
    "list(zip(legal_moves(8, [], (0, 0)), range(0, 3)))",
    "first([is_legal, legal_moves], lambda f: f(8, [], (0, 0)))",
    "set(map(frozenset, legal_moves(8, [], (0, 0))))",
    "first([set, float], range)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_is_the_expression(spec: "SmallSpec", text: str) -> None:
    (call,) = calls_of(spec.case(f'- {{call: "{text}", returns: 1}}')).calls
    assert call.formula is not None
    assert call.text == text == ast.unparse(ast.parse(text))
    (line,) = of_calls(calls_of(spec.case(f'- {{call: "{text}", returns: 1}}')), "knight1", {}, 0).statements[
        1:
    ]
    same = line.replace("knight1.", "")
    assert ast.unparse(ast.parse(same)) == ast.unparse(ast.parse(f"print(repr({text}))"))


def test_data_stands_among_the_arguments(spec: "SmallSpec") -> None:
    case = spec.case(
        '- {call: "[first([n, 2], f), len(first([f], lambda x: is_legal(x, n)))]", '
        'watch: {f: {answer: "lambda x: x"}}, returns: 1}',
        "let: {n: 5}\n",
    )
    (call,) = calls_of(case).calls
    watched = Watched("f", "lambda x: x")
    shipped = Shipped("lambda x: is_legal(x, 5)", ("is_legal",))
    assert call.args == ([5, 2], watched, watched, shipped)
    assert call.function == call.own_name == "[first(_, _), len(first([_], _))]"
    assert call.functions == ("first", "is_legal")


def test_a_name_that_the_reference_defines_is_the_students(spec: "SmallSpec") -> None:
    path = spec.folder / "reference" / "knight1.py"
    path.write_text(path.read_text() + "from fractions import Fraction\ndef sum(xs): pass\n")
    sums = calls_of(spec.case('- {call: "[max([1]), sum([2])]", returns: 2}')).calls[0].formula
    assert sums is not None
    kinds = {node.text: node.kind for node in sums.walk() if node.kind in ("module", "python")}
    assert kinds == {"max": "python", "sum": "module"}
    # What it only imports is the library's, whatever a student imports.
    assert (
        calls_of(spec.case('- {call: "first([Fraction(1, 2)], None)", returns: 2}')).calls[0].formula is None
    )


def test_objects_of_steps_stand_anywhere(spec: "SmallSpec") -> None:
    case = spec.case(
        "- scenario:\n"
        "    - {call: '[1]', as: xs}\n"
        "    - {call: 'first(xs, lambda x: xs.append(x))'}\n"
        "    - {call: 'first([xs, 3], None)', as: found, reads: [real], returns: {real: 3}}\n"
        "    - {call: 'xs[0] = abs(found)'}\n"
        "    - {call: 'del xs[0]'}\n"
    )
    made, plain, found, changed, deleted = calls_of(case).calls
    assert (made.text, made.bind, made.brings) == ("xs = [1]", "xs", False)
    assert plain.formula is None
    assert plain.args == (Bound("xs"), Shipped("lambda x: xs.append(x)", ("xs",)))
    assert found.brings
    assert found.formula is not None
    assert [look.text for look in found.formula.looks] == ["real"]
    assert [changed.text, deleted.text] == ["xs[0] = abs(found)", "del xs[0]"]
    assert changed.functions == ("xs", "found")
    renamed = changed.formula.renamed(lambda name: f"{name}_1") if changed.formula is not None else None
    assert renamed is not None
    assert renamed.written(["0"]) == "xs_1[0] = abs(found_1)"
    assert of_calls(calls_of(case), "knight1", {}, 0).statements[1:] == (
        "xs = [1]",
        "print(repr(knight1.first(xs, (lambda x: xs.append(x)))))",
        'found = knight1.first([xs, 3], None); print(repr((lambda it: {"real": it.real})(found)))',
        "xs[0] = abs(found)",
        "del xs[0]",
    )


def test_a_formula_is_packed_as_plain_tuples() -> None:
    formula = Formula("call", "key", (Formula("module", "f"), Formula("slot", "0"), Formula("kept", "a")))
    packed = ("call", "key", (("module", "f", ()), ("slot", "0", ()), ("kept", "a", ())))
    assert formula.packed() == packed
    assert formula.written(["[1]"]) == "f([1], key=a)"


def test_without_a_reference_unknown_names_are_the_modules(spec: "SmallSpec") -> None:
    def functions(call: str) -> tuple[str, ...]:
        text = spec.write(f'- {{call: "{call}", returns: 1}}').read_text(encoding="utf-8")
        return (
            calls_of(spec.load(text=text.replace("reference: reference\n", "")).cases[0]).calls[0].functions
        )

    assert functions("apply(double, [1])") == ("apply", "double")
    assert functions("len(made(3))") == ("made",)
    assert functions("len([1, 2])") == ("len",)
    assert functions("apply(lambda x: double(x) + abs(x), [1])") == ("apply", "double")

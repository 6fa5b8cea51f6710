"""How the calls of a case come about, and how they read."""

from typing import TYPE_CHECKING

import pytest

from grader.model.case import Call, Combine, Shipped, Watched
from grader.model.kinds import calls_of

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

LET = """
let:
  start: "[(0, 0)]"
  n: 5
  later: "[n, (n, n)]"
  many: "[(0, 0)] * 100"
  sizes: range(2, 4)
"""


def test_a_call_takes_exact_values(spec: "SmallSpec") -> None:
    case = spec.case("- {call: \"legal_moves(8, [(1, 2)], x=(3, 4))\", returns: '[]'}")
    what = calls_of(case)
    assert what.calls == (
        Call(
            "legal_moves",
            (8, [(1, 2)]),
            (("x", (3, 4)),),
            "legal_moves(8, [(1, 2)], x=(3, 4))",
        ),
    )
    assert what.combine is None
    assert case.text == what.calls[0].text


def test_the_text_is_normalised_python(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "legal_moves( 8,[ ],x = (3,4) )", returns: []}')
    assert case.text == "legal_moves(8, [], x=(3, 4))"


def test_names_of_let_are_replaced_in_values_and_text(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "is_legal(n, start, later)", returns: true}', LET)
    assert calls_of(case).calls[0].args == (5, [(0, 0)], [5, (5, 5)])
    assert case.text == "is_legal(5, [(0, 0)], [5, (5, 5)])"


def test_names_stay_where_their_values_are_long(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "is_legal(n, many, 3)", returns: true}', LET)
    assert calls_of(case).calls[0].args[1] == [(0, 0)] * 100
    assert case.text == "is_legal(n, many, 3)"


def test_arithmetic_stays_as_it_is_written(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "is_legal(2**3, [0] * 3, None)", returns: true}')
    assert calls_of(case).calls[0].args == (8, [0, 0, 0], None)
    assert case.text == "is_legal(2 ** 3, [0] * 3, None)"


def test_over_makes_a_call_for_each_combination_in_order(spec: "SmallSpec") -> None:
    case = spec.case("- {sum: 'count_tours(5, [(x, y)])', over: {x: range(2), y: [3, 4]}, returns: 0}")
    what = calls_of(case)
    assert what.combine is Combine.SUM
    assert [call.args[1] for call in what.calls] == [[(0, 3)], [(0, 4)], [(1, 3)], [(1, 4)]]
    assert what.calls[0].text == "count_tours(5, [(0, 3)])"
    assert case.text == "sum of count_tours(5, [(x, y)]) for x in range(2), y in [3, 4]"


@pytest.mark.parametrize("combine", list(Combine))
def test_each_way_to_combine(spec: "SmallSpec", combine: Combine) -> None:
    case = spec.case(f"- {{{combine}: 'first([x], n)', over: {{x: range(1)}}, check: anything()}}", LET)
    assert calls_of(case).combine is combine
    assert case.text == f"{combine} of first([x], 5) for x in range(1)"


def test_over_takes_a_range_of_let_and_long_lists_are_counted_in_the_text(spec: "SmallSpec") -> None:
    case = spec.case(
        "- {each: 'f(x, y)', over: {x: sizes, y: many}, check: anything()}".replace("f(", "first("), LET
    )
    assert len(calls_of(case).calls) == 200
    assert case.text == "each of first(x, y) for x in sizes, y in many"
    case = spec.case("- each: first(x, 1)\n  over: {x: [" + "1, " * 40 + "1]}\n  check: anything()")
    assert case.text == "each of first(x, 1) for x in 41 values"


def test_values_of_over_can_be_negative_or_texts(spec: "SmallSpec") -> None:
    case = spec.case("""- {each: 'first(x ** 2, y)', over: {x: "[-1]", y: "['a b']"}, returns: [1]}""")
    what = calls_of(case)
    assert what.calls[0].args == (1, "a b")
    assert what.calls[0].text == "first(1, 'a b')"


def test_a_lambda_is_shipped_with_its_names_replaced(spec: "SmallSpec") -> None:
    case = spec.case(
        '- {call: "first(start, lambda p, q=n: p in start and (lambda n: n)(q))", returns: 1}', LET
    )
    source = "lambda p, q=5: p in [(0, 0)] and (lambda n: n)(q)"
    # `n` is a parameter somewhere in the lambda, so it is left alone everywhere.
    assert calls_of(case).calls[0].args[1] == Shipped(source.replace("q=5", "q=n"))


def test_a_lambda_knows_the_names_of_let_over_and_builtins(spec: "SmallSpec") -> None:
    case = spec.case(
        """
        - each: "first([1], lambda v: max(v, x, n) - sum(start[0]))"
          over: {x: "[-1, 2]"}
          check: anything()
        """,
        LET,
    )
    assert [call.args[1] for call in calls_of(case).calls] == [
        Shipped("lambda v: max(v, -1, 5) - sum([(0, 0)][0])"),
        Shipped("lambda v: max(v, 2, 5) - sum([(0, 0)][0])"),
    ]


def test_a_lambda_with_values_that_are_too_long_is_refused(spec: "SmallSpec") -> None:
    (message,) = spec.messages(
        '- {call: "first([1], lambda v: big)", returns: 1}', 'let: {big: "[1000] * 10000"}'
    )
    assert message == "this lambda does not work: the values of its names are too long to put in"


def test_a_watched_callback_is_answered_by_its_lambda(spec: "SmallSpec") -> None:
    case = spec.case(
        """
        - call: first([1, 2], f)
          watch: {f: {answer: "lambda x: x * n", calls: [1, (2)]}}
          returns: 10
        """,
        LET,
    )
    what = calls_of(case)
    assert what.calls[0].args[1] == Watched("f", "lambda x: x * 5")
    assert what.watch == (("f", ((1,), (2,))),)
    assert case.text == "first([1, 2], lambda x: x * 5)"


@pytest.mark.parametrize(
    ("key", "watch"),
    [
        ("calls: []", (("f", ()),)),
        ("calls: '[(1, 2)]'", (("f", (((1, 2),),)),)),
        ("args: [[1, 2], '(3, 4)']", (("f", ((1, 2), (3, 4))),)),
        ("args: '[()]'", (("f", ((),)),)),
    ],
)
def test_the_calls_of_a_callback(spec: "SmallSpec", key: str, watch: object) -> None:
    case = spec.case(
        f'- {{call: "first([], f)", watch: {{f: {{answer: "lambda *a: None", {key}}}}}, returns: None}}'
    )
    assert calls_of(case).watch == watch


def test_a_callback_without_calls_is_watched_all_the_same(spec: "SmallSpec") -> None:
    case = spec.case('- {call: "first([], f=g)", watch: {g: {answer: "lambda x: x"}}, returns: None}')
    what = calls_of(case)
    assert what.watch == ()
    assert what.calls[0].kwargs == (("f", Watched("g", "lambda x: x")),)


def test_a_call_can_go_on_over_lines(spec: "SmallSpec") -> None:
    case = spec.case("- call: |\n    is_legal(\n      8, [],\n      (1, 2),\n    )\n  returns: true\n")
    assert case.text == "is_legal(8, [], (1, 2))"


def test_names_that_the_reference_imports_can_be_called(spec: "SmallSpec") -> None:
    question = "award: all"
    text = spec.write(
        "- {call: 'moves(8, [], (1, 1))', check: anything()}\n- {call: 'first([], None)', returns: null}",
        "",
        question,
    ).read_text(encoding="utf-8")
    task = spec.load(text=text.replace("module: knight1", "module: knight4"))
    assert [calls_of(case).calls[0].function for case in task.cases] == ["moves", "first"]


def test_without_a_reference_any_function_can_be_called(spec: "SmallSpec") -> None:
    text = spec.write("- {call: 'anything_at_all()', returns: 1}").read_text(encoding="utf-8")
    assert spec.load(text=text.replace("reference: reference\n", "")).cases[0].text == "anything_at_all()"


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("call: first", "`call` must be a call such as f(1, 2)"),
        ("call: 3 + 4", "`call` must be a call such as f(1, 2)"),
        ("call: 'first(**{})'", "`*` and `**` can't unpack arguments here"),
        ("call: 'first(a=1, a=2)'", "`a` is given twice"),
        ("call: 'first([1], f)', watch: {f: {}}", "`answer` is missing in a watched callback"),
        (
            "call: 'first([1], f)', watch: {f: 1}",
            "a watched callback must be a mapping, lines of `key: value`, not `1`",
        ),
        (
            "call: 'first([1], n)', watch: {n: {answer: 'lambda: 1'}}",
            "`n` is a name of `let` already; choose another name",
        ),
        ("sum: 'first([1], n)', over: {n: range(2)}", "`n` is a name of `let` already; choose another name"),
        ("sum: 'first([1], x)', over: {}", "`over` names nothing"),
        ("sum: 'first([1], x)', over: [1]", "`over` must be a mapping, lines of `key: value`, not a list"),
        ("sum: 'first([1], x)', over: {x: '{1, 2}'}", "`x` must run over a range or a list"),
        ("sum: 'first([1], 1 // x)', over: {x: range(2)}", "this divides by zero"),
    ],
)
def test_mistakes(spec: "SmallSpec", case: str, message: str) -> None:
    messages = spec.messages(f"- {{{case}, returns: 1}}", LET)
    assert message in messages


def test_all_calls_of_a_spec_together_are_bounded(spec: "SmallSpec") -> None:
    # Each case stops at its first combination, so that the test is quick.
    cases = '- {sum: "first(1 // x, y)", over: {x: "range(100)", y: "range(100)"}, returns: 1}\n' * 11
    messages = spec.messages(cases)
    assert messages[:-1] == ["this divides by zero"] * 10
    assert messages[-1] == "with this, the cases make more than 100,000 calls together"


def test_a_name_whose_value_is_wrong_is_not_told_again_where_it_is_used(spec: "SmallSpec") -> None:
    cases = '- {call: "first(a, lambda x: a)", returns: a}'
    assert spec.messages(cases, "let: {a: nothing}") == ["`nothing` is not a known name"]

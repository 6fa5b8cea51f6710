"""Each operator on a small function: the lines before and after."""

import pytest
from support.mutant_sample import a_case, after, bodies

from grader.model.case import Comparison, Returns, Visibility

LOOP = """
def f(xs):
    total = 0
    for x in xs:
        total += x
    return total
"""


@pytest.mark.parametrize(
    ("operator", "body", "lines"),
    [
        ("off-by-one", "return xs[2]", {"return xs[3]", "return xs[1]"}),
        ("off-by-one", "return list(range(n))", {
            "return list(range(n + 1))", "return list(range(n - 1))",
            "return list(range(1, n))", "return list(range(1, n + 1))",
        }),
        ("off-by-one", "return list(enumerate(xs))", {"return list(enumerate(xs, 1))"}),
        ("boundary", "return n < 3", {"return n <= 3"}),
        ("boundary", "return a >= n", {"return a > n"}),
        ("boundary", "return a <= n < b", {"return a < n < b", "return a <= n <= b"}),
        ("off-by-one", "return xs[0]", {"return xs[1]", "return xs[-1]"}),
        ("off-by-one", "return xs[-1]", {"return xs[0]", "return xs[-2]"}),
        ("other-end", "return min(xs)", {"return max(xs)"}),
        ("other-end", "return all(xs)", {"return any(xs)"}),
        ("division", "return n / 2", {"return n // 2"}),
        ("division", "return a + n // 2", {"return a + (n / 2)"}),
        ("identity", "return a == b", {"return a is b"}),
        ("identity", "return a == 3", set()),
        ("forgotten-item", "return [1, 2]", {"return [2]", "return [1]"}),
        ("forgotten-item", "return ((1, 2), (3, 4), (5, 6))", {
            "return ((3, 4), (5, 6))", "return ((1, 2), (5, 6))", "return ((1, 2), (3, 4))",
        }),
        ("forgotten-item", "return {1: a, 2: b}", {"return {2: b}", "return {1: a}"}),
        ("forgotten-item", "return [*a, *b]", {"return [*b]", "return [*a]"}),
        ("forgotten-term", "return a and b", {"return b", "return a"}),
        ("forgotten-term", "return a | b", {"return b", "return a"}),
        ("forgotten-term", "return 0 <= n < b", {"return n < b", "return 0 <= n"}),
        ("forgotten-term", "return (a + b) * n", {"return (b) * n", "return (a) * n", "return a + b"}),
        ("forgotten-condition", "return [x for x in xs if x > a]", {"return [x for x in xs]"}),
        ("one-side", "return a if n else b", {"return a", "return b"}),
        ("negated", "while n == a: n -= 2", {"while n != a: n -= 2"}),
        ("negated", "while n: n -= 2", {"while not n: n -= 2"}),
        ("negated", "while not n: n -= 2", {"while n: n -= 2"}),
        ("forgotten-call", "return sorted(xs, key=len)", {"return list(xs)", "return sorted(xs)"}),
        ("forgotten-call", "return abs(a - n)", {"return a - n"}),
        ("duplicates", "return len({x for x in xs})", {"return len([x for x in xs])"}),
        ("duplicates", "ys = {x for x in xs}; return n in ys", set()),
        ("forgotten-step", "xs.append(n)", {"pass"}),
        ("forgotten-step", "xs[n] = a", {"pass"}),
        ("forgotten-step", "while n < a: n += 1", set()),
        ("forgotten-step", "while xs: xs.pop()", set()),
        ("forgotten-step", "while xs: xs.show()", {"while xs: pass"}),
        ("forgotten-step", "while a: b += 1", {"while a: pass"}),
        ("no-copy", "return list(xs)", {"return xs"}),
        ("no-copy", "return xs[:]", {"return xs"}),
        ("no-copy", "return [list(x) for x in xs]", {"return xs", "return [x for x in xs]"}),
        ("swapped-pair", "return a, b", {"return b, a"}),
        ("swapped-pair", "a, b = xs", {"b, a = xs"}),
        ("swapped-pair", "return n in (a, b)", set()),
        ("swapped-arguments", "return f(n, a, b, xs)", {
            "return f(a, n, b, xs)", "return f(n, b, a, xs)", "return f(n, a, xs, b)",
        }),
        ("swapped-loops", "return [x for y in a for x in b]", {"return [x for x in b for y in a]"}),
        ("other-field", "return n.real", {"return n.imag"}),
        ("careless-text", "return a.strip()", {"return a"}),
        ("off-by-one", "return n + 1", {"return n + 2"}),
        ("text", "return 'Found.'", {"return 'found.'", "return 'Found'"}),
        ("text", "print(a, end='')", {"print(a)"}),
        ("not-raised", "raise ValueError('no')", {"pass"}),
        ("other-exception", "raise ValueError('no')", {"raise TypeError('no')"}),
        ("printed", "return a + b", {"print(a + b)"}),
        ("no-return", "return a + b", {"return None"}),
        ("operator", "return (a << n) % 2", {"return (a >> n) % 2", "return (a << n) / 2"}),
        ("operator", "return (a | # low\n   b)", {"return (a & # low"}),
        ("operator", "return -a", {"return +a"}),
        ("operator", "return ~a", {"return a"}),
        ("operator", "return a != n < b", {"return a == n < b"}),
        ("operator", "n **= a", {"n *= a"}),
        ("assignment", "n += a", {"n = a"}),
        ("keyword", "return a is None", {"return a is not None"}),
        ("keyword", "return a  not\tin  (xs)", {"return a in (xs)"}),
        ("keyword", "for x in xs: break", {"for x in xs: return"}),
        ("constant", "return f(True)", {"return f(False)"}),
        ("constant", "return copy.deepcopy(a)", {"return copy.copy(a)"}),
        ("number", "return a + 0.5", {"return a + 1.5"}),
        ("number", "return a + 1e999", set()),
        ("text-method", "return a.find(b)", {"return a.rfind(b)"}),
        ("text-method", "return a.split(b)", set()),
        ("text-method", "return a.split(b, 1)", {"return a.rsplit(b, 1)"}),
    ],
)  # fmt: skip
def test_operator(operator, body, lines):
    reference = f"def f(n, a, b, xs):\n    {body}\n"
    assert after(operator, reference, a_case("f", [1, 2, 3, (4,)], expect=Returns(["text"]))) == lines


def test_branches_are_left_out_one_by_one():
    reference = """
        def f(n):
            if n == 1:
                return "a"
            elif n == 2:
                return "b"
            else:
                return "c"
    """
    kept = [
        tuple(word for word in "abc" if f"return '{word}'" in text)
        for text in bodies("forgotten-branch", reference)
    ]
    assert sorted(kept) == [("a", "b"), ("a", "c"), ("b", "c")]


def test_cases_of_match_are_left_out():
    reference = """
        def f(n):
            match n:
                case 1:
                    return "a"
                case _:
                    return "b"
    """
    assert len(bodies("forgotten-branch", reference)) == 2


def test_guard_is_left_out():
    reference = """
        def f(n):
            if n < 0:
                return 0
            return n
    """
    assert after("no-guard", reference) == {"pass"}


def test_validation_is_left_out():
    reference = """
        def f(n):
            if n < 0:
                raise ValueError("no")
            return n
    """
    assert after("not-raised", reference) == {"pass", "return None"}
    assert after("no-guard", reference) == set()


def test_loop_ends_after_its_first_turn():
    (text,) = bodies("early-end", LOOP)
    assert "        total += x\n        break\n" in text


def test_number_stays_from_call_to_call():
    assert not bodies("kept-state", LOOP, a_case("f", [(1,)]))
    (text,) = bodies("kept-state", LOOP, a_case("f", [(1,)], [(2,)]))
    assert "    global total\n    total = globals().get('total', 0)\n" in text


def test_attribute_of_an_object_becomes_one_of_its_class():
    reference = """
        class C:
            def __init__(self):
                self.items = []
    """
    assert not after("class-state", reference, a_case("C", []))
    assert after("class-state", reference, a_case("C", [], [])) == {"type(self).items = []"}


def test_list_of_the_caller_is_used_up():
    texts = bodies("changed-argument", LOOP, a_case("f", [[1, 2]]))
    assert any("    xs[:], xs = [], xs[:]\n    total = 0" in text for text in texts)
    assert any("    xs.reverse()\n    total = 0" in text for text in texts)


def test_list_of_a_constructor_is_used_up():
    reference = "class C:\n    def __init__(self, xs):\n        self.xs = xs\n"
    assert len(bodies("changed-argument", reference, a_case("C", [[1, 2]]))) == 2


def test_other_arguments_are_not_used_up():
    assert not bodies("changed-argument", LOOP, a_case("f", [(1, 2)]))


def test_memo_forgets_an_argument():
    reference = """
        def f(a, b):
            return a + b
    """
    called = a_case("f", [1, 2], [1, 3])
    assert not after("memo", reference, a_case("f", [1, 2]))
    assert after("memo", reference, called) == {
        "answers are remembered, whatever a is",
        "answers are remembered, whatever b is",
    }
    assert any(
        "    key = repr((b,))\n" in text and "    memo[key] = a + b\n    return memo[key]" in text
        for text in bodies("memo", reference, called)
    )


TURNS = """
    def walk(x, way, n):
        if n == 0:
            return {x}
        on, corner = way[0], way[1:]
        straight = walk(STEPS[on](x), way, n - 1)
        return straight | walk(x, corner, n) if corner else straight

    STEPS = {"U": abs, "R": round}
"""


def test_recursion_may_turn_again_at_each_step():
    assert "return straight | walk(STEPS[corner](x), way, n - 1) if corner else straight" in after(
        "more-turns", TURNS, a_case("walk", [1, "RU", 2])
    )


def test_recursion_passes_on_what_it_was_given():
    kept = after("argument-kept", TURNS, a_case("walk", [1, "RU", 2]))
    assert "straight = walk(x, way, n - 1)" in kept
    assert "return straight | walk(x, way, n) if corner else straight" in kept


def test_recursion_gets_the_argument_of_another_call():
    other = after("argument-of-other-call", TURNS, a_case("walk", [1, "RU", 2]))
    assert "straight = walk(STEPS[on](x), corner, n - 1)" in other


def test_errors_are_swallowed_or_not_caught():
    reference = """
        def f(text):
            try:
                return int(text)
            except ValueError:
                return 0
    """
    assert after("swallowed", reference) == {"except Exception: pass"}
    (text,) = bodies("not-caught", reference)
    assert "try" not in text


# -- answers ---------------------------------------------------------------------------------------

PLAIN = """
def f(n):
    return g(n)

def g(n):
    return n
"""


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ([1], {"set(answer)", "iter(answer)", "tuple(answer)"}),
        ((1,), {"list(answer)"}),
        ({1}, {"list(answer)"}),
        (1, {"float(answer)", "str(answer)", "bool(answer)"}),
        (True, {"int(answer)"}),
        (1.5, {"int(answer)", "str(answer)"}),
        (None, set()),
    ],
)
def test_answer_of_another_type(value, lines):
    found = after("answer-type", PLAIN, a_case("f", [1], expect=Returns(value)))
    assert found == {f"return None if (answer := g(n)) is None else {line}" for line in lines}


def test_tuple_for_a_list_is_no_fault_where_no_case_tells_them_apart():
    loose = Returns([1], Comparison(any_sequence=True))
    assert not any("tuple" in line for line in after("answer-type", PLAIN, a_case("f", [1], expect=loose)))


def test_answer_in_another_order():
    reference = "def f(n) -> list[int]:\n    return [n, 1]\n"
    assert after("answer-order", reference) == {"return [n, 1][::-1]", "return sorted([n, 1])"}


def test_published_examples_are_looked_up():
    texts = bodies("examples-only", PLAIN, a_case("f", [1], expect=Returns([7])))
    assert len(texts) == 2
    for text, last in zip(texts, ("[7]", "[]"), strict=True):
        names: dict = {}
        exec(text, names)
        assert names["f"](1) == [7]
        assert names["f"](2) == eval(last)


def test_hidden_examples_are_not_looked_up():
    hidden = a_case("f", [1], expect=Returns([7]), visibility=Visibility.HIDDEN)
    assert not bodies("examples-only", PLAIN, hidden)

"""What an expression may compute on an answer, and what would be the student's own word."""

from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from grader.model.errors import SpecError
from grader.worker.box.formulas import Formula

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

REFERENCE = """
from functools import cache
N = [3]
class Box:
    def __init__(self, items): self.items = items
    def __eq__(self, other): return self.items == other.items
    def __add__(self, other): return Box(self.items + other.items)
    def __contains__(self, item): return item in self.items
    def holds(self, item): return item in self.items
    def put(self, item): return Box([*self.items, item])
    @classmethod
    def of(cls, item): return Box([item])
class Bare: pass
def f(n): return [n]
def t(n): return "a" * n
def box(n): return Box([n])
@cache
def cached(n): return n
"""

REFUSED = [
    "f(3) == [3]",
    "not f(3) == [3]",
    "bool(f(3) == [3])",
    "[f(3) == [3], 1]",
    "str(f(3) != [3])",
    "f(3) < [9]",
    "f(3) < f(4)",
    "cached(3) == 3",
    "N[0] == 3",
    "f(3)[0] == 3",
    "-f(3)[0] == -3",
    "len(f(3)) == 1",
    "[f(3)] == [[3]]",
    "(f(3), 1) == ([3], 1)",
    "f(3)[0] - 3",
    "3 - f(3)[0]",
    "abs(f(3)[0] - 3)",
    "f(3)[0] % 2",
    "'%s' % f(3)",
    "f(3) - f(4)",
    "3 in f(3)",
    "3 not in f(3)",
    "f(3)[0] in [1, 2, 3]",
    "f(3)[0] in {1: 2}",
    "{3: True}[f(3)[0]]",
    "[0, 1, 2, True][f(3)[0]]",
    "f(3)[f(0)[0]]",
    "t(3).startswith('a')",
    "t(3).startswith(t(2))",
    "t(3).isalpha()",
    "t(3).count('a')",
    "t(3).index('a')",
    "t(3).find('a')",
    "t(3).replace('aaa', '')",
    "t(3).removeprefix('aaa')",
    "t(3).strip('a')",
    "f(3).issuperset([3])",
    "f(3).remove(3)",
    "f(3).matches(3)",
    "t(3).upper().startswith('A')",
    "t(3).startswith",
    "[t(3).startswith][0]('a')",
    "[3].count(f(3)[0])",
    "[[3]].index(f(3))",
    "'aaa'.startswith(t(1))",
    "'aaa'.replace(t(3), '')",
    "[t(3), 'aaa'].count('aaa')",
    "str.startswith(t(3), 'a')",
    "list(map(str.startswith, [t(3)], ['a']))",
    "list(map(t(3).startswith, ['a']))",
    "max(f(3)[0], 9)",
    "max(9, f(3)[0])",
    "min([f(3)[0], 9])",
    "sorted([f(3), [9]])",
    "sum([f(3)[0], -3])",
    "sum(f(3), -3)",
    "sum(list([f(3)[0], -3]))",
    "len({f(3)[0], 3})",
    "len({f(3)[0]: 1, 3: 2})",
    "len(set([f(3)[0], 3]))",
    "len(dict([(f(3)[0], 1), (3, 1)]))",
    "divmod(f(3)[0], 3)",
    "pow(f(3)[0], 2)",
    "Fraction(f(3)[0], 3)",
    "len(range(f(3)[0], 3))",
    "list(iter(cached, 3))",
    "type(f(3)) == list",
    "list(filter(lambda x: x == 3, f(3)))",
    "list(map(lambda x: x - 3, f(3)))",
    "list(map(lambda n: f(n) == [n], [1, 2]))",
    "list(map(lambda n: any(x == n for x in f(n)), [1, 2]))",
    "list(map(lambda n: t(n).startswith('a'), [1, 2]))",
    "list(map(lambda n: len({n, cached(n)}), [1, 2]))",
    "list(map(lambda n: max(n, cached(n)), [1, 2]))",
    "sorted(f(3), key=lambda x: x != 3)",
    "(lambda x: x == 3)(f(3))",
    "box(3).items == [3]",
    "box(3).items.count(3)",
    "Box([3]).items.count(3)",
    "Box([3]).items[0] == 3",
    "Box([3]) in f(3)",
    "box(3) < Bare()",
    "Box.of(3).items == [3]",
]
ALLOWED = [
    "f(3)[0]",
    "f(3)[0:1]",
    "not f(3)",
    "-f(3)[0]",
    "f(3) is None",
    "type(f(3)) is list",
    "[f(3), t(3), 1]",
    "{'a': f(3), 'b': t(2)}",
    "len(set(f(3)))",
    "sorted(f(3), key=len, reverse=True)",
    "sorted(f(3), key=lambda x: -x)",
    "sum(map(len, f(3)))",
    "sum(f(3), 0)",
    "sum(f(3), [])",
    "max(f(3), default=0)",
    "round(f(3)[0], 2)",
    "format(f(3)[0], '.2f')",
    "int(t(3), 16)",
    "next(iter(f(3)), None)",
    "isinstance(f(3), (int, list))",
    "hasattr(f(3), 'x')",
    "list(zip(f(3), range(3)))",
    "list(enumerate(f(3), 1))",
    "dict(zip(f(3), f(4)))",
    "Fraction(cached(3))",
    "', '.join(t(3))",
    "'{:.2f}'.format(cached(3))",
    "t(3).upper()",
    "t(3).split(',')",
    "list(map(str.upper, t(3)))",
    "list(map(f, [1, 2]))",
    "f(list(map(lambda n: f(n + 1)[0], [1, 2])))",
    "f(3).to_dict()",
    "f(4)(3)",
    "f(f(3)[0])",
    "box(3).holds(3)",
    "box(3).put(4).items",
    "Box.of(3).holds(3)",
    "Box([3]) == Box([3])",
    "Box([3]) + Box([4]) == Box([3, 4])",
    "box(3) == Box([3])",
    "box(3) == box(3)",
    "Box([3]) == 3",
    "3 in Box([3])",
    "f(3) in Box([3])",
    "Box([3]) in [Box([3])]",
    "max(Box([3]), Box([4]))",
    "Bare() != Bare()",
]


@pytest.fixture
def small(spec: "SmallSpec") -> "SmallSpec":
    path = spec.folder / "reference" / "knight1.py"
    path.write_text(path.read_text() + REFERENCE)
    return spec


@pytest.mark.parametrize("text", REFUSED)
def test_an_answer_meets_nothing(small: "SmallSpec", text: str) -> None:
    with pytest.raises(SpecError) as caught:
        small.case(f'- {{call: "{text}", returns: 1}}')
    (fault,) = caught.value.faults
    assert "this lets the student's own answer decide the result" in str(fault)
    assert "hint: " in str(fault)


@pytest.mark.parametrize("text", ALLOWED)
def test_an_answer_can_be_read(small: "SmallSpec", text: str) -> None:
    small.case(f'- {{call: "{text}", returns: 1}}')


@pytest.mark.parametrize(
    "steps",
    [
        "{call: f(3), as: a}, {call: a.count(3), returns: 1}",
        "{call: f(3), as: a}, {call: a.__eq__(3), returns: 1}",
        "{call: t(3), as: a}, {call: a.startswith, as: b}, {call: b('a'), returns: 1}",
        "{new: f(3), as: a}, {call: a == 3, returns: 1}",
        "{new: f(3), as: a}, {call: a.count(3), returns: 1}",
        "{new: 'Box([3])', as: a}, {call: a.items.count(3), returns: 1}",
        "{new: 'Box([3])', as: a}, {call: a.items == 3, returns: 1}",
        "{call: 'list()', as: seen}, {call: seen.index(3), returns: 1}",
        "{call: f(3), reads: [count(3)], returns: {count(3): 1}}",
        "{call: f(3), reads: ['_[0].startswith(3)'], returns: {'_[0].startswith(3)': 1}}",
    ],
)
def test_a_step_asks_no_answer(small: "SmallSpec", steps: str) -> None:
    with pytest.raises(SpecError):
        small.case(f"- {{scenario: [{steps}]}}")


@pytest.mark.parametrize(
    "steps",
    [
        "{new: 'Box([3])', as: a}, {call: a.holds(3), returns: 1}",
        "{new: 'Box([3])', as: a}, {call: a == 3, returns: 1}",
        "{call: 'Box([3])', reads: [holds(3)], returns: {holds(3): 1}, as: b}",
        "{call: f(3), as: a}, {call: a.append(4)}, {call: a.pop(), returns: 1}",
        "{call: box(3), as: a}, {call: f(3), as: b}, {call: a.__eq__(b), returns: 1}",
        "{call: box(3), as: a}, {call: a.__str__(), returns: 1}",
        "{call: box(3), as: a}, {call: a.holds(3), returns: 1}, {call: 'a == Box([3])', returns: 1}",
    ],
)
def test_a_step_reads(small: "SmallSpec", steps: str) -> None:
    small.case(f"- {{scenario: [{steps}]}}")


def test_what_reads_nothing_is_a_mistake(small: "SmallSpec") -> None:
    with pytest.raises(SpecError, match="names nothing to read"):
        small.case("- {call: 'Box([3])', reads: [], returns: 1}")


def test_without_a_reference_a_class_has_a_capital_letter(small: "SmallSpec") -> None:
    def load(call: str) -> None:
        text = small.write(f'- {{call: "{call}", returns: 1}}').read_text(encoding="utf-8")
        small.load(text=text.replace("reference: reference\n", ""))

    for call in ("Clock(1) == Clock(1)", "BST([1]) == 3", "made(3).holds(3)", "made(3)[0]"):
        load(call)
    for call in ("made(3) == 9", "made(3).startswith('x')", "SIZE == 3"):
        with pytest.raises(SpecError, match="decide the result"):
            load(call)


def test_the_kind_of_an_object_is_not_what_it_says() -> None:
    class Liar:
        __class__ = int  # type: ignore[assignment]

    node = ("call", "", (("python", "isinstance", ()), ("slot", "0", ()), ("python", "int", ())))
    compute = Formula(ModuleType("work"), node)
    assert isinstance(Liar(), int)
    assert compute(True)
    assert not compute(Liar())

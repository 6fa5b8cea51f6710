"""Calls that are expressions, from the spec to the verdict; the reference computes each as students do."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question, verdicts

from grader.model.case import Call
from grader.model.results import SubmissionResult

WORK = """
class Box:
    def __init__(self, items=()):
        self.items = list(items)
        self.watchers = []

    def __add__(self, other):
        return Box([*self.items, *other.items])

    def __eq__(self, other):
        return isinstance(other, Box) and self.items == other.items

    def __lt__(self, other):
        return self.items < other.items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        return self.items[index]

    def __setitem__(self, index, item):
        self.items[index] = item

    def __delitem__(self, index):
        del self.items[index]

    def __contains__(self, item):
        return item in self.items

    def __neg__(self):
        return Box(self.items[::-1])

    def __bool__(self):
        return bool(self.items)

    def __repr__(self):
        return f"Box({self.items})"

    def watch(self, watcher):
        self.watchers.append(watcher)

    def put(self, item):
        self.items.append(item)
        for watcher in self.watchers:
            watcher(item)
        return self


class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


def joined(boxes, by=None):
    found = Box(item for box in boxes for item in (box.items if by is None else map(by, box.items)))
    return found


def named(boxes):
    return {name: box.items for name, box in boxes.items()}


def evens(n):
    yield from range(0, n, 2)


def total(numbers):
    return sum(numbers)


def double(x):
    return 2 * x


def clear(items):
    items.clear()
    return items


def sum(numbers):
    found = 0
    for number in numbers:
        found += number
    return found


def shout(text):
    print(text)
    return text
"""

RIGHT = [
    '{call: "Box([1]) + Box([2]) == Box([1, 2])", returns: true}',
    '{call: "Box([1]) != Box([2])", returns: same as reference}',
    '{call: "Box([1]) < Box([2])", returns: true}',
    '{call: "len(Box([1, 2]))", returns: 2}',
    '{call: "Box([5, 6])[1]", returns: 6}',
    '{call: "Box([5, 6, 7])[1:]", returns: [6, 7]}',
    '{call: "Box([5, 6, 7])[::-1]", returns: [7, 6, 5]}',
    '{call: "9 in Box([5])", returns: false}',
    '{call: "9 not in Box([5])", returns: true}',
    '{call: "(-Box([1, 2])).items", returns: [2, 1]}',
    '{call: "not Box()", returns: true}',
    '{call: "bool(Box([1]))", returns: true}',
    '{call: "repr(Box([1]))", returns: "\'Box([1])\'"}',
    '{call: "type(Box()).__name__", returns: "\'Box\'"}',
    '{call: "isinstance(Box(), Box)", returns: true}',
    '{call: "list(evens(5))", returns: [0, 2, 4]}',
    '{call: "sorted(evens(5), reverse=True)", returns: [4, 2, 0]}',
    '{call: "dict(enumerate(evens(3)))", returns: "{0: 0, 1: 2}"}',
    '{call: "total(iter([1, 2]))", returns: 3}',
    '{call: "total(map(lambda x: x + 1, [1, 2]))", returns: 5}',
    '{call: "total(map(double, evens(5)))", returns: 12}',
    '{call: "sum([1, 2])", returns: 3}',
    '{call: "sum(evens(5))", returns: 6}',
    '{call: "joined([Box([1]), Box([2])], by=lambda x: double(x)).items", returns: [2, 4]}',
    "{call: \"named({'a': Box([1])})\", returns: \"{'a': [1]}\"}",
    '{call: "Box([1]).put(2).put(3)", reads: ["items[0]", len(_), "put(4).items"], '
    'returns: {"items[0]": 1, len(_): 3, "put(4).items": [1, 2, 3, 4]}}',
    '{call: "joined([Box([1])])", reads: [items], returns: same as reference}',
    '{call: "joined([Box([1])])", reads: [items], check: "has(n=1)"}',
    '{call: "abs(double(-3))", returns: 6}',
    '{call: "round(double(0.26), 1)", returns: 0.5}',
    '{call: "Fraction(double(3))", returns: "Fraction(6)"}',
    '{call: "Point(1, 2) + Point(3, 4)", returns: "Point(4, 6)"}',
    "{call: \"hasattr(Point(1, 2), 'x')\", returns: true}",
    '{call: "(p + p).x", given: [{p: "Point(1, 2)"}, {p: "Point(3, 2)"}], returns: same as reference}',
    '{call: "p + Point(n, n + 1)", given: {p: "points()", n: "integers()"}, examples: 3, '
    "returns: same as reference}",
    '{call: "isinstance(double(2), (int, Fraction))", returns: true}',
    '{call: "list(map(float, evens(3)))", returns: [0.0, 2.0]}',
    '{call: "len(shout(\'hey\'))", returns: 3, prints: "hey\\n"}',
    '{each: "len(Box([n] * n))", over: {n: [1, 2]}, returns: [1, 2]}',
    '{sum: "Box([n])[0]", over: {n: range(4)}, returns: 6}',
    '{count: "n in Box([1, 2])", over: {n: range(4)}, returns: 2}',
    '{call: "len(Box(xs)[n:])", given: {n: "integers(0, 3)", xs: "lists(integers())"}, examples: 5, '
    "returns: same as reference}",
    '{call: "joined([Box([1])], f).items", watch: {f: {answer: "lambda x: x + 1"}}, returns: [2]}',
    '{call: "list(map(f, evens(3)))", watch: {f: {answer: "lambda x: x + 1"}}, returns: [1, 3]}',
    '{call: "len(clear([1]))", unchanged: true, returns: 0}',
    """scenario:
        - {new: "Box([1])", as: a}
        - {new: "Box([2])", as: b}
        - {call: "joined([a, b]).items", returns: [1, 2]}
        - {call: a + b, as: c, reads: [items], returns: {items: [1, 2]}}
        - {call: "c[0] = 9"}
        - {call: c.items, returns: [9, 2]}
        - {call: "a.items = [7, 8]"}
        - {call: "del a[0]"}
        - {call: "[a[0], b[0], c[0]]", returns: [8, 2, 9]}
        - {call: len(c.nothing), raises: AttributeError}
        - {call: list(), as: seen}
        - {call: "a.watch(lambda item: seen.append(double(item)))"}
        - {call: a.put(4)}
        - {read: seen, returns: [8]}
        - {call: a != 8, returns: true}
        - {call: iter(evens(3)), as: it}
        - {call: "(next(it), next(it))", returns: "(0, 2)"}
        - {call: next(it), raises: StopIteration}
        - {read: a.items, returns: [8, 4]}""",
]
CHECKERS = """
def has(answer, n):
    return None if len(answer["items"]) == n else "not so many"
"""
CHECKERS += """
def points(random):
    return Point(random.randint(0, 9), 1)
"""
TYPES = "types: {Point: {fields: [x, y]}}\n"


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> SubmissionResult:
    return mark(
        tmp_path_factory.mktemp("right"), TYPES + question(*RIGHT), WORK, reference=WORK, checkers=CHECKERS
    )


@pytest.mark.parametrize("number", range(1, len(RIGHT) + 1), ids=lambda number: RIGHT[number - 1][:40])
def test_the_reference_computes_what_python_does(right: SubmissionResult, number: int) -> None:
    case = cases(right)[f"1.{number}"]
    if "clear" in case.call:
        assert case.message == "argument 1 was changed: length: was 1 item, is now 0"
    else:
        assert (str(case.verdict), case.message) == ("accepted", ""), case.steps


def test_the_call_is_shown_as_it_is_typed(right: SubmissionResult) -> None:
    shown = cases(right)
    assert shown["1.1"].call == "Box([1]) + Box([2]) == Box([1, 2])"
    assert shown["1.10"].call == "(-Box([1, 2])).items"
    assert shown["1.26"].actual == "{'items[0]': 1, 'len(_)': 3, 'put(4).items': [1, 2, 3, 4]}"
    assert shown["1.39"].call == "each of len(Box([n] * n)) for n in [1, 2]"


def test_a_name_that_the_module_lacks_is_missing(tmp_path: Path) -> None:
    spec = question('{call: "len(Box([1]))", returns: 1}', '{call: "sorted(evens(3))", returns: [0, 2]}')
    result = mark(tmp_path, spec, "def even(n): return []\n", reference=WORK)
    assert verdicts(result) == {"1.1": "missing", "1.2": "missing"}
    told = [case.message for case in cases(result).values()]
    assert told[0].startswith("the module has no class Box")
    assert told[1].startswith("the module has no function evens")


def test_it_works_without_a_reference(tmp_path: Path) -> None:
    spec = question(
        '{call: "list(evens(3))", returns: [0, 2]}', '{call: "total(map(double, [1]))", returns: 2}'
    )
    result = mark(tmp_path, spec, WORK)
    assert verdicts(result) == {"1.1": "accepted", "1.2": "accepted"}


def test_the_function_of_a_formula_is_its_text_without_data() -> None:
    call = Call("Box(_) == Box(_)", ([1], [2]))
    assert (call.own_name, call.functions) == ("Box(_) == Box(_)", ("Box(_) == Box(_)",))


def test_what_map_and_filter_make_is_of_their_classes(tmp_path: Path) -> None:
    work = "def mapped(n): return map(str, range(n))\ndef filtered(n): return filter(None, range(n))\n"
    calls = {
        "type(mapped(3)) is map": "true",
        "type(filtered(3)) is filter": "true",
        "isinstance(mapped(3), map)": "true",
        "isinstance(mapped(3), filter)": "false",
        "list(map(len, map(list, [mapped(1)])))": "[1]",
    }
    listed = [f"{{call: '{call}', returns: {answer}}}" for call, answer in calls.items()]
    result = mark(tmp_path, question(*listed), work)
    assert verdicts(result) == dict.fromkeys(cases(result), "accepted"), [
        case.message for case in cases(result).values()
    ]

"""An assertion of a test file rests on data, or on what the test itself made: never on an answer's own word.

For each method and each operator of the types of data, an answer whose class says yes to everything does not
pass.  The rows are made from the types themselves, so a method that Python gets tomorrow is tried too.
"""

import copy
import textwrap
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Any

import pytest
from support.marking import cases, mark, question

from grader.model.results import CaseResult

SAMPLES: dict[str, tuple[Any, Any]] = {
    "int": (12, 7),
    "float": (2.5, 0.25),
    "complex": (1 + 2j, 3j),
    "str": ("a secret text", "wrong"),
    "bytes": (b"a secret", b"wrong"),
    "list": ([3, 1, 2], [7]),
    "tuple": ((3, 1, 2), (7,)),
    "set": ({3, 1, 2}, {7}),
    "frozenset": (frozenset({3, 1, 2}), frozenset({7})),
    "dict": ({"a": 2, "b": 1}, {"z": 7}),
    "path": (Path("a/b.txt"), Path("/c")),
    "date": (date(2026, 5, 4), date(2020, 1, 2)),
    "datetime": (datetime(2026, 5, 4, 3, 2), datetime(2020, 1, 2)),
    "timedelta": (timedelta(3, 4), timedelta(1)),
    "Fraction": (Fraction(3, 4), Fraction(1, 7)),
    "Decimal": (Decimal("2.5"), Decimal("9")),
}
"""For each type the right answer, and a wrong one."""
ARGUMENTS: tuple[tuple[str, ...], ...] = (
    (), ("3",), ("'a'",), ("b'a'",), ("{3, 1, 2}",), ("[3, 1]",), ("{'a': 2}",), ("0", "3"), ("'a'", "'b'"),
    ("'*.txt'",), ("b'a'", "b'b'"), ("Decimal('2.5')",), ("date(2026, 5, 4)",), ("'%Y'",),
)  # fmt: skip
OPERATORS = ("==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "//", "%", "**", "&", "|", "^")
FUNCTIONS = ("len", "sum", "max", "sorted", "list", "set", "bool", "int", "float", "abs", "repr", "dict")
HERE = {"now", "today", "utcnow"}
"""Methods that tell the time."""
HEAD = """
import work
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PosixPath
import datetime as _dt, pytest
"""


def checks_of(kind: str) -> Iterator[list[str]]:
    """Yield expressions about an answer `x`: for each member and operator some, of which one will do."""
    right, _ = SAMPLES[kind]
    for name in dir(PurePath if kind == "path" else right):
        if name.startswith("_") or name in HERE:
            continue
        if callable(getattr(right, name)):
            yield [f"x.{name}({', '.join(arguments)})" for arguments in ARGUMENTS]
        else:
            yield [f"x.{name}"]
    other = text_of(right)
    yield [f"{item} in x" for item in ("3", "'a'", "b'a'")]
    yield [f"x[{item}]" for item in ("0", "-1", "'a'", "0:2")]
    for sign in OPERATORS:
        yield [f"x {sign} {item}" for item in (other, "2", "3")]
        yield [f"{other} {sign} x"]
    yield from ([f"{function}(x)"] for function in FUNCTIONS)


def text_of(value: object) -> str:
    return repr(value).replace("datetime.", "_dt.")


SPACE: dict[str, Any] = {}
exec(HEAD.replace("import work\n", ""), SPACE)


def value_of(check: str, x: object) -> Any:
    return eval(check, {**SPACE, "x": copy.deepcopy(x)})


def rows_of(kind: str) -> dict[str, str]:
    """Return expressions with the text of what they give, where a wrong answer gives something else."""
    found = {}
    for checks in checks_of(kind):
        for check in checks:
            try:
                expected = value_of(check, SAMPLES[kind][0])
                if expected is None or value_of(text_of(expected), None) != expected:
                    continue
            except Exception:
                continue
            try:
                tells = value_of(check, SAMPLES[kind][1]) != expected
            except Exception:
                tells = True
            if tells:
                found[check] = text_of(expected)
                break
    return found


LIAR = """
class Yes:
    def __init__(self, *_, **__): pass
    def __call__(self, *_, **__): return True
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        return lambda *_, **__: True
    def __eq__(self, other): return True
    __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __bool__ = __eq__
    def __bool__(self): return True
    def __ne__(self, other): return False
    def __len__(self): return 3
    def __iter__(self): return iter(())
    def __hash__(self): return 0
    def __sub__(self, other): return Yes()
    __add__ = __radd__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __sub__
    __floordiv__ = __mod__ = __pow__ = __sub__
    __and__ = __or__ = __xor__ = __getitem__ = __sub__
    def __abs__(self): return Yes()
"""


def marked(folder: Path, tests: str, work: str, reference: str) -> dict[str, CaseResult]:
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "test_work.py").write_text(tests)
    spec = question("pytest: tests/test_work.py\n  limits: {time: 5s, wall: 60s}")
    return cases(mark(folder, spec, textwrap.dedent(work), reference=textwrap.dedent(reference)))


def passed(case: CaseResult) -> set[str]:
    return {step.text.partition("[")[2][:-1] for step in case.steps if step.verdict == "accepted"}


KEPT = {
    "__new__", "__init__", "__init_subclass__", "__class__", "__dict__", "__getattribute__", "__setattr__",
    "__subclasshook__", "__class_getitem__", "__slots__", "__doc__",
}  # fmt: skip


def _derived(kind: str, answer: object, wrong: object) -> str:
    """Return a function with a wrong answer, of a subclass all of whose methods say yes."""
    if kind == "path":
        return f"def give_{kind}(): return Yes"
    names = [name for name in dir(answer) if name not in KEPT]
    lies = "".join(f"    def {name}(self, *_, **__): return True\n" for name in names)
    module, made = type(answer).__module__, {"date": "2020, 1, 2", "datetime": "2020, 1, 2", "timedelta": "1"}
    base = ("_dt." if module == "datetime" else "") + type(answer).__name__
    call = f"Of_{kind}({made.get(kind, text_of(wrong))})"
    return f"class Of_{kind}({base}):\n{lies}def give_{kind}(): return {call}\n"


@pytest.mark.parametrize(
    "kinds",
    [
        ("int", "list"),
        ("str", "dict"),
        ("bytes", "set"),
        ("path", "date"),
        ("float", "complex", "tuple"),
        ("frozenset", "datetime"),
        ("timedelta", "Fraction", "Decimal"),
    ],
    ids="-".join,
)
def test_no_method_and_no_operator_takes_an_answers_word(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    """Each kind is a test function; the rows are its methods and operators."""
    imports = HEAD.replace("import work\n", "").replace(", pytest", "")
    tests, right, liar, derived = [HEAD], [imports], [imports, LIAR], [imports, LIAR]
    for kind in kinds:
        (answer, wrong), rows = SAMPLES[kind], rows_of(kind)
        assert len(rows) > 8, kind
        tests.append(
            f"@pytest.mark.parametrize('check, expected', {[*rows.items()]!r}, ids=str)\n"
            f"def test_{kind}(check, expected):\n"
            f"    x = work.give_{kind}()\n"
            f"    assert eval(check, {{**globals(), 'x': x}}) == eval(expected)\n"
        )
        right.append(f"def give_{kind}(): return {repr(answer).replace('datetime.', '_dt.')}")
        liar.append(f"def give_{kind}(): return Yes()")
        derived.append(_derived(kind, answer, wrong))
    text, reference = "\n".join(tests), "\n".join(right)
    found = marked(tmp_path / "right", text, reference, reference)
    assert {name: case.message for name, case in found.items() if case.verdict != "accepted"} == {}
    for name, work in {"liar": liar, "derived": derived}.items():
        found = marked(tmp_path / name, text, "\n".join(work), reference)
        gained = {case.call: passed(case) for case in found.values() if case.score}
        assert gained == {}, name


TASK = """
from unittest.mock import Mock
import contextlib
import pytest
from work import *
import work

def test_text():
    assert work.text().startswith("a sec")

def test_of_a_class_that_has_that_name():
    assert work.numbers().count(3) == 1 and work.numbers().index(3) == 0

def test_length_and_items():
    found = work.numbers()
    assert len(found) == 3 and all(number in (1, 2, 3) for number in found)

def test_items_twice():
    found = work.items()
    assert sum(1 for _ in found) == 3
    assert all(number in (1, 2, 3) for number in found)

def test_set():
    assert work.letters("abc").intersection({"a", "b"}) == {"a", "b"}

def test_set_of_a_callback():
    visit = Mock()
    assert work.each(visit).startswith("a")

def test_number():
    assert work.number() > 41 and work.number() - 42 == 0

def test_attribute():
    assert work.Bag([3]).size.bit_length() == 1

def test_constant():
    assert work.TITLE.endswith("secret")

def test_the_tests_own_object():
    bag = Bag([1, 2])
    assert total(bag) == 3

def test_items_of_a_list():
    assert work.pair()[0].startswith("x") and work.pair()[1] == 5

def test_dict():
    assert work.counts().get("a") == 2 and work.counts().pop("a") == 2

def test_equal_objects():
    assert Bag([1, 2]) == Bag([1, 2])

def test_equal_answers():
    assert work.bag(2) == Bag([0, 1])

def test_unequal_objects():
    assert Bag([1]) != Bag([2])

def test_order():
    assert Bag([1]) < Bag([1, 2])

def test_member():
    assert 7 in Bag([7])

def test_with():
    with Bag([4]) as bag:
        assert bag.total() == 4

def test_stack_of_withs():
    with contextlib.ExitStack() as stack:
        bag = stack.enter_context(Bag([4]))
        assert bag.total() == 4

def test_callback():
    seen = []
    def visit(number):
        seen.append(number)
        assert number == len(seen)
    work.walk([2, 1], visit)

def test_map():
    for number in map(work.twice, [1, 2]):
        assert number in (2, 4)

def test_attribute_of_an_exception():
    with pytest.raises(Full) as caught:
        work.fill()
    assert caught.value.code.startswith("f-")

def test_args_of_an_exception():
    with pytest.raises(Full) as caught:
        work.fill()
    assert caught.value.args[0].endswith("full")

def test_callbacks_arguments():
    seen = []
    work.walk([2, 1], seen.append)
    assert [number.bit_length() for number in seen] == [1, 2]
"""
RIGHT = """
class Full(LookupError):
    def __init__(self, text):
        super().__init__(text)
        self.code = "f-1"

class Bag:
    def __init__(self, things):
        self.things = list(things)
        self.size = len(self.things)
    def __eq__(self, other):
        return isinstance(other, Bag) and self.things == other.things
    def __lt__(self, other):
        return self.size < other.size
    def __len__(self):
        return self.size
    def __contains__(self, thing):
        return thing in self.things
    def __iter__(self):
        return iter(self.things)
    def __enter__(self):
        return self
    def __exit__(self, *_):
        return None
    def count(self, thing):
        return self.things.count(thing)
    def index(self, thing):
        return self.things.index(thing)
    def get(self, thing):
        return thing
    def total(self):
        return sum(self.things)

TITLE = "a secret"
def text(): return "a secret text"
def numbers(): return [3, 1, 2]
items = numbers
def letters(text): return set(text)
def number(): return 42
def each(f):
    f(1)
    return "after"
def total(bag): return bag.total()
def pair(): return ["xy", 5]
def counts(): return {"a": 2}
def bag(n): return Bag(range(n))
def walk(numbers, visit):
    for number in sorted(numbers):
        visit(number)
def twice(number): return 2 * number
def fill(): raise Full("it is full")
"""
SHAPES = {
    "a class of the reference's name": "class Yes(Bag): pass",
    "int": "class Yes(int):\n    pass",
    "str": "class Yes(str):\n    pass",
    "list": "class Yes(list):\n    pass",
    "dict": "class Yes(dict):\n    pass",
    "an exception": "class Yes(KeyError):\n    pass",
    "a type": "class Meta(type):\n    pass\nclass Yes(metaclass=Meta):\n    pass",
    "claims to be data": "class Yes:\n    __class__ = property(lambda self: str)",
}
LIES = """
import sys
class Full(LookupError):
    def __init__(self, text=None):
        super().__init__(Yes())
    @property
    def code(self): return Yes()
class Bag:
    def __init__(self, *_): arm()
    size = property(lambda self: self)
    def total(self): raise Full()
    def __call__(self, *_): return self
{shape}
def arm():
    frame = sys._getframe()
    while frame is not None:
        if "_is_mutable" in frame.f_globals:
            frame.f_globals["_is_mutable"] = lambda one: True
        frame = frame.f_back
def yes(*_, **__): return True
KINDS = [Bag, Yes]
try:
    KINDS.append(Meta)
except NameError:
    pass
for kind in KINDS:
    for name in ("eq lt le gt ge contains bool exit").split():
        setattr(kind, f"__{{name}}__", yes)
    for name in "startswith endswith issuperset issubset bit_length isdisjoint get pop".split():
        setattr(kind, name, lambda *_: 1)
    kind.index = lambda *_: 0
    kind.count = lambda *_: 1
    kind.intersection = lambda self, other: self
    kind.__ne__ = yes
    kind.__len__ = lambda self: 3
    kind.__enter__ = lambda self: self
    kind.__sub__ = lambda self, other: 0
    kind.__hash__ = lambda self: 0
    kind.rounds = 0
    def items(self):
        kind.rounds += 1
        return iter([1, 2, 3] if kind.rounds % 2 else [])
    kind.__iter__ = items
TITLE = Yes()
def text(): return Yes()
numbers = items = number = counts = text
def letters(_): return set
def each(f): return f
def total(bag): return bag
def pair(): return [Yes(), Yes()]
def bag(n): return Bag()
def walk(numbers, visit):
    for number in numbers:
        try:
            visit(Yes())
        except BaseException:
            pass
def twice(_): raise StopIteration
def fill(): raise Full()
"""


@pytest.mark.parametrize("shape", SHAPES)
def test_no_shape_of_a_liar_passes(tmp_path: Path, shape: str) -> None:
    found = marked(tmp_path, TASK, LIES.format(shape=SHAPES[shape]), RIGHT)
    assert {case.call: case.message for case in found.values() if case.score} == {}
    assert {str(case.verdict) for case in found.values()} <= {"wrong-answer", "exception"}


def test_the_right_program_passes_all_that_liars_do_not(tmp_path: Path) -> None:
    found = marked(tmp_path, TASK, RIGHT, RIGHT)
    assert {case.call: case.message for case in found.values() if case.verdict != "accepted"} == {}

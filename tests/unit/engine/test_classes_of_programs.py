"""Classes of a program's in students' own tests and in test files of the instructor's."""

import textwrap
from pathlib import Path

import pytest
from support.marking import cases, mark, question, tried_on

PROGRAM = """
import dataclasses
import enum
from typing import NamedTuple

class Money:
    currency = "EUR"
    class Note: pass
    def __init__(self, amount): self.amount = amount
    def __eq__(self, other):
        return self.amount == other.amount if isinstance(other, Money) else NotImplemented

class Coin(Money):
    pass

Cash = Money

class Color(enum.Enum):
    RED = 1

class Point(NamedTuple):
    x: int
    y: int
    def __add__(self, other): return Point(self.x + other.x, self.y + other.y)

class Stack(list):
    pass

class Poor(Exception):
    pass

class Coded:
    code = 1

class Refused(Coded, ValueError):
    pass

def refuse(): raise Refused("no")

class Row:
    def __init__(self, *items): self.items = items
    def __iter__(self): return iter(self.items)

class Indexed:
    def __init__(self, *items): self.items = items
    def __getitem__(self, at): return self.items[at]
    def __len__(self): return len(self.items)

class Wall:
    __contains__ = None
    def __iter__(self): return iter("a")

class Safe:
    def __init__(self): self._code = 1

def call(f):
    try:
        return f()
    except ConnectionError:
        return "again"
    except KeyError:
        raise ValueError("key")
_rate = 2

@dataclasses.dataclass(frozen=True)
class Fixed:
    x: int

def make(): return Coin(1)
def ask(other): return other.answer()
def kinds(): return [Money, Coin]
def numbers(): yield 1
"""
BEFORE = """
import bank, collections.abc, dataclasses, enum, inspect, pytest
from unittest import mock
from bank import *
"""
HOLDS = {
    "name": 'type(Money(1)).__name__ == Money(1).__class__.__name__ == "Money"',
    "qualified name": 'type(Money(1)).__qualname__ == "Money"',
    "module": 'type(Money(1)).__module__ == "bank"',
    "nested": 'type(Money.Note()).__qualname__ == "Money.Note" and type(Money.Note()) is Money.Note',
    "identity": "type(Money(1)) is Money and type(make()) is Coin and type(make()) is not Money",
    "same": "type(Money(1)) is type(Money(2)) and type(Money(1)) is not type(Coin(1))",
    "alias": "Cash is Money and type(Cash(1)) is Cash",
    "answered": "kinds() == [Money, Coin]",
    "shown": "repr(type(Money(1))) == \"<class 'bank.Money'>\"",
    "enum": "type(Color.RED) is Color and isinstance(Color.RED, enum.Enum) and issubclass(Color, enum.Enum)",
    "is a class": "isinstance(Money, type) and inspect.isclass(Money)",
    "bases": "isinstance(Coin(1), Money) and issubclass(Coin, Money) and not issubclass(Money, Coin)",
    "of data": "type(Point(1, 2)) is Point and Point(1, 2) + Point(1, 1) == (2, 3)",
    "of data, shown": 'repr(Point(1, 2)) == "Point(x=1, y=2)" and Point(1, 2)._replace(x=3).x == 3',
    "of a list": "type(Stack()) is Stack and isinstance(Stack(), list)",
    "error": 'Poor.__name__ == "Poor" and Poor.__module__ == "bank"',
    "bases of an error": "issubclass(Refused, Coded) and issubclass(Refused, ValueError)",
    "abilities": "not callable(Money(1)) and not isinstance(Money(1), collections.abc.Iterable)",
    "in, by iteration": "2 in Row(1, 2) and 3 not in Row(1, 2)",
    "by index": "[*Indexed(1, 2)] == [*reversed(Indexed(2, 1))] and 1 in Indexed(1) and 2 not in Indexed(1)",
    "unhashable": "not isinstance(Money(1), collections.abc.Hashable)",
    "generator": "inspect.isgenerator(numbers()) and type(numbers()).__name__ == 'generator'",
    "not implemented": 'Money(1).__eq__("x") is NotImplemented',
}
HOLDS_NOT = {
    "another base": "issubclass(Refused, Money) or issubclass(Poor, Coded)",
    "another class": "type(Coin(1)) is Money",
    "another name": 'type(Coin(1)).__name__ == "Money"',
    "proxy": 'type(Money(1)).__name__ == "Proxy"',
}
REFUSED = {
    "bases": "Coin.__bases__ == (Money,)",
    "fields": "dataclasses.asdict(Fixed(1)) == {'x': 1}",
    "namespace": "vars(Money(1)) == {'amount': 1}",
    "signature": "len(inspect.signature(Money).parameters) == 1",
    "derived": "Sub(1).amount == 1",
    "hidden": "Safe()._code == 1",
    "set": "setattr(Safe(), '_code', 2) is None",
    "deleted": "delattr(Safe(), '_code') is None",
    "of the module": "bank._rate == 2",
    "of a module of the program's": "mock.patch('bank.dataclasses.field', 3).start() == 3",
    "a Mock's method": "ask(mock.Mock())",
    "patched": "mock.patch('bank._rate', 3).start() == 3",
}


def told(folder: Path, tests: str) -> tuple[str, str]:
    return tried_on(folder, "bank", PROGRAM, BEFORE + textwrap.dedent(tests))


def asserting(table: dict[str, str]) -> str:
    return "\n".join(f"def test_{n}():\n    assert {text}" for n, text in enumerate(table.values()))


def test_a_class_is_in_the_tests_what_it_is_beside_the_program(tmp_path: Path) -> None:
    assert told(tmp_path, asserting(HOLDS)) == ("accepted", "")


@pytest.mark.parametrize("name", HOLDS_NOT)
def test_what_is_not_so_fails(tmp_path: Path, name: str) -> None:
    verdict, message = told(tmp_path, asserting({name: HOLDS_NOT[name]}))
    assert verdict != "accepted"
    assert "left out" not in message


def test_what_cannot_be_told_is_named_and_counts_for_nothing(tmp_path: Path) -> None:
    tests = "class Sub(Money): pass\n" + asserting({**REFUSED, "right": "Money(1).amount == 1"})
    verdict, message = told(tmp_path, tests)
    assert (verdict, message.partition(":")[0]) == ("accepted", f"{len(REFUSED)} tests are left out")


def test_a_patch_of_a_class_is_undone(tmp_path: Path) -> None:
    tests = """
    def test_patched(monkeypatch):
        monkeypatch.setattr(Money, "currency", "USD")
        assert Money(1).currency == "USD"
    def test_undone():
        assert Money(1).currency == "EUR"
        with mock.patch.object(Money, "currency", "X"):
            assert Money(1).currency == "X"
        assert Money.currency == "EUR"
    def test_frozen():
        with pytest.raises(dataclasses.FrozenInstanceError):
            Fixed(1).x = 2
    """
    assert told(tmp_path, tests) == ("accepted", "")


def test_an_exception_that_has_another_base_as_well(tmp_path: Path) -> None:
    tests = """
    def test_refused():
        with pytest.raises(ValueError) as caught:
            refuse()
        assert caught.type is Refused and caught.value.code == 1
        assert isinstance(caught.value, Coded) and isinstance(caught.value, Refused)
        assert not isinstance(caught.value, Money)
    """
    assert told(tmp_path, tests) == ("accepted", "")


def test_what_a_callback_raises_is_what_comes_back(tmp_path: Path) -> None:
    tests = """
    class Boom(Exception): pass
    class Lost(ConnectionError): pass
    def fail(error): raise error
    def test_own_class():
        error = Boom("x")
        with pytest.raises(Boom) as caught:
            call(lambda: fail(error))
        assert caught.value is error
    def test_nearest_class():
        assert call(lambda: fail(Lost("x"))) == "again"
    def test_of_pythons():
        error = LookupError("x")
        with pytest.raises(LookupError) as caught:
            call(lambda: fail(error))
        assert caught.value is error
    def test_another():
        with pytest.raises(ValueError, match="key"):
            call(lambda: fail(KeyError("x")))
    def test_no_container():
        with pytest.raises(TypeError):
            assert "a" in Wall()
    """
    assert told(tmp_path, tests) == ("accepted", "")


INSTRUCTORS = """
import work
from work import Money, make

def test_name():
    assert type(make()).__name__ == "Coin"

def test_identity():
    assert type(Money(1)) is Money and type(make()) is not Money

def test_data():
    assert type(work.number()).__name__ != "str"
"""
ERRORS = """
import pytest
import work

def test_refused():
    with pytest.raises(work.Refused) as caught:
        work.refuse()
    assert caught.value.code == 1 and isinstance(caught.value, ValueError)
"""
REFERENCE = PROGRAM + "def number(): return 5\n"


def verdicts(folder: Path, program: str, tests: str = INSTRUCTORS) -> list[str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(tests)
    result = mark(folder, question("pytest: tests/test_work.py"), program, reference=REFERENCE)
    return [str(case.verdict) for case in cases(result).values()]


def test_instructors_tests_ask_for_classes(tmp_path: Path) -> None:
    assert verdicts(tmp_path, REFERENCE) == ["accepted"] * 3


def test_an_exception_of_a_submission_s_with_another_base_is_one(tmp_path: Path) -> None:
    assert verdicts(tmp_path, REFERENCE, ERRORS) == ["accepted"]


def test_another_class_is_seen_and_a_name_unknown_to_the_reference_is_not_believed(tmp_path: Path) -> None:
    """Where the reference answers with data, an object of a class that it does not have says nothing."""
    liar = REFERENCE.replace("return Coin(1)", "return Money(1)").replace("return 5", "return Odd()")
    liar += "class Odd: pass\n"
    assert verdicts(tmp_path, liar) == ["wrong-answer"] * 3

"""What an object can do is what its class defines: one that lacks a method passes no test of having it."""

from pathlib import Path

from support.marking import mark, question, verdicts

TESTS = """
import contextlib
from collections import abc
import pytest
from work import Countdown, Stack
def test_sized(): assert isinstance(Stack(), abc.Sized) and hasattr(Stack(), "__len__")
def test_iterable(): assert isinstance(Stack(), abc.Iterable)
def test_container(): assert isinstance(Stack(), abc.Container)
def test_manager(): assert isinstance(Stack(), contextlib.AbstractContextManager)
def test_callable(): assert callable(Stack())
def test_iterator(): assert isinstance(Countdown(2), abc.Iterator) and issubclass(Countdown, abc.Iterator)
def test_next(): assert hasattr(Countdown(2), "__next__")
def test_uses():
    s = Stack()
    with s:
        assert (len(s), list(s), 1 in s, s()) == (0, [], False, 0)
    assert list(Countdown(2)) == [2, 1]
def test_no_callable(): assert not callable(Countdown(2))
def test_not_sized():
    assert not hasattr(Countdown(2), "__len__")
    with pytest.raises(TypeError):
        len(Countdown(2))
"""
RIGHT = """
class Stack:
    def __init__(self): self.items = []
    def __len__(self): return len(self.items)
    def __iter__(self): return iter(self.items)
    def __contains__(self, item): return item in self.items
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def __call__(self): return len(self.items)
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n == 0: raise StopIteration
        self.n -= 1
        return self.n + 1
"""
WRONG = """
class Stack: pass
class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self): return iter(range(self.n, 0, -1))
    def __call__(self): pass
    def __len__(self): return self.n
"""


def found(folder: Path, work: str) -> list[str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(TESTS)
    return [*verdicts(mark(folder, question("pytest: tests/test_work.py"), work, reference=RIGHT)).values()]


def test_a_class_has_what_it_defines(tmp_path: Path) -> None:
    assert (
        found(tmp_path, RIGHT.replace("return iter(self.items)", "yield from self.items"))
        == ["accepted"] * 10
    )


def test_a_class_lacks_what_it_does_not_define(tmp_path: Path) -> None:
    assert "accepted" not in found(tmp_path, WRONG)

"""The part of test files that one test needs."""

import textwrap

from grader.spec.reference.test_files import all_names
from grader.spec.reference.test_slices import Slices

MAIN = '''
"""About SECRET_DOC."""
from __future__ import annotations
import os, sys
import pytest
from helper import (
    SHARED,
    SECRET_IMPORTED,  # SECRET_REMARK
    build as make,
)
from work import f, hidden_f

SECRET_TABLE = {1: 918273}
SECRET_TABLE[2] = 918274
ROWS = [(1, 2)]
ROWS.append((3, 4)); SECRET_ROWS = 918275
# SECRET_COMMENT
sys.path.insert(0, ".")


@pytest.fixture
def thing():
    return SHARED


@pytest.fixture
def secret_thing():
    return 918276


@pytest.fixture(autouse=True)
def around():
    yield


def helper_of_public():
    return inner()


def inner():
    return 1


def secret_helper():
    return 918277


@pytest.mark.parametrize(("a", "b"), ROWS)
def test_public(thing, a, b):
    """Not as test_hidden."""
    assert f(a) == make(b) + helper_of_public()


@pytest.mark.parametrize("a", [918278])
def test_hidden(secret_thing, a):
    assert hidden_f(a) == SECRET_TABLE[1] + secret_helper() + SECRET_IMPORTED


class TestShapes:
    """SECRET_DOC of a class."""

    SIDES = 4
    secret_sides = 918279

    def setup_method(self):
        self.made = f(self.SIDES)

    # SECRET_COMMENT
    def test_seen(self):
        assert self.made

    def test_hidden(self):
        assert self.made == self.secret_sides


class TestMore(TestShapes):
    def test_own(self): pass


if __name__ == "__main__":
    test_hidden(1, 918280)
'''
HELPER = """
from deeper import base
SHARED = 5
SECRET_IMPORTED = 918281
def build(n):
    return base(n)
def secret_build(n):
    return 918282
"""
TEXTS = {"test_it": MAIN, "helper": HELPER, "deeper": "def base(n): return n\nSECRET_DEEP = 918283\n"}


def sliced(test: str, texts: dict[str, str] = TEXTS) -> dict[str, str]:
    return Slices(texts, "test_it").of(test)


def test_a_slice_has_nothing_of_other_tests() -> None:
    for test in ("test_public", "TestShapes.test_seen", "TestMore.test_own"):
        everything = "\n".join(sliced(test).values())
        assert "9182" not in everything.replace("918275", ""), test
        words = ("secret", "SECRET_DOC", "SECRET_COMMENT", "SECRET_REMARK", "SECRET_TABLE", "SECRET_IMPORTED")
        assert [word for word in words if word in everything] == []


def test_a_slice_has_what_its_test_needs_at_the_same_lines() -> None:
    found = sliced("test_public")
    whole, lines = MAIN.split("\n"), found["test_it"].split("\n")
    changed = [line for line, text in enumerate(lines) if text and text != whole[line]]
    assert [lines[line] for line in changed] == ["from helper import SHARED, build as make"]
    for text in (
        "def test_public",
        "def thing",
        "def around",
        "def helper_of_public",
        "def inner",
        "sys.path",
    ):
        assert sum(text in line for line in lines) == 1, text
    assert "ROWS = [(1, 2)]" in lines
    assert "def build" in found["helper"]
    assert "def base" in found["deeper"]
    assert all_names(found["test_it"], "t.py") == ["test_public"]


def test_a_class_keeps_what_its_test_asks_for() -> None:
    text = sliced("TestShapes.test_seen")["test_it"]
    assert all_names(text, "t.py") == ["TestShapes.test_seen"]
    for part in ("SIDES = 4", "def setup_method"):
        assert part in text
    inherited = sliced("TestMore.test_seen")["test_it"]
    assert all_names(inherited, "t.py") == ["TestShapes.test_seen", "TestMore.test_seen"]
    hidden = sliced("TestMore.test_hidden")["test_it"]
    assert "secret_sides = 918279" in hidden
    assert "def test_seen" not in hidden


def test_what_computes_names_keeps_all_but_the_tests() -> None:
    text = textwrap.dedent("""
    VALUE_1 = 1
    def test_one():
        assert globals()["VALUE_" + "1"]
    def test_two():
        assert 918273
    """)
    found = sliced("test_one", {"test_it": text})["test_it"]
    assert "VALUE_1 = 1" in found
    assert "918273" not in found


def test_tests_that_cannot_be_seen_are_left_for_pytest_to_find() -> None:
    text = textwrap.dedent("""
    from shared import Cases, test_shared
    class TestFromElsewhere(Cases):
        pass
    if True:
        def test_inside(): pass
    class TestOuter:
        class TestInner:
            def test_inner(self): pass
    def test_one():
        pass
    """)
    found = sliced("test_one", {"test_it": text, "shared": "class Cases:\n    def test_it(self): pass\n"})
    for part in ("class TestFromElsewhere(Cases)", "def test_inside", "class TestInner", "test_shared"):
        assert part in found["test_it"], part


def test_a_test_that_calls_another_has_it() -> None:
    text = "def test_one():\n    pass\ndef test_two():\n    test_one()\n"
    assert "def test_one" in sliced("test_two", {"test_it": text})["test_it"]

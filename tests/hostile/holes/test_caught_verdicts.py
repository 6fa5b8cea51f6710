"""A program gives `Exception` or the like for its own exception: the test's assertions do not count as it."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question
from support.rows import first_of

REFERENCE = """
class Full(ValueError): pass
class Box:
    Full = Full
    def __init__(self): self.n = 0
    def put(self):
        if self.n == 2: raise Full("full")
        self.n += 1
def errors(): return (Full,)
Odd = Exception
def odd(): raise Odd("odd")
"""
TESTS = """
import unittest
import pytest
import work
from work import Box, Full

def filled():
    box = Box()
    box.put(), box.put()
    return box

def test_fails_inside():
    try:
        filled().put()
        pytest.fail("nothing was raised")
    except Full:
        pass

def test_asserts_inside():
    try:
        filled().put()
        assert False, "nothing was raised"
    except work.Full:
        pass

def test_asserts_before():
    with pytest.raises(Full):
        box = Box()
        box.put()
        assert box.n == 1
        box.put(), box.put()

def test_of_the_class():
    try:
        filled().put()
        raise AssertionError("nothing was raised")
    except Box.Full:
        pass

def test_of_a_tuple():
    try:
        filled().put()
        assert False
    except work.errors():
        pass

class TestBox(unittest.TestCase):
    def test_case(self):
        try:
            filled().put()
            self.fail("nothing was raised")
        except Full:
            pass

def test_raises():
    with pytest.raises(Full, match="full"):
        filled().put()

def test_odd():
    with pytest.raises(work.Odd): work.odd()
    with pytest.raises(Exception, match="odd"): work.odd()

def test_other():
    assert Box().n == 0
"""
OWN = "class Full(ValueError): pass"
NAMES = ("BaseException", "Exception", "AssertionError")


def passed(folder: Path, work: str) -> set[str]:
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(TESTS)
    found = cases(mark(folder, question("pytest: tests/test_work.py"), work, reference=REFERENCE))
    return {case.call.rpartition("test_")[2] for case in found.values() if case.verdict == "accepted"}


@pytest.mark.parametrize("name", first_of(NAMES))
def test_no_name_for_an_exception_catches_what_a_test_asserts(tmp_path: Path, name: str) -> None:
    wrong = REFERENCE.replace(OWN, f"Full = {name}").replace('if self.n == 2: raise Full("full")', "pass")
    wrong = wrong.replace("self.n += 1", "self.n += 3")
    assert passed(tmp_path, wrong) == {"odd", "other"}


@pytest.mark.parametrize("name", first_of(["ValueError", *NAMES]))
def test_a_program_that_raises_what_it_names_is_right(tmp_path: Path, name: str) -> None:
    right = {"fails_inside", "asserts_inside", "asserts_before", "of_the_class", "of_a_tuple", "case"}
    found = passed(tmp_path, REFERENCE.replace(OWN, f"Full = {name}"))
    assert found == right | {"raises", "odd", "other"}

"""The rules on docstrings and type hints."""

import pytest
from support.rule_sources import findings, messages

from grader.model.rule import DOCUMENTED

ALL = {"wanted": list(DOCUMENTED), "functions": []}
SILENT = """
def total(x):
    return x
class Tree:
    def __init__(self): pass
    def walk(self):
        '''Walk.'''
    def _step(self): pass
def _help():
    def inner(): pass
"""


def test_what_has_no_docstring_is_named() -> None:
    assert findings("docstrings", SILENT, **ALL) == [
        ("one", 1, "the module has no docstring"),
        ("one", 2, "`total` has no docstring"),
        ("one", 4, "the class `Tree` has no docstring"),
    ]
    assert findings("docstrings", SILENT, wanted=["functions"], functions=["Tree._step", "gone"]) == [
        ("one", 0, "there is no function `gone`"),
        ("one", 7 + 1, "`Tree._step` has no docstring"),
    ]


@pytest.mark.parametrize(
    "text", ["''", "'  '", "f'{x}'", "b'Says nothing.'", "x = 'Says nothing.'", "# Says nothing.\n    1"]
)
def test_what_says_nothing_is_no_docstring(text: str) -> None:
    source = f"'''A module.'''\ndef total(x):\n    {text}\n    return x\n"
    assert messages("docstrings", source, **ALL) == ["`total` has no docstring"]


def test_overloads_and_setters_need_none_of_their_own() -> None:
    """Tools for documentation show the docstring of the function, or of the property."""
    source = (
        "'''M.'''\nimport typing\nfrom typing import overload\n"
        "@overload\ndef f(x: int) -> int: ...\n@typing.overload\ndef f(x: str) -> str: ...\n"
        "def f(x):\n    '''F.'''\nclass A:\n    '''A.'''\n"
        "    @property\n    def x(self):\n        '''X.'''\n"
        "    @x.setter\n    def x(self, value): pass\n    @x.deleter\n    def x(self): pass\n"
    )
    assert messages("docstrings", source, **ALL) == []
    bare = source.replace("'''F.'''", "1").replace("'''X.'''", "1")
    assert messages("docstrings", bare, **ALL) == ["`f` has no docstring", "`A.x` has no docstring"]


def test_what_has_docstrings_keeps_the_rule() -> None:
    source = "'''M.'''\ndef total(x):\n    '''Add.'''\nasync def f():\n    '''F.'''\nclass A:\n    '''A.'''\n"
    assert messages("docstrings", source, **ALL) == []


def test_what_lacks_type_hints_is_named() -> None:
    source = """
        def total(x: int, *more, by=1, **named: str): return x
        class Tree:
            def __init__(self, size): pass
            def walk(self) -> None: pass
            @classmethod
            def make(cls) -> "Tree": pass
            @staticmethod
            def of(self) -> int: pass
        def _help(x): pass
        if True:
            def late(x): pass
        """
    assert messages("type hints", source, functions=[]) == [
        "`total` has no type hint for `by`, `more`, what it returns",
        "`Tree.__init__` has no type hint for `size`",
        "`Tree.of` has no type hint for `self`",
        "`late` has no type hint for `x`, what it returns",
    ]
    assert messages("type hints", source, functions=["walk", "_help"]) == [
        "`_help` has no type hint for `x`, what it returns"
    ]


@pytest.mark.parametrize("hint", ["''", "0", "...", "[]", "lambda: 0", "'...'"])
def test_what_is_no_type_is_no_hint(hint: str) -> None:
    assert messages("type hints", f"def f(x: {hint}) -> None: pass\n", functions=[]) == [
        "`f` has no type hint for `x`"
    ]
    assert messages("type hints", "def f(x: 'int | None') -> list[int]: pass\n", functions=[]) == []

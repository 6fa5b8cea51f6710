"""Example calls from signatures."""

from pathlib import Path

import pytest

from grader.authoring.new.guesses import guessed_calls
from grader.authoring.new.source import Module, read_module


def _module(text: str) -> Module:
    return read_module(Path("a.py"), "a", text)


def _first(signature: str, before: str = "") -> list[str]:
    module = _module(f"{before}\ndef f({signature}): pass\n")
    return [case.steps[0].text for case in guessed_calls(module.functions[0], module)]


@pytest.mark.parametrize(
    ("signature", "call"),
    [
        ("", "f()"),
        ("n: int", "f(3)"),
        ("n: 'int'", "f(3)"),
        ("s: str, n: int", "f('hello', 3)"),
        ("first: int, last: int", "f(3, 10)"),
        ("xs: list[int]", "f([3, 10, 0])"),
        ("xs: list[tuple[int, str]]", "f([(3, ''), (10, 'a b'), (0, 'Level')])"),
        ("d: dict[str, int]", "f({'hello': 3, '': 10})"),
        ("n: int | None", "f(3)"),
        ("n: Optional[int]", "f(3)"),
        ("mode: Literal['a', 'b']", "f('a')"),
        ("n=5", "f()"),
        ("n: int, *, by: float", "f(3, by=2.5)"),
        ("g: Callable[[int], int], n: int", "f(lambda x: x, 3)"),
        ("xs: set[int]", "f({3, 10, 0})"),
    ],
)
def test_the_first_call(signature: str, call: str) -> None:
    assert _first(signature)[0] == call


def test_a_default_is_tried_with_and_without() -> None:
    assert _first("n=5")[:2] == ["f()", "f(3)"]


def test_instances_of_data_classes() -> None:
    before = "@dataclass\nclass P:\n    x: int\n    y: str\nclass C(Enum):\n    Red = 1\n    Blue = 2\n"
    assert _first("p: P, c: C", before)[0] == "f(P(3, ''), C.Red)"


def test_without_a_hint_several_types_are_tried() -> None:
    calls = _first("x")
    assert {"f(3)", "f([3, 1, 2])", "f('hello')"} <= set(calls)

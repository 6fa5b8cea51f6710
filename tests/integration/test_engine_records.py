"""Records in real cases: with classes of students', of the reference's and of the checkers'."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question

from grader.model.results import CaseResult

TYPES = """
types:
  Colour: {members: [Red, White]}
  Pawn: {fields: [pos, colour, energy]}
  Board: {fields: [pieces]}
let:
  one: "Pawn((1, 2), Red, 3)"
"""
CLASSES = """
from dataclasses import dataclass, replace
from enum import Enum

class Colour(Enum):
    Red = 1
    White = 2

@dataclass(frozen=True)
class Pawn:
    pos: tuple
    colour: Colour
    energy: int

@dataclass(frozen=True)
class Board:
    pieces: frozenset
"""
WORK = (
    CLASSES
    + """
def moved(pc, by=1):
    return replace(pc, pos=(pc.pos[0] + by, pc.pos[1]))

def where(pc):
    return pc.pos, pc.colour

def others(b, c):
    return {pc for pc in b.pieces if pc.colour is not c}

def strongest(pieces, key=None):
    return max(pieces, key=key or (lambda pc: pc.energy))

def first(pieces, f):
    return next(pc for pc in pieces if f(pc))

def energy(pc):
    return pc.energy

def is_red(pc):
    return pc.colour == Colour.Red
"""
)


def told(
    tmp_path: Path, *lines: str, work: str = WORK, reference: str = "", checkers: str = ""
) -> list[CaseResult]:
    result = mark(tmp_path, TYPES + question(*lines), work, reference=reference, checkers=checkers)
    return list(cases(result).values())


def found(
    tmp_path: Path, *lines: str, work: str = WORK, reference: str = "", checkers: str = ""
) -> list[str]:
    return [
        str(case.verdict)
        for case in told(tmp_path, *lines, work=work, reference=reference, checkers=checkers)
    ]


def test_records_go_in_and_come_out(tmp_path: Path) -> None:
    board = "Board(frozenset({one, Pawn((4, 4), White, 1)}))"
    lines = (
        "{call: moved(one), returns: 'Pawn((2, 2), Red, 3)'}",
        "{call: 'moved(one, by=2)', returns: 'Pawn((3, 2), Red, 3)'}",
        "{call: where(one), returns: '((1, 2), Colour.Red)'}",
        f"{{call: 'others({board}, Red)', returns: '{{Pawn((4, 4), White, 1)}}'}}",
        "{call: 'strongest([one, Pawn((0, 0), White, 9)])', returns: 'Pawn((0, 0), White, 9)'}",
        "{call: moved(one), returns: 'Pawn((2, 2), Red, 4)'}",
    )
    *right, wrong = told(tmp_path, *lines)
    assert {str(case.verdict) for case in right} == {"accepted"}
    assert right[0].call == "moved(Pawn((1, 2), Colour.Red, 3))"
    assert (wrong.verdict, wrong.message) == ("wrong-answer", "field energy: expected 4, got 3")
    assert (wrong.expected, wrong.actual) == (
        "Pawn((2, 2), Colour.Red, 4)",
        "Pawn((2, 2), Colour.Red, 3)",
    )


def test_many_calls_take_records(tmp_path: Path) -> None:
    over = "over: {x: range(3), c: '[Red, White]'}"
    lines = (
        f"{{sum: 'energy(Pawn((x, 0), c, x))', {over}, returns: 6}}",
        f"{{count: 'is_red(Pawn((x, 0), c, x))', {over}, returns: 3}}",
        "{each: moved(p), over: {p: '[one, Pawn((5, 5), White, 1)]'},"
        " returns: '[Pawn((2, 2), Red, 3), Pawn((6, 5), White, 1)]'}",
        f"{{each: 'moved(Pawn((x, 0), c, x))', {over}, returns: same as reference}}",
    )
    assert set(found(tmp_path, *lines, reference=WORK)) == {"accepted"}


def test_the_reference_answers_with_classes_of_its_own(tmp_path: Path) -> None:
    named = WORK.replace(
        "@dataclass(frozen=True)\nclass Pawn:", "from typing import NamedTuple\n\nclass Pawn(NamedTuple):"
    )
    named = named.replace(
        "replace(pc, pos=(pc.pos[0] + by, pc.pos[1]))", "pc._replace(pos=(pc.pos[0] + by, pc.pos[1]))"
    )
    lines = (
        "{call: moved(one), returns: same as reference}",
        "{call: 'moved(one, by=2)', returns: 'Pawn((3, 2), Red, 3)'}",
    )
    assert found(tmp_path, *lines, work=named, reference=WORK) == ["accepted", "accepted"]


# -- checkers and callbacks ------------------------------------------------------------------------


def test_checkers_see_objects_with_fields(tmp_path: Path) -> None:
    checkers = """
        def stronger(answer, than, colour):
            if answer.colour is not colour:
                return f"{answer} is not {colour}"
            if answer == than or answer.energy <= than.energy:
                return f"{answer} is not stronger than {than}"
            return None if isinstance(answer, Pawn) else "no pawn"
    """
    lines = (
        "{call: 'strongest([one, Pawn((0, 0), White, 9)])', check: 'stronger(than=one, colour=White)'}",
        "{call: 'strongest([one])', check: 'stronger(than=one, colour=White)'}",
        "{call: 'strongest([one])', check: 'stronger(one, Red)'}",
    )
    results = told(tmp_path, *lines, checkers=checkers)
    assert [case.message for case in results] == [
        "",
        "Pawn((1, 2), Colour.Red, 3) is not Colour.White",
        "Pawn((1, 2), Colour.Red, 3) is not stronger than Pawn((1, 2), Colour.Red, 3)",
    ]


def test_checkers_may_have_classes_of_their_own(tmp_path: Path) -> None:
    checkers = """
        from typing import NamedTuple

        class Pawn(NamedTuple):
            pos: tuple
            colour: object
            energy: int

        def is_named(answer):
            return None if answer == Pawn((2, 2), Colour.Red, 3) and answer._fields else "other"
    """
    assert found(tmp_path, "{call: moved(one), check: is_named()}", checkers=checkers) == ["accepted"]


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("def moved(pc): return object()", "an object of type object, which is not plain data"),
        ("def moved(pc): return [pc, {Odd(), Odd()}]", "a set with items that are equal by their fields"),
        ("def moved(pc):\n    a = [pc]\n    a.append(a)\n    return a", "a container that holds itself"),
    ],
)
def test_checkers_see_data_alone(tmp_path: Path, work: str, said: str) -> None:
    odd = "\nclass Odd:\n    pieces = 1\n\nBoard = Odd\n\n"
    checkers = "def fine(answer): pass\n"
    (case,) = told(
        tmp_path, "{call: moved(one), check: fine()}", work=CLASSES + odd + work, checkers=checkers
    )
    assert case.verdict == "wrong-answer"
    assert said in case.message


def test_watched_callbacks_take_and_give_records(tmp_path: Path) -> None:
    lines = (
        """call: first([one, Pawn((4, 4), White, 1)], f)
  watch: {f: {answer: "lambda pc: pc.colour is White", calls: ["one", "Pawn((4, 4), Colour.White, 1)"]}}
  returns: Pawn((4, 4), White, 1)""",
        """call: strongest([1, 2], f)
  watch: {f: {answer: "lambda n: Pawn((n, n), Red, n).energy"}}
  returns: 2""",
        """call: apply(f, one)
  watch: {f: {answer: "lambda pc: Board(frozenset({pc}))"}}
  returns: Board(frozenset({one}))""",
        """call: first([one], f)
  watch: {f: {answer: "lambda pc: True", calls: ["Pawn((1, 2), White, 3)"]}}
  returns: one""",
    )
    work = WORK + "\ndef apply(f, x):\n    made = f(x)\n    assert type(made) is Board\n    return made\n"
    results = told(tmp_path, *lines, work=work)
    assert [str(case.verdict) for case in results] == ["accepted", "accepted", "accepted", "wrong-answer"]
    assert results[3].message == (
        "call 1 of f: expected f(Pawn((1, 2), Colour.White, 3)), got f(Pawn((1, 2), Colour.Red, 3))"
    )


def test_shipped_lambdas_use_the_students_classes(tmp_path: Path) -> None:
    lines = (
        "{call: 'first([one, Pawn((4, 4), White, 1)], lambda pc: pc.colour is White)',"
        " returns: 'Pawn((4, 4), White, 1)'}",
        "{call: 'first([one], lambda pc: pc == one)', returns: one}",
    )
    assert found(tmp_path, *lines) == ["accepted", "accepted"]


# -- what can be wrong -----------------------------------------------------------------------------


def test_arguments_that_are_changed_are_told_by_field(tmp_path: Path) -> None:
    work = WORK.replace("@dataclass(frozen=True)\nclass Pawn", "@dataclass(eq=False)\nclass Pawn") + (
        "\ndef weaker(pc):\n    pc.energy -= 1\n    return pc.energy\n"
    )
    lines = (
        "{call: weaker(one), returns: 2, unchanged: true}",
        "{call: energy(one), returns: 3, unchanged: true}",
    )
    changed, kept = told(tmp_path, *lines, work=work)
    assert changed.message == "argument 1 was changed: field energy: was 3, is now 2"
    assert kept.verdict == "accepted"


def test_a_set_of_equal_records_is_no_right_answer(tmp_path: Path) -> None:
    work = WORK.replace("@dataclass(frozen=True)\nclass Pawn", "@dataclass(eq=False)\nclass Pawn") + (
        "\ndef twice(pc):\n    return {pc, replace(pc)}\n"
    )
    (case,) = told(tmp_path, "{call: twice(one), returns: '{one}'}", work=work)
    assert case.message == "elements: expected Pawn((1, 2), Colour.Red, 3) once, got it twice"


def test_any_sequence_takes_either_kind_of_set(tmp_path: Path) -> None:
    work = WORK + "\ndef frozen(pc):\n    return frozenset({pc})\n"
    lines = (
        "{call: frozen(one), returns: '{one}'}",
        "{call: frozen(one), returns: '{one}', sequence: any}",
    )
    assert found(tmp_path, *lines, work=work) == ["wrong-answer", "accepted"]


@pytest.mark.parametrize(
    ("work", "verdict", "said"),
    [
        (WORK.replace("Pawn", "Bauer"), "missing", "the module has no class Pawn"),
        (WORK.replace("Red", "Rot"), "missing", "the module's class Colour has no Red"),
        (
            WORK.replace("    energy: int", "    energy: int\n    name: str"),
            "exception",
            "can't be called like this: Pawn.__init__() missing 1 required positional argument: 'name'",
        ),
        (
            WORK.replace(
                "    energy: int",
                "    energy: int\n\n    def __post_init__(self):\n        raise ValueError('no')",
            ),
            "exception",
            "raised ValueError: no",
        ),
    ],
)
def test_classes_that_are_not_as_they_should_be(tmp_path: Path, work: str, verdict: str, said: str) -> None:
    (case,) = told(tmp_path, "{call: where(one), returns: 1}", work=work)
    assert (str(case.verdict), case.message.partition(" (line")[0]) == (verdict, said)


def test_a_missing_class_that_no_argument_needs_is_no_matter(tmp_path: Path) -> None:
    work = "def double(x):\n    return 2 * x\n"
    assert found(tmp_path, "{call: double(2), returns: 4}", work=work) == ["accepted"]

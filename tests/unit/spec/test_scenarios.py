"""Scenarios as a spec states them: what they become, and what can't be a scenario."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.model.case import (
    Bound,
    Call,
    Check,
    Raises,
    Returns,
    SameAsReference,
    Shipped,
    Step,
    Text,
    Whitespace,
)
from grader.model.kinds import calls_of
from grader.spec.reference.definitions import members

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

TOUR = """
class Tour:
    N = 6

    def __init__(self, x, y):
        self.x, self.y = x, y

    def move(self, x, y):
        return False

    def print(self):
        print(self.x)


class Child(Tour):
    pass


def draw(tour):
    print(tour)
"""


@pytest.fixture(autouse=True)
def reference(spec: "SmallSpec") -> Path:
    """Give the reference a class."""
    path = spec.folder / "reference" / "knight1.py"
    path.write_text(path.read_text() + TOUR)
    return path


def case_of(*steps: str, more: str = "") -> str:
    lines = "".join(f"    - {step}\n" for step in steps)
    return f"- scenario:\n{lines}" + (f"  {more}\n" if more else "")


NOR_THE_REFERENCE = ", and the reference has no such name in this module"
NEW = "{new: 'Tour(1, 3)', as: tour}"


def test_steps_become_calls_and_what_is_expected_of_them(spec: "SmallSpec") -> None:
    case = spec.case(
        case_of(
            NEW,
            "{call: 'tour.move(9, y=9)', returns: false, prints: ''}",
            "{read: tour.N, returns: 6}",
            "{read: Tour.N, returns: 6}",
            "{call: draw(tour), prints: same as reference}",
            "{call: 'tour.move(1, lambda x: x)', raises: ValueError}",
            "{call: 'is_legal(8, [], (3, 4))', returns: same as reference}",
            "{call: 'tour.move(0, 0)', check: 'path(length=5)'}",
            "{call: 'tour.move(0, 0)', as: answer}",
            "{new: 'Tour(0, 0)'}",
        )
    )
    what = calls_of(case)
    assert what.steps == (
        Step(Call("Tour", (1, 3), text="tour = Tour(1, 3)", bind="tour")),
        Step(Call("tour.move", (9,), (("y", 9),), "tour.move(9, y=9)"), Returns(False), Text("")),
        Step(Call("tour.N", (), text="tour.N", reads=True), Returns(6)),
        Step(Call("Tour.N", (), text="Tour.N", reads=True), Returns(6)),
        Step(Call("draw", (Bound("tour"),), text="draw(tour)"), prints=Text(None)),
        Step(
            Call("tour.move", (1, Shipped("lambda x: x")), text="tour.move(1, lambda x: x)"),
            Raises("ValueError"),
        ),
        Step(Call("is_legal", (8, [], (3, 4)), text="is_legal(8, [], (3, 4))"), SameAsReference()),
        Step(
            Call("tour.move", (0, 0), text="tour.move(0, 0)"),
            Check("path", (("length", 5),), "path(length=5)", proven=True),
        ),
        Step(Call("tour.move", (0, 0), text="answer = tour.move(0, 0)", bind="answer")),
        Step(Call("Tour", (0, 0), text="Tour(0, 0)", bind="_")),
    )
    assert (what.expect, what.combine, what.goes_on) == (None, None, False)
    assert case.text.startswith("tour = Tour(1, 3); tour.move(9, y=9); tour.N; Tour.N; ")


def test_a_scenario_has_the_keys_of_every_case(spec: "SmallSpec") -> None:
    more = "goes on: true\n  unchanged: true\n  weight: 2\n  hint: h\n  visibility: hidden\n  name: n"
    case = spec.case(case_of(NEW, more=more))
    what = calls_of(case)
    assert (what.goes_on, what.unchanged, case.weight, case.hint, case.id) == (
        True,
        True,
        2,
        "h",
        "1.n",
    )


def test_a_long_scenario_is_told_by_its_beginning(spec: "SmallSpec") -> None:
    case = spec.case(case_of(NEW, *["{call: 'tour.move(1, 2)', returns: false}"] * 50))
    assert len(case.text) < 330
    assert case.text.endswith("; … 34 more steps")


def test_names_of_let_can_be_used(spec: "SmallSpec") -> None:
    case = spec.case(case_of("{new: 'Tour(1, side)', as: tour}"), head="let: {side: 5}")
    assert calls_of(case).calls[0].args == (1, 5)


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([NEW, "{call: 'tour.mvoe(1, 2)'}"], "the reference's `Tour` has no `mvoe`"),
        ([NEW, "{read: tour.n}"], "the reference's `Tour` has no `n`"),
        (["{new: 'Tuor(1, 2)'}"], f"no earlier step made `Tuor`{NOR_THE_REFERENCE}"),
        (["{call: tour.print()}"], f"no earlier step made `tour`{NOR_THE_REFERENCE}"),
        ([NEW, NEW], "`tour` is made by an earlier step already; choose another name"),
        (["{new: 'Tour(1, 2)', as: 1x}"], "`1x` is not a Python name"),
        (["{new: Tour}"], "`new` must be a call such as Tour(1, 3)"),
        ([NEW, "{call: tour}"], "`call` must be a call such as tour.move(3, 2)"),
        ([NEW, "{call: 3 + 4}"], "`call` must be a call such as tour.move(3, 2)"),
        ([NEW, "{call: 'str(tour.mvoe(1, 2))'}"], "the reference's `Tour` has no `mvoe`"),
        ([NEW, "{read: tour.print()}"], "only a name such as tour.N can be read here"),
        ([NEW, "{call: tour = 3}"], "only an attribute or an item of an object can be changed"),
        ([NEW, "{call: tour.N = 3, returns: 3}"], "`returns` has no effect: this step has no answer"),
        (["{as: tour}"], "a step needs one of `new`, `call` and `read`"),
        (["{new: 'Tour(1, 3)', call: 'draw(1)'}"], "a step can't have both `new` and `call`"),
        (["{new: 'Tour(1, 3)', returns: 3}"], "`returns` does not go with `new`"),
        (
            ["{new: 'Tour(1, 3)', as: tour, raises: ValueError}"],
            "`as` does not go with `raises`: an exception leaves nothing to keep",
        ),
        (
            [NEW, "{call: tour.print(), returns: 1, raises: ValueError}"],
            "a step can't have both `returns` and `raises`",
        ),
        (
            [NEW, "{call: tour.print(), sequence: any}"],
            "`sequence` has no effect on a step without `returns`",
        ),
        ([NEW, "{call: tour.print(), pritns: x}"], "`pritns` is not a key of a step"),
        (["Tour(1, 3)"], "a step must be a mapping, lines of `key: value`, not `Tour(1, 3)`"),
    ],
)  # fmt: skip
def test_mistakes_in_steps(spec: "SmallSpec", steps: list[str], message: str) -> None:
    assert message in spec.messages(case_of(*steps))


@pytest.mark.parametrize(
    "key", ["call: f()", "over: {x: [1]}", "returns: 1", "prints: x", "watch: {}", "sequence: any", "rel: 1"]
)
def test_keys_that_are_said_of_steps(spec: "SmallSpec", key: str) -> None:
    name = key.partition(":")[0]
    assert f"`{name}` does not go with `scenario`" in spec.messages(case_of(NEW, more=key))


def test_a_step_keeps_its_answer_and_compares_it(spec: "SmallSpec") -> None:
    case = spec.case(case_of(NEW, "{call: 'tour.move(1, 2)', as: moved, returns: 2}", "{call: draw(moved)}"))
    what = calls_of(case)
    assert what.calls[1] == replace(what.calls[1], bind="moved", brings=True, text="moved = tour.move(1, 2)")
    assert what.steps[1].expect == Returns(2)
    assert what.calls[2].args == (Bound("moved"),)


def test_a_check_names_answers_that_steps_keep(spec: "SmallSpec") -> None:
    steps = (
        "{call: 'tour.move(1, 2)', as: one}",
        "{call: 'tour.move(3, 4)', as: two}",
        "{read: tour.N, as: n}",
    )
    case = spec.case(case_of(NEW, *steps, more="check: tour(two, n, start=(0, 0))"))
    what = calls_of(case)
    assert isinstance(what.expect, Check)
    assert what.expect.arguments == (
        ("answer", Bound("two")),
        ("dim", Bound("n")),
        ("start", (0, 0)),
    )
    assert [call.brings for call in what.calls] == [False, False, True, True]


def test_an_object_is_no_answer_for_a_check(spec: "SmallSpec") -> None:
    assert "`tour` is not a known name" in spec.messages(case_of(NEW, more="check: path(tour, 5)"))


def test_a_scenario_has_steps(spec: "SmallSpec") -> None:
    assert "`scenario` is empty" in spec.messages("- scenario: []\n")
    steps = case_of(*["{call: 'draw(1)'}"] * 1001)
    assert "a scenario can have at most 1,000 steps" in spec.messages(steps)


def test_unchanged_needs_something_that_could_change(spec: "SmallSpec") -> None:
    steps = case_of("{call: 'draw(lambda: 1)'}", more="unchanged: true")
    message = "`unchanged` has no effect: no step is given an argument that could be changed"
    assert message in spec.messages(steps)


def test_going_on_is_for_scenarios(spec: "SmallSpec") -> None:
    cases = "- {call: 'draw(1)', returns: 1, goes on: true}"
    assert "`goes on` goes with `scenario` alone" in spec.messages(cases)


def test_members_are_not_guessed_where_the_class_does_not_tell(spec: "SmallSpec") -> None:
    spec.case(case_of("{new: 'Child(1, 2)', as: tour}", "{call: tour.whatever()}"))
    spec.case(case_of(NEW, "{call: 'tour.move(1, 2)', as: other}", "{call: other.whatever()}"))


@pytest.mark.parametrize(
    ("source", "known"),
    [
        ("class A:\n    x: int = 1\n    y, z = 1, 2\n    def f(self): self.w = 1", {"x", "y", "z", "f", "w"}),
        ("class A(object):\n    async def g(me):\n        me.v += 1", {"g", "v"}),
        ("class A(B): pass", None),
        ("@dataclass\nclass A: pass", None),
        ("class A(metaclass=M): pass", None),
        ("class A:\n    def __getattr__(self, name): return 1", None),
    ],
)
def test_what_the_source_of_a_class_tells(source: str, known: set[str] | None) -> None:
    import ast

    (tree,) = ast.parse(source).body
    assert isinstance(tree, ast.ClassDef)
    found = members(tree)
    assert (found if found is None else found - set(dir(object))) == known


# -- prints ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"K\\n"', Text("K\n")),
        ("304", Text("304")),
        ("''", Text("")),
        ("|2\n      0 1\n    0 K\n", Text("  0 1\n0 K\n")),
        ("{text: a b, whitespace: any}", Text("a b", Whitespace.ANY)),
        ("{text: 'a', whitespace: trailing}", Text("a", Whitespace.TRAILING)),
        ("same as reference", Text(None)),
        ("{text: same as reference, whitespace: trailing}", Text(None, Whitespace.TRAILING)),
        ("{text: 'same as reference'}", Text("same as reference")),
    ],
)
def test_prints_takes_a_text(spec: "SmallSpec", written: str, text: Text) -> None:
    case = spec.case(f"- call: draw(1)\n  prints: {written}")
    what = calls_of(case)
    assert (what.steps[0].prints, what.decides, what.calls[0].function) == (text, None, "draw")


def test_prints_goes_beside_an_answer(spec: "SmallSpec") -> None:
    case = spec.case("- {call: draw(1), prints: x, returns: null}")
    what = calls_of(case)
    assert (what.steps[0].prints, what.decides) == (Text("x"), Returns(None))


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("- {each: draw(x), over: {x: [1]}, returns: [1], prints: a}", "`prints` does not go with `each`"),
        ("- {call: draw(1), prints: [a]}", "`prints` must be a text or a mapping, not a list"),
        ("- {call: draw(1), prints: }", "`prints` has no value"),
        (
            "- {call: draw(1), prints: {whitespace: any}}",
            "an expected text needs one of `text`, `from`, `contains`, `pattern`, `lines`",
        ),
        (
            "- {call: draw(1), prints: {text: a, whitespace: no}}",
            "`whitespace` must be one of exact, trailing, any, none, not `no`",
        ),
        (
            "- {call: draw(1), prints: as reference}",
            "`as reference` is almost, but not quite, `same as reference`",
        ),
        (
            "- {call: draw(1), prints: a, unordered: true}",
            "`unordered` has no effect on a case without `returns`",
        ),
    ],
)
def test_mistakes_in_printed_text(spec: "SmallSpec", case: str, message: str) -> None:
    assert message in spec.messages(case)


def test_the_reference_cannot_print_where_there_is_none(spec: "SmallSpec") -> None:
    text = spec.write("- {call: draw(1), prints: same as reference}").read_text()
    faults = spec.faults(text=text.replace("reference: reference\n", ""))
    assert [f.message for f in faults] == ["`same as reference` needs a `reference`, and the task names none"]


def test_mistakes_of_a_scenario_and_of_its_steps_are_reported_at_once(spec: "SmallSpec") -> None:
    found = spec.messages("- {scenario: [{call: 1 +}], goes on: often, unchanged: often}")
    assert "`goes on` must be true or false, not `often`" in found
    assert "`unchanged` must be true or false, not `often`" in found
    assert len(found) == 3

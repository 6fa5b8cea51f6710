"""How a spec says that answers are to be drawn."""

import inspect
from typing import TYPE_CHECKING

import pytest
from support.renderers import BUILT_IN, RENDERERS

from grader.model.case import Rendering
from grader.model.kinds import calls_of

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

CASE = "call: 'is_legal(8, [], (3, 4))', returns: true"
OWN = """

def board(actual, expected, n, colour="red"):
    return None

def nothing(actual):
    return None
"""


def add_renderer(spec: "SmallSpec") -> None:
    with (spec.folder / "checkers.py").open("a", encoding="utf-8") as file:
        file.write(OWN)


def test_a_built_in_renderer(spec: "SmallSpec") -> None:
    case = spec.case(f"- {{{CASE}, picture: 'tour_board(5, start=corner)'}}", 'let: {corner: "(0, 0)"}')
    assert calls_of(case).steps[0].picture == Rendering("tour_board", (("dim", 5), ("start", (0, 0))))


def test_a_renderer_of_the_checkers_file(spec: "SmallSpec") -> None:
    add_renderer(spec)
    case = spec.case(f"- {{{CASE}, picture: {{by: board(8), always: true}}}}")
    assert calls_of(case).steps[0].picture == Rendering("board", (("n", 8),), own=True, always=True)


def test_a_question_draws_its_cases_and_a_case_can_say_otherwise(spec: "SmallSpec") -> None:
    cases = f"""\
        - {{{CASE}}}
        - {{{CASE}, picture: image()}}
        - {{call: 'is_legal(8, [], (3, 4))', raises: ValueError}}
        """
    task = spec.load(cases, question="picture: cells()")
    pictures = [calls_of(case).steps[0].picture for case in task.cases]
    drawn = [picture.renderer if picture else "" for picture in pictures]
    assert drawn == ["cells", "image", ""]


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_the_spec_knows_the_parameters_of_the_built_in_renderers(name: str) -> None:
    real = inspect.signature(BUILT_IN[name]).parameters.values()
    known = eval(f"lambda actual, expected, {RENDERERS[name].parameters}: None")  # ours, and no one else's
    assert [(p.name, p.default) for p in real] == [
        (p.name, p.default) for p in inspect.signature(known).parameters.values()
    ]


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        ("tour_bord(dim=5)", "there is no renderer `tour_bord`"),
        ("tour_board()", "`tour_board` needs the size of the board: `dim`, or `columns` and `rows`"),
        ("squares(columns=5)", "`squares` needs the size of the board: `dim`, or `columns` and `rows`"),
        ("tour_board(dim=0)", "`dim` of `tour_board` must be a whole number from 1 to 100"),
        ("tour_board(dim=True)", "`dim` of `tour_board` must be a whole number from 1 to 100"),
        (
            "'tour_board(dim=5, path=[3])'",
            "`path` of `tour_board` must be a list of positions such as [(0, 0)]",
        ),
        ("'image(palette=[(1, 2)])'", "`palette` of `image` must be a list of at most 254 colours"),
        ("'image(limit=1.5)'", "`limit` of `image` must be a whole number"),
        ("tour_board(size=5)", "renderer `tour_board` has no parameter `size` for the spec to set"),
        ("cells(1)", "too many arguments for renderer `cells`"),
        ("board()", "renderer `board` needs `n` too"),
        ("nothing()", "renderer `nothing` takes less than 2 values by position"),
        ("{always: true}", "`by` is missing in picture"),
        ("{by: cells(), allways: true}", "`allways` is not a key of picture"),
        ("[cells()]", "`picture` must be a call such as f(1, 2), or a mapping, not a list"),
        ("5", "`picture` must be a call such as f(1, 2)"),
    ],
)
def test_mistakes_are_found_when_the_spec_is_loaded(spec: "SmallSpec", picture: str, message: str) -> None:
    add_renderer(spec)
    found = spec.messages(f"- {{{CASE}, picture: {picture}}}")
    assert len(found) == 1
    assert found[0].startswith(message)


def test_a_picture_of_an_exception_is_a_mistake(spec: "SmallSpec") -> None:
    case = "- {call: 'is_legal(8, [], (3, 4))', raises: ValueError, picture: cells()}"
    assert spec.messages(case) == ["`picture` has no effect on a case with `raises`"]


def test_a_step_has_a_picture_of_its_own(spec: "SmallSpec") -> None:
    steps = "{call: 'is_legal(8, [], (3, 4))', returns: true, picture: cells()}"
    case = spec.case(f"- scenario: [{steps}]", question="picture: image()")
    what = calls_of(case)
    assert what.picture is None
    assert [step.picture for step in what.steps] == [Rendering("cells")]


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            "call: 'is_legal(8, [], (3, 4))', raises: ValueError",
            "`picture` has no effect on a step with `raises`",
        ),
        ("call: 'is_legal(8, [], (3, 4))', as: x", "`picture` has no effect on a step with `as`"),
    ],
)
def test_a_step_without_an_answer_has_none(spec: "SmallSpec", step: str, message: str) -> None:
    assert message in spec.messages(f"- scenario: [{{{step}, picture: cells()}}]")


def test_a_picture_of_a_scenario_is_said_of_its_steps(spec: "SmallSpec") -> None:
    case = f"- {{scenario: [{{{CASE}}}], picture: cells()}}"
    assert spec.messages(case) == ["`picture` does not go with `scenario`"]

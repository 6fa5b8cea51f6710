"""Pictures through the real loader, sandbox, judge and pages; the example of the documentation among them."""

import json
import re
from pathlib import Path

import pytest
from support.command_line import grader
from support.marking import cases, mark, question

from grader.model.drawing import Grid, Mark, Raster

PAGE = (Path(__file__).parents[1] / "golden" / "case_pages" / "pictures.md").read_text(encoding="utf-8")
FILES = re.compile(r"((?:[^\n]+\n)+)\n```(?:yaml|python)\n(.*?)```", re.DOTALL)

WORK = """
    def echo(x):
        return x
    def fail(x):
        raise ValueError(x)
"""
CHECKERS = """
    def never(answer):
        return "never right"
    def own(actual, expected, columns=1):
        return {"title": repr(actual)[:50], "text": repr(expected)[:50], "columns": columns, "rows": 1}
    def raises(actual, expected):
        raise RuntimeError("no <idea>")
    def markup(actual, expected):
        return "<svg onload=alert(1)>"
"""


def test_a_built_in_renderer_draws_what_is_wrong(tmp_path: Path) -> None:
    picture = "picture: 'tour_board(dim=5)'"
    spec = question(
        f"{{call: 'echo([(1, 1), (0, 0)])', check: never(), {picture}}}",
        f"{{call: 'echo(5)', check: never(), {picture}}}",
        f"{{call: 'fail(5)', check: never(), {picture}}}",
    )
    found = cases(mark(tmp_path, spec, WORK, checkers=CHECKERS))
    (tour,) = found["1.1"].pictures
    assert isinstance(tour.content, Grid)
    assert [line.mark for line in tour.content.lines] == [Mark.NONE, Mark.WRONG]
    assert all(found[name].pictures == () and not found[name].picture_note for name in ("1.2", "1.3"))


def test_accepted_answers_are_drawn_on_demand_only(tmp_path: Path) -> None:
    spec = question(
        "{call: 'echo([[1]])', returns: '[[1]]', picture: image()}",
        "{call: 'echo([[1]])', returns: '[[1]]', picture: {by: image(), always: true}}",
    )
    found = cases(mark(tmp_path, spec, WORK))
    assert [len(found[name].pictures) for name in ("1.1", "1.2")] == [0, 3]
    assert isinstance(found["1.2"].pictures[0].content, Raster)


def test_an_own_renderer_gets_answer_expectation_and_arguments(tmp_path: Path) -> None:
    spec = question(
        "{call: 'echo((1, 2))', returns: 3, picture: own(columns=2)}",
        "{call: 'echo((1, 2))', check: never(), picture: own()}",
        "{call: 'echo((1, 2))', returns: same as reference, picture: own()}",
        "{each: 'echo(x)', over: {x: range(2)}, returns: '[0, 2]', picture: own()}",
    )
    reference = "def echo(x):\n    return [x]\n"
    found = cases(mark(tmp_path, spec, WORK, checkers=CHECKERS, reference=reference))
    told = [(case.pictures[0].title, case.pictures[0].text) for case in found.values()]
    assert told == [("(1, 2)", "3"), ("(1, 2)", "None"), ("(1, 2)", "[(1, 2)]"), ("[0, 1]", "[0, 2]")]
    assert isinstance(found["1.1"].pictures[0].content, Grid)
    assert found["1.1"].pictures[0].content.columns == 2


def test_a_renderer_that_fails_costs_a_note_and_nothing_else(tmp_path: Path) -> None:
    spec = question(
        "{call: echo(1), returns: 2, picture: raises()}",
        "{call: echo(1), returns: 2, picture: markup()}",
        "{call: echo(1), returns: 2, picture: own(columns=0)}",
        "{call: echo(1), returns: 1, picture: {by: raises(), always: true}}",
    )
    found = cases(mark(tmp_path, spec, WORK, checkers=CHECKERS))
    assert [str(case.verdict) for case in found.values()] == ["wrong-answer"] * 3 + ["accepted"]
    assert all(case.pictures == () for case in found.values())
    raises, markup, columns, accepted = (case.picture_note for case in found.values())
    said = "renderer raises raised RuntimeError: no <idea> (line 7 of checkers.py)"
    assert raises == accepted == f"raises could not draw this ({said})"
    assert markup.startswith("markup could not draw this (its drawing is not valid: the drawing: expected")
    assert "columns: expected a whole number from 1 to 100" in columns


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that a reader of the page has, marked."""
    folder = tmp_path_factory.mktemp("pictures")
    for before, content in FILES.findall(PAGE):
        name = re.findall(r"`([\w/.-]+\.(?:yaml|py))`", before)[-1]
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    done = grader("mark", folder / "walks.yaml", folder / "submissions", "-o", folder / "out")
    assert done.returncode == 0, done.stderr
    (shown,) = re.findall(r"```console\n[^\n]+\n(.*?)\n\.\.\.", PAGE, re.DOTALL)
    assert shown in done.stdout
    return folder


def test_the_example_of_the_page_draws_three_pictures(example: Path) -> None:
    document = json.loads((example / "out" / "results.json").read_text(encoding="utf-8"))
    (student,) = document["submissions"]
    found = [case["pictures"] for question in student["questions"] for case in question["cases"]]
    assert [[picture["title"] for picture in pictures] for pictures in found] == [
        ["The answer on its board"],
        ["The answer on its board"],
        ["The heights as bars"],
    ]
    assert found[0][0]["text"].startswith("Step 2 → 3, ")


def test_the_pages_of_the_example_show_them(example: Path) -> None:
    page = (example / "out" / "students" / "student-01.html").read_text(encoding="utf-8")
    assert page.count('<svg class="board"') == 3
    assert "not the right height" in page


CLASS = """
    class Board:
        def __init__(self):
            self.cells = [1, 0]
        def step(self):
            self.cells = [1, 2]
            return self.cells
        def show(self):
            print(*self.cells)
"""
STEPS = """
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - scenario:
          - {new: Board(), as: board}
          - {call: board.step(), returns: [1, 3], picture: own()}
          - {call: board.show(), prints: "1 3\\n", picture: cells()}
        goes on: true
      - scenario:
          - {new: Board(), as: board}
          - {call: board.step(), returns: [1, 2], picture: own()}
          - {call: board.step(), returns: same as reference, picture: {by: own(), always: true}}
"""


def test_steps_are_drawn_one_by_one(tmp_path: Path) -> None:
    found = cases(mark(tmp_path, STEPS, CLASS, checkers=CHECKERS, reference=CLASS))
    wrong = [(picture.title, picture.text) for picture in found["1.1"].pictures]
    assert wrong == [
        ("Step 2: [1, 2]", "[1, 3]"),
        ("Step 3: Expected", ""),
        ("Step 3: Answer", "One square is not as expected."),
    ]
    always = [(picture.title, picture.text) for picture in found["1.2"].pictures]
    assert always == [("Step 3: [1, 2]", "[1, 2]")]


PROGRAM = """
questions:
  - id: "1"
    title: One
    marks: 1
    cases:
      - {program: work, stdin: "3", stdout: "1 4\\n", picture: cells()}
      - {program: work, stdin: "3", check: never(), picture: numbered_board()}
      - {program: work, stdin: "x", stdout: "", picture: cells()}
"""


def test_what_a_program_printed_is_drawn(tmp_path: Path) -> None:
    work = "print(1, int(input()))\n"
    found = cases(mark(tmp_path, PROGRAM, work, checkers=CHECKERS))
    assert [picture.title for picture in found["1.1"].pictures] == ["Expected", "Answer"]
    assert [picture.text for picture in found["1.2"].pictures] == ["There is no number 2."]
    assert found["1.3"].pictures == ()


def test_what_a_function_printed_is_drawn_where_only_that_is_looked_at(tmp_path: Path) -> None:
    spec = question('{call: show(), prints: "a c\\n", picture: cells()}')
    (case,) = cases(mark(tmp_path, spec, "def show():\n    print('a b')\n")).values()
    assert [picture.text for picture in case.pictures] == ["", "One square is not as expected."]

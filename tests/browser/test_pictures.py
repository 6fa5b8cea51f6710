"""Pictures of answers as a browser shows them: loaded, within the page, told apart without colour."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chromium import PROGRAM, Page, browser_page
from support.renderers import BUILT_IN
from support.results_sample import RUN, TASK, case, question

from grader.model.drawing import Picture
from grader.model.results import RunResults, Status, SubmissionResult
from grader.model.verdict import Verdict
from grader.reports.render import render_all

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed")

LINE = [(column, row) for row in range(30) for column in range(30)][::-1]
COUNTS = [[(column * row) % 20 for column in range(300)] for row in range(20)]
DRAWN: tuple[tuple[str, object, object, dict[str, object]], ...] = (
    ("tour_board", [(-1, 3), (3, 3), (2, 1), (0, 0)], None, {"dim": 5}),
    ("tour_board", LINE, None, {"dim": 30}),
    ("tour_board", [(9, 0), (8, 2)], None, {"columns": 100, "rows": 2}),
    ("squares", [(1, 1), (0, 0)], [(1, 1), (2, 2)], {"dim": 8, "at": (3, 3), "taken": [(4, 4)]}),
    ("cells", "a b c\nd e f", "a b c\nd x f", {}),
    ("image", COUNTS, [[0] * 300] * 20, {"limit": 19}),
)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture(scope="module")
def student_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    pictures: list[tuple[Picture, ...]] = [
        tuple(BUILT_IN[name](actual, expected, **arguments)) for name, actual, expected, arguments in DRAWN
    ]
    cases = [
        case(f"2.{number}", "f(1)", Verdict.WRONG_ANSWER, pictures=drawn)
        for number, drawn in enumerate(pictures)
    ]
    student = SubmissionResult(
        id="student-01", name="student-01", mark=TASK.max_mark, max_mark=TASK.max_mark, status=Status.MARKED,
        questions=(question("2", 0, *cases),),
    )  # fmt: skip
    render_all(RunResults(RUN, TASK, [student]), folder)
    return folder / "students" / "student-01.html"


@pytest.mark.parametrize("width", [1280, 400])
def test_pictures_stay_within_the_page(page: Page, student_page: Path, width: int) -> None:
    page.show(student_page, width=width)
    assert page.value("document.documentElement.scrollWidth") == width
    boxes = page.value(
        "Array.from(document.querySelectorAll('.board, .pictures img')).map(e => e.getBoundingClientRect())"
        ".map(b => [b.left, b.right, b.width, b.height])"
    )
    assert len(boxes) == 9
    for left, right, wide, high in boxes:
        assert 0 <= left < right <= width
        assert wide > 20
        assert high > 5


def test_images_are_loaded_and_nothing_is_refused(page: Page, student_page: Path) -> None:
    page.show(student_page, width=1280)
    sizes = page.value("Array.from(document.images).map(i => [i.complete, i.naturalWidth, i.naturalHeight])")
    assert sizes == [[True, 300, 20]] * 3
    assert [event for event in page.events if event["method"] == "Log.entryAdded"] == []


@pytest.mark.parametrize("dark", [False, True])
def test_a_faulty_step_is_dashed_and_of_another_colour(page: Page, student_page: Path, dark: bool) -> None:
    page.show(student_page, width=1280, dark=dark)
    strokes = page.value(
        "['.way.none', '.way.wrong'].map(s => getComputedStyle(document.querySelector('.board ' + s)))"
        ".map(s => [s.stroke, s.strokeDasharray])"
    )
    assert strokes[0][0] != strokes[1][0]
    assert [dashes == "none" for _, dashes in strokes] == [True, False]


def test_a_browser_knows_what_a_picture_shows(page: Page, student_page: Path) -> None:
    page.show(student_page, width=1280)
    told = page.value(
        "Array.from(document.querySelectorAll('.board')).map(b => [b.getAttribute('role'),"
        " b.querySelector('title').textContent, b.querySelector('desc')?.textContent])"
    )
    assert told[0] == ["img", "The answer on its board", "Square 4, (-1, 3), is off the board."]
    assert all(role == "img" and title for role, title, _ in told)

"""Marks by hand in a real browser: by keys alone, saved at once, never lost, and nothing of a work runs."""

import json
import shutil
import signal
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from support.axe import audit_shown
from support.chromium import PROGRAM, Page, browser_page
from support.command_line import grader
from support.marked_samples import ROOT, marked_sample
from support.processes import comes_true
from support.reviewing import NOTHING, Reviewing, essay, reviewing

from grader.model.results import RunResults
from grader.records.reviews.reading import read_reviews
from grader.spec import load_task
from grader.store.results_json import write_results

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed"),
    pytest.mark.acceptance,
]

METHOD, LANGUAGE = "report.method", "report.language"
SAVED = "document.getElementById('saved').textContent === 'saved'"
READY = "document.querySelectorAll('.criterion').length > 0"
WHO = "document.getElementById('who').textContent"
AT = "Number(location.hash.slice(1))"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        yield found


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    return essay(tmp_path)


@pytest.fixture
def served(page: Page, spec: Path) -> Iterator[Reviewing]:
    with reviewing(spec) as found:
        show(page, found)
        yield found
        page.open("about:blank")


def show(page: Page, found: Reviewing, width: int = 1280) -> None:
    page.resize(width)
    page.open(found.url)
    page.until(READY)


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.press(key)


def test_the_sample_batch_is_marked_by_keys(
    page: Page, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Twelve reports, two criteria each: a digit for each mark, and one key to the next work."""
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    shutil.copytree(ROOT / "reference", tmp_path / "reference")
    spec = tmp_path / "specs" / "tour-program.yaml"
    shutil.rmtree(tmp_path / "specs" / "reviews", ignore_errors=True)
    write_results(tmp_path / "out" / "results.json", _unmarked(tmp_path, tmp_path_factory))
    with reviewing(spec, folder=tmp_path / "out") as found:
        show(page, found)
        students = [one["label"] for one in found.read("api/overview")["works"]]
        for number, student in enumerate(students, 1):
            page.until(f"{AT} === {number} && {WHO}.includes('{student}')")
            keys(page, str(number % 3 + 1), "ArrowDown", str(number % 2 + 1), "ArrowUp")
            page.until(SAVED)
            keys(page, "ArrowRight")
        overview = found.read("api/overview")
        assert [one["open"] for one in overview["works"]] == [[]] * 12
        page.open("about:blank")
    task = load_task(spec)
    reviews = read_reviews(
        tmp_path / "specs" / "reviews" / "tour-program.yaml", task, students, whole_batch=True
    )
    levels = (Fraction(1), Fraction(1, 2), Fraction(0))
    for number, student in enumerate(students, 1):
        first, second = reviews.by_student[student].marks
        assert (first.marks, second.marks) == (levels[number % 3], levels[number % 2])
        assert (first.by, second.by) == ("A. Marker", "A. Marker")


def _unmarked(folder: Path, factory: pytest.TempPathFactory) -> RunResults:
    (folder / "out").mkdir()
    found = marked_sample("tour-program", factory)
    return replace(found, submissions=[replace(one, overrides=()) for one in found.submissions])


def test_what_is_typed_is_saved_and_shown_again(page: Page, served: Reviewing) -> None:
    keys(page, "1", "c")
    page.write("Line one.\nLine two: <b>")
    keys(page, "Escape", "ArrowDown", "0")
    page.write(",5")
    keys(page, "Escape")
    page.until(SAVED)
    state = served.read("api/work/1")["criteria"]
    assert (state[METHOD]["level"], state[METHOD]["comment"]) == ("all", "Line one.\nLine two: <b>")
    assert state[LANGUAGE]["marks"] == "0.5"
    page.open(served.url)
    page.until(READY)
    page.until("location.hash === '#2'")
    keys(page, "ArrowLeft")
    page.until(f"{AT} === 1 && document.getElementById('comment-{METHOD}') !== null")
    page.until(f"document.getElementById('comment-{METHOD}').value.startsWith('Line one')")


def test_quick_keys_are_no_conflict_with_themselves(page: Page, served: Reviewing) -> None:
    """Nobody waits for the disk: each change is made on what the one before has left."""
    for number in (1, 2, 3):
        page.until(f"{WHO}.includes('0{number}')")
        keys(page, "1", "2", "ArrowDown", "1")
        keys(page, "Escape", "c")
        page.write(f"words {number}")
        keys(page, "Escape", "ArrowUp", "c")
        page.write("more")
        keys(page, "Escape", "3", "ArrowRight")
    assert comes_true(lambda: page.value("queue.length") == 0)
    assert page.value("document.getElementById('alarm').innerText") == ""
    for number in (1, 2, 3):
        state = served.read(f"api/work/{number}")["criteria"]
        assert (state[METHOD]["level"], state[METHOD]["comment"]) == ("none", "more")
        assert (state[LANGUAGE]["marks"], state[LANGUAGE]["comment"]) == ("1", f"words {number}")


def test_undo_takes_back_one_change_after_the_other(page: Page, served: Reviewing) -> None:
    keys(page, "1")
    page.until(SAVED)
    keys(page, "2")
    page.until(f"document.getElementById('given-{METHOD}').textContent.startsWith('1,')")
    page.until(SAVED)
    for expected in ("2", ""):
        keys(page, "u")
        page.until(f"({SAVED} || document.getElementById('saved').textContent === '') && queue.length === 0")
        assert page.value("sessionStorage.getItem(KEPT)") is None
        assert served.read("api/work/1")["criteria"][METHOD]["marks"] == expected
    keys(page, "u")
    assert page.value("document.getElementById('saved').textContent") == "nothing to undo"


def test_next_unmarked_is_of_the_same_criterion(page: Page, served: Reviewing) -> None:
    for number in (2, 3):
        served.mark(number, LANGUAGE, NOTHING, marks="1")
    keys(page, "ArrowDown", "n")
    page.until(f"{AT} === 4")
    keys(page, "a")
    assert page.value("document.querySelectorAll('.criterion').length") == 1
    keys(page, "n")
    page.until(f"{AT} === 5")


def test_while_the_grader_is_gone_nothing_is_lost(page: Page, spec: Path) -> None:
    """The queue is told, the tab keeps it, and it is sent when the grader answers again."""
    with reviewing(spec) as found:
        show(page, found)
        found.process.send_signal(signal.SIGSTOP)
        keys(page, "1", "ArrowDown", "c")
        page.write("typed meanwhile")
        keys(page, "Escape")
        page.until("document.getElementById('saved').textContent.includes('not saved yet')")
        assert page.value("document.getElementById('saved').classList.contains('waits')") is True
        kept = json.loads(page.value("sessionStorage.getItem(KEPT)"))["queue"]
        assert kept[0]["to"]["level"] == "all"
        found.process.send_signal(signal.SIGCONT)
        page.until(SAVED)
        state = found.read("api/work/1")["criteria"]
        assert (state[METHOD]["level"], state[LANGUAGE]["comment"]) == ("all", "typed meanwhile")
        page.open("about:blank")


def test_a_change_of_somebody_else_is_shown_and_not_overwritten(page: Page, served: Reviewing) -> None:
    served.mark(1, METHOD, NOTHING, level="none")
    keys(page, "1")
    page.until("document.querySelector('#held .notice') !== null")
    said = page.value("document.querySelector('#held').innerText")
    assert "Now: none. Yours: all" in said
    assert served.read("api/work/1")["criteria"][METHOD]["level"] == "none"
    page.value("document.querySelector('#held button').click()")
    page.until(SAVED)
    assert served.read("api/work/1")["criteria"][METHOD]["level"] == "all"


def test_nothing_of_a_work_runs_or_becomes_markup(page: Page, served: Reviewing) -> None:
    served.change(
        kind="remark", work=3, saw=None, to={"file": "work.py", "line": 1, "comment": "<img src=x>"}
    )
    page.value("document.getElementById('which').value = '3'")
    page.value("document.getElementById('which').dispatchEvent(new Event('change'))")
    page.until(f"{AT} === 3 && document.querySelector('#pane-source .said') !== null")
    assert "</li><script>" in page.value("document.getElementById('pane-source').innerText")
    assert page.value("document.querySelectorAll('#pane-source img, #pane-source script').length") == 0
    keys(page, "t")
    page.until("document.querySelector('#pane-report iframe')?.contentDocument?.readyState === 'complete'")
    keys(page, "p")
    page.until("document.querySelectorAll('#pane-files li').length === 4")
    for place in range(4):
        page.value(f"document.querySelectorAll('#pane-files li button')[{place}].click()")
        page.until("document.querySelector('#pane-files iframe, #pane-files img') !== null")
    assert page.value("document.title") != "taken"
    assert page.value("window.frames.length") >= 1


def test_equal_works_get_the_same_by_one_decision(page: Page, served: Reviewing) -> None:
    keys(page, "2", "ArrowDown")
    page.until(SAVED)
    page.value("document.querySelector('#equal button').click()")
    assert comes_true(lambda: served.read("api/work/2")["criteria"][METHOD]["level"] == "idea")
    assert served.read("api/work/3")["criteria"][METHOD]["level"] == ""


def test_kills_lose_at_most_the_key_that_was_pressed(page: Page, spec: Path) -> None:
    """After each kill the file says all that the page called saved, and can be read."""
    task, students = load_task(spec), [f"student-0{number}" for number in range(1, 7)]
    file = spec.parent / "reviews" / "essay.yaml"
    for number in range(1, 5):
        with reviewing(spec) as found:
            show(page, found)
            page.value(f"document.getElementById('which').value = '{number}'")
            page.value("document.getElementById('which').dispatchEvent(new Event('change'))")
            page.until(f"{AT} === {number} && {WHO}.includes('0{number}')")
            keys(page, "1")
            page.until(SAVED)
            keys(page, "ArrowDown", "1")
            found.process.send_signal(signal.SIGKILL)
            found.process.wait()
        reviews = read_reviews(file, task, students, whole_batch=True)
        assert reviews.by_student[students[number - 1]].marks[0].level == "all"
        page.value("queue.length = 0; sessionStorage.clear()")
        page.open("about:blank")


@pytest.mark.parametrize("width", [1280, 900])
def test_axe_finds_nothing(page: Page, served: Reviewing, width: int) -> None:
    served.change(kind="share", saw=None, to={"id": "why", "text": "Say why.", "for": METHOD})
    served.change(kind="remark", work=1, saw=None, to={"comment": "On all."})
    served.change(kind="override", work=1, question="program", saw=None, to={"marks": "1", "reason": "so"})
    served.change(kind="again", work=1, saw="", to="page 3")
    show(page, served, width)
    page.value("location.hash = '#1'")
    for tab in ("source", "files", "figures"):
        page.value(f"document.getElementById('tab-{tab}').click()")
        assert audit_shown(page) == []
        page.resize(width)
        assert page.value("document.documentElement.scrollWidth") <= width


def test_the_marks_are_on_the_students_page_after_marking_again(page: Page, spec: Path) -> None:
    with reviewing(spec) as found:
        show(page, found)
        keys(page, "1", "ArrowDown", "1", "Escape")
        page.until(SAVED)
        page.open("about:blank")
    grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q")
    assert "A. Marker" in (spec.parent / "out" / "students" / "student-01.html").read_text()

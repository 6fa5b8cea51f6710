"""The page of `grader review` under attack: nothing typed is lost, and nothing goes to another work."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.axe import audit_shown
from support.chromium import Page, browser_page
from support.command_line import grader
from support.reviewing import NOTHING, SPEC, WORK, Reviewing, essay, reviewing

pytestmark = pytest.mark.acceptance

METHOD, LANGUAGE = "report.method", "report.language"
COMMENT = "comment-report.method"


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser_page() as found:
        found.resize(1280)
        yield found


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return essay(tmp_path)


def show(page: Page, server: Reviewing, work: int = 1) -> None:
    page.open("about:blank")
    page.open(f"{server.url}#{work}")
    page.until(f"typeof drawn !== 'undefined' && drawn === {work}")


def go(page: Page, work: int) -> None:
    page.value(f"void show({work})")
    page.until(f"drawn === {work}")


def focus(page: Page, name: str) -> None:
    page.value(f"document.getElementById('{name}').focus()")


def saved(page: Page) -> None:
    page.until("queue.length === 0 && !sending")


def leave_field(page: Page) -> None:
    """Press Ctrl and Enter: out of the field, and on to the next work."""
    page.press("Enter", modifiers=2)


def seen(server: Reviewing, work: int, criterion: str) -> dict[str, Any]:
    value = server.read(f"api/work/{work}")["criteria"][criterion]
    return {key: value[key] for key in NOTHING}


# -- keys ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("leave", ["Control+Enter", "Enter", "Escape", "Tab", "click", "nothing"])
def test_a_mark_that_is_typed_by_its_digit_is_saved(page: Page, fresh: Path, leave: str) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.press("j")
        page.press("1")
        if leave == "Control+Enter":
            leave_field(page)
            page.until("drawn === 2")
        elif leave == "click":
            page.value("document.getElementById('next').focus(), document.getElementById('next').click()")
        elif leave == "nothing":
            assert page.value("queue.length") == 1
            assert page.value(
                "(() => { const e = new Event('beforeunload', {cancelable: true}); "
                "window.dispatchEvent(e); return e.defaultPrevented; })()"
            )
            page.reload()
            page.until("typeof drawn !== 'undefined' && drawn > 0")
        else:
            page.press(leave)
        saved(page)
        assert seen(server, 1, LANGUAGE)["marks"] == "1"


def test_words_that_are_taken_back_do_not_go_to_the_next_work(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        server.mark(2, METHOD, NOTHING, comment="precious")
        show(page, server)
        focus(page, COMMENT)
        page.write("x")
        saved(page)
        page.until("known.get(1).criteria['report.method'].comment === 'x'")
        page.press("Backspace")
        leave_field(page)
        page.until("drawn === 2")
        time.sleep(0.9)
        saved(page)
        assert [seen(server, work, METHOD)["comment"] for work in (1, 2)] == ["", "precious"]


def test_who_types_on_quickly_marks_the_works_in_their_order(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.value("Array.from(known.keys()).forEach((each) => { if (each > 1) known.delete(each); })")
        page.value(
            "window.real = ask; ask = async (...given) => { "
            "await new Promise((done) => setTimeout(done, 60)); return real(...given); }"
        )
        levels = [1, 2, 3, 2, 1, 3]
        for level in levels:
            page.press(str(level))
            page.press("l")
        saved(page)
        page.until("drawn === 6 && queue.length === 0")
        given = {1: "all", 2: "idea", 3: "none"}
        assert [seen(server, work, METHOD)["level"] for work in range(1, 6)] == [
            given[one] for one in levels[:5]
        ]


def test_the_work_that_is_chosen_from_the_list_is_the_work_that_is_marked(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        server.mark(1, METHOD, NOTHING, level="none", comment="of the first")
        show(page, server)
        page.value(
            "const list = document.getElementById('which'); list.focus(); list.value = 4; "
            "list.dispatchEvent(new Event('change'))"
        )
        page.until("drawn === 4 && shown.number === 4")
        assert page.value("document.getElementById('comment-report.method').value") == ""
        assert page.value("document.querySelectorAll('#criteria :checked').length") == 0
        page.value(
            "const only = document.getElementById('only'); only.focus(); only.value = 'report.language'; "
            "only.dispatchEvent(new Event('change'))"
        )
        assert page.value("document.querySelectorAll('.criterion').length") == 1


def test_a_click_right_out_of_a_field_counts(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        focus(page, COMMENT)
        page.write("words")
        place = page.value(
            "(() => { const box = document.getElementById('level-report.method-1')"
            ".getBoundingClientRect(); return [box.x + 5, box.y + 5]; })()"
        )
        page.mouse("mousePressed", *place)
        time.sleep(0.3)
        page.mouse("mouseReleased", *place)
        saved(page)
        assert seen(server, 1, METHOD) == {**NOTHING, "marks": "1", "level": "idea", "comment": "words"}


def test_levels_and_words_that_cross_each_other_both_stay(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.value(
            "window.real = ask; ask = async (...given) => { "
            "await new Promise((done) => setTimeout(done, 250)); return real(...given); }"
        )
        for number in range(3):
            focus(page, COMMENT)
            page.write(f"{number} ")
            page.press("Escape")
            page.press("1" if number != 1 else "2")
            time.sleep(0.1)
        saved(page)
        assert page.value("held.length") == 0
        assert seen(server, 1, METHOD) == {**NOTHING, "marks": "2", "level": "all", "comment": "0 1 2"}


# -- refusals, conflicts, and the end of the server ----------------------------------------------------


def test_while_the_file_has_mistakes_all_that_is_typed_waits_and_is_then_saved(
    page: Page, fresh: Path
) -> None:
    file = fresh.parent / "reviews" / "essay.yaml"
    with reviewing(fresh) as server:
        show(page, server)
        text = file.read_text()
        file.write_text(text + "- student: [\n")
        for work in (1, 2, 3):
            focus(page, COMMENT)
            page.write(f"thoughts {work}")
            leave_field(page)
            page.until(f"drawn === {work + 1}")
        page.until("document.getElementById('alarm').textContent.includes('Not saved now')")
        assert page.value("document.getElementById('saved').textContent") == "3 not saved yet"
        file.write_text(text)
        saved(page)
        assert [seen(server, work, METHOD)["comment"] for work in (1, 2, 3)] == [
            f"thoughts {work}" for work in (1, 2, 3)
        ]
        assert page.value("document.querySelectorAll('[data-kind=offline]').length") == 0


def test_what_is_refused_is_held_in_words_also_over_a_reload(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.press("j")
        page.press("9")
        page.press("Enter")
        page.until("held.length === 1")
        said = page.value("document.getElementById('held').textContent")
        assert "worth 1 at most" in said
        assert "Yours: 9" in said
        page.open("about:blank")
        page.open(server.url)
        page.until("typeof drawn !== 'undefined' && drawn > 0 && held.length === 1")
        assert page.value("document.getElementById('saved').textContent") == "1 not saved yet"
        page.value("document.getElementById('marks-report.language').focus()")
        page.value("document.getElementById('marks-report.language').value = ''")
        page.write("1")
        page.press("Enter")
        saved(page)
        assert page.value("[held.length, document.getElementById('held').children.length]") == [0, 0]
        assert seen(server, 1, LANGUAGE)["marks"] == "1"


@pytest.mark.parametrize("answer", ["Use mine", "Keep what is there"])
def test_a_conflict_of_two_tabs_is_shown_and_decided(page: Page, fresh: Path, answer: str) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        server.mark(1, METHOD, NOTHING, level="none", comment="theirs")
        page.press("1")
        page.until("held.length === 1")
        said = page.value("document.getElementById('held').textContent")
        assert "none, theirs" in said
        assert "Yours: all" in said
        assert page.value("hasUnsaved()")
        page.value(
            "[...document.querySelectorAll('#held button')]"
            f".find((one) => one.textContent === '{answer}').click()"
        )
        saved(page)
        page.until("held.length === 0 && !document.getElementById('held').children.length")
        expected = {"Use mine": ("all", ""), "Keep what is there": ("none", "theirs")}[answer]
        now = seen(server, 1, METHOD)
        assert (now["level"], now["comment"]) == expected
        page.until(f"known.get(1).criteria['report.method'].level === '{expected[0]}'")


def test_the_server_ends_and_another_one_takes_what_waits(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        server.process.kill()
        server.process.wait()
        page.press("1")
        focus(page, COMMENT)
        page.write("after the end & <b>#")
        page.press("Escape")
        page.until("document.getElementById('address') !== null")
        assert page.value("queue.length") >= 1
    with reviewing(fresh) as server:
        page.value("window.opened = ''; window.open = (url) => { opened = url; }")
        focus(page, "address")
        page.write(server.url)
        page.press("Enter")
        url = page.value("opened")
        assert url.startswith(server.url)
        page.open("about:blank")
        page.open(url)
        page.until("typeof drawn !== 'undefined' && drawn > 0")
        saved(page)
        assert page.value("location.hash").startswith("#unsaved") is False
        assert seen(server, 1, METHOD) == {
            **NOTHING,
            "marks": "2",
            "level": "all",
            "comment": "after the end & <b>#",
        }


def test_words_of_forms_stay_when_something_else_is_saved_or_shown(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.value("document.getElementById('more').open = true")
        for field, words in (("remark-words", "a long remark"), ("override-reason", "a reason")):
            focus(page, field)
            page.write(words)
        page.value(
            "const spot = document.getElementById('remark-about'); spot.value = 'question-report'; "
            "spot.dispatchEvent(new Event('input'))"
        )
        page.press("Escape")
        page.press("1")
        saved(page)
        go(page, 2)
        assert page.value("document.getElementById('remark-words').value") == ""
        go(page, 1)
        assert page.value("document.getElementById('remark-words').value") == "a long remark"
        assert page.value("document.getElementById('override-reason').value") == "a reason"
        page.value("document.getElementById('remark').requestSubmit()")
        saved(page)
        (remark,) = server.read("api/work/1")["remarks"]
        assert (remark["comment"], remark["question"]) == ("a long remark", "report")
        assert page.value("document.getElementById('remark-words').value") == ""


def test_undo_across_works(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        page.press("1")
        saved(page)
        page.press("l")
        page.until("drawn === 2")
        page.press("2")
        saved(page)
        page.press("u")
        saved(page)
        page.press("u")
        page.until("drawn === 1")
        saved(page)
        assert [seen(server, work, METHOD) for work in (1, 2)] == [NOTHING, NOTHING]
        page.press("u")
        assert page.value("document.getElementById('saved').textContent") == "nothing to undo"


def test_a_shared_comment_whose_name_is_taken_leaves_the_words_alone(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        show(page, server)
        server.change(kind="share", saw=None, to={"id": "why", "text": "Other words.", "for": METHOD})
        focus(page, COMMENT)
        page.write("My words.")
        page.press("Escape")
        page.value("desk.shared = []; window.prompt = () => 'why'")
        page.until("queue.length === 0")
        page.value("desk.shared = []; share(desk.criteria[0])")
        page.until("held.length === 1")
        assert seen(server, 1, METHOD)["comment"] == "My words."
        page.value("window.prompt = () => 'mine'; share(desk.criteria[0])")
        page.until("known.get(1).criteria['report.method'].uses.length === 1")
        saved(page)
        assert seen(server, 1, METHOD) == {**NOTHING, "uses": ["mine"]}


def test_equal_works_keep_marks_of_their_own(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        server.mark(1, METHOD, NOTHING, level="all")
        server.mark(1, LANGUAGE, NOTHING, marks="1")
        server.mark(2, METHOD, NOTHING, level="none", comment="own")
        show(page, server)
        page.value("document.querySelector('#equal button').click()")
        page.until("known.get(2)?.criteria['report.language'].marks === '1'")
        saved(page)
        assert seen(server, 2, METHOD)["level"] == "none"
        assert seen(server, 2, LANGUAGE)["marks"] == "1"
        assert "keeps it" in page.value("document.getElementById('alarm').textContent")


# -- what is shown -------------------------------------------------------------------------------------

HOSTILE = (
    "</textarea></script><script>document.title='taken'</script><img src=x onerror=document.title='taken'>"
)


def test_hostile_words_names_and_sources_are_text(page: Page, tmp_path: Path) -> None:
    spec = SPEC.replace("The method is explained", "'<img src=x onerror=document.title=1>'")
    path = tmp_path / "essay.yaml"
    path.write_text(
        spec.replace("title: Program and report", f"title: '{HOSTILE.replace(chr(39), chr(34))}'")
    )
    work = tmp_path / "in" / "<img src=x onerror=document.title=1>"
    work.mkdir(parents=True)
    (work / "work.py").write_text(WORK + "# " + HOSTILE + "\n" + "x = 1\n" * 5000)
    (work / "<b>x.png").write_text(HOSTILE)
    done = grader("mark", path, tmp_path / "in", "-o", tmp_path / "out", "-q")
    assert done.returncode == 0, done.stderr
    with reviewing(path) as server:
        server.mark(1, METHOD, NOTHING, level="all", comment=HOSTILE)
        server.change(kind="remark", work=1, saw=None, to={"comment": HOSTILE, "file": "work.py", "line": 3})
        server.change(kind="again", work=1, saw="", to=HOSTILE)
        server.change(kind="share", saw=None, to={"id": "s", "text": HOSTILE, "for": ""})
        server.change(kind="override", work=1, question="", saw=None, to={"marks": "1", "reason": HOSTILE})
        show(page, server)
        for tab in ("report", "files", "figures", "source"):
            page.value(f"open('{tab}')")
            time.sleep(0.3)
        page.value("document.querySelector('#pane-files button')?.click()")
        assert page.value("document.title") != "taken"
        assert (
            page.value("document.querySelectorAll('#rubric img, #pane-source img, #rubric script').length")
            == 0
        )
        assert page.value("document.querySelectorAll('#pane-source li').length") >= 5000


def test_the_page_has_no_finding_of_axe_with_all_that_can_be_on_it(page: Page, fresh: Path) -> None:
    with reviewing(fresh) as server:
        server.mark(1, METHOD, NOTHING, level="all", comment="x")
        server.change(kind="share", saw=None, to={"id": "s", "text": "t", "for": ""})
        server.change(kind="override", work=1, question="", saw=None, to={"marks": "1", "reason": "r"})
        server.change(kind="remark", work=1, saw=None, to={"comment": "c", "file": "work.py", "line": 1})
        show(page, server)
        page.press("j")
        page.press("9")
        page.press("Enter")
        page.until("held.length === 1")
        page.value("offline(null)")
        assert audit_shown(page) == []
        page.value("document.getElementById('help').click()")
        page.resize(900)
        assert audit_shown(page) == []
        page.resize(1280)

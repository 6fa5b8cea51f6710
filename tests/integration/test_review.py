"""`grader review`: what its page reads and changes, in the files and at the address, without a browser."""

import json
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from support.command_line import grader, results
from support.reviewing import NOTHING, SPEC, essay, reviewing

METHOD, LANGUAGE = "report.method", "report.language"


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return essay(tmp_path_factory.mktemp("essay"))


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """The task with its results and without marks by hand."""
    return essay(tmp_path)


def own_file(spec: Path) -> Path:
    return spec.parent / "reviews" / "essay.yaml"


def marks_of(spec: Path) -> dict[str, str]:
    """Mark again, and return the marks by student."""
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q")
    assert done.returncode == 0, done.stderr
    return {one["id"]: one["mark"] for one in results(spec.parent / "out")["submissions"]}


def test_what_is_given_comes_into_the_marks(fresh: Path) -> None:
    with reviewing(fresh) as page:
        overview = page.read("api/overview")
        assert [one["id"] for one in overview["criteria"]] == [METHOD, LANGUAGE]
        assert [one["open"] for one in overview["works"]] == [[METHOD, LANGUAGE]] * 6
        assert overview["works"][0]["equal"] == [2]
        status, found = page.mark(1, METHOD, NOTHING, level="idea", comment=" The picture helps. ")
        assert (status, found["work"]["open"]) == (200, [LANGUAGE])
        assert found["work"]["criteria"][METHOD]["by"] == "A. Marker"
        assert page.mark(1, LANGUAGE, NOTHING, marks="0,5")[0] == 200
    assert marks_of(fresh)["student-01"] == "3.5"
    assert "level: idea" in own_file(fresh).read_text()
    pages = (fresh.parent / "out" / "students" / "student-01.html").read_text()
    assert "The picture helps." in pages


def test_a_level_that_is_weighted_anew_reaches_who_has_it_and_that_is_told(fresh: Path) -> None:
    with reviewing(fresh) as page:
        for work in (1, 3):
            page.mark(work, METHOD, NOTHING, level="idea")
            page.mark(work, LANGUAGE, NOTHING, marks="1")
    marks_of(fresh)
    fresh.write_text(SPEC.replace("{marks: 1, description: The idea", "{marks: 1.5, description: The idea"))
    with reviewing(fresh) as page:
        assert any("2 marks by hand change" in line for line in page.said), page.said
        assert any("student-01: report.method 1 to 1.5" in line for line in page.said), page.said
    assert "marks by hand" not in grader("report", fresh.parent / "out").stderr
    done = grader("mark", fresh, fresh.parent / "in", "-o", fresh.parent / "out")
    assert "marks by hand that are others than before: student-01 report.method 1 to 1.5" in done.stderr
    assert "student-03 report.method 1 to 1.5" in done.stderr
    found = marks_of(fresh)
    assert (found["student-01"], found["student-03"]) == ("4.5", "4.5")


def test_marks_are_on_the_students_page_with_the_next_report(fresh: Path) -> None:
    with reviewing(fresh) as page:
        assert page.mark(1, METHOD, NOTHING, level="idea", comment="The picture helps.")[0] == 200
        assert page.mark(1, LANGUAGE, NOTHING, marks="1")[0] == 200
    done = grader("report", fresh.parent / "out")
    assert (done.returncode, "marks by hand taken in: 1 submission" in done.stderr) == (0, True)
    assert "The picture helps." in (fresh.parent / "out" / "students" / "student-01.html").read_text()
    reported = results(fresh.parent / "out")["submissions"][0]["mark"]
    assert reported == marks_of(fresh)["student-01"] == "4"


def test_a_shared_comment_is_reworded_in_one_place(fresh: Path) -> None:
    to = {"id": "why", "text": "Say why the search ends.", "for": METHOD}
    with reviewing(fresh) as page:
        assert page.change(kind="share", saw=None, to=to)[0] == 200
        for work in (1, 3):
            status, found = page.mark(work, METHOD, NOTHING, level="all", uses=["why"], comment="Good.")
            assert status == 200
        (shared,) = found["shared"]
        assert (shared["id"], shared["works"]) == ("why", [1, 3])
        saw = {"text": to["text"], "for": METHOD}
        assert page.change(kind="share", saw=saw, to={**to, "text": "Say why it ends."})[0] == 200
        assert page.change(kind="share", saw=saw, to={**to, "text": "Other."})[0] == 409
        assert page.mark(4, METHOD, NOTHING, level="all", uses=["nobody"])[0] == 422
    marks_of(fresh)
    (report,) = [
        q for q in results(fresh.parent / "out")["submissions"][0]["questions"] if q["id"] == "report"
    ]
    assert report["criteria"][0]["comment"] == "Say why it ends.\nGood."


def test_overrides_remarks_and_look_again(fresh: Path) -> None:
    put = {"marks": "1", "reason": "The case was wrong."}
    line = {"file": "work.py", "line": 2, "text": "return 2 * number", "comment": "Why twice?"}
    with reviewing(fresh) as page:
        assert page.change(kind="override", work=1, question="program", saw=None, to=put)[0] == 200
        other = {**put, "marks": "0"}
        assert page.change(kind="override", work=1, question="program", saw=None, to=other)[0] == 409
        for to in (line, {"question": "report", "comment": "On the report."}, {"comment": "On all."}):
            assert page.change(kind="remark", work=1, saw=None, to=to)[0] == 200
        assert page.change(kind="again", work=1, saw="", to="the proof on page 3")[0] == 200
        state = page.read("api/work/1")
        assert [one["comment"] for one in state["remarks"]] == ["Why twice?", "On the report.", "On all."]
        assert state["again"] == "the proof on page 3"
        assert state["overrides"]["program"]["by"] == "A. Marker"
        assert page.change(kind="remark", work=1, saw=state["remarks"][2], to=None)[0] == 200
    marks_of(fresh)
    html = (fresh.parent / "out" / "students" / "student-01.html").read_text()
    assert "Why twice?" in html
    assert "On the report." in html
    assert "On all." not in html
    assert results(fresh.parent / "out")["submissions"][0]["overrides"][0]["reason"] == "The case was wrong."


def test_nothing_is_overwritten_in_silence(fresh: Path) -> None:
    with reviewing(fresh) as page:
        assert page.mark(1, LANGUAGE, NOTHING, marks="1")[0] == 200
        status, found = page.mark(1, LANGUAGE, NOTHING, marks="0.5")
        assert (status, found["now"]["marks"]) == (409, "1")
        assert page.read("api/work/1")["criteria"][LANGUAGE]["marks"] == "1"


def test_what_a_person_writes_into_the_file_meanwhile_stands(fresh: Path) -> None:
    with reviewing(fresh) as page:
        page.mark(1, LANGUAGE, NOTHING, marks="1")
        file = own_file(fresh)
        file.write_text(file.read_text().replace("marks: 1 ", "marks: 0.5 ") + "# mine\n")
        status, found = page.mark(1, LANGUAGE, {**NOTHING, "marks": "1"}, marks="0")
        assert (status, found["now"]["marks"]) == (409, "0.5")
        assert page.mark(2, LANGUAGE, NOTHING, marks="1")[0] == 200
        assert file.read_text().endswith("# mine\n")
        file.write_text("- student: [\n")
        status, found = page.mark(3, LANGUAGE, NOTHING, marks="1")
        assert (status, "essay.yaml:2:1: this is not YAML" in found["refused"]) == (503, True)
        assert file.read_text() == "- student: [\n"


@pytest.mark.parametrize(
    ("to", "told"),
    [
        ({"marks": "3"}, "worth 2 at most"),
        ({"marks": "1.5"}, "no level of 1.5"),
        ({"level": "gone"}, "no such level"),
        ({"marks": "much"}, "no number of marks"),
        ({"marks": ["1"]}, "is no text"),
        ({"marks": "1", "comment": "\x1b[31m"}, "control character"),
        ({"marks": "1", "comment": "x" * 20_001}, "longer than"),
        ({"marks": "1", "uses": "why"}, "no list"),
    ],
)
def test_a_change_that_cannot_be_is_refused_with_the_reason(
    task: Path, to: dict[str, Any], told: str
) -> None:
    with reviewing(task) as page:
        before = own_file(task).read_bytes()
        status, _, body = page.put(
            "api/change",
            json.dumps({"kind": "mark", "work": 1, "criterion": METHOD, "saw": NOTHING, "to": to}).encode(),
            method="POST",
        )
        assert (status, told in json.loads(body)["refused"]) == (422, True), body
        assert own_file(task).read_bytes() == before


def test_two_markers_have_files_of_their_own_and_a_contradiction_is_shown(fresh: Path) -> None:
    folder = fresh.parent / "reviews" / "essay"
    folder.mkdir()
    with reviewing(fresh, "--by", "A. Marker") as one, reviewing(fresh, "--by", "Bea Two") as two:
        assert one.mark(1, METHOD, NOTHING, level="all")[0] == 200
        assert two.read("api/work/1")["criteria"][METHOD]["file"] == "A.-Marker.yaml"
        status, found = two.mark(1, METHOD, {**NOTHING, "marks": "2", "level": "all"}, level="idea")
        assert (status, "can be changed there alone" in found["refused"]) == (422, True)
        assert two.mark(2, METHOD, NOTHING, level="idea")[0] == 200
        other = folder / "A.-Marker.yaml"
        other.write_text(
            other.read_text()
            + "- student: student-02\n  by: A. Marker\n  criteria: {report.method: {level: all}}\n"
        )
        assert two.read("api/work/2")["criteria"][METHOD]["against"] == [
            {"file": "A.-Marker.yaml", "marks": "2", "by": "A. Marker"}
        ]
        assert sorted(path.name for path in folder.iterdir()) == ["A.-Marker.yaml", "Bea-Two.yaml"]
    done = grader("mark", fresh, fresh.parent / "in", "-o", fresh.parent / "out", "-q")
    assert (done.returncode, "is given otherwise in" in done.stderr) == (2, True)
    (folder / "A.-Marker.yaml").write_text(other.read_text().rpartition("- student: student-02")[0])
    found = marks_of(fresh)
    assert set(found) == {f"student-0{number}" for number in range(1, 7)}
    questions = results(fresh.parent / "out")["submissions"][1]["questions"]
    assert questions[1]["criteria"][0]["by"] == "Bea Two"


def test_a_share_shows_its_part_alone(task: Path) -> None:
    seen = []
    for part in ("1/2", "2/2"):
        with reviewing(task, "--share", part, "--criterion", LANGUAGE) as page:
            overview = page.read("api/overview")
            assert [one["id"] for one in overview["criteria"]] == [LANGUAGE]
            seen += [one["label"] for one in overview["works"]]
            outside = {1, 2, 3, 4, 5, 6} - {one["number"] for one in overview["works"]}
            assert page.get(f"work/{min(outside)}/report")[0] == 404
            assert page.mark(overview["works"][0]["number"], METHOD, NOTHING, level="all")[0] == 422
    assert sorted(seen) == [f"student-0{number}" for number in range(1, 7)]


def test_blind_marking_says_no_name(tmp_path: Path) -> None:
    spec = essay(tmp_path, spec=SPEC.replace("marks: 5\n", "marks: 5\nblind: true\n", 1))
    with reviewing(spec) as page:
        overview = page.read("api/overview")
        labels = [one["label"] for one in overview["works"]]
        assert labels == [f"Work {number}" for number in range(1, 7)]
        for number in range(1, 7):
            for path in (f"api/work/{number}", f"work/{number}/report", f"api/files/{number}"):
                status, _, body = page.get(path)
                assert (status, b"student-0" in body) == (200, False), path
        page.mark(1, LANGUAGE, NOTHING, marks="1")
    assert "student-0" in own_file(spec).read_text()
    assert list(marks_of(spec).values()).count("3") == 1


def test_files_are_shown_as_what_their_bytes_are(task: Path) -> None:
    with reviewing(task) as page:
        files = page.read("api/files/3")["files"]
        kinds = {}
        for place, each in enumerate(files):
            status, head, _ = page.get(f"work/3/file/{place}")
            assert status == 200
            kinds[each["name"]] = (
                head.lower().partition(b"content-type: ")[2].partition(b"\r\n")[0].partition(b";")[0]
            )
        assert kinds == {
            "work.py": b"text/plain",
            "report.pdf": b"application/pdf",
            "picture.png": b"image/png",
            "page.html": b"text/plain",
        }
        assert page.get("work/3/file/9")[0] == 404


def test_files_that_changed_are_not_shown(fresh: Path) -> None:
    (fresh.parent / "in" / "student-03" / "report.pdf").write_bytes(b"%PDF-other")
    shutil.rmtree(fresh.parent / "in" / "student-04")
    with reviewing(fresh) as page:
        assert page.read("api/files/1")["files"]
        for work, why in ((3, "have changed since they were marked"), (4, "are not where they were")):
            found = page.read(f"api/files/{work}")
            assert (found["files"], why in found["why"]) == ([], True)
            assert page.get(f"work/{work}/file/0")[0] == 404


def test_ctrl_c_ends_it_and_says_where_the_marks_are(task: Path) -> None:
    with reviewing(task) as page:
        page.process.send_signal(signal.SIGINT)
        _, said = page.process.communicate()
    assert page.process.returncode == 0
    assert "grader report brings them into the pages" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--criterion", "report.metod"), "did you mean report.method?"),
        (("--only", "student-99"), "there is no work of"),
        (("--group", "T1"), "there is no group"),
        (("--share", "3/2"), "is no share"),
        (("--by", " "), "--by needs a name"),
    ],
)
def test_what_is_not_there_is_told(task: Path, options: tuple[str, ...], told: str) -> None:
    by = () if "--by" in options else ("--by", "A. Marker")
    done = grader("review", task, task.parent / "out", "--no-browser", *options, *by)
    assert (done.returncode, told in done.stderr, done.stdout) == (2, True, ""), done.stderr


def test_results_of_another_task_are_refused(task: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    other.write_text(SPEC.replace("task: essay", "task: other"))
    done = grader("review", other, task.parent / "out", "--by", "me", "--no-browser")
    assert (done.returncode, "results of the task 'essay'" in done.stderr) == (2, True)

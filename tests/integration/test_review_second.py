"""A second marking, from the draw to the mark: by two people and a chair."""

from pathlib import Path

import pytest
from support.command_line import grader, results
from support.reviewing import NOTHING, SPEC, essay, reviewing

METHOD, LANGUAGE = "report.method", "report.language"
SECOND = SPEC.replace("marks: 5\n", "marks: 5\nsecond: {share: 50%, within: 0.5, then: mean}\n", 1)


def marked(spec: Path) -> dict[str, tuple[str, str]]:
    done = grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q")
    assert done.returncode == 0, done.stderr
    return {one["id"]: (one["status"], one["mark"]) for one in results(spec.parent / "out")["submissions"]}


def test_a_second_marking(tmp_path: Path) -> None:
    spec = essay(tmp_path, spec=SECOND)
    (tmp_path / "reviews" / "essay").mkdir()
    with reviewing(spec) as page:
        page.change(kind="share", saw=None, to={"id": "thin", "text": "Thin.", "for": METHOD})
        for number in range(1, 7):
            page.mark(number, METHOD, NOTHING, level="idea", comment="secret words", uses=["thin"])
            page.mark(number, LANGUAGE, NOTHING, marks="1")
        page.change(kind="remark", work=1, saw=None, to={"comment": "secret words"})
    first = marked(spec)
    waiting = [student for student, (status, _) in first.items() if status == "pending"]
    assert 0 < len(waiting) < 6
    assert all(mark == "4" for status, mark in first.values() if status == "marked")

    with reviewing(spec, "--by", "Bea", "--second") as page:
        # A comment is there for everybody; who used it, and how marks are distributed, is the first marker's.
        assert [(one["text"], one["works"]) for one in page.read("api/overview")["shared"]] == [("Thin.", [])]
        assert "A. Marker" not in str(page.read("api/figures"))
        works = page.read("api/overview")["works"]
        assert [one["label"] for one in works] == waiting
        assert [one["open"] for one in works] == [[METHOD, LANGUAGE]] * len(works)
        for one in works:
            for path in (f"api/work/{one['number']}", f"work/{one['number']}/report"):
                _, _, body = page.get(path)
                assert b"secret words" not in body
            assert page.read(f"api/work/{one['number']}")["criteria"][METHOD]["marks"] == ""
            page.mark(one["number"], METHOD, NOTHING, level="idea")
            page.mark(one["number"], LANGUAGE, NOTHING, marks="0.5" if one is works[0] else "0.25")
    second = marked(spec)
    assert second[waiting[0]] == ("marked", "3.75")
    assert [second[each][0] for each in waiting[1:]] == ["pending"] * (len(waiting) - 1)

    with reviewing(spec, "--by", "C. Chair", "--agree") as page:
        works = page.read("api/overview")["works"]
        assert [one["label"] for one in works] == waiting[1:]
        for one in works:
            value = page.read(f"api/work/{one['number']}")["criteria"][LANGUAGE]
            beside = [(each["role"], each["marks"]) for each in value["beside"]]
            assert beside == [
                ("first", "1"),
                ("second", "0.25"),
            ]
            page.mark(one["number"], LANGUAGE, NOTHING, marks="0")
    third = marked(spec)
    assert {status for status, _ in third.values()} == {"marked"}
    assert [third[each][1] for each in waiting[1:]] == ["3"] * (len(waiting) - 1)
    staff = (tmp_path / "out" / "staff" / f"{waiting[-1]}.html").read_text()
    student = (tmp_path / "out" / "students" / f"{waiting[-1]}.html").read_text()
    assert "first 1 by A. Marker, second 0.25 by Bea, agreed 0 by C. Chair" in staff
    assert "second 0.25" not in student
    done = grader("remark", tmp_path / "out", "-o", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    assert {
        one["id"]: (one["status"], one["mark"]) for one in results(tmp_path / "again")["submissions"]
    } == third


@pytest.mark.parametrize("option", ["--second", "--agree"])
def test_without_a_second_marking_there_is_none(tmp_path: Path, option: str) -> None:
    spec = essay(tmp_path, 2)
    done = grader("review", spec, tmp_path / "out", "--by", "me", "--no-browser", option)
    assert (done.returncode, "has no second marking" in done.stderr) == (2, True)

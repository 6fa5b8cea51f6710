"""Who handed in what cannot be taken is told what was found and why; nobody is told that it was nothing."""

import csv
import io
import zipfile
from pathlib import Path

import pytest
from support.command_line import grader, submissions

SPEC = """\
task: hw
title: HW
marks: 1
modules: {hw06: hw06.py}
LANGUAGE
questions:
  - {id: "1", title: f, marks: 1, cases: [{call: f(1), returns: 1}]}
"""
RIGHT = "def f(x): return x\n"


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, data in files.items():
            file.writestr(name, data)
    return made.getvalue()


WORKS: dict[str, dict[str, bytes]] = {
    "right": {"hw06.py": RIGHT.encode()},
    "pdf": {"report.pdf": b"%PDF-1.4\n"},
    "project": {"a/b/c/hw06.py": RIGHT.encode(), "a/d/hw06.py": b"x = 1"},
    "twice": {"outer.zip": zipped({"inner.zip": zipped({"hw06.py": RIGHT.encode()})})},
    "broken": {"hw06.ipynb": b"{"},
    "text": {"hw06.py.txt": RIGHT.encode()},
    "java": {"Different.java": b"public class Different {}"},
    "rar": {"work.rar": b"Rar!"},
    "damaged": {"work.zip": b"PK\x03\x04 and no more"},
    "nothing": {},
    "junk": {".DS_Store": b"x"},
}
FOUND = {
    "pdf": "report.pdf",
    "project": "a/b/c/hw06.py",
    "twice": "inner.zip is a zip inside a zip",
    "broken": "hw06.ipynb is no notebook",
    "text": "found hw06.py.txt — did you mean hw06.py?",
    "java": "Different.java",
    "rar": "work.rar is an archive of a kind that is not read",
    "damaged": "work.zip",
}


@pytest.fixture(scope="module", params=["", "language: de", "rules: [no recursion]"])
def out(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("taken")
    (folder / "spec.yaml").write_text(SPEC.replace("LANGUAGE", request.param))
    for name, files in WORKS.items():
        (folder / "in" / name).mkdir(parents=True)
        for file, data in files.items():
            path = folder / "in" / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    done = grader("mark", folder / "spec.yaml", folder / "in", "-o", folder / "out")
    assert done.returncode == 0, done.stderr
    assert "10 submissions with problems" in done.stdout
    assert "2 students have handed in nothing: junk and nothing" in done.stdout
    return folder / "out"


def test_only_who_handed_in_nothing_has_no_submission(out: Path) -> None:
    found = submissions(out)
    absent = {name for name, one in found.items() if one["status"] == "no-submission"}
    assert absent == {"nothing", "junk"}
    for name, words in FOUND.items():
        assert found[name]["mark"] == "0"
        assert words in " ".join(found[name]["problems"]), found[name]["problems"]
    with (out / "marks.csv").open(encoding="utf-8-sig") as file:
        rows = {row["student"]: row["status"] for row in csv.DictReader(file)}
    assert {name for name, status in rows.items() if status == "no-submission"} == absent
    assert (out / "junit.xml").read_text().count("<testcase") > len(FOUND)


@pytest.mark.parametrize("folder", ["students", "staff"])
def test_pages_say_what_was_found(out: Path, folder: str) -> None:
    for name in WORKS:
        for path in (out / folder).glob(f"{name}*.html"):
            page = path.read_text("utf-8")
            says_nothing = "Nothing was handed in" in page or "nichts abgegeben" in page
            assert says_nothing == (name in ("nothing", "junk")), name
            is_german = folder == "students" and '<html lang="de">' in page
            words = FOUND.get(name, "").split(" " if is_german else " — ")[0]
            assert words.removeprefix("found") in page, name


def test_german_pages_say_all_of_it_in_german(out: Path) -> None:
    if "language: de" not in (out.parent / "spec.yaml").read_text():
        pytest.skip("the task is in English")
    for name in WORKS:
        for path in (out / "students").glob(f"{name}*.html"):
            assert 'lang="en"' not in path.read_text("utf-8"), name
    page = (out / "students" / "text.html").read_text("utf-8")
    assert "hw06.py fehlt; gefunden: hw06.py.txt — war hw06.py gemeint?" in page
    project = (out / "students" / "project.html").read_text("utf-8")
    assert "das Gefundene lässt sich nicht dafür nehmen: a/b/c/hw06.py und a/d/hw06.py" in project


def test_check_and_intake_say_it_too(out: Path) -> None:
    spec, batch = out.parent / "spec.yaml", out.parent / "in"
    told = grader("intake", spec, batch).stdout
    for name, words in FOUND.items():
        assert words.split(" — ")[0][:40] in " ".join(told.split()), name

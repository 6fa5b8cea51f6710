"""`grader review` under attack: odd files, two processes at once, kills, full disks, blind marks, sheets."""

import csv
import io
import json
import os
import random
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command_line import grader, results
from support.reviewing import NOTHING, SPEC, WORK, Reviewing, essay, reviewing
from support.rows import first_of

from grader.records.reviews.reading import read_reviews
from grader.spec import load_task

METHOD, LANGUAGE = "report.method", "report.language"
IDS = [f"student-0{number}" for number in range(1, 7)]


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    return essay(tmp_path)


def own_file(spec: Path) -> Path:
    return spec.parent / "reviews" / "essay.yaml"


def seen(page: Reviewing, work: int, criterion: str) -> dict[str, object]:
    value = page.read(f"api/work/{work}")["criteria"][criterion]
    return {key: value[key] for key in NOTHING}


def is_marked_by(spec: Path) -> bool:
    """Tell whether `grader mark` takes the files as they are."""
    return grader("mark", spec, spec.parent / "in", "-o", spec.parent / "out", "-q").returncode == 0


# -- files ---------------------------------------------------------------------------------------------

LAYOUTS = {
    "a document that ends": (
        "- student: student-01\n  by: B\n  criteria: {report.method: {marks: 1}}\n... # end\n"
    ),
    "a dash on its own line": "-\n  student: student-01\n  by: B\n- # two\n  student: student-02\n  by: B\n",
    "a block in braces": "- {student: student-01, by: B, criteria: {report.method: {marks: 1}}} # b\n",
    "comments in braces": (
        "- student: student-01\n  by: B\n  criteria:\n"
        "    report.method: {marks: 1, # why\n      comment: x}  # end\n"
    ),
}


@pytest.mark.parametrize("text", first_of(LAYOUTS.values()), ids=LAYOUTS)
def test_odd_layouts_are_changed_and_stay_readable(fresh: Path, text: str) -> None:
    file = own_file(fresh)
    file.write_text(text)
    with reviewing(fresh) as page:
        for work in (1, 2):
            for criterion, to in (
                (METHOD, {"level": "all"}),
                (LANGUAGE, {"marks": "0.5", "comment": "a: #"}),
            ):
                status, found = page.mark(work, criterion, seen(page, work, criterion), **to)
                assert status == 200, found
            assert page.change(kind="remark", work=work, saw=None, to={"comment": "see"})[0] == 200
        read_reviews(file, load_task(fresh), IDS, whole_batch=True)
        after = file.read_text()
    for comment in ("# end", "# two", "# b", "# why"):
        assert (comment in after) == (comment in text)
    assert is_marked_by(fresh)
    assert results(fresh.parent / "out")["submissions"][0]["mark"] == "4.5"


@pytest.mark.parametrize(
    "words", first_of(["\U0001fae8", "\U0001f3f4\U000e0067\U000e007f", "\u0378", "\U000f0000"])
)
def test_characters_that_this_python_does_not_know_are_kept(fresh: Path, words: str) -> None:
    with reviewing(fresh) as page:
        status, found = page.mark(1, LANGUAGE, NOTHING, marks="1", comment=words)
        assert status == 200, found
    with reviewing(fresh) as page:
        assert seen(page, 1, LANGUAGE)["comment"] == words


def test_the_longest_comments_fit(fresh: Path) -> None:
    words = "\U0001f600" * 20_000
    with reviewing(fresh) as page:
        for saw, to in ((NOTHING, words), ({**NOTHING, "marks": "1", "comment": words}, words[1:] + '"')):
            change = {"kind": "mark", "work": 1, "criterion": LANGUAGE, "saw": saw}
            body = json.dumps({**change, "to": {"marks": "1", "comment": to}}, ensure_ascii=False).encode()
            status, _, answer = page.put("api/change", body, method="POST")
            assert status == 200, answer


def test_a_link_stays_a_link_and_the_mode_stays(fresh: Path) -> None:
    file = own_file(fresh)
    target = fresh.parent / "elsewhere.yaml"
    file.rename(target)
    target.chmod(0o600)
    file.symlink_to(target)
    with reviewing(fresh) as page:
        assert page.mark(1, LANGUAGE, NOTHING, marks="1")[0] == 200
    assert file.is_symlink()
    assert "marks: 1 " in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o600
    target.write_text("")
    assert is_marked_by(fresh)
    assert file.is_symlink()
    assert "student-06" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o600


@pytest.mark.acceptance
def test_a_file_of_more_values_than_a_spec_can_have_is_read(fresh: Path) -> None:
    file = own_file(fresh)
    marks = "".join(f"    - {{comment: remark {number}, by: B}}\n" for number in range(25_000))
    file.write_text(f"- student: student-01\n  by: B\n  remarks:\n{marks}")
    with reviewing(fresh) as page:
        assert page.mark(2, LANGUAGE, NOTHING, marks="1")[0] == 200
    assert read_reviews(file, load_task(fresh), IDS, whole_batch=True).by_student["student-02"].marks


@pytest.mark.parametrize("kind", ["folder", "mistakes", "not text", "loop"])
def test_while_the_file_can_not_be_read_nothing_is_changed_and_later_it_is(fresh: Path, kind: str) -> None:
    file = own_file(fresh)
    kept = file.with_name("kept")
    with reviewing(fresh) as page:
        assert page.mark(1, LANGUAGE, NOTHING, marks="1")[0] == 200
        file.rename(kept)
        if kind == "folder":
            file.mkdir()
        elif kind == "loop":
            file.symlink_to(file.name)
        else:
            file.write_bytes(b"- student: [\n" if kind == "mistakes" else b"\xff\xfe\x00")
        for _ in range(2):
            status, found = page.mark(2, LANGUAGE, NOTHING, marks="1")
            assert (status, str(file) in found["refused"]) == (503, True), found
        if kind == "folder":
            file.rmdir()
        else:
            file.unlink()
        kept.rename(file)
        assert page.mark(2, LANGUAGE, NOTHING, marks="1")[0] == 200
        assert seen(page, 1, LANGUAGE)["marks"] == "1"


def test_a_full_disk_loses_nothing(fresh: Path) -> None:
    folder = fresh.parent / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system of our own can be mounted here")
    try:
        file = folder / "essay.yaml"
        with reviewing(fresh, "--reviews", file) as page:
            given = 0
            while (answer := page.mark(1 + given, LANGUAGE, NOTHING, marks="1", comment="x" * 9000))[
                0
            ] == 200:
                given += 1
            assert (answer[0], "No space left" in answer[1]["refused"]) == (503, True), answer
            assert given >= 1
            assert [path.name for path in folder.iterdir()] == ["essay.yaml"]
            read_reviews(file, load_task(fresh), IDS, whole_batch=True)
            subprocess.run(["mount", "-o", "remount,size=1m", folder], check=True)
            assert page.mark(1 + given, LANGUAGE, NOTHING, marks="1")[0] == 200
            assert [bool(seen(page, 1 + each, LANGUAGE)["marks"]) for each in range(given + 1)] == [True] * (
                given + 1
            )
    finally:
        subprocess.run(["umount", folder], check=True)


# -- several at once, and kills ------------------------------------------------------------------------


def test_two_markers_on_one_file_at_once_lose_nothing(tmp_path: Path) -> None:
    spec = essay(tmp_path, count=16)
    told: dict[tuple[int, str], str] = {}
    with reviewing(spec) as one, reviewing(spec, "--by", "Bea") as two:

        def go(page: Reviewing, works: range) -> None:
            for work in works:
                for criterion, to in ((METHOD, {"level": "all"}), (LANGUAGE, {"marks": "1"})):
                    status, found = page.mark(work, criterion, NOTHING, **to)
                    told[work, criterion] = "ok" if status == 200 else str(found)

        threads = [
            threading.Thread(target=go, args=(page, range(start, 17, 2)))
            for page, start in ((one, 1), (two, 2))
        ]
        for thread in threads:
            thread.start()
        marked = grader("mark", spec, tmp_path / "in", "-o", tmp_path / "out2", "-q")
        assert marked.returncode == 0, marked.stderr
        for thread in threads:
            thread.join()
        assert set(told.values()) == {"ok"}, told
        assert [key for key in told if not seen(one, *key)["marks"]] == []


def test_a_change_that_stands_already_is_no_conflict(fresh: Path) -> None:
    with reviewing(fresh) as page:
        to = {"marks": "1", "reason": "why"}
        for _ in range(2):  # as when the answer to the first was lost
            assert page.mark(1, METHOD, NOTHING, level="all", comment="x")[0] == 200
            assert page.change(kind="remark", work=1, saw=None, to={"comment": "c"})[0] == 200
            assert page.change(kind="override", work=1, question="program", saw=None, to=to)[0] == 200
            assert page.change(kind="again", work=1, saw="", to="later")[0] == 200
            share = {"id": "s", "text": "t", "for": ""}
            assert page.change(kind="share", saw=None, to=share)[0] == 200
        assert len(page.read("api/work/1")["remarks"]) == 1


@pytest.mark.parametrize("seed", first_of(range(4)))
def test_what_was_answered_is_on_the_disk_when_the_server_is_killed(fresh: Path, seed: int) -> None:
    rng = random.Random(seed)
    answered: dict[tuple[int, str], tuple[str, str]] = {}
    open_ones: dict[tuple[int, str], tuple[str, str]] = {}
    for _ in range(3):
        with reviewing(fresh) as page:
            timer = threading.Timer(rng.uniform(0.01, 0.4), page.process.send_signal, (signal.SIGKILL,))
            timer.start()
            try:
                while True:
                    key = rng.randint(1, 6), LANGUAGE
                    to = rng.choice(["0", "0.5", "1"]), f"{rng.random()}\n- x: #"
                    saw = seen(page, *key)
                    open_ones[key] = to
                    status, found = page.mark(*key, saw, marks=to[0], comment=to[1])
                    assert status == 200, found
                    answered[key] = to
                    del open_ones[key]
            except (OSError, IndexError, ValueError):
                timer.join()
        read_reviews(own_file(fresh), load_task(fresh), IDS, whole_batch=True)
    with reviewing(fresh) as page:
        for key, to in answered.items():
            now = seen(page, *key)
            assert (now["marks"], now["comment"]) in (to, open_ones.get(key)), key
    assert [path.name for path in own_file(fresh).parent.iterdir()] == ["essay.yaml"]


@pytest.mark.parametrize("seed", first_of(range(3)))
def test_any_changes_are_what_an_oracle_says_and_what_marking_then_takes(fresh: Path, seed: int) -> None:
    rng = random.Random(seed)
    expected: dict[tuple[int, str], dict[str, object]] = {}
    with reviewing(fresh) as page:
        assert page.change(kind="share", saw=None, to={"id": "s", "text": "t", "for": ""})[0] == 200
        for _ in range(80):
            work, criterion = rng.randint(1, 6), rng.choice([METHOD, LANGUAGE])
            before = expected.get((work, criterion), NOTHING)
            saw = before if rng.random() < 0.8 else {**NOTHING, "comment": "never there"}
            level = rng.choice(["", "all", "idea", "none"]) if criterion == METHOD else ""
            marks = rng.choice(["", "0", "1"]) if not level else ""
            comment = rng.choice(["", "words", "- a: #\n\nb", "'\"\\", "... \n---"])
            uses = rng.choice([[], ["s"]])
            status, found = page.mark(
                work, criterion, saw, marks=marks, level=level, comment=comment, uses=uses
            )
            value = {"all": "2", "idea": "1", "none": "0"}.get(level, marks)
            to: dict[str, object] = {"marks": value, "level": level, "comment": comment, "uses": uses}
            assert status == (200 if saw == before or to == before else 409), found
            if status == 200:
                expected[work, criterion] = to
            if rng.random() < 0.1:
                file = own_file(fresh)
                file.write_text(file.read_text() + f"# by hand {rng.random()}\n")
        for key, given in expected.items():
            assert seen(page, *key) == given
    assert is_marked_by(fresh)
    for number, one in enumerate(results(fresh.parent / "out")["submissions"], 1):
        for each in one["questions"][1]["criteria"]:
            given = expected.get((number, each["id"]), NOTHING)
            assert (each["mark"] or "") == given["marks"]
            words = [*(["t"] if given["uses"] else []), *([given["comment"]] if given["comment"] else [])]
            assert each["comment"] == ("\n".join(map(str, words)) if given["marks"] else "")


# -- contradictions, and blind marking -----------------------------------------------------------------


def block(student: str, by: str, given: str) -> str:
    return f"- student: {student}\n  by: {by}\n  criteria: {{{given}}}\n"


def test_all_that_marking_refuses_is_shown(fresh: Path) -> None:
    folder = fresh.parent / "reviews" / "essay"
    folder.mkdir()
    own_file(fresh).unlink()
    give = "report.method: {level: all}"
    over = "  overrides: [{{question: program, marks: {}, reason: r}}]\n"
    shared = "- comment: why\n  text: {}\n"
    (folder / "A.-Marker.yaml").write_text(block(IDS[0], "A. Marker", give) + over.format(1))
    (folder / "B.yaml").write_text(
        block(IDS[0], "B", give) + over.format(2) + block(IDS[1], "B", give) + shared.format("one")
    )
    (folder / "C.yaml").write_text(block(IDS[1], "C", "report.method: {level: idea}") + shared.format("two"))
    assert not is_marked_by(fresh)
    with reviewing(fresh) as page:
        problems = " ".join(page.read("api/overview")["problems"])
        assert "student-01 and student-02" in problems
        assert "the shared comment why has other words in C.yaml than in B.yaml" in problems
        state = page.read("api/work/1")
        assert state["criteria"][METHOD]["against"] == [{"file": "B.yaml", "marks": "2", "by": "B"}]
        assert state["overrides"]["program"]["against"] == [{"file": "B.yaml", "marks": "2", "by": "B"}]
        assert page.read("api/work/2")["criteria"][METHOD]["against"] == [
            {"file": "C.yaml", "marks": "1", "by": "C"}
        ]


def test_blind_marking_hides_names_in_file_names_notes_and_mistakes(tmp_path: Path) -> None:
    spec = tmp_path / "essay.yaml"
    spec.write_text(SPEC.replace("marks: 5\n", "marks: 5\nblind: true\n", 1))
    work = tmp_path / "in" / "Zebulon Wombat_77001_assignsubmission_file" / "Zebulon Wombat"
    (work / "sub").mkdir(parents=True)
    (work / "work.py").write_text(WORK)
    (work / "sub" / "x.py").write_text(WORK)
    (work / "wombat-report.pdf").write_bytes(b"%PDF-")
    other = tmp_path / "in" / "Ottokar Li_77002_assignsubmission_file"
    other.mkdir()
    (other / "work.py").write_text(WORK + "public = 1\n")
    done = grader("mark", spec, tmp_path / "in", "-o", tmp_path / "out", "-q")
    assert done.returncode == 0, done.stderr
    ids = [one["id"] for one in results(tmp_path / "out")["submissions"]]
    assert ids == ["moodle-77001", "moodle-77002"]
    folder = tmp_path / "reviews" / "essay"
    folder.mkdir()
    names = ("zebulon", "wombat", "ottokar", "77001", "77002")

    def look(page: Reviewing) -> str:
        said = ""
        for number in (1, 2):
            works = (f"api/work/{number}", f"api/files/{number}", f"work/{number}/report")
            for path in (*works, f"work/{number}/file/0", "api/overview", "api/figures", ""):
                status, head, body = page.get(path)
                text = (head + body).decode("utf-8", "replace").lower()
                assert [name for name in names if name in text] == [], (path, status)
                said += text
        return said

    with reviewing(spec) as page:
        assert "public" in look(page)
        numbers = [one["number"] for one in page.read("api/overview")["works"]]
        for number in numbers:
            source = page.read(f"api/work/{number}")["sources"][0]["file"]
            to = {"file": source, "line": 1, "text": "def double", "comment": "here"}
            assert page.change(kind="remark", work=number, saw=None, to=to)[0] == 200
            assert page.read(f"api/work/{number}")["remarks"][0]["file"] == source
        own = folder / "A.-Marker.yaml"
        assert "Zebulon Wombat/work.py" in own.read_text()
        twice = block(ids[0], "B", "report.method: {level: all}")
        (folder / "B.yaml").write_text(twice * 2)
        assert "b.yaml:6:14: a mistake" in look(page)
        before = own.read_text()
        own.write_text(twice * 2)
        for answer in (
            page.mark(1, METHOD, NOTHING, level="all"),
            page.mark(2, METHOD, NOTHING, level="all"),
        ):
            assert (answer[0], [one for one in names if one in str(answer).lower()]) == (503, []), answer
        own.write_text(before)
        (folder / "B.yaml").write_text(twice.replace(ids[0], "Zebulon Wombat"))
        look(page)
    (folder / "B.yaml").unlink()
    assert is_marked_by(spec)
    pages = [(tmp_path / "out" / "students" / f"{one}.html").read_text() for one in ids]
    assert ["here" in one for one in pages] == [True, True]


# -- requests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", first_of([0, False, [], {}, 1.5, True, ["1"]], 2))
def test_a_value_of_another_type_is_never_taken_for_nothing(fresh: Path, wrong: object) -> None:
    with reviewing(fresh) as page:
        assert page.mark(1, LANGUAGE, NOTHING, marks="1", comment="x")[0] == 200
        saw = seen(page, 1, LANGUAGE)
        for to in ({"marks": wrong}, {"level": wrong}, {"comment": wrong}):
            status, found = page.mark(1, LANGUAGE, saw, **to)
            assert (status, "is no text" in found["refused"]) == (422, True), found
        assert seen(page, 1, LANGUAGE) == saw


def test_files_whose_place_nobody_knows_are_not_looked_for_in_the_current_folder(fresh: Path) -> None:
    for path in (fresh.parent / "out").glob("run.sqlite*"):
        path.unlink()
    (fresh.parent / "secret.txt").write_text("secret")
    with reviewing(fresh) as page:
        found = page.read("api/files/1")
        assert (found["files"], "are not where they were" in found["why"]) == ([], True)


def test_names_that_can_not_stand_in_the_file_are_refused_at_once(fresh: Path) -> None:
    done = grader("review", fresh, fresh.parent / "out", "--by", "A\x1b[31m", "--no-browser")
    assert (done.returncode, "--by needs a name" in done.stderr) == (2, True)


# -- sheets --------------------------------------------------------------------------------------------


class Sheet:
    """A sheet of a task, changed as a marker does."""

    def __init__(self, spec: Path) -> None:
        self.spec, self.path = spec, spec.parent / "s.csv"
        assert self._run("--to", self.path).returncode == 0
        text = self.path.read_text(encoding="utf-8-sig")
        self.rows = list(csv.reader(io.StringIO(text, newline="")))

    def _run(self, *options: str | Path) -> "subprocess.CompletedProcess[str]":
        return grader("review", self.spec, self.spec.parent / "out", "--by", "A. Marker", *options)

    def put(self, row: int, column: str, text: str) -> None:
        self.rows[row][self.rows[0].index(column)] = text

    def take(self, delimiter: str = ",", encoding: str = "utf-8-sig") -> "subprocess.CompletedProcess[str]":
        text = io.StringIO()
        csv.writer(text, delimiter=delimiter).writerows(self.rows)
        self.path.write_bytes(text.getvalue().encode(encoding))
        return self._run("--from", self.path, "--yes")


@pytest.fixture
def sheet(fresh: Path) -> Sheet:
    with reviewing(fresh) as page:
        for work, words in ((1, "old\nlines"), (2, "=1+1"), (3, "-"), (4, "'=x"), (5, "+49 30")):
            assert page.mark(work, METHOD, NOTHING, level="idea", comment=words)[0] == 200
    return Sheet(fresh)


def test_a_sheet_of_which_nothing_was_changed_changes_nothing_even_later(sheet: Sheet) -> None:
    before = own_file(sheet.spec).read_text()
    assert not any(cell[:1] in "=+-@" for row in sheet.rows[1:] for cell in row if cell)
    assert "0 changes taken" in sheet.take().stderr
    assert own_file(sheet.spec).read_text() == before
    with reviewing(sheet.spec) as page:
        assert page.mark(1, METHOD, seen(page, 1, METHOD), level="all", comment="newer words")[0] == 200
    after = own_file(sheet.spec).read_text()
    done = sheet.take()
    assert "0 changes taken" in done.stderr
    assert "student-01: report.method stays all; the sheet has idea" in done.stderr
    assert own_file(sheet.spec).read_text() == after


def test_a_comment_that_was_changed_in_both_places_is_not_overwritten(sheet: Sheet) -> None:
    with reviewing(sheet.spec) as page:
        assert page.mark(1, METHOD, seen(page, 1, METHOD), level="idea", comment="newer words")[0] == 200
    sheet.put(1, METHOD + " comment", "words of the sheet")
    done = sheet.take()
    assert (done.returncode, "was changed since the sheet was written" in done.stderr) == (2, True)
    assert "newer words" in own_file(sheet.spec).read_text()


def test_a_sheet_as_a_german_spreadsheet_saves_it(sheet: Sheet) -> None:
    for row in range(1, 7):
        sheet.put(row, LANGUAGE, "0,5")
    sheet.put(6, METHOD + " comment", "Größer\r\nals")
    sheet.put(5, METHOD + " comment", "'=HYPERLINK(1)")
    sheet.rows = [row[::-1] for row in sheet.rows]
    sheet.rows[1:] = sheet.rows[:0:-1]
    del sheet.rows[-1]
    done = sheet.take(";", "cp1252")
    assert (done.returncode, "7 changes taken" in done.stderr) == (0, True), done.stderr
    assert "0 changes taken" in sheet.take(";", "cp1252").stderr
    with reviewing(sheet.spec) as page:
        assert seen(page, 1, LANGUAGE)["marks"] == ""
        assert seen(page, 2, LANGUAGE)["marks"] == "0.5"
        assert seen(page, 6, METHOD)["comment"] == "Größer\nals"
        assert seen(page, 5, METHOD)["comment"] == "=HYPERLINK(1)"
        assert seen(page, 2, METHOD)["comment"] == "=1+1"


def _another(sheet: Sheet) -> None:
    spec = sheet.spec.parent
    (spec / "in" / "student-05" / "work.py").write_text(WORK + "# another\n")
    assert is_marked_by(sheet.spec)
    sheet.put(5, LANGUAGE, "1")


def _elsewhere(sheet: Sheet) -> None:
    folder = sheet.spec.parent / "reviews" / "essay"
    folder.mkdir()
    own_file(sheet.spec).rename(folder / "A.-Marker.yaml")
    (folder / "B.yaml").write_text(block(IDS[5], "B", "report.language: {marks: 1}"))
    sheet.path.unlink()
    sheet.rows = Sheet(sheet.spec).rows
    sheet.put(6, LANGUAGE, "0")


def _twice(sheet: Sheet) -> None:
    for number, row in enumerate(sheet.rows):
        row.append("0" if number else LANGUAGE)


def _other_was(sheet: Sheet) -> None:
    sheet.put(1, METHOD, "none")
    sheet.put(1, METHOD + " was", "all")


def _gone(sheet: Sheet) -> None:
    place = sheet.rows[0].index(METHOD)
    for row in sheet.rows:
        del row[place]


WRONG: dict[str, tuple[Callable[[Sheet], object], str]] = {
    "handed in again": (_another, "student-05 has handed in again since the sheet was written"),
    "given by another": (_elsewhere, "B gave this mark, in B.yaml; it can be changed there alone"),
    "two columns": (_twice, "two columns are called report.language"),
    "no column": (_gone, "there is no column report"),
    "a date": (lambda sheet: sheet.put(1, LANGUAGE, "01. Mai"), "'01. Mai' is no number of marks"),
    "a row twice": (lambda sheet: sheet.rows.append(sheet.rows[1]), "stands twice"),
    "another task": (lambda sheet: sheet.put(1, "row", "w0123456789ab"), "is no work here"),
    "another `was`": (
        _other_was,
        "is idea now, and was all when the sheet was written",
    ),
}


@pytest.mark.parametrize(("change", "told"), first_of(WRONG.values(), 2, several=True), ids=WRONG)
def test_a_sheet_that_does_not_fit_takes_nothing(
    sheet: Sheet, change: Callable[[Sheet], object], told: str
) -> None:
    sheet.put(6, METHOD, "none")
    change(sheet)
    before = _content(sheet.spec)
    done = sheet.take()
    assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    assert _content(sheet.spec) == before


def _content(spec: Path) -> dict[str, Any]:
    return {str(path): path.read_bytes() for path in (spec.parent / "reviews").rglob("*") if path.is_file()}


def test_a_block_that_can_not_be_changed_stops_the_whole_sheet(sheet: Sheet) -> None:
    file = own_file(sheet.spec)
    text = file.read_text().replace("    report.language:", "    ? report.language\n    :", 6)
    file.write_text(text)
    sheet.put(1, METHOD, "none")
    sheet.put(6, LANGUAGE, "1")
    before = file.read_text()
    done = sheet.take()
    assert (done.returncode == 2) == (file.read_text() == before), done.stderr


def test_to_and_from_are_not_both(fresh: Path) -> None:
    done = grader("review", fresh, fresh.parent / "out", "--by", "me", "--to", "a.csv", "--from", "b.csv")
    assert (done.returncode, "contradict each other" in done.stderr) == (2, True)


def test_nobody_else_may_write_into_the_folder(fresh: Path) -> None:
    """A folder that can't be written is told as such, and is asked again."""
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    folder = own_file(fresh).parent
    with reviewing(fresh) as page:
        folder.chmod(0o500)
        try:
            status, found = page.mark(1, LANGUAGE, NOTHING, marks="1")
            assert (status, "Permission denied" in found["refused"]) == (503, True), found
        finally:
            folder.chmod(0o700)
        assert page.mark(1, LANGUAGE, NOTHING, marks="1")[0] == 200

"""The pages as files: self-contained, well-formed, right for their reader."""

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.results_sample import RUN, TASK, results

from grader.model.errors import UsageError
from grader.model.results import RunResults, SandboxInfo, SubmissionResult
from grader.reports.html.pages import Pages
from grader.reports.render import render_all
from grader.reports.written_pages import FILE_NAME

VOID = {"meta", "line", "rect", "br", "link", "img"}


class Outline(HTMLParser):
    """Checks that elements close in order; notes headings, ids, links and classes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.headings: list[int] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.attributes |= set(found)
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if found.get("id"):
            self.ids.append(found["id"] or "")
        for key in ("href", "src", "action", "data"):
            if found.get(key):
                self.links.append(found[key] or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("report")
    render_all(results(), directory)
    return directory


def pages(report: Path) -> list[Path]:
    return sorted(report.rglob("*.html"))


def student(index: int) -> SubmissionResult:
    return list(results().submissions)[index]


def test_every_student_has_two_pages(report: Path) -> None:
    names = [f"student-0{number}.html" for number in range(1, 7)]
    assert sorted(path.name for path in (report / "staff").iterdir()) == names
    assert sorted(path.name for path in (report / "students").iterdir()) == names


def test_nothing_else_is_left_behind(report: Path) -> None:
    assert {path.name for path in report.iterdir()} == {
        "index.html",
        "staff",
        "students",
        "marks.csv",
        "junit.xml",
        "pages.txt",
    }


def test_pages_are_well_formed_and_ordered(report: Path) -> None:
    for path in pages(report):
        outline = Outline(path.read_text("utf-8"))
        assert outline.headings[0] == 1
        assert outline.headings.count(1) == 1
        steps = zip(outline.headings, outline.headings[1:], strict=False)
        assert all(after - before <= 1 for before, after in steps)
        assert len(outline.ids) == len(set(outline.ids))


def test_links_lead_to_pages_of_the_report_or_parts_of_the_page(report: Path) -> None:
    for path in pages(report):
        outline = Outline(path.read_text("utf-8"))
        for link in outline.links:
            if link.startswith("#"):
                assert link[1:] in outline.ids
            else:
                page, _, place = link.partition("#")
                target = (path.parent / page).resolve()
                assert target.is_file()
                assert not place or place in Outline(target.read_text("utf-8")).ids


def test_student_pages_link_nowhere(report: Path) -> None:
    for path in (report / "students").iterdir():
        assert all(link.startswith("#") for link in Outline(path.read_text("utf-8")).links)


def test_pages_have_no_handlers_and_no_inline_styles(report: Path) -> None:
    for path in pages(report):
        attributes = Outline(path.read_text("utf-8")).attributes
        assert not [name for name in attributes if name.startswith("on") or name == "style"]


def test_the_policy_names_the_style_and_the_script(report: Path) -> None:
    for path in pages(report):
        page = path.read_text("utf-8")
        policy = re.search('Content-Security-Policy" content="([^"]*)"', page)
        assert policy is not None
        assert policy.group(1).startswith("default-src &#39;none&#39;; ")
        for tag in ("style", "script"):
            for content in re.findall(f"<{tag}>(.*?)</{tag}>", page, re.DOTALL):
                digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
                assert f"{tag}-src &#39;sha256-{digest.replace('+', '+')}&#39;" in policy.group(1)


def test_no_page_of_a_student_has_a_script(report: Path) -> None:
    scripted = {path.parent.name for path in pages(report) if "<script" in path.read_text("utf-8")}
    assert scripted == {report.name, "staff"}


def test_accepted_cases_are_folded_and_failed_ones_open() -> None:
    page = Pages(results().run, results().task).student(student(1))
    cases = re.findall('<details class="case (good|part|bad|idle)"( open)?>', page)
    assert {(tone, bool(is_open)) for tone, is_open in cases} == {
        ("good", False),
        ("bad", True),
        ("bad", False),  # the second case of the same cause
        ("idle", False),  # skipped for another case's sake
    }


def test_a_student_page_says_what_is_wrong() -> None:
    page = Pages(results().run, results().task).student(student(1))
    assert '<pre class="paste">legal_moves(8, [], (2, 2))</pre>' in page
    assert '30<mark class="expected">4</mark>' in page
    assert "30<mark>3</mark>" in page
    assert "Clockwise from twelve o&#39;clock" in page
    assert "1 ms of 30 s" in page


def test_hidden_cases_are_told_to_staff_only() -> None:
    both = Pages(results().run, results().task)
    assert "524486" in both.staff(student(1))
    assert "524486" not in both.student(student(1))
    assert "524486" not in both.student(student(1), released=True)
    assert "Positions 12 and 13" in both.student(student(1), released=True)
    assert "Positions 12 and 13" not in both.student(student(1))


def test_a_page_made_after_the_staff_page_tells_no_more() -> None:
    fresh = Pages(results().run, results().task).student(student(1))
    used = Pages(results().run, results().task)
    used.staff(student(1))
    assert used.student(student(1)) == fresh


def test_what_was_cut_is_counted() -> None:
    page = Pages(results().run, results().task).student(student(2))
    assert re.search(r"… [\d,]+ characters left out …", page)
    assert '<span class="tag">20 times</span>' in page


def test_a_pending_mark_is_no_number() -> None:
    page = Pages(results().run, results().task).student(student(3))
    assert "<strong>pending</strong>" in page
    assert "The grader itself failed on some cases." in page


def test_the_index_warns_before_it_tells_marks(report: Path) -> None:
    page = (report / "index.html").read_text("utf-8")
    order = ["1 mark is pending", "2 guarantees of the sandbox did not hold", "Mean mark", 'id="students"']
    assert [page.index(text) for text in order] == sorted(page.index(text) for text in order)


def test_a_weak_sandbox_is_the_first_thing_said(tmp_path: Path) -> None:
    sandbox = SandboxInfo("posix", {"network": False})
    weak = replace(results(), run=replace(RUN, sandbox=sandbox))
    page = render_all(weak, tmp_path).read_text("utf-8")
    assert page.index("Weak sandbox: posix") < page.index("network: student code could use the network")
    assert page.index("Weak sandbox: posix") < page.index("Mean mark")


def test_a_run_without_a_record_of_its_sandbox_is_told(tmp_path: Path) -> None:
    unknown = replace(results(), run=replace(RUN, sandbox=SandboxInfo("landlock")))
    assert "was not recorded" in render_all(unknown, tmp_path).read_text("utf-8")


def test_a_report_of_nobody(tmp_path: Path) -> None:
    page = render_all(RunResults(RUN, TASK, []), tmp_path).read_text("utf-8")
    assert "No submissions." in page
    assert (tmp_path / "marks.csv").read_bytes().count(b"\r\n") == 1


def test_rendering_again_gives_the_same_files(report: Path, tmp_path: Path) -> None:
    render_all(results(), tmp_path)
    for path in sorted(tmp_path.rglob("*.*")):
        if path.name == FILE_NAME:  # tells when the others were written
            continue
        assert path.read_bytes() == (report / path.relative_to(tmp_path)).read_bytes()


def test_a_folder_that_cannot_be_written_is_a_users_mistake(tmp_path: Path) -> None:
    (tmp_path / "staff").write_text("a file where a folder is due")
    with pytest.raises(UsageError, match="cannot be written"):
        render_all(results(), tmp_path)


def test_pages_of_a_report_that_was_killed_go_with_their_students(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr("grader.reports.render.write_marks", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            render_all(results(), tmp_path)
    assert (tmp_path / "staff" / "student-02.html").exists()
    fewer = results()
    fewer = replace(fewer, submissions=[each for each in fewer.submissions if each.id != "student-02"])
    render_all(fewer, tmp_path)
    assert not list(tmp_path.glob("*/student-02.html"))
    assert (tmp_path / "staff" / "student-03.html").exists()

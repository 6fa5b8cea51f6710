"""Text from submissions that wants more than to be read: nothing of it gets through.

Every field that a student can fill holds the same attacks; every output is then looked at
with the eyes of its reader: an HTML parser, an XML parser, a spreadsheet, a terminal, a CI
system.  And a canary in each field of the hidden cases must not show up at a student.
"""

import csv
import json
import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from support.results_sample import RUN, TASK, case, question

from grader.model.case import Visibility
from grader.model.results import (
    Difference,
    Frame,
    QuestionResult,
    Raised,
    RuleEffect,
    RuleFinding,
    RuleResult,
    RunResults,
    SourceText,
    Status,
    SubmissionResult,
)
from grader.model.verdict import Verdict
from grader.reports.junit import JUnitFile
from grader.reports.render import render_all
from grader.reports.terminal.cohort import summary_lines
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.store.reading import stream_results
from grader.store.results_json import write_results

ATTACKS = (
    "<script>alert(1)</script>",
    "</pre></code></details><img src=x onerror=alert(1)>",
    "</title></style></script><svg onload=alert(1)>",
    '" onmouseover="alert(1)" x="',
    "' autofocus onfocus='alert(1)",
    "{{ 7 * 7 }}{% for x in run %}{{ x }}{% endfor %}{{ ''.__class__ }}",
    "]]><evil/><!-- --><![CDATA[",
    "&lt;b&gt; &amp; &#60;script&#62;",
    "\x1b[2J\x1b]0;title\x07\x9b31m\x1b[1A",
    "abc\u202egnp.exe\u202c \u2066hidden\u2069 zero\u200bwidth\u2028line",
    '=HYPERLINK("http://evil";"click")',
    "\x00\x08\x0b\x0c\ufffe\uffff\ud800\udfff",
    "\n::error::forged\n::set-output name=x::y\n##[error]forged",
    "../../../etc/passwd",
    "[bold red]markup[/bold red] [link=http://evil]x[/link]",
    "javascript:alert(1)",
)
EVERYTHING = "\n".join(ATTACKS)


class Seen(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []
        self.comments: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.add(name)
            if name in ("href", "src"):
                self.links.append(value or "")

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def handle_data(self, data: str) -> None:
        self.text += data


def hostile_question(text: str, visibility: Visibility = Visibility.PUBLIC) -> QuestionResult:
    """Return a question whose cases have the text in every field that there is."""
    line = text.split("\n")[0].strip()
    fields: dict[str, object] = {
        "visibility": visibility,
        "message": text,
        "expected": text,
        "actual": text + "!",
        "difference": Difference(text, text + "?", text + "!!", code=text),
        "stdout": text,
        "stderr": text,
        "raised": Raised(text, text, (Frame(text, 1, text, text), Frame(f"{text}.py", 1, text, line))),
        "stopped_at": Frame(f"{text}.py", 1, text, line),
        "hint": text,
        "group": text,
    }
    verdicts = (Verdict.WRONG_ANSWER, Verdict.EXCEPTION, Verdict.SKIPPED, Verdict.ACCEPTED, Verdict.PARTIAL)
    cases = [case(f"1.{number}", text, verdict, **fields) for number, verdict in enumerate(verdicts)]
    found = (RuleFinding(text, 1, text, text),)
    cases.append(case("1.rule", text, Verdict.RULE_BROKEN, **fields, findings=found))
    return question("1", Fraction(1, 2), *cases)


def student(text: str, *questions: QuestionResult) -> SubmissionResult:
    return SubmissionResult(
        id=text,
        name=text,
        mark=Fraction(1, 2),
        max_mark=Fraction(8),
        status=Status.MARKED,
        problems=(text,),
        notes=(text,),
        questions=questions,
        sources=(SourceText(text, f"{text}.py", text), SourceText("m", "m.py", text)),
        rules=(
            RuleResult(
                rule=text,
                effect=RuleEffect.PENALTY,
                findings=(RuleFinding(text, 1, text, text),),
                hint=text,
                note=text,
            ),
        ),
    )


def hostile_document() -> RunResults:
    students = [student(attack, hostile_question(attack)) for attack in ATTACKS]
    students.append(student("all", hostile_question(EVERYTHING)))
    pending = student("pending\n::error::x", hostile_question(EVERYTHING))
    students.append(
        SubmissionResult(
            id=pending.id, name=EVERYTHING, mark=Fraction(0), max_mark=Fraction(8), status=Status.PENDING
        )
    )
    return RunResults(RUN, TASK, students)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("hostile") / "report"
    directory.mkdir()
    write_results(directory / "results.json", hostile_document())
    render_all(stream_results(directory / "results.json"), directory)
    return directory


@pytest.fixture(scope="module")
def pages(report: Path) -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in report.rglob("*.html")}


def misleading(text: str) -> set[str]:
    """Return the characters in the text that act or deceive, newline and tab apart."""
    present = set(text)
    controls = {one for one in present if unicodedata.category(one) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return (controls - {"\n", "\t"}) | (present & {"\ufffe", "\uffff"})


def test_every_student_has_pages_and_none_lies_elsewhere(report: Path, pages: dict[Path, str]) -> None:
    assert len(pages) == 2 * (len(ATTACKS) + 2) + 1
    assert {path.parent for path in pages} == {report, report / "staff", report / "students"}
    assert {path.name for path in report.parent.iterdir()} == {"report"}


def test_pages_hold_no_foreign_element(pages: dict[Path, str]) -> None:
    ours = {
        *("html", "head", "meta", "title", "style", "body", "script", "header", "main", "nav", "section"),
        *(
            "footer",
            "div",
            "p",
            "span",
            "h1",
            "h2",
            "h3",
            "a",
            "b",
            "bdi",
            "strong",
            "small",
            "code",
            "pre",
            "mark",
        ),
        *("table", "thead", "tbody", "tr", "th", "td", "data", "ol", "ul", "li", "dl", "dt", "dd"),
        *("details", "summary", "figure", "figcaption", "svg", "line", "rect", "text", "path", "br"),
    }
    for page in pages.values():
        assert Seen(page).tags <= ours


def test_pages_hold_no_handler_no_style_and_no_comment(pages: dict[Path, str]) -> None:
    for page in pages.values():
        seen = Seen(page)
        assert not [name for name in seen.attributes if name.startswith("on") or name in ("style", "src")]
        assert "autofocus" not in seen.attributes
        assert seen.comments == []


def test_pages_link_only_inside_the_report(report: Path, pages: dict[Path, str]) -> None:
    for path, page in pages.items():
        for link in Seen(page).links:
            beside = r"|\.\./staff/[^/:]*$" if path.parent.name == "staff" else ""
            assert re.match(rf"#|\.\./index\.html$|\.\./students/[^/:]*$|staff/[^/:]*${beside}", link)
            assert path.is_relative_to(report)


def test_scripts_and_styles_are_our_own(pages: dict[Path, str]) -> None:
    for path, page in pages.items():
        # The index has its results as data, and a script.
        assert page.count("<script") == {"students": 0, "staff": 1}.get(path.parent.name, 2)
        assert page.count("<style") == 1


def test_templates_are_not_run(pages: dict[Path, str]) -> None:
    template = next(attack for attack in ATTACKS if attack.startswith("{{"))
    shown = [page for page in pages.values() if template in Seen(page).text]
    assert len(shown) >= 4
    assert not [page for page in pages.values() if "49{" in page]


def test_escapes_are_shown_once_and_not_read(pages: dict[Path, str]) -> None:
    assert [page for page in pages.values() if "&lt;b&gt; &amp; &#60;script&#62;" in Seen(page).text]


def test_pages_hold_no_character_that_misleads(pages: dict[Path, str]) -> None:
    for page in pages.values():
        assert misleading(page) == set()
        assert misleading(Seen(page).text) == set()


def test_the_results_file_is_plain_ascii(report: Path) -> None:
    content = (report / "results.json").read_bytes()
    assert misleading(content.decode("ascii")) == set()
    assert json.loads(content)["schema"] == "grader-results/1"


@pytest.mark.parametrize("for_students", [False, True])
def test_the_junit_file_is_xml_and_holds_the_texts(tmp_path: Path, for_students: bool) -> None:
    path = tmp_path / "junit.xml"
    with JUnitFile(path, TASK.id, for_students=for_students) as junit:
        for submission in hostile_document().submissions:
            junit.add(submission)
    root = ElementTree.parse(path).getroot()
    known = {"testsuites", "testsuite", "properties", "property", "testcase", "failure", "skipped"}
    assert {element.tag for element in root.iter()} == known | {"system-out", "system-err"}
    texts = "".join(
        text for element in root.iter() for text in (element.text or "", *element.attrib.values())
    )
    assert misleading(texts) == set()
    assert "<script>alert(1)</script>" in texts


def test_no_cell_of_the_marks_is_a_formula_or_a_line_of_its_own(report: Path) -> None:
    with (report / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + len(ATTACKS) + 2
    for row in rows:
        assert len(row) == len(rows[0])
        for cell in row:
            assert not re.match(r"[=+\-@\t\r\n]", cell)
            assert misleading(cell) == set()
            assert "\n" not in cell


@pytest.fixture(scope="module")
def terminal() -> str:
    found = hostile_document()
    parts = [to_text(summary_lines(found))]
    parts += [to_text(check_lines(found.task, one)) for one in found.submissions]
    return "".join(parts)


def test_a_terminal_obeys_nothing(terminal: str) -> None:
    assert misleading(terminal) == set()
    assert "\t" not in terminal
    assert "[bold red]markup[/bold red]" in terminal


def test_a_ci_system_obeys_nothing(terminal: str) -> None:
    assert not [line for line in terminal.splitlines() if line.lstrip().startswith("::")]
    assert "##[" not in terminal


# A canary in each field of the hidden cases.


def canaries() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"CANARY{number:03d}x"


def hidden_case(case_id: str, verdict: Verdict, visibility: Visibility, names: Iterator[str]) -> Any:
    return case(
        case_id,
        f"call_of_hidden({next(names)!r}, {next(names)!r}, 'a rather long argument')",
        verdict,
        visibility=visibility,
        group=next(names),
        message=next(names),
        expected=next(names),
        actual=next(names),
        difference=Difference(next(names), next(names), next(names)),
        stdout=next(names),
        stderr=next(names),
        raised=Raised(next(names), next(names), (Frame(next(names), 98765, next(names), next(names)),)),
        hint=next(names),
        cpu_s=0.98765,
        wall_s=4.98765,
        peak_rss_b=987_654_321_000,
        time_limit_s=98.765,
    )


def secretive_document() -> RunResults:
    """Return a run in which every verdict occurs in a hidden case."""
    names = canaries()
    cases = []
    for number, verdict in enumerate(Verdict):
        kind = (Visibility.HIDDEN, Visibility.AFTER_DUE)[number % 2]
        cases.append(hidden_case(f"1.{number}", verdict, kind, names))
    call = cases[0].call
    reasons = (f"Skipped: {call} was not accepted.", f"Skipped: {call[:40]}… was not accepted.", call)
    skipped = [
        case(f"2.{number}", f"public_call({number})", Verdict.SKIPPED, message=reason)
        for number, reason in enumerate(reasons)
    ]
    one = student("student-01", question("1", 0, *cases), question("2", 0, *skipped))
    return RunResults(RUN, TASK, [one])


TOLD_OF_HIDDEN = (
    "CANARY",
    "call_of_hidden",
    "rather long argument",
    "98765",
    "988 ms",
    "4.99 s",
    "1 min 39",
    "920 GiB",
)
TELLTALES = re.compile("|".join(re.escape(text) for text in TOLD_OF_HIDDEN))


def test_the_staff_page_has_every_telltale(tmp_path: Path) -> None:
    found = secretive_document()
    render_all(found, tmp_path)
    text = (tmp_path / "staff" / "student-01.html").read_text("utf-8")
    assert [telltale for telltale in TOLD_OF_HIDDEN if telltale not in text] == []


def hidden_cases(page: str) -> int:
    """Return the number of hidden cases that a page counts, in several rows."""
    return sum(map(int, re.findall(r"(\d+) (?:hidden cases?|of them hidden)", page)))


def test_student_pages_say_nothing_of_hidden_cases(tmp_path: Path) -> None:
    found = secretive_document()
    render_all(found, tmp_path)
    (page,) = (tmp_path / "students").iterdir()
    text = page.read_text("utf-8")
    assert not TELLTALES.search(text)
    assert hidden_cases(text) == len(Verdict)
    assert text.count("public_call(") == 2 * 3


def test_released_pages_show_only_what_waited_for_it(tmp_path: Path) -> None:
    found = secretive_document()
    render_all(found, tmp_path, released=True)
    text = (tmp_path / "students" / "student-01.html").read_text("utf-8")
    assert hidden_cases(text) == (len(Verdict) + 1) // 2
    shown = set(re.findall(r"CANARY\d+x", text))
    (submission,) = found.submissions
    for one in submission.questions[0].cases:
        inside = set(re.findall(r"CANARY\d+x", repr(one)))
        if one.visibility == "hidden":
            assert not inside & shown
        else:
            assert inside & shown


def test_feedback_in_the_terminal_says_nothing_of_hidden_cases() -> None:
    found = secretive_document()
    (submission,) = found.submissions
    text = to_text(check_lines(found.task, submission))
    assert not TELLTALES.search(text)
    assert "public_call(0)" in text


def test_the_junit_file_for_students_says_nothing_of_hidden_cases(tmp_path: Path) -> None:
    found = secretive_document()
    with JUnitFile(tmp_path / "junit.xml", TASK.id, for_students=True) as junit:
        for submission in found.submissions:
            junit.add(submission)
    text = (tmp_path / "junit.xml").read_text("utf-8")
    assert not TELLTALES.search(text)
    cases = [case for one in found.submissions for question in one.questions for case in question.cases]
    assert text.count("<testcase ") == len(cases) > len(Verdict)

"""Source text made to harm, on the pages that show it: bounded, escaped, and only that of its student."""

import re
import zipfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from support.intake_reading import collect
from support.marking import cases, mark, question
from support.results_sample import RUN, TASK, results

from grader.engine.submission.sources import FILES_MAX, TOTAL_MAX_B, kept_sources
from grader.exports import csv_file, junit, markdown
from grader.exports.forge import github_classroom
from grader.exports.job import Job
from grader.model.case import Visibility
from grader.model.results import Frame, Raised, RunResults, SourceText, SubmissionResult
from grader.model.task import Task
from grader.model.verdict import Verdict
from grader.plugins.lms.exports import gradescope
from grader.reports.html.pages import Pages
from grader.reports.render import render_all
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.store.results_json import submission_of, submission_text

NASTY = "x = 1  # </script><script>alert(1)</script> \u202egnp \x1b[2J\u2028{{ 7654 * 7654 }}"


def pages_of(result: SubmissionResult) -> tuple[str, str]:
    pages = Pages(RUN, TASK)
    return pages.student(result), pages.staff(result)


def test_text_that_wants_more_than_to_be_read_is_read(tmp_path: Path) -> None:
    """The whole way: sandbox, results file, both pages."""
    work = {
        "work": f"import helper\ndef f():\n    return helper.g()  {NASTY[7:]}\n",
        "helper": "def g():\n    {\n",
    }
    result = mark(tmp_path, question("{call: f(), returns: 1}"), work)
    assert cases(result)["1.1"].verdict == Verdict.LOAD_ERROR
    for page in pages_of(submission_of(submission_text(result))):
        assert "<script>alert" not in page
        assert "&lt;/script&gt;" in page
        assert "\\u202egnp" in page
        assert not set(page) & {"\u202e", "\x00", "\x1b", "\u2028"}
        assert "58583716" not in re.findall(r"# .*", page)
        assert 'id="file-2-line-2" class="bad"' in page
        assert 'href="#file-2-line-2"' in page


def test_a_lone_surrogate_is_replaced(tmp_path: Path) -> None:
    result = mark(tmp_path, question("{call: f(), returns: 1}"), "x = '\ud800'\n")
    assert [one.text for one in result.sources] == ["x = '?'\n"]
    for page in pages_of(submission_of(submission_text(result))):
        page.encode("utf-8")


def test_nul_bytes_and_one_endless_line_are_cut(tmp_path: Path) -> None:
    work = "y = '" + "\x00" * 500_000 + "é" * 500_000 + "'"
    result = mark(tmp_path, question("{call: f(), returns: 1}"), work)
    (kept,) = result.sources
    assert len(kept.text) == 64 * 1024
    assert len(submission_text(result)) < 500_000
    for page in pages_of(result):
        assert len(page) < 60_000
        assert "\x00" not in page


def test_a_file_of_line_ends_makes_no_endless_page() -> None:
    sample = next(iter(results().submissions))
    lines = SourceText("work", "work.py", "\n" * 64 * 1024)
    for page in pages_of(replace(sample, sources=(lines,) * 4)):
        assert len(page) < 300_000
        assert "60,536 more lines left out" in page


def test_of_ten_thousand_files_few_are_kept(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "w.zip", "w") as archive:
        archive.writestr("work.py", "\n".join(f"import m{number}" for number in range(9_900)))
        for number in range(9_900):
            archive.writestr(f"m{number}.py", f"SECRET = {number}\n" + "#" * 100)
    (submission,) = collect([tmp_path / "w.zip"], {"work": "work.py"})
    task = cast(Task, SimpleNamespace(modules=(("work", "work.py"),)))
    kept = kept_sources(task, submission)
    assert len(kept) == FILES_MAX
    assert kept[0].module == "work"
    assert sum(len(one.text.encode()) for one in kept) <= TOTAL_MAX_B


def test_a_forged_traceback_leads_nowhere(tmp_path: Path) -> None:
    """The student's process says in which files and lines an exception was raised."""
    work = (
        "class E(Exception):\n    pass\n\n\ndef f():\n"
        "    code = compile('\\n' * 3 + 'raise ValueError', '\"><b>.py', 'exec')\n"
        "    exec(code)\n"
    )
    result = mark(tmp_path, question("{call: f(), returns: 1}"), work)
    for page in pages_of(result):
        assert "<b>.py" not in page
        assert not re.search(r'href="#file-\d+-line-4"', page)


def two_students() -> RunResults:
    first, second = [
        replace(each, sources=(SourceText("k", "k.py", f"SECRET_OF_{each.id.replace('-', '_')} = 1\n"),))
        for each in list(results().submissions)[:2]
    ]
    return RunResults(RUN, TASK, (first, second))


def test_a_source_is_on_the_pages_of_its_student_alone(tmp_path: Path) -> None:
    render_all(two_students(), tmp_path)
    for path in sorted(tmp_path.rglob("*")):
        if path.is_file():
            found = set(re.findall(r"SECRET_OF_student_0\d", path.read_text("utf-8")))
            is_own = path.parent.name in ("staff", "students")
            assert found == ({f"SECRET_OF_{path.stem.replace('-', '_')}"} if is_own else set())


def test_no_export_and_no_terminal_has_any_source(tmp_path: Path) -> None:
    run = two_students()
    for writer in (csv_file, github_classroom, gradescope, junit, markdown):
        target = tmp_path / writer.__name__
        writer.write(Job(run, tmp_path, target, lambda text: None))
        written = [target] if target.is_file() else [path for path in target.rglob("*") if path.is_file()]
        assert written
        assert not [path for path in written if b"SECRET_OF" in path.read_bytes()]
    for submission in run.submissions:
        assert "SECRET_OF" not in to_text(check_lines(TASK, submission))


def test_a_hidden_case_tells_its_student_nothing_by_the_source() -> None:
    """The pages of two students who differ in what hidden cases raised, and where, are the same."""
    sample = next(one for one in results().submissions if one.id == "student-02")
    source = SourceText("k", "k.py", "".join(f"line{number}()\n" for number in range(1, 60)))

    def with_line(line: int) -> SubmissionResult:
        frame = Frame("k.py", line, "f", f"line{line}()")
        questions = tuple(
            replace(
                each,
                cases=tuple(
                    case
                    if case.visibility == Visibility.PUBLIC
                    else replace(case, raised=Raised("E", f"{line}", (frame,)), stopped_at=frame)
                    for case in each.cases
                ),
            )
            for each in sample.questions
        )
        return replace(sample, questions=questions, sources=(source,), mark=Fraction(1))

    pages = Pages(RUN, TASK)
    assert pages.student(with_line(7)) == pages.student(with_line(41))
    assert pages.staff(with_line(7)) != pages.staff(with_line(41))

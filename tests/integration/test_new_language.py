"""A language comes by one file and one line of a list; intake, build, run, judge and handout know it then."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from support import perl
from support.declared import mark_folders
from support.marking import HEAD, cases, question

from grader.authoring.bundle.page import page_text
from grader.authoring.bundle.spec_text import spec_text
from grader.languages.toolchain import toolchain_named
from grader.model.results import SubmissionResult
from grader.model.task import Task
from grader.registry.groups import Group
from grader.registry.installed import Entry
from grader.registry.registry import registry
from grader.sandbox.tools.toolchains import compilers_of, missing_tool
from grader.spec import load_task
from grader.spec.writing.attachments import Attachments

MOST_LINES = 45
SPEC = question(
    '{program: work, stdin: "3\\n4\\n", arguments: [twice], stdout: "14\\n"}',
    '{program: work, dialogue: [{says: "n? ", answer: 3}, {says: "n? ", answer: end}], stdout: "3\\n"}',
    "{program: work, arguments: [fail], exit: 2}",
)
PROGRAM = """\
use strict;
$| = 1;
my ($how, $total) = (shift @ARGV // "", 0);
exit 2 if $how eq "fail";
while (1) {
    print "n? " unless $how;
    my $line = <STDIN> // last;
    $total += $line;
}
print $total * ($how ? 2 : 1), "\\n";
"""


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    entry = Entry(Group.LANGUAGES, "perl", "support.perl:LANGUAGE")
    monkeypatch.setitem(registry()._entries[Group.LANGUAGES], "perl", entry)
    path = tmp_path / "sample.yaml"
    path.write_text(f"{HEAD}toolchains: [c++, perl]\n{SPEC}")
    return load_task(path)


def marked(folder: Path, task: Task, files: Mapping[str, str]) -> SubmissionResult:
    if missing_tool(toolchain_named("perl")):
        pytest.skip("perl is not installed")
    work = folder / "student-01"
    work.mkdir()
    for name, text in files.items():
        (work / name).write_text(text)
    (result,) = mark_folders(task, [work]).values()
    return result


def test_a_program_is_marked(tmp_path: Path, task: Task) -> None:
    result = marked(tmp_path, task, {"Work.PL": PROGRAM})
    assert [(case.verdict, case.message) for case in cases(result).values()] == [("accepted", "")] * 3
    assert [case.call for case in cases(result).values()] == [
        "printf '3\\n4\\n' | perl Work.PL twice",
        "perl Work.PL",
        "perl Work.PL fail",
    ]
    assert result.notes == ("Work.PL was taken as work.pl: upper and lower case differ",)
    assert compilers_of(task.toolchains)["perl"]


def test_a_build_that_fails_is_told_at_its_line(tmp_path: Path, task: Task) -> None:
    result = marked(tmp_path, task, {"work.pl": PROGRAM.replace("$total += $line", "$totel += $line")})
    (message,) = {case.message for case in cases(result).values()}
    assert message.startswith('your program can\'t be built: Global symbol "$totel" requires')
    assert message.endswith("(line 8 of work.pl)")


def test_a_handout_names_it(task: Task) -> None:
    assert "C++ (`.cpp`, `.cc`, `.cxx`, `.c++`), Perl (`.pl`), in a file" in page_text(task, None, ())
    assert "toolchains:\n- c++\n- perl\n" in spec_text(task, (), False, Attachments("sample"))


def test_it_is_a_file_of_few_lines() -> None:
    assert len(Path(perl.__file__).read_text("utf-8").splitlines()) <= MOST_LINES

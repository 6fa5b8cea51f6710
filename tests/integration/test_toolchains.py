"""Programs in C and C++ are marked as those in Python; what cannot be built is told at its line."""

from pathlib import Path

import pytest
from support.declared import differences, mark_declared, mark_folders, read_declared
from support.toolchains import CPP

from grader.authoring.bench import programs_of
from grader.authoring.programs import read_programs
from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.marking.rounding import format_mark
from grader.model.errors import SpecError
from grader.model.submission import SourceFile, Submission
from grader.model.validation import Check
from grader.model.verdict import Verdict
from grader.plugins.validate.whole import Options, validate
from grader.sandbox.driver import Driver
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

ROOT = Path(__file__).parents[2]
TASK = load_task(ROOT / "docs" / "cookbook" / "toolchains.yaml")

needs_compiler = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")


@needs_compiler
@pytest.mark.acceptance
def test_a_sample_in_cpp_gets_every_mark_of_the_program() -> None:
    task = load_task(ROOT / "specs" / "tour-program.yaml")
    (result,) = mark_folders(task, [ROOT / "submissions" / "tour-program-cpp"]).values()
    marks = {question.id: format_mark(question.mark) for question in result.questions}
    full = {question.id: format_mark(question.marks) for question in task.questions}
    assert marks == full | {"report": "0"}, "a person marks the report"


@needs_compiler
@pytest.mark.acceptance
def test_closed_tours_in_cpp_get_their_declared_marks() -> None:
    task, batch = load_task(ROOT / "specs" / "closed-tour" / "program.yaml"), ROOT / "submissions"
    declared = read_declared(batch / "closed-tour-cpp")
    results = mark_declared(task, [batch / "closed-tour-cpp"], declared)
    assert differences(results, declared) == {}
    assert {"board.h", "board.cpp"} <= {each.file for each in results["student-01"].sources}


@needs_compiler
def test_a_failed_build_is_told_at_the_students_line(tmp_path: Path) -> None:
    folder = tmp_path / "student-01"
    folder.mkdir()
    (folder / "total.cpp").write_text('int main() {\n  return "\N{RIGHT-TO-LEFT OVERRIDE}<b>";\n}\n')
    (folder / "notes.zip").write_bytes(b"")
    (result,) = mark_folders(TASK, [folder]).values()
    for case in result.questions[0].cases:
        assert case.verdict is Verdict.LOAD_ERROR
        assert case.message.startswith("your program can't be built: ")
        assert case.message.endswith("(line 2 of total.cpp)")
        assert case.raised is None or case.raised.frames[0].source.startswith("return")


def test_the_specs_own_programs_may_be_in_another_language() -> None:
    programs = read_programs(TASK)
    own = {**programs.right, **programs.wrong}
    tried = {program.name.partition("/")[2]: program.submission for program in programs_of(TASK)[1:]}
    for read in (own, tried):
        assert {name: [file.name for file in each.files.values()] for name, each in read.items()} == {
            "in-c": ["total.c"],
            "in-cpp": ["total.cpp"],
            "no-semicolon": ["total.cpp"],
            "wild-pointer": ["total.c"],
        }


@needs_compiler
@pytest.mark.parametrize("quick", [True, False])
def test_they_are_validated(tmp_path: Path, quick: bool) -> None:
    spec = tmp_path / "toolchains.yaml"
    spec.write_text(TASK.spec_path.read_text().replace("toolchains: [c, c++]", "toolchains: [c]"))
    reference = (ROOT / "docs" / "cookbook" / "toolchains" / "reference" / "total.py").read_text()
    programs = {
        "reference/total.py": reference,
        "wrong/zero/total.c": "int main(void) { return 0; }\n",
        "wrong/expected.yaml": 'zero: {mark: "1", verdicts: {"1.1": wrong-answer}}\n',
    }
    for name, text in programs.items():
        place = tmp_path / "toolchains" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    found = validate(load_task(spec), Options(quick, mutants=0, jobs=1), lambda *_: None)
    told = [remark for remark in found.remarks if remark.check is Check.PROGRAMS]
    assert [(each.text, each.details) for each in told] == (
        [] if quick else [("wrong/zero does not get what is declared", (("mark", "declared 1, got 0"),))]
    )


@needs_compiler
def test_python_counts_where_both_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "student-01"
    folder.mkdir()
    (folder / "total.cpp").write_text("no C++")
    reference = ROOT / "docs" / "cookbook" / "toolchains" / "reference" / "total.py"
    (folder / "total.py").write_text(reference.read_text())
    (result,) = mark_folders(TASK, [folder]).values()
    assert format_mark(result.mark) == "3"
    assert result.notes == ("total.cpp was not read: another file counts",)


@pytest.mark.parametrize("driver", [Driver.LANDLOCK, Driver.SECCOMP, Driver.POSIX])
def test_other_drivers_refuse_with_one_message(driver: Driver) -> None:
    files = {"total": SourceFile("total.c", "int main(void) { return 0; }\n")}
    with Marker(prepare_run(TASK, driver, "")) as marker:
        result = marker.mark(Submission("student-01", "student-01", files)).result
    (message,) = {case.message for question in result.questions for case in question.cases}
    assert "programs in C need the sandbox driver namespaces" in message
    assert {case.verdict for question in result.questions for case in question.cases} == {
        Verdict.INTERNAL_ERROR
    }


READS_ALL = """\
task: reads-all
title: Reads all
marks: 1
modules: {main: main.py}
toolchains: [c]
questions:
  - id: "1"
    title: A sum
    marks: 1
    cases:
      - {program: main, stdin: {from: in.txt}, stdout: {from: out.txt}}
"""
SUMS = """\
#include <stdio.h>
int main(void) {
    long long sum = 0, x;
    %s
    while (scanf("%%lld", &x) == 1) sum += x;
    printf("%%lld\\n", sum);
}
"""


@needs_compiler
@pytest.mark.parametrize("numbers", [12_000, 700_000])
@pytest.mark.acceptance  # it builds programs in C++
def test_an_input_that_no_pipe_holds(tmp_path: Path, numbers: int) -> None:
    """The first needs more than one pipe; the second is near the most that a folder holds twice."""
    (tmp_path / "in.txt").write_text("".join(f"{7 * number}\n" for number in range(numbers)))
    (tmp_path / "out.txt").write_text(f"{sum(7 * number for number in range(numbers))}\n")
    spec = tmp_path / "reads-all.yaml"
    spec.write_text(READS_ALL)
    programs = {
        "main.py": "import sys\nprint(sum(map(int, sys.stdin)))\n",
        "main.c": SUMS % "",
        "device/main.c": SUMS % 'freopen("/dev/stdin", "r", stdin);',
        "writes/main.c": SUMS % 'if (fputs("1\\n", fopen("/dev/stdin", "a")) > 0) return 3;',
        "wrong/main.c": SUMS % 'scanf("%*d %*d");',
    }
    folders = []
    for name, text in programs.items():
        folder = tmp_path / name.replace("/", "-").replace(".", "-")
        folder.mkdir()
        (folder / name.rpartition("/")[2]).write_text(text)
        folders.append(folder)
    marked = mark_folders(load_task(spec), folders)
    found = {name: result.questions[0].cases[0] for name, result in marked.items()}
    right = ("main-py", "main-c", "device-main-c")
    assert {name: found[name].message for name in right} == dict.fromkeys(right, "")
    assert found["wrong-main-c"].verdict is Verdict.WRONG_ANSWER


def test_an_input_that_no_folder_holds_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in.txt").write_bytes(b"1\n" * (3 * 1024 * 1024 + 1))
    (tmp_path / "out.txt").write_text("1\n")
    spec = tmp_path / "reads-all.yaml"
    spec.write_text(READS_ALL)
    with pytest.raises(SpecError, match="this case reads more than 6 MiB"):
        load_task(spec)

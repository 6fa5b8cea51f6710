"""Validators: programs of the spec's that judge what a student's program printed."""

from pathlib import Path

import pytest
from support.command_line import cases_of, grader, submissions
from support.marking import cases, mark, question, verdicts
from support.toolchains import CPP

from grader.model.errors import SpecError
from grader.sandbox.driver import LADDER, WALLS, Driver
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

needs_compiler = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")

KATTIS = """
import sys
from helper import parsed

wanted, output = int(open(sys.argv[1]).read()), parsed(sys.stdin.read())
if sum(output) != wanted or sys.argv[4:] == ["short"] and len(output) > 2:
    open(sys.argv[3] + "judgemessage.txt", "w").write("for the jury")
    open(sys.argv[3] + "teammessage.txt", "w").write(f"the sum is {sum(output)}")
    sys.exit(43)
assert not open(sys.argv[2]).read() or sum(parsed(open(sys.argv[2]).read())) == wanted
sys.exit(42)
"""
HELPER = "def parsed(text):\n    return [int(word) for word in text.split()]\n"
CPP_KATTIS = """
#include <iostream>
#include "sum.h"
int main(int, char **argv) { return sum(std::cin) == read(argv[1]) ? 42 : 43; }
"""
CPP_TESTLIB = """
#include <iostream>
#include <fstream>
#include "sum.h"
int main(int, char **argv) {
    std::ifstream output(argv[2]);
    int found = sum(output);
    if (found == read(argv[1])) { std::cerr << "ok\\n"; return 0; }
    std::cerr << "wrong answer the sum is " << found << "\\n";
    return found == -1 ? 3 : 1;
}
"""
SUM_H = """
#include <fstream>
inline int sum(std::istream &in) { int all = 0, one; while (in >> one) all += one; return all; }
inline int read(const char *path) { std::ifstream file(path); return sum(file); }
"""
WORK = "n = int(input())\nprint(n - 1, 1)\n"
FILES = {
    "k/validate.py": KATTIS,
    "k/helper.py": HELPER,
    "c/validate.cc": CPP_KATTIS,
    "c/sum.h": SUM_H,
    "t/check.cpp": CPP_TESTLIB,
    "t/sum.h": SUM_H,
}
PYTHON = '{program: work, stdin: "9\\n", stdout: "4 5\\n", validator: k/validate.py}'
SHORT = '{program: work, stdin: "9\\n", validator: {file: k/validate.py, arguments: [short]}}'
SAME = '{program: work, stdin: "9\\n", stdout: same as reference, validator: k/validate.py}'
NATIVE = (
    '{program: work, stdin: "9\\n", validator: c/validate.cc}',
    '{program: work, stdin: "9\\n", validator: {file: t/check.cpp, protocol: testlib}}',
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_any_right_output_is_accepted(folder: Path) -> None:
    result = mark(folder, question(PYTHON, SHORT, SAME), WORK, reference="print(9)")
    assert {name: case.message for name, case in cases(result).items()} == {"1.1": "", "1.2": "", "1.3": ""}
    assert result.mark == 1


def test_a_wrong_one_is_refused_with_the_validators_words(folder: Path) -> None:
    found = cases(mark(folder, question(PYTHON, SHORT), "print(4, 4, 1)")).values()
    assert [(case.verdict, case.message) for case in found] == [
        ("accepted", ""),
        ("wrong-answer", "stdout: the sum is 9"),
    ]
    (case,) = cases(mark(folder, question(PYTHON), "print(4, 4)")).values()
    assert (case.verdict, case.message) == ("wrong-answer", "stdout: the sum is 8")
    assert case.expected_print == "", "one right answer is not what was to print"


@needs_compiler
def test_programs_in_cpp_by_both_protocols(folder: Path) -> None:
    assert mark(folder, question(*NATIVE), WORK).mark == 1
    messages = [case.message for case in cases(mark(folder, question(*NATIVE), "print(4, 4)")).values()]
    assert messages == ["stdout: validate.cc does not accept it", "stdout: wrong answer the sum is 8"]
    third = cases(mark(folder, question(NATIVE[1]), "print(-1)"))["1.1"]
    assert third.verdict == "internal-error"
    assert "check.cpp ended with exit code 3, which is no verdict" in third.message
    assert third.checker_note.startswith("wrong answer")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("import sys\nsys.exit(1)", "exit code 1, which is no verdict"),
        ("1 / 0", "it raised ZeroDivisionError"),
        ("import os\nos._exit(0)", "exit code 0, which is no verdict"),
        pytest.param("while True:\n    pass", "it computed too long", marks=pytest.mark.acceptance),
        ("import", "validate.py"),
    ],
)
def test_what_is_no_verdict_is_nobodys_wrong_answer(folder: Path, program: str, told: str) -> None:
    (folder / "k/validate.py").write_text(program)
    (case,) = cases(mark(folder, question(PYTHON), WORK)).values()
    assert case.verdict == "internal-error"
    assert told in case.message


@needs_compiler
def test_one_that_cannot_be_built(folder: Path) -> None:
    (folder / "c/validate.cc").write_text("int main( {\n")
    (case,) = cases(mark(folder, question(NATIVE[0]), WORK)).values()
    assert case.verdict == "internal-error"
    assert "validate.cc can't be built" in case.message


@needs_compiler
@pytest.mark.acceptance
@pytest.mark.parametrize("driver", LADDER)
def test_under_each_driver(folder: Path, driver: Driver) -> None:
    found = verdicts(mark(folder, question(PYTHON, NATIVE[0]), WORK, driver=driver))
    python = "accepted" if WALLS[driver].scratch_b else "internal-error"
    native = "accepted" if WALLS[driver].namespaces else "internal-error"
    assert found == {"1.1": python, "1.2": native}


@needs_compiler
@pytest.mark.acceptance
def test_programs_in_another_language(folder: Path) -> None:
    text = "toolchains: [c++]\n" + question(PYTHON, NATIVE[0])
    work = '#include <iostream>\nint main() { int n; std::cin >> n; std::cout << n - 1 << " 1"; }\n'
    assert mark(folder, text, {"work.cpp": work}).mark == 1


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("validator: k/none.py", "there is no file"),
        ("validator: k/validate.rb", "a validator is a program in Python, C or C++, and validate.rb is none"),
        ("validator: ../validate.py", "outside of the spec's folder"),
        ("validator: {arguments: [x]}", "`file` is missing"),
        ("validator: {file: k/validate.py, protocol: odd}", "one of kattis, testlib"),
        (
            "validator: k/validate.py, stdout: {text: x, whitespace: any}",
            "`stdout` is a whole text beside it",
        ),
        ("validator: k/validate.py, stdout: {contains: x}", "`stdout` is a whole text beside it"),
        ("validator: k/validate.py, dialogue: [{answer: end}]", "`dialogue` does not go with `validator`"),
    ],
)
def test_mistakes(folder: Path, case: str, told: str) -> None:
    (folder / "k/validate.rb").write_text("exit 42")
    with pytest.raises(SpecError) as raised:
        mark(folder, question(f"{{program: work, {case}}}"), WORK)
    assert told in str(raised.value)


def test_a_call_has_none(folder: Path) -> None:
    with pytest.raises(SpecError) as raised:
        mark(folder, question("{call: f(), validator: k/validate.py}"), WORK)
    assert "`program` names the module to run" in str(raised.value)


def test_the_whole_folder_is_of_the_digest(folder: Path) -> None:
    mark(folder, question(PYTHON), WORK)
    before = load_task(folder / "sample.yaml").spec_sha256
    (folder / "k/helper.py").write_text(f"{HELPER}# more\n")
    assert load_task(folder / "sample.yaml").spec_sha256 != before


def _write(folder: Path, text: str, works: dict[str, str]) -> None:
    head = "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\nreference: reference\n"
    (folder / "sample.yaml").write_text(head + text)
    for name, work in {"reference/work.py": WORK, **works}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(work)


@pytest.mark.acceptance
def test_every_consumer(folder: Path) -> None:
    """Marked, reported, checked, handed out, explained, replayed, tried, validated; twice in a row."""
    plain = '{program: work, stdin: "1\\n", stdout: "0 1\\n"}'
    works = {"sub/right/work.py": WORK, "sub/wrong/work.py": "print(int(input()) - 1, 0)\n"}
    works |= {"sample/wrong/off/work.py": "print(int(input()) - 1, 1 // 2)\n"}
    _write(folder, question(plain, PYTHON, SAME), works)
    for _ in range(2):
        done = grader("mark", "sample.yaml", "sub", "-o", "out", cwd=folder)
        assert done.returncode == 0, done.stderr
        marks = {name: one["mark"] for name, one in submissions(folder / "out").items()}
        assert marks == {"right": "1", "wrong": "0"}
    assert cases_of(folder / "out", "wrong")["1.2"]["message"] == "stdout: the sum is 8"
    assert "the sum is 8" in (folder / "out/students/wrong.html").read_text()
    explained = grader("explain", "out", "wrong", cwd=folder).stdout
    assert "the sum is 8" in explained
    assert "k/helper.py" in explained, "the run's record names it"
    assert grader("report", "out", cwd=folder).returncode == 0
    assert "The same verdict" in grader("replay", "out", "wrong", "1.2", "--to", "again", cwd=folder).stdout
    assert "Every program gets what it should" in grader("try", "sample.yaml", cwd=folder).stdout
    assert "the reference gets every mark" in grader("validate", "--quick", "sample.yaml", cwd=folder).stdout
    checked = grader("check", "sample.yaml", "sub/wrong", cwd=folder).stdout
    assert "the sum is 8" in checked

    made = grader("bundle", "sample.yaml", "-o", "hand", cwd=folder)
    assert "a program of the spec judges it" in made.stdout + made.stderr
    assert not [path for path in (folder / "hand").rglob("*") if "valid" in path.name]


def test_the_reference_is_judged_before_the_first_submission(folder: Path) -> None:
    (folder / "k/validate.py").write_text("import sys\nsys.exit(7)\n")
    _write(folder, question(PYTHON), {"sub/right/work.py": WORK})
    done = grader("mark", "sample.yaml", "sub", "-o", "out", cwd=folder)
    assert done.returncode == 3
    assert "sample.yaml:" in done.stderr
    assert "exit code 7, which is no verdict" in done.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize("protocol", ["kattis", "testlib", "dmoj"])
def test_a_crash_is_no_verdict_and_tells_students_nothing_of_the_answer(folder: Path, protocol: str) -> None:
    (folder / "k/validate.py").write_text(
        "import sys\nanswer = open('answer.txt').read()\nraise ValueError('SECRET ' + answer)\n"
    )
    validator = f"{{file: k/validate.py, protocol: {protocol}}}"
    case = f"{{program: work, stdin: x, stdout: hush, validator: {validator}}}"
    found = cases(mark(folder, question(case), "print(1)"))["1.1"]
    assert found.verdict == "internal-error"
    assert "validate.py gave no verdict: it raised ValueError (line 3 of validate.py)" in found.message
    assert "SECRET" not in found.message
    assert "SECRET hush" in found.checker_note


def test_an_error_output_is_for_the_staff(folder: Path) -> None:
    (folder / "k/validate.py").write_text("import sys\nprint('SECRET', file=sys.stderr)\nsys.exit(9)\n")
    found = cases(mark(folder, question(PYTHON), "print(1)"))["1.1"]
    assert "validate.py ended with exit code 9, which is no verdict" in found.message
    assert "SECRET" not in found.message
    assert found.checker_note == "SECRET"


@pytest.mark.acceptance  # it waits for the limits of two that hang
def test_one_that_hung_does_not_silence_another_of_its_name(folder: Path) -> None:
    (folder / "h").mkdir()
    (folder / "h/validate.py").write_text("while True:\n    pass\n")
    hangs = '{program: work, stdin: "9\\n", validator: h/validate.py}'
    text = "budget: {time: 60s}\n" + question(hangs, PYTHON)
    assert verdicts(mark(folder, text, WORK)) == {"1.1": "internal-error", "1.2": "accepted"}

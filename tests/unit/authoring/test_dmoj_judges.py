"""Judges of DMOJ's: compilers' flags, arguments, patterns of names, and judges in Python, read as text."""

import textwrap
import zipfile
from pathlib import Path

import pytest

from grader.model.case import ProgramRun
from grader.model.errors import UsageError
from grader.model.own_code import Interactor, Protocol, Validator
from grader.plugins.convert import read_tests, written
from grader.spec import load_task


def converted(folder: Path, files: dict[str, str]) -> list[ProgramRun]:
    """Return the programs' runs of a problem, of which the file `init.yml` is one."""
    package = folder / "package"
    package.mkdir(exist_ok=True)
    for name, text in files.items():
        (package / name).write_text(textwrap.dedent(text))
    written(read_tests(package, "dmoj", "main", "spec"), folder / "spec.yaml", "p", "dmoj")
    runs = [case.what for case in load_task(folder / "spec.yaml").cases]
    assert all(isinstance(run, ProgramRun) for run in runs)
    return [run for run in runs if isinstance(run, ProgramRun)]


def judge_of(run: ProgramRun) -> Validator:
    judge = run.validator or (run.interactor.program if isinstance(run.interactor, Interactor) else None)
    assert judge is not None
    return judge


def refused(folder: Path, files: dict[str, str]) -> str:
    with pytest.raises(UsageError) as caught:
        converted(folder, files)
    return str(caught.value)


def bridged(arguments: str, key: str = "checker") -> str:
    stated = f"{{name: bridged, args: {arguments}}}" if key == "checker" else arguments
    return f"{key}: {stated}\ntest_cases: [{{points: 10}}]\n"


def test_flags_that_define_a_name_are_lines_of_the_source(tmp_path: Path) -> None:
    files = {
        "init.yml": bridged("{files: check.c, flags: [-DFLAG, -D, SIZE=3, -O2, -std=c11]}"),
        "check.c": "int main() { return SIZE; }\n",
    }
    (run,) = converted(tmp_path, files)
    ((_, text),) = judge_of(run).texts
    assert text == '#define FLAG 1\n#define SIZE 3\n#line 1 "check.c"\nint main() { return SIZE; }\n'


@pytest.mark.parametrize("flag", ["-DA(x)=1", "-DA=1\\\\", "-include/etc/passwd", "@file", "-D"])
def test_no_flag_becomes_another_line(tmp_path: Path, flag: str) -> None:
    files = {"init.yml": bridged(f'{{files: check.c, flags: ["{flag}"]}}'), "check.c": "int main() {}\n"}
    assert "its compiler is given the flag" in refused(tmp_path, files)


@pytest.mark.parametrize(
    ("kind", "protocol"), [("coci", Protocol.COCI), ("peg", Protocol.PEG), ("testlib", Protocol.TESTLIB)]
)
def test_kinds_of_bridged_checkers(tmp_path: Path, kind: str, protocol: Protocol) -> None:
    files = {"init.yml": bridged(f"{{files: check.py, type: {kind}}}"), "check.py": "exit(0)\n"}
    (run,) = converted(tmp_path, files)
    assert judge_of(run).protocol is protocol
    assert "award: each" in (tmp_path / "spec.yaml").read_text()


@pytest.mark.parametrize("key", ["checker", "interactive"])
def test_arguments_in_place_of_the_usual_ones(tmp_path: Path, key: str) -> None:
    stated = "'{answer_file} \"two words\" -i={input_file}'"
    files = {
        "init.yml": bridged(f"{{files: check.py, args_format_string: {stated}}}", key),
        "check.py": "exit(0)\n",
    }
    (run,) = converted(tmp_path, files)
    assert judge_of(run).all_arguments == ("{answer}", "two words", "-i={input}")


def test_tests_named_by_patterns(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    with zipfile.ZipFile(tmp_path / "package/a.zip", "w") as archive:
        for name in ("1.in", "1.out", "10.in", "10.out", "2.a.in", "2.a.out", "2.b.in", "2.b.out", "notes"):
            archive.writestr(name, f"{name}\n")
    text = "archive: a.zip\ntest_cases:\n  input_format: '((?P<batch>\\d+)\\.)?(?P<case>\\w+)\\.in'\n"
    text += "  output_format: '((?P<batch>\\d+)\\.)?(?P<case>\\w+)\\.out'\n  case_points: [1, 2, 3]\n"
    runs = converted(tmp_path, {"init.yml": text})
    assert [run.stdin for run in runs] == ["1.in\n", "2.a.in\n", "2.b.in\n", "10.in\n"]
    assert [one.marks for one in load_task(tmp_path / "spec.yaml").questions] == [1, 2, 3]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("input_format: '('", "no pattern of at most 100"),
        ("input_format: '(a*)*b'", "no file of its archive has such a name"),
        ("input_format: '(\\w+)\\.in'", "finds no number of a test"),
        ("case_points: []", "not one number for each test"),
    ],
)
def test_patterns_that_say_nothing(tmp_path: Path, more: str, told: str) -> None:
    (tmp_path / "package").mkdir()
    with zipfile.ZipFile(tmp_path / "package/a.zip", "w") as archive:
        archive.writestr("1.in", "1\n")
    assert told in refused(tmp_path, {"init.yml": f"archive: a.zip\ntest_cases: {{{more}}}\n"})


def test_ends_of_lines_are_those_of_dmoj(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/a.in").write_bytes(b"1\r\n2\r3")
    text = "test_cases:\n- {in: a.in, out: a.in}\n- {in: a.in, out: a.in, binary_data: true}\n"
    assert [run.stdin for run in converted(tmp_path, {"init.yml": text})] == ["1\n2\n3\n", "1\r\n2\r3"]


CHECK = "def check(process_output, judge_output, judge_input, point_value, **kwargs):\n    return True\n"
OF_PYTHON = "checker: check.py\ntest_cases: [{points: 10}]\n"


def test_a_checker_in_python(tmp_path: Path) -> None:
    (run,) = converted(tmp_path, {"init.yml": OF_PYTHON, "check.py": CHECK})
    judge = judge_of(run)
    assert [name for name, _ in judge.texts] == ["ask_judge.py", "check.py"]
    assert (judge.protocol, judge.arguments) == (Protocol.KATTIS, ("[10, 0, 0, {}]",))
    compile(dict(judge.texts)["ask_judge.py"], "ask_judge.py", "exec")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            CHECK.replace("**kwargs", "result, **kwargs").replace("True", "result.max_memory"),
            "asks for `result`",
        ),
        (CHECK.replace("True", "kwargs['submission_source']"), "asks for `submission_source`"),
        (CHECK.replace("True", "kwargs.get('case')"), "asks for `case`"),
        (CHECK.replace("True", "sorted(kwargs)"), "asks for `all of them`"),
        (CHECK.replace("**kwargs", "other=1"), "does not take `batch`"),
        ("def check(**kwargs):\n    return True\n", "does not take an output"),
        ("check = 1\n", "has no function `check`"),
        ("from dmoj.judgeenv import env\n" + CHECK, "imports `dmoj.judgeenv.env`"),
        ("import dmoj\n" + CHECK, "imports `dmoj`"),
        ("print 'x'\n", "is not in this Python"),
        ("(" * 5000, "is not in this Python"),
    ],
)
def test_a_checker_that_asks_for_more(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(tmp_path, {"init.yml": OF_PYTHON, "check.py": text})


@pytest.mark.parametrize("name", ["../check.py", "check.txt", "ask_judge.py", "a b.py", "class.py"])
def test_a_judge_of_a_name_that_cannot_be(tmp_path: Path, name: str) -> None:
    files = {"init.yml": OF_PYTHON.replace("check.py", name), "check.txt": CHECK}
    (tmp_path / "check.py").write_text(CHECK)
    if "/" not in name:
        files[name] = CHECK
    assert "its judge `" in refused(tmp_path, files)


TALK = """
from dmoj.graders.interactive import InteractiveGrader

class Grader(InteractiveGrader):
    def interact(self, case, interactor):
        return interactor.readint() == int(case.input_data())
"""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (TALK.replace("(InteractiveGrader)", "(StandardGrader)"), "runs its programs itself"),
        (
            TALK + "    def check_result(self, case, result):\n        return True\n",
            "has a method `check_result`",
        ),
        (TALK.replace("return ", "return self.source and "), "asks for `self.source`"),
        (TALK.replace("case.input_data()", "case.config.x"), "asks for `case.config`"),
        (TALK.replace("interact(self", "talk(self"), "has no method `interact`"),
    ],
)
def test_an_interactive_judge_that_does_more(tmp_path: Path, text: str, told: str) -> None:
    init = "custom_judge: talk.py\ntest_cases: [{in: a.in, points: 10}]\n"
    assert told in refused(tmp_path, {"init.yml": init, "talk.py": text, "a.in": "7\n"})


def test_an_interactive_judge(tmp_path: Path) -> None:
    init = "custom_judge: talk.py\ntest_cases: [{in: a.in, points: 10}]\n"
    (run,) = converted(tmp_path, {"init.yml": init, "talk.py": TALK, "a.in": "7\n"})
    assert run.interactor is not None
    assert (run.interactor.stdin, run.interactor.program.file) == ("7\n", "ask_judge.py")

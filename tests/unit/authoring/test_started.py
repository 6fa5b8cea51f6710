"""Tests that start a program by `subprocess`: the cases that they become, and what is left out."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.written import Raw
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.checkers import checkers_source
from grader.plugins.convert.draft import Draft
from grader.spec import load_task

HEAD = """\
import re
import subprocess
import sys
import unittest
from subprocess import PIPE, Popen, check_output

CALC = [sys.executable, "calc.py"]
ADD = "1 + 2\\n"

class TestCalc(unittest.TestCase):
    def setUp(self):
        pass

"""
RUN = "done = subprocess.run(CALC, input=ADD, capture_output=True, text=True)\n"
POPEN = "calc = Popen('python3 -u calc.py'.split(), stdin=PIPE, stdout=PIPE, encoding='utf8')\n"
GOES_ON = "calc = Popen(CALC, stdin=subprocess.DEVNULL, stdout=PIPE, text=True)\n"
STOPPED = (
    "line = calc.stdout.readline()\ncalc.terminate()\nassert line == '1\\n'",
    "assert calc.stdout.read(4) == 'tick'\ncalc.kill()",
    "first = next(calc.stdout)\ncalc.kill()\nassert first == '1\\n'",
    "assert calc.stdout.readline() == '1\\n'",
    "for line in calc.stdout:\n    if line:\n        break\ncalc.kill()",
    "for line in calc.stdout:\n    calc.kill()",
    "line = calc.stdout.readline()\ncalc.stdout.close()\ncalc.wait()\nassert line == '1\\n'",
)
BYTES = "done = subprocess.run(CALC + ['-v'], input=b'1 + 2\\n', stdout=PIPE, stderr=PIPE, timeout=5)\n"


def read(tmp_path: Path, body: str, head: str = HEAD) -> Draft:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    path = tmp_path / "test_calc.py"
    path.write_text(f"{head}    def test_it(self):\n{lines}", encoding="utf-8")
    return read_tests(path, "gradescope-utils", "work")


def keys_of(draft: Draft) -> dict[str, str]:
    [question] = draft.questions
    [case] = question.cases
    return {key: value.text if isinstance(value, Raw) else str(value) for key, value in case.keys.items()}


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (
            RUN + "self.assertEqual(done.stdout, '3\\n')",
            {"program": "calc", "stdin": '"1 + 2\\n"', "exit": "any", "stdout": "3\n"},
        ),
        (
            RUN + "assert '3' in done.stdout, done.stderr\nassert done.returncode == 0",
            {"program": "calc", "stdin": '"1 + 2\\n"', "exit": "0", "stdout": '{contains: "3"}'},
        ),
        (
            BYTES + "self.assertIn(b'zero', done.stderr)\nself.assertEqual(2, done.returncode)",
            {
                "program": "calc",
                "arguments": '["-v"]',
                "stdin": '"1 + 2\\n"',
                "exit": "2",
                "stderr": '{contains: "zero"}',
                "limits": "{time: 5s}",
            },
        ),
        (
            POPEN + "out, err = calc.communicate('q\\n', timeout=0.5)\ncode = calc.returncode\n"
            "if code is None:\n    calc.kill()\nself.assertIsNotNone(code)\nself.assertEqual(out, 'bye\\n')",
            {
                "program": "calc",
                "stdin": '"q\\n"',
                "exit": "any",
                "stdout": "bye\n",
                "limits": "{time: 500ms}",
            },
        ),
        (
            "out = check_output(['python3', 'calc.py', '-q'], stdin=subprocess.DEVNULL, text=True)\n"
            "self.assertEqual(out, '')",
            {"program": "calc", "arguments": '["-q"]', "exit": "0", "stdout": ""},
        ),
        (
            RUN + "self.assertEqual(done.stdout, 'same as reference')",
            {
                "program": "calc",
                "stdin": '"1 + 2\\n"',
                "exit": "any",
                "stdout": '{text: "same as reference"}',
            },
        ),
    ],
)
def test_whole_texts_and_the_exit_code_are_keys(tmp_path: Path, body: str, keys: dict[str, str]) -> None:
    draft = read(tmp_path, body)
    assert keys_of(draft) == keys
    written(draft, tmp_path / "spec.yaml", "calc", "gradescope-utils")
    assert load_task(tmp_path / "spec.yaml").marks == 1
    assert draft.remarks == []
    assert draft.converted == draft.assertions > 0


PROGRAMS = {
    "right": "print('> ' + str(sum(int(x) for x in input().split(' + '))))",
    "wrong": "print('> 4')",
    "without-a-prompt": "print(3)",
    "silent": "",
    "failing": "import sys\nprint('> 3')\nsys.exit(7)",
    "raising": "print('> 3')\nraise ValueError('no')",
    "other-ends": "print('> 3', end='\\r\\n')",
    "no-text": "import os\nos.write(1, b'> 3\\xff\\n')",
}
BODIES = {
    "text": RUN + "answer = done.stdout[1:].split()[0]\nself.assertEqual(answer, '3')",
    "lines": RUN + "self.assertEqual(done.stdout.splitlines(), ['> 3'])",
    "pattern": RUN
    + "found = re.findall(r'\\d+', done.stdout)\nassert found == ['3'] and not done.returncode",
    "bytes": BYTES + "self.assertEqual(done.stdout.strip(), b'> 3')",
    "errors": RUN + "self.assertNotIn('Traceback', done.stderr)",
    "checked": "out = check_output(CALC, input=b'1 + 2\\n')\nself.assertTrue(out.startswith(b'>'))",
    "talk": POPEN
    + "out, err = calc.communicate(ADD, 9)\nself.assertTrue(out.startswith('>'))\ncalc.terminate()",
    "with": "with Popen(CALC, stdin=PIPE, stdout=PIPE, text=True) as calc:\n"
    "    out = calc.communicate(ADD)[0]\nself.assertEqual(out.split(), ['>', '3'])",
    "loop": GOES_ON + "out = []\ntry:\n    for line in calc.stdout:\n        out = [*out, line]\n"
    "finally:\n    calc.kill()\nself.assertEqual(out, ['> 3\\n'])",
    "items": GOES_ON + "out = [line.strip() for line in calc.stdout]\ncalc.kill()\nassert out == ['> 3']",
    "first": GOES_ON + "line = calc.stdout.readline()\ncalc.wait()\nassert line == '> 3\\n'",
    "stream": "calc = Popen(CALC, stdin=subprocess.DEVNULL, stdout=PIPE)\nout = calc.stdout.read().strip()\n"
    "self.assertEqual(out, b'> 3')\ncalc.terminate()",
}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of the programs."""
    found = {}
    for name, text in PROGRAMS.items():
        found[name] = tmp_path_factory.mktemp(name)
        (found[name] / "calc.py").write_text(text)
    return found


@cache
def did(folder: Path, stdin: bytes) -> dict[str, Any]:
    """Return what a checker gets of a program."""
    done = subprocess.run([sys.executable, "calc.py"], input=stdin, cwd=folder, capture_output=True)
    streams = {each: getattr(done, each).decode("utf-8", "surrogateescape") for each in ("stdout", "stderr")}
    return {**streams, "exit_code": done.returncode}


SOME = {"lines", "talk"}
"""The rest takes some seconds."""
OWN = """
import json, os, sys, unittest
names = {"__name__": "tests"}
exec(open(sys.argv[1]).read(), names)
verdicts = []
for folder in sys.argv[2:]:
    os.chdir(folder)
    verdicts.append(names["TestCalc"]("test_it").run(unittest.TestResult()).wasSuccessful())
print(json.dumps(verdicts))
"""
"""Prints what unittest says of the programs in some folders."""


@pytest.mark.parametrize(
    "name", [each if each in SOME else pytest.param(each, marks=pytest.mark.acceptance) for each in BODIES]
)
def test_a_checker_judges_as_the_test_itself(tmp_path: Path, folders: dict[str, Path], name: str) -> None:
    draft = read(tmp_path, BODIES[name])
    assert [*map(str, draft.remarks)] == []
    assert keys_of(draft)["check"] == "judged_1()"
    made: dict[str, Any] = {}
    exec(checkers_source(frozenset({"judged_1"}), draft.checkers), made)
    stdin = b"" if "DEVNULL" in BODIES[name] else b"1 + 2\n"
    found = [made["judged_1"](did(folder, stdin)) is None for folder in folders.values()]
    command: list[str | Path] = [
        sys.executable,
        "-W",
        "ignore",
        "-c",
        OWN,
        tmp_path / "test_calc.py",
        *folders.values(),
    ]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(command, env={**os.environ, "PATH": path}, capture_output=True, check=True)
    wanted = json.loads(done.stdout.splitlines()[-1])
    assert dict(zip(folders, found, strict=True)) == dict(zip(folders, wanted, strict=True))
    assert len({*wanted}) == 2


def test_rows_and_constants_are_given_to_the_checker(tmp_path: Path) -> None:
    head = "import subprocess\nimport pytest\n\nCALC = ('python', 'calc.py')\nSPACES = ' \\n'\n\n"
    rows = "@pytest.mark.parametrize('given, wanted', [('1\\n', '2'), ('2\\n', '3')])\n"
    body = (
        "def test_next(given, wanted):\n"
        "    done = subprocess.run(CALC, input=given, stdout=subprocess.PIPE, text=True)\n"
        "    assert done.stdout.strip(SPACES) == wanted\n"
    )
    (tmp_path / "test_calc.py").write_text(head + rows + body)
    draft = read_tests(tmp_path / "test_calc.py", "pytest", "work")
    [question] = draft.questions
    assert [str(case.keys["check"]) for case in question.cases] == ["judged_1()", "judged_2()"]
    made: dict[str, Any] = {}
    exec(checkers_source(frozenset(draft.checkers), draft.checkers), made)
    assert made["judged_2"]({"stdout": " 3\n", "exit_code": 0}) is None
    assert made["judged_2"]({"stdout": " 2\n", "exit_code": 0})


def test_the_input_of_the_tests_is_told(tmp_path: Path) -> None:
    draft = read(tmp_path, "out = check_output(CALC, text=True)\nself.assertEqual(out, '3\\n')")
    assert "stdin" not in keys_of(draft)
    assert [str(each.meaning) for each in draft.remarks] == ["stricter"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "done = subprocess.run(['./calc'], stdout=PIPE)\nassert done.stdout == b'3'",
            "not `python FILE.py`",
        ),
        (
            "done = subprocess.run(['python3', '-m', 'pytest'])\nassert not done.returncode",
            "`python3 -m pytest`",
        ),
        ("done = subprocess.run(['make', 'calc'])\nassert done.returncode == 0", "`make calc`"),
        (
            "done = subprocess.run('python3 calc.py | wc', shell=True)\nassert done.returncode == 0",
            "literal words",
        ),
        ("done = subprocess.run(CALC, cwd='x')\nassert done.returncode == 0", "`cwd=`"),
        ("done = subprocess.run(CALC, stderr=subprocess.STDOUT, stdout=PIPE)\nassert done.stdout", "STDOUT"),
        (RUN + RUN.replace("done", "other") + "assert done.stdout == other.stdout", "several programs"),
        (RUN + "with open('out.txt') as f:\n    assert f.read() == '3'", "`open`"),
        (RUN + "assert helper(done.stdout)", "`helper`"),
        (RUN + "assert helper(done)", "in a way that is not known"),
        (RUN + "self.check(done.stdout)", "`self.check`"),
        ("for text in ('1', '2'):\n    " + RUN + "    assert done.stdout == text", "in a loop"),
        (POPEN + "calc.stdin.write('1')\nassert calc.communicate()[0] == '1'", "while that may still run"),
        *((GOES_ON + body, "while that may still run") for body in STOPPED),
        (POPEN + "calc.terminate()\nassert calc.communicate(ADD)[0] == '1'", "while that may still run"),
        (POPEN + "assert calc.returncode is None\ncalc.communicate(ADD)", "while that may still run"),
        (POPEN + "assert calc.stdout.read() == '1'", "not known here"),
        (POPEN + "assert calc.poll() is None", "not known here"),
        (
            POPEN + "if ADD:\n    calc.communicate(ADD)\nassert calc.returncode == 0",
            "in a loop, in a condition",
        ),
        (
            "text = input()\ndone = subprocess.run(CALC, input=text)\nassert done.stdout",
            "`text` is no literal",
        ),
        (
            "done = subprocess.run(CALC, input='3', stdout=PIPE)\nassert done.stdout == b'3'",
            "its input is a str",
        ),
        ("subprocess.getoutput('python3 calc.py')", "has no counterpart"),
    ],
)
def test_what_is_not_certain_is_left_out(tmp_path: Path, body: str, reason: str) -> None:
    draft = read(tmp_path, body)
    assert draft.questions == []
    assert any(reason in each.reason for each in draft.remarks), draft.remarks


@pytest.mark.parametrize(
    "around",
    [
        "def subprocess():\n    pass",
        "subprocess.run(['make'])",
        "os.chdir('..')",
        "open('x', 'w').close()",
        "CALC.append('-v')",
        "os.environ['LEVEL'] = '3'",
        "os.environ |= {'LEVEL': '3'}",
        "del os.environ['HOME']",
        "import helper",
        "from calc import *\nfrom .helper import level",
        "@prepared\ndef helper():\n    pass",
        "def helper(level=os.putenv('LEVEL', '3')):\n    pass",
        "if __name__ != '__main__':\n    os.chdir('..')",
        "if __name__ == '__main__':\n    pass\nelse:\n    os.chdir('..')",
        "from helper import ADD",
    ],
)
def test_what_a_file_does_before_its_tests_is_respected(tmp_path: Path, around: str) -> None:
    head = HEAD.replace("class TestCalc", f"{around}\n\nclass TestCalc")
    assert read(tmp_path, RUN + "assert done.stdout == '3'", head).questions == []


MADE = "cmd = [sys.executable, 'calc.py', '-q']\n"
RUN_IT = "done = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, text=True)\n"
CHANGES = [
    "cmd.append('-v')",
    "cmd[2] = '-v'",
    "cmd[2] += 'v'",
    "del cmd[2]",
    "random.shuffle(cmd)",
    "other = cmd\nother.append('-v')",
    "for each in [cmd]:\n    each.append('-v')",
    "helper(words=cmd)",
]


@pytest.mark.parametrize("change", [*CHANGES, "cmd += ['-v']"])
def test_a_list_that_a_test_may_change_is_no_constant(tmp_path: Path, change: str) -> None:
    assert read(tmp_path, f"{MADE}{change}\n{RUN_IT}assert done.stdout == '3'").questions == []


@pytest.mark.parametrize("change", [*CHANGES, "global cmd\ncmd += ['-v']"])
def test_a_list_that_another_test_may_change_is_no_constant(tmp_path: Path, change: str) -> None:
    head = HEAD.replace("CALC =", f"{MADE}CALC =").replace("pass", change.replace("\n", "\n        "))
    head = head.replace("setUp", "helper")
    assert read(tmp_path, f"{RUN_IT}assert done.stdout == '3'", head).questions == []


def test_a_list_of_a_row_that_a_test_changes_is_no_constant(tmp_path: Path) -> None:
    (tmp_path / "test_calc.py").write_text(
        "import subprocess\nimport pytest\n\n"
        "@pytest.mark.parametrize('words', [['-q'], []])\ndef test_it(words):\n"
        "    words.append('-v')\n"
        "    assert subprocess.run(['python3', 'calc.py', *words]).returncode == 0\n"
    )
    assert read_tests(tmp_path / "test_calc.py", "pytest", "work").questions == []


def test_a_list_that_is_only_read_is_a_constant(tmp_path: Path) -> None:
    body = (
        "words = ['-q']\ndone = subprocess.run([*CALC, *words], input=ADD, capture_output=True, text=True)\n"
        "self.assertNotIn(done.stdout, words)\nassert done.stdout.split() == WANT and len(WANT) == 1\n"
        "for each in WANT:\n    self.assertIn(each, done.stdout)"
    )
    keys = keys_of(read(tmp_path, body, HEAD.replace("ADD =", "WANT = ['3']\nADD =")))
    assert (keys["arguments"], keys["check"]) == ('["-q"]', "judged_1()")


def test_what_the_top_of_a_file_names_is_no_effect(tmp_path: Path) -> None:
    around = (
        "try:\n    import pytest\nexcept ImportError:\n    pytest = None\n"
        "from calc import add\nunittest.TestCase.maxDiff = None\nHERE: str = __file__\n"
        "if sys.version_info > (3,):\n    A, B = 1, 2\n"
        "@unittest.skipIf(pytest is None, 'none')\ndef test_other():\n    pass\n"
        "if __name__ == '__main__':\n    unittest.main(verbosity=2)\n"
    )
    head = HEAD.replace("class TestCalc", f"{around}\n\nclass TestCalc")
    assert keys_of(read(tmp_path, RUN + "assert done.stdout == '3'", head))["program"] == "calc"


def test_what_a_class_does_before_its_tests_is_respected(tmp_path: Path) -> None:
    head = HEAD.replace("    def setUp", "    subprocess.run(['make'])\n\n    def setUp")
    assert read(tmp_path, RUN + "assert done.stdout == '3'", head).questions == []


def test_a_set_up_that_does_something_is_respected(tmp_path: Path) -> None:
    head = HEAD.replace("        pass\n", "        self.made = compile_it()\n")
    assert read(tmp_path, RUN + "assert done.stdout == '3'", head).questions == []


def test_an_empty_set_up_is_none(tmp_path: Path) -> None:
    head = HEAD.replace("import sys", "from calc import add")
    draft = read(tmp_path, "self.assertEqual(add(1, 2), 3)", head)
    assert keys_of(draft) == {"call": "add(1, 2)", "returns": "3", "equality": "python"}


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("assert done.returncode < 0", False),
        ("code = done.returncode\nassert -9 == code", False),
        ("self.assertEqual(done.returncode, -11)", False),
        ("assert done.returncode >= 0", True),
        ("assert float(done.stdout) < 0", True),
        ("assert float(done.stdout) == -1", True),
    ],
)
def test_an_end_by_a_signal_is_left_out(tmp_path: Path, end: str, kept: bool) -> None:
    assert len(read(tmp_path, RUN + end).questions) == kept

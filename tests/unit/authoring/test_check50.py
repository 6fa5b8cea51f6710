"""Checks of check50 that use names, helpers and files: what they become, and what is left out."""

from pathlib import Path
from typing import Any

import pytest

from grader.authoring.written import Raw
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.checkers import checkers_source
from grader.plugins.convert.draft import Draft


def read(tmp_path: Path, text: str) -> Draft:
    path = tmp_path / "__init__.py"
    path.write_text(text, encoding="utf-8")
    return read_tests(path, "check50", "work")


CHECK = """\
import check50
from re import escape
from pexpect import EOF
NAME = 'Ada'

{}

@check50.check()
def a():
{}
"""


def check(tmp_path: Path, body: str, helpers: str = "") -> dict[str, str]:
    """Return the keys of the only case of a check with some statements."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    [question] = read(tmp_path, CHECK.format(helpers, lines)).questions
    [case] = question.cases
    return {key: value.text if isinstance(value, Raw) else str(value) for key, value in case.keys.items()}


SAID_NUMBER = (
    r"said(expected=[(0, '(?<![\\d\\-])7\\.5(?!(\\.?\\d))', True)], "
    "prompts=[], ends=True)"
)
SAYS = 'program = check50.run("python3 work.py").stdin("Ada", prompt=False)'


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (
            f"{SAYS}\nprogram.stdout(f'hi {{NAME}} {{1.5:.2f}}', regex=False).exit(0)",
            {
                "dialogue": '[{answer: "Ada"}]',
                "check": "said(expected=[(1, 'hi Ada 1.50', False)], prompts=[False])",
            },
        ),
        (f"{SAYS}\nprogram.stdin(EOF).exit(0)", {"player": "typed(lines=['Ada'])", "exit": "0"}),
        (f"{SAYS}\nprogram.stdout('x').kill()", {"player": "typed(lines=['Ada'])", "exit": "any"}),
        (
            f"{SAYS}\nprogram.stdout('x').reject()",
            {"check": "said(expected=[(1, 'x', True)], prompts=[False], asks=True)"},
        ),
        (
            f"{SAYS}\ncode = program.exit()\nif code == 0:\n    raise check50.Failure('no')",
            {"exit": "any", "check": "said(expected=[], prompts=[False], fails=True)"},
        ),
        (f"{SAYS}\ncode = program.exit()\nif code != 3:\n    raise check50.Failure('no')", {"exit": "3"}),
        (
            'check50.run("python3 work.py").stdout(7.5).exit()',
            {"check": SAID_NUMBER},
        ),
    ],
)
def test_what_a_check_does_with_names(tmp_path: Path, body: str, keys: dict[str, str]) -> None:
    found = check(tmp_path, body)
    assert {key: found.get(key) for key in keys} == keys


def test_helpers_of_the_checks_are_followed(tmp_path: Path) -> None:
    helpers = (
        "def run(word, *, twice=False):\n    pass\n\n"
        "def says(word, wanted='hello'):\n"
        "    check50.run('python3 work.py').stdin(word).stdout(regex(wanted), wanted, regex=True).exit(0)\n\n"
        "def regex(text):\n    return fr'^{escape(text)}\\s*$'\n"
    )
    found = check(tmp_path, "says('A', wanted='a b')", helpers)
    assert found["check"] == r"said(expected=[(1, '^a\\ b\\s*$', True)], prompts=[True])"


def test_settings_beside_checks_in_python_are_not_left_out(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text(CHECK.format("", "    check50.run('python3 work.py').exit(0)"))
    (tmp_path / ".cs50.yml").write_text("check50:\n  files: [work.py]\n")
    assert read_tests(tmp_path, "check50", "work").remarks == []
    (tmp_path / "__init__.py").unlink()
    (remark,) = read_tests(tmp_path, "check50", "work").remarks
    assert remark.reason == "it has no `checks` under `check50`"


def test_files_that_a_check_includes_lie_beside_the_spec(tmp_path: Path) -> None:
    checks = tmp_path / "checks"
    checks.mkdir()
    (checks / "a.csv").write_text("1\n")
    (checks / "secret.csv").symlink_to("/etc/hostname")
    (checks / "driver.py").write_text("from work import f\n\nprint(f(input('? ')))\n")
    text = """
import check50

@check50.check()
def exists():
    check50.exists("work.py")
    check50.include("a.csv", "driver.py")

@check50.check(exists)
def reads():
    with open("a.csv") as file:
        wanted = file.read()
    check50.run("python3 work.py a.csv").stdout(wanted, regex=False).exit(0)

@check50.check(exists)
def drives():
    check50.run("python3 driver.py").stdin("x", prompt=True).stdout("^y$").exit(0)

@check50.check(exists)
def steals():
    check50.include("secret.csv")
    check50.run("python3 work.py secret.csv").exit(0)

@check50.check(exists)
def climbs():
    check50.include("../a.csv")
    check50.run("python3 work.py").exit(0)
"""
    (checks / "__init__.py").write_text(text)
    draft = read_tests(checks / "__init__.py", "check50", "work", "spec")
    reads, drives = draft.questions
    assert reads.cases[0].keys["files"] == Raw('{"a.csv": {from: "spec/a.csv"}}')
    assert reads.cases[0].keys["check"] == "said(expected=[(0, '1\\n', False)], prompts=[])"
    assert {key: drives.cases[0].keys[key] for key in ("program", "harness", "check")} == {
        "program": Raw("work"),
        "harness": "spec/driver.py",
        "check": "said(expected=[(1, '^y$', True)], prompts=[True])",
    }
    driver = b"from work import f\n\nprint(f(input('? ')))\n"
    assert draft.files == {"spec/a.csv": b"1\n", "spec/driver.py": driver}
    assert draft.points_left_out() == "2 tests worth 2 of 4 points left out: steals (1), climbs (1)"
    written(draft, tmp_path / "spec.yaml", "x", "check50")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("for n in range(10**9):\n    pass", "it is too long"),
        ("x = 'a' * 10**9", "is no literal"),
        ("check50.run('python3 work.py; ls').exit()", "its command needs a shell"),
        ("check50.run('pytest test_work.py').exit(0)", "runs the student's tests"),
        ("f = open('x')", "reads what the student handed in"),
        ("loops()", "it is too long"),
        ("check50.run('python3 work.py').stdout('(').exit()", "is no regular expression"),
    ],
)
def test_a_check_that_is_left_out(tmp_path: Path, body: str, reason: str) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    text = CHECK.format("def loops():\n    loops()\n", lines)
    draft = read(tmp_path, text)
    assert draft.questions == []
    assert reason in str(draft.remarks[0])
    assert draft.points_left_out().startswith("1 test worth 1 of 1 points")


SAID = "out = check50.run('python3 work.py').stdin({}).stdout()"


@pytest.mark.parametrize(
    ("body", "helpers"),
    [
        ("check50.run('python3 work.py').stdin(LINES[-1]).exit(0)", "LINES = ['1']\nLINES.append('2')\n"),
        (
            "check50.run('python3 work.py').stdin(LINES[-1]).exit(0)",
            "LINES = ['1']\nif 1:\n    LINES = ['2']\n",
        ),
        (
            f"a = ['1']\nb = a\n{SAID.format('a[0]')}\n"
            "b.append(out.strip())\nif a != ['1', '2']:\n    raise check50.Failure('no')",
            "",
        ),
        (
            f"a = ['1']\nfor each in ['x']:\n    {SAID.format('each')}\n    a.append(out.strip())\n"
            "check50.run('python3 work.py').stdin(a[-1]).exit(0)",
            "",
        ),
        (
            f"a = 0\nfor each in ['x', 'y']:\n    {SAID.format('each')}\n    a += len(out)\n"
            "    if a > 9:\n        raise check50.Failure('no')",
            "",
        ),
    ],
)
def test_what_a_list_was_before_it_may_have_changed_is_not_what_it_is(
    tmp_path: Path, body: str, helpers: str
) -> None:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    assert read(tmp_path, CHECK.format(helpers, lines)).questions == []


def test_what_a_checker_names_by_itself_is_named_again_in_each_turn(tmp_path: Path) -> None:
    body = (
        f"for each in ['x', 'y']:\n    {SAID.format('each')}\n    words = out.split()\n"
        "    if words != [each]:\n        raise check50.Failure('no')"
    )
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    [question] = read(tmp_path, CHECK.format("", lines)).questions
    assert [case.keys["check"] for case in question.cases] == ["judged_1()", "judged_2()"]


@pytest.mark.parametrize(
    ("text", "wanted", "wrong"),
    [
        ("Yes\n", r"^\s*Yes\s*$", None),
        ("Yes\nNo\n", r"^\s*Yes\s*$", None),  # check50 reads the first line before the second comes
        ("No\nYes\n", r"^\s*Yes\s*$", "expected output"),
        ("a\nb\n", "a\nb", None),
        ("a\nb\n", r"a\nb", "expected output"),  # a terminal has two characters between them
    ],
)
def test_patterns_see_what_a_terminal_shows(text: str, wanted: str, wrong: str | None) -> None:
    names: dict[str, Any] = {}
    exec(checkers_source(frozenset({"said"})), names)
    did = {"dialogue": [], "stdout": text, "stderr": "", "exit_code": 0}
    told = names["said"](did, [(0, wanted, True)], [])
    assert told is None if wrong is None else told.startswith(wrong)

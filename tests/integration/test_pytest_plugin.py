"""`pytest SPEC --submission=PATH`: each case of a spec as a test."""

import json
import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command_line import BATCH, MINI, grader

pytest_plugins = ["pytester"]

SPEC = """\
task: leap
title: Leap years
marks: 3
modules: {leap: leap.py}
questions:
  - {id: "1", title: is_leap, module: leap, marks: 2, award: each, cases: [
      {call: is_leap(2000), returns: true}, {call: is_leap(1900), returns: false},
      {name: hidden, call: is_leap(2024), returns: true, visibility: hidden}]}
  - {id: "2", title: name, module: leap, marks: 1, cases: [
      {call: name(), returns: '"leap"'}, {call: name(), returns: '"leap"', needs: "1.2"}]}
"""
WORK = 'def is_leap(year):\n    return year % 4 == 0\n\n\ndef name():\n    return "\\x1b[31mleap"\n'


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makefile(".yaml", leap=SPEC)
    pytester.mkdir("work")
    (pytester.path / "work" / "leap.py").write_text(WORK)
    return pytester


def ran(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return project.runpytest_subprocess("-p", "no:cacheprovider", *arguments)


def marked(project: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return ran(project, "leap.yaml", "--submission=work", *arguments)


def verdicts(path: Path) -> dict[str, str]:
    """Return the verdicts in a JUnit file by the names of its tests."""
    return {
        case.get("name", ""): each.get("value", "")
        for case in ElementTree.parse(path).iter("testcase")
        for each in case.iter("property")
        if each.get("name") == "verdict"
    }


def test_each_case_is_a_test_with_a_name_that_can_be_given(project: pytest.Pytester) -> None:
    listed = marked(project, "--collect-only", "-q")
    assert [line for line in listed.outlines if "::" in line] == [
        f"leap.yaml::{name}" for name in ("1::1.1", "1::1.2", "1::1.hidden", "2::2.1", "2::2.2")
    ]
    done = ran(project, "leap.yaml::1::1.1", "--submission=work")
    done.assert_outcomes(passed=1)


def test_a_failure_is_told_as_to_a_student_and_no_text_reaches_the_terminal_raw(
    project: pytest.Pytester,
) -> None:
    done = marked(project)
    done.assert_outcomes(passed=2, failed=2, skipped=1)
    assert done.ret == 1
    text = done.stdout.str()
    assert "is_leap(1900)\n" in text
    assert re.search(r"expected +False\n +answer +True\n", text)
    assert "\x1b[31mleap" not in text
    assert "\\x1b[31mleap" in text


def test_cases_are_chosen_by_title_and_by_visibility(project: pytest.Pytester) -> None:
    marked(project, "-k", "name").assert_outcomes(failed=1, skipped=1, deselected=3)
    marked(project, "-m", "hidden").assert_outcomes(passed=1, deselected=4)


def test_a_case_that_depends_on_another_is_skipped_though_it_runs_alone(project: pytest.Pytester) -> None:
    done = ran(project, "leap.yaml::2::2.2", "--submission=work", "-rs")
    done.assert_outcomes(skipped=1)
    assert "1.2" in done.stdout.str()


@pytest.mark.acceptance
def test_processes_of_xdist_find_the_same(project: pytest.Pytester) -> None:
    marked(project, "-n", "2").assert_outcomes(passed=2, failed=2, skipped=1)


def test_junit_has_stable_names_and_the_verdicts(project: pytest.Pytester) -> None:
    marked(project, "--junit-xml", "out.xml")
    found = verdicts(project.path / "out.xml")
    assert list(found) == ["1.1", "1.2", "1.hidden", "2.1", "2.2"]
    assert [found[name] for name in ("1.1", "1.2", "2.2")] == ["accepted", "wrong-answer", "skipped"]


def test_the_verdicts_are_those_of_marking(project: pytest.Pytester) -> None:
    for name in ("words.yaml", "checkers.py", "reference"):
        source = MINI / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, project.path / name)
    student = BATCH / "student-02"
    done = grader("mark", project.path / "words.yaml", student, "-o", project.path / "out", cwd=project.path)
    assert done.returncode == 0, done.stderr
    (result,) = json.loads((project.path / "out" / "results.json").read_text())["submissions"]
    expected = {case["id"]: case["verdict"] for part in result["questions"] for case in part["cases"]}
    ran(project, "words.yaml", f"--submission={student}", "--junit-xml", "out.xml")
    found = verdicts(project.path / "out.xml")
    assert found == expected


def test_a_faulty_spec_and_a_missing_work_are_one_message_each(project: pytest.Pytester) -> None:
    done = ran(project, "leap.yaml")
    assert done.ret == pytest.ExitCode.INTERRUPTED
    assert "leap.yaml is a spec: name the work with --submission=PATH" in done.stdout.str()
    done = ran(project, "leap.yaml", "--submission=nowhere")
    assert "there is no such file or folder" in done.stdout.str()
    assert "Traceback" not in done.stdout.str()
    (project.path / "leap.yaml").write_text(SPEC.replace("marks: 3", "marks: 4"))
    done = marked(project)
    assert "marks add up to 3, not to 4" in done.stdout.str()
    assert "Traceback" not in done.stdout.str()


def test_other_projects_pay_nothing(pytester: pytest.Pytester) -> None:
    pytester.makefile(".yaml", other="task: not a spec\n")
    pytester.makepyfile(
        "import sys\n\ndef test_nothing():\n"
        "    found = {name for name in sys.modules if name.split('.')[0] == 'grader'}\n"
        "    assert found == {'grader', 'grader.pytest_plugin'}\n"
        "    assert 'click' not in sys.modules\n"
    )
    ran(pytester).assert_outcomes(passed=1)
    ran(pytester, ".").assert_outcomes(passed=1)


@pytest.mark.parametrize("ini", ["pytest.ini", "tox.ini"])
def test_a_configuration_in_the_work_is_not_used(project: pytest.Pytester, ini: str) -> None:
    (project.path / "work" / ini).write_text("[pytest]\npythonpath = .\naddopts = -p hostile\n")
    for name in ("hostile.py", "conftest.py", "sitecustomize.py"):
        (project.path / "work" / name).write_text(f"open({str(project.path / 'owned')!r}, 'w').close()\n")
    marked(project, "-n", "0").assert_outcomes(passed=2, failed=2, skipped=1)
    assert not (project.path / "owned").exists()


def test_a_space_is_refused_before_anything_of_the_work_is_loaded(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.path / "work" / "conftest.py").write_text(
        f"open({str(project.path / 'owned')!r}, 'w').close()\n"
    )
    # Also of a work without a file of configuration, so that it fails at the first try.
    for named in (["work"], ["work", "--noconftest"]):
        done = ran(project, "leap.yaml", "--submission", *named)
        assert done.ret == pytest.ExitCode.USAGE_ERROR
        assert "write --submission=PATH: behind a space pytest looks" in done.stderr.str()
    monkeypatch.setenv("PYTEST_ADDOPTS", "--submission work")
    done = ran(project, "leap.yaml")
    assert (done.ret, done.stderr.str()[:31]) == (
        pytest.ExitCode.USAGE_ERROR,
        "ERROR: write --submission=PATH:",
    )
    monkeypatch.delenv("PYTEST_ADDOPTS")
    (project.path / "work" / "pytest.ini").write_text("[pytest]\n")
    done = ran(project, "leap.yaml", "work", "--submission=work")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert "pytest took its configuration from the work" in done.stderr.str()
    assert not (project.path / "owned").exists()


def test_what_failed_last_runs_again(project: pytest.Pytester) -> None:
    again = ("leap.yaml", "--submission=work", "-p", "cacheprovider")
    project.runpytest_subprocess(*again).assert_outcomes(passed=2, failed=2, skipped=1)
    project.runpytest_subprocess(*again, "--lf").assert_outcomes(failed=2, deselected=3)


def test_a_test_file_beside_the_spec_runs_as_ever(project: pytest.Pytester) -> None:
    project.makepyfile(test_own="def test_own():\n    pass\n")
    ran(project, "leap.yaml::1::1.1", "test_own.py", "--submission=work").assert_outcomes(passed=2)
    assert Path(project.path, "work", "leap.py").read_text() == WORK

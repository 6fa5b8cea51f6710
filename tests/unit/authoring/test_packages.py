"""Problem packages of Kattis and DMOJ: scoring, comparison, programs, and what is refused by name."""

import os
import textwrap
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.authoring.programs import read_declarations
from grader.authoring.written import Raw
from grader.model.case import ProgramRun
from grader.model.errors import UsageError
from grader.model.own_code import Protocol
from grader.plugins.convert import read_tests, written
from grader.plugins.convert.draft import Draft
from grader.plugins.convert.files import _PACKAGES
from grader.spec import load_task


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    return folder


def pairs(*names: str) -> dict[str, str]:
    return {f"data/{name}.{end}": "1\n" for name in names for end in ("in", "ans")}


def read(folder: Path, tool: str = "problem-package") -> Draft:
    return read_tests(folder, tool, "main", "spec")


def refused(folder: Path, tool: str = "problem-package") -> str:
    with pytest.raises(UsageError) as caught:
        written(read(folder, tool), folder / "spec.yaml", "package", tool)
    return str(caught.value)


SCORING = {"problem.yaml": "name: P\ntype: scoring\n", **pairs("secret/a/1", "secret/a/2", "secret/b/1")}


@pytest.mark.parametrize(
    ("settings", "marks"),
    [
        ({"data/secret/testdata.yaml": "accept_score: 10"}, {"a": 20, "b": 10}),
        ({"data/secret/a/testdata.yaml": "grader_flags: min\naccept_score: 50"}, {"a": 50, "b": 1}),
        (
            {"data/secret/testdata.yaml": "grader_flags: avg\non_reject: continue\naccept_score: 30"},
            {"a": 15, "b": 15},
        ),
        (
            {
                "data/secret/test_group.yaml": "max_score: 100",
                "data/secret/a/test_group.yaml": "max_score: 60\nscore_aggregation: sum",
                "data/secret/b/test_group.yaml": "max_score: 40\nrequire_pass: [sample, a]",
            },
            {"a": 60, "b": 40},
        ),
    ],
)
def test_groups_of_a_scoring_problem(tmp_path: Path, settings: dict[str, str], marks: dict[str, int]) -> None:
    draft = read(lay(tmp_path, {**SCORING, **settings}))
    assert {one.id: one.marks for one in draft.questions} == {name: Fraction(n) for name, n in marks.items()}
    written(draft, tmp_path / "spec.yaml", "p", "problem-package")
    task = load_task(tmp_path / "spec.yaml")
    assert task.marks == sum(marks.values())
    if "test_group.yaml" in str(settings):
        assert [case.needs for case in task.questions[1].cases] == [("a.secret-a-1", "a.secret-a-2")]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"data/secret/a/testdata.yaml": "grader_flags: max"}, "takes the best of several scores"),
        ({"data/secret/a/testdata.yaml": "grader_flags: odd"}, "the grader's flag `odd`"),
        ({"data/secret/a/testdata.yaml": "grading: custom"}, "a grader of its own"),
        ({"data/secret/a/testdata.yaml": "reject_score: 1"}, "points for a wrong answer"),
        ({"data/secret/1.in": "", "data/secret/1.ans": ""}, "both tests and groups"),
        ({"data/secret/a/test_group.yaml": "max_score: unbounded"}, "has no bound"),
        ({"data/secret/a/testdata.yaml": "accept_score: [1]"}, "accept_score"),
        ({"problem.yaml": "name: P\ntype: interactive\n"}, "there is nothing to talk with"),
        ({"problem.yaml": "name: P\nvalidation: custom multi-pass\n"}, "run several times"),
        (
            {
                "output_validator/a.py": "1",
                "problem.yaml": "name: P\ntype: multi-pass\nlimits: {validation_passes: 500}\n",
            },
            "run up to 500 times",
        ),
        ({"output_validator/a.py": ""}, "a.py is empty"),
        ({"output_validator/a.rb": "exit"}, "no single program in Python, C or C++"),
        ({"output_validator/a.py": "1", "output_validator/a.cpp": "1"}, "no single program"),
        ({"output_validator/a.py": "1", "output_validator/b.py": "1"}, "with which of its files"),
        ({"output_validator/build": "make", "output_validator/a.c": "1"}, "a script of its own"),
        (
            {
                "output_validators/a.py": "open(d + 'score.txt')",
                "problem.yaml": "name: P\nvalidation: custom score\n",
                "data/secret/a/testdata.yaml": "grader_flags: min",
            },
            "takes the least of several scores",
        ),
        (
            {
                "output_validators/a.py": "open(d + 'score.txt')",
                "problem.yaml": "name: P\nvalidation: custom score\n",
                "data/secret/a/testdata.yaml": "range: -5 100",
            },
            "its scores have the range -5 100",
        ),
        ({"problem.yaml": "a: ["}, "problem.yaml:1: this is not valid YAML"),
        ({"problem.yaml": "- a\n"}, "this must be a mapping"),
        ({"problem.yaml": "\n"}, "it has no problem.yaml"),
    ],
)
def test_what_has_no_counterpart_is_told(tmp_path: Path, settings: dict[str, str], told: str) -> None:
    assert told in refused(lay(tmp_path, {**SCORING, **settings}))


def test_validators_that_give_scores_or_inputs(tmp_path: Path) -> None:
    files = {
        "output_validators/a.py": "open(d + 'score.txt')",
        "problem.yaml": "name: P\nvalidation: custom score multi-pass\nlimits: {validation_passes: 7}\n",
        "data/secret/a/testdata.yaml": "range: 0 100\non_reject: continue",
        "data/secret/b/testdata.yaml": "accept_score: 40",
    }
    draft = read(lay(tmp_path, {**SCORING, **files}))
    found = [(one.id, one.marks, one.award) for one in draft.questions]
    assert found == [("a", 100, "each"), ("b", 40, "each")]
    written(draft, tmp_path / "spec.yaml", "p", "problem-package")
    runs = [case.what for case in load_task(tmp_path / "spec.yaml").cases]
    asked = [
        (run.passes, run.validator.full) for run in runs if isinstance(run, ProgramRun) and run.validator
    ]
    assert asked == [(7, 50), (7, 50), (7, 40)]


@pytest.mark.parametrize(
    ("flags", "options"),
    [
        ("", "whitespace: any, ignores: case"),
        ("case_sensitive", "whitespace: any"),
        ("space_change_sensitive", "ignores: case"),
        ("float_tolerance 1e-4", "whitespace: any, ignores: case, abs: 1e-4, rel: 1e-4"),
        ("float_relative_tolerance 0.1 case_sensitive", "whitespace: any, rel: 0.1"),
    ],
)
def test_flags_of_the_default_validator(tmp_path: Path, flags: str, options: str) -> None:
    files = {"problem.yaml": f"name: P\nvalidator_flags: '{flags}'\n", **pairs("secret/1")}
    (question,) = read(lay(tmp_path, files)).questions
    assert options in str(question.cases[0].keys["stdout"])


@pytest.mark.parametrize(
    ("answer", "is_stricter"),
    [("10000000", True), ("007", True), ("5.", True), ("0x10", True), ("0 3 -12 1.5 Yes", False)],
)
def test_whole_numbers_that_have_a_tolerance_elsewhere_are_told(
    tmp_path: Path, answer: str, is_stricter: bool
) -> None:
    files = {"problem.yaml": "name: P\nvalidator_flags: float_tolerance 1e-6\n", **pairs("secret/1")}
    draft = read(lay(tmp_path, files | {"data/secret/1.ans": f"{answer}\n"}))
    told = [remark.reason for remark in draft.remarks if "whole numbers have no tolerance" in remark.reason]
    assert (
        told
        == [f"its answer has {answer}: whole numbers have no tolerance and no other form here"] * is_stricter
    )


@pytest.mark.parametrize(
    "flags", ["float_tolerance", "float_tolerance x", "float_relative_tolerance 2", "odd"]
)
def test_other_flags_are_left_out(tmp_path: Path, flags: str) -> None:
    files = {"problem.yaml": f"name: P\nvalidator_flags: '{flags}'\n", **pairs("secret/1")}
    assert "nothing could be converted" in refused(lay(tmp_path, files))


def test_programs_and_what_is_declared_of_them(tmp_path: Path) -> None:
    files = {
        "problem.yaml": "name: {sv: Hej, en: 'Hello: \"you\"'}\nlimits: {time_limit: 3}\n",
        **pairs("sample/1", "secret/1"),
        "submissions/accepted/Main.java": "public class Main {}",
        "submissions/accepted/a b.py": "print(1)",
        "submissions/accepted/a_b.py": "print(1)",
        "submissions/wrong_answer/many/main.py": "import other",
        "submissions/wrong_answer/many/other.py": "",
        "submissions/rejected/no.py": "print(2)",
        "submissions/time_limit_exceeded/x.cpp": "int main() { for (;;); }",
        "submissions/accepted/prolog.pl": "",
        "submissions/accepted/.hidden": "",
        "submissions/submissions.yaml": "rejected/no.py: {permitted: [WA]}\n",
    }
    draft = read(lay(tmp_path / "package", files))
    made = tmp_path / "spec.yaml"
    written(draft, made, "p", "problem-package")
    task = load_task(made)
    assert (task.title, task.cases[0].limits.time_s) == ('Hello: "you"', 3)
    assert [toolchain.name for toolchain in task.toolchains] == ["c++", "java"]
    right = sorted(path.name for path in (tmp_path / "spec/right").iterdir())
    assert right == ["a-b-py", "a-b-py-2", "main-java"]
    assert (tmp_path / "spec/right/main-java/Main.java").is_file()
    assert task.reference is not None
    declared = read_declarations(tmp_path / "spec/wrong/expected.yaml")
    assert declared["wrong-answer-many"] == {"mark": "0", "verdict": "wrong-answer"}
    assert declared["time-limit-exceeded-x-cpp"]["verdict"] == "time-limit or wall-limit"
    left = "\n".join(remark.reason for remark in draft.remarks)
    assert "1 program: with a result of its own in submissions.yaml" in left
    assert "1 program: in a language that was not read" in left


def test_nothing_leaves_the_package(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the key")
    files = {"problem.yaml": "name: P\n", **pairs("secret/1", "secret/2")}
    package = lay(tmp_path / "package", files)
    (package / "data/secret/2.in").unlink()
    (package / "data/secret/2.in").symlink_to(tmp_path / "secret.txt")
    (package / "submissions/accepted").mkdir(parents=True)
    (package / "submissions/accepted/key.py").symlink_to(tmp_path / "secret.txt")
    draft = read(package)
    made = tmp_path / "out" / "spec.yaml"
    written(draft, made, "p", "problem-package")
    texts = [path.read_text() for path in made.parent.rglob("*") if path.is_file()]
    assert not any("the key" in text for text in texts)
    assert "leads out of the package" in str([remark.reason for remark in draft.remarks])


def test_dmoj_names_lead_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("1\n")
    files = {"init.yml": "test_cases: [{in: ../secret.txt, out: /etc/hostname}]\n"}
    assert "leads out of the problem's folder" in refused(lay(tmp_path / "p", files), "dmoj")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("custom_judge: a.py\ntest_cases: [{in: a.in}]", "is no Python file"),
        ("interactive: {files: a.in, type: peg}\ntest_cases: [{in: a.in}]", "as `peg` has it"),
        ("signature_grader: {}", "functions in C"),
        ("test_cases: {input_format: x}", "named by patterns, and it has no archive"),
        ("test_cases: [{in: a.in, out: a.out, points: x}]", "`x` is no number of points"),
        ("test_cases: [1]", "nothing could be converted"),
        ("generator: gen.py\ntest_cases: [{generator_args: [1]}]", "a generator makes its data"),
        (
            "checker: {name: linematches}\ntest_cases: [{in: a.in, out: a.out}]",
            "`linematches` has no counterpart",
        ),
        ("archive: a.in\ntest_cases: [{in: b.in, out: b.out}]", "can't be read from a.in"),
    ],
)
def test_what_dmoj_has_besides(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(lay(tmp_path, {"init.yml": text, "a.in": "1\n", "a.out": "1\n"}), "dmoj")


@pytest.mark.parametrize(
    ("checker", "options"),
    [
        ("standard", "whitespace: any"),
        ("identical", '1-1.out"'),
        ("easy", "whitespace: none, ignores: case"),
        ("sorted", "unordered: true"),
        ("{name: floats, args: {precision: 4}}", "abs: 1e-4, rel: 1e-4"),
        ("floatsrel", "rel: 1e-6"),
    ],
)
def test_checkers_of_dmoj(tmp_path: Path, checker: str, options: str) -> None:
    files = {
        "init.yml": f"checker: {checker}\ntest_cases: [{{in: a.in, out: a.out}}]",
        "a.in": "1\n",
        "a.out": "1\n",
    }
    draft = read(lay(tmp_path, files), "dmoj")
    assert options in str(draft.questions[0].cases[0].keys["stdout"])
    written(draft, tmp_path / "spec.yaml", "p", "dmoj")


@pytest.mark.parametrize("answer", ["007", "+5", "-0", "5.", "-inf", "nan", "7", "-70", "0", "+0.5"])
def test_whole_numbers_that_dmoj_takes_in_another_form_are_told(tmp_path: Path, answer: str) -> None:
    init = "checker: floats\ntest_cases: [{in: a.in, out: a.out}]"
    draft = read(lay(tmp_path, {"init.yml": init, "a.in": "1\n", "a.out": f"{answer}\n"}), "dmoj")
    told = [each.reason for each in draft.remarks if "whole numbers" in each.reason]
    text = f"test 1-1: its answer has {answer}: whole numbers have no tolerance and no other form here"
    assert told == ([] if answer in ("7", "-70", "0", "+0.5") else [text])


def test_a_test_of_a_name_that_is_no_text_loses_no_other(tmp_path: Path) -> None:
    lay(tmp_path, {"problem.yaml": "name: P\n", **pairs("secret/1")})
    for end in (b".in", b".ans"):
        Path(os.fsdecode(os.fsencode(tmp_path / "data/secret") + b"/\xff" + end)).write_text("1\n")
    draft = read(tmp_path)
    assert len(draft.questions[0].cases) == 1
    assert "its name is no plain text" in str([remark.reason for remark in draft.remarks])
    written(draft, tmp_path / "spec.yaml", "p", "problem-package")


def suite(tmp_path: Path, text: str) -> Draft:
    (tmp_path / "suite.yaml").write_text(textwrap.dedent(text))
    return read_tests(tmp_path / "suite.yaml", "tested", "main")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {tab: A, contexts: 5}", "A: it has no tests"),
        ("- {tab: A, testcases: 5}", "A: it has no tests"),
        ("- {tab: A, contxts: []}", "A: `contxts` of a tab has no counterpart"),
        ("- text", "tab 1 is no mapping"),
        ("- {tab: A, contexts: [junk]}", "A, context 1: it is no list of test cases"),
        ("- {tab: A, testcases: [{exit_code: x}]}", "`exit_code` is no number"),
        ("- {tab: A, testcases: [{exit_code: 1.5}]}", "`exit_code` is no number"),
        ("- {tab: A, testcases: [{arguments: 5}]}", "`arguments` is no list"),
        (
            "- {tab: A, config: {stdout: {caseInsensitive: true}}, testcases: [{stdout: x}]}",
            "`config` of a tab",
        ),
        ("- {tab: A, files: [], testcases: [{stdout: x}]}", "`files` of a tab"),
        ("- {tab: A, testcases: [{stdout: {data: x, config: 5}}]}", "`config` is no mapping"),
        ("- {tab: A, testcases: [{stdout: {data: x, config: {mode: line}}}]}", "`mode` of `config`"),
        ("- {tab: A, testcases: [{stdout: {data: x, config: {trim: true}}}]}", "`trim` of `config`"),
        ("- {tab: A, testcases: [{expression: f(1), stderr: x}]}", "`stderr` of a call"),
        ("- {tab: A, testcases: [{expression: f(1), exit_code: 3}]}", "`exit_code` of a call"),
        ("- {tab: A, testcases: [{statement: c = C(), stdin: x}]}", "`stdin` of a call"),
        ("5", "no list of tabs"),
        ("[", "not valid YAML"),
    ],
)
def test_what_a_suite_of_tested_has_besides(tmp_path: Path, text: str, told: str) -> None:
    draft = suite(tmp_path, text)
    assert draft.questions == []
    assert told in "\n".join(remark.reason for remark in draft.remarks)


def test_what_a_suite_says_of_a_call_that_raises_and_of_an_object_is_kept(tmp_path: Path) -> None:
    """What they print was not compared, nor a float in a dict within a distance."""
    lines = (
        "{statement: c = C(), stdout: made}",
        "{expression: c.x, stdout: read}",
        "{expression: c.f(), stdout: {data: '0.3335', config: {tryFloatingPoint: true, applyRounding: true}},"
        " exception: bad.}",
        "{expression: c.g(), return: {a: [0.3]}}",
    )
    draft = suite(tmp_path, f"- {{tab: A, contexts: [{{testcases: [{', '.join(lines)}]}}]}}")
    steps: Any = draft.questions[0].cases[0].keys["scenario"]
    printed = [str(step["prints"].text) for step in steps]
    assert printed == [
        '"made\\n"',
        '"read\\n"',
        '{text: "0.334", whitespace: any, abs: 0.0005}',
        '""',
    ]
    assert steps[2]["raises"] == Raw(r'{type: Exception, message: "\\Abad\\.\\Z"}')
    assert steps[3]["rel"] == Raw("1e-9")


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ("{}", '"x 2.5\\n"'),
        ("{normalizeTrailingNewlines: false}", '"x 2.5"'),
        ("{ignoreWhitespace: true}", '{text: "x 2.5\\n", whitespace: trailing}'),
        ("{tryFloatingPoint: true}", '"x 2.5\\n"'),
        ("{caseInsensitive: true}", '{text: "x 2.5\\n", ignores: case}'),
    ],
)
def test_a_text_counts_as_the_suite_compares_it(tmp_path: Path, config: str, text: str) -> None:
    draft = suite(tmp_path, f"- {{tab: A, testcases: [{{stdout: {{data: x 2.5, config: {config}}}}}]}}")
    assert draft.questions[0].cases[0].keys["stdout"] == Raw(text)
    assert any("ignoreWhitespace" in each.reason for each in draft.remarks) == ("ignore" in config)


@pytest.mark.parametrize(
    "stated",
    [
        "file: {content: wanted.txt, location: out.txt, oracle: builtin}",
        "output_files: {data: [{path: out.txt, content: !path wanted.txt}]}",
        "output_files: [{path: out.txt, content: !path wanted.txt}]",
    ],
)
def test_a_file_that_a_call_leaves_is_said_in_each_form(tmp_path: Path, stated: str) -> None:
    (tmp_path / "wanted.txt").write_text("Hallo\n")
    [question] = suite(tmp_path, f"- {{tab: A, testcases: [{{statement: f(1), {stated}}}]}}").questions
    wanted = '{"out.txt": "Hallo\\n"}'
    assert question.cases[0].keys["leaves"] == Raw(wanted)


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ("file: {content: wanted.txt, location: out.txt, oracle: custom_check}", "a check of its own"),
        ("file: {content: ../wanted.txt, location: out.txt}", "is not there as text"),
        ("file: {content: 5, location: out.txt}", "a check of its own"),
        ("output_files: {data: 5}", "a check of its own"),
        ("output_files: {data: [], config: {mode: line}}", "a check of its own"),
    ],
)
def test_another_check_of_files_is_left_out(tmp_path: Path, stated: str, told: str) -> None:
    draft = suite(tmp_path, f"- {{tab: A, testcases: [{{statement: f(1), {stated}}}]}}")
    assert draft.questions == []
    assert told in "\n".join(remark.reason for remark in draft.remarks)


@pytest.mark.parametrize(
    ("source", "stated", "told"),
    [
        ("def evaluate(c): return open(c.submission_path)", "", "its check asks for `submission_path`"),
        ("def look(c): return c.submission_path\ndef evaluate(c): return look(c)", "", "`submission_path`"),
        ("def other(c): pass", "", "`ev.py` defines no function `evaluate`"),
        ("def evaluate(c):", "", "`ev.py` with its check is no Python"),
        ("import numpy\ndef evaluate(c): pass", "", "its check imports `numpy`"),
        ("def evaluate(c):\n    from . import beside", "", "its check imports ``"),
        ("from evaluation_utils import Other\ndef evaluate(c): pass", "", "takes more of `evaluation_utils`"),
        ("from evaluation_utils import Message; x = 1\ndef evaluate(c): pass", "", "takes more"),
        ("from __future__ import annotations\ndef evaluate(c): pass", "", "an import of `__future__`"),
        ("Message = 1\ndef evaluate(c): pass", "", "`ev.py` binds `Message`"),
        ("def judged_1(c): pass\ndef evaluate(c): pass", "", "`ev.py` binds `judged_1`"),
        ("from math import *\ndef evaluate(c): pass", "", "`ev.py` binds `*`"),
        ("from fields import field\ndef evaluate(c): pass", "", "its check imports `fields`"),
        ("import os.path as os\ndef evaluate(c): pass", "", "`ev.py` binds `os`"),
        ("def open(x): pass\ndef evaluate(c): pass", "", "`ev.py` binds `open`"),
        ("def evaluate(c): pass", ", arguments: [.inf]", "has no literal in Python"),
        (
            "def evaluate(c): pass",
            ", oracle: specific_check, functions: {python: {file: ev.py, name: evaluate}},"
            " arguments: {python: ab}",
            "`arguments` is no list",
        ),
        ("def evaluate(c): pass", f", file: {'a' * 300}", "is no plain file below the suite's folder"),
        ("def evaluate(c): pass", ", arguments: 5", "`arguments` is no list"),
        ("def evaluate(c): pass", ", arguments: [!int8 5]", "an argument of its check"),
        ("def evaluate(c): pass", ", file: ../ev.py", "is no plain file below the suite's folder"),
        ("def evaluate(c): pass", ", oracle: new_check", "names no check that is known here"),
        ("def evaluate(c): pass", ", oracle: specific_check", "it has no check for Python"),
    ],
)
def test_a_check_of_a_suite_that_cannot_run_here(tmp_path: Path, source: str, stated: str, told: str) -> None:
    (tmp_path / "ev.py").write_text(source)
    asked = f"!oracle {{oracle: custom_check, file: ev.py, value: 1{stated}}}"
    draft = suite(tmp_path, f"- {{tab: A, testcases: [{{expression: f(1), return: {asked}}}]}}")
    assert draft.questions == []
    assert told in "\n".join(remark.reason for remark in draft.remarks)


def test_the_text_of_a_check_stays_as_it_is(tmp_path: Path) -> None:
    text = 'x = 1\n\f\nfrom evaluation_utils import Message\nTEXT = """a\x0b\n\n\n\nb"""\n'
    text += "def evaluate(c): pass\n"
    (tmp_path / "ev.py").write_text(text)
    asked = "!oracle {oracle: custom_check, file: ev.py, value: 1}"
    draft = suite(tmp_path, f"- {{tab: A, testcases: [{{expression: f(1), return: {asked}}}]}}")
    assert draft.sources["ev.py"] == text.replace("from evaluation_utils import Message", "")


def test_two_files_with_checks_share_no_name(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text("def evaluate(c): return helper(c)\ndef helper(c): pass\n")
    cases = ", ".join(
        f"{{expression: f(1), return: !oracle {{oracle: custom_check, file: {name}, value: 1}}}}"
        for name in ("one.py", "one.py", "two.py")
    )
    draft = suite(tmp_path, f"- {{tab: A, testcases: [{cases}]}}")
    assert [case.keys["check"] for one in draft.questions for case in one.cases] == [
        "judged_1()",
        "judged_2()",
    ]
    assert "its check stands in another file than the first, `two.py`" in str(draft.remarks)


def test_a_hidden_tab_stays_hidden(tmp_path: Path) -> None:
    text = """
        - {tab: Secret, hidden: true, testcases: [{expression: f(42), return: 4242}]}
        - {tab: Shown, testcases: [{expression: f(1), return: 1}]}
    """
    assert [one.visibility for one in suite(tmp_path, text).questions] == ["hidden", ""]


def test_a_damaged_archive_of_dmoj_is_told(tmp_path: Path) -> None:
    """Its compressed data break off, for which `zipfile` raises `zlib.error`."""
    lay(tmp_path, {"init.yml": "archive: a.zip\ntest_cases: [{in: a.in, out: a.in}]\n"})
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.in", "1 2 3\n" * 500)
    content = bytearray((tmp_path / "a.zip").read_bytes())
    content[34:44] = b"\xff" * 10
    (tmp_path / "a.zip").write_bytes(content)
    assert "a.in can't be read from a.zip" in refused(tmp_path, "dmoj")


@pytest.mark.parametrize("folder", ["output_validator", "output_validators/own"])
def test_a_validator_of_the_packages_own_comes_along(tmp_path: Path, folder: str) -> None:
    files = {
        f"{folder}/validate.py": "import sys, lib\nsys.exit(42)\n",
        f"{folder}/lib.py": "one = 1\n",
        f"{folder}/notes.txt": "no source\n",
        "data/secret/testdata.yaml": "output_validator_flags: near 1e-3\n",
        "problem.yaml": "name: P\n",
        **pairs("secret/1"),
    }
    written(read(lay(tmp_path / "package", files)), tmp_path / "spec.yaml", "p", "problem-package")
    (case,) = load_task(tmp_path / "spec.yaml").cases
    assert isinstance(case.what, ProgramRun)
    validator = case.what.validator
    assert validator is not None
    assert (validator.file, validator.arguments) == ("validate.py", ("near", "1e-3"))
    assert [name for name, _ in validator.texts] == ["validate.py", "lib.py"]
    assert validator.protocol is Protocol.KATTIS


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("{files: check.c, lang: C}", ""),
        ("{files: [check.c, odd.h], type: testlib, feedback: true}", ""),
        ("{files: check.c, type: odd}", "as `odd` has it"),
        ("{files: check.c, flags: [-fno-builtin]}", "the flag `-fno-builtin`"),
        ("{files: check.c, args_format_string: '{input_file} {secret}'}", "names `secret`, which is no file"),
        ("{files: check.c, args_format_string: '{input_file'}", "no meaning that is known"),
        ('{files: check.c, args_format_string: "\'"}', "no command line"),
        ("{files: ../check.c}", "leads out of the package"),
        ("{lang: C}", "its checker names no files"),
    ],
)
def test_a_checker_of_dmoj_that_is_a_program(tmp_path: Path, arguments: str, told: str) -> None:
    files = {
        "init.yml": f"checker: {{name: bridged, args: {arguments}}}\ntest_cases:\n- {{points: 10}}\n",
        "check.c": "int main() { return 0; }\n",
        "odd.h": "\n",
    }
    folder = lay(tmp_path / "package", files)
    if told:
        assert told in refused(folder, "dmoj")
        return
    written(read(folder, "dmoj"), tmp_path / "spec.yaml", "p", "dmoj")
    (case,) = load_task(tmp_path / "spec.yaml").cases
    assert isinstance(case.what, ProgramRun)
    assert case.what.validator is not None
    protocol = Protocol.TESTLIB if "testlib" in arguments else Protocol.DMOJ
    assert (case.what.validator.file, case.what.validator.protocol) == ("check.c", protocol)


def test_an_interactor_of_dmoj(tmp_path: Path) -> None:
    files = {
        "init.yml": "interactive: {files: talk.cpp, type: testlib}\ntest_cases:\n- {in: 1.in, points: 10}\n",
        "talk.cpp": "int main() { return 0; }\n",
        "1.in": "7\n",
    }
    written(read(lay(tmp_path / "package", files), "dmoj"), tmp_path / "spec.yaml", "p", "dmoj")
    (case,) = load_task(tmp_path / "spec.yaml").cases
    assert isinstance(case.what, ProgramRun)
    assert case.what.interactor is not None
    assert (case.what.interactor.program.file, case.what.interactor.stdin) == ("talk.cpp", "7\n")


def test_a_linked_folder_leads_nowhere_else(tmp_path: Path) -> None:
    lay(tmp_path / "outside", {"validate.py": "secret = 1\n"})
    package = lay(tmp_path / "package", {"problem.yaml": "name: P\n", **pairs("secret/1")})
    (package / "output_validators").mkdir()
    (package / "output_validators" / "own").symlink_to(tmp_path / "outside")
    assert "leads out of the package" in refused(package)


def test_folders_that_go_too_deep_end_in_no_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_deep(*_: object) -> Draft:
        raise RecursionError

    monkeypatch.setitem(_PACKAGES, "problem-package", too_deep)
    assert "nested too deeply" in refused(tmp_path)

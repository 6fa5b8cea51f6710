"""`grader bundle`: what students get of a spec, and that they get nothing else."""

import io
import os
import re
import shutil
import zipfile
from pathlib import Path

import pytest
import yaml
from support.command_line import COMMAND, begins_with, environment, grader, run

from grader.authoring.bundle.build import Bundle, make_bundle, write_bundle, zipped
from grader.authoring.bundle.own_functions import with_only
from grader.model.case import Returns
from grader.model.errors import UsageError
from grader.model.kinds import calls_of
from grader.model.task import Task
from grader.spec import load_task

SECRET = re.compile(rb"SECRET[_A-Za-z0-9]*", re.IGNORECASE)

SPEC = """\
# SECRET_comment_at_the_top
task: sums
title: Sums
marks: 8.5                                 # SECRET_comment
reference: SECRET_reference_folder
checkers: SECRET_checkers_file.py
modules: {sums: sums.py}
seed: 7
include: sums/SECRET_included.yaml
late: {deadline: 2026-10-29T23:59:00+09:00, extensions: SECRET_extensions.yaml, then: 17%}
smoke: {cases: ["2.SECRET_name"], penalty: 13%}
cap: 8
sections: [{title: SECRET_section, questions: ["1", "2"], cap: 8.5}]
rounding: {step: 0.25}
rules:
  - forbidden names: {names: eval, penalty: 37%, hint: PUBLIC_rule}     # SECRET_comment_of_a_rule
let:
  SECRET_name_of_a_value: "[5, 6]  # SECRET_comment_in_a_value"
  shared: "[1, 2]  # SECRET_comment_in_another"
questions:
  - id: "1"
    title: PUBLIC_title
    marks: 4
    cases:
      - {call: "total(shared)", returns: 3, hint: PUBLIC_hint}
      - call: total([771, 'SECRET_argument'])
        returns: "'SECRET_answer'"
        visibility: hidden
        hint: SECRET_hint
      - {call: "total([40, 2])", returns: same as reference}              # SECRET_comment_of_a_case
      - name: SECRET_name_of_a_case
        call: total(SECRET_name_of_a_value)
        returns: "'SECRET_later'"
        visibility: after-due
      - {call: "apply(lambda x: x + 1, 4)", returns: 5}
      - {call: "apply(lambda x: 'SECRET_lambda', 4)", returns: same as reference, visibility: hidden}
      - {call: "total([2, 3])", check: "near(5)"}
      - {call: "total([2, 4])", check: SECRET_checker(6), visibility: hidden}
  - id: "2"
    title: Groups
    marks: 5
    groups: {usual: {award: all, weight: 3}, SECRET_group: {award: threshold, at least: 1, weight: 2}}
    cases:
      - {sum: "total([x, y])", over: {x: "range(2)  # SECRET_in_over", y: shared}, returns: 8, group: usual}
      - name: SECRET_name
        call: total([])
        returns: 0
        group: SECRET_group
        visibility: hidden
      - {program: sums, stdin: "PUBLIC_input\\n", stdout: same as reference, group: usual}
"""
INCLUDED = "let: {SECRET_included_value: 7}  # SECRET_comment_of_an_included_file\n"
REFERENCE = '''\
"""SECRET_docstring"""
SECRET_constant = "SECRET_text"


def total(numbers):
    # SECRET_comment_of_the_reference
    return "SECRET_answer" if 771 in numbers else "SECRET_later" if numbers == [5, 6] else sum(numbers)


def apply(f, x):
    return f(x)


if __name__ == "__main__":
    print("PUBLIC_output", input())
'''
CHECKERS = '''\
"""SECRET_docstring_of_the_checkers."""

import SECRET_module as other
from math import isclose, pi as SECRET_pi

PUBLIC_TOLERANCE = 1e-9  # SECRET_comment
SECRET_TABLE = {1: 2}


def near(answer, wanted):
    """SECRET_docstring_of_a_checker."""
    # SECRET_comment_of_a_checker
    return None if _is_near(answer, wanted) else "PUBLIC_complaint"


def _is_near(one, other):
    return isclose(one, other, abs_tol=PUBLIC_TOLERANCE)


def SECRET_checker(answer, wanted):
    return SECRET_TABLE.get(wanted)
'''
RIGHT = """\
import sys


def total(numbers):
    return sum(numbers)


def apply(f, x):
    return f(x)


if __name__ == "__main__":
    print("PUBLIC_output", input())
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    files = {
        "SECRET_spec_file.yaml": SPEC,
        "sums/SECRET_included.yaml": INCLUDED,
        "SECRET_reference_folder/sums.py": REFERENCE,
        "SECRET_reference_folder/SECRET_helper.py": "SECRET_helper = 1\n",
        "SECRET_checkers_file.py": CHECKERS.replace("import SECRET_module as other\n", ""),
        "SECRET_extensions.yaml": "SECRET_student: 48h\n",
        "SECRET_spec_file/handout/sums.py": "PUBLIC_starter = 1\n",
        "SECRET_spec_file/handout/data/words.txt": "PUBLIC_data\n",
        "SECRET_spec_file/handout/.SECRET_hidden_file": "SECRET\n",
        "SECRET_spec_file/handout/__pycache__/SECRET.pyc": "SECRET\n",
        "SECRET_spec_file/wrong/SECRET_program/sums.py": "SECRET = 1\n",
        "SECRET_spec_file/right/SECRET_program/sums.py": "SECRET = 1\n",
    }
    for name, content in files.items():
        (tmp_path / "course" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "course" / name).write_text(content)
    return tmp_path / "course" / "SECRET_spec_file.yaml"


@pytest.mark.parametrize("with_checkers", [False, True])
def test_no_secret_is_in_any_byte_of_it(spec: Path, tmp_path: Path, with_checkers: bool) -> None:
    bundle = make_bundle(spec, with_checkers=with_checkers)
    write_bundle(bundle, tmp_path / "out")
    content = zipped(bundle)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = b"\n".join(
            archive.read(entry) + entry.comment + entry.extra for entry in archive.infolist()
        )
    paths = sorted(path for path in (tmp_path / "out").rglob("*") if path.is_file())
    written = b"\n".join(str(path.relative_to(tmp_path)).encode() + path.read_bytes() for path in paths)
    for everything in (content, members, written):
        assert SECRET.findall(everything) == []
    # The policy of the marks, by its numbers; and the arguments of hidden calls.
    assert re.findall(rb"17%|13%|37%|0\.25|8\.5|771|\b[Tt]hreshold", written) == []
    # The search can fail: what is public is there.
    public = {b"title", b"hint", b"rule", b"input", b"output", b"starter", b"data"}
    public |= {b"TOLERANCE", b"complaint"} if with_checkers else set()
    assert {found.removeprefix(b"PUBLIC_") for found in re.findall(rb"PUBLIC_\w+", written)} == public


def test_its_answers_are_written_out_and_its_cases_keep_their_ids(spec: Path, tmp_path: Path) -> None:
    write_bundle(make_bundle(spec, with_checkers=True), tmp_path / "out")
    task = load_task(tmp_path / "out" / "sums.yaml")
    assert [case.id for case in task.cases] == ["1.1", "1.3", "1.5", "1.7", "2.1", "2.3"]
    assert task.reference is None
    assert task.more_cases == ("1", "2")
    assert "same as reference" not in (tmp_path / "out" / "sums.yaml").read_text()


def test_what_is_left_out_is_told_with_the_reason(spec: Path, tmp_path: Path) -> None:
    done = grader("bundle", spec, "-o", tmp_path / "out.zip")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path / 'out.zip'}\n"
    assert "note: left out: 1.7: a checker decides about it, and could give an answer away" in done.stderr


FILES = """\
task: files
title: Files
marks: 4
reference: reference
modules: {leap: leap.py, test_leap: test_leap.py}
questions:
  - {id: "1", title: One, module: leap, marks: 1, cases: [{call: f(1), returns: 1, title: PUBLIC_words}]}
  - {id: "2", title: Two, module: leap, marks: 1, cases: [{pytest: SECRET_tests.py}]}
  - id: "3"
    title: Three
    module: test_leap
    marks: 1
    cases:
      - student tests: test_leap
        against: {module: leap, right: [SECRET_right.py], wrong: [SECRET_wrong.py]}
  - id: "4"
    title: Four
    marks: 1
    criteria:
      - id: SECRET_criterion
        title: SECRET_title
        marks: 1
        description: SECRET_description
        levels: [{marks: 0, description: SECRET_level}, {marks: 1, description: SECRET_other_level}]
"""


def test_files_of_tests_and_criteria_stay_with_the_instructor(tmp_path: Path) -> None:
    right, test = (
        "def f(x):\n    return x  # SECRET\n",
        "import leap\n\n\ndef test_f():\n    assert leap.f(1) == 1\n",
    )
    files = {
        "files.yaml": FILES,
        "SECRET_tests.py": test + "    SECRET = 1\n",
        "SECRET_right.py": right,
        "SECRET_wrong.py": "def f(x):\n    return -x  # SECRET\n",
        "reference/leap.py": right,
        "reference/test_leap.py": test,
    }
    (tmp_path / "reference").mkdir()
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    bundle = make_bundle(tmp_path / "files.yaml")
    assert {one.case: one.reason for one in bundle.left_out} == {
        "2.1.1": "it is a test of a test file, which stays with you",
        "3.1": "programs that stay with you are what the student's tests are tried on",
    }
    assert SECRET.findall(b"".join(bundle.files.values())) == []
    (case,) = _task_of(bundle, tmp_path / "out").cases
    assert (case.id, case.title) == ("1.1", "PUBLIC_words")


def _task_of(bundle: Bundle, folder: Path) -> Task:
    write_bundle(bundle, folder)
    return load_task(folder / f"{bundle.task}.yaml")


@pytest.mark.acceptance
@pytest.mark.parametrize(
    "spec",
    sorted((Path(__file__).parents[2] / "docs" / "cookbook").glob("*.yaml")),
    ids=lambda spec: spec.stem,
)
def test_each_recipe_has_a_handout(spec: Path, tmp_path: Path) -> None:
    bundle = make_bundle(spec, with_checkers=True)
    assert bundle.cases or bundle.left_out
    assert str(spec.parent).encode() not in b"".join(bundle.files.values())
    if bundle.cases:
        assert len(_task_of(bundle, tmp_path / "out").cases) == bundle.cases


ELSEWHERE = (
    {"umask": "077", "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {
        "umask": "000",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "77",
        "USER": "SECRET",
        "HOME": "/SECRET",
    },
)


def test_every_machine_makes_the_same_bytes(spec: Path, tmp_path: Path) -> None:
    made = []
    for number, changes in enumerate(ELSEWHERE):
        course = tmp_path / f"machine-{number}" / "course"
        shutil.copytree(spec.parent, course)
        out = course.parent / "out.zip"
        umask = os.umask(int(changes["umask"], 8))
        try:
            command: list[str | Path] = [COMMAND, "bundle", course / spec.name, "-o", out]
            done = run(command, cwd=course.parent, env=environment(**changes), fresh=True)
        finally:
            os.umask(umask)
        assert done.returncode == 0, done.stderr
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert SECRET.search(made[1]) is None


def test_the_same_spec_gives_the_same_bytes(spec: Path) -> None:
    assert zipped(make_bundle(spec)) == zipped(make_bundle(spec))


def test_a_folder_with_files_is_not_written_into(spec: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.py").write_text("x = 1\n")
    done = grader("bundle", spec, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "this exists, and is not an empty folder" in done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.py"]


def test_a_student_checks_with_it_and_gets_no_promise(spec: Path, tmp_path: Path) -> None:
    done = grader("bundle", spec, "-o", tmp_path / "sums.zip", "--with-checkers")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(tmp_path / "sums.zip") as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "sums"
    first = grader("check", cwd=folder)
    assert first.returncode == 1
    assert "the module has no function total" in first.stdout
    (folder / "sums.py").write_text(RIGHT)
    done = grader("check", cwd=folder)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-2:] == [
        "Accepted: 6 of 6 cases",
        "These are the public cases only; marking has others too.",
    ]


def test_only_what_a_checker_uses_comes_with_it() -> None:
    assert with_only(CHECKERS, {"near"}) == (
        "from math import isclose\n"
        "PUBLIC_TOLERANCE = 1e-09\n\n"
        "def near(answer, wanted):\n"
        "    return None if _is_near(answer, wanted) else 'PUBLIC_complaint'\n\n"
        "def _is_near(one, other):\n"
        "    return isclose(one, other, abs_tol=PUBLIC_TOLERANCE)\n"
    )


def test_drawn_inputs_are_listed_with_their_answers_and_need_no_library(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "double.py").write_text("def double(n):\n    return 2 * n\n")
    (tmp_path / "double.yaml").write_text(
        "task: double\ntitle: Double\nmarks: 1\nreference: reference\nmodules: {double: double.py}\n"
        'questions:\n  - {id: "1", title: double, module: double, marks: 1, cases: [\n'
        '      {call: double(n), given: {n: "integers(-9, 9)"}, examples: 7, returns: same as reference},\n'
        "      {call: double(n), grow: {n: [10, 20, 40]}, growth: linear, returns: same as reference}]}\n"
    )
    done = grader("bundle", "double.yaml", "-o", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "left out: 1.2: its time is measured over growing inputs" in done.stderr
    (case,) = yaml.safe_load((tmp_path / "out" / "double.yaml").read_text())["questions"][0]["cases"]
    assert len(case["given"]) == 7
    assert all(int(row["answer"]) == 2 * int(row["x1"]) for row in case["given"])
    (tmp_path / "out" / "double.py").write_text("def double(n):\n    return n + n\n")
    without = begins_with("import sys; sys.modules['hypothesis'] = None", tmp_path / "without")
    done = grader("check", cwd=tmp_path / "out", PYTHONPATH=without)
    assert done.returncode == 0, done.stdout + done.stderr


def test_rules_seeds_and_timeouts_stand_in_the_handout(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "one.py").write_text("'''M.'''\n\n\ndef f(n):\n    return n and f(n - 1)\n")
    (tmp_path / "t.yaml").write_text("""
task: t
title: T
marks: 1
reference: reference
modules: {one: one.py}
questions:
  - id: "1"
    title: Q
    marks: 1
    award: each
    stop after: 3 timeouts
    cases:
      - {call: f(3), returns: 0, seed: 0}
      - {rule: {required recursion: {functions: f}}}
      - {rule: {docstrings: {for: module, each: 12.5%}}}
      - {rule: {linter: {select: F, each: 5%, weights: {F401: 0.5}}}}
""")
    write_bundle(make_bundle(tmp_path / "t.yaml"), tmp_path / "out")
    whole, public = (load_task(path / "t.yaml").questions[0] for path in (tmp_path, tmp_path / "out"))
    assert public.stop_after == whole.stop_after == 3
    assert [(case.seed, case.what) for case in public.cases] == [(c.seed, c.what) for c in whole.cases]


def test_texts_of_which_a_part_is_expected_go_out_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    code = "def f():\n    print('one SECRET')\n    open('a.txt', 'w').write('two SECRET')\n"
    (tmp_path / "reference" / "work.py").write_text(code)
    (tmp_path / "task.yaml").write_text(PARTS)
    bundle = make_bundle(tmp_path / "task.yaml")
    assert (bundle.cases, bundle.left_out) == (1, [])
    (case,) = yaml.safe_load(bundle.files["parts.yaml"])["questions"][0]["cases"]
    assert case["prints"] == {"contains": ["one"]}
    assert case["leaves"] == {"a.txt": {"contains": ["two"]}}
    assert not any(SECRET.search(content) for content in bundle.files.values())


PARTS = """
task: parts
title: Parts
marks: 1
reference: reference
modules: {work: work.py}
questions:
  - id: "1"
    title: One
    marks: 1
    cases: [{call: f(), prints: {contains: [one]}, leaves: {a.txt: {contains: [two]}}}]
"""


def test_what_is_read_of_answers_is_written_for_each_of_them(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text("def pair(n):\n    return [n, n + 1]\n")
    (tmp_path / "read.yaml").write_text(
        "task: read\ntitle: Read\nmarks: 1\nreference: reference\nmodules: {work: work.py}\nquestions:\n"
        '  - id: "1"\n    title: One\n    marks: 1\n    cases:\n'
        "      - {call: pair(n), given: [{n: 1}, {n: 5}], reads: ['_[0]', '_[1]'],"
        "         returns: same as reference}\n"
        "      - {each: pair(n), over: {n: [1, 5]}, reads: ['_[1]'], returns: same as reference}\n"
    )
    done = grader("bundle", tmp_path / "read.yaml", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    first, second = load_task(tmp_path / "out" / "read.yaml").questions[0].cases
    answers = [step.expect.value for step in calls_of(first).steps if isinstance(step.expect, Returns)]
    assert answers == [{"_[0]": 1, "_[1]": 2}, {"_[0]": 5, "_[1]": 6}]
    expect = calls_of(second).decides
    assert isinstance(expect, Returns)
    assert expect.value == [{"_[1]": 2}, {"_[1]": 6}]


def test_an_answer_that_no_spec_can_say_is_left_out_by_name(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "power.py").write_text("def power(n):\n    return 10**n\n")
    (tmp_path / "power.yaml").write_text(
        "task: power\ntitle: Power\nmarks: 1\nreference: reference\nmodules: {power: power.py}\n"
        'questions:\n  - {id: "1", title: power, module: power, marks: 1, cases: [\n'
        "      {call: power(2), returns: same as reference},\n"
        '      {call: power(5000), returns: same as reference, needs: ["1.1"]}]}\n'
    )
    made = make_bundle(tmp_path / "power.yaml")
    assert [(one.case, one.reason) for one in made.left_out] == [
        ("1.2", "it cannot be written in a spec: this number has more than 10,000 bits")
    ]
    assert [case.id for case in _task_of(made, tmp_path / "out").cases] == ["1.1"]


def test_loops_over_many_arguments_keep_their_names(tmp_path: Path) -> None:
    names = "xyzuvwpqrs"
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "many.py").write_text(
        f"def many({', '.join(names)}):\n    return {names[-1]}\n"
    )
    over = ", ".join(f'{name}: "[{at}, {at + 1}]"' for at, name in enumerate(names))
    (tmp_path / "many.yaml").write_text(
        "task: many\ntitle: Many\nmarks: 1\nreference: reference\nmodules: {many: many.py}\n"
        'questions:\n  - {id: "1", title: many, module: many, marks: 1, cases: [\n'
        f'      {{sum: "many({", ".join(names)})", over: {{{over}}}, returns: same as reference}}]}}\n'
    )
    write_bundle(make_bundle(tmp_path / "many.yaml"), tmp_path / "out")
    text = (tmp_path / "out" / "many.yaml").read_text()
    assert f"many({', '.join(names)})" in text
    before, after = (
        calls_of(load_task(path / "many.yaml").cases[0]).calls for path in (tmp_path, tmp_path / "out")
    )
    assert [call.args for call in before] == [call.args for call in after]


def test_own_code_of_one_name_in_different_folders_stays_apart(tmp_path: Path) -> None:
    (tmp_path / "sample" / "handout").mkdir(parents=True)
    (tmp_path / "sample" / "handout" / "harness.py").write_text("# What students begin with.\n")
    (tmp_path / "sample" / "handout" / "work.py").write_text("base = ...\n")
    for name, number in (("a", 1), ("b", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "setup.py").write_text(f"given = {number}\n")
        (tmp_path / name / "harness.py").write_text(f"import work\n\ndef run():\n    return {number}\n")
        (tmp_path / name / "checkers.py").write_text(f"def last():\n    return base * {number}\n")
    questions = "".join(
        f'  - {{id: "{question}", title: T, marks: 1, module: work, before: {name}/setup.py, gives: given,\n'
        f"     after: {name}/checkers.py, cases: [{{call: last(), returns: {answer}}}]}}\n"
        f'  - {{id: "{question}h", title: T, marks: 1, module: work, harness: {name}/harness.py,\n'
        f"     cases: [{{call: run(), returns: {answer}}}]}}\n"
        for question, name, answer in (("1", "a", 1), ("2", "b", 2))
    )
    (tmp_path / "sample.yaml").write_text(
        f"task: sample\ntitle: T\nmarks: 4\nmodules: {{work: work.py}}\nquestions:\n{questions}"
    )
    made = make_bundle(tmp_path / "sample.yaml")
    assert not made.left_out
    assert made.files["harness.py"] == b"# What students begin with.\n"
    given, out = load_task(tmp_path / "sample.yaml"), _task_of(made, tmp_path / "out")
    for before, after in zip(given.cases, out.cases, strict=True):
        assert calls_of(before).around == calls_of(after).around
        assert calls_of(before).harness == calls_of(after).harness


def test_a_starter_with_a_name_of_the_graders_is_told(tmp_path: Path) -> None:
    (tmp_path / "sample" / "handout").mkdir(parents=True)
    (tmp_path / "sample" / "handout" / "sample.yaml").write_text("begin: here\n")
    (tmp_path / "sample.yaml").write_text(
        "task: sample\ntitle: T\nmarks: 1\nmodules: {work: work.py}\nquestions:\n"
        '  - {id: "1", title: T, marks: 1, cases: [{call: f(), returns: 1}]}\n'
    )
    with pytest.raises(UsageError) as raised:
        make_bundle(tmp_path / "sample.yaml")
    assert "with the name of one that students start from: sample.yaml" in str(raised.value)


DEVICES = """\
task: {task}
title: Leap
marks: 1
modules: {{leap: {file}}}
{data}
questions:
  - id: "1"
    title: leap
    marks: 1
    cases:
      - {{call: leap(4), returns: true{more}}}
"""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"task": "con"}, "con.yaml is the name of a device"),
        ({"file": "aux.py"}, "aux.py is the name of a device"),
        ({"data": "files: {NUL.csv: a}"}, "NUL.csv is the name of a device"),
        ({"more": ", files: {com1.txt: a}"}, "com1.txt is the name of a device"),
        ({"more": ", leaves: [data/prn.txt]"}, "prn.txt is the name of a device"),
        ({"more": ", leaves: {'a.txt.': a}"}, "leaves out the dot at the end of the name 'a.txt.'"),
        ({"starter": "what?.txt"}, "no name on Windows can hold the character '?'"),
        ({"starter": "readme.MD"}, "README.md and readme.MD are one file on Windows"),
        ({"starter": "data\\a.txt"}, "can hold the character"),
    ],
)
def test_a_handout_with_a_name_that_windows_has_not_is_refused(
    changed: dict[str, str], said: str, tmp_path: Path
) -> None:
    texts = {"task": "leap", "file": "leap.py", "data": "", "more": "", **changed}
    spec = tmp_path / "leap.yaml"
    spec.write_text(DEVICES.format(**texts))
    if starter := changed.get("starter"):
        (tmp_path / "leap" / "handout").mkdir(parents=True)
        (tmp_path / "leap" / "handout" / starter).write_text("a")
    with pytest.raises(UsageError) as raised:
        make_bundle(spec)
    assert said in raised.value.faults[0].message
    assert raised.value.faults[0].hint == "rename it: students check their work on Windows too"


def test_the_language_of_the_pages_comes_along(tmp_path: Path) -> None:
    (tmp_path / "reference").mkdir()
    (tmp_path / "reference" / "work.py").write_text("def half(n):\n    return n // 2\n")
    head = "task: half\ntitle: Halb\nmarks: 1\nlanguage: de\nreference: reference\nmodules: {work: work.py}\n"
    case = "{call: half(4), returns: same as reference}"
    (tmp_path / "half.yaml").write_text(
        f'{head}questions: [{{id: "1", title: half, marks: 1, cases: [{case}]}}]\n'
    )
    done = grader("bundle", "half.yaml", "-o", "handout", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "language: de\n" in (tmp_path / "handout" / "half.yaml").read_text()
    checked = grader("check", "handout/half.yaml", "reference", cwd=tmp_path)
    assert "Punkte: 1 von 1" in checked.stdout

"""A program of the spec's that runs in place of the student's, and imports it."""

from pathlib import Path

from support.marking import mark

from grader.model.results import CaseResult

DRIVER = "import random\n\nimport work\n\nrandom.seed(1)\nprint('it', work.told())\n"
SPEC = """
questions:
  - id: "1"
    title: told
    marks: 1
    cases: [{program: work, harness: driver.py, stdout: "it 7\\n"}]
"""


def run(folder: Path, works: dict[str, str], spec: str = SPEC) -> CaseResult:
    (folder / "driver.py").write_text(DRIVER)
    return mark(folder, spec, works).questions[0].cases[0]


def test_it_runs_and_imports_the_students(tmp_path: Path) -> None:
    assert run(tmp_path, {"work": "def told():\n    return 7\n"}).verdict == "accepted"


def test_what_the_students_module_does_at_its_import_is_part_of_it(tmp_path: Path) -> None:
    case = run(tmp_path, {"work": "print('it 7')\nraise SystemExit\n"})
    # It printed what is expected, and ended the program: it is believed as any program is.
    assert case.verdict == "accepted"


def test_a_file_of_the_students_with_its_name_is_not_used(tmp_path: Path) -> None:
    case = run(tmp_path, {"work": "def told():\n    return 8\n", "driver": "print('it 7')\n"})
    assert (case.verdict, case.message) == (
        "wrong-answer",
        "stdout, line 1, column 4: expected it·7↵, got it·8↵",
    )


def test_one_that_is_replaced_while_it_runs_gains_nothing_a_program_could_not_print(tmp_path: Path) -> None:
    work = "import sys\n\nsys.modules['driver'] = None\n\n\ndef told():\n    return 8\n"
    assert run(tmp_path, {"work": work}).verdict == "wrong-answer"


def test_it_needs_the_students_module(tmp_path: Path) -> None:
    case = run(tmp_path, {"other": ""})
    assert (case.verdict, "there is no work.py" in case.message) == ("load-error", True)


def test_it_cannot_run_a_program_in_another_language(tmp_path: Path) -> None:
    spec = f"toolchains: [c]\n{SPEC}"
    case = run(tmp_path, {"work.c": "int main(void) { return 0; }\n"}, spec)
    assert (case.verdict, "driver.py can only run a program in Python" in case.message) == (
        "load-error",
        True,
    )

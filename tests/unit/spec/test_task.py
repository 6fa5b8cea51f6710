"""A whole task from a whole spec."""

import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from grader.model.case import Visibility
from grader.model.errors import SpecError, UsageError
from grader.model.kinds import calls_of
from grader.model.limits import GIB, MIB, Limits
from grader.model.task import Award, PageLanguage, Rounding, RoundingMode
from grader.spec import load_task
from grader.spec.load import MAX_SPEC_B

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

DATA = Path(__file__).parents[2] / "data" / "spec"
SMALLEST = """\
task: a
title: A
marks: 1
modules: {m: m.py}
questions:
- id: q
  title: Q
  marks: 1
  cases: """
CASE = "- {call: 'is_legal(8, [], (3, 4))', returns: true}\n"


def test_the_fixture_becomes_a_task() -> None:
    task = load_task(DATA / "valid.yaml")
    assert (task.id, task.title, task.marks) == ("knights-tour", "Knight's Tour", Fraction(13, 2))
    assert task.modules == (("knight1", "knight1.py"), ("knight4", "knight4.py"))
    assert task.reference is not None
    assert task.checkers is not None
    assert (task.reference.path, task.checkers.path) == (DATA / "reference", DATA / "checkers.py")
    assert (task.packages, task.python, task.seed, task.budget_s) == (("numpy",), "3.12", 7, 300.0)
    assert task.rounding == Rounding(Fraction(1, 2), RoundingMode.HALF_EVEN)
    assert task.limits == Limits(30.0, 100.0, GIB, MIB, 8 * MIB)
    assert [(q.id, q.module, q.marks, q.award) for q in task.questions] == [
        ("1", "knight1", 1, Award.EACH),
        ("2b", "knight1", 2, Award.ALL),
        ("3", "knight4", Fraction(7, 2), Award.GROUPS),
    ]
    assert [case.id for case in task.cases] == [
        *("1.1", "1.2", "1.three-by-three", "1.4"),
        *("2b.1", "2b.2", "2b.3", "2b.4"),
        *("3.1", "3.2", "3.3", "3.4", "3.5"),
    ]
    assert task.spec_path == DATA / "valid.yaml"
    assert len(task.spec_sha256) == 64


def test_details_of_cases_of_the_fixture() -> None:
    cases = {case.id: case for case in load_task(DATA / "valid.yaml").cases}
    assert cases["1.2"].weight == Fraction(1, 2)
    assert [cases[i].visibility for i in ("1.1", "1.2", "2b.1")] == [
        Visibility.PUBLIC,
        Visibility.HIDDEN,
        Visibility.AFTER_DUE,
    ]
    assert cases["1.4"].needs == ("1.1",)
    assert cases["2b.2"].needs == ("1.1", "1.three-by-three", "1.4", "2b.1")
    assert calls_of(cases["2b.1"]).unchanged
    assert cases["3.1"].hint == "Stop at the first answer."
    assert [cases[i].group for i in ("3.1", "3.3")] == ["small", "big"]


def test_loading_twice_gives_the_same_task() -> None:
    assert load_task(DATA / "valid.yaml") == load_task(DATA / "valid.yaml")


def test_what_may_be_left_out_has_its_default(spec: "SmallSpec") -> None:
    task = spec.load(text=SMALLEST + "[{call: f(), returns: 1}]")
    assert (task.reference, task.checkers, task.packages, task.python) == (None, None, (), "")
    assert (task.limits, task.budget_s, task.rounding, task.seed) == (Limits(), 60.0, Rounding(), 0)
    (question,) = task.questions
    assert (question.module, question.award) == ("m", Award.ALL)
    (case,) = question.cases
    assert (case.weight, calls_of(case).unchanged, case.needs) == (Fraction(1), False, ())
    assert case.group == case.hint == ""
    assert (case.visibility, case.limits) == (Visibility.PUBLIC, Limits())


@pytest.mark.parametrize(
    ("task", "question", "case", "time_s", "wall_s"),
    [
        ("", "", "", 2.0, 7.0),
        ("time: 5s", "", "", 5.0, 16.0),
        ("time: 5s", "time: 6s", "time: 7s", 7.0, 22.0),
        ("time: 5s, wall: 30s", "time: 6s", "", 6.0, 30.0),
        ("wall: 30s", "wall: 40s", "time: 500ms", 0.5, 40.0),
    ],
)
def test_limits_come_down_from_the_task(
    spec: "SmallSpec", task: str, question: str, case: str, time_s: float, wall_s: float
) -> None:
    line = f"- {{call: 'is_legal(8, [], (3, 4))', returns: true, limits: {{{case}}}}}"
    limits = spec.case(line, f"limits: {{{task}}}", f"limits: {{{question}}}").limits
    assert (limits.time_s, limits.wall_s) == (time_s, wall_s)


def test_sizes_come_down_from_the_task(spec: "SmallSpec") -> None:
    line = "- {call: 'is_legal(8, [], (3, 4))', returns: true, limits: {answer: 2KiB}}"
    limits = spec.case(line, "limits: {memory: 1GiB, output: 5}", "limits: {output: 10B}").limits
    assert (limits.memory_b, limits.output_b, limits.answer_b) == (GIB, 10, 2048)


def test_marks_are_exact_however_they_are_written(spec: "SmallSpec") -> None:
    text = spec.write(CASE).read_text(encoding="utf-8")
    text = text.replace("\nmarks: 1\n", "\nmarks: '0.30'\n").replace("    marks: 1\n", "    marks: 0.1\n")
    second = '  - {id: "2", title: B, module: knight1, marks: ".2", cases: [{call: first(1), returns: 1}]}\n'
    task = spec.load(text=text + second)
    assert [question.marks for question in task.questions] == [Fraction(1, 10), Fraction(1, 5)]
    assert task.marks == Fraction(3, 10)


def test_titles_and_ids_are_taken_as_they_are_written(spec: "SmallSpec") -> None:
    text = spec.write(CASE).read_text(encoding="utf-8")
    task = spec.load(text=text.replace("title: First", "title: 007").replace('id: "1"', "id: 010"))
    assert (task.questions[0].title, task.questions[0].id) == ("007", "010")


def digest(spec: "SmallSpec") -> str:
    return load_task(spec.path).spec_sha256


def test_the_digest_covers_the_spec_the_checkers_and_the_reference(spec: "SmallSpec") -> None:
    spec.write(CASE)
    digests = [digest(spec)]
    for path, content in (
        (spec.path, spec.path.read_text(encoding="utf-8") + "# a comment\n"),
        (spec.folder / "checkers.py", "def tour(answer, dim): pass\n"),
        (spec.folder / "reference" / "further.py", ""),
        (spec.folder / "reference" / "further.py", "x = 1\n"),
        (spec.folder / "reference" / "deeper" / "module.py", "x = 1\n"),
    ):
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
        digests.append(digest(spec))
    assert len(set(digests)) == len(digests)


def test_the_digest_ignores_what_is_not_part_of_the_spec(spec: "SmallSpec") -> None:
    spec.write(CASE)
    before = digest(spec)
    for name in ("__pycache__/knight1.py", ".hidden/x.py", "notes.txt"):
        path = spec.folder / "reference" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = 1\n", encoding="utf-8")
    assert digest(spec) == before


def test_the_digest_does_not_depend_on_where_the_spec_lies(spec: "SmallSpec", tmp_path: Path) -> None:
    spec.write(CASE)
    before = digest(spec)
    moved = spec.folder.rename(spec.folder.with_name("moved"))
    assert load_task(moved / "small.yaml").spec_sha256 == before


@pytest.mark.parametrize("name", ["missing.yaml", "no/such/folder.yaml", ".", "a\0b", "x" * 5000])
def test_a_spec_that_is_no_file_is_a_mistake_of_usage(spec: "SmallSpec", name: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_task(spec.folder / name)
    assert not isinstance(caught.value, SpecError)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="it can read everything")
def test_a_spec_without_permission_is_a_mistake_of_usage(spec: "SmallSpec") -> None:
    spec.write(CASE).chmod(0)
    with pytest.raises(UsageError, match="can't be read"):
        load_task(spec.path)


def test_a_spec_that_is_too_large_is_refused(spec: "SmallSpec") -> None:
    (fault,) = spec.faults(text="#" * (MAX_SPEC_B + 1))
    assert fault.message == "a spec can have at most 1024 KiB"


def test_a_byte_order_mark_is_no_part_of_the_text(spec: "SmallSpec") -> None:
    spec.write(CASE)
    spec.path.write_bytes(b"\xef\xbb\xbf" + spec.path.read_bytes())
    assert load_task(spec.path).id == "small"


def test_the_mistakes_of_a_spec_are_told_together_in_order(spec: "SmallSpec") -> None:
    cases = """
    - {call: 'is_legal(8, [], (3, 4))', returns: true, hnit: x}
    - {call: 'is_legal(8, [], nowhere)', returns: 1 | 2, needs: '1.9'}
    - {call: 'elsewhere()', check: 'tour()', weight: -1, limits: {time: soon}}
    """
    faults = spec.faults(cases, "budget: none\nseed: x\n", "award: some\n")
    assert len(faults) == 11
    places = [tuple(map(int, fault.where.rpartition("small.yaml:")[2].split(":"))) for fault in faults]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("cases", "message"),
    [
        ("[]", "`cases` is empty"),
        ("1", "`cases` must be a list, not `1`"),
        ("[1]", "a case must be a mapping, lines of `key: value`, not `1`"),
        (
            "[{call: f(), returns: 1, needs: {a: 1}}]",
            "`needs` must be a name or a list of names, not a mapping",
        ),
    ],
)
def test_cases_of_the_wrong_shape(spec: "SmallSpec", cases: str, message: str) -> None:
    assert [fault.message for fault in spec.faults(text=SMALLEST + cases)] == [message]


def test_a_question_must_name_one_of_several_modules(spec: "SmallSpec") -> None:
    text = spec.write(CASE).read_text(encoding="utf-8").replace("    module: knight1\n", "")
    (fault,) = spec.faults(text=text)
    assert fault.message == "`module` is missing in a question: the task has several modules"
    assert fault.hint == "there is `knight1`, `knight4`"


def test_a_syntax_error_of_the_reference_is_shown_in_its_own_file(spec: "SmallSpec") -> None:
    spec.write(CASE)
    (spec.folder / "reference" / "knight4.py").write_text("def f(:\n    pass\n", encoding="utf-8")
    (fault,) = spec.faults(CASE)
    assert fault.where == f"{spec.folder / 'reference' / 'knight4.py'}:1:7"
    assert fault.excerpt == "def f(:"


def test_a_star_import_from_elsewhere_leaves_open_what_can_be_called(spec: "SmallSpec") -> None:
    (spec.folder / "reference" / "knight1.py").write_text("from math import *\n", encoding="utf-8")
    assert calls_of(spec.case("- {call: sqrt(4), returns: 2.0}")).calls[0].function == "sqrt"


def test_a_star_import_from_a_neighbour_is_followed(spec: "SmallSpec") -> None:
    text = spec.write("- {call: 'first_tour(5, [])', returns: null}").read_text(encoding="utf-8")
    text = text.replace("module: knight1", "module: knight4")
    assert calls_of(spec.load(text=text).cases[0]).calls[0].function == "first_tour"
    (fault,) = spec.faults(text=text.replace("first_tour", "last_tour"))
    assert fault.hint == "did you mean `first_tour`?"


def test_star_imports_in_a_circle_end(spec: "SmallSpec") -> None:
    for name, other in (("knight1", "knight4"), ("knight4", "knight1")):
        path = spec.folder / "reference" / f"{name}.py"
        path.write_text(f"from {other} import *\ndef of_{name}(): pass\n", encoding="utf-8")
    assert calls_of(spec.case("- {call: of_knight4(), returns: 1}")).calls[0].function == "of_knight4"


def test_a_reference_without_python_files_is_refused(spec: "SmallSpec") -> None:
    for path in (spec.folder / "reference").glob("*.py"):
        path.unlink()
    assert "the reference holds no .py files" in spec.messages()


def test_the_code_that_runs_is_the_code_that_was_digested(spec: "SmallSpec") -> None:
    spec.write(CASE)
    latin = spec.folder / "reference" / "latin.py"
    latin.write_bytes(b"# coding: latin-1\r\nNAME = '\xe9'\n")
    task = load_task(spec.path)
    latin.write_text("NAME = 'changed'\n", encoding="utf-8")
    assert task.reference is not None
    assert task.reference.texts["latin"] == "# coding: latin-1\nNAME = '\xe9'\n"
    assert {"knight1", "knight4"} <= set(task.reference.texts)


def test_a_reference_that_is_no_text_is_refused(spec: "SmallSpec") -> None:
    spec.write(CASE)
    (spec.folder / "reference" / "noise.py").write_bytes(b"x = '\xff'\n")
    (fault,) = spec.faults()
    assert fault.message.startswith("noise.py can't be read as Python: ")


def test_a_folder_with_too_many_files_is_no_reference(spec: "SmallSpec") -> None:
    for number in range(2001):
        (spec.folder / "reference" / str(number)).touch()
    assert spec.messages() == ["this folder holds more than 2,000 files; it can't be a reference"]


def test_a_file_that_is_too_large_is_refused(spec: "SmallSpec") -> None:
    (spec.folder / "checkers.py").write_bytes(b"#" * (1024 * 1024 + 1))
    assert spec.messages() == ["checkers.py is larger than 1024 KiB"]


@pytest.mark.parametrize("path", ['"a\\0b"', "x" * 5000, "small.yaml/x", '"\\uD800"'])
@pytest.mark.parametrize("key", ["reference", "checkers"])
def test_any_path_is_a_mistake_in_words(spec: "SmallSpec", key: str, path: str) -> None:
    text = spec.write(CASE).read_text(encoding="utf-8")
    written = {"reference": "reference: reference", "checkers": "checkers: checkers.py"}[key]
    assert spec.faults(text=text.replace(written, f"{key}: {path}"))


def test_groups_need_groups_and_groups_without_them_have_no_effect(spec: "SmallSpec") -> None:
    assert spec.messages(CASE, "", "award: groups") == ["`group` is missing in this case"]
    grouped = CASE.replace("returns: true", "returns: true, group: a")
    assert spec.messages(grouped, "", "award: each") == ["`group` has no effect with `award: each`"]
    assert spec.case(grouped, "", "award: groups").group == "a"


@pytest.mark.parametrize(
    ("needs", "count"),
    [
        (["1.1"], 1),
        (["1"], 1),
        (["1.2", "1.1"], 2),
        (["1.2", "1.3", "1.1"], 3),
        (["1.2", "1.3", "1.2"], 2),
    ],
)
def test_every_need_on_a_circle_is_told(spec: "SmallSpec", needs: list[str], count: int) -> None:
    cases = "".join(CASE.replace("true", f"true, needs: '{need}'") for need in needs)
    messages = spec.messages(cases)
    assert len(messages) == count
    assert all("would need itself" in message for message in messages)


def test_needs_that_only_lead_on_are_fine(spec: "SmallSpec") -> None:
    cases = (
        CASE.replace("true", "true, needs: ['1.2', '1.3']")
        + CASE.replace("true", "true, needs: '1.3'")
        + CASE
    )
    assert [case.needs for case in spec.load(cases).cases] == [("1.2", "1.3"), ("1.3",), ()]


def test_the_language_of_students_pages(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(SMALLEST + "\n  - {call: f(), returns: 1}\n")
    assert load_task(path).language is PageLanguage.ENGLISH
    path.write_text("language: de\n" + SMALLEST + "\n  - {call: f(), returns: 1}\n")
    assert load_task(path).language is PageLanguage.GERMAN
    path.write_text("language: german\n" + SMALLEST + "\n  - {call: f(), returns: 1}\n")
    with pytest.raises(SpecError, match="`language` must be one of en, de"):
        load_task(path)

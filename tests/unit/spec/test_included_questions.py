"""Questions that a spec takes from another file, with keys of its own beside `include`."""

from typing import TYPE_CHECKING

import pytest

from grader.model.case import Visibility

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

HEAD = """\
task: small
title: Small
marks: 1
reference: reference
checkers: checkers.py
modules: {knight1: knight1.py, knight4: knight4.py}
questions:
"""
SHARED = """\
questions:
  - id: "1"
    title: First
    module: knight1
    marks: 1
    visibility: hidden
    cases:
      - {name: far, call: "is_legal(8, [], (3, 4))", returns: true}
      - {name: off, call: "is_legal(8, [], (9, 4))", returns: false}
"""


def _with(spec: "SmallSpec", question: str, shared: str = SHARED, name: str = "shared.yaml") -> str:
    (spec.folder / name).write_text(shared)
    return HEAD + question


def test_a_question_can_stand_in_a_file_of_its_own(spec: "SmallSpec") -> None:
    (question,) = spec.load(text=_with(spec, "  - include: shared.yaml#1\n")).questions
    assert (question.id, question.title, question.marks) == ("1", "First", 1)
    assert [case.id for case in question.cases] == ["1.far", "1.off"]
    assert question.cases[0].visibility is Visibility.HIDDEN


def test_keys_beside_include_count(spec: "SmallSpec") -> None:
    text = _with(
        spec, "  - {include: shared.yaml#1, id: '7', title: Seventh, marks: 1, visibility: public}\n"
    )
    (question,) = spec.load(text=text).questions
    assert (question.id, question.title) == ("7", "Seventh")
    assert [case.id for case in question.cases] == ["7.far", "7.off"]
    assert question.cases[0].visibility is Visibility.PUBLIC


def test_a_case_of_the_same_name_replaces_the_included_one(spec: "SmallSpec") -> None:
    cases = """\
  - include: shared.yaml#1
    cases:
      - {call: "is_legal(8, [], (0, 0))", returns: true}
      - {name: far, call: "is_legal(5, [], (4, 4))", returns: true}
"""
    (question,) = spec.load(text=_with(spec, cases)).questions
    assert [(case.id, case.text) for case in question.cases] == [
        ("1.far", "is_legal(5, [], (4, 4))"),
        ("1.off", "is_legal(8, [], (9, 4))"),
        ("1.3", "is_legal(8, [], (0, 0))"),
    ]


def test_an_included_question_can_include_another(spec: "SmallSpec") -> None:
    (spec.folder / "further.yaml").write_text(
        'questions: [{id: x, include: "shared.yaml#1", title: Other}]\n'
    )
    (question,) = spec.load(text=_with(spec, "  - {include: further.yaml#x, id: '2'}\n")).questions
    assert (question.id, question.title, len(question.cases)) == ("2", "Other", 2)


def test_a_circle_is_refused(spec: "SmallSpec") -> None:
    shared = "questions:\n  - {id: a, include: shared.yaml#b}\n  - {id: b, include: shared.yaml#a}\n"
    (fault,) = spec.faults(text=_with(spec, "  - include: shared.yaml#a\n", shared))
    assert fault.message == "this question would include itself"
    assert fault.where == f"{spec.folder / 'shared.yaml'}:3:22"
    assert fault.hint == "by way of `shared.yaml#a`, `shared.yaml#b`"


def test_a_long_row_of_files_is_refused(spec: "SmallSpec") -> None:
    lines = "".join(f"  - {{id: q{i}, include: shared.yaml#q{i + 1}}}\n" for i in range(5000))
    (fault,) = spec.faults(text=_with(spec, "  - include: shared.yaml#q0\n", f"questions:\n{lines}"))
    assert fault.message == "this would be the file after 10 others"


def test_a_mistake_is_told_in_the_included_file(spec: "SmallSpec") -> None:
    shared = SHARED.replace("is_legal(8, [], (9, 4))", "is_legl(8, [], (9, 4))")
    (fault,) = spec.faults(text=_with(spec, "  - include: shared.yaml#1\n", shared))
    assert fault.message == "the reference has no `is_legl` in this module"
    assert fault.where == f"{spec.folder / 'shared.yaml'}:9:28"
    assert fault.excerpt.lstrip().startswith("- {name: off, call:")


def test_a_mistake_beside_include_is_told_in_the_spec(spec: "SmallSpec") -> None:
    (fault,) = spec.faults(text=_with(spec, "  - {include: shared.yaml#1, visibility: secret}\n"))
    assert fault.where == f"{spec.path}:8:42"


def test_two_included_questions_need_two_ids(spec: "SmallSpec") -> None:
    text = _with(spec, "  - include: shared.yaml#1\n  - include: shared.yaml#1\n").replace(
        "marks: 1", "marks: 2"
    )
    messages = [fault.message for fault in spec.faults(text=text)]
    name = spec.folder / "shared.yaml"
    assert any(m.startswith("two questions have the id `1`, on line 2 of ") for m in messages), (
        name,
        messages,
    )


@pytest.mark.parametrize(
    ("include", "said", "hint"),
    [
        ("shared.yaml#2", "shared.yaml has no question `2`", "there is `1`"),
        (
            "shared.yaml",
            "`include` must say which question of shared.yaml",
            "such as shogun/questions.yaml#3",
        ),
        ("[a, b]", "`include` of a question must name a question of another file", "shogun/questions.yaml#3"),
        ("'#1'", "`include` of a question must name a question of another file", "shogun/questions.yaml#3"),
        ("none.yaml#1", "there is no file ", "paths are relative to the spec's folder"),
    ],
)
def test_what_cannot_be_included(spec: "SmallSpec", include: str, said: str, hint: str) -> None:
    (fault,) = spec.faults(text=_with(spec, f"  - include: {include}\n"))
    assert fault.message.startswith(said)
    assert fault.hint.endswith(hint)


def test_the_digest_covers_included_questions(spec: "SmallSpec") -> None:
    before = spec.load(text=_with(spec, "  - include: shared.yaml#1\n")).spec_sha256
    after = spec.load(text=_with(spec, "  - include: shared.yaml#1\n", SHARED + "# more\n")).spec_sha256
    assert before != after

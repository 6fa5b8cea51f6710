"""Values from files, and harnesses: what is read, and within which bounds."""

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from grader.model.case import Folder, Returns, Text
from grader.model.kinds import calls_of
from grader.model.own_code import Harness
from grader.model.values import Value

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec

HARNESS = "class Bank:\n    paid = ()\n\n\ndef twice(x):\n    return 2 * x\n"


def value_of(spec: "SmallSpec", name: str, content: bytes, more: str = "") -> Value:
    (spec.folder / name).write_bytes(content)
    case = spec.case(f"- {{call: 'is_legal(8, [], (3, 4))', returns: {{from: {name}{more}}}}}")
    what = calls_of(case)
    assert isinstance(what.decides, Returns)
    return what.decides.value


@pytest.mark.parametrize(
    ("name", "content", "more", "value"),
    [
        (
            "a.json",
            b'\xef\xbb\xbf{"a": [1, 2.5, null, "\\u00e4"]}',
            "",
            {"a": [1, 2.5, None, "ä"]},
        ),
        ("a.txt", b"one\r\ntwo\rthree", "", "one\ntwo\nthree"),
        ("a.txt", b"one\r\ntwo\n", ", as: lines", ["one", "two"]),
        ("a.txt", b"one\n\n", ", as: lines", ["one", ""]),
        ("a.txt", b"", ", as: lines", []),
        ("a.txt", b"", "", ""),
        ("a.csv", b'a,"b\nc"\r\n1,2\r\n', "", [["a", "b\nc"], ["1", "2"]]),
        ("a.py", b"# large\n[(1, {2}),\n b'x']  # end\n", "", [(1, {2}), b"x"]),
        ("a.data", b"[1]", ", as: json", [1]),
        ("a.json", b"[1]", ", as: text", "[1]"),
    ],
)
def test_a_file_is_a_value(spec: "SmallSpec", name: str, content: bytes, more: str, value: Value) -> None:
    found = value_of(spec, name, content, more)
    assert (found, type(found)) == (value, type(value))


def test_a_name_of_let_stands_for_a_large_file_in_calls_and_texts(spec: "SmallSpec") -> None:
    words = [f"word {number}" for number in range(50_000)]
    (spec.folder / "words.json").write_text(json.dumps(words))
    case = spec.case(
        "- {call: 'is_legal(8, words, (3, 4))', returns: true}", head="let: {words: {from: words.json}}"
    )
    assert calls_of(case).calls[0].args[1] == words
    assert case.text == "is_legal(8, words, (3, 4))"


def test_a_files_bytes_are_part_of_the_digest_and_of_the_record(spec: "SmallSpec") -> None:
    digests = set()
    for content in ("1", "2"):
        (spec.folder / "a.json").write_text(content)
        (spec.folder / "h.py").write_text(HARNESS)
        cases = "- {call: 'twice(8)', returns: {from: a.json}, harness: h.py}"
        task = spec.load(cases)
        digests.add(task.spec_sha256)
        assert {"a.json", "h.py"} <= {file.path.name for file in task.files}
    (spec.folder / "h.py").write_text(HARNESS + "\n")
    digests.add(spec.load(cases).spec_sha256)
    assert len(digests) == 3


TOO_MUCH = {
    "deeper.json": (b"[" * 100_000 + b"]" * 100_000, "this JSON is nested too deep"),
    "many.json": (
        b"[" + b"1," * 100_000 + b"1]",
        "this value has 100,001 items; at most 100,000 are allowed",
    ),
    "large.txt": (b"x" * (1 << 20) + b"y", "large.txt is larger than 1024 KiB"),
    "long.txt": (b"x" * 1_000_001, "this value has 1,000,001 characters; at most 1,000,000 are allowed"),
    "deep.py": (b"[" * 100 + b"]" * 100, "this expression is nested more than 50 levels deep"),
    "runs.py": (
        b"__import__('os').system('true')",
        "`__import__('os').system` can't be called inside an expression",
    ),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_file_is_bounded_and_never_run(spec: "SmallSpec", name: str) -> None:
    content, message = TOO_MUCH[name]
    (spec.folder / name).write_bytes(content)
    (fault,) = spec.faults(f"- {{call: 'is_legal(8, [], (3, 4))', returns: {{from: {name}}}}}")
    assert message in fault.message


OUTSIDE = "this file lies outside of the spec's folder"


@pytest.mark.parametrize("where", ["../secret.json", "/etc/passwd", "link.json", "folder/secret.json"])
def test_no_file_outside_of_the_folder_is_read(spec: "SmallSpec", where: str) -> None:
    spec.path = spec.folder / "inner" / "small.yaml"
    spec.path.parent.mkdir()
    for name in ("reference", "checkers.py"):
        os.symlink(spec.folder / name, spec.path.parent / name)
    (spec.folder / "secret.json").write_text("1")
    os.symlink(spec.folder / "secret.json", spec.path.parent / "link.json")
    os.symlink(spec.folder, spec.path.parent / "folder")
    call = "call: 'is_legal(8, [], (3, 4))'"
    assert spec.messages(f"- {{{call}, returns: {{from: {where}, as: json}}}}") == [OUTSIDE]
    assert spec.messages(f"- {{{call}, returns: true, harness: {where}}}") == [OUTSIDE]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files")
def test_a_special_file_is_no_value(spec: "SmallSpec") -> None:
    os.mkfifo(spec.folder / "pipe.json")
    (spec.folder / "folder.json").mkdir()
    for name in ("pipe.json", "folder.json"):
        messages = spec.messages(f"- {{call: 'is_legal(8, [], (3, 4))', returns: {{from: {name}}}}}")
        assert messages[0].startswith("there is no file"), messages


# -- harnesses -----------------------------------------------------------------------------------------


def harnessed(spec: "SmallSpec", cases: str, **more: Any) -> Any:
    (spec.folder / "doubles.py").write_text(HARNESS)
    return spec.load(cases, question="harness: doubles.py", **more)


def test_a_question_has_one_harness_for_its_cases_with_calls(spec: "SmallSpec") -> None:
    (spec.folder / "other.py").write_text(HARNESS)
    task = harnessed(
        spec,
        """
        - {call: twice(2), returns: 4}
        - {call: twice(2), returns: 4, harness: other.py}
        - {scenario: [{new: Bank(), as: bank}, {read: bank.paid, returns: "()"}]}
        - {each: twice(x), over: {x: range(2)}, returns: [0, 2]}
        - {rule: no recursion}
        - {program: knight1, stdout: ""}
        """,
    )
    harnesses = [calls_of(case).harness for case in task.cases]
    names = [harness.module if harness is not None else "" for harness in harnesses]
    assert names == ["doubles", "other", "doubles", "doubles", "", ""]
    assert harnesses[0] == Harness("doubles", HARNESS)
    (spec.folder / "both.py").write_text("import os, knight1\nfrom knight4 import *\n")
    case = spec.case("- {call: f(), returns: 1, harness: both.py}")
    what = calls_of(case)
    assert what.harness is not None
    assert what.harness.imports == ("knight1", "knight4")


def test_its_names_and_those_of_the_module_are_known_and_no_others(spec: "SmallSpec") -> None:
    (spec.folder / "doubles.py").write_text(HARNESS)
    cases = """
        - {call: tvice(2), returns: 4}
        - {scenario: [{new: Bank(), as: bank}, {read: bank.payed, returns: 1}]}
        - {call: 'is_legal(8, [], (3, 4))', returns: true}
        """
    messages = spec.messages(cases, question="harness: doubles.py")
    assert messages == [
        "the reference has no `tvice` in this module",
        "the reference's `Bank` has no `payed`",
    ]


def test_files_of_calls_are_as_those_of_programs(spec: "SmallSpec") -> None:
    (spec.folder / "data.bin").write_bytes(b"\xff\x00")
    case = spec.case(
        """
        - call: is_legal(8, [], (3, 4))
          files: {a.txt: "1\\n", b/c.bin: {from: data.bin}}
          leaves: {a.txt: {text: "1", whitespace: any}, d.txt: same as reference}
        """.replace("is_legal(8, [], (3, 4))", '"is_legal(8, [], (3, 4))"')
    )
    what = calls_of(case)
    assert what.decides is None
    folder = what.folder
    assert isinstance(folder, Folder)
    assert folder.files == (("a.txt", b"1\n"), ("b/c.bin", b"\xff\x00"))
    assert folder.keeps == ("a.txt", "d.txt")
    assert [(name, text.value) for name, text in folder.texts] == [("a.txt", "1"), ("d.txt", None)]
    assert isinstance(folder.texts[0][1], Text)

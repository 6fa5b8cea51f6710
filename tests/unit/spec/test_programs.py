"""Cases that run a program, their dialogues and files, and what is wrong with them."""

from typing import TYPE_CHECKING

import pytest
import yaml

from grader.kinds.program.kind import run_of
from grader.model.case import Check, Exchange, Ignored, Player, Produces, ProgramRun, Text, Whitespace
from grader.model.errors import SpecError
from grader.spec.writing.cases import printed_text
from grader.spec.writing.dump import dumped
from grader.wire.byte_text import bytes_of

if TYPE_CHECKING:
    from unit.spec.conftest import SmallSpec


def test_a_program_with_everything(spec: "SmallSpec") -> None:
    (spec.folder / "data").mkdir()
    (spec.folder / "data" / "poem.txt").write_bytes(b"to be\n\xff")
    case = spec.case(
        """
        - program: knight1
          arguments: [--fast, 8, "a b"]
          stdin: "8\\na0\\n"
          files: {board.txt: "1 0\\n", data/poem.txt: {from: data/poem.txt}}
          stdout: |
            304
          stderr: {text: "", whitespace: any}
          exit: 3
          leaves: {result.txt: same as reference}
          check: anything()
          limits: {time: 1s}
          weight: 2
          hint: Read the input.
        """
    )
    files = (("board.txt", b"1 0\n"), ("data/poem.txt", b"to be\n\xff"))
    assert case.what == ProgramRun(
        module="knight1",
        arguments=("--fast", "8", "a b"),
        stdin="8\na0\n",
        files=files,
        keeps=("result.txt",),
        expect=Produces(
            stdout=Text("304\n"),
            stderr=Text("", Whitespace.ANY),
            exit_code=3,
            files=(("result.txt", Text(None)),),
        ),
        check=Check("anything", (), "anything()", proven=True),
    )
    assert case.text == "printf '8\\na0\\n' | python knight1.py --fast 8 'a b'"
    assert (case.weight, case.hint, case.limits.time_s) == (2, "Read the input.", 1.0)


def test_the_exit_code_is_0_unless_said_otherwise(spec: "SmallSpec") -> None:
    assert run_of(spec.case('- {program: knight1, stdout: ""}')).expect == Produces(stdout=Text(""))
    assert run_of(spec.case("- {program: knight1, exit: 0}")).expect == Produces()
    case = spec.case("- {program: knight1, exit: any, stdout: x}")
    assert run_of(case).expect == Produces(stdout=Text("x"), exit_code=None)


def test_a_dialogue(spec: "SmallSpec") -> None:
    case = spec.case(
        """
        - program: knight1
          dialogue:
            - {says: "Size? ", answer: 8}
            - {answer: 1 3}
            - {says: {text: "Start?", whitespace: any}, answer: ""}
            - {says: same as reference, answer: "end"}
            - {says: "", answer: end}
        """
    )
    assert isinstance(case.what, ProgramRun)
    assert case.what.dialogue == (
        Exchange(Text("Size? "), "8"),
        Exchange(None, "1 3"),
        Exchange(Text("Start?", Whitespace.ANY), ""),
        Exchange(Text(None), "end"),
        Exchange(Text(""), None),
    )
    case = spec.case("- {program: knight1, dialogue: [{answer: {end: true}}]}")
    assert isinstance(case.what, ProgramRun)
    assert case.what.dialogue == (Exchange(None, None),)


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ("{contains: tour}", Text(None, contains=("tour",))),
        ('{contains: ["a ", 64], ignores: case}', Text(None, ignores=(Ignored.CASE,), contains=("a ", "64"))),
        ("{pattern: '^[0-9]+$'}", Text(None, pattern="^[0-9]+$")),
        ("{text: '3.14', rel: 1e-6, abs: 0.01}", Text("3.14", rel=1e-6, abs=0.01)),
        (
            "{text: same as reference, ignores: [punctuation, case]}",
            Text(None, ignores=(Ignored.PUNCTUATION, Ignored.CASE)),
        ),
        (
            "{lines: [a, {pattern: b}, {text: c, whitespace: trailing}], whitespace: any}",
            Text(
                None,
                Whitespace.ANY,
                lines=(
                    (1, Text("a", Whitespace.ANY)),
                    (2, Text(None, Whitespace.ANY, pattern="b")),
                    (3, Text("c", Whitespace.TRAILING)),
                ),
                every_line=True,
            ),
        ),
        ("{text: x, whitespace: none, unordered: true}", Text("x", Whitespace.NONE, unordered=True)),
        (
            "{lines: {-1: bye, 2: same as reference}}",
            Text(None, lines=((2, Text(None)), (-1, Text("bye")))),
        ),
    ],
)
def test_ways_to_say_what_is_printed(spec: "SmallSpec", stated: str, text: Text) -> None:
    case = spec.case(f"- {{program: knight1, stdout: {stated}}}")
    assert run_of(case).expect == Produces(stdout=text)
    again = yaml.safe_dump({"program": "knight1", "stdout": printed_text(text)}, default_flow_style=True)
    assert run_of(spec.case(f"- {again}")).expect == Produces(stdout=text), "it is written as it was read"


def test_the_words_for_the_reference_in_quotes_are_a_mistake(spec: "SmallSpec") -> None:
    for stated in ('"same as reference"', "{lines: ['same as reference']}"):
        (message,) = spec.messages(f"- {{program: knight1, stdout: {stated}}}")
        assert message == "`same as reference` in quotes stands for itself"


def test_the_words_for_the_reference_can_be_expected(spec: "SmallSpec") -> None:
    case = spec.case("- {program: knight1, stdout: {text: 'same as reference', whitespace: any}}")
    text = Text("same as reference", Whitespace.ANY)
    assert run_of(case).expect == Produces(stdout=text)
    again = dumped([{"program": "knight1", "stdout": printed_text(text)}])
    assert run_of(spec.case(again)).expect == Produces(stdout=text)


def test_a_question_of_programs_needs_no_module(spec: "SmallSpec") -> None:
    both = "- {program: knight4, exit: 1}\n- {program: knight1, exit: 1}"
    text = spec.write(both).read_text().replace("    module: knight1\n", "")
    assert spec.load(text=text).questions[0].module == "knight4"
    with pytest.raises(SpecError, match="`module` is missing in a question"):
        spec.load(
            text=text.replace(
                "{program: knight1, exit: 1}", "{call: 'is_legal(8, [], (3, 4))', returns: true}"
            )
        )


def test_a_text_can_come_from_a_file(spec: "SmallSpec") -> None:
    (spec.folder / "out.txt").write_bytes(b"one\n" * 500_000 + b"\xff\n")
    case = spec.case("- {program: knight1, stdout: {from: out.txt, unordered: true}}")
    (text,) = (run_of(case).expect.stdout,)
    assert text is not None
    assert (text.unordered, bytes_of(text.value or "")) == (True, (spec.folder / "out.txt").read_bytes())
    recorded = spec.load("- {program: knight1, stdout: {from: out.txt}}").files
    assert "out.txt" in {file.path.name for file in recorded}


@pytest.mark.parametrize(
    ("stated", "message"),
    [
        ("{from: no.txt}", "there is no file"),
        ("{from: out.txt, text: x}", "an expected text can't have both `text` and `from`"),
        ("{lines: [{from: out.txt}]}", "a line can't come from a file of its own"),
        ("{text: x, unordered: true, abs: 0.1}", "`unordered` does not go with a tolerance"),
        ("{lines: [{text: x, unordered: true}]}", "`unordered` does not go with a line"),
        ("{contains: x, unordered: true}", "`unordered` has no effect with `contains`"),
        ("{lines: [x], unordered: true}", "`unordered` has no effect with `lines`"),
    ],
)
def test_what_is_wrong_with_an_expected_text(spec: "SmallSpec", stated: str, message: str) -> None:
    (spec.folder / "out.txt").write_text("x")
    told = spec.messages(f"- {{program: knight1, stdout: {stated}}}")
    assert any(each.startswith(message) for each in told), told


def test_prompts_are_ignored_where_nobody_answers(spec: "SmallSpec") -> None:
    assert run_of(spec.case("- {program: knight1, stdout: x, prompts: ignored}")).silent
    told = spec.messages("- {program: knight1, prompts: ignored, dialogue: [{says: x, answer: 8}]}")
    assert told == ["`prompts` does not go with `dialogue`, where they are what is said"]


def test_a_dialogue_that_stops(spec: "SmallSpec") -> None:
    case = spec.case("- {program: knight1, dialogue: [{says: x, answer: 8}, {says: y, stop: here}]}")
    assert isinstance(case.what, ProgramRun)
    assert case.what.dialogue[-1] == Exchange(Text("y"), None, stops=True)


def test_a_player(spec: "SmallSpec") -> None:
    case = spec.case('- {program: knight1, player: "tour(dim=5)", check: anything()}')
    assert isinstance(case.what, ProgramRun)
    assert case.what.player == Player("tour", (("dim", 5),))


def test_names_of_files_alone(spec: "SmallSpec") -> None:
    case = spec.case("- {program: knight1, leaves: [a.txt, b/c.txt]}")
    assert isinstance(case.what, ProgramRun)
    assert case.what.keeps == ("a.txt", "b/c.txt")
    assert run_of(case).expect == Produces()


@pytest.mark.parametrize(
    ("stdin", "text"),
    [
        ('"it\'s 5%\\\\n\\n"', "printf 'it'\\''s 5%%\\\\n\\n' | python knight1.py"),
        ('"\\u0007"', "python knight1.py < input.txt"),
        ("'" + "x" * 400 + "'", "python knight1.py < input.txt"),
    ],
)
def test_the_command_can_be_typed(spec: "SmallSpec", stdin: str, text: str) -> None:
    assert spec.case(f"- {{program: knight1, stdin: {stdin}, stdout: x}}").text == text


def test_a_file_beside_the_spec_is_part_of_its_digest(spec: "SmallSpec") -> None:
    (spec.folder / "a.txt").write_text("one")
    cases = "- {program: knight1, stdin: {from: a.txt}, stdout: x}"
    first = spec.load(cases).spec_sha256
    assert spec.load(cases).spec_sha256 == first
    (spec.folder / "a.txt").write_text("two")
    assert spec.load(cases).spec_sha256 != first


def test_modules_beside(spec: "SmallSpec") -> None:
    task = spec.load('- {program: knight1, stdout: ""}', question="beside: knight4")
    assert task.questions[0].beside == ("knight4",)


@pytest.mark.parametrize(
    ("beside", "message"),
    [
        ("knight1", "`knight1` is what this question marks; it can't come from the reference"),
        ("[knight4, knigt]", "`knigt` is not among the task's `modules`"),
    ],
)
def test_what_can_not_stand_beside(spec: "SmallSpec", beside: str, message: str) -> None:
    for cases in ('- {program: knight1, stdout: ""}', "- {call: 'is_legal(8, [], (3, 4))', returns: true}"):
        assert spec.messages(cases, question=f"beside: {beside}") == [message]


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("program: knigt1, stdout: x", "`knigt1` is not among the task's `modules`"),
        ("program: knight1", "this program would be accepted whatever it prints"),
        ("program: knight1, exit: any", "this program would be accepted whatever it prints"),
        ("program: knight1, player: anything()", "this program would be accepted whatever it prints"),
        ("program: knight1, stdout: x, returns: 3", "`returns` does not go with `program`"),
        ("program: knight1, stdout: x, call: f(3)", "`call` does not go with `program`"),
        ("program: knight1, stdout: x, unchanged: true", "`unchanged` does not go with `program`"),
        ("call: 'is_legal(8, [], (3, 4))', returns: true, stdin: x", "`stdin` goes with `program` alone"),
        (
            "program: knight1, stdin: x, dialogue: [{says: x, answer: y}]",
            "a program can't have both `stdin` and `dialogue`: each is all of its input",
        ),
        ("program: knight1, stdout: x, arguments: fast", "`arguments` must be a list, not `fast`"),
        (
            "program: knight1, stdout: x, arguments: [[1]]",
            "`arguments` must be a list of texts, each on its own",
        ),
        (
            'program: knight1, stdout: x, arguments: ["\\0"]',
            "`arguments` holds a character that no argument can have",
        ),
        ("program: knight1, stdout: x, stdin: {from: none.txt}", "there is no file"),
        ("program: knight1, stdout: x, stdin: {of: none.txt}", "`of` is not a key of a file's content"),
        (
            "program: knight1, stdout: x, files: {../a: x}",
            "`../a` can't be the name of a file in a case's folder",
        ),
        (
            "program: knight1, stdout: x, files: {/a: x}",
            "`/a` can't be the name of a file in a case's folder",
        ),
        ("program: knight1, stdout: x, files: {a: x, a/b: x}", "`a` is a file and a folder at once"),
        ("program: knight1, stdout: x, files: {}", "`files` names no file"),
        ("program: knight1, leaves: [..]", "`..` can't be the name of a file in a case's folder"),
        (
            "program: knight1, stdout: x, exit: 256",
            "`exit` must be a whole number from 0 to 255, or any, not `256`",
        ),
        (
            "program: knight1, stdout: x, exit: -1",
            "`exit` must be a whole number from 0 to 255, or any, not `-1`",
        ),
        (
            "program: knight1, stdout: x, exit: true",
            "`exit` must be a whole number from 0 to 255, or any, not `true`",
        ),
        ("program: knight1, stdout: [x]", "`stdout` must be a text or a mapping, not a list"),
        ("program: knight1, dialogue: [{says: x}]", "`answer` is missing in a turn of a dialogue"),
        (
            "program: knight1, dialogue: [{says: x, answer: end}, {says: y, answer: 1}]",
            "this turn comes after the end of the input",
        ),
        ('program: knight1, dialogue: [{says: x, answer: "1\\n2"}]', "an answer is a single line"),
        (
            "program: knight1, dialogue: [{says: x, answer: null}]",
            "`answer` must be a line of text, or end, not `null`",
        ),
        ("program: knight1, dialogue: [{says: x, answer: {end: false}}]", "`end` can only be true"),
        ("program: knight1, dialogue: []", "`dialogue` is empty"),
        ("program: knight1, stdout: x, player: nobody()", "the checkers file has no `nobody`"),
        ("program: knight1, stdout: x, player: tour()", "checker `tour` needs `dim` too"),
    ],
)
def test_what_is_wrong_with_a_program(spec: "SmallSpec", keys: str, message: str) -> None:
    messages = spec.messages(f"- {{{keys}}}")
    assert any(found.startswith(message) for found in messages), messages


def test_every_mistake_is_told_at_once(spec: "SmallSpec") -> None:
    faults = spec.faults(
        """
        - program: knight
          stdin: {from: a.txt}
          stdout: [x]
          exit: many
          dialogue: [{says: x}]
          returns: 3
        """
    )
    assert len(faults) == 7
    assert all(fault.where.startswith(str(spec.path)) for fault in faults)


def test_the_same_as_a_reference_that_is_not_there(spec: "SmallSpec") -> None:
    text = (
        "task: small\ntitle: Small\nmarks: 1\nmodules: {main: main.py}\nquestions:\n"
        '  - id: "1"\n    title: First\n    marks: 1\n    cases:\n'
        "      - program: main\n        dialogue: [{says: same as reference, answer: 1}]\n"
        "        leaves: {a.txt: same as reference}\n"
    )
    messages = [fault.message for fault in spec.faults(text=text)]
    assert messages == ["`same as reference` needs a `reference`, and the task names none"] * 2


def test_too_much_of_everything(spec: "SmallSpec") -> None:
    big = spec.folder / "big.txt"
    big.write_bytes(b"x" * 1024 * 1024)
    files = ", ".join(f"f{number}: {{from: big.txt}}" for number in range(5))
    assert spec.messages(f"- {{program: knight1, stdout: x, files: {{{files}}}}}") == [
        "the files are larger than 4 MiB together"
    ]
    big.write_bytes(b"x" * (16 * 1024 * 1024 + 1))
    assert spec.messages("- {program: knight1, stdout: x, stdin: {from: big.txt}}") == [
        "big.txt is larger than 16384 KiB"
    ]
    turns = ", ".join(["{answer: 1}"] * 501)
    assert spec.messages(f"- {{program: knight1, dialogue: [{turns}]}}") == [
        "a dialogue can have at most 500 turns"
    ]
    big.write_bytes(b"\xff")
    assert spec.messages("- {program: knight1, stdout: x, stdin: {from: big.txt}}") == [
        "the input must be UTF-8 text"
    ]

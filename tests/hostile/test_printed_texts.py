"""Text made to harm its comparison: by patterns that take for ever, by size, by control characters."""

from pathlib import Path

import pytest
from support.marking import cases, mark, question


@pytest.mark.parametrize(
    "work",
    ["print('a' * 40 + 'b')\n", pytest.param("print('a' * 900_000 + 'b')\n", marks=pytest.mark.acceptance)],
)
def test_a_pattern_without_end_is_no_match(tmp_path: Path, work: str) -> None:
    spec = question(
        "{program: work, stdout: {pattern: '^(a+)+$'}}", "{program: work, stdout: {pattern: 'b'}}"
    )
    found = cases(mark(tmp_path, spec, work))
    assert found["1.1"].verdict == "wrong-answer"
    assert "within 1 s, which counts as no match" in found["1.1"].message
    assert found["1.2"].verdict == "accepted", "the search is not given up for other patterns"


@pytest.mark.acceptance
def test_a_pattern_without_end_at_a_prompt(tmp_path: Path) -> None:
    spec = question("{program: work, dialogue: [{says: {pattern: '^(a+)+$'}, stop: here}]}")
    (case,) = cases(mark(tmp_path, spec, "input('a' * 40 + 'b')\n")).values()
    assert case.verdict == "wrong-answer"
    assert case.message.startswith("turn 1: could not be matched")


def test_a_flood_is_stopped(tmp_path: Path) -> None:
    spec = question("{program: work, stdout: {contains: x}}", "{program: work, stdout: {pattern: '^x'}}")
    work = "import os\nfor _ in range(1024):\n    os.write(1, b'x' * (1 << 20))\n"
    found = cases(mark(tmp_path, spec, work))
    assert {case.verdict for case in found.values()} == {"output-limit"}


def test_control_characters_are_shown_and_never_sent(tmp_path: Path) -> None:
    spec = question(
        "{program: work, stdout: {lines: {1: {text: hello, ignores: [case, punctuation]}}}}",
        "{program: work, stdout: {pattern: '^hello$'}}",
        "{program: work, stdout: {contains: hello}}",
    )
    work = r"print('\x1b[2J\x00\u202ehel\x08lo')"
    for case in cases(mark(tmp_path, spec, work)).values():
        assert case.verdict == "wrong-answer"
        shown = case.message + str(case.difference)
        assert shown.isprintable()
        assert case.difference is not None
        assert (
            r"\x1b[2J\x00\u202ehel\x08lo" in case.difference.actual or r"\x1b2j\x00" in case.difference.actual
        )


def test_a_program_cannot_say_that_it_was_stopped(tmp_path: Path) -> None:
    """The grader's word ends the case; a program that writes it, dies or ends there has ended."""
    spec = question("{program: work, dialogue: [{says: 'a? ', answer: 1}, {says: 'b? ', stop: here}]}")
    forged = "import os\ninput('a? ')\nprint('b? ', end='', flush=True)\nos.write(4, b'stop')\nos._exit(0)\n"
    for work in (forged, "input('a? ')\nprint('b? ', end='')\n", "input('a? b? ')\n", "print('a? b? ')"):
        (case,) = cases(mark(tmp_path, spec, work)).values()
        assert case.verdict in ("wrong-answer", "crashed"), work
        assert case.score == 0

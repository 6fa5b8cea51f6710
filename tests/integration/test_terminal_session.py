"""The command line at a terminal: colour, the live line of progress, and pipes that close early."""

import re
from pathlib import Path

import pytest
from support.command_line import BATCH, COMMAND, SPEC, environment, grader, run, unhurried
from support.terminal import at_terminal

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def test_a_check_is_coloured() -> None:
    status, text = at_terminal("check", SPEC, BATCH / "student-04")
    assert status == 1
    assert "\x1b[31m" in text, "red"
    assert "\x1b[32m" in text, "green"


@pytest.mark.parametrize("changes", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_declined(changes: dict[str, str]) -> None:
    status, text = at_terminal("check", SPEC, BATCH / "student-02", env=environment(**changes))
    assert status == 1
    assert "\x1b" not in text


def test_without_colour_the_words_are_the_same() -> None:
    _, coloured = at_terminal("check", SPEC, BATCH / "student-04")
    piped = grader("check", SPEC, BATCH / "student-04").stdout
    shown = [line.rstrip() for line in _CONTROL.sub("", coloured).splitlines()]
    assert [re.sub(r"\d+ ms", "ms", line) for line in shown] == [
        re.sub(r"\d+ ms", "ms", line) for line in piped.splitlines()
    ]


def test_progress_is_one_live_line_that_vanishes(tmp_path: Path) -> None:
    status, text = at_terminal("mark", SPEC, BATCH / "student-01", BATCH / "student-03", "-o", tmp_path)
    assert status == 0
    assert "2/2" in text
    assert "marked 2 of 2" not in text, "the live line says so"
    assert "\x1b[2K" in text, "the line is cleared"
    after = text[text.rindex("2/2") :]
    assert "student-01  6 of 6" in _CONTROL.sub("", after)


@pytest.mark.parametrize("columns", [40, 60])
def test_the_live_line_never_wraps(tmp_path: Path, columns: int) -> None:
    name = "a-student-with-a-name-that-is-rather-long"
    (tmp_path / name).mkdir()
    (tmp_path / name / "words.py").write_bytes((BATCH / "student-03" / "words.py").read_bytes())
    _, text = at_terminal("mark", SPEC, tmp_path / name, "-o", tmp_path / "out", columns=columns)
    frames = [frame for frame in re.split(r"[\r\n]", _CONTROL.sub("", text)) if re.search(r"\d/1", frame)]
    assert frames
    assert max(map(len, frames)) <= columns


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    script = '"$0" "$@" | true; echo "${PIPESTATUS[0]}"'
    # Long enough that the pipe is closed by the time the table is printed.
    done = run(["bash", "-c", script, COMMAND, "mark", SPEC, BATCH / "student-01", "-o", tmp_path, "-q"])
    assert done.stdout == "0\n"
    assert done.stderr == ""
    assert (tmp_path / "results.json").is_file()


def test_a_reader_of_the_progress_may_leave_too(tmp_path: Path) -> None:
    script = '{ "$0" "$@" 2>&1 >/dev/null; echo $? > status; } | true'
    run(["bash", "-c", script, COMMAND, "mark", SPEC, BATCH / "student-02", "-o", "out"], cwd=tmp_path)
    assert (tmp_path / "status").read_text() == "0\n"
    assert (tmp_path / "out" / "results.json").is_file()


def test_a_failed_check_stays_failed_when_nobody_reads_it(tmp_path: Path) -> None:
    script = '"$0" "$@" | true; echo "${PIPESTATUS[0]}"'
    done = run(["bash", "-c", script, COMMAND, "check", SPEC, BATCH / "student-02"])
    assert done.stdout == "1\n"
    assert not unhurried(done.stderr)


def test_help_tells_every_command_in_whole_sentences() -> None:
    text = grader("--help").stdout
    assert "..." not in text.partition("Commands:")[2]
    for command in ("mark", "check", "report", "doctor"):
        assert re.search(rf"^  {command} +[A-Z].*\.$", text, re.MULTILINE)
        described = grader(command, "--help").stdout
        assert described.startswith(f"Usage: grader {command} ")
        assert max(map(len, described.splitlines())) <= 80

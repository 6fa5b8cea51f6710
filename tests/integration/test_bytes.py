"""Bytes that are no UTF-8 are compared as bytes, wherever a text or a file is, and told as bytes."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from support.command_line import cases_of, grader, results

SPEC = """
task: bytes
title: Bytes
marks: 11
reference: reference
checkers: checkers.py
modules: {work: work.py, calls: calls.py}
questions:
  - id: "1"
    title: Programs
    marks: 8
    award: each
    module: work
    cases:
      - {program: work, stdin: "x", stdout: same as reference}
      - {program: work, arguments: ["2"], stderr: same as reference}
      - {program: work, arguments: [file], leaves: {o.bin: same as reference}}
      - {program: work, stdin: "x", stdout: {lines: {2: same as reference}}}
      - program: work
        arguments: [ask]
        dialogue: [{says: same as reference, answer: "y"}, {says: same as reference, answer: "y"}]
        stdout: same as reference
      - {program: work, arguments: [ask], player: echo(), check: told()}
      - {program: work, stdin: "x", check: holds()}
      - {program: work, arguments: [file], leaves: [o.bin], check: left()}
  - id: "2"
    title: Calls
    marks: 3
    award: each
    module: calls
    cases:
      - {call: prints(), prints: same as reference}
      - {call: leaves(), leaves: {o.bin: same as reference}}
      - {call: prints(), prints: {lines: {1: same as reference}, whitespace: any}}
"""
CHECKERS = r"""
SENT = "a \udce4\udcf6"

def echo(turns):
    said = turns[-1][0]
    return said if len(turns) < 3 else None

def told(did):
    return did["dialogue"][0][0] == SENT and did["dialogue"][1][0].startswith("got " + SENT)

def holds(did):
    return did["stdout"].encode("utf-8", "surrogateescape").startswith(b"a \xe4\xf6")

def left(did):
    return did["files"]["o.bin"] == "a \udce4\udcf6"
"""
PROGRAM = """
import sys
DATA = {data!r}
out = sys.stdout.buffer
mode = sys.argv[1] if len(sys.argv) > 1 else ""
if mode == "file":
    open("o.bin", "wb").write(DATA)
elif mode == "2":
    sys.stderr.buffer.write(DATA)
elif mode == "ask":
    for _ in range(2):
        out.write(DATA)
        out.flush()
        try:
            line = input()
        except EOFError:
            break
        out.write(b"got " + line.encode("utf-8", "surrogateescape"))
    out.write(b"end " + DATA)
else:
    out.write(DATA + b"\\n" + DATA + b"\\n")
"""
CALLS = """
import sys
DATA = {data!r}

def prints():
    sys.stdout.buffer.write(DATA)
    sys.stdout.buffer.flush()
    print()

def leaves():
    open("o.bin", "wb").write(DATA)
"""
RIGHT = b"a \xe4\xf6"
OTHERS = {
    "other-bytes": b"a \xc8\xff",
    "typed": "a \ufffd\ufffd".encode(),
    "escaped": rb"a \xe4\xf6",
    "in-utf8": "a äö".encode(),
    "half": b"a \xe4",
    "surrogate": b"a \xed\xb3\xa4\xed\xb3\xb6",
}


def _work(folder: Path, data: bytes) -> None:
    folder.mkdir(parents=True)
    (folder / "work.py").write_text(PROGRAM.format(data=data))
    (folder / "calls.py").write_text(CALLS.format(data=data))


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bytes")
    (folder / "bytes.yaml").write_text(SPEC)
    (folder / "checkers.py").write_text(CHECKERS)
    _work(folder / "reference", RIGHT)
    for name, data in {"right": RIGHT, **OTHERS}.items():
        _work(folder / "sub" / name, data)
    done = grader("mark", folder / "bytes.yaml", folder / "sub", "-o", folder / "out", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


def test_no_other_bytes_are_right(marked: Path) -> None:
    found = results(marked / "out")
    assert {one["id"]: one["mark"] for one in found["submissions"]} == {
        "right": "11",
        **dict.fromkeys(OTHERS, "0"),
    }


def test_the_difference_tells_place_and_bytes(marked: Path) -> None:
    cases = cases_of(marked / "out", "other-bytes")
    assert cases["1.1"]["message"].endswith("(byte 3: expected 0xe4, got 0xc8; the text is no UTF-8)")
    assert r"a·\xe4\xf6" in cases["1.1"]["message"]
    for name in ("1.2", "1.3", "1.5", "2.1", "2.2"):
        assert "byte 3: expected 0xe4, got 0xc8" in cases[name]["message"], name
    assert "what was expected is no UTF-8" in cases_of(marked / "out", "typed")["1.1"]["message"]
    assert cases["1.1"]["stdout"].startswith(r"a \xc8\xff")


def test_every_file_of_the_run_can_be_read(marked: Path) -> None:
    for path in (marked / "out").rglob("*"):
        if path.suffix in (".html", ".csv", ".json", ".xml"):
            text = path.read_text("utf-8-sig")
            assert not any("\ud800" <= character <= "\udfff" for character in text)
            if path.suffix == ".xml":
                ET.fromstring(text)


@pytest.mark.acceptance  # `make test` has how they are marked
def test_every_command_takes_them(marked: Path) -> None:
    for line in (
        ["validate", "bytes.yaml"],
        ["report", "out"],
        ["replay", "out", "other-bytes", "1.1"],
        ["explain", "out", "other-bytes"],
        ["mark", "bytes.yaml", "sub", "-o", "out"],
    ):
        done = grader(*line, cwd=marked)
        assert "Traceback" not in done.stderr + done.stdout, line
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    shown = grader("check", marked / "bytes.yaml", marked / "sub" / "other-bytes")
    assert r"\xc8\xff" in shown.stdout

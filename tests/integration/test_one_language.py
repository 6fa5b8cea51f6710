"""Batches whose programs are all in one language other than Python, by names that students give them."""

import zipfile
from pathlib import Path

import pytest
from support.command_line import grader, submissions
from support.rows import first_of
from support.toolchains import CPP, JAVA, JAVASCRIPT, C

from grader.languages.toolchain import Toolchain
from grader.sandbox.tools.toolchains import missing_tool

SPEC = """\
task: hello
title: Hello
marks: 1
modules: {main: main.py}
toolchains: [TOOL]
questions:
  - id: "1"
    title: says it
    module: main
    marks: 1
    cases:
      - {program: main, stdout: "hi\\n"}
"""
C_TEXT = '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }\n'
CPP_TEXT = '#include <iostream>\nint main() { std::cout << "hi\\n"; }\n'
JAVA_TEXT = 'public class NAME { public static void main(String[] a) { System.out.println("hi"); } }\n'
BATCHES: list[tuple[Toolchain, dict[str, str]]] = [
    (C, {"amy/hello.c": C_TEXT, "bob/main.c": C_TEXT, "cid/MAIN.C": C_TEXT}),
    (JAVA, {"amy/Different.java": JAVA_TEXT, "bob/Main.java": JAVA_TEXT, "cid/Übung.java": "no"}),
    (
        CPP,
        {
            f"{name}/{file}": CPP_TEXT
            for name, file in zip("abcdef", ("main.c++", "x.cc", "x.cxx", "x.cpp", "y.c++"), strict=False)
        },
    ),
    (JAVASCRIPT, {"amy/hi.js": 'console.log("hi")\n', "bob/hi.mjs": 'console.log("hi")\n'}),
]


@pytest.mark.parametrize("works", first_of(BATCHES), ids=lambda works: works[0].name)
@pytest.mark.parametrize("shape", first_of(["folders", "zip", "files"]))
def test_a_batch_of_one_language(tmp_path: Path, works: tuple[Toolchain, dict[str, str]], shape: str) -> None:
    tool, files = works
    if missing := missing_tool(tool):
        pytest.skip(f"{missing} is not installed")
    (tmp_path / "spec.yaml").write_text(SPEC.replace("TOOL", tool.name))
    batch = tmp_path / "in"
    for name, text in files.items():
        path = batch / (name.replace("/", "_") if shape == "files" else name)
        if shape == "files":
            path = batch / f"{name.partition('/')[0]}{Path(name).suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("NAME", path.stem))
    if shape == "zip":
        with zipfile.ZipFile(tmp_path / "in.zip", "w") as file:
            for path in sorted(batch.rglob("*.*")):
                file.write(path, path.relative_to(batch))
        batch = tmp_path / "in.zip"
    done = grader("mark", tmp_path / "spec.yaml", batch, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    found = submissions(tmp_path / "out")
    assert len(found) == len(files)
    for name, text in files.items():
        assert found[name.partition("/")[0]]["mark"] == ("0" if text == "no" else "1"), name


def test_a_lone_program_is_a_submission(tmp_path: Path) -> None:
    if missing := missing_tool(C):
        pytest.skip(f"{missing} is not installed")
    (tmp_path / "spec.yaml").write_text(SPEC.replace("TOOL", "c"))
    (tmp_path / "hello.c").write_text(C_TEXT)
    done = grader("mark", tmp_path / "spec.yaml", tmp_path / "hello.c", "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert "hello    1 of 1" in done.stdout


def test_a_syntax_error_of_a_running_program_is_its_own(tmp_path: Path) -> None:
    (tmp_path / "spec.yaml").write_text(SPEC.replace("toolchains: [TOOL]\n", ""))
    texts = {
        "raises": "raise SyntaxError('mine')\n",
        "broken": "print(\n",
        "deep": "def f():\n    raise SyntaxError\nf()\n",
    }
    for name, text in texts.items():
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "main.py").write_text(text)
    grader("mark", tmp_path / "spec.yaml", tmp_path / "in", "-o", tmp_path / "out")
    cases = {name: one["questions"][0]["cases"][0] for name, one in submissions(tmp_path / "out").items()}
    assert [cases[name]["verdict"] for name in ("raises", "broken", "deep")] == [
        "exception",
        "load-error",
        "exception",
    ]
    assert "Python can't read this" in cases["broken"]["message"]
    assert "SyntaxError: mine" in cases["raises"]["message"]
    assert "can't read" not in cases["raises"]["message"] + cases["deep"]["message"]

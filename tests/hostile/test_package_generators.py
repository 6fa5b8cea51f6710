"""Generators of a package that mean the user harm: never run without the flag, and in the sandbox with it."""

import os
from pathlib import Path

import pytest
from support.command_line import grader

RULES = "data: {secret: {data: {bad: bad.py, plain: {in: '1', ans: '2'}}}, sample: {data: {}}}\n"
TELLS = "print('told')\nopen('testcase.ans', 'w').write('x')\n"
ATTACKS = {
    "reads a file": "print(open({outside!r}).read())\n",
    "writes a file": "open({outside!r}, 'w').write('gone')\n",
    "leaves a link": "import os\nos.symlink({outside!r}, 'testcase.in')\n",
    "leaves a pipe": "import os\nos.mkfifo('testcase.in')\nprint(1)\n",
    "never ends": "while True: pass\n",
    "waits": "import time\ntime.sleep(1000)\n",
    "starts a process": "import os\nos.execv('/bin/sh', ['sh', '-c', 'cat {outside}'])\n",
    "asks the network": "import socket\nsocket.create_connection(('127.0.0.1', 22), 2)\nprint(1)\n",
    "prints too much": "while True: print('x' * 100000)\n",
    "forks": "import os\nwhile True: os.fork()\n",
    "names another file": "open('../../escaped.in', 'w').write('x')\n",
}


def convert(folder: Path, text: str, *options: str) -> tuple[str, str]:
    package = folder / "package"
    (package / "generators").mkdir(parents=True)
    (package / "problem.yaml").write_text("name: P\n")
    (package / "generators/generators.yaml").write_text(RULES)
    (package / "generators/bad.py").write_text(text)
    done = grader("convert", package, "--from", "problem-package", "-o", folder / "s.yaml", *options)
    assert "Traceback" not in done.stderr
    return done.stdout, done.stderr


def test_nothing_is_run_without_the_flag(tmp_path: Path) -> None:
    stdout, stderr = convert(tmp_path, TELLS)
    assert "with `--run-generators` it is run" in stdout
    assert "1 of 2 tests converted" in stderr
    assert "told" not in str([path.read_text() for path in (tmp_path / "s").rglob("*.in")])


_SLOW = {"never ends", "waits"}


@pytest.mark.parametrize(
    "attack",
    [pytest.param(each, marks=[pytest.mark.acceptance] if each in _SLOW else []) for each in ATTACKS],
)
def test_an_attack_reaches_nothing(tmp_path: Path, attack: str) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("the secret\n")
    text = ATTACKS[attack].replace("{outside!r}", repr(str(outside))).replace("{outside}", str(outside))
    _, stderr = convert(tmp_path, text, "--run-generators")
    assert "1 of 2 tests converted" in stderr
    assert outside.read_text() == "the secret\n"
    made = [path for path in (tmp_path / "s").rglob("*") if path.is_file()]
    assert {path.name for path in made} == {"plain.in", "plain.ans"}
    assert not any(path.is_symlink() for path in (tmp_path / "s").rglob("*"))
    assert "escaped.in" not in os.listdir(tmp_path) + os.listdir(tmp_path.parent)


def test_a_generator_that_lies_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "elsewhere.py").write_text(TELLS)
    package = tmp_path / "package"
    (package / "generators").mkdir(parents=True)
    (package / "problem.yaml").write_text("name: P\n")
    rules = "data: {secret: {data: {a: linked.py, b: ../../elsewhere.py, c: {in: '1', ans: '2'}}}}\n"
    (package / "generators/generators.yaml").write_text(rules)
    (package / "generators/linked.py").symlink_to(tmp_path / "elsewhere.py")
    done = grader(
        "convert", package, "--from", "problem-package", "-o", tmp_path / "s.yaml", "--run-generators"
    )
    assert done.stdout.count("leads out of the package") == 2
    assert "1 of 3 tests converted" in done.stderr

"""Programs of a package that make its data, run in the sandbox because the user says so."""

import hashlib
from pathlib import Path

import pytest
from support.command_line import grader
from support.toolchains import CPP

from grader.sandbox.tools.toolchains import missing_tool

needs_compiler = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")

RULES = """\
solution: /submissions/accepted/double.py
random_salt: salt
generators: {drawn: [drawn.py, lib.py]}
data:
  secret:
    data:
      - drawn: drawn {seed} {count}
      - counted: {generate: "drawn 1 {count}", count: [5, 7]}
      - written: files.py
"""
FILES = {
    "problem.yaml": "name: P\n",
    "generators/generators.yaml": RULES,
    "generators/drawn.py": "import sys, lib\nlib.show(sys.argv[1:])\n",
    "generators/lib.py": "def show(words):\n    print(*words)\n",
    "generators/files.py": "for name, text in (('in', '8'), ('ans', '9')):\n"
    "    open(f'testcase.{name}', 'w').write(f'{text}\\n')\n",
    "submissions/accepted/double.py": "print(input() * 2)\n",
}
OF_DMOJ = {
    "init.yml": "generator: {source: [gen.cpp, one.h], flags: [-DMORE=1]}\n"
    "test_cases: [{generator_args: [3], points: 1}, {generator_in: a.txt, points: 1}]\n",
    "gen.cpp": '#include "one.h"\n#include <iostream>\n#include <string>\n'
    "int main(int c, char **v) { std::string s; if (c > 1) s = v[1]; else std::cin >> s;\n"
    "std::cout << s << '\\n'; std::cerr << std::stoi(s) + ONE + MORE << '\\n'; }\n",
    "one.h": "#define ONE 1\n",
    "a.txt": "40\n",
}


def lay(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def data(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_generators_and_solutions(tmp_path: Path) -> None:
    package = lay(tmp_path / "package", FILES)
    done = grader(
        "convert", package, "--from", "problem-package", "-o", tmp_path / "s.yaml", "--run-generators"
    )
    assert "4 of 4 tests converted" in done.stderr, done.stderr
    assert "running programs of" in done.stderr
    made = data(tmp_path / "s" / "data")
    # BAPCtools' own seed: the SHA-512 of salt and command, below 2 ** 31.
    seed = int(hashlib.sha512(b"saltdrawn {seed} {count}".replace(b"{count}", b"1")).hexdigest(), 16) % 2**31
    assert made["1-drawn.in"] == f"{seed} 1\n"
    assert made["1-drawn.ans"] == f"{seed} 1{seed} 1\n"
    assert (made["2-counted-5.in"], made["3-counted-7.in"]) == ("1 5\n", "1 7\n")
    assert (made["4-written.in"], made["4-written.ans"]) == ("8\n", "9\n")


@needs_compiler
def test_generators_of_dmoj(tmp_path: Path) -> None:
    package = lay(tmp_path / "package", OF_DMOJ)
    done = grader("convert", package, "--from", "dmoj", "-o", tmp_path / "s.yaml", "--run-generators")
    assert "2 of 2 tests converted" in done.stderr, done.stderr
    assert data(tmp_path / "s" / "data") == {
        "1-1.in": "3\n",
        "1-1.out": "5\n",
        "2-1.in": "40\n",
        "2-1.out": "42\n",
    }


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("raise ValueError('no')\n", "makes no data (raised ValueError: no (line 1 of drawn.py))"),
        ("exit(3)\n", "makes no data (exit code 3)"),
        ("pass\n", "its rule makes no input"),
        ("syntax error\n", "makes no data (raised SyntaxError"),
    ],
)
def test_one_that_fails_is_told(tmp_path: Path, text: str, told: str) -> None:
    package = lay(tmp_path / "package", {**FILES, "generators/drawn.py": text})
    done = grader(
        "convert", package, "--from", "problem-package", "-o", tmp_path / "s.yaml", "--run-generators"
    )
    assert told in done.stdout
    assert "1 of 4 tests converted" in done.stderr


def test_the_flag_goes_with_packages_alone(tmp_path: Path) -> None:
    (tmp_path / "test_a.py").write_text("def test(): pass\n")
    done = grader("convert", tmp_path, "--from", "pytest", "-o", tmp_path / "s.yaml", "--run-generators")
    assert done.returncode != 0
    assert "--run-generators goes with --from dmoj or problem-package alone" in done.stderr

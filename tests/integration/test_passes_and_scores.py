"""Validators and interactors that run a program several times, or give a share of a case."""

import os
from fractions import Fraction
from pathlib import Path

import pytest
from support.command_line import grader, submissions
from support.marking import mark

from grader.model.results import CaseResult

NUMBER = """
import pathlib, sys
folder = pathlib.Path(sys.argv[3])
given, output = pathlib.Path(sys.argv[1]).read_text(), sys.stdin.read()
"""
DOUBLING = (
    NUMBER
    + """
seen = folder / "state.txt"
before = seen.read_text() if seen.exists() else ""
seen.write_text(before + given.strip() + " ")
if output.strip() != str(2 * int(given)):
    told = f"after {before or 'nothing '}{output.strip()[:20]} is not 2 * {given.strip()}"
    (folder / "teammessage.txt").write_text(told)
    sys.exit(43)
if int(given) < 5:
    (folder / "nextpass.in").write_text(f"{2 * int(given)}\\n")
sys.exit(42)
"""
)
RIGHT = "print(2 * int(input()))\n"


def judged(
    folder: Path, validator: str, work: str, keys: str = "passes: 4", more: str = "", name: str = "v.py"
) -> CaseResult:
    (folder / "judge").mkdir()
    (folder / "judge" / name).write_text(validator)
    key = "interactor" if "talks" in more else "validator"
    given = f"{key}: {{file: judge/{name}, {keys}}}, {more.replace('talks', '')}"
    cases = f'[{{program: work, stdin: "1\\n", {given}}}]'
    spec = f"questions: [{{id: '1', title: t, marks: 1, award: each, cases: {cases}}}]\n"
    return mark(folder, spec, work).questions[0].cases[0]


def test_a_program_runs_as_often_as_its_validator_asks(tmp_path: Path) -> None:
    case = judged(tmp_path, DOUBLING, RIGHT)
    assert case.verdict == "accepted"
    assert [(turn.said, turn.answered) for turn in case.dialogue] == [
        ("2\n", "2\n"),
        ("4\n", "4\n"),
        ("8\n", "8\n"),
        ("16\n", None),
    ]


def test_a_later_pass_can_be_refused_and_the_validators_files_persist(tmp_path: Path) -> None:
    case = judged(tmp_path, DOUBLING, "n = int(input())\nprint(2 * n if n < 3 else 9)\n")
    assert (case.verdict, case.message) == ("wrong-answer", "after 1 2 9 is not 2 * 4")


def test_each_pass_has_a_process_of_its_own(tmp_path: Path) -> None:
    """A program that remembers in its folder, or in a global, finds nothing in the next pass."""
    work = "import os\nn = int(input())\nseen = os.path.exists('seen')\nopen('seen', 'w').close()\n"
    work += "print(0 if seen else 2 * n)\n"
    assert judged(tmp_path, DOUBLING, work).verdict == "accepted"


def test_each_pass_has_a_seed_of_its_own(tmp_path: Path) -> None:
    """A program cannot hand a secret over by what it draws."""
    same = (
        NUMBER
        + """
if (folder / "drawn.txt").exists():
    sys.exit(43 if (folder / "drawn.txt").read_text() == output else 42)
(folder / "drawn.txt").write_text(output)
(folder / "nextpass.in").write_text("1")
sys.exit(42)
"""
    )
    work = "import random\nprint(random.random())\n"
    assert judged(tmp_path, same, work).verdict == "accepted"


@pytest.mark.parametrize(
    ("work", "verdict"),
    [
        ("n = int(input())\nprint(2 * n if n == 1 else 1 / 0)\n", "exception"),
        ("import sys\nn = int(input())\nprint(2 * n)\nsys.exit(n > 1)\n", "runtime-error"),
        ("n = int(input())\nwhile n > 1: pass\nprint(2 * n)\n", "time-limit"),
        (
            "import os\nn = int(input())\nprint(2 * n, flush=True)\nos.abort() if n > 1 else 0\n",
            "crashed",
        ),
    ],
)
def test_how_a_later_pass_ends_decides(tmp_path: Path, work: str, verdict: str) -> None:
    assert judged(tmp_path, DOUBLING, work, more="limits: {time: 0.5s}").verdict == verdict


def test_all_passes_share_the_limit_of_output(tmp_path: Path) -> None:
    work = "n = int(input())\nprint(2 * n)\nprint(' ' * 6000)\n"
    assert judged(tmp_path, DOUBLING, work, more="limits: {output: 16KiB}").verdict == "output-limit"


@pytest.mark.parametrize(
    ("validator", "told"),
    [
        (DOUBLING.replace("int(given) < 5", "True"), "v.py asks for more than 4 passes"),
        (DOUBLING.replace("< 5:", "< 5 or not sys.exit(7):"), "ended with exit code 7"),
        (NUMBER + "(folder / 'nextpass.in').write_text('1')\nsys.exit(43)\n", "asks for another pass"),
        (NUMBER + "(folder / 'nextpass.in').write_bytes(b'\\xff')\nsys.exit(42)\n", "no UTF-8 text"),
    ],
)
def test_a_validator_that_breaks_the_rules_gives_no_verdict(
    tmp_path: Path, validator: str, told: str
) -> None:
    case = judged(tmp_path, validator, RIGHT)
    assert (case.verdict, told in case.message) == ("internal-error", True)


def test_without_passes_a_next_input_is_ignored(tmp_path: Path) -> None:
    assert judged(tmp_path, DOUBLING, RIGHT, keys="arguments: [x]").verdict == "accepted"


def test_an_interactor_starts_the_next_pass(tmp_path: Path) -> None:
    validator = """
import pathlib, sys
folder = pathlib.Path(sys.argv[3])
given = pathlib.Path(sys.argv[1]).read_text().strip()
print(given, flush=True)
said = int(input())
if said != 2 * int(given):
    sys.exit(43)
if int(given) < 3:
    (folder / "nextpass.in").write_text(str(said))
sys.exit(42)
"""
    case = judged(tmp_path, validator, RIGHT, more="talks")
    assert case.verdict == "accepted"
    (tmp_path / "2").mkdir()
    work = "n = int(input())\nprint(2 * n if n < 2 else 3)\n"
    assert judged(tmp_path / "2", validator, work, more="talks").verdict == "wrong-answer"


# -- scores --------------------------------------------------------------------------------------------

SHARE = NUMBER + "(folder / 'score_multiplier.txt').write_text(output)\nsys.exit(42)\n"
SCORE = (
    NUMBER
    + "(folder / 'score.txt').write_text(output)\n"
    + "(folder / 'teammessage.txt').write_text('so so')\nsys.exit(42)\n"
)
POINTS = (
    "import sys\nprint('points', open(sys.argv[2]).read().strip(), 'so so', file=sys.stderr)\nsys.exit(7)\n"
)


@pytest.mark.parametrize(
    ("validator", "keys", "work", "expected"),
    [
        (SHARE, "passes: 2", "print(0.25)", ("partial", Fraction(1, 4), "it earns 0.25 of 1")),
        (SHARE, "passes: 2", "print(1)", ("accepted", Fraction(1), "")),
        (SHARE, "passes: 2", "print('0.0')", ("wrong-answer", Fraction(0), "it earns 0.0 of 1")),
        (SCORE, "score: 100", "print(62.5)", ("partial", Fraction(5, 8), "so so")),
        (SCORE, "arguments: [x]", "print(62.5)", ("accepted", Fraction(1), "")),
        (POINTS, "protocol: testlib, score: 50", "print(20)", ("partial", Fraction(2, 5), "so so")),
        (POINTS, "protocol: testlib", "print(0.5)", ("partial", Fraction(1, 2), "so so")),
        (SCORE, "score: 100", "print(101)", ("internal-error", Fraction(0), "no number from 0 to 100")),
        (SCORE, "score: 100", "print('nan')", ("internal-error", Fraction(0), "no number from 0 to 100")),
        (SCORE, "score: 100", "print('-1')", ("internal-error", Fraction(0), "no number from 0 to 100")),
        (SHARE, "passes: 2", "print('1e400')", ("internal-error", Fraction(0), "no number from 0 to 1")),
        (POINTS, "protocol: testlib", "print('x')", ("accepted", Fraction(1), "")),
    ],
)
def test_a_share_of_a_case(
    tmp_path: Path, validator: str, keys: str, work: str, expected: tuple[str, Fraction, str]
) -> None:
    case = judged(tmp_path, validator, work, keys=keys)
    assert (case.verdict, case.score) == expected[:2]
    assert expected[2] in case.message


@pytest.mark.parametrize(
    ("work", "more", "verdict"),
    [
        ("import sys\nprint(0.5)\nsys.exit(3)\n", "", "runtime-error"),
        ("print(0.5)\n", "leaves: {a.txt: x}", "wrong-answer"),
        ("import sys\nprint(0.5)\nprint(1, file=sys.stderr)\n", 'stderr: ""', "wrong-answer"),
        ("print(0.5)\n1 / 0\n", "", "exception"),
    ],
)
def test_a_share_does_not_outweigh_what_else_is_expected(
    tmp_path: Path, work: str, more: str, verdict: str
) -> None:
    case = judged(tmp_path, SHARE, work, keys="passes: 2", more=more)
    assert (case.verdict, case.score) == (verdict, 0)


# -- programs in C++, which tell their files themselves -------------------------------------------------

CPP = r"""
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
int main(int count, char **words) {
  std::string folder(words[3]);
  std::ifstream given(words[1]);
  long n = 0, said = 0;
  given >> n;
  std::string line;
  std::getline(std::cin, line);
  // An output that is repeated must not pass for a file.
  std::cerr << line << "\n";
  said = std::atol(line.c_str());
  std::ofstream(folder + "teammessage.txt") << "it said " << line;
  if (said != 2 * n) std::exit(43);
  if (n < 3) std::ofstream(folder + "nextpass.in") << said << "\n";
  else std::ofstream(folder + "score_multiplier.txt") << "0.5";
  return 42;
}
"""


def test_a_validator_in_another_language_has_passes_shares_and_words(tmp_path: Path) -> None:
    case = judged(tmp_path, CPP, RIGHT, name="v.cpp")
    assert (case.verdict, case.score, case.message) == ("partial", Fraction(1, 2), "it said 8")
    assert [turn.answered for turn in case.dialogue] == ["2\n", "4\n", None]


def test_its_words_are_those_for_the_team(tmp_path: Path) -> None:
    case = judged(tmp_path, CPP, "print(3)\n", name="v.cpp", keys="arguments: [x]")
    assert (case.verdict, case.message) == ("wrong-answer", "stdout: it said 3")


def test_an_output_cannot_claim_a_file_of_the_validators(tmp_path: Path) -> None:
    """Without the word of this process, which is drawn, nothing in the error output is a file."""
    forged = "\\n" + "0" * 64 + "\\n20 1\\nscore_multiplier.txt1"
    work = f'print("3{forged}")\n'
    case = judged(tmp_path, CPP, work, name="v.cpp", keys="arguments: [x]")
    assert case.verdict == "wrong-answer"
    assert os.listdir(tmp_path / "judge") == ["v.cpp"]


@pytest.mark.acceptance
def test_every_consumer(tmp_path: Path) -> None:
    """Marked, reported, checked, handed out, explained, replayed, tried, validated."""
    for name, text in (("twice", DOUBLING), ("share", SHARE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "v.py").write_text(text)
    spec = "task: sample\ntitle: Sample\nmarks: 2\nreference: reference\n"
    spec += "modules: {work: work.py, half: half.py}\n"
    spec += "questions:\n- {id: '1', title: passes, marks: 1, award: each, cases: "
    spec += '[{program: work, stdin: "1\\n", validator: {file: twice/v.py, passes: 4}}]}\n'
    spec += (
        "- {id: '2', title: share, marks: 1, award: each, cases: [{program: half, validator: share/v.py}]}\n"
    )
    (tmp_path / "sample.yaml").write_text(spec)
    works = {"reference": (RIGHT, "print(1)\n"), "in/a": ("print(2)\n", "print(0.25)\n")}
    for folder, texts in {**works, "sample/wrong/off": works["in/a"]}.items():
        (tmp_path / folder).mkdir(parents=True)
        for name, text in zip(("work", "half"), texts, strict=True):
            (tmp_path / folder / f"{name}.py").write_text(text)
    for _ in range(2):
        done = grader("mark", "sample.yaml", "in", "-o", "out", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert submissions(tmp_path / "out")["a"]["mark"] == "0.25"
    told = "after 1 2 is not 2 * 2"
    page = (tmp_path / "out/students/a.html").read_text()
    assert told in page
    assert "it earns 0.25 of 1" in page
    explained = grader("explain", "out", "a", cwd=tmp_path).stdout
    assert told in explained
    assert "it earns 0.25 of 1" in explained
    assert grader("report", "out", cwd=tmp_path).returncode == 0
    replayed = grader("replay", "out", "a", "1.1", cwd=tmp_path)
    assert "The same verdict" in replayed.stdout
    assert "it runs several times" in replayed.stdout + replayed.stderr
    assert "The same verdict" in grader("replay", "out", "a", "2.1", "--to", "again", cwd=tmp_path).stdout
    assert told in grader("check", "sample.yaml", "in/a", cwd=tmp_path).stdout
    tried = grader("try", "sample.yaml", cwd=tmp_path).stdout
    assert "reference  2 of 2" in tried
    assert "~ 0.25" in tried
    assert (
        "the reference gets every mark" in grader("validate", "--quick", "sample.yaml", cwd=tmp_path).stdout
    )
    made = grader("bundle", "sample.yaml", "-o", "hand", cwd=tmp_path)
    assert "a program of the spec judges it" in made.stdout + made.stderr
    assert not list((tmp_path / "hand").rglob("v.py"))

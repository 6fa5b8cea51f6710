"""Interactors: programs of the spec's that talk with a student's, and then judge it."""

from pathlib import Path

import pytest
from support.command_line import cases_of, grader, submissions
from support.marking import cases, mark, question, verdicts
from support.toolchains import CPP

from grader.model.errors import SpecError
from grader.sandbox.driver import LADDER, WALLS, Driver
from grader.sandbox.tools.toolchains import missing_tool

needs_compiler = pytest.mark.skipif(bool(missing_tool(CPP)), reason="g++ is not installed")

INTERACT = """
import sys

secret = int(open(sys.argv[1]).read())


def end(code, why=""):
    open(sys.argv[3] + "teammessage.txt", "w").write(why)
    sys.exit(code)


print(100)
for _ in range(int(sys.argv[4])):
    word, _, value = sys.stdin.readline().strip().partition(" ")
    if word != "guess":
        end(43, f"a guess was expected, not {word!r}")
    if int(value) == secret:
        print("yes")
        end(42)
    print("higher" if int(value) < secret else "lower", flush=True)
end(43, "too many guesses")
"""
INTERACT_CPP = """
#include <fstream>
#include <iostream>
#include <string>
int main(int, char **argv) {
    int secret, guess;
    std::ifstream(argv[1]) >> secret;
    std::cout << 100 << std::endl;
    std::string word;
    for (int turn = 0; turn < 10 && std::cin >> word >> guess; ++turn) {
        if (guess == secret) { std::cout << "yes" << std::endl; return 42; }
        std::cout << (guess < secret ? "higher" : "lower") << std::endl;
    }
    return 43;
}
"""
WORK = """
low, high = 1, int(input())
while True:
    middle = (low + high) // 2
    print("guess", middle)
    answer = input()
    if answer == "yes":
        break
    low, high = (middle + 1, high) if answer == "higher" else (low, middle - 1)
"""
FLOOD = "try:\n    input()\nexcept EOFError:\n    print('guess 77\\n' * 20_000)\n"
"""It says more than anybody hears, after its input has ended."""
PYTHON = '{program: work, stdin: "77\\n", interactor: {file: i/interact.py, arguments: ["7"]}}'
NATIVE = '{program: work, stdin: "33\\n", interactor: c/interact.cpp}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {"i/interact.py": INTERACT, "c/interact.cpp": INTERACT_CPP}.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    return tmp_path


@needs_compiler
@pytest.mark.acceptance
@pytest.mark.parametrize("driver", LADDER)
def test_a_program_that_asks_well(folder: Path, driver: Driver) -> None:
    found = verdicts(mark(folder, question(PYTHON, NATIVE), WORK, driver=driver))
    python = "accepted" if WALLS[driver].scratch_b else "internal-error"
    native = "accepted" if WALLS[driver].namespaces else "internal-error"
    assert found == {"1.1": python, "1.2": native}


@needs_compiler
@pytest.mark.acceptance
def test_a_program_in_another_language(folder: Path) -> None:
    work = """
        #include <iostream>
        #include <string>
        int main() {
            int low = 1, high;
            std::string answer;
            std::cin >> high;
            while (answer != "yes") {
                int middle = (low + high) / 2;
                std::cout << "guess " << middle << std::endl;
                std::cin >> answer;
                if (answer == "higher") low = middle + 1; else high = middle - 1;
            }
        }
    """
    text = "toolchains: [c++]\n" + question(PYTHON, NATIVE)
    assert mark(folder, text, {"work.cpp": work}).mark == 1


@pytest.mark.parametrize(
    ("work", "verdict", "message"),
    [
        (WORK.replace("(low + high) // 2", "low"), "wrong-answer", "too many guesses"),
        ("input()\nprint('hm')\n", "wrong-answer", "a guess was expected, not 'hm'"),
        ("input()\n", "wrong-answer", "a guess was expected, not ''"),
        ("input()\nprint('guess 77')\n", "accepted", ""),
        ("input()\nprint('guess 77', end='')\n", "accepted", ""),
        ("input()\nprint('guess 50', end='')\ninput()\n", "wall-limit", "asked for input while its partner"),
        ("input()\ninput()\n", "wall-limit", "asked for input while its partner"),
        ("input()\nprint('guess 5')\n1 / 0\n", "exception", "raised ZeroDivisionError"),
        ("input()\nwhile True:\n    pass\n", "time-limit", "stopped after"),
        (
            "input()\nprint('guess 77')\nraise SystemExit(3)\n",
            "runtime-error",
            "exit code: expected 0, got 3",
        ),
        ("input()\nprint('guess 77')\ninput()\ninput()\n", "exception", "asked for input once more"),
        ("import os\nos.read(0, 100)\nos.write(1, b'guess 77\\n')\n", "accepted", ""),
        (f"input()\nprint('hm')\n{FLOOD}", "wrong-answer", "a guess was expected, not 'hm'"),
        (f"input()\n{FLOOD}", "wall-limit", "asked for input while its partner"),
    ],
)
def test_what_comes_of_it(folder: Path, work: str, verdict: str, message: str) -> None:
    case = cases(mark(folder, question(PYTHON), work))["1.1"]
    assert case.verdict == verdict
    assert case.message.startswith(message)
    assert "77" not in case.call, "what the interactor is given is not the program's input"
    assert not case.given


def test_the_program_never_sees_the_interactors_input(folder: Path) -> None:
    looks = """
        import os, sys
        sys.stdin.readline()
        found = "77" in str(os.environ) + str(sys.argv) or bool(os.listdir("."))
        print("guess", 77 if found else 1)
    """
    assert verdicts(mark(folder, question(PYTHON), looks)) == {"1.1": "wrong-answer"}


@pytest.mark.parametrize(
    "text",
    [
        "import sys\nsys.exit(0)",
        "print(1)\nprint(2",
        "print(1)\ninput()\nprint(2)",
        pytest.param("while True:\n    pass", marks=pytest.mark.acceptance),
    ],
)
def test_an_interactor_that_gives_no_verdict(folder: Path, text: str) -> None:
    (folder / "i/interact.py").write_text(text)
    case = cases(mark(folder, question(PYTHON), WORK))["1.1"]
    assert case.verdict == "internal-error"
    assert "interact.py" in case.message


BY_INPUT = """
import sys
secret = int(open(sys.argv[1]).read())
print(100)
while True:
    guess = int(input().removeprefix("guess "))
    if guess == secret:
        print("yes")
        sys.exit(42)
    print("higher" if guess < secret else "lower")
"""


@pytest.mark.parametrize(
    ("work", "verdict", "message"),
    [
        (WORK, "accepted", ""),
        ("input()\n", "wrong-answer", "the program ended while interact.py waited for a line"),
        ("input()\nprint('guess 5')\n", "wrong-answer", "the program ended while interact.py"),
        ("input()\ninput()\n", "wall-limit", "asked for input while its partner"),
        ("input()\n1 / 0\n", "exception", "raised ZeroDivisionError"),
        (
            "input()\nprint('guess x')\n",
            "internal-error",
            "the case could not be run (interact.py gave no verdict: it raised ValueError",
        ),
    ],
)
def test_an_interactor_that_dies_of_the_end_of_its_input(
    folder: Path, work: str, verdict: str, message: str
) -> None:
    """The program broke the talk off; what else an interactor may raise decides nothing."""
    (folder / "i/interact.py").write_text(BY_INPUT)
    case = cases(mark(folder, question(PYTHON), work))["1.1"]
    assert case.verdict == verdict, case.message
    assert case.message.startswith(message)


@pytest.mark.parametrize(
    "text", ["print(1)\nfor line in open(0): pass\nwhile True: pass", "while True: pass"]
)
def test_what_an_interactor_computes_is_charged(folder: Path, text: str) -> None:
    (folder / "i/interact.py").write_text(text)
    found = mark(
        folder, "budget: {time: 1s, wall: 20s}\nlimits: {time: 1s}\n" + question(PYTHON, PYTHON), "input()\n"
    )
    assert verdicts(found) == {"1.1": "skipped", "1.2": "skipped"}


@pytest.mark.parametrize(
    ("case", "told"),
    [
        ("stdout: same as reference", "a whole text: the answer that it is given"),
        ("dialogue: [{answer: end}]", "`dialogue` does not go with `interactor`"),
        ("validator: i/interact.py", "`validator` does not go with `interactor`"),
        ("prompts: ignored", "`prompts` does not go with `interactor`"),
    ],
)
def test_mistakes(folder: Path, case: str, told: str) -> None:
    with pytest.raises(SpecError) as raised:
        mark(folder, question(f"{{program: work, interactor: i/interact.py, {case}}}"), WORK)
    assert told in str(raised.value)


@pytest.mark.parametrize("protocol", ["testlib", "dmoj"])
def test_other_protocols(folder: Path, protocol: str) -> None:
    (folder / "i/interact.py").write_text(
        "import sys\n"
        f"secret, answer = sys.argv[1], sys.argv[{3 if protocol == 'testlib' else 2}]\n"
        "assert open(answer).read() == 'x'\n"
        "print(open(secret).read().strip(), flush=True)\n"
        "said = sys.stdin.readline()\n"
        "print('it said', said.strip(), file=sys.stderr)\n"
        "sys.exit(0 if said == open(secret).read() else 1)\n"
    )
    case = (
        '{program: work, stdin: "77\\n", stdout: x, interactor: {file: i/interact.py, protocol: '
        f"{protocol}}}}}"
    )
    assert verdicts(mark(folder, question(case), "print(input())")) == {"1.1": "accepted"}
    (found,) = cases(mark(folder, question(case), "print(1)")).values()
    assert (found.verdict, found.message) == ("wrong-answer", "it said 1")


@pytest.mark.acceptance
def test_every_consumer(folder: Path) -> None:
    """Marked twice, explained, replayed, tried, validated, checked; not handed out."""
    head = "task: sample\ntitle: Sample\nmarks: 1\nmodules: {work: work.py}\nreference: reference\n"
    plain = '{program: work, dialogue: [{answer: "1"}, {answer: "yes"}], visibility: hidden}'
    files = {"sample.yaml": head + question(PYTHON, plain), "reference/work.py": WORK}
    files |= {"sub/right/work.py": WORK, "sub/wrong/work.py": WORK.replace("(low + high) // 2", "low")}
    files["sample/wrong/low/work.py"] = files["sub/wrong/work.py"]
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for _ in range(2):
        done = grader("mark", "sample.yaml", "sub", "-o", "out", cwd=folder)
        assert done.returncode == 0, done.stderr
        assert {name: one["mark"] for name, one in submissions(folder / "out").items()} == {
            "right": "1",
            "wrong": "0.5",
        }
    case = cases_of(folder / "out", "wrong")["1.1"]
    assert case["message"] == "too many guesses"
    assert case["dialogue"][-1]["answered"] is None
    page = (folder / "out/students/wrong.html").read_text()
    assert "guess 3" in page
    assert "EOFError" not in page, "the end of the input came from the interactor"
    assert "guess 3" in grader("explain", "out", "wrong", cwd=folder).stdout
    assert "The same verdict" in grader("replay", "out", "wrong", "1.1", "--to", "again", cwd=folder).stdout
    assert "Every program gets what it should" in grader("try", "sample.yaml", cwd=folder).stdout
    assert "the reference gets every mark" in grader("validate", "--quick", "sample.yaml", cwd=folder).stdout
    assert "too many guesses" in grader("check", "sample.yaml", "sub/wrong", cwd=folder).stdout
    made = grader("bundle", "sample.yaml", "-o", "hand", cwd=folder)
    assert "a program of the spec judges it" in made.stdout + made.stderr


@needs_compiler
@pytest.mark.acceptance
@pytest.mark.parametrize("length", [50_000, 70_000])
def test_a_line_reaches_every_program_whole_or_is_told(folder: Path, length: int) -> None:
    (folder / "i/interact.py").write_text(
        f"import sys\nprint('x' * {length}, flush=True)\n"
        f"sys.exit(42 if sys.stdin.readline() == '{length}\\n' else 43)\n"
    )
    text = "toolchains: [c++]\n" + question("{program: work, interactor: i/interact.py}")
    work = (
        "#include <iostream>\n#include <string>\n"
        "int main() { std::string s; std::getline(std::cin, s); std::cout << s.size() << std::endl; }\n"
    )
    wanted = "accepted" if length < 60_000 else "internal-error"
    assert verdicts(mark(folder, text, {"work.cpp": work})) == {"1.1": wanted}


@pytest.mark.acceptance
@pytest.mark.parametrize(("count", "verdict"), [(8_000, "accepted"), (9_500, "internal-error")])
def test_many_lines_are_heard_or_told(folder: Path, count: int, verdict: str) -> None:
    (folder / "i/interact.py").write_text(
        f"import sys\nfor number in range({count}):\n    print(number)\nsys.stdout.flush()\n"
        f"sys.exit(42 if sys.stdin.readline() == '{count}\\n' else 43)\n"
    )
    case = "{program: work, interactor: i/interact.py, limits: {time: 10s}}"
    work = f"print(len([input() for _ in range({count})]))"
    found = cases(mark(folder, question(case), work))["1.1"]
    assert found.verdict == verdict, found.message
    back = "import sys\nlines = sys.stdin.readlines()\nsys.exit(42)\n"
    (folder / "i/interact.py").write_text(back)
    found = cases(mark(folder, question(case), f"print('x\\n' * {count})"))["1.1"]
    assert found.verdict == verdict, found.message

"""Judges of DMOJ's, converted and asked: about outputs, in talks, and by programs that mean them harm."""

import textwrap
from pathlib import Path

import pytest
from support.marking import mark, question

from grader.model.errors import SpecError
from grader.model.results import CaseResult
from grader.plugins.convert import read_tests, written
from grader.spec import load_task


def judged(folder: Path, files: dict[str, str], work: str) -> CaseResult:
    """Convert a problem with one test, and mark a program by it."""
    (folder / "package").mkdir(parents=True)
    for name, text in files.items():
        (folder / "package" / name).write_text(textwrap.dedent(text))
    written(read_tests(folder / "package", "dmoj", "work", "spec"), folder / "spec.yaml", "p", "dmoj")
    questions = (folder / "spec.yaml").read_text().partition("\nquestions:")[2]
    load_task(folder / "spec.yaml")
    return mark(folder, f"questions:{questions}", work).questions[0].cases[0]


CHECK = """
from dmoj.checkers import standard
from dmoj.result import CheckerResult
from dmoj.utils.unicode import utf8text


def check(process_output, judge_output, judge_input, point_value, submission_source, strict=False, **kwargs):
    if standard.check(process_output, judge_output, **kwargs):
        return True
    said = utf8text(process_output)
    if said.startswith("half"):
        return CheckerResult(True, point_value / 2, "half of it")
    return CheckerResult(False, 0, "not " + utf8text(judge_input).strip())
"""
INIT = "checker: {name: check.py, args: {strict: true}}\ntest_cases: [{in: a.in, out: a.out, points: 1}]\n"


@pytest.mark.parametrize(
    ("work", "verdict", "score", "told"),
    [
        ("print(' 1  2 ')\nprint(3)", "accepted", 1, ""),
        ("print('1 2 3')", "wrong-answer", 0, "not 9"),
        ("print('half')", "partial", 0.5, "half of it"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff')", "wrong-answer", 0, ""),
        ("print('\\0' * 1000)", "wrong-answer", 0, "not 9"),
    ],
)
def test_a_checker(tmp_path: Path, work: str, verdict: str, score: float, told: str) -> None:
    case = judged(tmp_path, {"init.yml": INIT, "check.py": CHECK, "a.in": "9\n", "a.out": "1 2\n3\n"}, work)
    assert (case.verdict, float(case.score or 0), told in case.message) == (verdict, score, True)


def test_one_that_raises_is_no_verdict(tmp_path: Path) -> None:
    files = {
        "init.yml": INIT,
        "check.py": CHECK.replace("return True", "1 / 0").replace("if ", "if 1 or "),
        "a.in": "",
        "a.out": "",
    }
    assert judged(tmp_path, files, "print(1)").verdict == "internal-error"


@pytest.mark.parametrize(
    ("checker", "said", "score"),
    [
        ("linecount", "1\\n2", 0.5),
        ("linecount", "1\\n\\n 3 ", 1),
        ("linecount", "1\\n3\\n3", 0),
        ("rstripped", "1  \\n3", 1),
        ("rstripped", " 1\\n3", 0),
        ("unordered", "3 1", 1),
        ("unordered", "3 1 1", 0),
    ],
)
def test_checkers_of_dmojs_own(tmp_path: Path, checker: str, said: str, score: float) -> None:
    files = {
        "init.yml": INIT.replace("check.py, args: {strict: true}", checker),
        "a.in": "9",
        "a.out": "1\n3\n",
    }
    assert float(judged(tmp_path, files, f"print('{said}')").score or 0) == score


TALK = """
from dmoj.graders.interactive import InteractiveGrader

class Grader(InteractiveGrader):
    def interact(self, case, interactor):
        secret, guesses = int(case.input_data()), 0
        while guesses < 10:
            guesses += 1
            guess = interactor.readint(1, 100)
            interactor.writeln((guess > secret) - (guess < secret))
            if guess == secret:
                return True
        return False
"""
GUESS = """
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    said = int(input())
    if not said:
        break
    low, high = (low, middle - 1) if said > 0 else (middle + 1, high)
"""


@pytest.mark.parametrize(
    ("work", "verdict", "told"),
    [
        (GUESS, "accepted", ""),
        (GUESS.replace("(low + high) // 2", "low"), "wrong-answer", ""),
        ("print('A')", "wrong-answer", 'expected int, got "A"'),
        ("print(101)", "wrong-answer", "from 1 to 100"),
        ("print('9' * 20000)", "wrong-answer", "too long"),
        ("print('9' * 9000)", "wrong-answer", "expected int"),
        ("import sys\nsys.stdout.buffer.write(b'\\xff\\n')", "wrong-answer", "expected int"),
        ("print()", "wrong-answer", "expected int"),
        ("pass", "wrong-answer", ""),
    ],
)
def test_a_talk(tmp_path: Path, work: str, verdict: str, told: str) -> None:
    init = "custom_judge: talk.py\ntest_cases: [{in: a.in, points: 1}]\n"
    case = judged(tmp_path, {"init.yml": init, "talk.py": TALK, "a.in": "77\n"}, work)
    assert (case.verdict, told in case.message) == (verdict, True)


def protocol(folder: Path, validator: str, keys: str, work: str = "print(1)") -> CaseResult:
    (folder / "v").mkdir()
    (folder / "v/v.py").write_text(validator)
    stated = f"{{file: v/v.py, {keys}}}"
    text = question(f'{{program: work, stdin: "in\\n", stdout: "answer", validator: {stated}}}')
    return mark(folder, text, work).questions[0].cases[0]


@pytest.mark.parametrize(
    ("validator", "name", "verdict", "score"),
    [
        ("exit(0)", "coci", "accepted", 1),
        ("exit(2)", "coci", "wrong-answer", 0),
        ("import sys\nprint('note\\npartial 1/4', file=sys.stderr)\nexit(7)", "coci", "partial", 0.25),
        ("import sys\nprint('partial 5/4', file=sys.stderr)\nexit(7)", "coci", "internal-error", 0),
        ("import sys\nprint('partial 1/0', file=sys.stderr)\nexit(7)", "coci", "internal-error", 0),
        ("exit(7)", "coci", "internal-error", 0),
        ("exit(3)", "coci", "internal-error", 0),
        ("exit(0)", "peg", "accepted", 1),
        ("exit(1)", "peg", "wrong-answer", 0),
        ("exit(2)", "peg", "internal-error", 0),
        ("print('x\\n1\\n2.5')\nexit(1)", "peg", "partial", 0.4),
        ("print('3\\n2')\nexit(0)", "peg", "internal-error", 0),
        ("print('1\\n1\\nyou said so\\n1\\n10')\nexit(1)", "peg", "internal-error", 0),
        ("print('1\\n10\\n1\\n10')\nexit(1)", "peg", "partial", 0.1),
        ("print('0\\n2')\nexit(0)", "peg", "accepted", 1),
        (
            "import sys\ntexts = [open(name).read() for name in sys.argv[1:]]\n"
            "exit(texts != ['answer', '1\\n', 'in\\n'])",
            "peg",
            "accepted",
            1,
        ),
    ],
)
def test_protocols(tmp_path: Path, validator: str, name: str, verdict: str, score: float) -> None:
    case = protocol(tmp_path, validator, f"protocol: {name}")
    assert (case.verdict, float(case.score or 0)) == (verdict, score)


def test_arguments_of_ones_own(tmp_path: Path) -> None:
    validator = (
        "import sys\n_, answer, flag, output = sys.argv\n"
        "exit(not (open(answer).read() == 'answer' and flag == '{x}' and open(output[2:]).read() == '1\\n'))"
    )
    keys = 'protocol: dmoj, all_arguments: ["{answer}", "{x}", "o={output}"]'
    assert protocol(tmp_path, validator, keys).verdict == "accepted"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("all_arguments: [x]", "reads the output from its standard input"),
        ("protocol: dmoj, all_arguments: [x], arguments: [y]", "which this key replaces"),
        ("protocol: peg, score: 10", "gives a share, whatever the full score is"),
        ("protocol: dmoj, score: 10", "gives no scores"),
        ("protocol: dmoj, all_arguments: [[x]]", "`all_arguments` must be a list of texts"),
    ],
)
def test_mistakes(tmp_path: Path, keys: str, told: str) -> None:
    with pytest.raises(SpecError) as caught:
        protocol(tmp_path, "exit(0)", keys)
    assert told in str(caught.value)

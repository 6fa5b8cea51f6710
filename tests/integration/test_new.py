"""`grader new`: three kinds of references become tasks that are valid, and that their references pass."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from support.command_line import grader, only_error

from grader.model.task import Task
from grader.spec import load_task

FUNCTIONS = '''\
"""Leap years."""
from dataclasses import dataclass


@dataclass
class Point:
    x: int
    y: int


def is_leap(year: int) -> bool:
    """Tell whether a year is a leap year.

    >>> is_leap(2000)
    True
    >>> is_leap(1900)
    False
    >>> is_leap("a")
    Traceback (most recent call last):
      ...
    ValueError: a year is a number
    """
    if not isinstance(year, int):
        raise ValueError("a year is a number")
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)  # the secret


def mean(xs: list[float]) -> float:
    """
    >>> mean([1, 2])
    1.4
    """
    return sum(xs) / len(xs)


def distance(a: Point, b: Point) -> int:
    return abs(a.x - b.x) + abs(a.y - b.y)


def shout(words="hello"):
    print(words.upper())
'''
CLASS = '''\
class Counter:
    """
    >>> c = Counter(2)
    >>> c.step()
    3
    >>> c.reset()
    >>> print(c.value)
    0
    >>> c.jump(-1)
    Traceback (most recent call last):
    ValueError: no
    """

    def __init__(self, start=0):
        self.value = start

    def step(self):
        self.value += 1
        return self.value

    def reset(self):
        self.value = 0

    def jump(self, by):
        raise ValueError("no")


class Stack:
    def __init__(self):
        self._items = []

    def pop(self) -> int:
        return self._items.pop()

    def push(self, item: int) -> None:
        self._items.append(item)

    @property
    def size(self) -> int:
        return len(self._items)
'''
PROGRAM = '''\
"""Adds two numbers."""


def main():
    first = int(input("First? "))
    print("Sum:", first + int(input("Second? ")))


if __name__ == "__main__":
    main()
'''


def start(folder: Path, task: str, text: str, *options: str) -> tuple[Task, str]:
    """Start a task from a reference; return it, and what was said on stderr."""
    (folder / f"{task}.py").write_text(text)
    done = grader("new", task, "--from", f"{task}.py", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert f"  grader try specs/{task}.yaml --watch\n" in done.stdout
    tried = grader("try", f"specs/{task}.yaml", cwd=folder)
    assert (tried.returncode, tried.stdout.splitlines()[-1]) == (0, "Every program gets what it should.")
    marked = grader(
        "mark", f"specs/{task}.yaml", f"specs/{task}/handout", f"reference/{task}", "-q", cwd=folder
    )
    assert marked.returncode == 0, marked.stderr
    task_ = load_task(folder / "specs" / f"{task}.yaml")
    assert f"{float(task_.marks):g} of {float(task_.marks):g}" in marked.stdout
    assert "0 of " in marked.stdout
    return task_, done.stderr


def calls(task: Task) -> list[str]:
    return [case.text for case in task.cases]


def test_functions_with_doctests_and_hints(tmp_path: Path) -> None:
    task, said = start(tmp_path, "leap", FUNCTIONS, "--marks", "9")
    assert [(question.title, str(question.marks)) for question in task.questions] == [
        ("is_leap", "3"),
        ("mean", "2"),
        ("distance", "2"),
        ("shout", "2"),
    ]
    text = (tmp_path / "specs" / "leap.yaml").read_text()
    assert "      - call: is_leap(1900)\n        returns: False\n" in text
    assert "      - call: is_leap('a')\n        raises: ValueError\n" in text
    assert "        returns: 1.5\n        rel: 1e-9\n" in text
    assert '        prints: "HELLO\\n"\n' in text
    assert "  Point: {fields: [x, y]}\n" in text
    assert "# guessed from leap.py:" in text
    # The docstring is wrong, and the reference counts.
    assert "leap.py:30: mean([1, 2]) is said to give 1.4; the reference gives 1.5, which counts" in said
    handout = (tmp_path / "specs" / "leap" / "handout" / "leap.py").read_text()
    assert "secret" not in handout
    assert "year % 4" not in handout
    assert "def is_leap(year: int) -> bool:\n" in handout
    assert handout.count("raise NotImplementedError") == 4


LOSING = '''\
def double(x):
    """
    >>> double(2)
    4
    >>> double(2) + 1
    5
    """
    return 2 * x


def cut(x):
    """
    >>> cut(2)
    1.5
    """
    return object()


def whole(x):
    """
    >>> whole(2)
    2
    """
    return x
'''


def test_examples_that_are_no_cases_are_told_in_marks(tmp_path: Path) -> None:
    task, said = start(tmp_path, "losing", LOSING, "--marks", "6")
    assert [question.title for question in task.questions] == ["double", "whole"]
    told = (
        "cases of 2 questions worth 3 of 6 marks left out: double (1), cut (2); the cases that are there "
        "carry all marks"
    )
    assert told in " ".join(said.split())
    text = (tmp_path / "specs" / "losing.yaml").read_text()
    assert told[1:] in " ".join(text.replace("#", " ").split())


def test_examples_of_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "examples.txt").write_text("f(1) -> 2\nf(2) -> 3\nf(3) -> not said\nf(4) -> ?\ng(1) -> 1\n")
    done = grader("new", "some", "--from-examples", "examples.txt", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "cases of 1 question worth 0.5 of 2 marks left out: f (0.5);" in said


def test_nothing_is_told_where_nothing_was_left_out(tmp_path: Path) -> None:
    _, said = start(tmp_path, "leap", FUNCTIONS)
    assert "left out" not in said


def test_classes(tmp_path: Path) -> None:
    task, _ = start(tmp_path, "counter", CLASS)
    assert [question.title for question in task.questions] == ["the class Counter", "the class Stack"]
    text = (tmp_path / "specs" / "counter.yaml").read_text()
    assert "          - new: Counter(2)\n            as: c\n" in text
    assert "          - call: c.jump(-1)\n            raises: ValueError\n" in text
    # The first `pop` of the guess raised, so it is left out.
    assert "stack.pop()" not in text
    assert "          - read: stack.size\n            returns: 2\n" in text


def test_a_program_that_reads_input(tmp_path: Path) -> None:
    task, said = start(tmp_path, "total", PROGRAM)
    assert "left out" not in said
    text = (tmp_path / "specs" / "total.yaml").read_text()
    assert '        stdin: "3\\n4\\n5\\n"\n        stdout: "First? Second? Sum: 7\\n"\n' in text
    assert len(task.cases) == 2  # words are no numbers, and the reference raises
    handout = (tmp_path / "specs" / "total" / "handout" / "total.py").read_text()
    assert handout == '"""Adds two numbers."""\n\n# Write your program here.\n'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.txt", "# some\ngcd(4, 6) -> 2\nassert gcd(5, 6) == 1\ngcd(0, 'a') -> raises TypeError\n"),
        ("e.csv", 'call,answer\n"gcd(4, 6)",2\n"gcd(5, 6)",1\n"gcd(0, \'a\')",raises TypeError\n'),
        ("e.yaml", "- gcd(4, 6) -> 2\n- gcd(5, 6): 1\n- gcd(0, 'a') -> raises TypeError\n"),
        (
            "test_e.py",
            "def test_it():\n    assert gcd(4, 6) == 2\n    assert 1 == gcd(5, 6)\n"
            "    with pytest.raises(TypeError):\n        gcd(0, 'a')\n",
        ),
        (
            "e.py",
            "class T(TestCase):\n def test(self):\n  self.assertEqual(gcd(4, 6), 2)\n"
            "  self.assertEqual(1, gcd(5, 6))\n  self.assertRaises(TypeError, gcd, 0, 'a')\n",
        ),
    ],
)
def test_examples_without_a_reference(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    done = grader("new", "gcd", "--from-examples", name, cwd=tmp_path)
    # What it waits for is said where that takes a second.
    said = [line for line in done.stderr.splitlines() if not line.endswith(" …")]
    assert (done.returncode, said) == (0, [])
    task = load_task(tmp_path / "specs" / "gcd.yaml")
    assert calls(task) == ["gcd(4, 6)", "gcd(5, 6)", "gcd(0, 'a')"]
    assert task.reference is None
    assert not (tmp_path / "reference").exists()
    assert "def gcd(a, b):\n" in (tmp_path / "specs" / "gcd" / "handout" / "gcd.py").read_text()
    assert grader("try", "specs/gcd.yaml", cwd=tmp_path).returncode == 0


def test_the_sample(tmp_path: Path) -> None:
    assert grader("new", "first-steps", "--dir", "course", cwd=tmp_path).returncode == 0
    assert calls(load_task(tmp_path / "course" / "specs" / "first-steps.yaml")) == [
        "count_vowels('hello')",
        "count_vowels('')",
    ]


def test_a_reference_that_is_in_its_place_stays_there(tmp_path: Path) -> None:
    folder = tmp_path / "reference" / "leap"
    folder.mkdir(parents=True)
    (folder / "leap.py").write_text("def half(n: int) -> float:\n    return n / 2\n")
    (folder / "data.txt").write_text("kept")
    done = grader("new", "leap", "--from", "reference/leap", cwd=tmp_path)
    assert done.returncode == 0
    assert "new: reference/leap" not in done.stdout
    assert (folder / "data.txt").read_text() == "kept"


@pytest.mark.parametrize("there", ["specs/leap.yaml", "specs/leap", "reference/leap"])
def test_nothing_is_overwritten(tmp_path: Path, there: str) -> None:
    (tmp_path / there).parent.mkdir(parents=True)
    (tmp_path / there).write_text("mine")
    (tmp_path / "leap.py").write_text(FUNCTIONS)
    done = grader("new", "leap", "--from", "leap.py", cwd=tmp_path)
    assert done.returncode == 2
    assert only_error(done) == f"error: {there}: this is there already, and nothing is overwritten"
    assert (tmp_path / there).read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["leap.py", there.partition("/")[0]])


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        (["Leap"], "", "'Leap' is not the name of a task"),
        (["leap", "--from", "none.py"], "", "none.py: the reference can't be read: there is no such file"),
        (["leap", "--from", "it.py"], "def f(:\n", "it.py:1:7: not valid Python: invalid syntax"),
        (["leap", "--from-examples", "it.py"], "X = 1\n", "it.py: no example was found"),
        (
            ["leap", "--from", "it.py", "--marks", "0.001"],
            "def f(n: int): return n\n",
            "0.001 marks can't be shared among 1 questions",
        ),
    ],
)
def test_refusals_leave_nothing_behind(tmp_path: Path, arguments: list[str], text: str, said: str) -> None:
    (tmp_path / "it.py").write_text(text)
    done = grader("new", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert only_error(done) == f"error: {said}"
    assert [path.name for path in tmp_path.iterdir()] == ["it.py"]


def test_a_module_in_place_of_a_task_is_told_what_to_type(tmp_path: Path) -> None:
    done = grader("new", "leap.py", cwd=tmp_path)
    assert done.stderr.splitlines() == [
        "error: 'leap.py' is not the name of a task",
        "hint: to start a task from it: grader new leap --from leap.py",
    ]


def test_a_new_spec_says_how_numbers_are_compared(tmp_path: Path) -> None:
    """A lecturer whose doctest says 212.0 would have students fail for 212."""
    (tmp_path / "half.py").write_text("def half(n: int) -> float:\n    return n / 2\n")
    assert grader("new", "half", "--from", "half.py", cwd=tmp_path).returncode == 0
    spec = (tmp_path / "specs" / "half.yaml").read_text()
    assert "# - 2 is no answer where 2.0 is expected: `equality: python` takes both" in spec


def test_the_reference_is_never_run_in_our_process(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "import os\nopen('escaped', 'w').close()\n\ndef f(n: int) -> int:\n    os._exit(0)\n"
    )
    done = grader("new", "bad", "--from", "bad.py", cwd=tmp_path)
    assert done.returncode == 0
    assert not (tmp_path / "escaped").exists()
    assert "cases" not in questions_of(tmp_path / "specs" / "bad.yaml")[0]


# -- where nothing is known ----------------------------------------------------------------------------

UNKNOWN = {
    "no hint": ("def draw(canvas, brush):\n    canvas.paint(brush)\n", "draw", "- call: draw(canvas, brush)"),
    "a class": (
        "class Pen:\n    def __init__(self, ink):\n        self.ink = ink.full\n\n"
        "    def line(self, to):\n        return to.x\n",
        "the class Pen",
        "- {call: pen.line(to), returns: ...}",
    ),
    "chance": (
        "import random\n\n\ndef roll():\n    return random.SystemRandom().random()\n",
        "roll",
        "- call: roll()",
    ),
    "nothing": ("X = 1\n", "the module it.py", "- call: ..."),
    "never imported": ("while True:\n    pass\n\n\ndef f(n: int):\n    return n\n", "f", "- call: f(n)"),
}


def questions_of(spec: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(spec.read_text())["questions"]
    return found


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.acceptance) if name == "never imported" else name
        for name in UNKNOWN
    ],
)
def test_where_nothing_is_known_a_person_marks_and_the_cases_are_sketched(name: str, tmp_path: Path) -> None:
    text, title, line = UNKNOWN[name]
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", "--marks", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "no case was found: a person marks each question until the spec has cases" in done.stderr
    spec = tmp_path / "specs" / "it.yaml"
    task = load_task(spec)
    assert [(each.title, each.cases, len(each.criteria)) for each in task.questions] == [(title, (), 1)]
    assert task.marks == 4
    assert line in spec.read_text()
    assert not (tmp_path / "specs" / "it" / "wrong").exists()
    tried = grader("try", "specs/it.yaml", cwd=tmp_path)
    assert tried.returncode == 0, tried.stdout + tried.stderr


def test_a_sketch_becomes_cases_when_its_signs_are_taken_away(tmp_path: Path) -> None:
    (tmp_path / "it.py").write_text("def paint(canvas):\n    return canvas.width\n")
    grader("new", "it", "--from", "it.py", cwd=tmp_path)
    spec = tmp_path / "specs" / "it.yaml"
    head, _, rest = spec.read_text().partition("    criteria:\n")
    sketched = [line.replace("# ", "", 1) for line in rest.splitlines() if "#" in line][1:]
    text = (
        "\n".join(sketched)
        .replace("paint(canvas)", "paint(3)")
        .replace("returns: ...", "raises: AttributeError")
    )
    spec.write_text(f"{head}{text}\n")
    assert calls(load_task(spec)) == ["paint(3)"]
    assert "1 of 1" in grader("try", "specs/it.yaml", cwd=tmp_path).stdout


def test_what_a_doctest_says_and_a_spec_cannot_stands_as_a_comment(tmp_path: Path) -> None:
    (tmp_path / "it.py").write_text(
        'def add(a, b):\n    """Add.\n\n    >>> add(1, 2)\n    3\n    >>> [add(1, 2)][0]\n    3\n    """\n'
        "    return a + b\n"
    )
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "specs" / "it.yaml").read_text()
    assert "# it.py:6: this example is left out: only calls become cases: [add(1, 2)][0]\n" in text
    assert calls(load_task(tmp_path / "specs" / "it.yaml")) == ["add(1, 2)"]


def test_what_has_no_case_beside_others_is_sketched_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "it.py").write_text("def one():\n    return 1\n\n\ndef draw(canvas):\n    canvas.paint()\n")
    grader("new", "it", "--from", "it.py", cwd=tmp_path)
    text = (tmp_path / "specs" / "it.yaml").read_text()
    assert "  #     - call: draw(canvas)\n  #       returns: ...\n" in text


def test_a_guess_that_never_ends_costs_only_itself(tmp_path: Path) -> None:
    text = "def wait(n: int):\n    while True: pass\n\n\ndef half(n: int) -> float:\n    return n / 2\n"
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert done.returncode == 0
    assert "note: no case was found for wait; the spec names them at its end\n" in done.stderr
    assert calls(load_task(tmp_path / "specs" / "it.yaml")) == ["half(3)", "half(10)", "half(0)"]


@pytest.mark.parametrize("tells", ["monotonic_ns()", "time()", "ctime()"])
def test_a_function_whose_answers_differ_is_named(tmp_path: Path, tells: str) -> None:
    """The time of day differs within the rounding that a spec allows, or from second to second."""
    text = f"import time\n\n\ndef now():\n    return time.{tells}\n\n\ndef one():\n    return 1\n"
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert "note: no case was found for now; the spec names them at its end\n" in done.stderr
    assert "# No case was found for: now." in (tmp_path / "specs/it.yaml").read_text()


def test_an_answer_that_chance_gives_is_no_case(tmp_path: Path) -> None:
    text = '''import random


def roll(sides: int) -> int:
    """
    >>> roll(1)
    1
    >>> roll(1000)
    500
    """
    return random.randint(1, sides)


def flip(n: int) -> bool:
    return random.random() < 0.5


def drawn(n: int) -> int:
    return random.Random(7).randint(0, n)
'''
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = calls(load_task(tmp_path / "specs" / "it.yaml"))
    assert found == ["roll(1)", "drawn(3)", "drawn(10)", "drawn(0)"]
    assert "it.py:8: left out, the reference's answer is another with another seed" in done.stderr
    assert "# No case was found for: flip." in (tmp_path / "specs/it.yaml").read_text()


def test_a_call_that_answers_otherwise_the_second_time_is_told(tmp_path: Path) -> None:
    text = '''found = []


def push(x: int) -> int:
    """
    >>> push(3)
    1
    >>> push(3)
    2
    >>> push(3)
    2
    """
    found.append(x)
    return len(found)
'''
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert calls(load_task(tmp_path / "specs" / "it.yaml")) == ["push(3)"]
    said = "this example is left out: the same call is said to give another answer before"
    assert [line for line in done.stderr.splitlines() if "left out:" in line and said in line] == [
        f"note: it.py:8: {said}",
        f"note: it.py:10: {said}",
    ]


def test_an_example_that_says_what_a_docstring_says_is_one_case(tmp_path: Path) -> None:
    docstring = '"""\n    >>> twice(3)\n    6\n    """'
    (tmp_path / "it.py").write_text(f"def twice(x: int) -> int:\n    {docstring}\n    return 2 * x\n")
    (tmp_path / "more.txt").write_text("twice(3) -> 6\ntwice(4) -> 8\n")
    done = grader("new", "it", "--from", "it.py", "--from-examples", "more.txt", cwd=tmp_path)
    assert calls(load_task(tmp_path / "specs" / "it.yaml")) == ["twice(3)", "twice(4)"]
    assert "left out" not in done.stderr + (tmp_path / "specs/it.yaml").read_text()


def test_numbers_of_numpy_say_what_python_s_say(tmp_path: Path) -> None:
    """NumPy need not be there: the text that the prompt shows is what counts."""
    examples = """
    >>> half(3)
    np.float64(1.5)
    >>> half(3) == 1.5
    True
    >>> half(4)
    2.0
    """
    text = f'def half(x: int) -> float:\n    """{examples}"""\n    return x / 2\n'
    (tmp_path / "it.py").write_text(text)
    done = grader("new", "it", "--from", "it.py", cwd=tmp_path)
    assert calls(load_task(tmp_path / "specs" / "it.yaml")) == ["half(3)", "half(4)"]
    assert "note: " not in done.stderr

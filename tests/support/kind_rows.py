"""What consumers do with each kind of case: the rows of `test_kind_table`, and the works that they are about."""
# ruff: noqa: E501  # A row of a table stands on one line.

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

PUBLIC = "handed out"
CHECKER = "a checker decides about it, and could give an answer away"
TEST = "it is a test of a test file, which stays with you"
TIMED = "its time is compared with the reference's"
GROWING = "its time is measured over growing inputs"
TRIED = "programs that stay with you are what the student's tests are tried on"
READS = "this case reads the source, and runs nothing"
NO_CALL = "does not run without the grader, so there is no line to paste"
NO_CASE = "there is no case"
PERSON = "a person marks it"
ACCEPTED = "accepted"


class Row(NamedTuple):
    """A kind.  Texts are what is told, or a part of it.

    wrong: of a work whose answer is wrong.  otherwise: of one that is wrong in another way, if there is one.
    script: what the script of `replay` prints for the wrong work; or why there is none.
    handout: `PUBLIC`, or why the case is left out.
    """

    wrong: str
    otherwise: str
    script: str
    handout: str


ROWS = {
    "call": Row("expected 6, got 7", ACCEPTED, "7", PUBLIC),
    "reference": Row("expected 6, got 7", ACCEPTED, "7", PUBLIC),
    "checker": Row("7 is odd", ACCEPTED, "7", CHECKER),
    "raises": Row("raised TypeError: too small", "expected ValueError to be raised, got -3", "TypeError: too small", PUBLIC),
    "unchanged": Row("argument 1 was changed: item 1: was 1, is now 2", ACCEPTED, "3", PUBLIC),
    "sum": Row("expected 18, got 22", ACCEPTED, "22", PUBLIC),
    "count": Row("expected 2, got 4", ACCEPTED, "4", PUBLIC),
    "each": Row("triple(0): expected 0, got 1", ACCEPTED, "[1, 4, 7]", PUBLIC),
    "each-checked": Row("not the first ones", ACCEPTED, "[1, 4, 7]", CHECKER),
    "watched": Row("expected 31, got 32", "f was called twice on 3", "32", PUBLIC),
    "shipped": Row("expected 8, got 12", ACCEPTED, "12", PUBLIC),
    "expression": Row("expected 15, got 16", ACCEPTED, "16", PUBLIC),
    "reads": Row("key '_.n': expected 2, got 3", ACCEPTED, "{'_.n': 3}", PUBLIC),
    "scenario": Row("step 2, s.add(3): expected 8, got 9", "step 3, s.n: expected 8, got 5", "9\n9", PUBLIC),
    "scenario-raises": Row("step 2, s.add(None): expected TypeError to be raised, got 6", ACCEPTED, "6", PUBLIC),
    "scenario-prints": Row("step 1, say(2): printed text, line 1, column 3: expected no.·2↵, got no·2↵", ACCEPTED, "no 2\nNone", PUBLIC),
    "scenario-files": Row("step 1, lines(2): expected 3, got 1", "file out.txt, line 1, column 1: expected 3, got x", "1", PUBLIC),
    "scenario-checked": Row("no 8", ACCEPTED, "9", CHECKER),
    "program": Row("stdout, line 1, column 1: expected 3↵, got 4↵", ACCEPTED, "4", PUBLIC),
    "program-checked": Row("it prints no 3", ACCEPTED, "4", CHECKER),
    "program-harness": Row("stdout, line 1, column 1: expected 3↵, got 4↵", ACCEPTED, "4\nran sums", PUBLIC),
    "program-leaves": Row("stdout, line 1, column 1: expected 3↵, got 4↵", "file sum.txt, line 1, column 1: expected 2, got x", "4", PUBLIC),
    "dialogue": Row("stdout after the last input, line 1, column 9: expected Hello·Bo!↵, got Hello·BoBo↵", "turn 1, line 1, column 5: expected Name?·, got Name:·", "Name? Hello BoBo", PUBLIC),
    "player": Row("stdout after the last input, line 1, column 10: expected Hello·Ada!↵, got Hello·AdaAda↵", ACCEPTED, "Name? Hello AdaAda", CHECKER),
    "exit": Row("exit code: expected 3, got 4", "stdout, line 1, column 5: expected Name?·Hello·nobody!↵", "Name? Hello nobody!", PUBLIC),
    "prints": Row("printed text, line 1, column 3: expected no.·2↵, got no·2↵", ACCEPTED, "no 2\nNone", PUBLIC),
    "files": Row("expected 3, got 2", "file out.txt, line 1, column 1: expected 3, got x", "2", PUBLIC),
    "plot": Row("line 1, point 2, y: expected 4.0, got 5.0", "title: expected 'Up', got 'Down'", "None", PUBLIC),
    "plot-alone": Row("group 1, bar 2: expected 4.0, got 5.0", "title: expected 'Bars', got 'bars'", "", PUBLIC),
    "array": Row("item 2: expected 0.5, got 0.3333333333333333", "length: expected 3 items, got 4", "array([0.        , 0.33333333, 0.66666667])", PUBLIC),
    "image": Row("109 of 121 items differ (90.08 %, at most 1 % may)", ACCEPTED, "[[1, 1, 1, 1, 1, 0, 1,", PUBLIC),
    "table": Row("column 'a', row 1: expected 1, got 2", "columns: missing 'a'; unexpected 'b'", "   a\n0  2\n1  1", PUBLIC),
    "table-argument": Row("item 1: expected 2, got 3", ACCEPTED, "[3, 2]", PUBLIC),
    "time": Row("expected 6, got 7", ACCEPTED, "7", TIMED),
    "growth": Row("found(xs): expected 0, got 1; the smallest of 3 failing inputs", ACCEPTED, "1\n1\n1", GROWING),
    "rule": Row("`again` calls itself", ACCEPTED, READS, PUBLIC),
    "pattern": Row("`eval($X)` is not allowed", ACCEPTED, READS, PUBLIC),
    "given": Row("triple(0): expected 0, got 1; the smallest of 5 failing inputs", ACCEPTED, "1\n16\n10\n13\n25", PUBLIC),
    "given-table": Row("triple(2): expected 6, got 7; the smallest of 2 failing inputs", ACCEPTED, "7\n10", PUBLIC),
    "harness": Row("expected 12, got 14", ACCEPTED, "14", PUBLIC),
    "test-file": Row("assert 7 == 6; where 7 = triple(2)", ACCEPTED, NO_CALL, TEST),
    "student-tests": Row("the tests catch 0 of 1 wrong programs", "the tests refuse right program 1: test_leap: assert not True", NO_CALL, TRIED),
    "manual": Row(PERSON, PERSON, NO_CASE, PERSON),
}  # fmt: skip

CASES, MARKS, SHEET = "has each case", "has marks alone", "--sheet is missing"
FORMS = {
    "moodle": SHEET,
    "canvas": SHEET,
    "brightspace": "has marks by login",
    "blackboard": SHEET,
    "gradescope": CASES,
    "gradescope-autograder": "has the task",
    "github-classroom": CASES,
    "github-actions": MARKS,
    "gitlab": CASES,
    "junit": CASES,
    "markdown": MARKS,
    "csv": MARKS,
    "jplag": "has sources",
}


@dataclass(frozen=True)
class Work:
    """A work that no kind of case accepts, by the changes that make it of the reference's modules."""

    changes: Mapping[str, str]
    more: str = ""


WRONG = Work(
    {
        "return 3 * n": "return 3 * n + 1",
        "raise ValueError": "raise TypeError",
        "return sum(xs[:2])": "xs.sort(reverse=True)\n    return sum(xs[:2])",
        "n % 2 == 1": "n % 2 >= 0",
        "return f(n) + 1": "return f(n) + 2",
        "return f(n) * 2": "return f(n) * 3",
        "self.n = n\n": "self.n = n + 1\n",
        "self.n += n\n": "self.n += n or 0\n",
        "'no.', n": "'no', n",
        "len(file.readlines()) + n": "len(file.readlines())",
        "[n, n + 1]": "[n, n + 2]",
        "plt.bar([1, 2], [3, 4])": "plt.bar([1, 2], [3, 5])",
        "numpy.arange(n) / 2": "numpy.arange(n) / 3",
        "x * x + y * y < r * r": "x * x + y * y > r * r",
        "sorted(xs)": "sorted(xs)[::-1]",
        "[x for x in df['a']]": "[x + 1 for x in df['a']]",
        "return xs[0]": "return xs[0] + 1",
        'print("Hello " + name': 'print("Hello " + name * 2 if name != "nobody" else "Hello nobody"',
        "sys.exit(3)": "sys.exit(4)",
        "print(sum(numbers))": "print(sum(numbers) + 1)",
        "    assert not leap(1900)\n": "",
    },
    "\n\ndef again(n):\n    return again(n) if n else eval('n')\n",
)
"""What it answers is wrong."""
OTHERWISE = Work(
    {
        "if n < 0": "if n < -9",
        "return f(n) + 1": "return f(n) + f(n) - 29",
        "self.n += n\n        return self.n\n": "return self.n + n\n",
        "str(found)": "'x'",
        "plt.title('Up')": "plt.title('Down')",
        '"Bars"': '"bars"',
        "numpy.arange(n) / 2": "numpy.arange(n + 1) / 2",
        "DataFrame({'a': sorted": "DataFrame({'b': sorted",
        '"Name? "': '"Name: "',
        "str(len(numbers))": "'x'",
        "assert leap(2000)": "assert not leap(2000)",
    }
)
"""What it answers is right where it can be; something else is wrong."""


def write_work(spec: Path, work: Work, folder: Path) -> None:
    """Write the changed modules of a task's reference as a work."""
    folder.mkdir(parents=True)
    for path in (spec.parent / "reference").glob("*.py"):
        text = path.read_text()
        for right, instead in work.changes.items():
            text = text.replace(right, instead)
        (folder / path.name).write_text(text + (work.more if path.stem == "work" else ""))


def fits(case: Any, told: str) -> bool:
    """Tell whether a case has the verdict and the message of its row."""
    if told == ACCEPTED:
        return bool(case["verdict"] == ACCEPTED and case["message"] == "")
    return (
        case["verdict"] in ("wrong-answer", "runtime-error", "exception", "rule-broken")
        and told in case["message"]
    )


def says(text: str, told: str, case: Any) -> bool:
    """Tell whether a page has a case with its message, or with what was expected and what came instead."""
    page = words(html.unescape(re.sub("<[^>]*>", "", text))) + words(html.unescape(text))
    both = [words(case[side]) for side in ("expected", "actual")]
    return case["id"] in text and (words(told) in page or all(part and part in page for part in both))


def words(text: str) -> str:
    """Return a text without what its medium does to long lines and odd characters."""
    return re.sub(r"\W", "", text)

"""Hostile text that is costly to tokenize, match or compare: it costs its own submission, and little.

Where no verdict shows it, a test fails by its timeout: what is quadratic or worse takes hours at these sizes.
"""

import io
import zipfile
from pathlib import Path

import pytest
from support.intake_reading import collect
from support.marking import cases, mark, question, verdicts

from grader.intake import discover, read
from grader.intake.source.indentation import CHECK_MAX
from grader.intake.trees.archive import NAME_MAX_CHARACTERS
from grader.intake.trees.tree import SOURCE_MAX_B
from grader.model.results import Status
from grader.model.submission import Repairs
from grader.reports.escape import plain

MODULES = {"a": "a.py"}
HONEST = "def f(x):\n    return x\n"
MIXED = "if 1:\n \tx=1\n\t y=2\n"
QUADRATIC = (
    MIXED + "'" + "\\'" * (CHECK_MAX // 2 - 20),
    MIXED + "f'" + "{" * (CHECK_MAX - 40),
    MIXED + "(" * (CHECK_MAX - 40),
    MIXED + "\\\n" * (CHECK_MAX // 2 - 20),
    MIXED + "'''" + "''\\'" * (CHECK_MAX // 4 - 20),
)


@pytest.mark.parametrize("text", QUADRATIC)
def test_text_that_tokenizers_are_slow_on_is_read_at_once(text: str, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "a.py").write_text(HONEST)
    (tmp_path / "m" / "helper.py").write_text(text)
    (submission,) = collect([tmp_path / "m"], MODULES)
    assert submission.files["helper"].text == text
    assert not submission.files["helper"].repairs


def test_many_such_files_in_a_small_zip_are_read_at_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "w.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.py", HONEST)
        for number in range(190):
            archive.writestr(f"h{number}.py", QUADRATIC[number % len(QUADRATIC)])
    assert (tmp_path / "w.zip").stat().st_size < 500_000
    (submission,) = collect([tmp_path / "w.zip"], MODULES)
    assert len(submission.files) == 191


def test_many_lines_in_odd_encodings_are_read_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    folder.mkdir()
    (folder / "a.py").write_text(HONEST)
    for number in range(45):
        (folder / f"h{number}.py").write_bytes(b"#\x81\n" * (SOURCE_MAX_B // 3))
    (submission,) = collect([folder], MODULES)
    assert {file.text[:3] for name, file in submission.files.items() if name != "a"} == {"#\x81\n"}


def test_an_archive_with_very_long_names_is_read_at_once(tmp_path: Path) -> None:
    """Unicode's normal forms sort marks on one letter, which takes quadratic time."""
    marks = "a" + "\u0301\u0323" * 15_000
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("a.py", HONEST)
        for number in range(60):
            archive.writestr(f"{number}{marks}.py", "x = 1\n")
    (tmp_path / "w.zip").write_bytes(content.getvalue())
    (submission,) = collect([tmp_path / "w.zip"], MODULES)
    assert list(submission.files) == ["a"]
    told = f"has a name of more than {NAME_MAX_CHARACTERS} characters in its path"
    assert sum(told in problem for problem in submission.problems) >= 9


def test_thousands_of_names_are_not_all_compared_with_what_is_missing(tmp_path: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number in range(9_000):
            archive.writestr(f"{'ab' * 36}{number:06}.py", "")
    (tmp_path / "w.zip").write_bytes(content.getvalue())
    modules = {f"m{number}": f"{'a' * 72}{number}.py" for number in range(10)}
    (candidate,) = discover([tmp_path / "w.zip"], modules)
    assert len(read(candidate, modules).problems) == 1


def test_thousands_of_virtual_environments_are_left_out_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "m"
    for number in range(3_000):
        (folder / f"v{number}").mkdir(parents=True)
        (folder / f"v{number}" / "pyvenv.cfg").touch()
    for number in range(3_000):
        (folder / f"f{number}.txt").touch()
    (folder / "a.py").write_text(HONEST)
    (submission,) = collect([folder], MODULES)
    assert list(submission.files) == ["a"]
    assert not submission.problems


def test_a_text_of_line_ends_alone_is_escaped_at_once() -> None:
    text = "\n" * 2_000_000 + " ::error::x"
    assert plain(text, multiline=True).endswith("\n \\x3a:error::x")


# -- repairs ---------------------------------------------------------------------------------------------

REFUSED = {
    "tabs": (b"if 1:\n        x = 1\n\ty = 2\n", "TabError"),
    "encoding": (b"s = '\xe9'\n", "SyntaxError"),
    "coding line": (b"# coding: no-such\ns = 1\n", "SyntaxError"),
    "UTF-16": ("s = 1\n".encode("utf-16"), "Error"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_without_repairs_the_import_says_what_python_says(name: str, tmp_path: Path) -> None:
    data, kind = REFUSED[name]
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "work.py").write_bytes(data + HONEST.encode())
    (candidate,) = discover([tmp_path / "m"], {"work": "work.py"})
    texts = {
        repairs: {
            name: file.text for name, file in read(candidate, {"work": "work.py"}, repairs).files.items()
        }
        for repairs in Repairs
    }
    spec = question("{call: f(1), returns: 1}")
    (case,) = cases(mark(tmp_path, spec, texts[Repairs.NONE])).values()
    assert (case.verdict, kind in case.message) == ("load-error", True), case.message
    assert "surrogates" not in case.message


def test_without_repairs_a_file_that_python_takes_runs(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    source = b"# coding: utf-7\n" + b"def f(x):\r\n    return '+AOk-'\r\n"
    (tmp_path / "m" / "work.py").write_bytes(source)
    (candidate,) = discover([tmp_path / "m"], {"work": "work.py"})
    files = read(candidate, {"work": "work.py"}, Repairs.NONE).files
    result = mark(tmp_path, question("{call: f(1), returns: \"'é'\"}"), {"work": files["work"].text})
    assert verdicts(result) == {"1.1": "accepted"}


# -- patterns --------------------------------------------------------------------------------------------

SLOW = r"^(\w+\s?)+ must be positive"
REDOS = 'def f(x):\n    raise ValueError("a" * 40 + "!" if x else "x must be positive")\n'


def test_a_pattern_that_does_not_end_on_a_message_is_no_match(tmp_path: Path) -> None:
    case = f"{{call: f(%d), raises: {{type: ValueError, message: '{SLOW}'}}}}"
    result = mark(tmp_path, question(case % 1, case % 0, case % 2), REDOS)
    assert verdicts(result) == {"1.1": "wrong-answer", "1.2": "accepted", "1.3": "wrong-answer"}
    assert result.status is Status.MARKED
    message = cases(result)["1.1"].message
    assert "could not be matched" in message
    assert "within 1 s, which counts as no match" in message


def test_such_patterns_draw_from_the_budget(tmp_path: Path) -> None:
    case = f"{{call: f(1), raises: {{type: ValueError, message: '{SLOW}'}}}}"
    result = mark(tmp_path, "budget: 2s\n" + question(*[case] * 6), REDOS)
    assert list(verdicts(result).values())[-1] == "skipped"
    assert result.status is Status.MARKED


def test_a_pattern_is_searched_for_in_any_text(tmp_path: Path) -> None:
    work = "def f(x):\n    raise ValueError('\\ud800\\0' + 'a' * 20_000 if x else 'a.b')\n"
    spec = question(
        "{call: f(0), raises: {type: ValueError, message: 'a[.]b'}}",
        "{call: f(0), raises: {type: ValueError, message: 'a.b'}}",
        "{call: f(0), raises: {type: ValueError, message: 'ab'}}",
        "{call: f(1), raises: {type: ValueError, message: 'a{500}'}}",
        "{call: f(1), raises: {type: ValueError, message: 'b$'}}",
    )
    found = ["accepted", "accepted", "wrong-answer", "accepted", "wrong-answer"]
    assert list(verdicts(mark(tmp_path, spec, work)).values()) == found

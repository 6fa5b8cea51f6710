"""A test that asks this process for what only the program's own can tell is refused, and does not pass."""

import textwrap
from pathlib import Path

from support.marking import cases, mark, question

HEAD = """
import glob, logging, os, pathlib, sys, threading, time, unittest, warnings
from unittest import mock
import pytest
import work
"""
REFUSED = """
def test_warnings_as_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        work.quiet()
def test_warnings_recorded():
    with warnings.catch_warnings(record=True) as found:
        work.quiet()
    assert not found
def test_recwarn(recwarn):
    work.quiet()
    assert len(recwarn) == 0
@pytest.mark.filterwarnings("error")
def test_marked(): work.quiet()
def test_records(caplog):
    work.quiet()
    assert caplog.records == []
class TestLogs(unittest.TestCase):
    def test_logs(self):
        with self.assertNoLogs(): work.quiet()
def test_threads():
    work.quiet()
    assert threading.active_count() == 1
def test_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    work.quiet()
    assert [*tmp_path.iterdir()] == []
def test_file():
    with pytest.raises(ValueError): work.fails()
    assert not os.path.exists("junk.txt")
def test_working_folder():
    before = os.getcwd()
    work.quiet()
    assert os.getcwd() == before
def test_time():
    start = time.process_time()
    work.quiet()
    assert time.process_time() - start < 1
"""
KEPT = """
@pytest.fixture
def tidy():
    yield
    if os.path.exists("junk.txt"): os.remove("junk.txt")
class TestTidy(unittest.TestCase):
    def setUp(self): self.before = os.listdir(".")
    def tearDown(self): self.assertEqual(glob.glob("*.txt"), [])
    def test_it(self): self.assertIsNone(work.quiet())
def test_tidy(tidy): assert work.quiet() is None
def test_own_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("a b")
    assert os.listdir() == ["a.txt"] and not os.path.exists("b.txt")
    assert work.words((tmp_path / "a.txt").read_text()) == ["a", "b"]
    assert os.path.exists("a.txt")
def test_silenced(caplog):
    caplog.set_level(logging.INFO)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert work.words("a b") == ["a", "b"]
def test_input(monkeypatch):
    monkeypatch.setattr("builtins.input", lambda _="": "Ada")
    assert work.asked() == "Ada"
"""
WORK = """
def quiet(): pass
def fails(): raise ValueError
def words(text): return text.split()
def asked(): return input()
"""


def found(folder: Path, tests: str, work: str) -> dict[str, tuple[str, str]]:
    """Return verdict and message of each test function."""
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(HEAD + tests)
    result = mark(folder, question("pytest: tests/test_work.py"), work, reference=textwrap.dedent(WORK))
    return {
        case.call.rpartition("::")[2]: (str(case.verdict), case.message) for case in cases(result).values()
    }


def test_it_is_told_at_its_line(tmp_path: Path) -> None:
    told = found(tmp_path, REFUSED, WORK)
    assert len(told) == 11
    assert {verdict for verdict, _ in told.values()} == {"internal-error"}
    assert all("cannot be seen here" in message for _, message in told.values())
    lines = [name for name, (_, message) in told.items() if " of test_work.py: " not in message]
    assert lines == ["test_marked"]


def test_what_is_the_tests_own_goes_on_working(tmp_path: Path) -> None:
    assert {verdict for verdict, _ in found(tmp_path, KEPT, WORK).values()} == {"accepted"}


ERRORS = """
def test_error(capsys):
    work.complain("bad")
    assert capsys.readouterr() == ("", "bad\\n")
def test_nothing(capsys):
    assert work.words("a") == ["a"]
    out, err = capsys.readouterr()
    assert (out, err) == ("", "")
def test_stream(monkeypatch):
    with mock.patch("sys.stderr") as errors: work.complain("bad")
    assert errors.write.called
"""
COMPLAINS = """
from sys import stderr
import sys
def complain(text): print(text, file=stderr)
def words(text): return text.split()
"""
LOUD = COMPLAINS.replace("return text", "print('x', file=sys.stderr); return text")
BESIDE = COMPLAINS.replace("return text", "logging.warning('x'); warnings.warn('y'); return text")


def test_standard_error_crosses(tmp_path: Path) -> None:
    spec = question("pytest: tests/test_work.py")
    for name, work, expected in (
        ("plain", COMPLAINS, ["accepted"] * 3),
        ("loud", LOUD, ["accepted", "wrong-answer", "accepted"]),
        # Pytest shows neither records nor warnings there.
        ("beside", "import logging, warnings\n" + BESIDE, ["accepted"] * 3),
    ):
        folder = tmp_path / name
        (folder / "tests").mkdir(parents=True)
        (folder / "tests" / "test_work.py").write_text(HEAD + ERRORS)
        found = cases(mark(folder, spec, work, reference=COMPLAINS)).values()
        assert [str(case.verdict) for case in found] == expected, name

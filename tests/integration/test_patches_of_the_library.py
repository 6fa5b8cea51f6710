"""What a test replaces in a module of the library is replaced in the program's process too."""

import textwrap
from pathlib import Path

from support.marking import cases, mark, question

TESTS = """
import random, time
from datetime import date
from pathlib import Path
from unittest import mock
import pytest
import work
def test_not_called():
    with mock.patch("time.sleep") as sleep: work.tried(lambda: 5)
    sleep.assert_not_called()
def test_called():
    with mock.patch("time.sleep") as sleep:
        with pytest.raises(ZeroDivisionError): work.tried(lambda: 1 // 0)
    assert sleep.call_args_list == [mock.call(0.5)] * 2
@mock.patch.object(random, "randint", return_value=6)
def test_answer(randint):
    assert work.rolled() == 6
    randint.assert_called_once_with(1, 6)
def test_list(monkeypatch):
    monkeypatch.setattr("sys.argv", ["work.py", "Ada"])
    assert work.named() == "Ada"
def test_printed(monkeypatch):
    said = []
    monkeypatch.setattr("builtins.print", said.append)
    work.greet("Ada")
    assert said == ["Hello Ada"]
def test_put_back(capsys):
    with mock.patch("builtins.print") as shown: work.greet("Ada")
    shown.assert_called_once_with("Hello Ada")
    work.greet("Bob")
    assert capsys.readouterr().out == "Hello Bob\\n"
class Own:
    def it(self): return 1
def test_own(monkeypatch):
    monkeypatch.setattr(Own, "it", lambda _: 2)
    monkeypatch.setattr(work, "HEIGHT", 3)
    assert Own().it() == 2 and work.high() == 3
"""
CLASSES = """
from datetime import date
from pathlib import Path
from unittest import mock
import work
def test_class(monkeypatch):
    monkeypatch.setattr(Path, "exists", lambda _: True)
    assert work.high() == 1
def test_built_in():
    with mock.patch("builtins.len", return_value=3): assert work.high() == 1
def test_class_in_a_module():
    with mock.patch("io.StringIO"): assert work.high() == 1
"""
WORK = """
import random, sys, time
HEIGHT = 1
def high(): return HEIGHT
def tried(run):
    for _ in range(2):
        try: return run()
        except ZeroDivisionError: time.sleep(0.5)
    return run()
def rolled(): return random.randint(1, 6)
def named(): return sys.argv[1]
def greet(name): print(f"Hello {name}")
"""
IMPATIENT = WORK.replace("try: return", "time.sleep(0.01)\n        try: return").replace("0.5", "0.4")


def found(folder: Path, tests: str, work: str) -> dict[str, tuple[str, str]]:
    """Return verdict and message of each test function."""
    (folder / "tests").mkdir()
    (folder / "tests" / "test_work.py").write_text(tests)
    result = mark(folder, question("pytest: tests/test_work.py"), work, reference=textwrap.dedent(WORK))
    return {
        case.call.rpartition("::")[2]: (str(case.verdict), case.message) for case in cases(result).values()
    }


def test_it_is_seen_there_and_put_back(tmp_path: Path) -> None:
    told = found(tmp_path, TESTS, WORK)
    assert {name for name, (verdict, _) in told.items() if verdict != "accepted"} == set()


def test_a_call_that_should_not_be_is_told(tmp_path: Path) -> None:
    told = found(tmp_path, TESTS, IMPATIENT)
    wrong = {name for name, (verdict, _) in told.items() if verdict == "wrong-answer"}
    assert wrong == {"test_not_called", "test_called"}


def test_what_cannot_be_replaced_there_is_told_at_its_line(tmp_path: Path) -> None:
    told = found(tmp_path, CLASSES, WORK)
    assert {verdict for verdict, _ in told.values()} == {"internal-error"}
    assert all("of test_work.py: `" in message for _, message in told.values())

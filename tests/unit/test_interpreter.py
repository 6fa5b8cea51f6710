"""Finding the Python that runs the submissions."""

import json
import os
import pwd
import subprocess
import sys
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.sandbox import interpreter_facts
from grader.sandbox.interpreter import _candidates, find_interpreter


def test_the_graders_own_is_the_default() -> None:
    found = find_interpreter("")
    assert found.command == sys.executable
    assert found.version == ".".join(map(str, sys.version_info[:3]))


def test_a_box_can_read_the_standard_library_and_not_the_packages() -> None:
    found = find_interpreter("")
    library = str(Path(sys.modules["json"].__file__ or "").parent.parent)
    assert any(library == path or library.startswith(path + "/") for path in found.readable)
    assert found.packages
    assert not set(found.packages) & set(found.readable)


def test_the_graders_own_python_says_the_same_here_as_when_it_is_asked() -> None:
    """Although the grader has loaded more than a Python has that was only just started."""
    question = [sys.executable, "-I", interpreter_facts.__file__]
    asked = json.loads(subprocess.run(question, capture_output=True, check=True, text=True).stdout)
    known = interpreter_facts.facts()
    assert set(asked.pop("mapped")) <= set(known["mapped"])
    surplus = known.pop("mapped")
    assert known == asked
    assert not [path for path in surplus if "site-packages" in path]


def test_no_readable_path_lies_below_another() -> None:
    readable = [Path(path) for path in find_interpreter("").readable]
    folders = [path for path in readable if not path.is_symlink()]
    assert not [(one, other) for one in readable for other in folders if other in one.parents]


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("/no/such/python", "there is no Python /no/such/python here"),
        ("9.9", "there is no Python 9.9 here"),
        ("/bin/true", "does not run"),
        ("/bin/false", "exit status 1"),
    ],
)
def test_what_is_no_python_is_said_in_one_sentence(wanted: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        find_interpreter(wanted)
    assert len(caught.value.faults) == 1


@pytest.mark.parametrize("home", ["/" + 300 * "x", ""], ids=["closed", "none"])
def test_a_home_that_cannot_be_looked_into_has_no_python(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with the HOME of another user, or in a container with a user id alone."""

    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("PYENV_ROOT", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    monkeypatch.setenv("HOME", home) if home else monkeypatch.delenv("HOME")
    with pytest.raises(UsageError, match=r"there is no Python 9\.8 here"):
        find_interpreter("9.8")


def test_an_old_python_is_refused(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text(
        "#!/bin/sh\n"
        """echo '{"version": [3, 9, 1], "implementation": "cpython", "library": [], "packages": [],"""
        """ "others": [], "mapped": []}'\n"""
    )
    old.chmod(0o755)
    with pytest.raises(UsageError, match=r"cpython 3\.9\.1; submissions need CPython 3\.11"):
        find_interpreter(str(old))


def test_a_path_can_be_written_with_either_separator_of_a_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows takes C:/Python/python.exe too; here its two separators are exchanged."""
    monkeypatch.setattr(os, "sep", "\\")
    monkeypatch.setattr(os, "altsep", "/")
    assert list(_candidates(sys.executable.replace("bin", "./bin"))) == [sys.executable]

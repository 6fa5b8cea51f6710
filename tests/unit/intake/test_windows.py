"""Names that Windows has not, or has for something else."""

import pytest

from grader.intake.matching import match
from grader.intake.windows import fault_of_name, fault_of_names


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("con", "con is the name of a device"),
        ("data/NUL.txt", "NUL.txt is the name of a device"),
        ("aux.tar.gz", "a device"),
        ("Com1.csv", "a device"),
        ("lpt9/a.txt", "lpt9 is the name of a device"),
        ("COM\N{SUPERSCRIPT TWO}.py", "a device"),
        ("prn .txt", "a device"),
        ("CONOUT$", "a device"),
        ("leap.py.", "leaves out the dot at the end of the name 'leap.py.'"),
        ("leap.py ", "leaves out the blank at the end"),
        ("data. /a.txt", "leaves out the blank"),
        ("..", "leaves out the dot"),
        ("C:/leap.py", "can hold the character ':'"),
        ("src\\leap.py", "can hold the character"),
        ("leap.py:Zone.Identifier", "':'"),
        ("what?.txt", "'?'"),
        ("a\tb.txt", "character"),
    ],
)
def test_a_name_that_no_file_can_have_on_windows(path: str, said: str) -> None:
    assert said in fault_of_name(path)


@pytest.mark.parametrize(
    "path",
    [
        "leap.py",
        "data/may 2026.csv",
        "console.py",
        "com.py",
        "com10.txt",
        "auxiliary/nul_.txt",
        ".hidden",
        "größe.md",
    ],
)
def test_a_name_that_a_file_can_have_everywhere(path: str) -> None:
    assert fault_of_name(path) == ""


def test_two_names_that_are_one_file() -> None:
    assert (
        fault_of_names(["README.md", "data/a.txt", "data/A.txt"])
        == "data/A.txt and data/a.txt are one file on Windows"
    )
    assert fault_of_names(["README.md", "data/README.md", "README.md"]) == ""
    assert "device" in fault_of_names(["README.md", "aux.py"])


@pytest.mark.parametrize("name", ["leap.py.", "leap.py ", "leap.py. ", "LEAP.PY.", "leap.ipynb "])
def test_what_ends_in_a_dot_or_a_blank_is_taken_for_what_windows_keeps(name: str) -> None:
    found = match([name, "days.py"], {"leap": "leap.py", "days": "days.py"})
    assert (found.files, found.problems) == ({"leap": name, "days": "days.py"}, ())
    assert len(found.notes) == 1
    assert "was taken as leap.py" in found.notes[0]


def test_the_exact_name_counts_beside_one_that_ends_in_a_dot() -> None:
    found = match(["leap.py", "leap.py."], {"leap": "leap.py"})
    assert found.files == {"leap": "leap.py"}
    assert found.problems == (
        "leap.py and leap.py. are the same name on some systems; only leap.py was read",
    )


def test_a_helper_that_ends_in_a_dot_is_found_by_its_import() -> None:
    found = match(["leap.py", "centuries.py."], {"leap": "leap.py"})
    assert found.files == {"leap": "leap.py", "centuries": "centuries.py."}


def test_names_of_devices_are_read() -> None:
    """Linux has no such devices; a student's machine may have none either."""
    found = match(["aux.py", "con.py"], {"aux": "aux.py"})
    assert (found.files, found.problems, found.notes) == ({"aux": "aux.py", "con": "con.py"}, (), ())

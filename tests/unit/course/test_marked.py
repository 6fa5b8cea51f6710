"""Results in a task's folder are that task's."""

from pathlib import Path

import pytest

from grader.course.own_reviews import id_in


@pytest.mark.parametrize(
    ("text", "own_id"),
    [
        ("task: leap\ntitle: Leap\n", "leap"),
        ("# a spec\ntask:   leap   # its name\n", "leap"),
        ("task: leap\r\n", "leap"),
        ("\N{ZERO WIDTH NO-BREAK SPACE}task: leap\n", "leap"),
        ("task: leap2\n", "leap2"),
        ("task: 'leap'\n", "leap"),
        ("task: other\nx: |\n  task: leap\n", "other"),
        ("title: Leap\nmarks: four\ntask: leap\n", "leap"),
        ("task: [leap]\n", ""),
        ("- task: leap\n", ""),
        ("task: [", ""),
        ("", ""),
    ],
)
def test_what_a_spec_says(tmp_path: Path, text: str, own_id: str) -> None:
    path = tmp_path / "spec.yaml"
    path.write_bytes(text.encode())
    assert id_in(path) == own_id


def test_a_file_that_is_not_there_says_nothing(tmp_path: Path) -> None:
    assert id_in(tmp_path / "absent.yaml") == ""

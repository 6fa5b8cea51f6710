"""The spec's own code that cannot be imported is tried once, however many cases ask for it."""

from pathlib import Path
from typing import Any

import pytest
from support.marking import mark, question, verdicts

import grader.lab.own_boxes
from grader.sandbox.box import Box


def test_checkers_that_do_not_load_are_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    real = Box

    def counted(zygote: Any, program: Any, *args: Any, **options: Any) -> Any:
        opened.append(program.module)
        return real(zygote, program, *args, **options)

    monkeypatch.setattr(grader.lab.own_boxes, "Box", counted)
    cases = [f"{{call: f({number}), check: near()}}" for number in range(4)]
    checkers = "def near(answer):\n    return True\n\n\n1 / 0\n"
    found = verdicts(mark(tmp_path, question(*cases), "def f(n):\n    return n\n", checkers=checkers))
    assert set(found.values()) == {"internal-error"}
    assert opened == ["checkers"]

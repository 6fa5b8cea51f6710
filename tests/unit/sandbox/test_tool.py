"""Tools for source: found beside the grader or on the path, missing ones told, what they say kept."""

import sysconfig
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from grader.model.errors import UsageError
from grader.model.rule import Rule, RuleKind
from grader.sandbox.budget import UNBILLED
from grader.sandbox.tools import tool
from grader.sandbox.tools.source_tools import lint, search, tools_for
from grader.sandbox.tools.tool import find_tool, run_tool


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    """Each test looks for itself."""
    find_tool.cache_clear()
    yield
    find_tool.cache_clear()


def elsewhere(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(folder / "nowhere"))
    monkeypatch.setenv("PATH", str(folder))


def script(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


RUNNER = partial(run_tool, purse=UNBILLED)


def linter(**options: object) -> Rule:
    return Rule(kind=RuleKind.LINTER, text="linter", modules=("one",), **options)  # type: ignore[arg-type]


def test_a_tool_is_found_with_its_version() -> None:
    found = find_tool("ruff")
    assert found.version[0].isdigit()
    assert Path(found.path).is_file()


def test_a_missing_tool_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere(monkeypatch, tmp_path)
    with pytest.raises(UsageError, match="need ruff, which is not installed") as caught:
        tools_for([linter(select=("F",))])
    assert "grader-harness[rules]" in caught.value.faults[0].hint


def test_a_tool_on_the_path_will_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere(monkeypatch, tmp_path)
    script(tmp_path, "ruff", 'echo "ruff 9.9.9"')
    assert find_tool("ruff").version == "9.9.9"


def test_a_tool_that_does_not_start_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    elsewhere(monkeypatch, tmp_path)
    script(tmp_path, "ruff", "echo broken >&2; exit 3")
    with pytest.raises(UsageError, match="ruff does not start: broken"):
        find_tool("ruff")


def test_tools_are_asked_for_only_where_a_rule_needs_them() -> None:
    assert tools_for([Rule(kind=RuleKind.NO_RECURSION, text="no recursion", modules=("one",))]) == []
    names = [each.name for each in tools_for([linter(select=("F",)), linter(select=("E",))])]
    assert names == ["ruff"]


def test_findings_have_their_lines_in_order() -> None:
    text = "import os\n\n\nl = 1\nimport sys\n"
    found = lint(linter(select=("F401", "E741")), "one", "one.py", text, RUNNER)
    assert [(place.line, place.message[:4]) for place in found] == [(1, "F401"), (4, "E741"), (5, "F401")]


def test_findings_are_bounded() -> None:
    assert len(lint(linter(select=("E741",)), "one", "one.py", "l = 1\n" * 10_000, RUNNER)) == 50


def test_a_pattern_is_told_once_a_line() -> None:
    found = search("f($X)", "one", "f(1); f(2)\ng(3)\nf(\n  4)\n", RUNNER)
    assert [place.line for place in found] == [1, 3]


def test_output_beyond_its_limit_ends_at_a_whole_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool, "_OUTPUT_B", 1000)
    run = tool.run_tool(["/bin/sh", "-c", "while :; do echo 0123456789; done"], "", purse=UNBILLED)
    assert set(run.stdout.splitlines()) == {"0123456789"}
    assert run.status < 0

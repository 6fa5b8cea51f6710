"""The pages on kinds of cases are what they say: their files are marked, and that comes of it.

Most pages show the cases of an example alone; the whole of it lies in `tests/golden/case_pages`.
"""

import re
from pathlib import Path

import pytest
from support.marking import cases

from grader.engine.run_config import prepare_run
from grader.engine.worker import Marker
from grader.marking.rounding import format_mark
from grader.model.results import CaseResult
from grader.model.submission import SourceFile, Submission
from grader.sandbox.driver import Driver
from grader.spec import load_task

PAGES = Path(__file__).parents[2] / "docs" / "cases"
WHOLE = Path(__file__).parents[1] / "golden" / "case_pages"
_BLOCK = re.compile(r"((?:[^\n]+\n)+)\n```(yaml|python|text)\n(.*?)```", re.DOTALL)
_RATIO = re.compile(r"took [0-9.]+ times")
_NAME = re.compile(r"`([\w/.-]+\.(?:yaml|py))`")


def files_of(page: str) -> tuple[dict[str, str], str]:
    """Return the page's files by name, the student's as "student", and the results that it shows."""
    files, shown = {}, ""
    whole = WHOLE / page if (WHOLE / page).exists() else PAGES / page
    for before, kind, content in _BLOCK.findall(whole.read_text(encoding="utf-8")):
        if kind == "text":
            shown = content
        else:
            (name,) = _NAME.findall(before)
            files["student" if before.startswith("A student's") else name] = content
    return files, shown


def told(case: CaseResult) -> str:
    """Return a case and its steps as the pages show them."""
    lines = [
        f"{case.id} {case.verdict} {format_mark(case.score)}" + (f": {case.message}" if case.message else "")
    ]
    for step in case.steps:
        lines.append(f"  {step.verdict:<13} {step.text}" + (f": {step.message}" if step.message else ""))
    return "".join(f"{line}\n" for line in lines)


PAGES_WITH_RESULTS = (
    "scenarios.md",
    "expressions.md",
    "values.md",
    "programs.md",
    "dialogues.md",
    "validators.md",
    "printed-text.md",
    "images.md",
    "time.md",
    "rules.md",
    "harness.md",
    "files.md",
    "around.md",
)


_HEAVY = {"tables.md": "pandas", "plots.md": "matplotlib"}


@pytest.mark.parametrize(
    "page", [*PAGES_WITH_RESULTS, *(pytest.param(page, marks=pytest.mark.acceptance) for page in _HEAVY)]
)
def test_the_example_comes_to_what_is_shown(page: str, tmp_path: Path) -> None:
    if page in _HEAVY:
        pytest.importorskip(_HEAVY[page])
    files, shown = files_of(page)
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    (spec,) = tmp_path.glob("*.yaml")
    task = load_task(spec)
    ((module, file),) = task.modules
    reference = (tmp_path / "reference" / file).read_text(encoding="utf-8")
    with Marker(prepare_run(task, Driver.NAMESPACES, "")) as marker:
        results = [
            marker.mark(Submission("student-01", "student-01", {module: SourceFile(file, text)})).result
            for text in (files["student"], reference)
        ]
    found = "".join(map(told, cases(results[0]).values()))
    assert _RATIO.sub("", found) == _RATIO.sub("", shown)
    assert results[1].mark == task.marks


def words(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize(
    "page", sorted(path.name for path in WHOLE.glob("*.md") if (PAGES / path.name).exists())
)
def test_a_page_quotes_its_example(page: str) -> None:
    (_, example, *_) = (PAGES / page).read_text(encoding="utf-8").split("\n## ")
    shown = [content for _, content in re.findall(r"```(yaml|python)\n(.*?)```", example, re.DOTALL)]
    assert shown
    whole = "\n".join(words((WHOLE / page).read_text(encoding="utf-8")))
    for content in shown:
        assert "\n".join(words(content)) in whole

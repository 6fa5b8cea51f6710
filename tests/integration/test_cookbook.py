"""Every recipe of the cookbook is what its page says.

Its right programs get full marks, its wrong ones (and submissions with times or reviews) what is declared for
them, in the same form as for the samples.  The pieces of YAML and Python on its page stand in its files.  The
texts that a student reads are those of `grader check`: a comment before each names the program and the case.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.declared import differences, mark_folders, read_declared
from support.rows import first_of

from grader.authoring.programs import folders_of, marks_by_cases
from grader.marking.rounding import format_mark
from grader.model.results import SubmissionResult, TaskHead
from grader.model.task import Task
from grader.reports.terminal.lines import to_text
from grader.reports.terminal.student import check_lines
from grader.sandbox.tools.toolchains import missing_tool
from grader.spec import load_task

BOOK = Path(__file__).parents[2] / "docs" / "cookbook"
RECIPES = sorted(path.stem for path in BOOK.glob("*.yaml"))
LONGEST_LINE = 110

_BLOCK = re.compile(r"^```(yaml|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_READ = re.compile(r"(<!-- (\w+/[\w-]+) (\S+) -->\n\n```text\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def page_of(recipe: str) -> str:
    return (BOOK / f"{recipe}.md").read_text(encoding="utf-8")


def marked(recipe: str) -> tuple[Task, dict[str, SubmissionResult]]:
    """Mark all programs of a recipe; return the results by kind and name, such as `wrong/prints-it`."""
    task = load_task(BOOK / f"{recipe}.yaml")
    results: dict[str, SubmissionResult] = {}
    for kind in ("right", "wrong", "submissions"):
        batch = BOOK / recipe / kind
        if not batch.is_dir():
            continue
        found = mark_folders(task, folders_of(batch), beside=batch)
        results |= {f"{kind}/{name}": result for name, result in found.items()}
    return task, results


def what_a_student_reads(task: Task, result: SubmissionResult, part: str) -> str:
    """Return the feedback on a case, on the rules (`rules`), or all of it (`all`).

    Lines that are too long for a page are left out, and so are times.
    """
    text = re.sub(r"<?\d+ ms of", "<1 ms of", to_text(check_lines(TaskHead.of(task), result)))
    if part != "all":
        start = "- rule " if part == "rules" else f"{part}  "
        text = "".join(block + "\n" for block in text.split("\n\n") if block.startswith(start))
    lines = ("..." if len(line) > LONGEST_LINE else line for line in text.strip().splitlines())
    return "\n".join(lines) + "\n"


def without_numbers(text: str) -> str:
    """Return the text without the numbers that differ from run to run, and their units."""
    return re.sub(r"\d+(?:\.\d+)?(?: m?s\b)?", "0", text.replace("(1 round)", "(0 rounds)"))


def test_there_are_at_least_twenty() -> None:
    assert len(RECIPES) >= 20


def test_every_recipe_is_whole() -> None:
    assert sorted(path.stem for path in BOOK.glob("*.md")) == sorted([*RECIPES, "README"])
    for recipe in RECIPES:
        batches = {path.name for path in (BOOK / recipe).iterdir() if path.is_dir()}
        assert "reference" in batches
        assert {"right", "wrong"} <= batches or "submissions" in batches, recipe
        for kind in batches & {"wrong", "submissions"}:
            batch = BOOK / recipe / kind
            assert {path.name for path in folders_of(batch)} == set(read_declared(batch)), recipe


@pytest.mark.parametrize("recipe", RECIPES)
def test_its_page_leads_to_its_files(recipe: str) -> None:
    there = [path for path in (BOOK / recipe).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    listed = set(re.findall(rf"\]\(({recipe}(?:\.yaml|/[^)]+))\)", page_of(recipe)))
    assert listed == {f"{recipe}.yaml", *(str(path.relative_to(BOOK)) for path in there)}


def test_the_readme_counts_the_recipes() -> None:
    readme = (BOOK.parents[1] / "README.md").read_text(encoding="utf-8")
    assert f"{len(RECIPES)} small tasks" in readme


def test_the_index_has_every_recipe() -> None:
    listed = re.findall(r"\]\(([\w-]+)\.md\)", page_of("README"))
    assert sorted(listed) == RECIPES


@pytest.mark.parametrize("recipe", first_of(RECIPES, 4))
def test_its_programs_get_what_is_declared_and_read_what_its_page_shows(recipe: str) -> None:
    """`GRADER_UPDATE_GOLDEN=1` writes the texts on the page again."""
    missing = list(filter(None, map(missing_tool, load_task(BOOK / f"{recipe}.yaml").toolchains)))
    if missing:
        pytest.skip(f"this host has no {', '.join(missing)}")
    task, results = marked(recipe)
    for name, result in results.items():
        if name.startswith("right/"):
            assert format_mark(result.mark) == format_mark(marks_by_cases(task)), name
        if name.startswith("wrong/"):
            assert result.mark < marks_by_cases(task), name
    for kind in ("wrong", "submissions"):
        if (BOOK / recipe / kind).is_dir():
            declared = read_declared(BOOK / recipe / kind)
            assert differences({name: results[f"{kind}/{name}"] for name in declared}, declared) == {}

    text = page_of(recipe)
    shown = {(program, part): block for _, program, part, block, _ in _READ.findall(text)}
    read = {(program, part): what_a_student_reads(task, results[program], part) for program, part in shown}
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        text = _READ.sub(lambda found: found[1] + read[found[2], found[3]] + found[5], text)
        (BOOK / f"{recipe}.md").write_text(text, encoding="utf-8")
    elif recipe == "time":
        shown, read = ({key: without_numbers(value) for key, value in part.items()} for part in (shown, read))
    assert shown == read or os.environ.get("GRADER_UPDATE_GOLDEN")


@pytest.mark.parametrize("recipe", RECIPES)
def test_its_page_quotes_its_files(recipe: str) -> None:
    files = "\n".join(path.read_text(encoding="utf-8") for path in files_of(recipe))
    assert [block for _, block in _BLOCK.findall(page_of(recipe)) if block not in files] == []
    assert "```yaml" in page_of(recipe)


def files_of(recipe: str) -> Iterator[Path]:
    yield BOOK / f"{recipe}.yaml"
    for pattern in ("*.py", "*.yaml"):
        yield from sorted((BOOK / recipe).rglob(pattern))

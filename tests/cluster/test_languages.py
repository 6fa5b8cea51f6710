"""Programs in other languages get the same marks on a cluster as here."""

from pathlib import Path

import pytest
from support.command_line import grader, reproducible, results
from support.daskers import DaskCluster
from support.toolchains import CPP, JAVA, JAVASCRIPT, C

from grader.languages.toolchain import Toolchain
from grader.sandbox.tools.toolchains import missing_tool

BOOK = Path(__file__).parents[2] / "docs" / "cookbook"
PERL = Toolchain("perl", (".pl",), run=("perl", "{file}"))


@pytest.mark.parametrize(
    ("recipe", "languages"),
    [("toolchains", (C, CPP)), ("languages", (JAVA, JAVASCRIPT, PERL))],
    ids=["compiled", "by-a-runtime"],
)
def test_programs_are_marked_alike(
    honest: DaskCluster, tmp_path: Path, recipe: str, languages: tuple[Toolchain, ...]
) -> None:
    missing = next(filter(None, map(missing_tool, languages)), "")
    if missing:
        pytest.skip(f"{missing} is not installed")
    works = [BOOK / recipe / kind for kind in ("right", "wrong")]
    for place, options in (("here", ()), ("there", ("--cluster", honest.address))):
        done = grader("mark", BOOK / f"{recipe}.yaml", *works, "-o", tmp_path / place, *options)
        assert done.returncode == 0, done.stderr
    found = results(tmp_path / "there")
    assert reproducible(found) == reproducible(results(tmp_path / "here"))
    marks = {each["id"]: each["mark"] for each in found["submissions"]}
    assert {mark for name, mark in marks.items() if name.startswith("in-")} == {"3"}, marks

"""Programs in other languages get the same marks on a cluster as here."""

from pathlib import Path

import pytest
from support.command_line import grader, reproducible, results
from support.daskers import DaskCluster

from grader.model.task import CPP, C
from grader.sandbox.tools.toolchains import missing_tool

BOOK = Path(__file__).parents[2] / "docs" / "cookbook"
MISSING = missing_tool(C) or missing_tool(CPP)


@pytest.mark.skipif(bool(MISSING), reason=f"{MISSING} is not installed")
def test_programs_in_c_are_marked_alike(honest: DaskCluster, tmp_path: Path) -> None:
    works = [BOOK / "toolchains" / kind for kind in ("right", "wrong")]
    for place, options in (("here", ()), ("there", ("--cluster", honest.address))):
        done = grader("mark", BOOK / "toolchains.yaml", *works, "-o", tmp_path / place, *options)
        assert done.returncode == 0, done.stderr
    assert reproducible(results(tmp_path / "there")) == reproducible(results(tmp_path / "here"))

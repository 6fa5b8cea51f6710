"""Runs that several tests only look at: the small batch marked, and the doctor."""

import pytest
from support.command_line import BATCH, SPEC, Done, Marked, grader


@pytest.fixture(scope="session")
def marked(tmp_path_factory: pytest.TempPathFactory) -> Marked:
    """The small batch, marked by the console script; do not write into its folder."""
    folder = tmp_path_factory.mktemp("marked") / "out"
    return Marked(grader("mark", SPEC, BATCH, "-o", folder, fresh=True), folder)


@pytest.fixture(scope="session")
def examined() -> Done:
    """The report of `grader doctor` on this host; it tries every driver, which takes seconds."""
    return grader("doctor", fresh=True)

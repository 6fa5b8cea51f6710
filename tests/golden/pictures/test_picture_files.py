"""What each built-in renderer draws, as data and as markup: as the files beside this test have it.

`GRADER_UPDATE_GOLDEN=1` writes the files anew; look at what `git diff` says then.
"""

import json
import os
from pathlib import Path

import pytest
from support.renderers import BUILT_IN
from support.results_sample import RUN, TASK

from grader.model.results import RunResults
from grader.reports.html.pages import Pages
from grader.store.results_json import picture_as_json

GOLDEN = Path(__file__).parent / "files"
DRAWN: dict[str, tuple[str, object, object, dict[str, object]]] = {
    "tour-off-the-board": (
        "tour_board",
        [(-1, 3), (3, 3), (2, 1), (0, 0)],
        None,
        {"dim": 4, "start": (0, 0)},
    ),
    "tour-not-closed": (
        "tour_board",
        [(0, 2), (2, 1), (0, 0)],
        None,
        {"columns": 3, "rows": 3, "closed": True},
    ),
    "numbered": ("numbered_board", "3\n3\n1 4 7\n6 -1 3\n2 8 5\n", None, {"closed": True}),
    "squares": ("squares", [(1, 2), (0, 0)], [(1, 2), (2, 1)], {"dim": 3, "at": (1, 1), "taken": [(2, 2)]}),
    "cells": ("cells", "  0 1\n0 K .\n1 . O\n", "  0 1\n0 K .\n1 O O\n", {}),
    "image": (
        "image",
        [[0, 1], [2, 9]],
        [[0, 1], [2, 3]],
        {"palette": [(255, 170, 0), (4, 4, 73)], "limit": 9},
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture(name: str) -> None:
    renderer, actual, expected, arguments = DRAWN[name]
    pictures = BUILT_IN[renderer](actual, expected, **arguments)
    documents = [picture_as_json(picture) for picture in pictures]
    empty = RunResults(RUN, TASK, [])
    compare(f"{name}.json", json.dumps(documents, indent=1) + "\n")
    compare(f"{name}.html", str(Pages(empty.run, empty.task).drawings(pictures)))


def compare(name: str, content: str) -> None:
    golden = GOLDEN / name
    if os.environ.get("GRADER_UPDATE_GOLDEN"):
        golden.write_text(content, encoding="utf-8")
    assert content == golden.read_text(encoding="utf-8")

"""The index leads to the page of similar works, where one about its run lies beside it."""

import json
from pathlib import Path

import pytest
from support.results_sample import RUN, results

from grader.reports.render import render_all
from grader.reports.views.cohort.similar_works import DATA, PAGE, similar_works

FOUND = {"run": RUN.id, "pairs": [{}, {}], "equal": [[{}, {}]]}


def test_it_is_told_on_the_index(tmp_path: Path) -> None:
    (tmp_path / DATA).write_text(json.dumps(FOUND))
    page = render_all(results(), tmp_path).read_text("utf-8")
    assert f'<a href="{PAGE}">2 pairs and 1 group of equal works</a>' in page
    (tmp_path / DATA).unlink()
    assert PAGE not in render_all(results(), tmp_path).read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(FOUND | {"run": "another"}),
        json.dumps(FOUND | {"pairs": [], "equal": []}),
        json.dumps(FOUND | {"pairs": 3}),
        "[]",
        "{",
        "[" * 100_000,
        "\udcff",
    ],
)
def test_what_is_of_another_run_or_is_no_such_file_is_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / DATA).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert similar_works(tmp_path, RUN) == []


def test_without_a_search_there_is_nothing(tmp_path: Path) -> None:
    assert similar_works(tmp_path, RUN) == []
